"""The History page: every verdict of a workspace, to open again or to repeat."""
