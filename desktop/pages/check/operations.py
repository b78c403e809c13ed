"""The long work of the Check page, as operations for the task runner."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtGui import QImage

from core.cancellation import Cancellation
from core.claims.verdict import CheckResult
from core.documents.model import Document, Format
from core.ports import Progress
from desktop.pages.check.placing import READ_ANEW, placed
from desktop.services import Services
from desktop.tasks import Lane

if TYPE_CHECKING:
    from core.storage.rows import Added, CheckRecord, StoredDocument


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A source that has been read: a document of the workspace, or pasted text.

    Compared by identity: comparing two long documents would take longer than a frame.
    """

    key: str
    name: str
    document: Document
    file: Path | None = None

    @property
    def has_pages(self) -> bool:
        """Whether its pages can be drawn."""
        return self.document.format is Format.PDF and self.file is not None


@dataclass(frozen=True, slots=True)
class OpenedCheck:
    """A check from the history, ready to be shown; `source` is None when its file is gone."""

    check_id: int
    claim: str
    result: CheckResult
    source: Source | None
    document: "StoredDocument | None"
    pasted: str | None
    source_name: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page as an image, with the boxes to mark in pixels of that image.

    `scale` is in pixels of the image per point of the page.
    """

    page: int
    scale: float
    image: QImage
    boxes: tuple[tuple[float, float, float, float], ...]


def text_key(text: str) -> str:
    """The key of pasted text: what tells one source from another."""
    import hashlib

    return "text:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class ListDocuments:
    """The documents of a workspace."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, workspace_id: int) -> None:
        self._services = services
        self._workspace_id = workspace_id

    def run(self, progress: Progress, cancellation: Cancellation) -> "list[StoredDocument]":
        """The documents, as the store lists them."""
        return list(self._services.store.documents.all(self._workspace_id))


class AddDocument:
    """Copies a file into the workspace and reads it once."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(
        self, services: Services, workspace_id: int, path: Path, password: str | None = None
    ) -> None:
        self._services = services
        self._workspace_id = workspace_id
        self.path = path
        self._password = password

    def run(self, progress: Progress, cancellation: Cancellation) -> "Added":
        """The stored document; raises `ReadingError` and the store's errors."""
        added = self._services.workspaces.add_document(
            self._workspace_id,
            self.path,
            password=self._password,
            progress=progress,
            cancellation=cancellation,
        )
        if self._password is not None:
            self._services.passwords[added.document.sha256] = self._password
        return added


class ReadSource:
    """Brings a source's text and anchors into memory."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(self, services: Services, source: "StoredDocument | str") -> None:
        self._services = services
        self._source = source

    def run(self, progress: Progress, cancellation: Cancellation) -> Source:
        """The source; raises `ReadingError` and the store's errors."""
        return read_source(self._services, self._source, progress, cancellation)


def read_source(
    services: Services,
    source: "StoredDocument | str",
    progress: Progress,
    cancellation: Cancellation,
) -> Source:
    """The source's text and anchors; called on a worker thread."""
    if isinstance(source, str):
        from core.documents.read import read_text

        return Source(text_key(source), "Pasted text", read_text(source))
    document = services.workspaces.document(
        source,
        password=services.passwords.get(source.sha256),
        progress=progress,
        cancellation=cancellation,
    )
    return Source(source.sha256, source.name, document, services.store.documents.file(source))


class RunCheck:
    """Checks the claim against the source and records the verdict."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(
        self, services: Services, workspace_id: int, claim: str, source: "StoredDocument | str"
    ) -> None:
        self._services = services
        self._workspace_id = workspace_id
        self._claim = claim
        self._source = source

    def run(self, progress: Progress, cancellation: Cancellation) -> "CheckRecord":
        """The recorded check; a cancelled one is not recorded."""
        return self._services.workspaces.check(
            self._workspace_id,
            self._claim,
            self._source,
            password=_password(self._services, self._source),
            progress=progress,
            cancellation=cancellation,
        )


class OpenVerdict:
    """Brings a verdict of the history back with its source."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(self, services: Services, verdict_id: int) -> None:
        self._services = services
        self._verdict_id = verdict_id

    def run(self, progress: Progress, cancellation: Cancellation) -> OpenedCheck:
        """The verdict; its source is None, with a reason, when the copy is gone or unreadable."""
        record = self._services.store.checks.verdict(self._verdict_id)
        return opened(self._services, record, progress, cancellation)


@dataclass(frozen=True, slots=True)
class RepeatedCheck:
    """A check that was run again: what it gave, and how it compares."""

    opened: OpenedCheck
    same: bool
    changes: tuple[str, ...]


class RepeatCheck:
    """Runs an earlier check again and compares the verdicts."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(self, services: Services, check_id: int) -> None:
        self._services = services
        self._check_id = check_id

    def run(self, progress: Progress, cancellation: Cancellation) -> RepeatedCheck:
        """The new run, which is recorded, whether the verdict is the same, and what changed."""
        services = self._services
        latest = services.store.checks.latest(self._check_id)
        repeated = services.workspaces.repeat(
            self._check_id,
            password=_password(services, latest.document),
            progress=progress,
            cancellation=cancellation,
        )
        # The run is recorded by now: a late request to stop must not hide that.
        shown = opened(services, repeated.record, progress, Cancellation())
        return RepeatedCheck(shown, repeated.same, repeated.changes)


def opened(
    services: Services, record: "CheckRecord", progress: Progress, cancellation: Cancellation
) -> OpenedCheck:
    """A record with its source, as far as the source can still be had."""
    from core.documents.errors import ReadingError
    from core.storage.errors import StoreError

    pasted: str | None = None
    source: Source | None = None
    missing = ""
    try:
        if record.document is not None:
            source = read_source(services, record.document, progress, cancellation)
        else:
            pasted = services.store.checks.source_text(record.check_id) or ""
            source = read_source(services, pasted, progress, cancellation)
    except (ReadingError, StoreError) as error:
        missing = str(error)
    result = record.result
    if source is not None:
        found = placed(result, source.document)
        if found is None:
            source, missing = None, READ_ANEW
        else:
            result = found
    return OpenedCheck(
        check_id=record.check_id,
        claim=record.claim,
        result=result,
        source=source,
        document=record.document,
        pasted=pasted,
        missing=missing,
        source_name=record.source_name or "Pasted text",
    )


def _password(services: Services, source: "StoredDocument | str | None") -> str | None:
    if source is None or isinstance(source, str):
        return None
    return services.passwords.get(source.sha256)


class DrawPage:
    """Draws one page of a PDF in the reader process."""

    lane: ClassVar[Lane] = Lane.DRAW

    def __init__(
        self,
        services: Services,
        source: Source,
        page: int,
        scale: float,
        marks: Sequence[tuple[int, int]],
    ) -> None:
        self._services = services
        self._source = source
        self._page = page
        self._scale = scale
        self._marks = tuple(marks)

    def run(self, progress: Progress, cancellation: Cancellation) -> DrawnPage:
        """The drawn page; raises `ReadingError`."""
        if self._source.file is None:
            raise ValueError("only a file has pages to draw")
        drawn = self._services.reader.draw_page(
            self._source.file,
            self._page,
            scale=self._scale,
            marks=self._marks,
            password=self._services.passwords.get(self._source.key),
        )
        cancellation.check()
        # Decoding belongs here: a large page takes longer than a frame to decode.
        return DrawnPage(self._page, self._scale, QImage.fromData(drawn.png), drawn.boxes)
