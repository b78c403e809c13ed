"""The source that a citation names, for a command: a file at hand, else the registries."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from core.cancellation import Cancellation
from core.citations.model import Citation, FrameworkCitation, WorkCitation
from core.citations.parse import read_citation
from core.claims.source import Source
from core.claims.verdict import CheckResult, Outcome, TraceEntry, Verdict
from core.documents.errors import ReadingError
from core.review import model
from core.review.library import HEAD, Library, LocalSource, Match, described
from core.review.run import Found, Missing
from desktop.commands.errors import CommandError
from desktop.commands.sources import Sources

if TYPE_CHECKING:
    from core.egress_policy import Allowance
    from core.review.lookup import Lookup
    from core.scholarly.endpoints import Endpoints

REGISTRIES = "COUNTERSIGN_REGISTRIES"
"""The environment variable with the address of a server that stands in for every registry."""

CONTACT = "COUNTERSIGN_CONTACT"
"""The environment variable with the mail address by which the registries may know the person."""

OFFLINE = (
    "The program works offline, so the citation was not looked up and nothing was sent. Give the "
    "document itself with --source, a folder of documents with --sources, or allow the registries "
    "to be asked with --look-up."
)
NO_CITATION = "Nothing in this citation names a work: give a DOI, or author, title and year."

_ENDINGS = frozenset({".pdf", ".docx", ".xml", ".nxml", ".html", ".htm", ".md", ".txt"})


class CitedSources:
    """A `core.review.run.Finder`. Use as a context manager.

    It goes to the network only with `look_up`, and then with the citation's own fields alone.
    """

    def __init__(self, sources: Sources, folder: Path | None, *, look_up: bool) -> None:
        self._sources = sources
        self._folder = folder
        self._look_up = look_up
        self._library: Library | None = None
        self._lookup: Lookup | None = None
        self._open = ExitStack()

    def __enter__(self) -> Self:
        """Ready to find; nothing is opened before it is needed."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close what was opened."""
        self._open.close()

    def __call__(
        self, citation: Citation, written: str, cancellation: Cancellation | None = None
    ) -> Found | Missing:
        """The source that `citation` means; a file of the folder goes before the registries.

        Raises `ReadingError` for a file that cannot be read, `core.storage.errors.StoreError` and
        `core.cancellation.Cancelled`.
        """
        if self._folder is not None:
            found = self.library.find(citation)
            if isinstance(found, Match):
                source = self._sources.file(str(self._folder / found.source.name))
                return Found(source, found.source.name, found.how)
            if found.candidates:
                return Missing(model.Outcome.AMBIGUOUS, found.why)
            if not self._look_up and isinstance(citation, WorkCitation):
                return Missing(model.Outcome.NO_SOURCE, found.why)
        if isinstance(citation, FrameworkCitation):
            return _of_framework(citation, written)
        return self._registered(citation, written, cancellation)

    def written(self, text: str, cancellation: Cancellation | None = None) -> Found | Missing:
        """The source that `text` cites. Raises ValueError for a citation that is none."""
        citation = read_citation(text)
        if citation is None:
            raise ValueError(NO_CITATION)
        return self(citation, text, cancellation)

    @property
    def library(self) -> Library:
        """The files of the folder, read once; those that cannot be read are left out."""
        if self._library is None:
            self._library = Library(list(self._described()))
        return self._library

    def _described(self) -> Iterator[LocalSource]:
        from core.citations.works.identifiers import identifiers

        assert self._folder is not None
        for path in sorted(self._folder.rglob("*")):
            if path.suffix.lower() not in _ENDINGS or not path.is_file():
                continue
            try:
                document = self._sources.file(str(path)).document
            except ReadingError:
                continue
            named = (found.identifier for found in identifiers(document.text[:HEAD]))
            yield described(path.relative_to(self._folder).as_posix(), document, named)

    def _registered(
        self, citation: WorkCitation, written: str, cancellation: Cancellation | None
    ) -> Found | Missing:
        from core.review.lookup import FoundText
        from core.scholarly.asking import Enquiry
        from core.scholarly.resolution import Ambiguous

        if not self._look_up:
            return Missing(model.Outcome.NO_SOURCE, OFFLINE)
        if self._lookup is None:
            self._lookup = self._opened()
        found = self._lookup.find(citation, written, Enquiry(cancellation=cancellation))
        if isinstance(found, FoundText):
            return Found(Source(found.document), found.name, found.how)
        several = isinstance(found.resolution, Ambiguous)
        outcome = model.Outcome.AMBIGUOUS if several else model.Outcome.NO_SOURCE
        return Missing(outcome, found.why)

    def _opened(self) -> "Lookup":
        from core.egress import Door
        from core.egress_policy import EgressPolicy
        from core.home import home
        from core.review.lookup import Lookup
        from core.scholarly.asking import Access, Asker
        from core.scholarly.registries import Registries
        from core.scholarly.resolve import Resolver
        from core.scholarly.retrieve import Retriever
        from core.storage.store import Store
        from models.secrets import Keyring

        endpoints, allowed = _places()
        store = self._open.enter_context(Store.open(home()))
        door = Door(EgressPolicy(online=True, allowed=(allowed,)), store.egress)
        access = Access(os.environ.get(CONTACT, "").strip(), Keyring())
        registries = Registries.over(Asker(door, store.answers, access=access), endpoints)
        return Lookup(Resolver(registries), Retriever(registries), self._sources.reader)


def _places() -> "tuple[Endpoints, Allowance]":
    """The registries' addresses, and what the policy has to allow for them."""
    from core.egress_policy import Allowance, Purpose
    from core.scholarly.endpoints import HOMES, Endpoints, allowance

    stand_in = os.environ.get(REGISTRIES, "").strip().rstrip("/")
    if not stand_in:
        return Endpoints(), allowance()
    homes = {registry: f"{stand_in}/{registry.value}" for registry in HOMES}
    try:
        place = stand_in.partition("://")[2].partition("/")[0]
        allowed = Allowance(Purpose.CITATION, frozenset({place}))
    except ValueError as error:
        raise CommandError(
            f"{REGISTRIES} is set to “{stand_in}”, which is no address of a server. Nothing was "
            "sent. Correct it, or remove it."
        ) from error
    return Endpoints(homes, f"{stand_in}/texts"), allowed


def _of_framework(citation: FrameworkCitation, written: str) -> Missing:
    """What the closed lists say of a citation whose text is not at hand."""
    from core.citations.closed_lists.closed_lists import ClosedLists

    answer = ClosedLists().check(citation, written)
    return Missing(
        model.Outcome.NO_SOURCE,
        f"{answer.sentence} The text of {citation.instrument} is not at hand: put it into the "
        "folder of sources, under its name, to check against it.",
    )


def without_source(why: str) -> CheckResult:
    """The verdict where a citation led to no source."""
    trace = TraceEntry("citation", Outcome.ABSTAINED, why)
    return CheckResult(Verdict.NOT_VERIFIABLE, "citation", why, trace=(trace,))


def with_source(result: CheckResult, found: Found) -> CheckResult:
    """The verdict on a source that was found, with how it was found at the head of its trace."""
    entry = TraceEntry("citation", Outcome.PASSED, f"{found.name}: {found.how}")
    return replace(result, trace=(entry, *result.trace))
