"""What a review of a document finds: one row for each citation of each sentence.

Offsets are into the reviewed document's text, end exclusive; pages count from 1.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.claims.verdict import CheckResult, Verdict


class Outcome(StrEnum):
    """What became of a citation. Only `CHECKED` has a verdict; the others say why there is none."""

    CHECKED = "checked"
    NO_ENTRY = "no_entry"
    """The list of references has no entry that the mark stands for."""
    AMBIGUOUS = "ambiguous"
    """Several entries, or several sources, may be meant."""
    NO_CLAIM = "no_claim"
    """Nothing but the citation stands in the sentence."""
    MISMATCH = "mismatch"
    """What is there under the identifier, the title or the number is not what is cited."""
    UNKNOWN = "unknown"
    """Nobody who was asked knows such a work."""
    NO_SOURCE = "no_source"
    """The entry is there, and no source is at hand for it."""
    UNANSWERED = "unanswered"
    """A registry gave no answer; later it may."""
    UNREADABLE = "unreadable"
    """The source is there and cannot be read."""

    @property
    def words(self) -> str:
        """The outcome as a person reads it."""
        return {
            Outcome.CHECKED: "Checked",
            Outcome.NO_ENTRY: "No entry in the list of references",
            Outcome.AMBIGUOUS: "More than one may be meant",
            Outcome.NO_CLAIM: "Nothing to check",
            Outcome.MISMATCH: "Not what is cited",
            Outcome.UNKNOWN: "No such work is known",
            Outcome.NO_SOURCE: "No source at hand",
            Outcome.UNANSWERED: "No answer",
            Outcome.UNREADABLE: "Source cannot be read",
        }[self]


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence of the document and one thing that it cites."""

    number: int
    """Counts the citations of the document from 1."""
    sentence: str
    claim: str
    """The sentence without its marks: what is checked."""
    start: int
    end: int
    page: int | None
    mark: str
    """The citation as the sentence has it: "[3]", "(Smith, 2020)", "GDPR Article 5(1)"."""
    entry: str = ""
    """The entry of the list of references, as written there."""


@dataclass(frozen=True, slots=True)
class Row:
    """One citation and what came of it.

    `source` names what was checked against, `matched` says how it was found to be the work that is
    cited; both are empty without a source. `why` is a sentence for the person.
    """

    cited: Cited
    outcome: Outcome
    why: str
    source: str = ""
    matched: str = ""
    result: CheckResult | None = None

    def __post_init__(self) -> None:
        """Hold that exactly what was checked has a result."""
        if (self.result is not None) != (self.outcome is Outcome.CHECKED):
            raise ValueError("exactly a checked citation has a result")

    @property
    def verdict(self) -> Verdict:
        """The verdict; what was not checked is not verifiable."""
        return Verdict.NOT_VERIFIABLE if self.result is None else self.result.verdict


@dataclass(frozen=True, slots=True)
class Review:
    """The rows of a document, with what produced them."""

    document: str
    """The document's name, for the person."""
    sha256: str
    rows: tuple[Row, ...]
    finished: datetime
    app_version: str
    model: str = ""
    """The entailment model that answered; empty where there was none."""
    without_citation: int = 0
    """How many sentences of the text cite nothing and were not checked."""

    def counts(self) -> dict[Verdict, int]:
        """How many of the checked citations have each verdict."""
        return counted(self.rows)


def counted(rows: Iterable[Row]) -> dict[Verdict, int]:
    """How many of the checked rows have each verdict, in the order of the verdicts."""
    found = Counter(row.verdict for row in rows if row.outcome is Outcome.CHECKED)
    return {verdict: found[verdict] for verdict in Verdict}
