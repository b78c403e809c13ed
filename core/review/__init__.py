"""A whole document at once: what each of its sentences cites, and whether that says it."""
