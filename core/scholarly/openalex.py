"""OpenAlex (https://developers.openalex.org). Nothing is asked without a key, which is free."""

from core.citations.model import Identifier, Scheme, WorkCitation
from core.scholarly import notices, shapes
from core.scholarly.asking import Asker, Enquiry, Question, path
from core.scholarly.endpoints import Endpoints, query_title, require
from core.scholarly.reply import Reply
from core.scholarly.titles import plain, title_words
from core.scholarly.work import (
    Abstract,
    PlaceKind,
    Registry,
    Standing,
    TextPlace,
    Version,
    VersionKind,
    Work,
    WorkNotice,
)

_REGISTRY = Registry.OPENALEX
ROWS = 5
MOST_WORDS = 20_000

_VERSIONS = {
    "submittedVersion": VersionKind.PREPRINT,
    "acceptedVersion": VersionKind.ACCEPTED,
    "publishedVersion": VersionKind.PUBLISHED,
}
"""The DRIVER words for versions, which Unpaywall uses as well."""


class _Named(shapes.Shape):
    display_name: str | None = None


class _Authorship(shapes.Shape):
    author: _Named | None = None
    raw_author_name: str | None = None


class _Location(shapes.Shape):
    is_oa: bool | None = None
    pdf_url: str | None = None
    version: str | None = None
    source: _Named | None = None


class _Ids(shapes.Shape):
    pmid: str | None = None
    pmcid: str | None = None


class _Work(shapes.Shape):
    id: str
    doi: str | None = None
    title: str | None = None
    publication_year: int | None = None
    type: str | None = None
    authorships: tuple[_Authorship, ...] = ()
    abstract_inverted_index: dict[str, list[int]] | None = None
    best_oa_location: _Location | None = None
    primary_location: _Location | None = None
    locations: list[_Location] | None = None
    is_retracted: bool | None = None
    ids: _Ids | None = None


class _Works(shapes.Shape):
    results: list[_Work]


class OpenAlex:
    """Works by DOI, PMID or PMCID (free of charge), and by title (metered)."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)

    @property
    def usable(self) -> bool:
        """Whether there is a key; OpenAlex answers nobody without one."""
        return bool(self._asker.access.key(_REGISTRY))

    def work(self, identifier: Identifier, enquiry: Enquiry) -> Work | None:
        """The work with this identifier. Raises `RegistryError`."""
        require(identifier, Scheme.DOI, Scheme.PMID, Scheme.PMCID)
        name = f"{identifier.scheme.value}:{path(identifier.value)}"
        return self._asker.ask(
            Question(f"{self._home}/works/{name}", _REGISTRY), _read_one, enquiry
        )

    def search(self, citation: WorkCitation, enquiry: Enquiry) -> tuple[Work, ...]:
        """Works with these words in their title. Raises `RegistryError`."""
        # Commas, bars and colons are signs of the filter's language, so only words are sent.
        words = " ".join(title_words(query_title(citation)))
        asked = (("filter", f"title.search:{words}"), ("per_page", str(ROWS)))
        return (
            self._asker.ask(Question(f"{self._home}/works", _REGISTRY, asked), _read_many, enquiry)
            or ()
        )


def _read_one(reply: Reply) -> Work:
    return _work(shapes.json_of(reply, _Work, _REGISTRY))


def _read_many(reply: Reply) -> tuple[Work, ...]:
    return tuple(_work(w) for w in shapes.json_of(reply, _Works, _REGISTRY).results)


def _work(found: _Work) -> Work:
    title, labelled = notices.without_label(plain(found.title or ""))
    own = shapes.doi(found.doi)
    ids = found.ids or _Ids()
    source = found.primary_location.source if found.primary_location else None
    told = [WorkNotice(standing, _REGISTRY) for standing in labelled]
    if found.is_retracted:
        told.append(WorkNotice(Standing.RETRACTED, _REGISTRY))
    kind = VersionKind.PREPRINT if found.type == "preprint" else VersionKind.PUBLISHED
    abstract = _abstract(found.abstract_inverted_index)
    return Work(
        title=title,
        authors=shapes.people(
            [
                shapes.named(a.raw_author_name or (a.author.display_name if a.author else None))
                for a in found.authorships
            ]
        ),
        versions=(
            Version(
                kind,
                shapes.known(
                    own,
                    shapes.arxiv_of_doi(own),
                    shapes.pmid(ids.pmid),
                    shapes.pmcid(ids.pmcid),
                ),
                shapes.years(found.publication_year),
                plain((source.display_name if source else None) or ""),
            ),
        ),
        registries=(_REGISTRY,),
        abstract=Abstract(abstract, _REGISTRY, kind) if abstract else None,
        places=_places(found),
        notices=notices.settled(told),
    )


def _places(found: _Work) -> tuple[TextPlace, ...]:
    places: list[TextPlace] = []
    for location in (found.best_oa_location, *(found.locations or ())):
        if location is None or not location.is_oa or not location.pdf_url:
            continue
        version = version_kind(location.version)
        if version is not None:
            places.append(TextPlace(PlaceKind.PDF, location.pdf_url, version, _REGISTRY))
    return tuple(dict.fromkeys(places))


def version_kind(name: str | None) -> VersionKind | None:
    """The version that a repository names; None where it names none, since it may be any."""
    return _VERSIONS.get(name or "")


def _abstract(index: dict[str, list[int]] | None) -> str:
    """The words put back into their order; "" where a place is empty or taken twice."""
    placed = [(at, word) for word, places in (index or {}).items() for at in places]
    if not placed or len(placed) > MOST_WORDS:
        return ""
    placed.sort()
    if [at for at, _ in placed] != list(range(len(placed))):
        return ""
    return shapes.abstract_text(" ".join(word for _, word in placed))
