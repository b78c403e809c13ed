"""Citations: what a text cites, read exactly, in one canonical form each."""
