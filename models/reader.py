"""Reads documents and draws their pages in worker processes, under limits of time and memory."""

from base64 import b64decode
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from core.cancellation import Cancellation
from core.documents.errors import (
    MemoryLimit,
    ReaderStopped,
    ReadingError,
    TimeLimit,
    by_code,
)
from core.documents.model import Decoder, Document
from core.ports import DocumentReader, PageImage, Progress
from models.host.errors import (
    WorkerError,
    WorkerMemoryLimit,
    WorkerRefused,
    WorkerTimeLimit,
    WorkerUnavailable,
)
from models.host.supervisor import Supervisor

MODULE = "models.reader_child"

MEMORY_LIMIT = 1536 * 1024**2
"""Bytes of resident memory that one reader process may hold."""

RECYCLE_ABOVE = MEMORY_LIMIT // 3
"""Bytes that a reader may keep after an answer; above, the next file gets a fresh process."""

SILENCE_LIMIT = 120.0
"""Seconds without progress; readers report each page."""

DRAWING_LIMIT = 60.0
"""Seconds that drawing one page may take."""

CANCEL_GRACE = 1.0
"""Seconds before a reader that does not stop is killed; it holds nothing that could be lost."""

RESTART_LIMIT = 20
"""Faults in a minute before files are refused; a folder may hold several bad files in a row."""


def time_limit(file_bytes: int) -> float:
    """Seconds that reading a file of this size may take in all: 5 minutes + 20 s/MiB, 1 h at most.

    About ten times what a slow machine needs for dense text, so that only a hang meets it.
    """
    return min(300.0 + 20.0 * file_bytes / 1024**2, 3600.0)


STOPPED = (
    "The reader stopped at this file before it was done. The file was not changed, and nothing "
    "else was lost. Try again; if it stops again, save the file anew as PDF or DOCX."
)
UNHANDLED = (
    "This file could not be read: it holds something that the reader cannot handle. The file was "
    "not changed. Save it anew as PDF or DOCX and try again."
)
TOO_LONG = (
    "This file took too long and the reader was stopped. The file was not changed. Save it in "
    "smaller parts, or in another format, and try again."
)
TOO_MUCH_MEMORY = (
    "This file needed too much memory and the reader was stopped. The file was not changed. Save "
    "it in smaller parts, or without its pictures, and try again."
)

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


class ReaderWorker(DocumentReader):
    """`core.ports.DocumentReader` over two worker processes, each started at its first use.

    One reads, the other draws, so that a page is drawn while another file is read. Safe to use from
    any thread; calls of one kind wait for each other. Close it, or use it in a `with` statement.
    """

    def __init__(
        self, *, reading: Supervisor | None = None, drawing: Supervisor | None = None
    ) -> None:
        self._reading = reading or _supervisor(SILENCE_LIMIT)
        self._drawing = drawing or _supervisor(DRAWING_LIMIT)

    def __enter__(self) -> Self:
        """Nothing starts here: a process is started by the first call."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def read(
        self,
        path: Path,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Document:
        """The document in the file, read under `time_limit`, `SILENCE_LIMIT` and `MEMORY_LIMIT`.

        `progress` is called in the caller's thread. Raises `core.documents.errors.ReadingError`
        and `core.cancellation.Cancelled`; the worker's own error is the cause of `TimeLimit`,
        `MemoryLimit` and `ReaderStopped`.
        """
        decoder = Decoder()
        self._call(
            self._reading,
            "read",
            {"path": str(path.absolute()), "password": password},
            on_piece=_checked(decoder.add),
            on_progress=progress,
            cancellation=cancellation,
            time_limit=time_limit(_size(path)),
        )
        return _checked(decoder.document)()

    def draw_page(
        self,
        path: Path,
        page: int,
        *,
        scale: float = 1.5,
        marks: Sequence[tuple[int, int]] = (),
        password: str | None = None,
    ) -> PageImage:
        """The page `page` (from 1) of a PDF, drawn at `scale` pixels per point.

        `marks` are (first, end) ranges of PDFium character indices on that page. Raises
        `core.documents.errors.ReadingError`.
        """
        parts: list[bytes] = []

        def add(piece: dict[str, Any]) -> None:
            parts.append(b64decode(piece["png"], validate=True))

        def image() -> PageImage:
            boxes = tuple((x, y, width, height) for x, y, width, height in drawn["boxes"])
            return PageImage(b"".join(parts), drawn["width"], drawn["height"], boxes)

        drawn = self._call(
            self._drawing,
            "draw_page",
            {
                "path": str(path.absolute()),
                "page": page,
                "scale": scale,
                "marks": [list(mark) for mark in marks],
                "password": password,
            },
            on_piece=_checked(add),
        )
        return _checked(image)()

    def close(self) -> None:
        """End both processes."""
        self._reading.close()
        self._drawing.close()

    def _call(
        self,
        supervisor: Supervisor,
        method: str,
        params: dict[str, Any],
        *,
        on_piece: Callable[[dict[str, Any]], None],
        on_progress: Progress | None = None,
        cancellation: Cancellation | None = None,
        time_limit: float | None = None,
    ) -> Any:
        try:
            return supervisor.call(
                method,
                params,
                on_piece=on_piece,
                on_progress=on_progress,
                cancellation=cancellation,
                time_limit=time_limit,
            )
        except WorkerError as error:
            raise _reading_error(error) from error


def _supervisor(silence_limit: float) -> Supervisor:
    return Supervisor(
        MODULE,
        name="reader",
        memory_limit=MEMORY_LIMIT,
        recycle_above=RECYCLE_ABOVE,
        silence_limit=silence_limit,
        cancel_grace=CANCEL_GRACE,
        restart_limit=RESTART_LIMIT,
    )


def _size(path: Path) -> int:
    """Bytes of the file; 0 where it cannot be told, for the reader will say why."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _checked(step: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """The step, with nonsense from a worker told as what it is: a worker that went wrong."""

    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        try:
            return step(*args, **kwargs)
        except (KeyError, TypeError, ValueError) as error:
            raise ReaderStopped(STOPPED) from error

    return run


def _reading_error(error: WorkerError) -> ReadingError:
    """The error in a document's own terms."""
    match error:
        case WorkerRefused(code="internal"):
            return ReadingError(UNHANDLED)
        case WorkerRefused(code=code):
            return by_code(code, str(error))
        case WorkerTimeLimit():
            return TimeLimit(TOO_LONG)
        case WorkerMemoryLimit():
            return MemoryLimit(TOO_MUCH_MEMORY)
        case WorkerUnavailable():
            return ReaderStopped(str(error))
    return ReaderStopped(STOPPED)
