"""A review's row as JSON: what the command line prints and the journal keeps."""

from collections.abc import Mapping
from typing import Any

from core.claims import serial
from core.review.model import Cited, Outcome, Row


def to_json(row: Row) -> dict[str, Any]:
    """The row as plain JSON values; "result" is that of a check, or null."""
    cited = row.cited
    return {
        "number": cited.number,
        "sentence": cited.sentence,
        "claim": cited.claim,
        "start": cited.start,
        "end": cited.end,
        "page": cited.page,
        "mark": cited.mark,
        "entry": cited.entry,
        "outcome": row.outcome.value,
        "verdict": row.verdict.value,
        "why": row.why,
        "source": row.source,
        "matched": row.matched,
        "result": None if row.result is None else serial.to_json(row.result),
    }


def from_json(data: Mapping[str, Any]) -> Row:
    """The row that `to_json` wrote.

    Raises ValueError where a part is missing or of another kind: such a row is checked again.
    """
    try:
        cited = Cited(
            number=int(data["number"]),
            sentence=str(data["sentence"]),
            claim=str(data["claim"]),
            start=int(data["start"]),
            end=int(data["end"]),
            page=None if data["page"] is None else int(data["page"]),
            mark=str(data["mark"]),
            entry=str(data["entry"]),
        )
        result = None if data["result"] is None else serial.from_json(data["result"])
        return Row(
            cited,
            Outcome(data["outcome"]),
            str(data["why"]),
            str(data["source"]),
            str(data["matched"]),
            result,
        )
    except (KeyError, TypeError) as error:
        raise ValueError("this is not a whole row of a review") from error
