"""Lines of a page joined into pieces: paragraphs, or the page's part of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.documents.model import BlockKind
from core.documents.pdf_columns import (
    DEEPEST_INDENT,
    INDENT,
    Column,
    Measures,
    column_for,
    same_size,
)
from core.documents.pdf_lines import LABEL, Line

SHORT_LINE = 2.5
"""Em: a line that ends further than this before its column's edge is not full."""

OPEN_PIECES = 10
"""Pieces that a further line may still belong to; enough for every column and margin note."""

FIXED_PITCH = re.compile(r"mon[ol]|courier|typewriter|cmtt|consol|menlo|fixed|code", re.IGNORECASE)
"""Fonts of program text."""

FIXED_SIZE = 0.8
"""Program text within a paragraph is set at least at this share of its size."""

BULLET = re.compile(r"^[•‣▪■●○◦∙▸►✓\uf0b7\uf0a7]$")
_ENDS = re.compile(r"[.!?:;…][\"'”’)\]]*$")


@dataclass(slots=True, eq=False)
class Piece:
    """Lines of one page that belong together: a paragraph or the page's part of it.

    `kind` is None while nothing but running text is known of it. `rows` are the rows of a table,
    `level` the depth of a heading's number, `label` says that it opens with a list label.
    """

    page: int
    lines: list[Line]
    column: Column
    kind: BlockKind | None = None
    rows: list[list[Line]] = field(default_factory=list)
    level: int = 0
    label: bool = False

    @property
    def x0(self) -> float:
        """Left edge."""
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(line.x1 for line in self.lines)

    @property
    def top(self) -> float:
        """Upper edge."""
        return max(line.y + 0.7 * line.size for line in self.lines)

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return min(line.y - 0.2 * line.size for line in self.lines)

    @property
    def size(self) -> float:
        """Font size of most of its characters."""
        sizes: Counter[float] = Counter()
        for line in self.lines:
            sizes[line.size] += sum(len(word.text) for word in line.words)
        return sizes.most_common(1)[0][0]

    @property
    def face(self) -> str:
        """The commonest font among its lines."""
        return Counter(line.style.face for line in self.lines).most_common(1)[0][0]

    @property
    def text(self) -> str:
        """The lines, each on its own."""
        return "\n".join(line.text for line in self.lines)


def pieces_of(
    number: int, lines: Sequence[Line], columns: Sequence[Column], measures: Measures
) -> list[Piece]:
    """The lines of page `number` joined into pieces, from the top down."""
    pieces: list[Piece] = []
    for line in sorted(lines, key=lambda line: (-line.y, line.x0)):
        column = column_for(line, columns, measures.size)
        piece = _above(line, pieces)
        if piece is not None and _continues(piece, line, column, measures):
            piece.lines.append(line)
            if column.right - column.left > piece.column.right - piece.column.left:
                piece.column = column
            pieces.remove(piece)
            pieces.append(piece)
        else:
            label = has_label(line)
            pieces.append(Piece(number, [line], column, label=label))
    return pieces


def _above(line: Line, pieces: Sequence[Piece]) -> Piece | None:
    """The piece whose last line is the nearest one over `line`."""
    best: Piece | None = None
    for piece in pieces[-OPEN_PIECES:]:
        last = piece.lines[-1]
        drop = last.y - line.y
        overlap = min(last.x1, line.x1) - max(last.x0, line.x0)
        narrow = min(last.x1 - last.x0, line.x1 - line.x0)
        near = best is None or drop < best.lines[-1].y - line.y
        if near and drop > 0.3 * line.size and overlap > 0.3 * narrow:
            best = piece
    return best


def _continues(piece: Piece, line: Line, column: Column, measures: Measures) -> bool:
    """Whether `line` goes on with the piece above it."""
    last, first = piece.lines[-1], piece.lines[0]
    em = line.size
    if not same_size(last.size, line.size) and not _set_as_code(last, line):
        return False
    if last.y - line.y > max(1.28 * measures.pitch, 1.3) * em:
        return False
    centred = abs((last.x0 + last.x1) - (line.x0 + line.x1)) < em
    if not _beside(piece.column, column, em) and not centred:
        return False
    if (last.share("bold") > 0.95) != (line.share("bold") > 0.95) and _heading_like(piece):
        return False
    if BULLET.match(line.words[0].text):
        return False
    full = last.x1 >= column_right(piece, column) - SHORT_LINE * em
    if len(piece.lines) > 1 and _pitch_grows(piece, line):
        return False
    if _labelled(piece, line, full):
        return False
    ended = bool(_ENDS.search(last.words[-1].text))
    if centred and abs(last.x0 - line.x0) > INDENT * em and not full:
        return True
    if len(piece.lines) == 1:
        step = line.x0 - first.x0
        return not (step > INDENT * em and not full and not piece.label) and (full or not ended)
    left = min(below.x0 for below in piece.lines[1:])
    if line.x0 - left > INDENT * em and (ended or not full):
        return False
    if left - line.x0 > INDENT * em and abs(line.x0 - first.x0) < 0.3 * em:
        # Back to where the piece began: the next item of a list or of the references.
        return False
    return full or not ended


def column_right(piece: Piece, column: Column) -> float:
    """The right edge that full lines of the piece reach."""
    reached = max(line.x1 for line in piece.lines)
    edge = max(piece.column.right, column.right)
    return (
        edge if len(piece.lines) < 3 else max(reached, min(edge, reached + 2 * piece.lines[0].size))
    )


def _set_as_code(one: Line, other: Line) -> bool:
    """Whether lines differ in size only because one is program text within running text."""
    fixed = [bool(FIXED_PITCH.search(line.style.face)) for line in (one, other)]
    small, large = sorted((one.size, other.size))
    return fixed[0] != fixed[1] and small >= FIXED_SIZE * large


def _beside(one: Column, other: Column, em: float) -> bool:
    """Whether two columns are one, or one is set in inside the other."""
    left, right = abs(one.left - other.left), abs(one.right - other.right)
    if left <= DEEPEST_INDENT * em and right <= DEEPEST_INDENT * em:
        return True
    inner = one.left >= other.left - em and one.right <= other.right + em
    outer = other.left >= one.left - em and other.right <= one.right + em
    return (
        left <= DEEPEST_INDENT * em
        and (inner or outer)
        and abs((one.right - one.left) - (other.right - other.left)) < 12 * em
    )


def _heading_like(piece: Piece) -> bool:
    return len(piece.lines) <= 3 or piece.lines[-1].share("bold") > 0.95


def _pitch_grows(piece: Piece, line: Line) -> bool:
    """Whether the step to `line` is clearly wider than the piece's own."""
    steps = [above.y - below.y for above, below in zip(piece.lines, piece.lines[1:], strict=False)]
    usual = sorted(steps)[len(steps) // 2]
    return piece.lines[-1].y - line.y > 1.28 * usual + 0.5


def has_label(line: Line) -> bool:
    """Whether a line opens with the label of a list item, clause or reference."""
    if len(line.words) < 2 or not LABEL.match(line.words[0].text):
        return False
    # A citation that a line break put first goes on in the middle of its sentence.
    cited = line.words[0].text[0] == "[" and not line.words[1].text[:1].isupper()
    return not cited


def _labelled(piece: Piece, line: Line, full: bool) -> bool:
    """Whether `line` opens a list item, numbered clause or reference of its own."""
    if not has_label(line):
        return False
    first = piece.lines[0]
    if piece.label and abs(line.x0 - first.x0) < 0.6 * line.size:
        return True
    inset = line.x0 - min(other.x0 for other in piece.lines[1:] or piece.lines) > 0.5 * line.size
    ended = piece.lines[-1].words[-1].text[-1] in ".;:,"
    return not full or (inset and ended)
