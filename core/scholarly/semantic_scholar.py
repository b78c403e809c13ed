"""Semantic Scholar (https://api.semanticscholar.org/api-docs/graph). It tells no retractions."""

from pydantic import Field

from core.citations.model import Identifier, Scheme, WorkCitation
from core.scholarly import notices, shapes
from core.scholarly.asking import Asker, Enquiry, Question, path
from core.scholarly.endpoints import Endpoints, query_title, require
from core.scholarly.reply import Reply
from core.scholarly.titles import plain
from core.scholarly.work import Abstract, Registry, Version, VersionKind, Work, WorkNotice

_REGISTRY = Registry.SEMANTIC_SCHOLAR
_FIELDS = ("fields", "title,authors,year,venue,abstract,externalIds")
_PREFIXES = {Scheme.DOI: "DOI", Scheme.ARXIV: "ARXIV", Scheme.PMID: "PMID", Scheme.PMCID: "PMCID"}


class _Author(shapes.Shape):
    name: str | None = None


class _Ids(shapes.Shape):
    doi: str | None = Field(default=None, alias="DOI")
    arxiv: str | None = Field(default=None, alias="ArXiv")
    pmid: str | int | None = Field(default=None, alias="PubMed")
    pmcid: str | int | None = Field(default=None, alias="PubMedCentral")


class _Paper(shapes.Shape):
    title: str | None = None
    authors: list[_Author] | None = None
    year: int | None = None
    venue: str | None = None
    abstract: str | None = None
    ids: _Ids | None = Field(default=None, alias="externalIds")
    id: str = Field(alias="paperId")


class _Matches(shapes.Shape):
    data: list[_Paper]


class SemanticScholar:
    """Works by identifier, and the one work that a title matches best."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)

    def work(self, identifier: Identifier, enquiry: Enquiry) -> Work | None:
        """The work with this identifier. Raises `RegistryError`."""
        require(identifier, *_PREFIXES)
        value = identifier.value.removeprefix("PMC")
        name = f"{_PREFIXES[identifier.scheme]}:{path(value)}"
        question = Question(f"{self._home}/paper/{name}", _REGISTRY, (_FIELDS,))
        return self._asker.ask(question, _read_one, enquiry)

    def search(self, citation: WorkCitation, enquiry: Enquiry) -> tuple[Work, ...]:
        """The works that the title matches, at most one as a rule. Raises `RegistryError`."""
        asked = (("query", query_title(citation)), _FIELDS)
        question = Question(f"{self._home}/paper/search/match", _REGISTRY, asked)
        return self._asker.ask(question, _read_many, enquiry) or ()


def _read_one(reply: Reply) -> Work:
    return _work(shapes.json_of(reply, _Paper, _REGISTRY))


def _read_many(reply: Reply) -> tuple[Work, ...]:
    return tuple(_work(p) for p in shapes.json_of(reply, _Matches, _REGISTRY).data)


def _work(paper: _Paper) -> Work:
    ids = paper.ids or _Ids()
    title, labelled = notices.without_label(plain(paper.title or ""))
    own, arxiv = shapes.doi(ids.doi), shapes.arxiv(ids.arxiv)
    arxiv_doi = own if shapes.arxiv_of_doi(own) else None
    published = shapes.known(
        None if arxiv_doi else own, shapes.pmid(ids.pmid), shapes.pmcid(ids.pmcid)
    )
    preprint = shapes.known(arxiv, arxiv_doi)
    years, venue = shapes.years(paper.year), plain(paper.venue or "")
    versions: list[Version] = []
    if published or not preprint:
        versions.append(Version(VersionKind.PUBLISHED, published, years, venue))
    if preprint:
        # One year is given for both; which of them it dates is not said.
        versions.append(Version(VersionKind.PREPRINT, preprint, () if versions else years))
    abstract = shapes.abstract_text(paper.abstract)
    return Work(
        title=title,
        authors=shapes.people([shapes.named(a.name) for a in paper.authors or ()]),
        versions=tuple(versions),
        registries=(_REGISTRY,),
        abstract=Abstract(abstract, _REGISTRY, None) if abstract else None,
        notices=tuple(WorkNotice(standing, _REGISTRY) for standing in labelled),
    )
