"""What was asked of the network: time, host, purpose and bytes of each request.

Neither addresses nor contents are kept. A request is written down before anything is sent, so
that none is missing when the program ends in the middle of it.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from threading import Lock
from typing import Protocol

from core.egress_policy import Purpose


class EgressOutcome(StrEnum):
    """What became of a request."""

    UNDER_WAY = "under_way"
    """Not finished; in the log of an earlier run: the program ended in the middle of it."""
    ANSWERED = "answered"
    """An answer came, and all of it that was wanted."""
    FAILED = "failed"
    """No answer came, or its connection was cut."""
    CANCELLED = "cancelled"
    """The person stopped it."""
    REFUSED = "refused"
    """The policy does not allow it; nothing was sent."""


@dataclass(frozen=True, slots=True)
class EgressEntry:
    """One request.

    Attributes: `started`, in UTC; `host`, with its port where that is unusual, "" where the
    address had none; `sent` and `received`, bytes of HTTP/1.1, heads included, as they were
    before encryption; `status`, of the answer.
    """

    id: int
    started: datetime
    host: str
    purpose: Purpose
    outcome: EgressOutcome = EgressOutcome.UNDER_WAY
    sent: int = 0
    received: int = 0
    status: int | None = None


class EgressLog(Protocol):
    """Where requests are written down. Every method may be called from any thread."""

    def begin(self, started: datetime, host: str, purpose: Purpose) -> int:
        """Write down that a request is about to be sent; its number. What it raises stops it."""
        ...

    def finish(
        self, entry: int, outcome: EgressOutcome, *, sent: int, received: int, status: int | None
    ) -> None:
        """Write down, once, what became of it."""
        ...

    def entries(self) -> list[EgressEntry]:
        """All requests, the earliest first."""
        ...


class MemoryLog:
    """An `EgressLog` that ends with the program."""

    def __init__(self) -> None:
        self._entries: list[EgressEntry] = []
        self._lock = Lock()

    def begin(self, started: datetime, host: str, purpose: Purpose) -> int:
        """As in `EgressLog`."""
        with self._lock:
            entry = EgressEntry(len(self._entries) + 1, started, host, purpose)
            self._entries.append(entry)
            return entry.id

    def finish(
        self, entry: int, outcome: EgressOutcome, *, sent: int, received: int, status: int | None
    ) -> None:
        """As in `EgressLog`."""
        with self._lock:
            begun = self._entries[entry - 1]
            if begun.outcome is not EgressOutcome.UNDER_WAY:
                raise ValueError(f"request {entry} is finished already")
            self._entries[entry - 1] = replace(
                begun, outcome=outcome, sent=sent, received=received, status=status
            )

    def entries(self) -> list[EgressEntry]:
        """As in `EgressLog`."""
        with self._lock:
            return list(self._entries)
