"""One folder for each page of the window."""
