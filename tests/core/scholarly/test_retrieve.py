"""What a work says: full text before abstract, told which and of which version."""

from typing import Any

import pytest

from core.cancellation import Cancellation, Cancelled
from core.citations.model import Author, Identifier, Scheme
from core.documents.model import Document, Format, Notice, NoticeKind, TextScope
from core.egress_policy import EgressPolicy
from core.scholarly.asking import Budget, Enquiry
from core.scholarly.retrieve import (
    AbstractOnly,
    FullText,
    NoText,
    Retrieved,
    Retriever,
    _question,
    scoped,
)
from core.scholarly.work import (
    PlaceKind,
    Registry,
    Standing,
    TextPlace,
    Version,
    VersionKind,
    Work,
    joined,
)
from tests.core.scholarly import said
from tests.core.scholarly.played import FakeTime, MemoryCache, Played, registries
from tests.loopback import watched

DOI = Identifier(scheme=Scheme.DOI, value=said.DOI)
ARXIV = Identifier(scheme=Scheme.ARXIV, value="1903.04567")
PUBLISHED = Version(VersionKind.PUBLISHED, (DOI,), (2019,), "Journal of Estuarine Studies")
PREPRINT = Version(VersionKind.PREPRINT, (ARXIV,), (2018,), "arXiv")


def work(*versions: Version) -> Work:
    authors = (Author(family="Lindqvist", given="Ana"),)
    return Work(said.TITLE, authors, versions or (PUBLISHED,), (Registry.CROSSREF,))


def retrieve(
    played: Played, known: Work | None = None, version: Version | None = None, **options: Any
) -> Retrieved:
    at = registries(played, **options)
    return Retriever(at).retrieve(known or work(), version, Enquiry(Budget(0)))


def on_europe_pmc(played: Played, **fields: Any) -> None:
    played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result(**fields)))


CLOSED = {"isOpenAccess": "N", "inEPMC": "N"}


def test_the_full_text_comes_as_bytes_with_its_version(played: Played) -> None:
    on_europe_pmc(played)
    played.on("/PMC7000001/fullTextXML", said.JATS)
    found = retrieve(played)
    assert isinstance(found, FullText)
    assert found.body == said.JATS.encode()
    assert found.media_type == "application/xml"
    assert found.place.version is VersionKind.PUBLISHED
    assert found.sentence == "The full text was read (published version, PMC7000001)."
    assert len(played.targets) == 2


def test_an_author_manuscript_is_told_as_such(played: Played) -> None:
    on_europe_pmc(played, authMan="Y")
    played.on("/PMC7000001/fullTextXML", said.JATS)
    found = retrieve(played)
    assert isinstance(found, FullText)
    assert "accepted manuscript" in found.sentence


@pytest.mark.parametrize(
    "body",
    [
        said.JATS.replace("<body>", "<!-- not open -->").replace("</body>", ""),
        "<html><body>Sign in</body></html>",
        "words",
        "",
    ],
)
def test_a_record_without_its_text_is_no_full_text(played: Played, body: str) -> None:
    on_europe_pmc(played)
    played.on("/PMC7000001/fullTextXML", body.encode())
    found = retrieve(played)
    assert isinstance(found, AbstractOnly)
    assert found.abstract.text == "Results\nMixing supplied 10³ moles."
    assert "not used" in found.attempts[0].sentence


def test_arxiv_gives_html_before_pdf(played: Played) -> None:
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    page = {"Content-Type": "text/html; charset=utf-8"}
    played.on("/texts/html/1903.04567v2", said.HTML.encode(), headers=page)
    played.on("/texts/pdf/1903.04567v2", said.PDF)
    found = retrieve(played, work(PREPRINT))
    assert isinstance(found, FullText)
    assert (found.media_type, found.place.label) == ("text/html", "arXiv:1903.04567v2")
    assert found.sentence == "The full text was read (preprint, arXiv:1903.04567v2)."


def test_arxiv_without_html_gives_the_pdf(played: Played) -> None:
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    played.on("/texts/pdf/1903.04567v2", said.PDF)
    found = retrieve(played, work(PREPRINT))
    assert isinstance(found, FullText)
    assert (found.body, found.media_type) == (said.PDF, "application/pdf")
    assert [a.sentence for a in found.attempts] == [f"{played.server.place} has no such text."]


def test_the_version_that_is_meant_comes_first(played: Played) -> None:
    on_europe_pmc(played)
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    played.on("/PMC7000001/fullTextXML", said.JATS)
    page = {"Content-Type": "text/html"}
    played.on("/texts/html/", said.HTML.encode(), headers=page)
    both = registries(played).arxiv.work(ARXIV, Enquiry())
    assert both is not None
    known = joined(work(), both)
    published = retrieve(played, known, PUBLISHED)
    assert isinstance(published, FullText)
    assert published.place.version is VersionKind.PUBLISHED
    preprint = retrieve(played, known, PREPRINT)
    assert isinstance(preprint, FullText)
    assert preprint.place.version is VersionKind.PREPRINT


def location(played: Played, path: str, version: str | None = "publishedVersion") -> dict[str, Any]:
    return {"is_oa": True, "pdf_url": played.server.url(path), "version": version}


def test_open_copies_from_openalex_and_unpaywall(played: Played) -> None:
    on_europe_pmc(played, **CLOSED)
    best = location(played, "/copy-1.pdf", "acceptedVersion")
    played.on("/openalex/works/", said.openalex(best_oa_location=best))
    copy = {"url_for_pdf": played.server.url("/copy-2.pdf"), "version": "publishedVersion"}
    played.on("/unpaywall/v2/", said.unpaywall(copy))
    played.on("/copy-1.pdf", b"<html>Sign in</html>")
    played.on("/copy-2.pdf", said.PDF)
    found = retrieve(played, contact="me@example.org", openalex="key")
    assert isinstance(found, FullText)
    assert found.body == said.PDF
    assert found.place.registry is Registry.UNPAYWALL
    assert "sign in" in found.attempts[0].sentence
    assert not any("key" in t for t in played.targets if t.startswith("/copy"))


def test_a_copy_of_which_no_version_is_told_is_not_read(played: Played) -> None:
    on_europe_pmc(played, **CLOSED)
    played.on("/openalex/works/", said.openalex(best_oa_location=location(played, "/c.pdf", None)))
    played.on("/c.pdf", said.PDF)
    assert isinstance(retrieve(played, openalex="key"), AbstractOnly)
    assert "/c.pdf" not in played.targets


def test_without_key_and_address_two_registries_are_not_asked(played: Played) -> None:
    on_europe_pmc(played, **CLOSED)
    assert isinstance(retrieve(played), AbstractOnly)
    assert played.asked(Registry.OPENALEX) == played.asked(Registry.UNPAYWALL) == []


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "http://example.org/x.pdf", "https://example.org/x.pdf", "nothing", ""],
)
def test_a_place_that_may_not_be_asked_is_told_and_passed_over(played: Played, url: str) -> None:
    on_europe_pmc(played, **CLOSED)
    best = {"is_oa": True, "pdf_url": url, "version": "publishedVersion"}
    played.on("/openalex/works/", said.openalex(best_oa_location=best))
    found = retrieve(played, openalex="key")
    assert isinstance(found, AbstractOnly)
    assert len(found.attempts) == (1 if url else 0)


@pytest.mark.parametrize("to", ["file:///etc/passwd", "https://example.org/x.pdf"])
def test_a_copy_that_points_elsewhere_is_not_followed(played: Played, to: str) -> None:
    on_europe_pmc(played, **CLOSED)
    best = location(played, "/c.pdf")
    played.on("/openalex/works/", said.openalex(best_oa_location=best))
    played.on("/c.pdf", b"", status=302, headers={"Location": to})
    found = retrieve(played, openalex="key")
    assert isinstance(found, AbstractOnly)
    assert "not followed" in found.attempts[0].sentence


def test_the_abstract_is_told_with_its_version(played: Played) -> None:
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    found = retrieve(played, work(PREPRINT))
    assert isinstance(found, AbstractOnly)
    assert found.abstract.version is VersionKind.PREPRINT
    assert found.sentence == (
        "Only the abstract was read (preprint, arXiv); the full text could not be had."
    )


def test_the_abstract_of_the_meant_version_is_preferred(played: Played) -> None:
    on_europe_pmc(played, **CLOSED)
    preprint = registries(played)
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    posted = preprint.arxiv.work(ARXIV, Enquiry())
    assert posted is not None
    found = retrieve(played, joined(work(), posted), PUBLISHED)
    assert isinstance(found, AbstractOnly)
    assert found.abstract.registry is Registry.EUROPE_PMC


def test_a_last_resort_for_the_abstract(played: Played) -> None:
    played.on("/semantic_scholar/paper/DOI:", said.semantic_scholar())
    found = retrieve(played)
    assert isinstance(found, AbstractOnly)
    assert found.abstract.registry is Registry.SEMANTIC_SCHOLAR
    assert found.abstract.version is None


def test_a_work_that_nobody_has(played: Played) -> None:
    found = retrieve(played, contact="me@example.org", openalex="key")
    assert isinstance(found, NoText)
    assert "Add the work as a file" in found.sentence
    assert found.attempts == ()


def test_an_abstract_that_its_publisher_withdrew_is_not_guessed(played: Played) -> None:
    on_europe_pmc(played, abstractText=None, **CLOSED)
    played.on("/semantic_scholar/paper/", said.semantic_scholar(abstract=None))
    assert isinstance(retrieve(played), NoText)


def test_retractions_become_known_on_the_way(played: Played) -> None:
    on_europe_pmc(played, pubTypeList={"pubType": ["Retracted Publication"]})
    played.on("/PMC7000001/fullTextXML", said.JATS)
    found = retrieve(played)
    assert isinstance(found, FullText)
    assert found.work.withdrawn
    [notice] = found.work.document_notices()
    assert notice.text == "This work was retracted, says Europe PMC."
    assert found.work.notices[0].standing is Standing.RETRACTED


@pytest.mark.parametrize("open_access", ["Y", "N"])
def test_a_verdict_learns_how_much_was_read_and_what_was_said_of_it(
    played: Played, open_access: str
) -> None:
    kinds = {"pubType": ["Retracted Publication"]}
    on_europe_pmc(played, pubTypeList=kinds, isOpenAccess=open_access)
    played.on("/PMC7000001/fullTextXML", said.JATS)
    found = retrieve(played)
    assert isinstance(found, FullText | AbstractOnly)
    own = Notice(NoticeKind.CORRECTED, "Corrected.")
    document = Document(Format.TEXT, "Mixing.", (), notices=(own,))
    read = scoped(document, found)
    whole = open_access == "Y"
    assert read.scope is (TextScope.FULL_TEXT if whole else TextScope.ABSTRACT_ONLY)
    assert [n.kind for n in read.notices] == [NoticeKind.CORRECTED, NoticeKind.RETRACTED]
    assert read.text == document.text


def test_another_work_in_the_answer_is_not_joined(played: Played) -> None:
    played.on("/openalex/works/", said.openalex(doi="https://doi.org/10.1000/another", ids={}))
    found = retrieve(played, openalex="key")
    assert isinstance(found, NoText)
    assert found.work == work()


@pytest.mark.parametrize("policy", [EgressPolicy(), EgressPolicy(online=True, confidential=True)])
def test_offline_gives_what_is_known(played: Played, policy: EgressPolicy) -> None:
    with watched() as seen:
        found = retrieve(played, policy=policy, contact="me@example.org", openalex="key")
    assert isinstance(found, NoText)
    assert len(found.attempts) == 1
    assert "Nothing was sent" in found.attempts[0].sentence
    assert seen == []


def test_a_text_is_not_fetched_twice(played: Played) -> None:
    on_europe_pmc(played)
    played.on("/PMC7000001/fullTextXML", said.JATS)
    cache, time = MemoryCache(), FakeTime()
    first = retrieve(played, cache=cache, time=time)
    asked = len(played.targets)
    again = retrieve(played, cache=cache, time=time, policy=EgressPolicy())
    assert first == again
    assert len(played.targets) == asked


def test_a_failing_place_does_not_keep_from_the_next(played: Played) -> None:
    on_europe_pmc(played)
    played.on("/PMC7000001/fullTextXML", b"", status=503)
    played.on("/openalex/works/", said.openalex(best_oa_location=location(played, "/c.pdf")))
    played.on("/c.pdf", said.PDF)
    found = retrieve(played, openalex="key")
    assert isinstance(found, FullText)
    assert found.body == said.PDF
    assert [a.where for a in found.attempts] == [played.server.place]


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://arxiv.org/pdf/1903.04567v2", "arxiv"),
        ("https://europepmc.org/articles/PMC1?pdf=render", "europe_pmc"),
        ("https://papers.example.org/1.pdf", "papers.example.org"),
        ("https://notarxiv.org/1.pdf", "notarxiv.org"),
    ],
)
def test_texts_of_a_registry_are_asked_for_at_its_pace(url: str, place: str) -> None:
    named = TextPlace(PlaceKind.PDF, url, VersionKind.PUBLISHED, Registry.OPENALEX)
    assert _question(named).place == place


def test_a_stop_is_a_stop(played: Played) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(Cancelled):
        Retriever(registries(played)).retrieve(work(), None, Enquiry(cancellation=cancellation))
    assert played.targets == []
