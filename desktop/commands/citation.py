"""The source that a citation names, for a command: a file at hand, else the registries."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from core.cancellation import Cancellation
from core.citations.closed_lists.answer import Alteration, Standing
from core.citations.model import Citation, FrameworkCitation, WorkCitation
from core.citations.parse import read_citation
from core.claims.source import Source
from core.claims.verdict import CheckResult, Outcome, TraceEntry, Verdict
from core.documents.errors import ReadingError
from core.review import model
from core.review.library import Library, LocalSource, Match, described, front_matter
from core.review.part import part_of
from core.review.run import Found, Missing
from desktop.commands.errors import CommandError
from desktop.commands.sources import Sources

if TYPE_CHECKING:
    from core.citations.closed_lists.closed_lists import ClosedLists
    from core.egress_policy import Allowance
    from core.review.lookup import Lookup
    from core.scholarly.endpoints import Endpoints
    from core.scholarly.resolution import Resolution
    from core.storage.store import Store

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

NOT_PUBLISHED = (
    "This is cited as something that was not published, so no registry was asked for it. Give the "
    "document itself."
)
_PRIVATE = re.compile(
    r"\b(?:interviews?|memo(?:randum)?s?|personal communications?|pers\. comm|internal|unpublished|"
    r"confidential|e-?mails?|letters? (?:to|from)|minutes|conversations?|in person|private)\b",
    re.IGNORECASE,
)
"""What may be quoted in an entry is then a private text, and it is sent nowhere."""

_ENDINGS = frozenset({".pdf", ".docx", ".xml", ".nxml", ".html", ".htm", ".md", ".txt"})


class CitedSources:
    """A `core.review.run.Finder`. Use as a context manager.

    It goes to the network only with `look_up`, and then with the citation's own fields alone.
    """

    def __init__(
        self,
        sources: Sources,
        folder: Path | None,
        *,
        look_up: bool,
        leave_out: Path | None = None,
    ) -> None:
        """Find in `folder`, but for the file `leave_out`: a draft is no source of its own."""
        self._sources = sources
        self._folder = folder
        self._look_up = look_up
        self._leave_out = None if leave_out is None else leave_out.resolve()
        self._library: Library | None = None
        self.unreadable: list[str] = []
        """The files of the folder that cannot be read, each with the reason."""
        self._lookup: Lookup | None = None
        self._opened_store: Store | None = None
        self._closed_lists: ClosedLists | None = None
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
        if isinstance(citation, FrameworkCitation):
            return self._instrument(citation, written)
        if self._folder is not None:
            found = self.library.find(citation, written)
            if isinstance(found, Match):
                source = self._sources.file(str(self._folder / found.source.name))
                return self._with_standing(
                    Found(source, found.source.name, found.how), citation, cancellation
                )
            if found.candidates:
                return Missing(model.Outcome.AMBIGUOUS, found.why)
            if not self._look_up:
                return Missing(model.Outcome.NO_SOURCE, found.why)
        return self._registered(citation, written, cancellation)

    def _instrument(self, citation: FrameworkCitation, written: str) -> Found | Missing:
        """The cited part of a law or a standard; what a closed list does not have is no part."""
        answer = self._lists().check(citation, written)
        if answer.standing in _NOT_AS_CITED and answer.alteration is not Alteration.PADDING:
            return Missing(model.Outcome.MISMATCH, answer.sentence)
        found = self.library.find(citation) if self._folder is not None else None
        if not isinstance(found, Match):
            return Missing(
                model.Outcome.AMBIGUOUS if found and found.candidates else model.Outcome.NO_SOURCE,
                f"{answer.sentence} The text of {citation.instrument} is not at hand: put it into "
                "the folder of sources, under its name, to check against it.",
            )
        assert self._folder is not None
        source = self._sources.file(str(self._folder / found.source.name))
        part = part_of(source.document, citation)
        if part is None:
            return Missing(
                model.Outcome.NO_SOURCE,
                f"{answer.sentence} Which part of “{found.source.name}” is {citation.locator} "
                "cannot be told from its headings, so it was not checked.",
            )
        if part is source.document:
            return Found(source, found.source.name, found.how)
        return Found(Source(part), found.source.name, found.how, whole=source)

    def _with_standing(
        self, found: Found, citation: WorkCitation, cancellation: Cancellation | None
    ) -> Found | Missing:
        """A file at hand with what the registries say of its work since, if they may be asked."""
        from core.scholarly.asking import Enquiry
        from core.scholarly.resolution import Mismatch, NotFound, Resolved

        if not self._look_up:
            return replace(found, how=f"{found.how}; its standing since was not asked")
        resolution = self._registries().standing(citation, Enquiry(cancellation=cancellation))
        invented = isinstance(resolution, NotFound) and resolution.identifier is not None
        if invented or isinstance(resolution, Mismatch):
            return Missing(_outcome(resolution), resolution.sentence)
        if not isinstance(resolution, Resolved):
            return replace(
                found, how=f"{found.how}; its standing is unknown: {resolution.sentence}"
            )
        document = found.source.document
        notices = dict.fromkeys((*document.notices, *resolution.work.document_notices()))
        if len(notices) == len(document.notices):
            return found
        marked = replace(document, notices=tuple(notices))
        return replace(found, source=Source(marked), how=f"{found.how}; {resolution.sentence}")

    def written(self, text: str, cancellation: Cancellation | None = None) -> Found | Missing:
        """The source that `text` cites. Raises ValueError for a citation that is none."""
        citation = read_citation(text)
        if citation is None:
            raise ValueError(NO_CITATION)
        return self(citation, text, cancellation)

    @property
    def library(self) -> Library:
        """The files of the folder, read once; see `unreadable` for those that are left out."""
        if self._library is None:
            self._library = Library(list(self._described()))
        return self._library

    def _described(self) -> Iterator[LocalSource]:
        from core.citations.works.identifiers import identifiers

        assert self._folder is not None
        inside = self._folder.resolve()
        for path in sorted(self._folder.rglob("*")):
            if path.suffix.lower() not in _ENDINGS or not path.is_file():
                continue
            # A link out of the folder is not what the person put into it.
            if path.resolve() == self._leave_out or not path.resolve().is_relative_to(inside):
                continue
            try:
                document = self._sources.file(str(path)).document
            except ReadingError as error:
                self.unreadable.append(f"“{path.relative_to(self._folder)}”: {error}")
                continue
            named = (found.identifier for found in identifiers(front_matter(document)))
            yield described(path.relative_to(self._folder).as_posix(), document, named)

    def _registered(
        self, citation: WorkCitation, written: str, cancellation: Cancellation | None
    ) -> Found | Missing:
        from core.review.lookup import FoundText
        from core.scholarly.asking import Enquiry

        if not self._look_up:
            return Missing(model.Outcome.NO_SOURCE, OFFLINE)
        if not citation.identifiers and _PRIVATE.search(written):
            return Missing(model.Outcome.NO_SOURCE, NOT_PUBLISHED)
        found = self._registries().find(citation, written, Enquiry(cancellation=cancellation))
        if isinstance(found, FoundText):
            return Found(Source(found.document), found.name, found.how)
        return Missing(_outcome(found.resolution), found.why)

    def _registries(self) -> "Lookup":
        if self._lookup is None:
            self._lookup = self._opened()
        return self._lookup

    def _store(self) -> "Store":
        from core.home import home
        from core.storage.store import Store

        if self._opened_store is None:
            self._opened_store = self._open.enter_context(Store.open(home()))
        return self._opened_store

    def _lists(self) -> "ClosedLists":
        """The closed lists, with the person's own."""
        if self._closed_lists is None:
            self._closed_lists = self._store().frameworks.closed_lists()
        return self._closed_lists

    def _opened(self) -> "Lookup":
        from core.egress import Door
        from core.egress_policy import EgressPolicy
        from core.review.lookup import Lookup
        from core.scholarly.asking import Access, Asker
        from core.scholarly.registries import Registries
        from core.scholarly.resolve import Resolver
        from core.scholarly.retrieve import Retriever
        from models.secrets import Keyring

        endpoints, allowed, own = _places()
        store = self._store()
        door = Door(EgressPolicy(online=True, allowed=(allowed,)), store.egress)
        # A server that stands in for the registries is given none of the person's keys.
        access = Access() if own else Access(os.environ.get(CONTACT, "").strip(), Keyring())
        registries = Registries.over(Asker(door, store.answers, access=access), endpoints)
        return Lookup(Resolver(registries), Retriever(registries), self._sources.reader)


def _places() -> "tuple[Endpoints, Allowance, bool]":
    """The registries' addresses, what the policy has to allow for them, and if they stand in."""
    from core.egress_policy import Allowance, Purpose
    from core.scholarly.endpoints import HOMES, Endpoints, allowance

    stand_in = os.environ.get(REGISTRIES, "").strip().rstrip("/")
    if not stand_in:
        return Endpoints(), allowance(), False
    place = stand_in.removeprefix("http://").partition("/")[0]
    if not stand_in.startswith("http://") or place.rpartition(":")[0] not in _THIS_MACHINE:
        raise CommandError(
            f"{REGISTRIES} is set to “{stand_in}”, which is no address of this machine, such as "
            "http://127.0.0.1:8080. Nothing was sent. Correct it, or remove it."
        )
    homes = {registry: f"{stand_in}/{registry.value}" for registry in HOMES}
    allowed = Allowance(Purpose.CITATION, frozenset({place}))
    return Endpoints(homes, f"{stand_in}/texts"), allowed, True


_THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")

_NOT_AS_CITED = (Standing.ALTERED, Standing.NOT_IN_LIST)


def _outcome(resolution: "Resolution | None") -> model.Outcome:
    """What becomes of a row by how its citation was resolved."""
    from core.scholarly import resolution as kinds

    if isinstance(resolution, kinds.Ambiguous):
        return model.Outcome.AMBIGUOUS
    if isinstance(resolution, kinds.Mismatch):
        return model.Outcome.MISMATCH
    if isinstance(resolution, kinds.NotFound):
        return model.Outcome.UNKNOWN
    if isinstance(resolution, kinds.Failure):
        return model.Outcome.UNANSWERED
    return model.Outcome.NO_SOURCE


def without_source(why: str) -> CheckResult:
    """The verdict where a citation led to no source."""
    trace = TraceEntry("citation", Outcome.ABSTAINED, why)
    return CheckResult(Verdict.NOT_VERIFIABLE, "citation", why, trace=(trace,))


def with_source(result: CheckResult, found: Found) -> CheckResult:
    """The verdict on a source that was found, with how it was found at the head of its trace."""
    entry = TraceEntry("citation", Outcome.PASSED, f"{found.name}: {found.how}")
    return replace(result, trace=(entry, *result.trace))
