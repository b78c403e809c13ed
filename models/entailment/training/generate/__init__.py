"""Generate labelled pairs: frames in the register of papers and policies, and edited real text."""
