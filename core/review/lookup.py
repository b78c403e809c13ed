"""The text of a cited work, from the registries: resolved, retrieved, read.

    found = Lookup(Resolver(registries), Retriever(registries), reader).find(citation, enquiry)

Only what the citation itself says is ever asked for; the claim does not come here.
"""

import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from core.citations.model import WorkCitation
from core.citations.works.identifiers import identifiers
from core.documents.errors import ReadingError
from core.documents.model import Document, Format
from core.documents.read import read_text
from core.ports import DocumentReader
from core.review.library import ABOUT_OTHERS, HEAD, bears, says_more
from core.scholarly import titles
from core.scholarly.asking import Enquiry
from core.scholarly.resolution import Resolution, Resolved
from core.scholarly.resolve import Resolver
from core.scholarly.retrieve import AbstractOnly, FullText, NoText, Retriever, scoped
from core.scholarly.work import Registry, Work

_ENDINGS = {"application/xml": ".xml", "text/html": ".html", "application/pdf": ".pdf"}


@dataclass(frozen=True, slots=True)
class FoundText:
    """What a work says. `document` carries what was said of its standing since."""

    document: Document
    name: str
    """The work as a person reads it."""
    how: str
    """How it was found and how much of it was read, in sentences."""


@dataclass(frozen=True, slots=True)
class NothingFound:
    """Why there is no text; `resolution` says more where the work itself was not found."""

    why: str
    resolution: Resolution | None = None


class Lookup:
    """Looks works up. May be used from any thread that the reader may be used from."""

    def __init__(self, resolver: Resolver, retriever: Retriever, reader: DocumentReader) -> None:
        self._resolver = resolver
        self._retriever = retriever
        self._reader = reader

    def find(
        self, citation: WorkCitation, written: str = "", enquiry: Enquiry | None = None
    ) -> FoundText | NothingFound:
        """The text of the one work that is cited, or why there is none.

        `written` is the citation as it stands in a text. Where it says more than was read out of
        it, the work's title has to stand in it: an invented title must not go unnoticed beside a
        real DOI because nobody could read it. It is compared here and sent nowhere.

        Raises `core.cancellation.Cancelled`.
        """
        enquiry = enquiry or Enquiry()
        resolution = self._resolver.resolve(citation, enquiry)
        if not isinstance(resolution, Resolved):
            return NothingFound(resolution.sentence, resolution)
        if not citation.title and (
            (says_more(written) and not bears(written, resolution.work.titles))
            or _says_other(written, resolution.work)
        ):
            return NothingFound(
                f"{resolution.sentence} The citation says more, and not this title, so it may mean "
                "another work. Give its title, or the identifier alone.",
                resolution,
            )
        got = self._retriever.retrieve(resolution.work, resolution.version, enquiry)
        if isinstance(got, NoText):
            return NothingFound(f"{resolution.sentence} {got.sentence}", resolution)
        try:
            document = self._read(got, enquiry)
        except ReadingError as error:
            return NothingFound(
                f"{resolution.sentence} Its text cannot be read: {error}", resolution
            )
        if isinstance(got, FullText) and not _is_that_work(document, got.work):
            return NothingFound(
                f"{resolution.sentence} The text that was found does not bear its title, so it was "
                "not used. Add the work as a file to check against it.",
                resolution,
            )
        # What became known while the text was looked for counts too: a retraction above all.
        document = scoped(document, got)
        return FoundText(
            replace(document, title=document.title or got.work.title),
            got.work.words,
            f"{replace(resolution, work=got.work).sentence} {got.sentence}{_unasked(got)}",
        )

    def standing(self, citation: WorkCitation, enquiry: Enquiry | None = None) -> Resolution:
        """What the registries say of a work whose text is at hand: its standing above all.

        Raises `core.cancellation.Cancelled`.
        """
        return self._resolver.resolve(citation, enquiry or Enquiry())

    def _read(self, got: FullText | AbstractOnly, enquiry: Enquiry) -> Document:
        if isinstance(got, AbstractOnly):
            return read_text(got.abstract.text)
        with tempfile.TemporaryDirectory(prefix="countersign-") as folder:
            file = Path(folder) / f"work{_ENDINGS[got.media_type]}"
            file.write_bytes(got.body)
            return self._reader.read(file, cancellation=enquiry.cancellation)


def _unasked(got: FullText | AbstractOnly) -> str:
    """Which registries gave no answer: what they know of its standing is then not known here."""
    names = {registry.words for registry in Registry}
    silent = [attempt.where for attempt in got.attempts if attempt.where in names]
    return f" No answer came from {', '.join(dict.fromkeys(silent))}." if silent else ""


def _is_that_work(document: Document, work: Work) -> bool:
    """Whether the text bears the work's title: a page in its place must not be judged for it.

    A comment on the work or a notice about it bears its title too, and is not it.
    """
    about = {notice.kind for notice in document.notices} & ABOUT_OTHERS
    if about and about.isdisjoint(notice.kind for notice in work.document_notices()):
        return False
    if document.title and not titles.same(document.title, "untitled"):
        return any(titles.near(document.title, title) for title in work.titles) or (
            document.format is Format.PDF and bears(document.text[:HEAD], work.titles)
        )
    return bears(document.text[:HEAD], work.titles)


def _says_other(written: str, work: Work) -> bool:
    """Whether what is written beside an identifier names a year or a name that is not the work's.

    "Smith (1987), doi:…" is no citation of a work by Jones of 2019.
    """
    rest, at = "", 0
    for found in identifiers(written):
        rest, at = f"{rest} {written[at : found.start]}", found.end
    rest = f"{rest} {written[at:]}"
    years = {int(year) for year in _YEARS.findall(rest)}
    if years and work.years and years.isdisjoint(work.years):
        return True
    own = {
        word
        for told in (
            *work.titles,
            *(f"{author.given} {author.family}" for author in work.authors),
            *(version.container for version in work.versions),
        )
        for word in titles.title_words(told)
    }
    named = (word for word in _NAMES.findall(rest) if word.casefold() not in _NOT_NAMES)
    return any(not own.issuperset(titles.title_words(word)) for word in named)


_YEARS = re.compile(r"(?<![\d./-])(?:1[5-9]|20)\d\d(?![\d/-])")
_NAMES = re.compile(r"\b[A-Z][^\W\d_]{2,}")
_NOT_NAMES = frozenset(
    {"doi", "see", "available", "from", "retrieved", "accessed", "online", "link", "source", "the",
     "pmid", "pmcid", "arxiv", "url", "https", "http", "and", "reference", "citation", "cited"}
)  # fmt: skip
