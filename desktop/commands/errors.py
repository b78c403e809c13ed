"""Exit statuses, and the error that ends a command with one of them."""

DONE = 0
"""Done, whatever the verdict."""
BAD_INPUT = 2
"""The input is at fault."""
MISSING = 3
"""A needed model or source is missing."""
STOPPED = 130
"""Stopped with Ctrl+C."""


class CommandError(Exception):
    """A command cannot go on. `str(error)` is for the person; `status` is the exit status."""

    def __init__(self, message: str, status: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.status = status
