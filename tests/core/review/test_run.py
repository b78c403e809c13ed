"""A review from its citations to its rows: every outcome, stopping, and going on."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.cancellation import Cancellation, Cancelled
from core.citations.model import Citation, WorkCitation
from core.claims.check import check
from core.claims.source import Source
from core.claims.verdict import CheckResult, Verdict
from core.documents.errors import DamagedFile
from core.documents.limits import Limits
from core.documents.markdown import read_markdown
from core.documents.read import read_text
from core.review.citing import Reading, citing
from core.review.model import Outcome, Review, Row
from core.review.report_html import html
from core.review.run import Found, Missing, review
from core.review.serial import from_json, to_json
from core.storage.reviews import review_key
from core.storage.store import Store

DRAFT = """# Draft

Nets halved deaths from malaria in coastal Kenya [1]. Prices of nets rose by a third [1]. Nets are \
never used at night [2]. Old nets tear [3]. Dogs bark [4]. Cats sleep [9].

## References

[1] Wanjiku J. Insecticide-treated nets and malaria mortality. Lancet 2009;373:12-19.

[2] Brown A. The use of bed nets in three districts. Health Policy 2011;5:1-9.

[3] Green B. Tears in bed nets after five years of use. Trop Med 2012;7:20-30.

[4] Black C. A survey of dogs in four small towns. Vet Rec 2014;9:1-2.
"""
SOURCES = {
    "Insecticide": "Nets halved deaths from malaria in coastal Kenya.",
    "The use": "Nets are used at night by most families.",
}


class Finding:
    """Finds what a test says, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(
        self, citation: Citation, written: str, cancellation: Cancellation | None = None
    ) -> Found | Missing:
        assert isinstance(citation, WorkCitation)
        self.asked.append(citation.title)
        if citation.title.startswith("Tears"):
            raise DamagedFile("The file is damaged.")
        for title, text in SOURCES.items():
            if citation.title.startswith(title):
                return Found(Source(read_text(text)), f"{title}.txt", "the same title")
        return Missing(Outcome.NO_SOURCE, "No file of the folder is this work.")


def reading() -> Reading:
    return citing(read_markdown(DRAFT.encode(), Limits()))


def checking(claim: str, source: Source) -> CheckResult:
    return check(claim, source)


def test_every_citation_has_its_row() -> None:
    rows = list(review(reading(), Finding(), checking))
    assert [(row.outcome, row.verdict) for row in rows] == [
        (Outcome.CHECKED, Verdict.SUPPORTED),
        (Outcome.CHECKED, Verdict.NOT_VERIFIABLE),
        (Outcome.CHECKED, Verdict.NOT_VERIFIABLE),
        (Outcome.UNREADABLE, Verdict.NOT_VERIFIABLE),
        (Outcome.NO_SOURCE, Verdict.NOT_VERIFIABLE),
        (Outcome.NO_ENTRY, Verdict.NOT_VERIFIABLE),
    ]
    assert all(row.why for row in rows)
    assert rows[0].source == "Insecticide.txt"


def test_a_stopped_review_goes_on_where_it_was(tmp_path: Path) -> None:
    key = review_key(["draft", "sources", "model"])
    stop = Cancellation()
    first = Finding()
    with Store.open(tmp_path) as store:
        rows = review(reading(), first, checking, store.journal(key, "draft.md"), cancellation=stop)
        done = [next(rows), next(rows)]
        stop.cancel()
        with pytest.raises(Cancelled):
            next(rows)
    second = Finding()
    with Store.open(tmp_path) as store:
        again = list(review(reading(), second, checking, store.journal(key, "draft.md")))
        other = Finding()
        list(review(reading(), other, checking, store.journal(review_key(["another"]), "draft.md")))
    assert again[:2] == done
    assert (len(first.asked), len(second.asked), len(other.asked)) == (2, 3, 5)


def test_what_was_not_answered_is_asked_again(tmp_path: Path) -> None:
    def silent(*_: object) -> Missing:
        return Missing(Outcome.UNANSWERED, "The registry did not answer.")

    with Store.open(tmp_path) as store:
        journal = store.journal(review_key(["one"]), "draft.md")
        rows = list(review(reading(), silent, checking, journal))
        assert {row.outcome for row in rows} == {Outcome.UNANSWERED, Outcome.NO_ENTRY}
        again = list(review(reading(), Finding(), checking, journal))
    assert again[0].verdict is Verdict.SUPPORTED


def test_a_sentence_that_is_all_citation_is_not_checked() -> None:
    text = DRAFT.replace("Dogs bark [4].", "[4].")
    rows = list(review(citing(read_markdown(text.encode(), Limits())), Finding(), checking))
    assert Outcome.NO_CLAIM in [row.outcome for row in rows] or all(
        any(map(str.isalnum, row.cited.claim)) for row in rows
    )


def test_reviews_of_an_earlier_text_are_forgotten(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        list(review(reading(), Finding(), checking, store.journal(review_key(["one"]), "draft.md")))
        store.journal(review_key(["two"]), "draft.md")
        assert store.journal(review_key(["one"]), "draft.md").rows() == {}


def test_a_row_of_another_sentence_is_not_taken_over(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        journal = store.journal(review_key(["one"]), "draft.md")
        list(review(reading(), Finding(), checking, journal))
        changed = citing(read_markdown(DRAFT.replace("halved", "doubled").encode(), Limits()))
        rows = list(review(changed, Finding(), checking, journal))
    assert rows[0].verdict is Verdict.NOT_VERIFIABLE


def test_a_row_is_the_same_after_json() -> None:
    for row in review(reading(), Finding(), checking):
        assert from_json(to_json(row)) == row
    with pytest.raises(ValueError, match="whole row"):
        from_json({"number": 1})


def test_progress_counts_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    list(review(reading(), Finding(), checking, progress=lambda a, b, _: seen.append((a, b))))
    assert seen[0] == (0, 6)
    assert seen[-1] == (6, 6)


def test_the_rows_make_a_report() -> None:
    rows: tuple[Row, ...] = tuple(review(reading(), Finding(), checking))
    made = Review("draft.md", "0" * 64, rows, datetime(2026, 12, 1, tzinfo=UTC), "0.1.0")
    page = html(made)
    for expected in ("Nets halved deaths", "Insecticide.txt", "No entry in the list", "damaged"):
        assert expected in page
