"""What a person touches: the Qt window and the command line."""
