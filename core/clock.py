"""The machine's own clock, as `core.ports.Clock`."""

from datetime import UTC, datetime


class SystemClock:
    """The present moment by the machine's clock."""

    def now(self) -> datetime:
        """The present moment, timezone-aware, in UTC."""
        return datetime.now(UTC)
