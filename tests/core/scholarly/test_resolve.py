"""From a citation to its work: every way in which others went wrong, and each kind of answer."""

import socket
from typing import Any

import pytest

from core.citations.model import Author, Identifier, Scheme, WorkCitation
from core.egress_policy import EgressPolicy
from core.scholarly.agreement import Field
from core.scholarly.asking import Budget, Enquiry
from core.scholarly.endpoints import Endpoints
from core.scholarly.registries import Registries
from core.scholarly.resolution import (
    Ambiguous,
    Mismatch,
    NoNetwork,
    NotFound,
    OfflineMode,
    OtherAgency,
    Resolution,
    Resolved,
    TimedOut,
    TooVague,
    Unanswered,
)
from core.scholarly.resolve import Resolver, chosen
from core.scholarly.work import Registry, Standing, VersionKind
from tests.core.scholarly import said
from tests.core.scholarly.played import FakeTime, Played, asker, registries
from tests.loopback import Connection, Request, response, watched

DOI = Identifier(scheme=Scheme.DOI, value=said.DOI)
PMID = Identifier(scheme=Scheme.PMID, value="30000001")
PMCID = Identifier(scheme=Scheme.PMCID, value="PMC7000001")
ARXIV = Identifier(scheme=Scheme.ARXIV, value="1903.04567")
ANA = Author(family="Lindqvist", given="Ana")
SMITH = Author(family="Smith", given="John")
INVENTED = "Seagrass carbon burial under repeated marine heatwaves"


def cited(**fields: Any) -> WorkCitation:
    known: dict[str, Any] = {"title": said.TITLE, "authors": (ANA,), "year": 2019}
    return WorkCitation(**{**known, **fields})


def resolve(played: Played, citation: WorkCitation, **options: Any) -> Resolution:
    return Resolver(registries(played, **options)).resolve(citation, Enquiry(Budget(0)))


def fields(resolution: Resolution) -> list[Field]:
    assert isinstance(resolution, Mismatch)
    return [d.field for d in resolution.agreement.differing]


# By identifier


def test_a_doi_with_all_that_is_cited(played: Played) -> None:
    played.on("/crossref/works/", said.crossref())
    found = resolve(played, cited(identifiers=(DOI,)))
    assert isinstance(found, Resolved)
    assert found.agreement.agreed == set(Field)
    assert found.version.kind is VersionKind.PUBLISHED
    assert found.sentence == (
        f"The citation is “{said.TITLE}” (Lindqvist and others, 2019), published version "
        "(Journal of Estuarine Studies, 2019)."
    )
    assert len(played.targets) == 1


def test_a_bare_identifier_is_the_work_that_it_names(played: Played) -> None:
    played.on("/crossref/works/", said.crossref())
    assert isinstance(resolve(played, WorkCitation(identifiers=(DOI,))), Resolved)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"title": INVENTED}, [Field.TITLE]),
        ({"authors": (SMITH,)}, [Field.FIRST_AUTHOR]),
        ({"year": 2011}, [Field.YEAR]),
        ({"title": INVENTED, "authors": (SMITH,)}, [Field.TITLE, Field.FIRST_AUTHOR]),
    ],
)
def test_a_real_doi_under_invented_words_is_a_mismatch(
    played: Played, change: dict[str, Any], expected: list[Field]
) -> None:
    played.on("/crossref/works/", said.crossref())
    found = resolve(played, cited(identifiers=(DOI,), **change))
    assert fields(found) == expected
    assert all(f.words in found.sentence for f in expected)


def test_sici_dois_arrive_whole(played: Played) -> None:
    value = "10.1002/(sici)1097-4636(199823)43:4<338::aid-jbm16>3.0.co;2-b"
    played.on("/crossref/works/", said.crossref(DOI=value.upper()))
    sici = Identifier(scheme=Scheme.DOI, value=value)
    assert isinstance(resolve(played, cited(identifiers=(sici,))), Resolved)
    assert played.targets == [f"/crossref/works/{value}"]


def test_a_record_under_another_doi_is_a_mismatch(played: Played) -> None:
    played.on("/crossref/works/", said.crossref(DOI="10.1000/another"))
    assert fields(resolve(played, cited(identifiers=(DOI,)))) == [Field.IDENTIFIER]


def test_a_retraction_is_told_with_the_work(played: Played) -> None:
    played.on("/crossref/works/", said.crossref(**{"updated-by": [{"type": "retraction"}]}))
    found = resolve(played, cited(identifiers=(DOI,)))
    assert isinstance(found, Resolved)
    assert found.work.withdrawn
    assert "This work was retracted." in found.sentence


def test_a_label_in_the_title_is_no_mismatch(played: Played) -> None:
    played.on("/crossref/works/", said.crossref(title=[f"RETRACTED: {said.TITLE}"]))
    found = resolve(played, cited(identifiers=(DOI,)))
    assert isinstance(found, Resolved)
    assert [n.standing for n in found.work.notices] == [Standing.RETRACTED]


def test_a_retraction_notice_is_not_the_work(played: Played) -> None:
    notice = {
        "title": [f"Retraction: {said.TITLE}"],
        "update-to": [{"type": "retraction", "DOI": "10.1000/first"}],
    }
    played.on("/crossref/works/", said.crossref(**notice))
    assert fields(resolve(played, cited(identifiers=(DOI,)))) == [Field.TITLE]


def test_pmid_and_pmcid(played: Played) -> None:
    played.on("/pubmed/efetch", said.pubmed(said.pubmed_article()))
    played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result()))
    for identifier in (PMID, PMCID):
        assert isinstance(resolve(played, cited(identifiers=(identifier,))), Resolved)


def test_a_pmid_that_pubmed_no_longer_has(played: Played) -> None:
    played.on("/pubmed/efetch", said.pubmed())
    played.on("/europe_pmc/search", said.europe_pmc())
    found = resolve(played, cited(identifiers=(PMID,)))
    assert found == NotFound((Registry.PUBMED, Registry.EUROPE_PMC), PMID)
    assert "pmid:30000001" in found.sentence


def test_two_identifiers_of_one_work(played: Played) -> None:
    played.on("/crossref/works/", said.crossref())
    played.on("/pubmed/efetch", said.pubmed(said.pubmed_article()))
    found = resolve(played, cited(identifiers=(DOI, PMID)))
    assert isinstance(found, Resolved)
    assert {DOI, PMID, PMCID} <= set(found.work.identifiers)


def test_two_identifiers_of_two_works(played: Played) -> None:
    played.on("/crossref/works/", said.crossref(DOI="10.1000/another"))
    played.on("/pubmed/efetch", said.pubmed(said.pubmed_article(title=INVENTED)))
    other = Identifier(scheme=Scheme.DOI, value="10.1000/another")
    assert Field.IDENTIFIER in fields(resolve(played, cited(identifiers=(other, PMID))))


def test_one_of_two_identifiers_does_not_exist(played: Played) -> None:
    played.on("/pubmed/efetch", said.pubmed(said.pubmed_article(pmid="30000002")))
    played.on("/crossref/works/", said.crossref())
    found = resolve(played, cited(identifiers=(DOI, PMID)))
    assert isinstance(found, NotFound)
    assert found.identifier == PMID


# Versions


def test_preprint_and_published_version_are_one_work(played: Played) -> None:
    played.on("/crossref/works/", said.crossref())
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    found = resolve(played, cited(identifiers=(DOI, ARXIV), year=2018))
    assert isinstance(found, Resolved)
    assert {v.kind for v in found.work.versions} == {VersionKind.PREPRINT, VersionKind.PUBLISHED}


def test_a_preprint_cited_with_the_year_of_print(played: Played) -> None:
    played.on(
        "/arxiv/api",
        said.arxiv(
            said.arxiv_entry(published="2015-01-01T00:00:00Z").replace("2019-03-11", "2015-03-11")
        ),
    )
    played.on("/crossref/works?", said.crossref_list(said.crossref_item()))
    found = resolve(played, cited(identifiers=(ARXIV,)))
    assert isinstance(found, Resolved)
    assert [v.kind for v in found.work.versions] == [VersionKind.PREPRINT, VersionKind.PUBLISHED]
    assert found.version.kind is VersionKind.PREPRINT, "the identifier says which version is meant"


def test_a_published_work_cited_with_the_year_of_the_preprint(played: Played) -> None:
    played.on("/crossref/works/", said.crossref())
    entry = said.arxiv_entry(published="2017-01-01T00:00:00Z")
    played.on("/arxiv/api", said.arxiv(entry))
    found = resolve(played, cited(identifiers=(DOI,), year=2017))
    assert isinstance(found, Resolved)
    assert found.work.years == (2017, 2019)


def test_a_wrong_year_stays_wrong_where_the_other_version_does_not_explain_it(
    played: Played,
) -> None:
    played.on("/crossref/works/", said.crossref())
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry(authors=("John Smith",))))
    assert fields(resolve(played, cited(identifiers=(DOI,), year=2016))) == [Field.YEAR]
    before = len(played.targets)
    assert fields(resolve(played, cited(identifiers=(DOI,), year=1999))) == [Field.YEAR]
    assert len(played.targets) == before + 1, "a year far off is not looked for"


def test_the_version_that_is_cited_is_pinned(played: Played) -> None:
    pinned = Identifier(scheme=Scheme.ARXIV, value="1903.04567", version=1)
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry(id="1903.04567v1")))
    found = resolve(played, cited(identifiers=(pinned,), year=2018))
    assert isinstance(found, Resolved)
    assert found.work.places[0].label == "arXiv:1903.04567v1"


def test_a_doi_of_arxiv_is_asked_of_arxiv(played: Played) -> None:
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    doi = Identifier(scheme=Scheme.DOI, value="10.48550/arxiv.1903.04567")
    found = resolve(played, cited(identifiers=(doi,)))
    assert isinstance(found, Resolved)
    assert found.version.kind is VersionKind.PREPRINT
    assert played.asked(Registry.CROSSREF) == []


# Five different answers, and more


def test_another_agency_that_gives_a_record(played: Played) -> None:
    played.on(f"/doi_org/{said.DOI}", said.csl())
    played.on("/doi_org/ra/", said.agency("DataCite"))
    found = resolve(played, cited(identifiers=(DOI,)))
    assert isinstance(found, Resolved)
    assert found.work.registries == (Registry.DOI_ORG,)


@pytest.mark.parametrize("agency", ["mEDRA", "ISTIC", "JaLC", "KISTI", "Airiti"])
@pytest.mark.parametrize("status", [302, 404, 406, 200])
def test_another_agency_without_a_record(played: Played, agency: str, status: int) -> None:
    where = {"Location": "https://www.example.org/article"} if status == 302 else {}
    body: Any = said.csl(DOI="10.1000/another") if status == 200 else b""
    played.on(f"/doi_org/{said.DOI}", body, status=status, headers=where)
    played.on("/doi_org/ra/", said.agency(agency))
    found = resolve(played, cited(identifiers=(DOI,)))
    assert found == OtherAgency(DOI, agency)
    assert "exists" in found.sentence
    assert agency in found.sentence


@pytest.mark.parametrize(
    "answer", [said.agency(status="DOI does not exist"), said.agency("Crossref")]
)
def test_a_doi_that_is_nowhere(played: Played, answer: Any) -> None:
    played.on("/doi_org/ra/", answer)
    found = resolve(played, cited(identifiers=(DOI,)))
    assert found == NotFound((Registry.CROSSREF, Registry.DOI_ORG), DOI)


def test_a_registry_that_does_not_answer_in_time(played: Played) -> None:
    def silent(request: Request, connection: Connection) -> None:
        connection.wait_for_the_client_to_leave()

    played.on("/crossref/", silent)
    found = resolve(played, cited(identifiers=(DOI,)), silence_seconds=0.2)
    assert isinstance(found, TimedOut)
    assert found.sentence == "Crossref did not answer in time."


def test_no_network(played: Played) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"
    endpoints = Endpoints(dict.fromkeys(Registry, f"http://{place}"))
    at = Registries.over(asker(played, more_places=(place,)), endpoints)
    found = Resolver(at).resolve(cited(identifiers=(DOI,)))
    assert isinstance(found, NoNetwork)
    assert "could not be reached" in found.sentence


@pytest.mark.parametrize("policy", [EgressPolicy(), EgressPolicy(online=True, confidential=True)])
@pytest.mark.parametrize("identifiers", [(DOI,), ()])
def test_offline(played: Played, policy: EgressPolicy, identifiers: tuple[Identifier, ...]) -> None:
    with watched() as seen:
        found = resolve(played, cited(identifiers=identifiers), policy=policy)
    assert isinstance(found, OfflineMode)
    assert "Nothing was sent" in found.sentence
    assert seen == []


@pytest.mark.parametrize(
    ("status", "body"), [(429, b""), (500, b""), (403, b""), (400, b""), (200, b"<html>")]
)
def test_a_registry_that_gives_no_answer(played: Played, status: int, body: bytes) -> None:
    played.on("/crossref/", body, status=status)
    found = resolve(played, cited(identifiers=(DOI,)))
    assert isinstance(found, Unanswered)
    assert found.registry is Registry.CROSSREF


def test_each_answer_has_a_sentence_of_its_own() -> None:
    answers: list[Resolution] = [
        OtherAgency(DOI, "mEDRA"),
        NotFound((Registry.CROSSREF,), DOI),
        TimedOut(Registry.CROSSREF, "Crossref did not answer in time."),
        NoNetwork(Registry.CROSSREF, "Crossref could not be reached."),
        OfflineMode(None, "The program works offline."),
        TooVague(3.0, 40.0),
    ]
    assert len({a.sentence for a in answers}) == len(answers)
    assert all(a.sentence.endswith(".") for a in answers)


# By title


def on_search(played: Played, *items: dict[str, Any]) -> None:
    played.on("/crossref/works?", said.crossref_list(*items))


def item(number: int, **changed: Any) -> dict[str, Any]:
    return said.crossref_item(DOI=f"10.1000/{number}", **changed)


def by(*families: str) -> list[dict[str, str]]:
    return [{"family": family, "given": "Ana"} for family in families]


def test_a_title_with_author_and_year(played: Played) -> None:
    unlike = item(2, title=["Oxygen in deep lakes"])
    on_search(played, unlike, said.crossref_item())
    found = resolve(played, cited())
    assert isinstance(found, Resolved)
    assert found.work.identifiers == (DOI,)
    assert played.targets == [
        f"/crossref/works?query.bibliographic={said.TITLE} Lindqvist 2019&rows=5"
    ]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"title": said.TITLE, "authors": (), "year": None}, Resolved),
        ({"title": said.TITLE.upper().replace("OXYGEN", "OXY-GEN")}, Resolved),
        ({"title": said.TITLE + ": a two-summer survey"}, Resolved),
        ({"title": said.TITLE.replace("harbour", "harbor")}, Resolved),
        ({"title": said.TITLE.replace("harbour", "harbor"), "authors": ()}, NotFound),
        ({"title": said.TITLE.replace("harbour", "harbor"), "year": None}, NotFound),
        ({"title": said.TITLE.replace("shallow", "deep")}, NotFound),
        ({"title": INVENTED}, NotFound),
        ({"title": said.TITLE, "authors": (SMITH,)}, Mismatch),
        ({"title": said.TITLE, "year": 2009}, Mismatch),
        ({"title": "Introduction", "authors": (), "year": None}, TooVague),
        ({"title": "Deep learning", "authors": (), "year": None}, TooVague),
        ({"title": "Results of the study of the patients", "authors": ()}, TooVague),
        ({"title": ""}, TooVague),
        ({"title": "oxygen oxygen oxygen oxygen oxygen oxygen", "authors": ()}, TooVague),
        ({"title": "???"}, TooVague),
    ],
)
def test_a_title_must_tell_enough_and_fit(
    played: Played, change: dict[str, Any], why: type[Resolution]
) -> None:
    on_search(played, said.crossref_item())
    played.on("/europe_pmc/search", said.europe_pmc())
    played.on("/arxiv/api", said.arxiv())
    found = resolve(played, cited(**change))
    assert type(found) is why
    if why is TooVague:
        assert played.targets == []


def test_what_the_registry_does_not_know_adds_nothing(played: Played) -> None:
    short = "Salt wedge estuaries"
    on_search(played, item(1, title=[short]))
    assert isinstance(resolve(played, cited(title=short)), Resolved)
    on_search(played, item(1, title=[short], author=[]))
    assert not isinstance(resolve(played, cited(title=short)), Resolved)
    on_search(played, item(1, author=[]))
    assert isinstance(resolve(played, cited()), Resolved), "the year confirms a telling title"
    assert not isinstance(resolve(played, cited(year=None)), Resolved)
    assert isinstance(resolve(played, cited(year=None, authors=())), Resolved)


def test_free_text_that_was_made_up_matches_nothing(played: Played) -> None:
    """A search always gives something; the likeliest is not what is meant."""
    on_search(played, *(item(n, title=[f"Tidal mixing of site {n}"]) for n in range(5)))
    played.on("/semantic_scholar/paper/search/match", {"data": [said.semantic_scholar()]})
    made_up = "Tidal mixing and the nitrogen budget of a shallow estuary in autumn"
    found = resolve(played, cited(title=made_up))
    assert isinstance(found, NotFound | Unanswered)


def test_two_works_of_one_title_are_offered(played: Played) -> None:
    on_search(played, item(1), item(2))
    found = resolve(played, cited())
    assert isinstance(found, Ambiguous)
    assert [w.identifiers[0].value for w in found.works] == ["10.1000/1", "10.1000/2"]
    assert "2 works fit" in found.sentence
    picked = chosen(cited(), found.works[1])
    assert picked.work == found.works[1]
    assert picked.version.kind is VersionKind.PUBLISHED


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({}, {"author": by("Smith")}),
        ({}, {"issued": {"date-parts": [[2003]]}, "published-print": None}),
        ({}, {"issued": {"date-parts": [[2020]]}, "published-print": None}),
        ({"container": "J. Estuar. Stud."}, {"container-title": ["Proceedings of the Tides"]}),
        ({}, {"author": []}),
    ],
)
def test_what_else_is_cited_tells_two_works_apart(
    played: Played, change: dict[str, Any], other: dict[str, Any]
) -> None:
    on_search(played, item(2, **other), said.crossref_item())
    found = resolve(played, cited(**change))
    assert isinstance(found, Resolved)
    assert found.work.identifiers == (DOI,)


def test_same_title_and_nothing_else_cited_stays_ambiguous(played: Played) -> None:
    on_search(played, item(1, author=by("Smith")), item(2, author=by("Okafor")))
    assert isinstance(resolve(played, cited(authors=(), year=None)), Ambiguous)


def test_the_same_title_of_another_author_is_a_mismatch(played: Played) -> None:
    on_search(played, item(1, author=by("Smith")))
    found = resolve(played, cited())
    assert fields(found) == [Field.FIRST_AUTHOR]


def test_an_exact_title_leads_only_by_the_margin(played: Played) -> None:
    near = said.TITLE.replace("Tidal", "Tidall")
    on_search(played, item(1, title=[near]), said.crossref_item())
    found = resolve(played, cited())
    assert isinstance(found, Resolved)
    assert found.work.identifiers == (DOI,)
    light = said.TITLE.replace("the oxygen", "oxygen")
    on_search(played, item(1, title=[light]), said.crossref_item())
    assert isinstance(resolve(played, cited()), Ambiguous)


def test_a_preprint_among_the_results_is_the_same_work(played: Played) -> None:
    posted = item(1, type="posted-content", issued={"date-parts": [[2018]]})
    posted["published-print"] = None
    on_search(played, posted, said.crossref_item())
    found = resolve(played, cited())
    assert isinstance(found, Resolved)
    assert {v.kind for v in found.work.versions} == {VersionKind.PREPRINT, VersionKind.PUBLISHED}
    assert found.version.kind is VersionKind.PUBLISHED
    assert isinstance(older := resolve(played, cited(year=2018)), Resolved)
    assert older.version.kind is VersionKind.PREPRINT


def test_other_registries_are_asked_where_crossref_knows_nothing(played: Played) -> None:
    on_search(played)
    played.on("/europe_pmc/search", said.europe_pmc())
    played.on("/arxiv/api", said.arxiv(said.arxiv_entry()))
    found = resolve(played, cited(year=2018))
    assert isinstance(found, Resolved)
    assert found.work.registries == (Registry.ARXIV,)


def test_a_registry_that_failed_may_know_the_work(played: Played) -> None:
    played.on("/crossref/works?", b"", status=500)
    played.on("/europe_pmc/search", said.europe_pmc())
    played.on("/arxiv/api", said.arxiv())
    found = resolve(played, cited())
    assert isinstance(found, Unanswered)
    assert found.registry is Registry.CROSSREF
    played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result()))
    assert isinstance(resolve(played, cited()), Resolved)


def test_openalex_is_asked_with_a_key_only(played: Played) -> None:
    on_search(played)
    played.on("/europe_pmc/search", said.europe_pmc())
    played.on("/arxiv/api", said.arxiv())
    played.on("/openalex/works?", {"results": [said.openalex()]})
    assert isinstance(resolve(played, cited()), NotFound)
    assert played.asked(Registry.OPENALEX) == []
    assert isinstance(resolve(played, cited(), openalex="key"), Resolved)


@pytest.mark.parametrize(
    "title", ["机器学习在医学影像诊断中的应用研究", "日本における高齢者の睡眠と記憶"]
)
def test_titles_in_chinese_and_japanese_match(played: Played, title: str) -> None:
    authors = [{"family": "王", "given": "伟", "sequence": "first"}]
    other = title[:-2] + "教育"
    on_search(
        played, item(1, title=[other], author=authors), item(2, title=[title], author=authors)
    )
    found = resolve(played, cited(title=title, authors=(Author(family="王", given="伟"),)))
    assert isinstance(found, Resolved)
    assert found.work.title == title


def test_an_author_in_another_script_does_not_disagree(played: Played) -> None:
    on_search(played, item(1, author=[{"family": "Линдквист", "given": "А."}]))
    assert isinstance(resolve(played, cited()), Resolved)


def test_an_erratum_of_the_same_title_is_not_the_work(played: Played) -> None:
    erratum = item(1, title=[f"Erratum: {said.TITLE}"])
    reply = item(2, title=[f"{said.TITLE}: a reply"])
    on_search(played, erratum, reply, said.crossref_item())
    found = resolve(played, cited())
    assert isinstance(found, Resolved)
    assert found.work.identifiers == (DOI,)


@pytest.mark.parametrize("title", [said.TITLE, f"RETRACTED: {said.TITLE}"])
def test_a_notice_with_the_title_of_its_work_is_not_the_work(played: Played, title: str) -> None:
    about = {"update-to": [{"type": "retraction", "DOI": said.DOI}]}
    retracted = {"updated-by": [{"type": "retraction", "DOI": "10.1000/1"}]}
    on_search(played, item(1, title=[title], **about), said.crossref_item(**retracted))
    found = resolve(played, cited())
    assert isinstance(found, Resolved)
    assert found.work.identifiers == (DOI,)
    assert found.work.withdrawn


def test_a_book_by_isbn(played: Played) -> None:
    isbn = Identifier(scheme=Scheme.ISBN, value="9780306406157")
    played.on("/crossref/works?filter=isbn", said.crossref_list(item(1, type="monograph")))
    found = resolve(played, cited(identifiers=(isbn,)))
    assert isinstance(found, Resolved)
    assert isbn in found.work.identifiers
    assert fields(resolve(played, cited(identifiers=(isbn,), title=INVENTED))) == [Field.TITLE]


def test_a_book_that_crossref_does_not_know_is_searched_for(played: Played) -> None:
    isbn = Identifier(scheme=Scheme.ISBN, value="9780306406157")
    on_search(played, said.crossref_item())
    played.on("/crossref/works?filter=isbn", said.crossref_list())
    assert isinstance(resolve(played, cited(identifiers=(isbn,))), Resolved)
    bare = resolve(played, WorkCitation(identifiers=(isbn,)))
    assert isinstance(bare, TooVague)


def test_an_address_alone_says_too_little(played: Played) -> None:
    url = Identifier(scheme=Scheme.URL, value="https://www.example.org/report.pdf")
    assert isinstance(resolve(played, WorkCitation(identifiers=(url,))), TooVague)
    assert played.targets == []


def test_a_check_gives_up_within_its_budget(played: Played, time: FakeTime) -> None:
    for registry in Registry:
        played.on(f"/{registry.value}/", b"", status=503)
    at = registries(played, time=time)
    found = Resolver(at).resolve(cited(), Enquiry(Budget(retries=4, seconds=60)))
    assert isinstance(found, Unanswered)
    assert len(played.targets) == 4 + 4
    assert time.seconds < 80


def test_a_registry_that_answers_with_words_for_a_person(played: Played) -> None:
    def handler(request: Request, connection: Connection) -> None:
        connection.send(response(200, b"Resource temporarily unavailable."))

    played.on("/crossref/", handler)
    found = resolve(played, cited(identifiers=(DOI,)))
    assert isinstance(found, Unanswered)
    assert "temporarily" not in found.sentence
