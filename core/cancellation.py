"""Cancel long work from another thread."""

from threading import Event


class Cancelled(Exception):
    """The person asked to stop."""


class Cancellation:
    """A flag that long work looks at between steps; safe to set from any thread."""

    def __init__(self) -> None:
        self._event = Event()

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._event.set()

    @property
    def requested(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if the person asked to stop."""
        if self._event.is_set():
            raise Cancelled
