"""Crossref (https://www.crossref.org/documentation/retrieve-metadata/rest-api/)."""

from pydantic import Field

from core.citations.model import Author, Identifier, Scheme, WorkCitation
from core.scholarly import notices, shapes
from core.scholarly.asking import Asker, Enquiry, Question, path
from core.scholarly.endpoints import Endpoints, query_family, query_title, require
from core.scholarly.reply import Reply
from core.scholarly.titles import plain
from core.scholarly.work import (
    Abstract,
    Registry,
    Standing,
    Version,
    VersionKind,
    Work,
    WorkNotice,
)

_REGISTRY = Registry.CROSSREF
ROWS = 5


class _Person(shapes.Shape):
    family: str | None = None
    given: str | None = None
    name: str | None = None
    sequence: str | None = None


class _Date(shapes.Shape):
    parts: list[list[int | None]] = Field(default=[], alias="date-parts")

    @property
    def year(self) -> int | None:
        return self.parts[0][0] if self.parts and self.parts[0] else None


class _Update(shapes.Shape):
    kind: str | None = Field(default=None, alias="type")
    doi: str | None = Field(default=None, alias="DOI")
    label: str | None = None


class _Related(shapes.Shape):
    kind: str | None = Field(default=None, alias="id-type")
    id: str | None = None


class _Item(shapes.Shape):
    doi: str = Field(alias="DOI")
    kind: str | None = Field(default=None, alias="type")
    title: list[str] | None = None
    subtitle: list[str] | None = None
    original_title: list[str] | None = Field(default=None, alias="original-title")
    container: list[str] | None = Field(default=None, alias="container-title")
    author: list[_Person] | None = None
    editor: list[_Person] | None = None
    issued: _Date | None = None
    published: _Date | None = None
    in_print: _Date | None = Field(default=None, alias="published-print")
    online: _Date | None = Field(default=None, alias="published-online")
    posted: _Date | None = None
    abstract: str | None = None
    updated_by: list[_Update] | None = Field(default=None, alias="updated-by")
    update_to: list[_Update] | None = Field(default=None, alias="update-to")
    relation: dict[str, list[_Related]] | None = None


class _One(shapes.Shape):
    message: _Item


class _Items(shapes.Shape):
    items: list[_Item]


class _Many(shapes.Shape):
    message: _Items


class Crossref:
    """Works by DOI or ISBN, and works that look like what a citation says."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)

    def work(self, identifier: Identifier, enquiry: Enquiry) -> Work | None:
        """The work with this DOI; None where Crossref does not know it, which another agency may.

        Raises `RegistryError`.
        """
        require(identifier, Scheme.DOI)
        question = Question(f"{self._home}/works/{path(identifier.value)}", _REGISTRY)
        return self._asker.ask(question, _read_one, enquiry)

    def books(self, identifier: Identifier, enquiry: Enquiry) -> tuple[Work, ...]:
        """The works with this ISBN: a book, and often its chapters. Raises `RegistryError`."""
        require(identifier, Scheme.ISBN)
        asked = (("filter", f"isbn:{identifier.value}"), ("rows", str(ROWS * 4)))
        question = Question(f"{self._home}/works", _REGISTRY, asked)
        return self._asker.ask(question, _read_books, enquiry) or ()

    def search(self, citation: WorkCitation, enquiry: Enquiry) -> tuple[Work, ...]:
        """Works that look like the citation, the likeliest first. Raises `RegistryError`."""
        said = [query_title(citation), query_family(citation), citation.container[:100]]
        said += [str(citation.year)] if citation.year else []
        asked = (("query.bibliographic", " ".join(filter(None, said))), ("rows", str(ROWS)))
        question = Question(f"{self._home}/works", _REGISTRY, asked)
        return self._asker.ask(question, _read_many, enquiry) or ()


def _read_one(reply: Reply) -> Work:
    return _work(shapes.json_of(reply, _One, _REGISTRY).message)


def _read_many(reply: Reply) -> tuple[Work, ...]:
    return tuple(_work(item) for item in shapes.json_of(reply, _Many, _REGISTRY).message.items)


def _read_books(reply: Reply) -> tuple[Work, ...]:
    items = shapes.json_of(reply, _Many, _REGISTRY).message.items
    return tuple(_work(item) for item in items if item.kind in _WHOLE_BOOKS)


_REPLACING = frozenset({"new_version", "correction", "corrigendum"})

_WHOLE_BOOKS = frozenset({"book", "monograph", "edited-book", "reference-book", "proceedings"})


def _work(item: _Item) -> Work:
    own = shapes.doi(item.doi)
    if own is None:
        raise shapes.malformed(_REGISTRY)
    title, labelled = notices.without_label(plain((item.title or [""])[0]))
    subtitle = plain((item.subtitle or [""])[0])
    preprint = item.kind == "posted-content"
    dates = (item.issued, item.published, item.in_print, item.online, item.posted)
    kind = VersionKind.PREPRINT if preprint else VersionKind.PUBLISHED
    version = Version(
        kind,
        shapes.known(own, shapes.arxiv_of_doi(own)),
        shapes.years(*(date.year for date in dates if date is not None)),
        plain((item.container or [""])[0]),
    )
    others = [f"{title}: {subtitle}"] if subtitle and title else []
    others += [plain(t) for t in item.original_title or ()]
    found = [WorkNotice(standing, _REGISTRY) for standing in labelled]
    found += _notices(item, own)
    abstract = shapes.abstract_text(item.abstract)
    return Work(
        title=title,
        authors=_authors(item),
        versions=(version, *_related(item, preprint)),
        registries=(_REGISTRY,),
        other_titles=tuple(t for t in others if t),
        abstract=Abstract(abstract, _REGISTRY, kind) if abstract else None,
        notices=notices.settled(found),
    )


def _authors(item: _Item) -> tuple[Author, ...]:
    """The authors, the one marked as first before the others; a book's editors otherwise."""
    given = item.author or item.editor or []
    ordered = sorted(given, key=lambda p: p.sequence != "first")
    return shapes.people([shapes.person(p.family or p.name, p.given) for p in ordered])


def _related(item: _Item, preprint: bool) -> tuple[Version, ...]:
    """The other version that the record itself names."""
    name, kind = (
        ("is-preprint-of", VersionKind.PUBLISHED)
        if preprint
        else ("has-preprint", VersionKind.PREPRINT)
    )
    related = (item.relation or {}).get(name, [])
    dois = [shapes.doi(r.id) for r in related if (r.kind or "").casefold() == "doi"]
    identifiers = shapes.known(*dois, *(shapes.arxiv_of_doi(d) for d in dois))
    return (Version(kind, identifiers),) if identifiers else ()


def _notices(item: _Item, own: Identifier) -> list[WorkNotice]:
    found: list[WorkNotice] = []
    in_place = {
        (update.kind or "").casefold()
        for update in (*(item.updated_by or ()), *(item.update_to or ()))
        if shapes.doi(update.doi) == own
    }
    if "retraction" in in_place and not in_place.isdisjoint(_REPLACING):
        # Under one DOI: what was there was retracted, and what is there now stands in its place.
        found.append(WorkNotice(Standing.RETRACTED_AND_REPLACED, _REGISTRY, own.value))
    for update in item.updated_by or ():
        standing = notices.update(update.kind or "", update.label or "")
        notice = shapes.doi(update.doi)
        if standing is not None:
            found.append(WorkNotice(standing, _REGISTRY, notice.value if notice else ""))
    for update in item.update_to or ():
        standing = notices.update(update.kind or "", update.label or "")
        target = shapes.doi(update.doi)
        if standing is None:
            continue
        if target == own:
            # A work that was changed in place carries its own notice.
            found.append(WorkNotice(standing, _REGISTRY, own.value))
        elif (is_notice := notices.of_another(standing)) is not None:
            found.append(WorkNotice(is_notice, _REGISTRY, target.value if target else ""))
    return found
