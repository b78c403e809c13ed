"""What each piece of a PDF is: title, heading, paragraph, caption, footnote, reference …"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.documents.layout import BULLET, FIXED_PITCH, Piece
from core.documents.model import BlockKind, SectionKind
from core.documents.pdf_columns import Measures, same_size
from core.documents.pdf_lines import Line
from core.documents.pdf_page import Word
from core.documents.pdf_tables import starts_caption
from core.documents.sections import classify_heading

SMALL = 0.93
"""Share of the body size below which text is set small: notes, captions, tables."""

LARGE = 1.06
"""Share of the body size above which a short piece is set as a heading."""

LONGEST_HEADING = 200
"""Characters; a longer piece is no heading whatever it looks like."""

LONGEST_FORMULA = 160
"""Characters; a displayed formula is shorter."""

MOST_NAMES = 0.3
"""Share of words with a capital, above which a piece is names and places and not prose."""

_NUMBERED = re.compile(
    r"^(?:(?:section|chapter|part|article|appendix|annex)\s+)?"
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2})+|[IVX]{1,5})[.:)]?\s+(?=\S*[A-Za-z])",
    re.IGNORECASE,
)
_MARKER = re.compile(r"^(?:[*†‡§¶‖#∗]+|\d{1,2}|[a-z])$")
_FRONT_LEAD = re.compile(
    r"^\W*(?:received|accepted|published|revised|available online|citation|copyright|editors?\b"
    r"|academic editor|reviewed by|funding|competing interests|keywords?|key words|correspond"
    r"|e-?mail|address|doi\b|https?:|orcid|issn|arxiv|©|\d{4}-\d{4}/)|^\S+@\S+",
    re.IGNORECASE,
)
_VERBS = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|we|it|this|that|which|may|must|shall|should|can"
    r"|will|not|do|does|did)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[a-z]{2}.*[\w)\]%][.?!][\"”’)\]]*(?:\s|$)", re.DOTALL)
_ABSTRACT_RUN_IN = re.compile(r"^(?:abstract|summary)\b\s*[.:—–-]\s*\S", re.IGNORECASE)
_CLOSING = frozenset({SectionKind.REFERENCES, SectionKind.BACK_MATTER})
_WORD = re.compile(r"[A-Za-z]{3,}")
_MATHS = re.compile("[=−≈≤≥<>±∑∫∏√∂→∞×÷\u0370-\u03ff\U0001d400-\U0001d7ff]|\\d\\s[+−]\\s")
_LEADS_ON = re.compile(
    r"^\W*(?:in|see|of|and|to|from|by|with|the|also|or|than|per|both|that|this|our|on|for|under)$",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*(?:\d+|[ivxlc]+)$|[\u2026_]{2,}\s*\d+$")
_SYMBOL = re.compile(r"^[a-z]{1,2}[A-Z]\w*")
_LETTERS = re.compile(r"[^\W\d_]")


def assign_kinds(
    pages: Sequence[Sequence[Piece]], measures: Measures, *, opening: bool = True
) -> None:
    """Give a kind to every piece of every page; pages are in reading order.

    `opening` says that they are the first pages, which have the title and the authors.
    """
    before: Piece | None = None
    for pieces in pages:
        before = _captions(pieces, before, measures)
        _table_parts(pieces, measures)
        _footnotes(pieces, measures)
        _listings(pieces, measures)
        _figure_text(pieces, measures)
        _formulas(pieces)
    flow = [piece for pieces in pages for piece in pieces if piece.kind is None]
    if opening:
        _title(pages, measures)
    _headings(flow, measures)
    if opening:
        _front_matter(pages, measures)
    for piece in flow:
        if piece.kind is None:
            item = piece.label or BULLET.match(piece.lines[0].words[0].text)
            piece.kind = BlockKind.LIST_ITEM if item else BlockKind.PARAGRAPH


def _captions(pieces: Sequence[Piece], before: Piece | None, measures: Measures) -> Piece | None:
    """Find captions; `before` is the last running piece of the page before, and comes back."""
    for at, piece in enumerate(pieces):
        if piece.kind is not None:
            continue
        if not starts_caption(piece.lines[0]) or _mid_sentence(before, piece):
            if same_size(piece.size, measures.size):
                before = piece
            continue
        piece.kind = BlockKind.CAPTION
        # Bold lead and plain rest are one caption to the reader, two pieces to the layout.
        for after in pieces[at + 1 : at + 6]:
            if after.kind is not None or starts_caption(after.lines[0]):
                break
            gap = piece.bottom - after.top
            beside = abs(after.x0 - piece.x0) < measures.size
            alike = same_size(after.size, piece.size) and not same_size(after.size, measures.size)
            if not (alike and beside and -1 <= gap <= 1.1 * piece.size):
                break
            after.kind = BlockKind.CAPTION
            piece = after
    return before


def _mid_sentence(before: Piece | None, piece: Piece) -> bool:
    """Whether "Table 1." at the top of a column ends the sentence that the last column began."""
    if before is None or piece.lines[0].words[0].style.bold:
        return False
    last = before.lines[-1]
    full = last.x1 > before.column.right - 2 * last.size
    return (
        full
        and bool(_LEADS_ON.match(last.words[-1].text))
        and same_size(before.size, piece.size)
        and before.face == piece.face
        and (before.page != piece.page or before.bottom < piece.top)
    )


def _table_parts(pieces: Sequence[Piece], measures: Measures) -> None:
    """Small type around a table or under its caption is the table's: heads, groups and notes."""
    heads = [
        piece
        for piece in pieces
        if piece.kind is BlockKind.CAPTION and piece.lines[0].text[:3].lower() == "tab"
    ]
    tables = [piece for piece in pieces if piece.kind is BlockKind.TABLE] + heads
    pending = True
    while pending:
        pending = False
        for piece in pieces:
            if piece.kind is not None or piece.size >= SMALL * measures.size:
                continue
            if any(_touches(piece, table, measures) for table in tables):
                piece.kind = BlockKind.TABLE
                tables.append(piece)
                pending = True


def _touches(piece: Piece, table: Piece, measures: Measures) -> bool:
    if table.kind is BlockKind.CAPTION and piece.top > table.top:
        return False
    if min(piece.x1, table.x1) <= max(piece.x0, table.x0):
        return False
    gap = max(piece.bottom - table.top, table.bottom - piece.top)
    return gap <= 1.6 * measures.size


def _footnotes(pieces: Sequence[Piece], measures: Measures) -> None:
    """Small type at the foot of a column, from its first marked note on."""
    small = [p for p in pieces if p.kind is None and p.size < SMALL * measures.size]
    starts = [p for p in small if _marked(p.lines[0]) and not _text_below(p, pieces, measures)]
    for start in starts:
        start.kind = BlockKind.FOOTNOTE
    if not starts:
        return
    # A long note goes on at the foot of the next column, without a mark.
    highest = max(start.top for start in starts)
    for piece in small:
        if piece.kind is None and not _text_below(piece, pieces, measures):
            near = any(
                abs(piece.x0 - start.x0) < 3 * measures.size
                and -1
                <= max(start.bottom - piece.top, piece.bottom - start.top)
                <= 1.5 * measures.size
                for start in starts
            )
            if near or piece.top <= highest + 0.5 * measures.size:
                piece.kind = BlockKind.FOOTNOTE


def _marked(line: Line) -> bool:
    word = line.words[0]
    if line.is_raised(word) and len(word.text) <= 3:
        return True
    return len(line.words) > 1 and bool(_MARKER.match(word.text)) and not word.text.isalpha()


def _text_below(piece: Piece, pieces: Sequence[Piece], measures: Measures) -> bool:
    """Whether running text of full size stands below the piece in its column."""
    return any(
        other.top < piece.bottom
        and other.size >= SMALL * measures.size
        and min(other.x1, piece.x1) - max(other.x0, piece.x0) > 2 * measures.size
        for other in pieces
    )


def _figure_text(pieces: Sequence[Piece], measures: Measures) -> None:
    """Axis labels and the like: small scraps, none of which could be a sentence."""
    for piece in pieces:
        if piece.kind is None and piece.size < SMALL * measures.size:
            words = max(len(line.words) for line in piece.lines)
            if words <= 5 and not _SENTENCE.search(piece.text) and _kind_of(piece) is None:
                piece.kind = BlockKind.CAPTION


def _listings(pieces: Sequence[Piece], measures: Measures) -> None:
    """Program text, and lists of contents with their dotted lines."""
    fixed = bool(FIXED_PITCH.search(measures.face))
    for piece in pieces:
        if piece.kind is not None:
            continue
        if sum(bool(_LEADERS.search(line.text)) for line in piece.lines) * 2 > len(piece.lines):
            piece.kind = BlockKind.TABLE
            continue
        # A single small line in such type is more often a figure's label.
        label = len(piece.lines) == 1 and piece.size < SMALL * measures.size
        typed = all(FIXED_PITCH.search(word.style.face) for word in _words(piece))
        if typed and not fixed and not label:
            piece.kind = BlockKind.CODE


def _words(piece: Piece) -> list[Word]:
    return [word for line in piece.lines for word in line.words]


def _formulas(pieces: Sequence[Piece]) -> None:
    """Displayed formulas: set in, and next to no words among their signs."""
    for piece in pieces:
        if piece.kind is None and len(piece.text) < LONGEST_FORMULA:
            words = len(_WORD.findall(piece.text))
            signs = bool(_MATHS.search(piece.text)) or not _LETTERS.search(piece.text)
            inset = piece.x0 > piece.column.left + piece.size or piece.column.right <= piece.x1
            if signs and inset and words <= 2:
                piece.kind = BlockKind.CODE


def _kind_of(piece: Piece) -> SectionKind | None:
    return classify_heading(" ".join(line.text for line in piece.lines))


def _title(pages: Sequence[Sequence[Piece]], measures: Measures) -> None:
    """The largest type of the first page that has any, where it stands out from the text."""
    first = next((pieces for pieces in pages if pieces), [])
    candidates = [
        piece
        for piece in first
        if piece.kind is None
        and len(_LETTERS.findall(piece.text)) >= 4
        and len(piece.text) <= 400
        and piece.size > 1.15 * measures.size
    ]
    if not candidates:
        return
    largest = max(candidates, key=lambda piece: (piece.size, piece.top))
    if _kind_of(largest) is not None and len(candidates) == 1:
        return
    largest.kind = BlockKind.TITLE
    for piece in candidates:
        if piece.size == largest.size and piece.face == largest.face and piece is not largest:
            gap = max(largest.bottom - piece.top, piece.bottom - largest.top)
            if gap < 1.2 * largest.size:
                piece.kind = BlockKind.TITLE


def _headings(flow: Sequence[Piece], measures: Measures) -> None:
    for at, piece in enumerate(flow):
        if piece.kind is None and _is_heading(piece, flow[at + 1 : at + 2], measures):
            piece.kind = BlockKind.HEADING
            number = _NUMBERED.match(piece.text)
            piece.level = number["number"].strip(".").count(".") if number else 0


def _is_heading(piece: Piece, following: Sequence[Piece], measures: Measures) -> bool:
    text = " ".join(line.text for line in piece.lines)
    letters = len(_LETTERS.findall(text))
    if (
        len(text) > LONGEST_HEADING
        or len(piece.lines) > 4
        or letters < 2
        or letters < len(text) / 3
    ):
        return False
    if text[0].islower() and not _NUMBERED.match(text) and not _SYMBOL.match(text):
        return False
    sentence = text.rstrip('"”’)')[-1] in ".;," and len(piece.lines[0].words) > 3
    bold = all(line.share("bold") > 0.95 for line in piece.lines)
    italic = all(line.share("italic") > 0.95 for line in piece.lines)
    known = classify_heading(text)
    numbered = bool(_NUMBERED.match(text))
    if known is not None and len(piece.lines) <= 2 and not sentence:
        return True
    if sentence:
        return bold and numbered and len(piece.lines) == 1
    if not following and not numbered:
        return False
    larger = piece.size > LARGE * measures.size
    body_bold = "bold" in measures.face.lower()
    if larger or (bold and not body_bold and piece.size >= SMALL * measures.size):
        return True
    capitals = text.isupper() and letters >= 4
    short = piece.x1 < piece.column.right - 2 * measures.size or len(piece.lines) > 1
    if capitals and short:
        return True
    faced = piece.face != measures.face and piece.size >= SMALL * measures.size
    return short and (italic or (numbered and faced)) and len(piece.lines) <= 2 and text[-1] != ":"


def _front_matter(pages: Sequence[Sequence[Piece]], measures: Measures) -> None:
    """Authors, affiliations and dates between the title and the abstract or first section."""
    for pieces in pages[:2]:
        title = next((at for at, p in enumerate(pieces) if p.kind is BlockKind.TITLE), None)
        if title is None:
            continue
        opening = _opening(pieces, title)
        for at, piece in enumerate(pieces):
            if piece.kind not in (None, BlockKind.HEADING):
                continue
            before = at < title or title < at < opening
            small = piece.size < SMALL * measures.size
            named = bool(_FRONT_LEAD.match(piece.text)) and piece.kind is None
            name = before and _kind_of(piece) is None and not _prose(piece)
            if name or (named and (before or small)):
                piece.kind = BlockKind.FRONT_MATTER
        return


def _opening(pieces: Sequence[Piece], title: int) -> int:
    """Where the abstract, the first section or the first running text begins after the title."""
    for at in range(title + 1, len(pieces)):
        piece = pieces[at]
        if _ABSTRACT_RUN_IN.match(piece.text):
            return at
        if piece.kind is BlockKind.HEADING:
            kind = _kind_of(piece)
            if kind in _CLOSING:
                break
            if kind is not None or _NUMBERED.match(piece.text):
                return at
    first = next((at for at in range(title + 1, len(pieces)) if _prose(pieces[at])), None)
    return len(pieces) if first is None else first


def _prose(piece: Piece) -> bool:
    """Whether a piece reads like running text: a sentence, with the small words of one."""
    text = piece.text
    if not _SENTENCE.search(text):
        return False
    if len(_VERBS.findall(text)) >= min(3, 1 + len(text) // 400):
        return True
    words = text.split()
    names = sum(word[:1].isupper() for word in words)
    return len(words) >= 20 and names < MOST_NAMES * len(words)
