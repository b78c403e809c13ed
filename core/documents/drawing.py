"""Draw a page of a PDF as a picture, with the boxes of the characters to be marked."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from core.documents.errors import DamagedFile, ReadingError
from core.documents.limits import Limits
from core.documents.pdf import open_pdf
from core.ports import PageImage

MOST_PIXELS = 40_000_000
"""A page that would be larger than this is drawn at a smaller scale."""

Box = tuple[float, float, float, float]


def draw_page(
    path: Path,
    page: int,
    *,
    scale: float = 1.5,
    marks: Sequence[tuple[int, int]] = (),
    password: str | None = None,
) -> PageImage:
    """Draw page `page` (from 1) of the PDF at `path`, at `scale` pixels per point.

    `marks` are (first, end) ranges of PDFium character indices on that page. Their boxes come
    back in pixels of the picture, one for each line that a range touches, in the order of the
    ranges. Raises the errors of `core.documents.errors`, and `ValueError` for a page or scale
    that cannot be.
    """
    if not scale > 0:
        raise ValueError("The scale must be more than 0.")
    pdf = open_pdf(path, password=password, limits=Limits())
    try:
        if not 1 <= page <= len(pdf):
            raise ValueError(f"The PDF has no page {page}; it has {len(pdf)}.")
        return _draw(pdf, page - 1, scale, marks)
    finally:
        pdf.close()


def _draw(
    pdf: pdfium.PdfDocument, index: int, scale: float, marks: Sequence[tuple[int, int]]
) -> PageImage:
    try:
        loaded = pdf[index]
    except pdfium.PdfiumError as error:
        raise _unreadable(index) from error
    try:
        width, height = loaded.get_size()
        scale = min(scale, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
        try:
            bitmap = loaded.render(scale=scale)
        except pdfium.PdfiumError as error:
            raise _unreadable(index) from error
        try:
            drawn = BytesIO()
            bitmap.to_pil().save(drawn, "PNG", compress_level=1)
            size = (bitmap.width, bitmap.height)
        finally:
            bitmap.close()
        boxes = _boxes(loaded, marks, size) if marks else []
    finally:
        loaded.close()
    return PageImage(drawn.getvalue(), *size, tuple(boxes))


def _unreadable(index: int) -> ReadingError:
    return DamagedFile(f"Page {index + 1} of the PDF is damaged and cannot be drawn.")


def _boxes(loaded: Any, marks: Sequence[tuple[int, int]], size: tuple[int, int]) -> list[Box]:
    text_page = loaded.get_textpage()
    try:
        count = raw.FPDFText_CountChars(text_page.raw)
        boxes: list[Box] = []
        for first, end in marks:
            characters = (
                _character(loaded, text_page, at, size)
                for at in range(max(0, first), min(end, count))
            )
            boxes += merged(box for box in characters if box is not None)
        return boxes
    finally:
        text_page.close()


def _character(loaded: Any, text_page: Any, at: int, size: tuple[int, int]) -> Box | None:
    """The box of one character in pixels; None for a space, or one that PDFium put in."""
    if raw.FPDFText_IsGenerated(text_page.raw, at):
        return None
    box = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text_page.raw, at, box):
        return None
    corners = [
        _pixel(loaded, x, y, size) for x, y in ((box.left, box.bottom), (box.right, box.top))
    ]
    (xa, ya), (xb, yb) = corners
    x0, x1 = max(0.0, min(xa, xb)), min(float(size[0]), max(xa, xb))
    y0, y1 = max(0.0, min(ya, yb)), min(float(size[1]), max(ya, yb))
    return (x0, y0, x1 - x0, y1 - y0) if x1 > x0 and y1 > y0 else None


PRECISION = 16
"""PDFium turns page points into whole pixels; on a grid this much finer nothing is lost."""


def _pixel(loaded: Any, x: float, y: float, size: tuple[int, int]) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    raw.FPDF_PageToDevice(
        loaded.raw, 0, 0, size[0] * PRECISION, size[1] * PRECISION, 0, x, y, across, down
    )
    return across.value / PRECISION, down.value / PRECISION


def merged(boxes: Iterable[Box]) -> list[Box]:
    """Boxes (x, y, width, height) of characters in order, joined into one for each line."""
    lines: list[Box] = []
    for box in boxes:
        if lines and _one_line(lines[-1], box):
            x = min(lines[-1][0], box[0])
            y = min(lines[-1][1], box[1])
            right = max(lines[-1][0] + lines[-1][2], box[0] + box[2])
            bottom = max(lines[-1][1] + lines[-1][3], box[1] + box[3])
            lines[-1] = (x, y, right - x, bottom - y)
        else:
            lines.append(box)
    return lines


def _one_line(line: Box, box: Box) -> bool:
    """Whether a character follows on the line: beside it, at its height or raised a little."""
    overlap = min(line[1] + line[3], box[1] + box[3]) - max(line[1], box[1])
    gap = box[0] - (line[0] + line[2])
    high = max(line[3], box[3])
    return overlap > 0.4 * min(line[3], box[3]) and -high <= gap <= 2 * high
