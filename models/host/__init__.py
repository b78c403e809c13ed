"""Worker processes: a framed protocol, the child's loop, and the supervisor that watches it."""
