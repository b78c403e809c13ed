"""Read a file into text with anchors back to its pages."""
