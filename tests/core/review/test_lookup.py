"""From a citation to the text of its work, over a real server on this machine that plays them."""

from pathlib import Path
from typing import Any

import pytest

from core.citations.model import WorkCitation
from core.citations.parse import read_citation
from core.claims.check import check
from core.claims.verdict import Verdict
from core.documents.errors import ReadingError
from core.documents.model import Document, NoticeKind, TextScope
from core.documents.read import read
from core.egress_policy import EgressPolicy
from core.review.lookup import FoundText, Lookup, NothingFound
from core.scholarly.asking import Budget, Enquiry
from core.scholarly.resolution import Mismatch, OfflineMode
from core.scholarly.resolve import Resolver
from core.scholarly.retrieve import Retriever
from tests.core.scholarly import said
from tests.core.scholarly.played import Played, registries
from tests.loopback import watched

SENTENCE = "Mixing supplied most of the oxygen that the harbour used."
OTHER_TITLE = "Seagrass carbon burial under repeated marine heatwaves"


class InProcess:
    """Reads in this process what the program reads in a child."""

    def read(self, path: Path, **_: Any) -> Document:
        return read(path)

    def draw_page(self, *_: Any, **__: Any) -> Any:
        raise ReadingError("No page is drawn in these tests.")


def article(title: str = said.TITLE, sentence: str = SENTENCE) -> str:
    return (
        '<?xml version="1.0"?><article><front><article-meta><title-group>'
        f"<article-title>{title}</article-title></title-group></article-meta></front>"
        f"<body><sec><title>Results</title><p>{sentence}</p></sec></body></article>"
    )


def find(played: Played, written: str, **options: Any) -> FoundText | NothingFound:
    at = registries(played, **options)
    citation = read_citation(written)
    assert isinstance(citation, WorkCitation)
    return Lookup(Resolver(at), Retriever(at), InProcess()).find(
        citation, written, Enquiry(Budget(0))
    )


def with_text(played: Played, text: str, **fields: Any) -> None:
    played.on("/crossref/works/", said.crossref())
    played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result(**fields)))
    played.on("/PMC7000001/fullTextXML", text)


def test_a_work_is_found_read_and_checked(played: Played) -> None:
    with_text(played, article())
    found = find(played, f"https://doi.org/{said.DOI}")
    assert isinstance(found, FoundText)
    assert said.TITLE in found.how
    assert "full text was read" in found.how
    result = check(SENTENCE, found.document)
    assert (result.verdict, result.scope.text) == (Verdict.SUPPORTED, TextScope.FULL_TEXT)


@pytest.mark.parametrize(
    "written",
    [
        f"Lindqvist A. {said.TITLE}. 2019. doi:{said.DOI}",
        f"doi:{said.DOI}",
        f"[3] doi:{said.DOI}",
        f"see {said.TITLE}, doi:{said.DOI}",
    ],
)
def test_what_agrees_with_the_registry(played: Played, written: str) -> None:
    with_text(played, article())
    assert isinstance(find(played, written), FoundText)


@pytest.mark.parametrize(
    "written",
    [
        f"Lindqvist A. {OTHER_TITLE}. 2019. doi:{said.DOI}",
        f"{OTHER_TITLE}, https://doi.org/{said.DOI}",
        f"https://doi.org/{said.DOI} — {OTHER_TITLE}",
        f"doi:{said.DOI} ({OTHER_TITLE}; 2019)",
        f"Smith (1987), doi:{said.DOI}",
        f"doi:{said.DOI} (1987)",
        f"Nature, doi:{said.DOI}",
    ],
)
def test_a_real_doi_beside_an_invented_title_is_no_match(played: Played, written: str) -> None:
    with_text(played, article())
    assert isinstance(find(played, written), NothingFound)


def test_a_page_in_the_place_of_the_text_is_not_judged(played: Played) -> None:
    with_text(played, article(title=OTHER_TITLE))
    found = find(played, f"doi:{said.DOI}")
    assert isinstance(found, NothingFound)
    assert "does not bear its title" in found.why


def test_a_retracted_work_supports_nothing(played: Played) -> None:
    with_text(played, article())
    notice = {"type": "retraction", "DOI": "10.1000/r.1", "source": "publisher"}
    played.on("/crossref/works/", said.crossref(**{"updated-by": [notice]}))
    found = find(played, f"doi:{said.DOI}")
    assert isinstance(found, FoundText)
    assert NoticeKind.RETRACTED in [notice.kind for notice in found.document.notices]
    assert "was retracted" in found.how
    assert check(SENTENCE, found.document).verdict is Verdict.NOT_VERIFIABLE


def test_an_abstract_is_told_as_such(played: Played) -> None:
    with_text(played, "", isOpenAccess="N", inEPMC="N", abstractText=SENTENCE)
    found = find(played, f"doi:{said.DOI}")
    assert isinstance(found, FoundText)
    assert found.document.scope is TextScope.ABSTRACT_ONLY
    assert "Only the abstract" in found.how


def test_offline_nothing_is_tried(played: Played) -> None:
    with watched() as connections:
        found = find(played, f"doi:{said.DOI}", policy=EgressPolicy())
    assert isinstance(found, NothingFound)
    assert isinstance(found.resolution, OfflineMode)
    assert not connections


def test_a_mismatch_says_which_field(played: Played) -> None:
    with_text(played, article())
    found = find(played, f"Smith J. {said.TITLE}. Estuaries 2019;3:1-9. doi:{said.DOI}")
    assert isinstance(found, NothingFound)
    assert isinstance(found.resolution, Mismatch)
    assert "first author" in found.why


def test_the_claim_and_what_was_written_stay_here(played: Played) -> None:
    with_text(played, article())
    find(played, f"doi:{said.DOI} {said.TITLE} zzzsecretzzz")
    assert played.targets
    assert not any("zzzsecretzzz" in target for target in played.targets)


def test_a_title_inside_other_words_is_not_borne(played: Played) -> None:
    page = article(title="Please sign in", sentence="Sleeping pills are sold here.")
    played.on("/crossref/works/", said.crossref(title=["Sleep"]))
    played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result(title="Sleep")))
    played.on("/PMC7000001/fullTextXML", page)
    assert isinstance(find(played, f"doi:{said.DOI}"), NothingFound)


def test_a_registry_that_gave_no_answer_is_named(played: Played) -> None:
    played.on("/crossref/works/", said.crossref())
    played.on("/europe_pmc/search", b"", status=500)
    played.on("/pubmed/", b"", status=500)
    played.on("/semantic_scholar/", said.semantic_scholar(abstract=SENTENCE))
    found = find(played, f"doi:{said.DOI}")
    if isinstance(found, FoundText):
        assert "No answer came from Europe PMC" in found.how
    else:
        assert "could be had" in found.why


@pytest.mark.parametrize("title", [f"Comment on: {said.TITLE}", f"Correction to: {said.TITLE}"])
def test_a_text_about_the_work_is_not_the_work(played: Played, title: str) -> None:
    with_text(played, article(title=title))
    assert isinstance(find(played, f"doi:{said.DOI}"), NothingFound)


def test_a_retraction_that_only_crossref_knows_counts_for_a_pmid_too(played: Played) -> None:
    with_text(played, article())
    notice = {"type": "retraction", "DOI": "10.1000/r.1", "source": "publisher"}
    played.on("/crossref/works/", said.crossref(**{"updated-by": [notice]}))
    played.on("/pubmed/", said.pubmed(said.pubmed_article()))
    found = find(played, "PMID: 30000001")
    assert isinstance(found, FoundText)
    assert NoticeKind.RETRACTED in [notice.kind for notice in found.document.notices]
