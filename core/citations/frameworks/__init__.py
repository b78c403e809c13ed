"""The grammar of framework and legal citations: names of instruments and places in them."""
