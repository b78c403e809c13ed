"""Which file of a folder a citation means: never one that is only near."""

from dataclasses import replace

import pytest

from core.citations.model import Author, FrameworkCitation, Identifier, Scheme, WorkCitation
from core.documents.limits import Limits
from core.documents.markdown import read_markdown
from core.documents.model import Notice, NoticeKind
from core.documents.read import read_text
from core.review.library import Library, LocalSource, Match, NoMatch, described, front_matter

DOI = Identifier(scheme=Scheme.DOI, value="10.1371/journal.pmed.0010001")
TITLE = "Insecticide-treated nets and malaria mortality in coastal Kenya"
NETS = LocalSource(
    "papers/nets.pdf", TITLE, f"{TITLE}\nJ. Wanjiku, P. Otieno\n2009", frozenset({DOI})
)
CARE = LocalSource("care.pdf", "Antenatal care in rural Kenya and its costs", "")
REPORT = LocalSource("2023.pdf", "Annual report", "Annual report 2023")
GDPR = LocalSource("law/GDPR.html", "Regulation on the protection of natural persons", "")
LIBRARY = Library([NETS, CARE, REPORT, GDPR])


def cited(**said: object) -> WorkCitation:
    return WorkCitation.model_validate(said)


@pytest.mark.parametrize(
    "citation",
    [
        cited(title=TITLE),
        cited(title=TITLE.upper()),
        cited(title=TITLE, authors=[Author(family="Wanjiku", given="J")]),
        cited(title=TITLE, identifiers=[DOI]),
        cited(identifiers=[DOI]),
        cited(key="nets"),
        cited(title=TITLE, key="otherwise"),
    ],
)
def test_what_is_found(citation: WorkCitation) -> None:
    found = LIBRARY.find(citation)
    assert isinstance(found, Match)
    assert found.source is NETS
    assert found.how


@pytest.mark.parametrize(
    "citation",
    [
        cited(title="Insecticide-treated nets and malaria mortality in coastal Tanzania"),
        cited(title="Insecticide-treated nets and malaria morbidity in coastal Kenya"),
        cited(title="Malaria mortality"),
        # A real identifier under an invented title.
        cited(title="Vitamin D and falls among older people", identifiers=[DOI]),
        # The same title by another author, where the file names its own.
        cited(title=TITLE, authors=[Author(family="Smith"), Author(family="Otieno")]),
        cited(title="Annual report"),
        cited(authors=[Author(family="Wanjiku")], year=2009),
        cited(key="1"),
        cited(key="nets", title="Vitamin D and falls among older people"),
        # The same title with another work's identifier.
        cited(title=TITLE, identifiers=[Identifier(scheme=Scheme.DOI, value="10.1016/j.other")]),
        cited(),
    ],
)
def test_what_is_not_found(citation: WorkCitation) -> None:
    found = LIBRARY.find(citation)
    assert isinstance(found, NoMatch)
    assert found.candidates == ()


def test_two_files_of_one_title_are_offered() -> None:
    again = LocalSource("again.pdf", TITLE, "")
    found = Library([NETS, again]).find(cited(title=TITLE))
    assert isinstance(found, NoMatch)
    assert found.candidates == (NETS, again)
    assert "again.pdf" in found.why


@pytest.mark.parametrize(
    ("instrument", "expected"),
    [("GDPR", GDPR), ("UK GDPR", None), ("DORA", None), ("Regulation", None)],
)
def test_an_instrument_is_found_by_its_whole_name(
    instrument: str, expected: LocalSource | None
) -> None:
    citation = FrameworkCitation(instrument=instrument, locator="Article 5", start=0, end=1)
    found = LIBRARY.find(citation)
    assert (found.source if isinstance(found, Match) else None) is expected


ARXIV = Identifier(scheme=Scheme.ARXIV, value="2101.00001", version=2)
OTHER = Identifier(scheme=Scheme.DOI, value="10.1000/182")


def read_as(text: str, *identifiers: Identifier, notices: tuple[Notice, ...] = ()) -> LocalSource:
    return described("file.pdf", replace(read_text(text), notices=notices), identifiers)


def test_any_version_of_a_preprint_is_the_work() -> None:
    found = Library([read_as("A text.", ARXIV)]).find(
        cited(identifiers=[Identifier(scheme=Scheme.ARXIV, value="2101.00001")])
    )
    assert isinstance(found, Match)


@pytest.mark.parametrize(
    ("source", "identifier"),
    [
        # It names two works at its beginning: one of them is another's.
        (read_as("A text.", DOI, OTHER), DOI),
        (
            read_as("A text.", DOI, notices=(Notice(NoticeKind.COMMENTARY, "A comment."),)),
            DOI,
        ),
        (
            read_as("A text.", ISSN := Identifier(scheme=Scheme.ISSN, value="0140-6736")),
            ISSN,
        ),
        (
            read_as("A text.", URL := Identifier(scheme=Scheme.URL, value="https://example.org/")),
            URL,
        ),
    ],
)
def test_an_identifier_that_may_be_anothers_is_none(
    source: LocalSource, identifier: Identifier
) -> None:
    assert isinstance(Library([source]).find(cited(identifiers=[identifier])), NoMatch)


def test_the_whole_beginning_is_looked_through_for_authors() -> None:
    far = LocalSource("far.pdf", TITLE, f"{TITLE}\n{'word ' * 400}\nWanjiku, Otieno")
    found = Library([far]).find(
        cited(title=TITLE, authors=[Author(family="Smith"), Author(family="Otieno")])
    )
    assert isinstance(found, NoMatch)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (f"doi:{DOI.value}", True),
        (f"{TITLE}, doi:{DOI.value}", True),
        (f"Vitamin D and falls among older people, doi:{DOI.value}", False),
        (f"doi:{DOI.value} — Vitamin D and falls among older people", False),
    ],
)
def test_words_beside_an_identifier_have_to_be_the_title(written: str, found: bool) -> None:
    answer = LIBRARY.find(cited(identifiers=[DOI]), written)
    assert isinstance(answer, Match) is found


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (f"{TITLE}\n\ndoi: {DOI.value}\n\nNets halved deaths.", True),
        (f"I read doi:{DOI.value} with anger, and I did not like a word of it.", False),
        (f"A note\n\n## References\n\n1. doi:{DOI.value}", False),
    ],
)
def test_only_front_matter_names_the_work_itself(text: str, named: bool) -> None:
    document = read_markdown(text.encode(), Limits())
    assert (DOI.value in front_matter(document)) is named
