"""Get what a work says: its full text if it lies open, else its abstract, else why not.

Bytes are only carried here. A caller gives them to the reader worker, as a file of `media_type`:
nothing of a publisher's file is parsed in the program's own process.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from core.citations.model import Identifier, Scheme
from core.documents.model import Document, TextScope
from core.scholarly.asking import MOST_TEXT_BYTES, TEXT_AGE, Enquiry, Question
from core.scholarly.errors import Malformed, OfflineMode, RegistryError
from core.scholarly.registries import Registries
from core.scholarly.reply import Reply
from core.scholarly.work import (
    Abstract,
    PlaceKind,
    Registry,
    TextPlace,
    Version,
    VersionKind,
    Work,
    joined,
)

_T = TypeVar("_T")

_MEDIA_TYPES = {
    PlaceKind.JATS: "application/xml",
    PlaceKind.HTML: "text/html",
    PlaceKind.PDF: "application/pdf",
}

_FORM_ORDER = (PlaceKind.JATS, PlaceKind.HTML, PlaceKind.PDF)

_LOOK = 4096
"""Bytes at the beginning in which a file shows what it is."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something that was tried and gave nothing. `where` is a registry or a host."""

    where: str
    sentence: str


@dataclass(frozen=True, slots=True)
class FullText:
    """A full text as bytes.

    Attributes: `work`, with all that was learned of it meanwhile; `media_type` of `body`, as its
    content shows; `place`, where it was and of which version it is.
    """

    work: Work
    body: bytes
    media_type: str
    place: TextPlace
    attempts: tuple[Attempt, ...] = ()

    @property
    def sentence(self) -> str:
        """What was found, as a person reads it."""
        label = f", {self.place.label}" if self.place.label else ""
        return f"The full text was read ({self.place.version.words}{label})."


@dataclass(frozen=True, slots=True)
class AbstractOnly:
    """An abstract and no more; what it does not say, the work may say all the same."""

    work: Work
    abstract: Abstract
    attempts: tuple[Attempt, ...] = ()

    @property
    def sentence(self) -> str:
        """What was found, as a person reads it."""
        version = f"{self.abstract.version.words}, " if self.abstract.version else ""
        return (
            f"Only the abstract was read ({version}{self.abstract.registry.words}); the full text "
            "could not be had."
        )


@dataclass(frozen=True, slots=True)
class NoText:
    """Neither a full text nor an abstract could be had."""

    work: Work
    attempts: tuple[Attempt, ...] = ()

    @property
    def sentence(self) -> str:
        """What was found, as a person reads it."""
        return (
            "Neither the full text nor an abstract of this work could be had. Add the work as a "
            "file to check against it."
        )


Retrieved = FullText | AbstractOnly | NoText


def scoped(document: Document, found: FullText | AbstractOnly) -> Document:
    """`document`, which a reader made of what was found, with how much of the work it is.

    What the registries say of the work's standing is added to what the document itself says.
    """
    abstract = isinstance(found, AbstractOnly)
    notices = dict.fromkeys((*document.notices, *found.work.document_notices()))
    return replace(
        document,
        scope=TextScope.ABSTRACT_ONLY if abstract else document.scope,
        notices=tuple(notices),
    )


class Retriever:
    """Retrieves texts. May be used from any thread."""

    def __init__(self, registries: Registries) -> None:
        self._at = registries

    def retrieve(
        self, work: Work, version: Version | None = None, enquiry: Enquiry | None = None
    ) -> Retrieved:
        """The best text of `work` that can be had, of `version` rather than of another.

        Raises `core.cancellation.Cancelled`.
        """
        meant = version or work.versions[0]
        search = _Search(self._at, work, meant, enquiry or Enquiry())
        return search.result()


class _Search:
    """One retrieval: what is known of the work grows while places are tried."""

    def __init__(
        self, registries: Registries, work: Work, meant: Version, enquiry: Enquiry
    ) -> None:
        self._at = registries
        self._work = work
        self._meant = meant
        self._enquiry = enquiry
        self._attempts: list[Attempt] = []
        self._tried: set[str] = set()
        self._offline = False

    def result(self) -> Retrieved:
        for learn in self._sources():
            learn()
            text = self._text()
            if text is not None:
                return replace(text, work=self._work, attempts=tuple(self._attempts))
        if self._work.abstract is None:
            self._learn_abstract()
        if self._work.abstract is not None:
            return AbstractOnly(self._work, self._work.abstract, tuple(self._attempts))
        return NoText(self._work, tuple(self._attempts))

    def _sources(self) -> Iterator[Callable[[], None]]:
        """What may know of places, each asked only while no text was found.

        Europe PMC is asked first and always: it has texts that need no PDF, and it tells
        retractions and corrections.
        """
        yield self._ask_europe_pmc
        yield self._ask_arxiv
        yield self._ask_openalex
        yield self._ask_unpaywall

    def _ask_europe_pmc(self) -> None:
        identifier = self._identifier(Scheme.PMCID, Scheme.PMID, Scheme.DOI)
        if identifier is not None and Registry.EUROPE_PMC not in self._work.registries:
            self._join(Registry.EUROPE_PMC, self._at.europe_pmc.work, identifier)

    def _ask_arxiv(self) -> None:
        pinned = [i for i in self._work.of(Scheme.ARXIV) if i.version is not None]
        known = pinned or list(self._work.of(Scheme.ARXIV))
        if known and Registry.ARXIV not in self._work.registries:
            self._join(Registry.ARXIV, self._at.arxiv.work, known[0])

    def _ask_openalex(self) -> None:
        identifier = self._identifier(Scheme.DOI, Scheme.PMID, Scheme.PMCID)
        if identifier is not None and self._at.openalex.usable:
            self._join(Registry.OPENALEX, self._at.openalex.work, identifier)

    def _ask_unpaywall(self) -> None:
        identifier = self._identifier(Scheme.DOI)
        if identifier is None or not self._at.unpaywall.usable:
            return
        places = self._asked(
            Registry.UNPAYWALL, lambda: self._at.unpaywall.places(identifier, self._enquiry)
        )
        known = dict.fromkeys((*self._work.places, *(places or ())))
        self._work = replace(self._work, places=tuple(known))

    def _learn_abstract(self) -> None:
        pmid = self._identifier(Scheme.PMID)
        if pmid is not None and Registry.PUBMED not in self._work.registries:
            self._join(Registry.PUBMED, self._at.pubmed.work, pmid)
        other = self._identifier(Scheme.DOI, Scheme.ARXIV, Scheme.PMID)
        if self._work.abstract is None and other is not None:
            self._join(Registry.SEMANTIC_SCHOLAR, self._at.semantic_scholar.work, other)

    def _identifier(self, *schemes: Scheme) -> Identifier | None:
        """The best identifier of the first scheme that there is, of the version meant if it can."""
        for scheme in schemes:
            own = [i for i in self._meant.identifiers if i.scheme is scheme]
            found = own or self._work.of(scheme)
            if found:
                return found[0]
        return None

    def _join(
        self,
        registry: Registry,
        ask: Callable[[Identifier, Enquiry], Work | None],
        identifier: Identifier,
    ) -> None:
        found = self._asked(registry, lambda: ask(identifier, self._enquiry))
        if found is not None and not set(found.identifiers).isdisjoint(self._work.identifiers):
            known = self._work.abstract
            self._work = joined(self._work, found)
            better = found.abstract is not None and found.abstract.version is self._meant.kind
            if better and known is not None and known.version is not self._meant.kind:
                self._work = replace(self._work, abstract=found.abstract)

    def _asked(self, registry: Registry, ask: Callable[[], _T | None]) -> _T | None:
        try:
            return ask()
        except RegistryError as error:
            self._failed(registry.words, error)
            return None

    def _failed(self, where: str, error: RegistryError) -> None:
        # What was asked before may be at hand, so that the rest is tried; it is told once.
        if not (self._offline and isinstance(error, OfflineMode)):
            self._attempts.append(Attempt(where, str(error)))
        self._offline = self._offline or isinstance(error, OfflineMode)

    def _text(self) -> FullText | None:
        """The first place that gives a text of the form that it promises."""
        for place in sorted(self._work.places, key=self._order):
            if place.url in self._tried:
                continue
            self._tried.add(place.url)
            question = _question(place)
            try:
                body = self._at.asker.ask(question, _reader(place), self._enquiry)
            except RegistryError as error:
                self._failed(question.host, error)
                continue
            if body is None:
                missing = f"{question.host} has no such text."
                self._attempts.append(Attempt(question.host, missing))
                continue
            return FullText(self._work, body, _MEDIA_TYPES[place.kind], place)
        return None

    def _order(self, place: TextPlace) -> tuple[int, int]:
        """The version that is meant before others, later states before earlier, JATS before PDF."""
        states = [self._meant.kind, *reversed(VersionKind)]
        return states.index(place.version), _FORM_ORDER.index(place.kind)


def _question(place: TextPlace) -> Question:
    question = Question(
        place.url,
        place.registry if place.registry in _OWN_TEXTS[place.kind] else None,
        accept=_MEDIA_TYPES[place.kind],
        most_bytes=MOST_TEXT_BYTES,
        age=TEXT_AGE,
    )
    return replace(question, registry=_HOSTS.get(question.host, question.registry))


_OWN_TEXTS = {
    PlaceKind.JATS: frozenset({Registry.EUROPE_PMC}),
    PlaceKind.HTML: frozenset({Registry.ARXIV}),
    PlaceKind.PDF: frozenset({Registry.ARXIV}),
}

_HOSTS = {
    "arxiv.org": Registry.ARXIV,
    "export.arxiv.org": Registry.ARXIV,
    "europepmc.org": Registry.EUROPE_PMC,
    "www.ebi.ac.uk": Registry.EUROPE_PMC,
}
"""Texts here are asked for at the registry's own pace, whoever named the place."""


def _reader(place: TextPlace) -> Callable[[Reply], bytes]:
    """Takes a body only if it shows that it is what the place promises."""

    def read(reply: Reply) -> bytes:
        if not _shows(place.kind, reply):
            raise Malformed(
                f"{_question(place).host} gave something else than the text, such as a page to "
                "sign in. It was not used.",
                place.registry,
            )
        return reply.body

    return read


def _shows(kind: PlaceKind, reply: Reply) -> bool:
    if kind is PlaceKind.PDF:
        return b"%PDF-" in reply.body[:1024]
    if kind is PlaceKind.HTML:
        page = reply.media_type in ("text/html", "application/xhtml+xml")
        return page and b"<html" in reply.body[:_LOOK].lower()
    # A record without its body is what archives give of articles that are not open.
    return b"<article" in reply.body[:_LOOK] and b"<body" in reply.body
