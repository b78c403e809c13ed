"""Every sentence with its citations: numbered, author-year, notes, frameworks."""

import pytest

from core.citations.model import FrameworkCitation, WorkCitation
from core.documents.limits import Limits
from core.documents.markdown import read_markdown
from core.documents.model import Document
from core.documents.read import read_text
from core.review.citing import citing
from core.review.model import Outcome

NUMBERED = """# Nets

Nets halved malaria deaths in coastal Kenya [1]. Costs fell by a third [2,3]. The weather was wet. \
Attendance rose.[1] Rain kept people away [9].

## References

[1] Wanjiku J, Otieno P. Insecticide-treated nets and malaria mortality. Lancet 2009;373:12-19.

[2] Brown A. The cost of bed nets in three districts. Health Policy 2011;5:1-9.

[3] Green B. Prices of nets after the tax. Trop Med 2012;7:20-30.
"""

NAMED = """# Nets

Wanjiku and Otieno (2009) found that nets halved deaths. Costs fell by a third (Brown, 2011; Green \
2012). According to Brown (2011), prices differ. Some doubt it (Nobody, 1999).

## References

Brown, A. (2011). The cost of bed nets in three districts. Health Policy, 5, 1-9.

Green, B. (2012). Prices of nets after the tax. Tropical Medicine, 7, 20-30.

Wanjiku, J., & Otieno, P. (2009). Insecticide-treated nets and mortality. Lancet, 373, 12-19.
"""


def document(text: str) -> Document:
    return read_markdown(text.encode(), Limits())


def titles(text: str) -> list[tuple[str, str]]:
    """(mark, title) of each citation that was paired."""
    return [
        (found.cited.mark, found.citation.title)
        for found in citing(document(text)).citations
        if isinstance(found.citation, WorkCitation)
    ]


def test_numbered_marks_are_paired_with_their_entries() -> None:
    found = titles(NUMBERED)
    assert [(mark, title.split()[0]) for mark, title in found] == [
        ("[1]", "Insecticide-treated"),
        ("[2,3]", "The"),
        ("[2,3]", "Prices"),
        ("[1]", "Insecticide-treated"),
    ]


def test_names_with_years_are_paired() -> None:
    assert [title.split()[0] for _, title in titles(NAMED)] == [
        "Insecticide-treated",
        "The",
        "Prices",
        "The",
    ]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            NUMBERED,
            [
                "Nets halved malaria deaths in coastal Kenya.",
                "Costs fell by a third.",
                "Costs fell by a third.",
                "Attendance rose.",
                "Rain kept people away.",
            ],
        ),
        (
            NAMED,
            [
                "Nets halved deaths.",
                "Costs fell by a third.",
                "Costs fell by a third.",
                "According to Brown (2011), prices differ.",
                "Some doubt it.",
            ],
        ),
    ],
)
def test_what_is_checked_is_the_sentence_without_its_marks(text: str, claims: list[str]) -> None:
    assert [found.cited.claim for found in citing(document(text)).citations] == claims


@pytest.mark.parametrize(("text", "mark"), [(NUMBERED, "[9]"), (NAMED, "(Nobody, 1999)")])
def test_a_mark_without_an_entry_is_said_to_have_none(text: str, mark: str) -> None:
    lost = [found for found in citing(document(text)).citations if found.citation is None]
    assert [(found.cited.mark, found.unpaired) for found in lost] == [(mark, Outcome.NO_ENTRY)]
    assert lost[0].why


def test_two_works_of_one_name_and_year_are_ambiguous() -> None:
    twice = (
        NAMED + "\nBrown, A. (2011). Another book on the cost of nets. Health Economics, 9, 1-4.\n"
    )
    found = citing(document(twice)).citations
    assert [f.unpaired for f in found if f.cited.mark.startswith("(Brown")][:1] == [
        Outcome.AMBIGUOUS
    ]


def test_sentences_without_citations_are_counted() -> None:
    assert citing(document(NUMBERED)).without == 1


def test_frameworks_are_citations_too() -> None:
    text = read_text(
        "Data are erased on request under Article 17(1) GDPR. Logs are kept for a year."
    )
    reading = citing(text)
    (found,) = reading.citations
    assert isinstance(found.citation, FrameworkCitation)
    assert found.citation.canonical == "GDPR Article 17(1)"
    assert (found.cited.mark, found.cited.entry) == ("Article 17(1)", "GDPR Article 17(1)")
    assert reading.without == 1


def test_offsets_are_those_of_the_document() -> None:
    read = document(NUMBERED)
    for found in citing(read).citations:
        assert read.text[found.cited.start : found.cited.end] == found.cited.sentence


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "A breach is told within 72 hours (GDPR Article 33).",
            "A breach is told within 72 hours.",
        ),
        (
            "Under Article 33 GDPR a breach is told within 72 hours.",
            "Under Article 33 GDPR a breach is told within 72 hours.",
        ),
    ],
)
def test_a_clause_in_brackets_is_a_mark(text: str, claim: str) -> None:
    (found,) = citing(read_text(text)).citations
    assert found.cited.claim == claim


MORE = """# Nets

{sentence}

## References

Wanjiku, J., & Otieno, P. (2009). Insecticide-treated nets and mortality. Lancet, 373, 12-19.
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "Nets halved deaths (not in adults; Wanjiku & Otieno, 2009).",
        "Nets halved deaths (but see Wanjiku & Otieno, 2009).",
        "Nets halved deaths (Wanjiku & Otieno, 2009; it was later refuted).",
        "Nets halved deaths (contra Wanjiku & Otieno, 2009).",
        "Nets halved deaths (as cited in Wanjiku & Otieno, 2009).",
        "Nets halved deaths (if treated; Wanjiku & Otieno, 2009).",
    ],
)
def test_a_bracket_that_says_more_is_not_cut_away(sentence: str) -> None:
    for found in citing(document(MORE.format(sentence=sentence))).citations:
        assert found.citation is None or "(" in found.cited.claim, found.cited.claim


@pytest.mark.parametrize(
    "sentence",
    [
        "Nets halved deaths (Wanjiku & Otieno, 2009).",
        "Nets halved deaths (see Wanjiku & Otieno, 2009).",
        "Nets halved deaths (Wanjiku and Otieno, 2009, p. 14).",
        "Nets halved deaths (e.g., Wanjiku & Otieno, 2009).",
    ],
)
def test_a_plain_bracket_is_cut_away(sentence: str) -> None:
    (found,) = citing(document(MORE.format(sentence=sentence))).citations
    assert found.citation is not None
    assert found.cited.claim == "Nets halved deaths."


def test_a_note_is_no_entry_of_the_list() -> None:
    text = """# Nets

Rain was heavy.[^1] Nets halved deaths [1].

[^1]: We measured it ourselves.

## References

[1] Wanjiku J, Otieno P. Insecticide-treated nets and mortality. Lancet 2009;373:12-19.
"""
    found = citing(document(text)).citations
    assert [f.unpaired for f in found] == [Outcome.AMBIGUOUS, None]
