"""The rows of a review, kept as they are done: a `core.review.run.Journal` that outlives a run."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from core.ports import Clock
from core.review.model import Row
from core.review.serial import from_json, to_json
from core.storage.database import Database
from core.storage.times import to_text


def review_key(parts: Iterable[str]) -> str:
    """Names a review by all that its rows depend on, in a fixed order."""
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()


class ReviewJournal:
    """One review's rows. May be used from any thread; every method raises `StoreError`."""

    def __init__(self, database: Database, review_id: int) -> None:
        """Use `begin`."""
        self._database = database
        self._id = review_id

    @classmethod
    def begin(cls, database: Database, clock: Clock, key: str, document: str) -> "ReviewJournal":
        """The review of this key: the one that was begun before, or a new one.

        Others of a document of this name are forgotten: they were of another text or of other
        sources, and their sentences need not stay.
        """

        def work(db: Any) -> int:
            db.execute("DELETE FROM reviews WHERE document = ? AND key <> ?", (document, key))
            db.execute(
                "INSERT INTO reviews (key, document, started) VALUES (?, ?, ?) "
                "ON CONFLICT (key) DO NOTHING",
                (key, document, to_text(clock.now())),
            )
            return int(db.execute("SELECT id FROM reviews WHERE key = ?", (key,)).fetchone()[0])

        return cls(database, database.write(work))

    def rows(self) -> dict[int, Row]:
        """The rows that were kept; one that cannot be read is left out and checked again."""
        found: dict[int, Row] = {}
        for kept in self._database.rows(
            "SELECT number, row FROM review_rows WHERE review_id = ? ORDER BY number", (self._id,)
        ):
            try:
                found[kept["number"]] = from_json(json.loads(kept["row"]))
            except ValueError:
                continue
        return found

    def keep(self, row: Row) -> None:
        """Keep a row, in place of an earlier one of its number."""
        written = json.dumps(to_json(row), ensure_ascii=False)

        def work(db: Any) -> None:
            db.execute(
                "INSERT INTO review_rows (review_id, number, row) VALUES (?, ?, ?) "
                "ON CONFLICT (review_id, number) DO UPDATE SET row = excluded.row",
                (self._id, row.cited.number, written),
            )

        self._database.write(work)
