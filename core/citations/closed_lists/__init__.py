"""Closed lists: whether a framework, a standard or a law has the place that a citation names."""
