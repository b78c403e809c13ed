"""Answers of registries, kept for a time: an `AnswerCache` that outlives the program.

Questions are kept as hashes alone. Nothing here is history: it may be deleted at any time.
"""

import zlib
from datetime import datetime
from typing import Any

from core.scholarly.reply import Reply
from core.storage.database import Database
from core.storage.times import from_text, to_text

MOST_BYTES = 512 << 20
"""Bytes of packed bodies that are kept; above, the oldest answers go."""

SWEEP_EVERY = 64
"""Answers put between two looks at how much there is."""


class AnswerRepository:
    """The kept answers of a store, of all its workspaces. May be used from any thread.

    It is a `core.scholarly.reply.AnswerCache`; every method raises `StoreError`.
    """

    def __init__(self, database: Database, *, most_bytes: int = MOST_BYTES) -> None:
        """Use an open database."""
        self._database = database
        self._most_bytes = most_bytes
        self._put = 0

    def get(self, place: str, key: str) -> Reply | None:
        """The answer that was kept, whatever its age; None also where it is damaged."""
        row = self._database.row(
            "SELECT * FROM registry_answers WHERE place = ? AND question = ?", (place, key)
        )
        if row is None:
            return None
        try:
            body = zlib.decompress(row["body"])
        except zlib.error:
            return None
        return Reply(row["status"], row["media_type"], body, from_text(row["asked"]))

    def put(self, place: str, key: str, reply: Reply) -> None:
        """Keep an answer, in place of an earlier one."""
        packed = zlib.compress(reply.body)
        values = (
            place, key, to_text(reply.asked), reply.status, reply.media_type, packed, len(packed),
        )  # fmt: skip

        def work(db: Any) -> None:
            db.execute(
                "INSERT INTO registry_answers "
                "(place, question, asked, status, media_type, body, size) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (place, question) DO UPDATE SET "
                "asked = excluded.asked, status = excluded.status, "
                "media_type = excluded.media_type, body = excluded.body, size = excluded.size",
                values,
            )
            # Counted here, on the one writing thread.
            self._put += 1
            if self._put % SWEEP_EVERY == 1:
                self._sweep(db)

        self._database.write(work)

    def forget(self, before: datetime | None = None) -> int:
        """Delete the answers from before a moment, or all of them; how many they were."""

        def work(db: Any) -> int:
            if before is None:
                return int(db.execute("DELETE FROM registry_answers").rowcount)
            cursor = db.execute("DELETE FROM registry_answers WHERE asked < ?", (to_text(before),))
            return int(cursor.rowcount)

        return self._database.write(work)

    def _sweep(self, db: Any) -> None:
        """Delete the oldest answers above the bound."""
        db.execute(
            "DELETE FROM registry_answers WHERE id IN (SELECT id FROM (SELECT id, "
            "sum(size) OVER (ORDER BY asked DESC, id DESC) AS so_far FROM registry_answers) "
            "WHERE so_far > ?)",
            (self._most_bytes,),
        )
