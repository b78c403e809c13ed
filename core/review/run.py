"""Review a document: check every citation of it, one by one, so that a killed run can go on.

    rows = review(reading, finder, check, journal)

Rows that the journal has are not asked for again. What a finder or a check raises for one citation
is that citation's row; only cancelling, and what breaks the program, ends the run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from core.cancellation import Cancellation
from core.citations.model import Citation, WorkCitation
from core.claims.source import Source
from core.claims.verdict import CheckResult, Verdict
from core.documents.errors import ReadingError
from core.ports import Progress
from core.review.citing import Citing, Reading
from core.review.model import Outcome, Row


@dataclass(frozen=True, slots=True)
class Found:
    """The source that a citation means."""

    source: Source
    name: str
    how: str
    whole: Source | None = None
    """All of the file, where `source` is the cited part of it."""


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no source for a citation; `why` is for the person."""

    outcome: Outcome
    why: str


class Finder(Protocol):
    """Finds the source of a citation; `written` is how the document writes it."""

    def __call__(
        self, citation: Citation, written: str, cancellation: Cancellation | None = None
    ) -> Found | Missing:
        """The source, or why there is none.

        Raises `core.documents.errors.ReadingError` for a source that cannot be read.
        """
        ...


class Journal(Protocol):
    """Keeps the rows of one review between runs."""

    def rows(self) -> dict[int, Row]:
        """The rows that were kept, by their citation's number."""
        ...

    def keep(self, row: Row) -> None:
        """Keep a row that is done."""
        ...


Check = Callable[[str, Source], CheckResult]


def review(
    reading: Reading,
    find: Finder,
    check: Check,
    journal: Journal | None = None,
    *,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> Iterator[Row]:
    """The rows of a review in the document's order, each as soon as it is done.

    Raises `core.cancellation.Cancelled`; the rows until then are in the journal.
    """
    kept = journal.rows() if journal is not None else {}
    total = len(reading.citations)
    for done, citing in enumerate(reading.citations):
        if cancellation is not None:
            cancellation.check()
        if progress is not None:
            progress(done, total, "Checking the citations")
        row = kept.get(citing.cited.number)
        if row is None or row.cited != citing.cited:
            row = _row(citing, find, check, cancellation)
            # What was not at hand, or not answered, may be there the next time.
            if journal is not None and row.outcome is Outcome.CHECKED:
                journal.keep(row)
        yield row
    if progress is not None:
        progress(total, total, "Checking the citations")


def checked(claim: str, found: Found, check: Check) -> CheckResult:
    """The check of a claim against what was found.

    Of a part of a law the part has to decide, and the whole must not say otherwise: what repeals
    it, defines its words or conflicts with it stands outside the part.
    """
    result = check(claim, found.source)
    if found.whole is None or result.verdict is Verdict.NOT_VERIFIABLE:
        return result
    whole = check(claim, found.whole)
    if whole.verdict is result.verdict:
        return result
    reason = f"The cited part decides it, and the whole text does not: {whole.reason}"
    return replace(whole, verdict=Verdict.NOT_VERIFIABLE, reason=reason)


def _row(citing: Citing, find: Finder, check: Check, cancellation: Cancellation | None) -> Row:
    cited = citing.cited
    if citing.citation is None:
        return Row(cited, citing.unpaired or Outcome.AMBIGUOUS, citing.why)
    if not any(map(str.isalnum, cited.claim)):
        return Row(cited, Outcome.NO_CLAIM, "Nothing but the citation stands in this sentence.")
    try:
        # The list of references has the whole of a work; a clause is altered where it is named.
        work = isinstance(citing.citation, WorkCitation)
        found = find(citing.citation, cited.entry if work else cited.mark, cancellation)
    except ReadingError as error:
        return Row(cited, Outcome.UNREADABLE, str(error))
    if isinstance(found, Missing):
        return Row(cited, found.outcome, found.why)
    result = checked(cited.claim, found, check)
    return Row(cited, Outcome.CHECKED, result.reason, found.name, found.how, result)
