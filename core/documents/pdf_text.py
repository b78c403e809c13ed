"""Pieces of pages joined into the blocks of one text, each character with its place on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.documents.layout import SHORT_LINE, Piece
from core.documents.model import BlockKind, Fragment
from core.documents.pdf_columns import DEEPEST_INDENT, INDENT, Measures, same_size
from core.documents.pdf_lines import Line, apart
from core.documents.pdf_raised import SUPERSCRIPTS, exponent

RUNNING = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM})
"""Kinds that may be broken by the end of a column and go on at the top of another."""

LOOK_BACK = 10
"""Paragraphs and headings after which nothing continues a group any more: a sidebar has fewer."""

MOST_PARTS = 10_000
"""Words that are kept one by one before they are joined: a word of its own costs ten times more."""

MOST_WAITING = 2000
"""Groups held back at most, whatever they are."""

_ENDED = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_ABBREVIATED = re.compile(
    r"(?:\b(?:al|e\.g|i\.e|cf|vs|Figs?|Eqs?|Refs?|Nos?|Dr|Mr|Mrs|Ms|Prof|St|approx|ca|resp|Sect?|"
    r"Tab|Vol|pp?|Art|Ch|Inc|Ltd)|\b[A-Z])\.$"
)
_MATHS = re.compile(r"[=≈≤≥<>±∑∫∏√∂→∞×÷]|\s[+−]\s")


@dataclass(slots=True, eq=False)
class Group:
    """Pieces that are one block of the document."""

    pieces: list[Piece]
    kind: BlockKind
    level: int = 0


@dataclass(slots=True)
class Draft:
    """A block before its section is known: `text[start:end]`.

    `look` tells the styles of headings apart, and `width` (points) wide abstracts from columns.
    """

    kind: BlockKind
    start: int
    end: int
    heading: str = ""
    look: tuple[float, bool, bool, bool] = (0.0, False, False, False)
    depth: int = 0
    width: float = 0.0
    size: float = 0.0


@dataclass(slots=True)
class Text:
    """The text as it grows, with the fragments that tie it to the pages."""

    fragments: list[Fragment] = field(default_factory=list)
    length: int = 0
    _parts: list[str] = field(default_factory=list)
    _chunks: list[str] = field(default_factory=list)

    def add(self, text: str, page: int = 0, page_start: int = 0) -> None:
        """Append characters; with a page, they are that page's from `page_start` on."""
        if page and self.fragments:
            last = self.fragments[-1]
            if (
                last.end == self.length
                and last.page == page
                and last.page_start + last.end - last.start == page_start
            ):
                self.fragments[-1] = Fragment(
                    last.start, last.end + len(text), page, last.page_start
                )
                page = 0
        if page:
            self.fragments.append(Fragment(self.length, self.length + len(text), page, page_start))
        self._parts.append(text)
        self.length += len(text)
        if len(self._parts) >= MOST_PARTS:
            self._chunks.append("".join(self._parts))
            self._parts.clear()

    def whole(self) -> str:
        """All of the text so far."""
        return "".join([*self._chunks, *self._parts])


class Joiner:
    """Joins pieces, in reading order, into groups; hands groups out once nothing can join them."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures
        self._waiting: list[Group] = []
        self._indented = 0
        self._flush = 0
        self._previous: Piece | None = None

    def add(self, piece: Piece) -> list[Group]:
        """Take the next piece; the groups that are complete now come back in order."""
        kind = piece.kind or BlockKind.PARAGRAPH
        self._count(piece, kind)
        target = self._continued(piece, kind)
        if target is not None:
            target.pieces += [*self._formulas_since(target, piece), piece]
        elif self._more_of_the_same(piece, kind):
            self._waiting[-1].pieces.append(piece)
        else:
            self._waiting.append(Group([piece], kind, piece.level))
        if kind in RUNNING or kind is BlockKind.HEADING:
            self._previous = piece
        if len(self._waiting) <= LOOK_BACK:
            return []
        return self._let_go()

    def _let_go(self) -> list[Group]:
        """The groups that too much text has followed for anything to continue them."""
        since, at = 0, len(self._waiting)
        while at and since < LOOK_BACK and len(self._waiting) - at < MOST_WAITING:
            at -= 1
            if self._waiting[at].kind in RUNNING or self._waiting[at].kind is BlockKind.HEADING:
                since += 1
        ready = self._waiting[:at]
        self._waiting = self._waiting[at:]
        return ready

    def finish(self) -> list[Group]:
        """The groups that were still waiting."""
        ready, self._waiting = self._waiting, []
        return ready

    def _count(self, piece: Piece, kind: BlockKind) -> None:
        """Learn whether paragraphs are told apart by indents."""
        if kind is BlockKind.PARAGRAPH and len(piece.lines) > 2:
            if piece.lines[0].x0 - min(line.x0 for line in piece.lines[1:]) > INDENT * piece.size:
                self._indented += 1
            else:
                self._flush += 1

    def _formulas_since(self, target: Group, piece: Piece) -> list[Piece]:
        """Displayed formulas between two parts of a sentence, which they are a part of."""
        at = self._waiting.index(target)
        last = target.pieces[-1]
        within = [
            group
            for group in self._waiting[at + 1 :]
            if group.kind is BlockKind.CODE
            and (_over(last, group.pieces[0]) or _over(group.pieces[0], piece))
        ]
        self._waiting = [group for group in self._waiting if group not in within]
        return [formula for group in within for formula in group.pieces]

    def _more_of_the_same(self, piece: Piece, kind: BlockKind) -> bool:
        """Whether the piece belongs to the title or heading just before it."""
        if not self._waiting or kind not in (BlockKind.TITLE, BlockKind.HEADING):
            return False
        last = self._waiting[-1]
        before = last.pieces[-1]
        return (
            last.kind is kind
            and kind is BlockKind.TITLE
            and before.page == piece.page
            and same_size(before.size, piece.size)
        )

    def _continued(self, piece: Piece, kind: BlockKind) -> Group | None:
        """The group that the piece goes on with, if any."""
        if kind is not BlockKind.PARAGRAPH or piece.label:
            return None
        headings = 0
        for group in reversed(self._waiting):
            if group.kind is BlockKind.HEADING:
                headings += 1
                if headings > 2 or group.pieces[0] is self._previous:
                    return None
            if group.kind not in RUNNING or not _same_style(group.pieces[-1], piece):
                continue
            if self._joins(group, piece, strict=headings > 0):
                return group
            return None
        return None

    def _joins(self, group: Group, piece: Piece, strict: bool) -> bool:
        last = group.pieces[-1]
        if piece.page - last.page > 2:
            return False
        starts_low = _starts_low(piece)
        ending = _ending(last)
        ended = bool(_ENDED.search(ending)) and not _ABBREVIATED.search(ending)
        if strict:
            return starts_low and not ended
        under = last.page == piece.page and abs(last.column.left - piece.column.left) < piece.size
        if under and last.bottom > piece.top:
            gap = last.bottom - piece.top
            if gap < 2.5 * self._measures.size:
                maths = _is_formula(last) or _is_formula(piece)
                return not ended and (starts_low or maths)
        if starts_low:
            return not ended or not _ENDED.search(ending[-1:]) or ending[-1] == "."
        edge = last.lines[-1]
        full = edge.x1 >= last.column.right - SHORT_LINE * edge.size
        first = piece.lines[0]
        left = min((line.x0 for line in piece.lines[1:]), default=piece.column.left)
        indented = first.x0 - left > INDENT * first.size
        if first.x0 - piece.column.left > DEEPEST_INDENT * first.size:
            return False
        if not ended:
            return full and not (indented and self._indented > self._flush)
        return full and not indented and self._indented > self._flush and not under


def _over(upper: Piece, lower: Piece) -> bool:
    """Whether one piece stands over another in its column."""
    beside = min(upper.column.right, lower.column.right) - max(upper.x0, lower.x0)
    return upper.page == lower.page and beside > 0 and upper.bottom > lower.top - lower.size


def _same_style(one: Piece, other: Piece) -> bool:
    return same_size(one.size, other.size) and _family(one.face) == _family(other.face)


def _family(face: str) -> str:
    """The font's family: a line may be in italics, a paragraph may not change its family."""
    return re.split(r"[-,]", face)[0].lower()[:8]


def _starts_low(piece: Piece) -> bool:
    line = piece.lines[0]
    word = next((word for word in line.words if not line.is_raised(word)), line.words[0])
    return word.text.lstrip("(“\"'‘[")[:1].islower()


def _ending(piece: Piece) -> str:
    """The last word that is no raised marker."""
    line = piece.lines[-1]
    for word in reversed(line.words):
        if not line.is_raised(word):
            return word.text
    return line.words[-1].text


def _is_formula(piece: Piece) -> bool:
    text = piece.text
    inset = piece.x0 > piece.column.left + 1.5 * piece.size
    return len(text) < 200 and inset and bool(_MATHS.search(text))


def write(groups: Iterable[Group], text: Text) -> list[Draft]:
    """Append the groups to the text, a blank line between them."""
    drafts = []
    for group in groups:
        begin = text.length
        if begin:
            text.add("\n\n")
        start = text.length
        for number, piece in enumerate(group.pieces):
            if number:
                text.add("\n")
            if piece.rows:
                _write_rows(piece, text)
            else:
                _write_lines(piece.lines, piece.page, text)
        if text.length == start:
            continue
        first = group.pieces[0]
        heading = " ".join(line.text for piece in group.pieces for line in piece.lines)
        drafts.append(
            Draft(
                _asserted(group),
                start,
                text.length,
                heading if group.kind is BlockKind.HEADING else "",
                look_of(first),
                first.level,
                first.column.right - first.column.left,
                first.size,
            )
        )
    return drafts


def _asserted(group: Group) -> BlockKind:
    """The group's kind; a paragraph with a struck word or a box to tick asserts nothing."""
    words = (word for piece in group.pieces for line in piece.lines for word in line.words)
    if group.kind in RUNNING and any(word.doubted for word in words):
        return BlockKind.QUOTATION
    return group.kind


def look_of(piece: Piece) -> tuple[float, bool, bool, bool]:
    """What ranks a heading: larger, capitals, bold, upright."""
    line = piece.lines[0]
    # A lone acronym is in capitals under any style.
    capitals = piece.text.isupper() and any(len(word.text) > 5 for word in line.words)
    return (
        round(piece.size * 2) / 2,
        not (capitals and not any(c.isdigit() for c in piece.text)),
        line.share("bold") < 0.5,
        line.share("italic") > 0.5,
    )


def _write_rows(piece: Piece, text: Text) -> None:
    for number, row in enumerate(piece.rows):
        if number:
            text.add("\n")
        for at, cell in enumerate(row):
            if at:
                text.add("\t")
            _write_line(cell, piece.page, text)


def _write_lines(lines: list[Line], page: int, text: Text) -> None:
    written = False
    for line in lines:
        if written:
            text.add("\n")
        written = _write_line(line, page, text)


def _write_line(line: Line, page: int, text: Text) -> bool:
    """Write a line, raised markers left out and exponents raised; whether it had any text."""
    start = text.length
    before = None
    at = 0
    parted = False
    while at < len(line.words):
        word = line.words[at]
        run = at
        while run < len(line.words) and line.is_raised(line.words[run]):
            run += 1
        if run > at:
            kept = exponent(line, at, run)
            if kept is None:
                parted = parted or (before is not None and apart(before, word))
                before, at = line.words[run - 1], run
                continue
            shown = [
                part.text.translate(SUPERSCRIPTS) if kept else part.text
                for part in line.words[at:run]
            ]
        else:
            run, shown = at + 1, [word.text]
        for part, characters in zip(line.words[at:run], shown, strict=True):
            if before is not None and text.length > start and (parted or apart(before, part)):
                if part.spaced and part.first == before.end + 1:
                    text.add(" ", page, before.end)
                else:
                    text.add(" ")
            text.add(characters, page, part.first)
            before, parted = part, False
        at = run
    return text.length > start
