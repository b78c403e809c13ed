"""The long work of the Check page, as operations for the task runner."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtGui import QImage

from core.cancellation import Cancellation
from core.documents.model import Document, Format
from core.ports import Progress
from desktop.services import Services
from desktop.tasks import Lane

if TYPE_CHECKING:
    from core.storage.rows import Added, CheckRecord, StoredDocument


@dataclass(frozen=True, slots=True, eq=False)
class OpenSource:
    """A source that has been read: a document of the workspace, or pasted text.

    `key` tells it from every other source: the hash of a document, or `text_key` of a text.

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
class DrawnPage:
    """A page as an image, with the boxes to mark in pixels of that image.

    `scale` is in pixels of the image per point of the page; `marks` are the character ranges that
    the boxes belong to.
    """

    page: int
    scale: float
    marks: tuple[tuple[int, int], ...]
    image: QImage
    boxes: tuple[tuple[float, float, float, float], ...]


def text_key(text: str) -> str:
    """The key of pasted text: what tells one source from another.

    It holds the text itself: to hash a book takes longer than a frame, to compare it does not.
    """
    return f"text:{text}"


class ListDocuments:
    """The documents of a workspace."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, workspace_id: int) -> None:
        self._services = services
        self._workspace_id = workspace_id

    def run(self, progress: Progress, cancellation: Cancellation) -> "list[StoredDocument]":
        """The documents, as the store lists them."""
        return list(self._services.store.documents.all(self._workspace_id))


class RemoveDocument:
    """Takes a document out of a workspace; what the history rests on is kept."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, workspace_id: int, document: "StoredDocument") -> None:
        self._services = services
        self._workspace_id = workspace_id
        self._document = document

    def run(self, progress: Progress, cancellation: Cancellation) -> str:
        """The hash of the document that was removed; raises the store's errors."""
        self._services.store.documents.remove(self._workspace_id, self._document.id)
        return self._document.sha256


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

    def run(self, progress: Progress, cancellation: Cancellation) -> OpenSource:
        """The source; raises `ReadingError` and the store's errors."""
        return read_source(self._services, self._source, progress, cancellation)


def read_source(
    services: Services,
    source: "StoredDocument | str",
    progress: Progress,
    cancellation: Cancellation,
) -> OpenSource:
    """The source's text and anchors; called on a worker thread."""
    if isinstance(source, str):
        from core.documents.read import read_text

        return OpenSource(text_key(source), "Pasted text", read_text(source))
    document = services.workspaces.document(
        source,
        password=services.passwords.get(source.sha256),
        progress=progress,
        cancellation=cancellation,
    )
    return OpenSource(source.sha256, source.name, document, services.store.documents.file(source))


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
        self._services.take_up_model()
        return self._services.workspaces.check(
            self._workspace_id,
            self._claim,
            self._source,
            password=password_of(self._services, self._source),
            progress=progress,
            cancellation=cancellation,
        )


def password_of(services: Services, source: "StoredDocument | str | None") -> str | None:
    """The password of this session for a document; None for pasted text and unlocked files."""
    if source is None or isinstance(source, str):
        return None
    return services.passwords.get(source.sha256)


class DrawPage:
    """Draws one page of a PDF in the reader process."""

    lane: ClassVar[Lane] = Lane.DRAW

    def __init__(
        self,
        services: Services,
        source: OpenSource,
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
        image = QImage.fromData(drawn.png)
        return DrawnPage(self._page, self._scale, self._marks, image, drawn.boxes)
