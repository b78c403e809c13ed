"""Sentences of a JATS paper, and where PDFium's own text of a printed page has them.

Nothing here uses the reader under test: the sentences come from the XML, their places from the
raw characters of the pages.
"""

import ctypes
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from lxml import etree

INSIDE_OTHERS = frozenset(
    {"fig", "table-wrap", "supplementary-material", "boxed-text", "disp-quote", "list", "def-list"}
)
"""Elements whose paragraphs are not running text of the body."""

CUT_AT = frozenset({"sup", "sub", "inline-formula", "disp-formula", *INSIDE_OTHERS})
"""Elements that make a sentence unfit to be compared letter by letter."""

SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")


def plain(text: str) -> str:
    """Text without spaces and hyphens, ligatures spelled out: what line breaks do not change."""
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"[\s\u00ad\ufffe\x02\x00\u2010-\u2015\u2212-]", "", text)


def body_sentences(jats: Path) -> list[str]:
    """Every sentence of 60 to 400 characters in the body's paragraphs, in order."""
    body = etree.parse(str(jats)).getroot().find("body")
    assert body is not None
    found: list[str] = []
    for paragraph in body.iter("p"):
        if any(above.tag in {*INSIDE_OTHERS, "caption"} for above in paragraph.iterancestors()):
            continue
        text = " ".join("".join(_strings(paragraph)).split())
        found += [s for s in SENTENCE_END.split(text) if "\x00" not in s and 60 <= len(s) <= 400]
    return found


def _strings(element: Any) -> list[str]:
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            parts += ["\x00"] if child.tag in CUT_AT else _strings(child)
        parts.append(child.tail or "")
    return parts


@dataclass(frozen=True)
class RawPage:
    """A page's visible characters without spaces and hyphens, and where each stands."""

    text: str
    places: list[tuple[float, float]]
    indices: list[int]
    hyphens: frozenset[int]


def raw_pages(path: Path) -> list[RawPage]:
    """The characters of each page as PDFium gives them."""
    pdf = pdfium.PdfDocument(path)
    pages = []
    for number in range(len(pdf)):
        text_page = pdf[number].get_textpage()
        text, places, indices, hyphens = [], [], [], set()
        x, y = ctypes.c_double(), ctypes.c_double()
        for at in range(raw.FPDFText_CountChars(text_page.raw)):
            character = chr(raw.FPDFText_GetUnicode(text_page.raw, at))
            if raw.FPDFText_IsHyphen(text_page.raw, at):
                hyphens.add(len(text))
            for letter in plain(character):
                raw.FPDFText_GetCharOrigin(text_page.raw, at, x, y)
                text.append(letter)
                places.append((x.value, y.value))
                indices.append(at)
        pages.append(RawPage("".join(text), places, indices, frozenset(hyphens)))
    pdf.close()
    return pages


@dataclass(frozen=True)
class Place:
    """Where a sentence stands: its first page (from 1) and how its line of characters breaks."""

    page: int
    pages: int
    columns: int
    lines: int
    hyphenated: bool


MINIMUM_PART = 12
"""Characters that a part of a broken sentence has at least, so that chance does not find it."""


def place_of(sentence: str, pages: list[RawPage]) -> Place | None:
    """The one place of a sentence on the pages; None where it stands twice or is not found.

    A sentence broken by a column or page is found as two parts, whatever stands between them.
    """
    letters = plain(sentence)
    whole = [
        (number, at) for number, page in enumerate(pages, 1) for at in _all(page.text, letters)
    ]
    if len(whole) == 1:
        number, at = whole[0]
        return _describe([(pages[number - 1], at, at + len(letters))], number, 1)
    if whole:
        return None
    for cut in range(len(letters) - MINIMUM_PART, MINIMUM_PART - 1, -1):
        head, tail = letters[:cut], letters[cut:]
        heads = [(n, at) for n, page in enumerate(pages, 1) for at in _all(page.text, head)]
        if not heads:
            continue
        number, at = heads[0]
        page = pages[number - 1]
        after = [
            (n, t)
            for n in (number, number + 1)
            if n <= len(pages)
            for t in _all(pages[n - 1].text, tail)
        ]
        if len(heads) > 1 or len(after) != 1:
            return None
        other, there = after[0]
        return _describe(
            [(page, at, at + cut), (pages[other - 1], there, there + len(tail))],
            number,
            1 + (other != number),
        )
    return None


def _all(text: str, part: str) -> list[int]:
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def _describe(parts: list[tuple[RawPage, int, int]], number: int, pages: int) -> Place:
    lines = columns = 1
    hyphenated = False
    before: tuple[float, float] | None = None
    for page, start, end in parts:
        for at in range(start, end):
            x, y = page.places[at]
            if before is not None and abs(y - before[1]) > 6:
                lines += 1
                columns += y > before[1] + 6
            before = (x, y)
        hyphenated = hyphenated or any(start < at < end for at in page.hyphens)
    return Place(number, pages, columns, lines, hyphenated)
