"""A calibration record as a file beside its model."""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from core.calibration.bounds import within
from core.calibration.record import FLOOR, TARGET, CalibrationRecord

FORMAT = 1

MAX_BYTES = 64 * 1024
"""Bytes of a record; a larger file is not read."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_COUNTS = ("pairs", "negatives", "supports", "false_supports")
_SAID = ("contradictions", "false_contradictions")
_RATES = ("bound", "supported", "target")
_OPTIONAL_RATES = ("contradicted", "contradicted_bound", "brake")
_TEXTS = ("made_on", "contract_version", "app_version")
_HASHES = ("data_sha256", "model_sha256")


class RecordUnreadable(Exception):
    """There is a file, and it is no whole calibration record: the model has earned nothing."""


def to_json(record: CalibrationRecord) -> dict[str, Any]:
    """The record as plain JSON values, with the hash that tells whether it is still whole."""
    values = asdict(record)
    return {"format": FORMAT, "record": values, "sha256": _hash(values)}


def from_json(data: Any) -> CalibrationRecord:
    """The record that `to_json` wrote. Raises `RecordUnreadable`."""
    try:
        values = data["record"]
        whole = data["format"] == FORMAT and data["sha256"] == _hash(values)
        record = _checked(values) if whole else None
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise RecordUnreadable(_UNREADABLE) from error
    if record is None:
        raise RecordUnreadable(_UNREADABLE)
    return record


def write(file: Path, record: CalibrationRecord) -> None:
    """Write the record; the file appears under its name only when it is whole."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        text = json.dumps(to_json(record), indent=1, allow_nan=False)
        partial.write_text(text + "\n", encoding="utf-8")
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def read(file: Path) -> CalibrationRecord | None:
    """The record in the file, None where there is no file. Raises `RecordUnreadable`."""
    try:
        if file.stat().st_size > MAX_BYTES:
            raise RecordUnreadable(_UNREADABLE)
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise RecordUnreadable(_UNREADABLE) from error
    return from_json(data)


_UNREADABLE = (
    "The model's calibration record is damaged, so the model may not confirm statements. Nothing "
    "else was lost. Calibrate the model again."
)


def _checked(values: Mapping[str, Any]) -> CalibrationRecord | None:
    """The record, if each value is of its type and range and the counts agree; else None."""
    if set(values) != {field.name for field in fields(CalibrationRecord)}:
        return None
    sound = (
        all(_is_count(values[name]) for name in (*_COUNTS, *_SAID))
        and all(_is_rate(values[name]) for name in _RATES)
        and all(values[name] is None or _is_rate(values[name]) for name in _OPTIONAL_RATES)
        and all(isinstance(values[name], str) for name in _TEXTS)
        and all(
            isinstance(values[name], str) and _SHA256.fullmatch(values[name]) for name in _HASHES
        )
    )
    if not sound:
        return None
    record = CalibrationRecord(**values)
    agrees = (
        record.false_supports <= record.negatives <= record.pairs
        and record.supports <= record.pairs - record.negatives
        and record.false_contradictions <= record.contradictions <= record.pairs
        and record.supported >= FLOOR
        and 0.0 < record.target <= TARGET
        and within(record.false_supports, record.negatives, record.target)
        and record.bound <= record.target + 1e-9
    )
    return record if agrees else None


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_rate(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and 0.0 <= value <= 1.0


def _hash(values: Any) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
