"""A record of the history as columns of the database, and back."""

import json
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from core.calibration.record import CalibrationRecord
from core.claims.serial import from_json, to_json
from core.claims.verdict import CheckResult
from core.storage.documents import stored_document
from core.storage.errors import InvalidText, StoreDamaged
from core.storage.rows import CheckRecord, Provenance, SourceKind
from core.storage.times import from_text, to_text

COLUMNS = """
    v.id AS verdict_id, v.check_id, v.workspace_id, v.verdict, v.gate, v.reason, v.evidence,
    v.scores, v.trace, v.scope, v.claim_sha256, v.source_sha256, v.model_name, v.model_sha256,
    v.calibration, v.contract_version, v.reader_version, v.app_version, v.started, v.finished,
    c.claim, c.source_kind, c.source_name, d.id, d.sha256, d.size, d.suffix, d.format, d.name,
    d.added
"""

OF_VERDICT = """
    CROSS JOIN checks c ON c.id = v.check_id
    LEFT JOIN documents d ON d.sha256 = c.document_sha256
"""


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


def verdict_values(result: CheckResult, provenance: Provenance) -> dict[str, Any]:
    """The columns of a verdict that say what came out and what produced it.

    Raises ValueError for a result that cannot be written as JSON.
    """
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


def check_record(row: dict[str, Any]) -> CheckRecord:
    """The record in a row of `COLUMNS`. Raises `StoreDamaged` where it cannot be read whole."""
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
            started=from_text(row["started"]),
            finished=from_text(row["finished"]),
        ),
    )


def _storable(text: str) -> str:
    # A reason may quote the source, and half a surrogate pair with it.
    return text.encode("utf-8", "replace").decode()


def _dumps(value: Any) -> str:
    # Escaped, because a source may hold half a surrogate pair, which no database text can.
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
