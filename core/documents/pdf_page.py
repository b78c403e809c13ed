"""One PDF page as words with places, styles and PDFium character indices.

Coordinates are in points as the page is seen: x from the left edge of the crop box, y up from
its lower edge, after the page's own rotation.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from core.documents.pdf_hidden import Covers, Suspect, grey_of, leaves_ink, picture_share

SMALLEST_SIZE = 1.5
"""Points; smaller text is not for a reader's eye."""

FAINT = 40
"""Of 255: paint less opaque than this may not show."""

PICTURE_PAGE_SHARE = 0.6
"""A page whose pictures cover at least this share is a scan; invisible text on it is its OCR."""

SUPERIOR_FOOT = 0.2
"""Em: a digit whose ink starts this far above the baseline is a superscript."""

UPRIGHT = (0, 1, 359)
"""Degrees: text that runs from left to right, a crooked scan's included."""

INVISIBLE_MODES = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)

_BOLD = re.compile(r"bold|black|heavy|semib|demi|cmbx|cmssbx|[-,]bd\b|\.b$", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|cmti|slant|cmsl|[-,]it\b|\.i$", re.IGNORECASE)
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_SPACES = frozenset(" \t\r\n\u00a0\u2002\u2003\u2009\u200a\u202f\u205f\u3000\x00")

# A function object of our own, because PDFium's pointers are compared here, never followed, and a
# pointer that comes back as a plain integer is several times faster to get.
_text_object = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(raw.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a run of characters is set. `size` is in points as seen; `face` the bare font name."""

    size: float
    face: str
    bold: bool
    italic: bool


@dataclass(slots=True)
class Word:
    """Characters without a space among them: PDFium indices `first` up to `first + len(text)`.

    `y` is the baseline, `x0` and `x1` the left and right end, all in points as seen. `spaced` says
    that the file has a space before the word; a line break alone is none. `doubted` says that it
    is struck through, or that a box to tick is drawn before it.
    """

    text: str
    first: int
    x0: float
    x1: float
    y: float
    style: Style
    spaced: bool = False
    doubted: bool = False

    @property
    def end(self) -> int:
        """One past the last PDFium index."""
        return self.first + len(self.text)


@dataclass(slots=True)
class Page:
    """The words of a page in content order, and what was found on the way.

    `turned` holds words that do not run from left to right. `hidden` counts the characters left
    out because a reader's eye cannot see them; `recognised` says that the words are the OCR layer
    of a scan.
    """

    number: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    turned: list[Word] = field(default_factory=list)
    hidden: int = 0
    recognised: bool = False


@dataclass(slots=True)
class _Run:
    """What PDFium says of one text object."""

    style: Style
    angle: int
    invisible: bool
    suspect: bool
    grey: int


def page_text(text_page: Any) -> str:
    """The page's characters, so that `text[i]` is PDFium's character `i`."""
    count = raw.FPDFText_CountChars(text_page)
    if count <= 0:
        return ""
    buffer = ctypes.create_string_buffer((2 * count + 2) * 2)
    units = raw.FPDFText_GetText(
        text_page, 0, count, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    )
    text = buffer.raw[: max(0, units - 1) * 2].decode("utf-16-le", "replace")
    if len(text) == count:
        return text
    # Characters without a code, and pairs of surrogates, shift PDFium's own text.
    codes = [raw.FPDFText_GetUnicode(text_page, at) for at in range(count)]
    return "".join(_characters(codes))


def _characters(codes: list[int]) -> Iterator[str]:
    """One character for each code; the second half of a surrogate pair becomes a NUL."""
    for before, code, after in zip([0, *codes], codes, [*codes[1:], 0], strict=False):
        if 0xD800 <= code < 0xDC00 and 0xDC00 <= after < 0xE000:
            yield chr(0x10000 + ((code - 0xD800) << 10) + (after - 0xDC00))
        elif 0xDC00 <= code < 0xE000 and 0xD800 <= before < 0xDC00:
            yield "\0"
        else:
            yield chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def read_page(document: pdfium.PdfDocument, index: int) -> Page:
    """Read page `index` (from 0). Raises `pypdfium2.PdfiumError` where it cannot be loaded."""
    loaded = document[index]
    try:
        text_page = loaded.get_textpage()
        try:
            return _Extractor(loaded, text_page.raw, index + 1).read()
        finally:
            text_page.close()
    finally:
        loaded.close()


class _Extractor:
    """Reads one page."""

    def __init__(self, page: Any, text_page: Any, number: int) -> None:
        self._loaded = page
        self._text_page = text_page
        self._handle = ctypes.cast(text_page, ctypes.c_void_p).value
        self._rotation = page.get_rotation()
        box = raw.FS_RECTF()
        raw.FPDF_GetPageBoundingBox(page.raw, box)
        self._left, self._bottom = box.left, box.bottom
        self._across, self._up = box.right - box.left, box.top - box.bottom
        turned = self._rotation in (90, 270)
        width, height = (self._up, self._across) if turned else (self._across, self._up)
        self.page = Page(number, width, height)
        self._runs: dict[int, _Run] = {}
        self._unseen: list[tuple[int, Word]] = []
        self._suspects: list[tuple[int, Word]] = []

    def read(self) -> Page:
        """The page."""
        text = page_text(self._text_page)
        covers = Covers(self._loaded.raw, self._seen)
        for pointer, word in self._words(text):
            self._place(pointer, word, covers)
        self._judge_suspects()
        if self._unseen:
            self._judge_unseen()
        return self.page

    def _words(self, text: str) -> Any:
        """(text object, word) pairs, cut at spaces and where the text object changes."""
        handle, at, count, spaced = self._handle, 0, len(text), False
        while at < count:
            if text[at] in _SPACES:
                spaced = spaced or text[at] not in "\r\n\x00"
                at += 1
                continue
            pointer = _text_object(handle, at)
            end = at + 1
            while end < count and text[end] not in _SPACES and _text_object(handle, end) == pointer:
                end += 1
            if pointer:
                word = self._word(pointer, text[at:end], at, spaced)
                raised = self._superior(word, pointer) if word.text[-1].isdigit() else None
                yield pointer, word
                if raised is not None:
                    yield pointer, raised
            at, spaced = end, False

    def _word(self, pointer: int, text: str, first: int, spaced: bool) -> Word:
        run = self._runs.get(pointer)
        if run is None:
            run = self._runs[pointer] = self._run(first)
        x, y = ctypes.c_double(), ctypes.c_double()
        raw.FPDFText_GetCharOrigin(self._text_page, first, x, y)
        x0, base = self._seen(x.value, y.value)
        box = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(self._text_page, first + len(text) - 1, box)
        ends = (self._seen(box.left, box.bottom)[0], self._seen(box.right, box.top)[0])
        text = text.replace("\ufffe", "-").replace("\x02", "-")
        return Word(text, first, x0, max(x0, *ends), base, run.style, spaced)

    def _superior(self, word: Word, pointer: int) -> Word | None:
        """Cut the raised digits off the end of `word` that a font has as glyphs of their own.

        They stand on the common baseline at full size; only their ink gives them away.
        """
        if self._runs[pointer].angle not in UPRIGHT:
            return None
        edges = [ctypes.c_double() for _ in range(4)]
        size, cut = word.style.size, len(word.text)
        while cut and word.text[cut - 1].isdigit():
            left, right, bottom, top = edges
            raw.FPDFText_GetCharBox(self._text_page, word.first + cut - 1, left, right, bottom, top)
            ends = (
                self._seen(left.value, bottom.value)[1],
                self._seen(right.value, top.value)[1],
            )
            if min(ends) - word.y < SUPERIOR_FOOT * size or max(ends) <= min(ends):
                break
            cut -= 1
        if cut == len(word.text):
            return None
        style = replace(word.style, size=round(0.6 * size, 2))
        x, y = ctypes.c_double(), ctypes.c_double()
        raw.FPDFText_GetCharOrigin(self._text_page, word.first + cut, x, y)
        start = self._seen(x.value, y.value)[0]
        if cut == 0:
            word.style, word.y = style, word.y + 0.35 * size
            return None
        raised = Word(
            word.text[cut:], word.first + cut, start, word.x1, word.y + 0.35 * size, style
        )
        word.text, word.x1 = word.text[:cut], start
        return raised

    def _seen(self, x: float, y: float) -> tuple[float, float]:
        """Page space to the page as it is seen."""
        x, y = x - self._left, y - self._bottom
        if self._rotation == 90:
            return y, self._across - x
        if self._rotation == 180:
            return self._across - x, self._up - y
        if self._rotation == 270:
            return self._up - y, x
        return x, y

    def _run(self, at: int) -> _Run:
        """Style and visibility of the text object that character `at` belongs to."""
        text_page = self._text_page
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text_page, at, matrix)
        size = raw.FPDFText_GetFontSize(text_page, at) * math.hypot(matrix.c, matrix.d)
        angle = round(math.degrees(math.atan2(matrix.b, matrix.a))) - self._rotation
        name = ctypes.create_string_buffer(128)
        flags = ctypes.c_int()
        raw.FPDFText_GetFontInfo(text_page, at, name, 128, flags)
        face = _SUBSET.sub("", name.value.decode("utf-8", "replace"))
        style = Style(
            round(abs(size), 2),
            face,
            bool(_BOLD.search(face)) or bool(flags.value & 1 << 18),
            bool(_ITALIC.search(face)) or bool(flags.value & 1 << 6),
        )
        mode = raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(text_page, at))
        stroked = mode in (raw.FPDF_TEXTRENDERMODE_STROKE, raw.FPDF_TEXTRENDERMODE_STROKE_CLIP)
        colours = [ctypes.c_uint() for _ in range(4)]
        ask = raw.FPDFText_GetStrokeColor if stroked else raw.FPDFText_GetFillColor
        known = ask(text_page, at, *colours)
        red, green, blue, alpha = (colour.value for colour in colours)
        grey = grey_of(red, green, blue) if known else 0
        faint = bool(known) and alpha < FAINT
        suspect = faint or self._layer(at)
        return _Run(style, angle % 360, mode in INVISIBLE_MODES, suspect, grey)

    def _layer(self, at: int) -> bool:
        """Whether the text object stands in an optional layer, which may be switched off."""
        text_object = raw.FPDFText_GetTextObject(self._text_page, at)
        for number in range(raw.FPDFPageObj_CountMarks(text_object)):
            name = (ctypes.c_ushort * 16)()
            length = ctypes.c_ulong()
            mark = raw.FPDFPageObj_GetMark(text_object, number)
            raw.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), length)
            if bytes(name)[:4] == "OC".encode("utf-16-le") and length.value == 6:
                return True
        return False

    def _place(self, pointer: int, word: Word, covers: Covers) -> None:
        """Put a word where it belongs: read, turned, hidden or to be looked at."""
        run, page = self._runs[pointer], self.page
        if any(sign.isalnum() for sign in word.text):
            word.doubted = covers.doubts(word.x0, word.x1, word.y, run.style.size)
        middle = (word.x0 + word.x1) / 2
        outside = not (-1 <= middle <= page.width + 1 and -1 <= word.y <= page.height + 1)
        if outside or run.style.size < SMALLEST_SIZE:
            page.hidden += len(word.text)
        elif run.invisible:
            self._unseen.append((pointer, word))
        elif run.angle not in UPRIGHT:
            page.turned.append(word)
        elif run.suspect or covers.may_hide(pointer, word.x0 + 1, word.y + 1, run.grey):
            self._suspects.append((pointer, word))
        else:
            page.words.append(word)

    def _judge_suspects(self) -> None:
        """Keep the suspects that leave ink on the drawn page, in their place."""
        if not self._suspects:
            return
        shown = leaves_ink(
            self._loaded,
            [
                Suspect(pointer, word.x0, word.y, word.x1, word.y + word.style.size * 0.7)
                for pointer, word in self._suspects
            ],
        )
        kept = [word for (_, word), seen in zip(self._suspects, shown, strict=True) if seen]
        self.page.hidden += sum(
            len(word.text)
            for (_, word), seen in zip(self._suspects, shown, strict=True)
            if not seen
        )
        if kept:
            self.page.words = sorted(self.page.words + kept, key=lambda word: word.first)

    def _judge_unseen(self) -> None:
        """Invisible text is the OCR layer of a scan, or it is hidden."""
        share = picture_share(self._loaded.raw, self.page.width * self.page.height)
        if share >= PICTURE_PAGE_SHARE:
            self.page.recognised = True
            self.page.words = sorted(
                self.page.words + [word for _, word in self._unseen], key=lambda word: word.first
            )
        else:
            self.page.hidden += sum(len(word.text) for _, word in self._unseen)
