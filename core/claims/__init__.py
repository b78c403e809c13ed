"""The check: claim and source, through the gates, to a verdict with its trace."""
