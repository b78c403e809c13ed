"""Only the citation's own fields are ever sent: held by types, and looked for on the wire."""

import inspect
import re
import typing
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.citations.model import Author, Identifier, Scheme, WorkCitation
from core.scholarly.asking import Enquiry
from core.scholarly.registries import Registries
from core.scholarly.resolve import Resolver
from core.scholarly.retrieve import Retriever
from core.scholarly.titles import title_words
from core.scholarly.work import Registry, Version, Work
from tests.core.scholarly import said
from tests.core.scholarly.played import Played, registries

ALLOWED = {Identifier, WorkCitation, Enquiry, Work, Version}


def parameters(kind: type) -> list[tuple[str, Any]]:
    """Name and types of every parameter of every public method."""
    found = []
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if name.startswith("_"):
            continue
        hints = typing.get_type_hints(method)
        for parameter in inspect.signature(method).parameters:
            if parameter != "self":
                found.append((f"{kind.__name__}.{name}({parameter})", hints[parameter]))
    return found


def test_no_client_can_be_given_other_words() -> None:
    clients = [kind for name, kind in typing.get_type_hints(Registries).items() if name != "asker"]
    assert len(clients) == len(Registry)
    listed = [p for kind in (*clients, Resolver, Retriever) for p in parameters(kind)]
    assert len(listed) > 20
    for name, hint in listed:
        types = set(typing.get_args(hint) or (hint,)) - {type(None)}
        assert types <= ALLOWED, f"{name} takes {types}"


CONSTANT = """
    query bibliographic rows filter isbn title search per_page fields title,authors,year,venue,
    abstract,externalIds id_list max_results search_query ti au AND query resultType core format
    json pageSize TITLE AUTH DOI EXT_ID SRC MED PMCID PMID ARXIV db pubmed id retmode xml tool
    Countersign works paper match v2 ra api efetch fcgi doi pmid pmcid arxiv crossref openalex
    semantic_scholar europe_pmc unpaywall doi_org api_key 1 5 20
"""


def words_sent(target: str) -> set[str]:
    parts = urlsplit(target)
    said_words = [unquote(parts.path)]
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        said_words += [name, value]
    return {w for text in said_words for w in title_words(text)}


def known_words(citation: WorkCitation) -> set[str]:
    texts = [citation.title, citation.container, str(citation.year or "")]
    texts += [citation.authors[0].family] if citation.authors else []
    texts += [f"{i.value} {i.canonical}" for i in citation.identifiers]
    return {w for text in (*texts, CONSTANT) for w in title_words(text)}


LETTERS = st.text("bcdfgklmnprstvz", min_size=4, max_size=9)
PHRASES = st.lists(LETTERS, min_size=4, max_size=9).map(" ".join)


@st.composite
def citations(draw: st.DrawFn) -> WorkCitation:
    """Citations with a word of its own in every field."""
    number = draw(st.integers(10_000_000, 99_999_999))
    identifiers = {
        Scheme.DOI: f"10.1000/{draw(LETTERS)}.{number}",
        Scheme.ARXIV: f"{number // 10_000:04d}.{number % 10_000:04d}1",
        Scheme.PMID: str(number),
        Scheme.PMCID: f"PMC{number}",
        Scheme.ISBN: "9780306406157",
        Scheme.ISSN: "1234-5678",
        Scheme.URL: f"https://www.{draw(LETTERS)}.example/{draw(LETTERS)}",
    }
    chosen = draw(st.lists(st.sampled_from(sorted(identifiers)), max_size=2, unique=True))
    return WorkCitation(
        identifiers=tuple(Identifier(scheme=s, value=identifiers[s]) for s in chosen),
        authors=(
            Author(family=draw(LETTERS), given="Canarygiven"),
            Author(family="Canarysecond", given="X"),
        ),
        title=draw(PHRASES),
        year=draw(st.integers(1950, 2025)),
        container=draw(PHRASES),
        volume="canaryvolume",
        issue="canaryissue",
        pages="canarypages",
        key="canarykey",
        start=4242424,
        end=5353535,
    )


@given(citations())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_sent_stands_in_the_citation(played: Played, citation: WorkCitation) -> None:
    played.on("/doi_org/ra/", said.agency("mEDRA"))
    played.on("/europe_pmc/search", said.europe_pmc())
    played.on("/arxiv/api", said.arxiv())
    played.on("/pubmed/", said.pubmed())
    before = len(played.server.requests)
    at = registries(played, openalex="openalexkey", semantic_scholar="scholarkey")
    Resolver(at).resolve(citation)
    known = known_words(citation) | {"openalexkey"}
    for request in played.server.requests[before:]:
        assert request.method == "GET"
        unknown = words_sent(request.target) - known
        assert unknown == set(), request.target
        assert "canary" not in request.target.casefold()
        assert not re.search("4242424|5353535", request.target)
        assert request.headers.keys() <= {
            "host", "user-agent", "accept", "accept-encoding", "connection", "x-api-key",
        }  # fmt: skip
        assert request.headers["user-agent"] == "Countersign"


def test_every_kind_of_request_was_looked_at(played: Played) -> None:
    """The property above reaches every registry that a citation can be sent to."""
    played.on("/doi_org/ra/", said.agency("mEDRA"))
    title, authors = said.TITLE, (Author(family="Lindqvist"),)
    at = registries(played, openalex="k", contact="me@example.org")
    for scheme, value in (
        (Scheme.DOI, "10.1000/1"),
        (Scheme.ARXIV, "1903.04567"),
        (Scheme.PMID, "1"),
        (Scheme.PMCID, "PMC1"),
        (Scheme.ISBN, "9780306406157"),
    ):
        identifier = Identifier(scheme=scheme, value=value)
        Resolver(at).resolve(WorkCitation(identifiers=(identifier,), title=title, authors=authors))
    asked = {registry for registry in Registry if played.asked(registry)}
    assert asked == set(Registry) - {Registry.UNPAYWALL}


@pytest.mark.parametrize("length", [1000, 100_000])
def test_a_title_without_end_is_not_sent_whole(played: Played, length: int) -> None:
    title = "plumes in estuaries " * (length // 20)
    Resolver(registries(played)).resolve(WorkCitation(title=title, year=2019))
    assert all(len(request.target) < 1200 for request in played.server.requests)


def test_signs_of_a_query_language_are_not_sent(played: Played) -> None:
    title = 'Plumes" OR DOI:"10.1 (tides) AND au:smith, mixing|type:x [ti] estuarine* oxygen~2'
    citation = WorkCitation(title=title, authors=(Author(family='X" OR "Y'),), year=2019)
    at = registries(played, openalex="k")
    at.arxiv.search(citation, Enquiry())
    at.europe_pmc.search(citation, Enquiry())
    at.openalex.search(citation, Enquiry())
    arxiv, europe_pmc, openalex = played.targets
    assert arxiv.count('"') == europe_pmc.count('"') == 4
    assert "(" not in arxiv + europe_pmc + openalex
    assert "|" not in openalex
    assert openalex.count(":") == 1
    assert "," not in openalex


@pytest.mark.parametrize("value", ['10.1000/x" OR TITLE:"y', "10.1000/a\\", '10.1000/""'])
def test_an_identifier_cannot_end_its_query(played: Played, value: str) -> None:
    at = registries(played)
    at.europe_pmc.work(Identifier(scheme=Scheme.DOI, value=value), Enquiry())
    assert played.targets[0].count('"') == 2
    assert "\\" not in played.targets[0]
