"""The text of a cited work, from the registries: resolved, retrieved, read.

    found = Lookup(Resolver(registries), Retriever(registries), reader).find(citation, enquiry)

Only what the citation itself says is ever asked for; the claim does not come here.
"""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from core.citations.model import WorkCitation
from core.citations.works.identifiers import identifiers
from core.documents.errors import ReadingError
from core.documents.model import Document
from core.documents.read import read_text
from core.ports import DocumentReader
from core.review.library import HEAD
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
        if not citation.title and _says_more(written) and not _bears(written, resolution.work):
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


LEAST_TITLE_BITS = 15.0
"""What words beside an identifier must tell to count as a title, or what else names the work."""


def _says_more(written: str) -> bool:
    """Whether there are words beside the identifiers that could be a title."""
    rest, at = "", 0
    for found in identifiers(written):
        rest, at = f"{rest} {written[at : found.start]}", found.end
    words = [word for word in titles.title_words(rest + " " + written[at:]) if word.isalpha()]
    return titles.information(words) >= LEAST_TITLE_BITS


def _is_that_work(document: Document, work: Work) -> bool:
    """Whether the text bears the work's title: a page in its place must not be judged for it."""
    return any(titles.near(document.title, title) for title in work.titles) or _bears(
        document.text[:HEAD], work
    )


def _bears(text: str, work: Work) -> bool:
    """Whether one of the work's titles, if it tells anything, stands in the text, word for word."""
    told = [titles.title_words(title) for title in work.titles]
    wanted = [
        f" {' '.join(words)} " for words in told if titles.information(words) >= LEAST_TITLE_BITS
    ]
    for at in range(0, max(1, len(text)), titles.LONGEST_TITLE // 2):
        words = titles.title_words(text[at : at + titles.LONGEST_TITLE])
        if any(title in f" {' '.join(words)} " for title in wanted):
            return True
    return False
