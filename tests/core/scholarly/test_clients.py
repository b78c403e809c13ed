"""Each registry's answers: read as documented, or named as malformed; never half."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.citations.model import Author, Identifier, Scheme, WorkCitation
from core.scholarly import errors
from core.scholarly.asking import Enquiry
from core.scholarly.registries import Registries
from core.scholarly.work import PlaceKind, Registry, Standing, VersionKind, Work
from tests.core.scholarly import said
from tests.core.scholarly.played import Played, registries

DOI = Identifier(scheme=Scheme.DOI, value=said.DOI)
PMID = Identifier(scheme=Scheme.PMID, value="30000001")
PMCID = Identifier(scheme=Scheme.PMCID, value="PMC7000001")
ARXIV = Identifier(scheme=Scheme.ARXIV, value="1903.04567")
ISBN = Identifier(scheme=Scheme.ISBN, value="9780306406157")
FIRST = Author(family="Lindqvist", given="Ana")
CITATION = WorkCitation(title=said.TITLE, authors=(FIRST,), year=2019)


def standings(work: Work | None) -> list[Standing]:
    assert work is not None
    return [notice.standing for notice in work.notices]


def one(found: Work | None) -> Work:
    assert found is not None
    return found


# What each says


def test_crossref(played: Played) -> None:
    played.on("/crossref/works/", said.crossref())
    work = one(registries(played).crossref.work(DOI, Enquiry()))
    assert (work.title, work.authors[0], work.years) == (said.TITLE, FIRST, (2019,))
    assert work.identifiers == (DOI,)
    assert work.versions[0].kind is VersionKind.PUBLISHED
    assert work.versions[0].container == "Journal of Estuarine Studies"
    assert work.abstract is not None
    assert work.abstract.text == "Mixing supplied 10³ moles of oxygen."
    assert work.notices == ()
    assert played.server.requests[0].target == "/crossref/works/10.1000/harbour.2019.7"


def test_crossref_takes_markup_out_of_titles_and_the_first_author_first(played: Played) -> None:
    authors = [
        {"family": "Second", "sequence": "additional"},
        {"family": "First", "sequence": "first"},
        {"name": "The Harbour Consortium", "sequence": "additional"},
    ]
    item = {"title": ["CO<sub>2</sub> &amp;amp; <i>E. coli</i>\n in  water"], "author": authors}
    played.on("/crossref/works/", said.crossref(**item))
    work = one(registries(played).crossref.work(DOI, Enquiry()))
    assert work.title == "CO2 & E. coli in water"
    assert [a.family for a in work.authors] == ["First", "Second", "The Harbour Consortium"]


def test_crossref_names_the_other_version(played: Played) -> None:
    relation = {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.1903.04567"}]}
    played.on("/crossref/works/", said.crossref(relation=relation))
    work = one(registries(played).crossref.work(DOI, Enquiry()))
    assert [v.kind for v in work.versions] == [VersionKind.PUBLISHED, VersionKind.PREPRINT]
    assert ARXIV in work.identifiers


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"updated-by": [{"type": "retraction", "DOI": "10.1/r"}]}, [Standing.RETRACTED]),
        (
            {
                "updated-by": [
                    {"type": "retraction", "DOI": "10.1000/r", "source": "publisher"},
                    {"type": "retraction", "DOI": "10.1000/r", "source": "retraction-watch"},
                ]
            },
            [Standing.RETRACTED],
        ),
        ({"updated-by": [{"type": "erratum", "DOI": "10.1000/e"}]}, [Standing.CORRECTED]),
        ({"updated-by": [{"type": "corrigendum"}, {"type": "addendum"}]}, [Standing.CORRECTED]),
        ({"updated-by": [{"type": "expression_of_concern"}]}, [Standing.CONCERN]),
        ({"updated-by": [{"type": "Expression of Concern"}]}, [Standing.CONCERN]),
        ({"updated-by": [{"type": "withdrawal"}]}, [Standing.RETRACTED]),
        ({"updated-by": [{"type": "partial_retraction"}]}, [Standing.PARTLY_RETRACTED]),
        ({"updated-by": [{"type": "new_version"}, {"type": "new_edition"}]}, []),
        ({"updated-by": [{"type": "something new"}, {"type": None}]}, []),
        (
            {"updated-by": [{"type": "retraction", "label": "Retraction and replacement"}]},
            [Standing.RETRACTED_AND_REPLACED],
        ),
        (
            {"updated-by": [{"type": "retraction"}, {"type": "new_version", "DOI": "10.1000/v2"}]},
            [Standing.RETRACTED],
        ),
        (
            {
                "updated-by": [
                    {"type": "retraction", "DOI": said.DOI},
                    {"type": "new_version", "DOI": said.DOI},
                ]
            },
            [Standing.RETRACTED_AND_REPLACED],
        ),
        (
            {"updated-by": [{"type": "correction"}, {"type": "retraction"}]},
            [Standing.RETRACTED, Standing.CORRECTED],
        ),
        (
            {"update-to": [{"type": "retraction", "DOI": "10.1000/another"}]},
            [Standing.RETRACTION_NOTICE],
        ),
        (
            {"update-to": [{"type": "erratum", "DOI": "10.1000/another"}]},
            [Standing.CORRECTION_NOTICE],
        ),
        ({"update-to": [{"type": "retraction", "DOI": said.DOI}]}, [Standing.RETRACTED]),
        ({"update-to": [{"type": "new_version", "DOI": "10.1000/v1"}]}, []),
        ({"title": [f"RETRACTED ARTICLE: {said.TITLE}"]}, [Standing.RETRACTED]),
        ({"title": [f"WITHDRAWN: {said.TITLE}"]}, [Standing.RETRACTED]),
        ({"title": [f"[Retracted] {said.TITLE}"]}, [Standing.RETRACTED]),
        ({"title": [f"Retraction: {said.TITLE}"]}, [Standing.RETRACTION_NOTICE]),
        ({"title": ["Retracted articles in dentistry: a survey"]}, []),
    ],
)
def test_crossref_tells_standings_apart(
    played: Played, fields: dict[str, Any], expected: list[Standing]
) -> None:
    played.on("/crossref/works/", said.crossref(**fields))
    work = one(registries(played).crossref.work(DOI, Enquiry()))
    assert standings(work) == expected
    assert work.withdrawn == bool(
        {Standing.RETRACTED, Standing.RETRACTED_AND_REPLACED} & set(expected)
    )
    if "RETRACTED" in str(fields.get("title")):
        assert work.title == said.TITLE


def test_crossref_books(played: Played) -> None:
    chapter = said.crossref_item(type="book-chapter", DOI="10.1000/book.c1")
    book = said.crossref_item(type="monograph", DOI="10.1000/book")
    played.on("/crossref/works?filter=isbn:9780306406157", said.crossref_list(chapter, book))
    [found] = registries(played).crossref.books(ISBN, Enquiry())
    assert found.identifiers[0].value == "10.1000/book"


def test_openalex(played: Played) -> None:
    location = {
        "is_oa": True,
        "pdf_url": "https://repository.example/1.pdf",
        "version": "acceptedVersion",
    }
    unknown = {"is_oa": True, "pdf_url": "https://other.example/1.pdf", "version": None}
    closed = {"is_oa": False, "pdf_url": "https://x.example/1.pdf", "version": "publishedVersion"}
    answer = said.openalex(best_oa_location=location, locations=[location, unknown, closed])
    played.on("/openalex/works/doi:", {**answer, "is_retracted": True})
    work = one(registries(played, openalex="key-1").openalex.work(DOI, Enquiry()))
    assert (work.title, work.authors[0], work.years) == (said.TITLE, FIRST, (2019,))
    assert work.abstract is not None
    assert work.abstract.text == "Mixing supplied oxygen."
    assert set(work.identifiers) == {DOI, PMID}
    assert [(p.kind, p.url, p.version) for p in work.places] == [
        (PlaceKind.PDF, "https://repository.example/1.pdf", VersionKind.ACCEPTED)
    ]
    assert standings(work) == [Standing.RETRACTED]


@pytest.mark.parametrize(
    "index", [{"a": [0], "b": [0]}, {"a": [0], "b": [2]}, {"a": [-1]}, {"a": []}, {}, None]
)
def test_an_abstract_with_gaps_is_none(played: Played, index: dict[str, list[int]] | None) -> None:
    played.on("/openalex/works/", said.openalex(abstract_inverted_index=index))
    assert one(registries(played, openalex="k").openalex.work(DOI, Enquiry())).abstract is None


def test_semantic_scholar(played: Played) -> None:
    ids = {"DOI": said.DOI.upper(), "ArXiv": "1903.04567", "CorpusId": 1}
    played.on("/paper/search/match", {"data": [said.semantic_scholar(externalIds=ids)]})
    [work] = registries(played).semantic_scholar.search(CITATION, Enquiry())
    assert (work.title, work.authors[0], work.years) == (said.TITLE, FIRST, (2019,))
    assert {v.kind: v.identifiers for v in work.versions} == {
        VersionKind.PUBLISHED: (DOI,),
        VersionKind.PREPRINT: (ARXIV,),
    }


def test_semantic_scholar_knows_no_match(played: Played) -> None:
    played.on("/paper/search/match", {"error": "Title match not found"}, status=404)
    assert registries(played).semantic_scholar.search(CITATION, Enquiry()) == ()


def test_arxiv(played: Played) -> None:
    more = (
        '<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/Harbour.2019.7</arxiv:doi>'
    )
    played.on("/api/query", said.arxiv(said.arxiv_entry(more=more)))
    work = one(registries(played).arxiv.work(ARXIV, Enquiry()))
    pinned = Identifier(scheme=Scheme.ARXIV, value="1903.04567", version=2)
    assert (work.title, work.authors[0], work.years) == (said.TITLE, FIRST, (2018, 2019))
    assert work.versions[0].identifiers == (pinned, ARXIV)
    assert (work.versions[1].kind, work.versions[1].identifiers) == (VersionKind.PUBLISHED, (DOI,))
    assert work.abstract is not None
    assert work.abstract.text == "Mixing supplied oxygen where p < 0.05."
    assert [p.url.rpartition("/texts")[2] for p in work.places] == [
        "/html/1903.04567v2",
        "/pdf/1903.04567v2",
    ]
    assert {p.label for p in work.places} == {"arXiv:1903.04567v2"}


def test_arxiv_pins_the_version_that_is_cited(played: Played) -> None:
    asked = Identifier(scheme=Scheme.ARXIV, value="1903.04567", version=1)
    played.on("/api/query", said.arxiv(said.arxiv_entry(id="1903.04567v2")))
    client = registries(played).arxiv
    assert client.work(asked, Enquiry()) is None
    assert "id_list=1903.04567v1" in played.targets[0]
    played.on("/api/query", said.arxiv(said.arxiv_entry(id="1903.04567v1")))
    assert one(client.work(asked, Enquiry())).identifiers[0] == asked


@pytest.mark.parametrize(
    "feed", [said.arxiv(), said.ARXIV_ERROR, said.arxiv(said.arxiv_entry(id="2001.00001v1"))]
)
def test_arxiv_without_the_work(played: Played, feed: str) -> None:
    played.on("/api/query", feed)
    assert registries(played).arxiv.work(ARXIV, Enquiry()) is None


def test_arxiv_withdrawn(played: Played) -> None:
    more = "<comment>This paper has been withdrawn by the authors due to an error.</comment>"
    played.on("/api/query", said.arxiv(said.arxiv_entry(more=more)))
    assert one(registries(played).arxiv.work(ARXIV, Enquiry())).withdrawn


def test_europe_pmc(played: Played) -> None:
    played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result()))
    work = one(registries(played).europe_pmc.work(DOI, Enquiry()))
    assert (work.title, work.authors[0], work.years) == (said.TITLE, FIRST, (2019,))
    assert set(work.identifiers) == {DOI, PMID, PMCID}
    assert work.abstract is not None
    assert work.abstract.text == "Results\nMixing supplied 10³ moles."
    [place] = work.places
    assert (place.kind, place.version) == (PlaceKind.JATS, VersionKind.PUBLISHED)
    assert place.url.endswith("/PMC7000001/fullTextXML")
    assert f'query=DOI:"{said.DOI}"' in played.targets[0]


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"isOpenAccess": "N"}, []),
        ({"inEPMC": "N"}, []),
        ({"pmcid": None}, []),
        ({"authMan": "Y"}, [VersionKind.ACCEPTED]),
        ({"source": "PPR", "id": "PPR1"}, [VersionKind.PREPRINT]),
    ],
)
def test_europe_pmc_says_what_lies_open(
    played: Played, fields: dict[str, Any], places: list[VersionKind]
) -> None:
    played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result(**fields)))
    work = one(registries(played).europe_pmc.work(DOI, Enquiry()))
    assert [p.version for p in work.places] == places


def test_europe_pmc_passes_over_another_work(played: Played) -> None:
    other = said.europe_pmc_result(doi="10.1000/another", pmid="9", pmcid=None, id="9")
    played.on("/europe_pmc/search", said.europe_pmc(other))
    client = registries(played).europe_pmc
    assert [client.work(i, Enquiry()) for i in (DOI, PMID, PMCID)] == [None] * 3


@pytest.mark.parametrize(
    ("kinds", "links", "expected"),
    [
        (["Retracted Publication"], [], [Standing.RETRACTED]),
        ([], ["Retraction in"], [Standing.RETRACTED]),
        (["Retraction of Publication"], ["Retraction of"], [Standing.RETRACTION_NOTICE]),
        ([], ["Erratum in", "Comment in", "Update in"], [Standing.CORRECTED]),
        (["Published Erratum"], ["Erratum for"], [Standing.CORRECTION_NOTICE]),
        ([], ["Expression of concern in"], [Standing.CONCERN]),
        (
            ["Retracted Publication"],
            ["Retracted and republished in"],
            [Standing.RETRACTED_AND_REPLACED],
        ),
        ([], ["Preprint in", "Republished in", "Reprint in"], []),
    ],
)
def test_europe_pmc_and_pubmed_tell_standings_apart(
    played: Played, kinds: list[str], links: list[str], expected: list[Standing]
) -> None:
    result = said.europe_pmc_result(
        pubTypeList={"pubType": ["Journal Article", *kinds]},
        commentCorrectionList={
            "commentCorrection": [{"id": "1", "source": "MED", "type": link} for link in links]
        },
    )
    played.on("/europe_pmc/search", said.europe_pmc(result))
    joined = tuple("".join(word.capitalize() for word in link.split()) for link in links)
    article = said.pubmed_article(kinds=("Journal Article", *kinds), links=joined)
    played.on("/pubmed/efetch", said.pubmed(article))
    at = registries(played)
    assert standings(at.europe_pmc.work(PMID, Enquiry())) == expected
    assert standings(at.pubmed.work(PMID, Enquiry())) == expected


def test_pubmed(played: Played) -> None:
    played.on("/pubmed/efetch.fcgi", said.pubmed(said.pubmed_article()))
    work = one(registries(played).pubmed.work(PMID, Enquiry()))
    assert (work.title, work.authors[0], work.years) == (said.TITLE, FIRST, (2018, 2019))
    assert work.authors[1] == Author(family="Harbour Group")
    assert work.identifiers == (PMID, DOI, PMCID)
    assert work.abstract is not None
    assert work.abstract.text == "Results: Mixing supplied 10³ moles & more."


@pytest.mark.parametrize(
    "answer", [said.pubmed(), b"", said.pubmed(said.pubmed_article(pmid="31"))]
)
def test_pubmed_without_the_work(played: Played, answer: str | bytes) -> None:
    played.on("/pubmed/efetch.fcgi", answer)
    assert registries(played).pubmed.work(PMID, Enquiry()) is None


def test_a_translated_title_loses_its_brackets(played: Played) -> None:
    played.on("/pubmed/efetch", said.pubmed(said.pubmed_article(title="[Tides in the harbour].")))
    work = one(registries(played).pubmed.work(PMID, Enquiry()))
    assert work.title == "Tides in the harbour"


def test_unpaywall(played: Played) -> None:
    published = {"url_for_pdf": "https://p.example/1.pdf", "version": "publishedVersion"}
    landing = {"url_for_pdf": None, "version": "publishedVersion"}
    played.on("/unpaywall/v2/", said.unpaywall(published, landing))
    at = registries(played, contact="someone@example.org")
    [place] = at.unpaywall.places(DOI, Enquiry())
    assert (place.url, place.version) == ("https://p.example/1.pdf", VersionKind.PUBLISHED)
    assert played.targets == [f"/unpaywall/v2/{said.DOI}?email=someone@example.org"]


def test_doi_org_names_the_agency_and_gives_metadata(played: Played) -> None:
    played.on(f"/doi_org/{said.DOI}", said.csl())
    played.on(f"/doi_org/ra/{said.DOI}", said.agency("DataCite"))
    at = registries(played)
    assert at.doi_org.agency(DOI, Enquiry()) == "DataCite"
    work = one(at.doi_org.work(DOI, Enquiry()))
    assert (work.title, work.authors[0], work.identifiers) == (said.TITLE, FIRST, (DOI,))
    assert work.authors[1].family == "Harbour Group"
    accepted = played.server.requests[1].headers["accept"]
    assert accepted == "application/vnd.citationstyles.csl+json"


@pytest.mark.parametrize("status", ["DOI does not exist", "Invalid DOI", "Unknown"])
def test_a_doi_without_an_agency(played: Played, status: str) -> None:
    played.on("/doi_org/ra/", said.agency(status=status))
    assert registries(played).doi_org.agency(DOI, Enquiry()) is None


# Malformed answers

Asking = Callable[[Registries], object]

ANSWERS: list[tuple[str, str, Any, Asking]] = [
    ("crossref", "/crossref/works/", said.crossref(), lambda r: r.crossref.work(DOI, Enquiry())),
    (
        "crossref list",
        "/crossref/works?",
        said.crossref_list(said.crossref_item()),
        lambda r: r.crossref.search(CITATION, Enquiry()),
    ),
    ("openalex", "/openalex/", said.openalex(), lambda r: r.openalex.work(DOI, Enquiry())),
    (
        "openalex list",
        "/openalex/",
        {"meta": {}, "results": [said.openalex()]},
        lambda r: r.openalex.search(CITATION, Enquiry()),
    ),
    (
        "semantic scholar",
        "/semantic_scholar/",
        said.semantic_scholar(),
        lambda r: r.semantic_scholar.work(DOI, Enquiry()),
    ),
    (
        "semantic scholar match",
        "/semantic_scholar/",
        {"data": [said.semantic_scholar()]},
        lambda r: r.semantic_scholar.search(CITATION, Enquiry()),
    ),
    (
        "europe pmc",
        "/europe_pmc/",
        said.europe_pmc(said.europe_pmc_result()),
        lambda r: r.europe_pmc.work(DOI, Enquiry()),
    ),
    (
        "unpaywall",
        "/unpaywall/",
        said.unpaywall(),
        lambda r: r.unpaywall.places(DOI, Enquiry()),
    ),
    ("doi.org", "/doi_org/", said.csl(), lambda r: r.doi_org.work(DOI, Enquiry())),
    ("agency", "/doi_org/ra/", said.agency("mEDRA"), lambda r: r.doi_org.agency(DOI, Enquiry())),
    ("arxiv", "/arxiv/", said.arxiv(said.arxiv_entry()), lambda r: r.arxiv.work(ARXIV, Enquiry())),
    (
        "pubmed",
        "/pubmed/",
        said.pubmed(said.pubmed_article()),
        lambda r: r.pubmed.work(PMID, Enquiry()),
    ),
]
NAMES = [name for name, *_ in ANSWERS]

RUBBISH: list[bytes] = [
    b"<html><body>502 Bad Gateway</body></html>",
    b"{",
    b"[]",
    b"null",
    b"true",
    b'{"message": null}',
    b'"words"',
    b"\xff\xfe\x00",
    b'{"a":' * 100_000,
    b"[" * 100_000,
    b"<feed>",
    b"<a>" * 100_000,
    b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed><entry>&x;</entry></feed>',
    b"<feed><entry><id>http://arxiv.org/abs/nothing</id></entry></feed>",
    b"<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>",
    b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>&what;</PMID></MedlineCitation>"
    b"</PubmedArticle></PubmedArticleSet>",
]


@pytest.mark.parametrize("body", RUBBISH, ids=lambda b: repr(b[:30]))
@pytest.mark.parametrize(("name", "path", "good", "ask"), ANSWERS, ids=NAMES)
def test_rubbish_is_malformed(
    played: Played, name: str, path: str, good: Any, ask: Asking, body: bytes
) -> None:
    played.on(path, body)
    with pytest.raises(errors.Malformed, match=r"cannot be read\. Nothing of it was used"):
        ask(registries(played, contact="a@example.org", openalex="k"))


@pytest.mark.parametrize(("name", "path", "good", "ask"), ANSWERS, ids=NAMES)
def test_no_change_of_an_answer_raises_anything_else(
    played: Played, name: str, path: str, good: Any, ask: Asking
) -> None:
    """Cut anywhere, or with a strange value anywhere: a whole work, none, or `Malformed`."""
    whole = good if isinstance(good, str) else json.dumps(good)

    @given(st.data())
    @settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def change(data: st.DataObject) -> None:
        if isinstance(good, str) or data.draw(st.booleans()):
            body = whole[: data.draw(st.integers(0, len(whole) - 1))]
        else:
            changed = json.loads(whole)
            _spoil(changed, data)
            body = json.dumps(changed)
        played.on(path, body.encode())
        try:
            found = ask(registries(played, contact="a@example.org", openalex="k"))
        except errors.Malformed:
            return
        works = found if isinstance(found, tuple) else (found,)
        for work in works:
            if isinstance(work, Work):
                assert work.versions
                assert all(isinstance(t, str) for t in (work.title, *work.other_titles))

    change()


def _spoil(value: Any, data: st.DataObject) -> None:
    """Put something of another kind somewhere into `value`."""
    strange = st.sampled_from([None, 7, -1, 2.5, True, "", "x", [], {}, [None], {"a": 1}, 10**30])
    while isinstance(value, dict | list) and value:
        keys = sorted(value) if isinstance(value, dict) else list(range(len(value)))
        key = data.draw(st.sampled_from(keys))
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.integers(0, 3)) == 0:
            value[key] = data.draw(strange)
            return
        value = inner


# Identifiers cannot lead elsewhere


@pytest.mark.parametrize(
    "value",
    [
        "10.1000/../../../ra/x",
        "10.1000/a?mailto=x&b#c",
        "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1",
        "10.1000/ä b",
        "10.1000/a%2Fb",
        "10.1000/a//b",
    ],
)
def test_an_identifier_stays_the_end_of_its_path(played: Played, value: str) -> None:
    identifier = Identifier(scheme=Scheme.DOI, value=value)
    at = registries(played, contact="a@example.org", openalex="k")
    at.crossref.work(identifier, Enquiry())
    at.doi_org.agency(identifier, Enquiry())
    at.doi_org.work(identifier, Enquiry())
    at.openalex.work(identifier, Enquiry())
    at.semantic_scholar.work(identifier, Enquiry())
    at.unpaywall.places(identifier, Enquiry())
    begins = ["crossref/works/", "doi_org/ra/", "doi_org/", "openalex/works/doi:"]
    begins += ["semantic_scholar/paper/DOI:", "unpaywall/v2/"]
    targets = [request.target for request in played.server.requests]
    for target, begin in zip(targets, begins, strict=True):
        end = target.partition("?")[0].removeprefix(f"/{begin}")
        assert unquote(end) == value
        assert end.isascii()
        assert {"", ".", ".."}.isdisjoint(end.split("/"))


@pytest.mark.parametrize("scheme", list(Scheme))
def test_a_registry_is_asked_for_its_own_identifiers_only(played: Played, scheme: Scheme) -> None:
    identifier = Identifier(scheme=scheme, value="10.1000/1")
    at = registries(played)
    for registry, ask in (
        (Registry.CROSSREF, at.crossref.work),
        (Registry.ARXIV, at.arxiv.work),
        (Registry.PUBMED, at.pubmed.work),
    ):
        own = {"crossref": Scheme.DOI, "arxiv": Scheme.ARXIV, "pubmed": Scheme.PMID}
        if scheme is not own[registry.value]:
            with pytest.raises(ValueError, match="has no works by"):
                ask(identifier, Enquiry())
    assert all(t.startswith(("/crossref", "/arxiv", "/pubmed")) for t in played.targets)
