"""Labelled pairs as JSON lines: what calibration measures on."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.calibration.observe import LabelledPair
from core.claims.verdict import Verdict
from core.documents.model import Document
from core.documents.plain import read_text

LABELS = {
    "entailment": Verdict.SUPPORTED,
    "contradiction": Verdict.CONTRADICTED,
    "neutral": Verdict.NOT_VERIFIABLE,
    "not_entailment": Verdict.NOT_VERIFIABLE,
}
"""What a label of a sentence pair means as a verdict.

"not_entailment" may stand for a contradiction too; it is counted as none, which is the stricter.
"""


class PairsUnreadable(ValueError):
    """A row is not a labelled pair; the message names its line."""


def read_pairs(
    lines: Iterable[str], document: Callable[[str], Document] | None = None
) -> list[LabelledPair]:
    """The pairs in JSON lines, in order.

    A row is {"claim", "verdict", and "source_text" or "source"}, optionally with "also_ok", a list
    of other verdicts that are right too; or {"premise", "hypothesis", "label"} with a label of
    `LABELS`. `document` reads a file named as "source". Raises `PairsUnreadable`: a row that is
    left out could be the one that counts.
    """
    pairs = []
    documents: dict[str, Document] = {}

    def text(value: str) -> Document:
        # Rows on one source follow each other; only its last text is kept to be shared.
        if value not in documents:
            documents.clear()
            documents[value] = read_text(value)
        return documents[value]

    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            pairs.append(_pair(row, text, document))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise PairsUnreadable(
                f"Line {number} is not a labelled pair. A line holds “claim”, “source_text” and "
                f"“verdict”, or “premise”, “hypothesis” and “label”. Nothing was changed."
            ) from error
    return pairs


def _pair(
    row: Mapping[str, Any],
    text: Callable[[str], Document],
    document: Callable[[str], Document] | None,
) -> LabelledPair:
    if "premise" in row:
        verdicts = frozenset({LABELS[row["label"]]})
        return LabelledPair(_words(row["hypothesis"]), text(_words(row["premise"])), verdicts)
    verdicts = frozenset(Verdict(value) for value in (row["verdict"], *row.get("also_ok", ())))
    claim = _words(row["claim"])
    if "source_text" in row:
        return LabelledPair(claim, text(_words(row["source_text"])), verdicts)
    if document is None:
        raise ValueError("no file can be read")
    return LabelledPair(claim, document(_words(row["source"])), verdicts)


def _words(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("an empty text")
    return value
