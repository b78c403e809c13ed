"""The history: checks, their verdicts, and the notes added to them. Nothing here is ever changed.

A check is a question, a claim put to a source; each run of it adds a verdict.
"""

from typing import Any

from core.claims.verdict import CheckResult, Verdict
from core.ports import Clock
from core.storage import search as index
from core.storage.database import Database
from core.storage.errors import NotFound
from core.storage.records import (
    COLUMNS,
    OF_VERDICT,
    check_record,
    require_text,
    text_sha256,
    verdict_values,
)
from core.storage.rows import CheckRecord, Provenance, SourceKind, StoredDocument, Triage
from core.storage.times import from_text, to_text

LAST = (1 << 63) - 1
"""After every id: where the first page starts."""


class CheckRepository:
    """The checks of a store. Every method may be called from any thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        """Use an open database; `clock` gives the times of notes."""
        self._database = database
        self._clock = clock

    def record(
        self,
        *,
        workspace_id: int,
        claim: str,
        source: StoredDocument | str,
        result: CheckResult,
        provenance: Provenance,
    ) -> CheckRecord:
        """Record a check with its first verdict. `source` is a document or the pasted text.

        Raises `NotFound`, `InvalidText` and other `StoreError`s.
        """
        require_text(claim, "The claim")
        if isinstance(source, str):
            require_text(source, "The pasted text")
        values = verdict_values(result, provenance)
        created = to_text(provenance.started)

        def work(db: Any) -> int:
            row: tuple[int | str | None, ...]
            _require(db, "SELECT 1 FROM workspaces WHERE id = ?", workspace_id)
            if isinstance(source, str):
                key = text_sha256(source)
                _keep_text(db, source, key)
                row = (workspace_id, claim, SourceKind.TEXT.value, "", None, key, created)
            else:
                key = source.sha256
                _require(db, "SELECT 1 FROM documents WHERE sha256 = ?", key)
                kind = SourceKind.DOCUMENT.value
                row = (workspace_id, claim, kind, source.name, key, None, created)
            cursor = db.execute(
                "INSERT INTO checks (workspace_id, claim, source_kind, source_name, "
                "document_sha256, text_sha256, created) VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            return _add_verdict(db, int(cursor.lastrowid), workspace_id, claim, key, values)

        return self.verdict(self._database.write(work))

    def record_again(
        self, check_id: int, *, result: CheckResult, provenance: Provenance
    ) -> CheckRecord:
        """Add the verdict of another run to a check. Raises `NotFound` and other `StoreError`s."""
        values = verdict_values(result, provenance)

        def work(db: Any) -> int:
            row = db.execute(
                "SELECT workspace_id, claim, coalesce(document_sha256, text_sha256) "
                "FROM checks WHERE id = ?",
                (check_id,),
            ).fetchone()
            if row is None:
                raise _not_found()
            return _add_verdict(db, check_id, row[0], row[1], row[2], values)

        return self.verdict(self._database.write(work))

    def verdict(self, verdict_id: int) -> CheckRecord:
        """The record with this verdict. Raises `NotFound` and `StoreDamaged`."""
        row = self._database.row(
            f"SELECT {COLUMNS} FROM verdicts v {OF_VERDICT} WHERE v.id = ?", (verdict_id,)
        )
        if row is None:
            raise _not_found()
        return check_record(row)

    def verdicts(self, check_id: int) -> list[CheckRecord]:
        """Every run of a check, the first one first. Raises `NotFound` and `StoreDamaged`."""
        rows = self._database.rows(
            f"SELECT {COLUMNS} FROM verdicts v {OF_VERDICT} WHERE v.check_id = ? ORDER BY v.id",
            (check_id,),
        )
        if not rows:
            raise _not_found()
        return [check_record(row) for row in rows]

    def latest(self, check_id: int) -> CheckRecord:
        """The last run of a check. Raises `NotFound` and `StoreDamaged`."""
        row = self._database.row(
            f"SELECT {COLUMNS} FROM verdicts v {OF_VERDICT} WHERE v.check_id = ? "
            "ORDER BY v.id DESC LIMIT 1",
            (check_id,),
        )
        if row is None:
            raise _not_found()
        return check_record(row)

    def page(
        self,
        workspace_id: int,
        *,
        before: int | None = None,
        limit: int = 100,
        search: str | None = None,
        verdict: Verdict | None = None,
    ) -> list[CheckRecord]:
        """A page of the history, newest first.

        `before` is the `verdict_id` of the last record of the page above; `limit` is at
        least 1. `search` are words of the claim, the last one may be a beginning. A page shorter
        than `limit` is the last one. Raises ValueError and `StoreDamaged`.
        """
        if limit < 1:
            raise ValueError("a page holds at least 1 record")
        answer = None if verdict is None else Verdict(verdict).value
        words = None
        if search is not None and search.strip():
            words = index.query(search, workspace_id, answer)
            if words is None:
                return []
        sql, parameters = page_query(workspace_id, before, limit, words, answer)
        return [check_record(row) for row in self._database.rows(sql, parameters)]

    def source_text(self, check_id: int) -> str | None:
        """The pasted text that a check was made against; None for a document.

        Raises `NotFound`.
        """
        row = self._database.row(
            "SELECT t.text FROM checks c LEFT JOIN source_texts t ON t.sha256 = c.text_sha256 "
            "WHERE c.id = ?",
            (check_id,),
        )
        if row is None:
            raise _not_found()
        return None if row["text"] is None else str(row["text"])

    def add_triage(self, verdict_id: int, note: str) -> Triage:
        """Add a person's note to a verdict. Raises `NotFound` and `InvalidText`."""
        require_text(note, "The note")
        added = to_text(self._clock.now())

        def work(db: Any) -> int:
            _require(db, "SELECT 1 FROM verdicts WHERE id = ?", verdict_id)
            cursor = db.execute(
                "INSERT INTO triage (verdict_id, note, added) VALUES (?, ?, ?)",
                (verdict_id, note, added),
            )
            return int(cursor.lastrowid)

        return Triage(self._database.write(work), verdict_id, note, from_text(added))

    def triage(self, verdict_id: int) -> list[Triage]:
        """The notes on a verdict, the oldest first."""
        rows = self._database.rows(
            "SELECT * FROM triage WHERE verdict_id = ? ORDER BY id", (verdict_id,)
        )
        return [
            Triage(row["id"], row["verdict_id"], row["note"], from_text(row["added"]))
            for row in rows
        ]


def page_query(
    workspace_id: int, before: int | None, limit: int, words: str | None, verdict: str | None
) -> tuple[str, tuple[Any, ...]]:
    """SQL and parameters of a page; each form walks one index from `before` on and stops."""
    start = LAST if before is None else before
    if words is not None:
        # CROSS JOIN keeps the order of the tables: the index of words comes in the page's order.
        return (
            f"SELECT {COLUMNS} FROM claim_search s CROSS JOIN verdicts v ON v.id = s.rowid "
            f"{OF_VERDICT} WHERE s.claim_search MATCH ? AND s.rowid < ? AND v.workspace_id = ? "
            "ORDER BY s.rowid DESC LIMIT ?",
            (words, start, workspace_id, limit),
        )
    if verdict is not None:
        return (
            f"SELECT {COLUMNS} FROM verdicts v INDEXED BY verdicts_by_answer {OF_VERDICT} "
            "WHERE v.workspace_id = ? AND v.verdict = ? AND v.id < ? ORDER BY v.id DESC LIMIT ?",
            (workspace_id, verdict, start, limit),
        )
    return (
        f"SELECT {COLUMNS} FROM verdicts v INDEXED BY verdicts_by_workspace {OF_VERDICT} "
        "WHERE v.workspace_id = ? AND v.id < ? ORDER BY v.id DESC LIMIT ?",
        (workspace_id, start, limit),
    )


def _add_verdict(
    db: Any,
    check_id: int,
    workspace_id: int,
    claim: str,
    source_sha256: str,
    values: dict[str, Any],
) -> int:
    row = {
        "check_id": check_id,
        "workspace_id": workspace_id,
        "claim_sha256": text_sha256(claim),
        "source_sha256": source_sha256,
        **values,
    }
    names = ", ".join(row)
    marks = ", ".join(f":{name}" for name in row)
    cursor = db.execute(f"INSERT INTO verdicts ({names}) VALUES ({marks})", row)
    verdict_id = int(cursor.lastrowid)
    index.add(db.conn, verdict_id, claim, index.tags(workspace_id, values["verdict"]))
    return verdict_id


def _keep_text(db: Any, text: str, key: str) -> None:
    if db.execute("SELECT 1 FROM source_texts WHERE sha256 = ?", (key,)).fetchone() is None:
        db.execute("INSERT INTO source_texts (sha256, text) VALUES (?, ?)", (key, text))


def _require(db: Any, sql: str, key: int | str) -> None:
    if db.execute(sql, (key,)).fetchone() is None:
        raise _not_found()


def _not_found() -> NotFound:
    return NotFound("This entry of the history does not exist. Open the history again.")
