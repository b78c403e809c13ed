"""Read a file, whatever its format, into a document."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.detect import HEAD_BYTES, detect, extension_warning
from core.documents.errors import (
    DamagedFile,
    EmptyFile,
    FileMissing,
    FileTooLarge,
    MemoryLimit,
    UnknownFormat,
)
from core.documents.limits import Limits
from core.documents.model import Document, Format
from core.documents.plain import read_text

if TYPE_CHECKING:
    from core.ports import Progress

__all__ = ["read", "read_text"]


def read(
    path: Path,
    *,
    password: str | None = None,
    progress: "Progress | None" = None,
    limits: Limits | None = None,
) -> Document:
    """The document in the file at `path`; its content, not its name, decides the format.

    `password` opens an encrypted PDF. `progress` is called with (done, total, what) as pages are
    read. Raises the errors of `core.documents.errors`, each with a message for the person.
    """
    limits = limits or Limits()
    head = _checked_head(path, limits)
    found = detect(path, head)
    try:
        document = _read_as(found, path, password, progress, limits)
    except RecursionError as error:
        raise DamagedFile(
            "The file's parts are nested too deeply to be read. Nothing was added. "
            "Save it as PDF or text, and add that."
        ) from error
    except MemoryError as error:
        raise MemoryLimit(
            "Reading this file needs more memory than is allowed, so it was stopped. Nothing was "
            "added. Split the file and add its parts."
        ) from error
    warning = extension_warning(path, found)
    return replace(document, warnings=(warning, *document.warnings)) if warning else document


def _checked_head(path: Path, limits: Limits) -> bytes:
    try:
        if path.is_dir():
            raise FileMissing("This is a folder, not a file. Add the documents that are in it.")
        size = path.stat().st_size
        if not path.is_file():
            raise FileMissing("This is not an ordinary file, so it is not read. Add a document.")
        if size == 0:
            raise EmptyFile(
                "The file is empty: it has 0 bytes. Nothing was added. "
                "It may not have finished downloading or copying; get it again."
            )
        if size > limits.max_file_bytes:
            raise FileTooLarge(
                f"The file is larger than {limits.max_file_bytes // (1024 * 1024):,} MB, which is "
                "more than Countersign reads. Nothing was added. Split it and add its parts."
            )
        with path.open("rb") as stream:
            return stream.read(HEAD_BYTES)
    except FileNotFoundError as error:
        raise FileMissing(
            "The file is not there any more. It may have been moved, renamed or deleted."
        ) from error
    except (OSError, ValueError) as error:
        raise FileMissing(
            "The file may not be opened. Check that you may read it, and that no other program "
            "holds it."
        ) from error


def _read_as(
    found: Format,
    path: Path,
    password: str | None,
    progress: "Progress | None",
    limits: Limits,
) -> Document:
    """Read with the reader of one format; each is imported only when it is needed."""
    if found is Format.PDF:
        from core.documents.pdf import read_pdf

        return read_pdf(path, password=password, progress=progress, limits=limits)
    if progress is not None:
        progress(0, 0, "Reading the text")
    if found is Format.DOCX:
        from core.documents.docx import read_docx

        return read_docx(path, limits)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileMissing("The file went away while it was read. Add it again.") from error
    if found is Format.TEXT:
        from core.documents.plain import read_plain

        return read_plain(data, limits)
    if found is Format.MARKDOWN:
        from core.documents.markdown import read_markdown

        return read_markdown(data, limits)
    if found is Format.HTML:
        from core.documents.html import read_html

        return read_html(data, limits)
    return _read_jats(data, limits)


def _read_jats(data: bytes, limits: Limits) -> Document:
    from core.documents import xml
    from core.documents.jats import read_jats

    root = xml.parse(data)
    article = next((node for node in root.iter() if xml.local(node) == "article"), None)
    if article is None:
        raise UnknownFormat(
            "This XML file holds no journal article. Save the document as DOCX, PDF or HTML, and "
            "add that file."
        )
    return read_jats(article, limits)
