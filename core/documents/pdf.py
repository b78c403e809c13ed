"""Read a PDF into text in reading order, each character tied to its place on a page.

PDFium gives the characters and where they stand; everything about lines, columns, paragraphs and
roles is worked out here from those places. Pages are read in batches, so that memory follows the
text and not the number of glyphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from core.documents.errors import (
    DamagedFile,
    EmptyFile,
    FileMissing,
    FileTooLarge,
    NoTextLayer,
    PasswordNeeded,
    ReadingError,
)
from core.documents.layout import Piece, pieces_of
from core.documents.limits import Limits
from core.documents.model import BlockKind, Document, Format
from core.documents.pdf_columns import Column, Measures, columns_of, measure
from core.documents.pdf_furniture import take_furniture, take_stamps
from core.documents.pdf_lines import Line, lines_of
from core.documents.pdf_order import ordered
from core.documents.pdf_outline import finish, notices_of, title_of
from core.documents.pdf_page import Page, Word, read_page
from core.documents.pdf_roles import assign_kinds
from core.documents.pdf_tables import take_tables
from core.documents.pdf_text import Draft, Joiner, Text, write

if TYPE_CHECKING:
    from core.ports import Progress

BATCH = 48
"""Pages that are held at a time; enough to see what repeats on every second page."""

SAMPLE = 24
"""Pages, evenly spread, from which the usual type size of a long document is taken."""

TAIL = 4096
"""Bytes at the end of the file that must hold its closing marks."""


def read_pdf(
    path: Path,
    *,
    password: str | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> Document:
    """The document in the PDF at `path`.

    `progress` is called before each page. Raises the errors of `core.documents.errors`:
    `PasswordNeeded`, `NoTextLayer`, `EmptyFile`, `DamagedFile`, `FileTooLarge`, `FileMissing`.
    """
    limits = limits or Limits()
    pdf = open_pdf(path, password=password, limits=limits)
    try:
        return _Reader(pdf, limits, progress).read()
    finally:
        pdf.close()


def open_pdf(path: Path, *, password: str | None, limits: Limits) -> pdfium.PdfDocument:
    """Open a PDF, or say in the person's words why it cannot be opened."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            file.seek(max(0, size - TAIL))
            tail = file.read()
    except OSError as error:
        raise FileMissing(
            "The file could not be opened. Check that it is still there and may be read."
        ) from error
    if size == 0:
        raise EmptyFile("The file is empty: it has no bytes. Get a fresh copy and add it again.")
    if size > limits.max_file_bytes:
        raise FileTooLarge(
            f"The file is larger than {limits.max_file_bytes // 1024**2} MiB, the most that is "
            "read. Split it and add the part that you need."
        )
    try:
        pdf = pdfium.PdfDocument(path, password=password)
    except pdfium.PdfiumError as error:
        raise _opening_error(error, password) from error
    try:
        if b"%%EOF" not in tail and b"startxref" not in tail:
            raise DamagedFile(
                "The PDF ends in the middle: it was cut short, perhaps while it was copied or "
                "downloaded. Nothing was read from it. Get a fresh copy and add it again."
            )
        if len(pdf) > limits.max_pages:
            raise FileTooLarge(
                f"The PDF has {len(pdf):,} pages; at most {limits.max_pages:,} are read. "
                "Split it and add the part that you need."
            )
    except ReadingError:
        pdf.close()
        raise
    return pdf


def _opening_error(error: pdfium.PdfiumError, password: str | None) -> ReadingError:
    if error.err_code == raw.FPDF_ERR_PASSWORD:
        if password:
            return PasswordNeeded("The password does not open this PDF. Try it again.")
        return PasswordNeeded("This PDF is protected. Enter its password to read it.")
    if error.err_code == raw.FPDF_ERR_SECURITY:
        return PasswordNeeded(
            "This PDF is protected in a way that is not supported. Save it without protection "
            "and add it again."
        )
    return DamagedFile(
        "The PDF is damaged or cut short and could not be read. Get a fresh copy and add it again."
    )


class _Reader:
    """Reads the pages of one open PDF."""

    def __init__(self, pdf: pdfium.PdfDocument, limits: Limits, progress: Progress | None) -> None:
        self._pdf = pdf
        self._limits = limits
        self._progress = progress
        self._text = Text()
        self._drafts: list[Draft] = []
        self._unreadable: list[int] = []
        self._pictures: list[int] = []
        self._recognised: list[int] = []
        self._hidden: list[int] = []
        self._doubted: list[int] = []
        self._stamps: list[str] = []

    def read(self) -> Document:
        """The document."""
        count = len(self._pdf)
        measures = self._sampled() if count > BATCH else None
        joiner: Joiner | None = None
        for batch in self._batches(count):
            lines = [lines_of(page.words) for page in batch]
            measures = measures or measure(lines)
            joiner = joiner or Joiner(measures)
            self._take(batch, lines, measures, joiner)
            self._hold_to_limit()
        if joiner is not None:
            self._drafts += write(joiner.finish(), self._text)
            self._hold_to_limit()
        self._refuse_without_text(count)
        text = self._text.whole()
        title = title_of(self._drafts, text, self._metadata_title())
        return Document(
            format=Format.PDF,
            text=text,
            blocks=finish(self._drafts, text),
            title=title,
            fragments=tuple(self._text.fragments),
            page_count=count,
            notices=notices_of(title, self._stamps),
            warnings=tuple(self._warnings()),
        )

    def _hold_to_limit(self) -> None:
        if self._text.length > self._limits.max_characters:
            raise FileTooLarge(
                f"The PDF holds more than {self._limits.max_characters:,} characters, the most "
                "that is read. Split it and add the part that you need."
            )

    def _sampled(self) -> Measures:
        count = len(self._pdf)
        chosen = sorted({at * count // SAMPLE for at in range(SAMPLE)})
        pages = (self._page(index) for index in chosen)
        return measure([lines_of(page.words) for page in pages if page is not None])

    def _page(self, index: int) -> Page | None:
        try:
            return read_page(self._pdf, index)
        except pdfium.PdfiumError:
            return None

    def _batches(self, count: int) -> Iterator[list[Page]]:
        batch: list[Page] = []
        for index in range(count):
            if self._progress is not None:
                self._progress(index, count, f"Reading page {index + 1}")
            page = self._page(index)
            if page is None:
                self._unreadable.append(index + 1)
                continue
            if page.recognised:
                self._recognised.append(page.number)
            if page.hidden:
                self._hidden.append(page.number)
            if any(word.doubted for word in page.words):
                self._doubted.append(page.number)
            if not page.words and not page.hidden:
                self._pictures.append(page.number)
            batch.append(page)
            if len(batch) == BATCH:
                yield batch
                batch = []
        if self._progress is not None:
            self._progress(count, count, "Putting the text in order")
        if batch:
            yield batch

    def _take(
        self,
        batch: Sequence[Page],
        lines: Sequence[Sequence[Line]],
        measures: Measures,
        joiner: Joiner,
    ) -> None:
        """Lay out a batch of pages and write what is complete."""
        opening = not self._drafts
        laid = [
            _lay_out(page, heads, own, measures)
            for page, (heads, own) in zip(batch, take_furniture(batch, lines), strict=True)
        ]
        assign_kinds([flow for flow, _ in laid], measures, opening=opening)
        for flow, around in laid:
            for piece in [*_floats_after(flow), *around]:
                self._drafts += write(joiner.add(piece), self._text)
            self._stamps += [piece.text for piece in around]

    def _refuse_without_text(self, count: int) -> None:
        if len(self._unreadable) == count:
            raise DamagedFile(
                "None of the PDF's pages could be read: the file is damaged. Get a fresh copy and "
                "add it again."
            )
        if any(draft.kind is not BlockKind.RUNNING_HEAD for draft in self._drafts):
            return
        if self._hidden:
            raise NoTextLayer(
                "The PDF has no text that can be seen on its pages; what text it holds is hidden. "
                "Nothing was read from it."
            )
        raise NoTextLayer(
            "The PDF has no text: its pages are pictures, for example a scan. Run text "
            "recognition (OCR) on it first, then add the result."
        )

    def _metadata_title(self) -> str:
        title = self._pdf.get_metadata_value("Title") or ""
        return " ".join(str(title).split())

    def _warnings(self) -> Iterator[str]:
        if self._unreadable:
            yield f"{_pages(self._unreadable)} could not be read and were left out."
        if self._pictures:
            yield (
                f"{_pages(self._pictures)} have no text, only pictures or nothing, and were left "
                "out."
            )
        if self._recognised:
            yield (
                f"The text of {_pages(self._recognised).lower()} comes from text recognition of a "
                "scan and may hold wrong letters."
            )
        if self._hidden:
            yield (
                f"Text that cannot be seen on the page was left out on "
                f"{_pages(self._hidden).lower()}."
            )
        if self._doubted:
            yield (
                "Paragraphs in which a word is struck through, or stands behind a box to tick, do "
                f"not count as evidence on {_pages(self._doubted).lower()}."
            )


def _lay_out(
    page: Page, heads: Sequence[Line], lines: Sequence[Line], measures: Measures
) -> tuple[list[Piece], list[Piece]]:
    """The pieces of a page in reading order, and those around the text."""
    stamps, rest = take_stamps(lines, measures.size)
    tables, rest = take_tables(rest, measures)
    columns = columns_of(rest, measures)
    pieces = pieces_of(page.number, rest, columns, measures)
    for rows in tables:
        cells = [cell for row in rows for cell in row]
        edge = Column(min(cell.x0 for cell in cells), max(cell.x1 for cell in cells))
        pieces.append(Piece(page.number, cells, edge, BlockKind.TABLE, rows))
    around = [
        Piece(page.number, [line], Column(line.x0, line.x1), BlockKind.RUNNING_HEAD)
        for line in [*heads, *stamps, *_turned_lines(page.turned)]
    ]
    return ordered(pieces, columns, measures.size), around


def _floats_after(flow: Sequence[Piece]) -> list[Piece]:
    """The running pieces of a page first, then its captions, tables and notes."""
    running = (
        BlockKind.CODE,
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.HEADING,
        BlockKind.TITLE,
        BlockKind.FRONT_MATTER,
    )
    return [p for p in flow if p.kind in running] + [p for p in flow if p.kind not in running]


def _turned_lines(words: Sequence[Word]) -> list[Line]:
    """Words that run in another direction, as one line in the order of the file."""
    return [Line(list(words))] if words else []


def _pages(numbers: Sequence[int]) -> str:
    """Page numbers for a sentence, for example ``Pages 3, 5–7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs[:20])
    more = " and others" if len(runs) > 20 else ""
    return ("Page " if len(numbers) == 1 else "Pages ") + shown + more
