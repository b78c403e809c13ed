"""The history: checks, their verdicts, and the notes added to them. Nothing here is ever changed.

A check is a question, a claim put to a source; each run of it adds a verdict.
"""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from core.calibration.record import CalibrationRecord
from core.claims.serial import from_json, to_json
from core.claims.verdict import CheckResult, Verdict
from core.ports import Clock
from core.storage import search as index
from core.storage.database import Database
from core.storage.documents import stored_document
from core.storage.errors import InvalidText, NotFound, StoreDamaged
from core.storage.rows import CheckRecord, Provenance, SourceKind, StoredDocument, Triage
from core.storage.times import from_text, to_text

_COLUMNS = """
    v.id AS verdict_id, v.check_id, v.workspace_id, v.verdict, v.gate, v.reason, v.evidence,
    v.scores, v.trace, v.scope, v.claim_sha256, v.source_sha256, v.model_name, v.model_sha256,
    v.calibration, v.contract_version, v.reader_version, v.app_version, v.started, v.finished,
    c.claim, c.source_kind, c.source_name, d.id, d.sha256, d.size, d.suffix, d.format, d.name,
    d.added
"""

_OF_VERDICT = """
    CROSS JOIN checks c ON c.id = v.check_id
    LEFT JOIN documents d ON d.sha256 = c.document_sha256
"""

LAST = (1 << 63) - 1


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
        values = _verdict_values(result, provenance)
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
        values = _verdict_values(result, provenance)

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
            f"SELECT {_COLUMNS} FROM verdicts v {_OF_VERDICT} WHERE v.id = ?", (verdict_id,)
        )
        if row is None:
            raise _not_found()
        return _record(row)

    def verdicts(self, check_id: int) -> list[CheckRecord]:
        """Every run of a check, the first one first. Raises `NotFound` and `StoreDamaged`."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM verdicts v {_OF_VERDICT} WHERE v.check_id = ? ORDER BY v.id",
            (check_id,),
        )
        if not rows:
            raise _not_found()
        return [_record(row) for row in rows]

    def latest(self, check_id: int) -> CheckRecord:
        """The last run of a check. Raises `NotFound` and `StoreDamaged`."""
        row = self._database.row(
            f"SELECT {_COLUMNS} FROM verdicts v {_OF_VERDICT} WHERE v.check_id = ? "
            "ORDER BY v.id DESC LIMIT 1",
            (check_id,),
        )
        if row is None:
            raise _not_found()
        return _record(row)

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
        return [_record(row) for row in self._database.rows(sql, parameters)]

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
            f"SELECT {_COLUMNS} FROM claim_search s CROSS JOIN verdicts v ON v.id = s.rowid "
            f"{_OF_VERDICT} WHERE s.claim_search MATCH ? AND s.rowid < ? AND v.workspace_id = ? "
            "ORDER BY s.rowid DESC LIMIT ?",
            (words, start, workspace_id, limit),
        )
    if verdict is not None:
        return (
            f"SELECT {_COLUMNS} FROM verdicts v INDEXED BY verdicts_by_answer {_OF_VERDICT} "
            "WHERE v.workspace_id = ? AND v.verdict = ? AND v.id < ? ORDER BY v.id DESC LIMIT ?",
            (workspace_id, verdict, start, limit),
        )
    return (
        f"SELECT {_COLUMNS} FROM verdicts v INDEXED BY verdicts_by_workspace {_OF_VERDICT} "
        "WHERE v.workspace_id = ? AND v.id < ? ORDER BY v.id DESC LIMIT ?",
        (workspace_id, start, limit),
    )


def text_sha256(text: str) -> str:
    """SHA-256 of the text in UTF-8, in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def require_text(text: str, what: str) -> None:
    """Raise `InvalidText` unless `text` has something to read and is valid Unicode."""
    if not text.strip():
        raise InvalidText(f"{what} is empty. Nothing was done.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidText(
            f"{what} holds characters that are no text. Nothing was done. Copy it again from "
            "where it comes from, or type it."
        ) from error


def _verdict_values(result: CheckResult, provenance: Provenance) -> dict[str, Any]:
    data = to_json(result)
    calibration = provenance.calibration
    return {
        "verdict": data["verdict"],
        "gate": _storable(data["gate"]),
        "reason": _storable(data["reason"]),
        "evidence": _dumps(data["evidence"]),
        "scores": _dumps(data["scores"]),
        "trace": _dumps(data["trace"]),
        "scope": _dumps(data["scope"]),
        "model_name": provenance.model_name,
        "model_sha256": provenance.model_sha256,
        "calibration": None if calibration is None else _dumps(asdict(calibration)),
        "contract_version": provenance.contract_version,
        "reader_version": provenance.reader_version,
        "app_version": provenance.app_version,
        "started": to_text(provenance.started),
        "finished": to_text(provenance.finished),
    }


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


def _storable(text: str) -> str:
    # A reason may quote the source, and half a surrogate pair with it.
    return text.encode("utf-8", "replace").decode()


def _dumps(value: Any) -> str:
    # Escaped, because a source may hold half a surrogate pair, which no database text can.
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _record(row: dict[str, Any]) -> CheckRecord:
    try:
        result = from_json(
            {
                "verdict": row["verdict"],
                "gate": row["gate"],
                "reason": row["reason"],
                **{key: json.loads(row[key]) for key in ("evidence", "scores", "trace", "scope")},
            }
        )
        calibration = row["calibration"]
        record = None if calibration is None else CalibrationRecord(**json.loads(calibration))
    except (ValueError, TypeError) as error:
        raise StoreDamaged(
            f"The verdict number {row['verdict_id']} cannot be read as it was recorded. The rest "
            "of the history is kept. Run the check again, or put a backup in place."
        ) from error
    return CheckRecord(
        check_id=row["check_id"],
        verdict_id=row["verdict_id"],
        workspace_id=row["workspace_id"],
        claim=row["claim"],
        claim_sha256=row["claim_sha256"],
        source_kind=SourceKind(row["source_kind"]),
        source_name=row["source_name"],
        source_sha256=row["source_sha256"],
        document=None if row["id"] is None else stored_document(row),
        result=result,
        provenance=Provenance(
            model_name=row["model_name"],
            model_sha256=row["model_sha256"],
            calibration=record,
            contract_version=row["contract_version"],
            reader_version=row["reader_version"],
            app_version=row["app_version"],
            started=_moment(row["started"]),
            finished=_moment(row["finished"]),
        ),
    )


def _moment(text: str) -> datetime:
    return from_text(text).astimezone(UTC)


def _not_found() -> NotFound:
    return NotFound("This entry of the history does not exist. Open the history again.")
