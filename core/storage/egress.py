"""Requests to a network, as they are kept: an `EgressLog` that outlives the program."""

from datetime import datetime
from typing import Any

from core.egress_log import EgressEntry, EgressOutcome
from core.egress_policy import Purpose
from core.storage.database import Database
from core.storage.times import from_text, to_text


class EgressRepository:
    """The requests of a store, of all its workspaces. Every method may be called from any thread.

    It is a `core.egress_log.EgressLog`; every method raises `StoreError`.
    """

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def begin(self, started: datetime, host: str, purpose: Purpose) -> int:
        """Write down that a request is about to be sent; its number."""

        def work(db: Any) -> int:
            cursor = db.execute(
                "INSERT INTO egress (started, host, purpose, outcome, sent, received) "
                "VALUES (?, ?, ?, ?, 0, 0)",
                (to_text(started), host, purpose.value, EgressOutcome.UNDER_WAY.value),
            )
            return int(cursor.lastrowid)

        return self._database.write(work)

    def finish(
        self, entry: int, outcome: EgressOutcome, *, sent: int, received: int, status: int | None
    ) -> None:
        """Write down, once, what became of it."""

        def work(db: Any) -> None:
            db.execute(
                "UPDATE egress SET outcome = ?, sent = ?, received = ?, status = ? WHERE id = ?",
                (outcome.value, sent, received, status, entry),
            )

        self._database.write(work)

    def entries(self) -> list[EgressEntry]:
        """All requests, the earliest first."""
        return [_entry(row) for row in self._database.rows("SELECT * FROM egress ORDER BY id")]


def _entry(row: dict[str, Any]) -> EgressEntry:
    return EgressEntry(
        id=row["id"],
        started=from_text(row["started"]),
        host=row["host"],
        purpose=Purpose(row["purpose"]),
        outcome=EgressOutcome(row["outcome"]),
        sent=row["sent"],
        received=row["received"],
        status=row["status"],
    )
