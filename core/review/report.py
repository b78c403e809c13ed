"""What a reviewer is handed: the content of a report, for every format alike.

A report says first what it rests on and what it does not cover, then gives every checked citation
with the sentence that decides, then what could not be checked and why.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from core.claims.verdict import Evidence, Verdict
from core.documents.model import TextScope
from core.review.model import Outcome, Review, Row

TITLE = "Review of citations"

LIMITS = (
    "A verdict says whether the named source says what the sentence says, not whether it is true. "
    "“Not verifiable” means that the program could not confirm it, not that it is wrong. Read "
    "the source wherever the sentence matters."
)

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Unicode categories: controls, format marks, surrogates, private and unassigned characters."""


@dataclass(frozen=True, slots=True)
class Line:
    """A checked or unchecked citation as the report shows it. All of it is text for a person."""

    number: int
    verdict: Verdict | None
    """None for what was not checked."""
    heading: str
    """The verdict, or what became of the citation, in words."""
    why: str
    sentence: str
    place: str
    """Where the sentence stands: "page 3", or empty."""
    citation: str
    source: str
    evidence: tuple[str, ...]
    """The sentences shown, each with its page where there is one."""
    notes: tuple[str, ...]
    """What qualifies the verdict: abstract only, retracted, corrected."""


def summary(review: Review) -> list[tuple[str, str]]:
    """What the report rests on, as (name, value)."""
    unchecked = [row for row in review.rows if row.outcome is not Outcome.CHECKED]
    facts = [
        ("Document", review.document),
        ("SHA-256", review.sha256),
        ("Made", f"{review.finished:%Y-%m-%d %H:%M} UTC, Countersign {review.app_version}"),
        ("Entailment model", review.model or "none: only word-for-word support is found"),
        *((verdict.words, str(count)) for verdict, count in review.counts().items()),
        ("Not checked", str(len(unchecked))),
        ("Sentences without a citation", f"{review.without_citation}, not looked at"),
    ]
    return [(name, shown(value)) for name, value in facts]


def checked(review: Review) -> Iterator[Line]:
    """The checked citations, what needs a person first: contradicted, not verifiable, supported."""
    order = (Verdict.CONTRADICTED, Verdict.NOT_VERIFIABLE, Verdict.SUPPORTED)
    for verdict in order:
        for row in review.rows:
            if row.outcome is Outcome.CHECKED and row.verdict is verdict:
                yield _line(row)


def unchecked(review: Review) -> Iterator[Line]:
    """The citations without a verdict, in the document's order."""
    return (_line(row) for row in review.rows if row.outcome is not Outcome.CHECKED)


def shown(text: str) -> str:
    """`text` in one line, without characters that hide or reorder others or are none at all."""
    return " ".join("".join(" " if c.isspace() else c for c in text if _is_seen(c)).split())


def _is_seen(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) not in _UNSEEN


def _line(row: Row) -> Line:
    result, cited = row.result, row.cited
    return Line(
        number=cited.number,
        verdict=None if result is None else result.verdict,
        heading=row.outcome.words if result is None else result.verdict.words,
        why=shown(row.why),
        sentence=shown(cited.sentence),
        place=_place(cited.page),
        citation=shown(cited.entry or cited.mark),
        source=shown(f"{row.source} ({row.matched})" if row.matched else row.source),
        evidence=() if result is None else tuple(map(_evidence, result.evidence)),
        notes=tuple(_notes(row)),
    )


def _notes(row: Row) -> Iterator[str]:
    if row.result is None:
        return
    if row.result.scope.text is TextScope.ABSTRACT_ONLY:
        yield "Abstract only: the full text was not at hand."
    for notice in row.result.scope.notices:
        yield f"{notice.kind.value.replace('_', ' ').capitalize()}: {shown(notice.text)}"


def _evidence(evidence: Evidence) -> str:
    place = _place(evidence.page)
    return shown(evidence.text) + (f" ({place})" if place else "")


def _place(page: int | None) -> str:
    return "" if page is None else f"page {page}"
