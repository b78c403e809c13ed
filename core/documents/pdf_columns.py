"""The usual type of a document, and the columns that its pages are set in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.documents.pdf_lines import Line

SAME_SIZE = 0.07
"""Font sizes that differ by less than this share are one size."""

INDENT = 0.6
"""Em: a first line set in by more than this begins a paragraph."""

DEEPEST_INDENT = 3.2
"""Em: a line set in further than this does not stand in the column's own text."""

NARROWEST_COLUMN = 9.0
"""Em: left edges nearer to each other than this are indents and not columns."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What is usual in the document.

    `size` is the body font size in points, `pitch` the distance of its lines in em, `face` its
    font, `lefts` the left edges (points) at which columns of text begin on many pages.
    """

    size: float
    pitch: float
    face: str
    lefts: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """The left and right edge of a column of text on a page, in points."""

    left: float
    right: float


def same_size(one: float, other: float) -> bool:
    """Whether two font sizes are one to the eye."""
    return abs(one - other) <= SAME_SIZE * max(one, other)


def measure(pages: Sequence[Sequence[Line]]) -> Measures:
    """The usual size, pitch and face, by number of characters over all pages."""
    sizes: Counter[float] = Counter()
    faces: Counter[tuple[float, str]] = Counter()
    for lines in pages:
        for line in lines:
            count = sum(len(word.text) for word in line.words)
            # Long lines count double: axis labels and cells are many, but not what is read.
            weight = count * (2 if count >= 30 else 1)
            sizes[round(line.size * 2) / 2] += weight
            faces[round(line.size * 2) / 2, line.style.face] += weight
    if not sizes:
        return Measures(10.0, 1.2, "")
    size = sizes.most_common(1)[0][0]
    face = max((key for key in faces if key[0] == size), key=lambda key: faces[key])[1]
    measures = Measures(size, _pitch(pages, size), face)
    lefts: Counter[int] = Counter()
    for lines in pages:
        lefts.update({round(column.left) for column in columns_of(lines, measures)})
    least = max(1, len(pages) // 4)
    usual = tuple(sorted(float(left) for left, count in lefts.items() if count >= least))
    return Measures(size, measures.pitch, face, usual)


def _pitch(pages: Sequence[Sequence[Line]], size: float) -> float:
    """The commonest distance, in em, between a body line and the next one in its column."""
    pitches: Counter[float] = Counter()
    for lines in pages:
        last: dict[int, float] = {}
        for line in lines:
            if not same_size(line.size, size):
                continue
            key = round(line.x0 / 4)
            if key in last and 0.8 * size < last[key] - line.y < 2.8 * size:
                pitches[round((last[key] - line.y) / size * 20) / 20] += 1
            last[key] = line.y
    return pitches.most_common(1)[0][0] if pitches else 1.2


def columns_of(lines: Sequence[Line], measures: Measures) -> list[Column]:
    """The columns of running text on a page, left to right; a full-width one may overlap others."""
    em = measures.size
    starts: Counter[int] = Counter()
    for line in lines:
        # Small type counts too (a reference list may fill a column), but not a table's cells.
        least = 4 if same_size(line.size, em) else NARROWEST_COLUMN
        if 0.7 * em < line.size < 1.2 * em and line.x1 - line.x0 > least * em:
            starts[round(line.x0)] += 1
    lefts = _left_edges(starts, measures)
    columns = _between(lefts, lines, em)
    short = _short_column(lines, columns, em)
    return columns if short is None else _between([*lefts, short], lines, em)


def _short_column(lines: Sequence[Line], columns: Sequence[Column], em: float) -> float | None:
    """The left edge of a last column of few lines: right of the others, later in the file."""
    if not columns:
        return None
    edge = max(column.right for column in columns)
    body = [line for line in lines if same_size(line.size, em)]
    beyond = [line for line in body if line.x0 > edge and line.x1 - line.x0 > 4 * em]
    before = [line for line in body if line.x0 <= edge]
    if not beyond or not before:
        return None
    last = max(line.last for line in before)
    return min(line.x0 for line in beyond) if all(line.first >= last for line in beyond) else None


def _between(lefts: Sequence[float], lines: Sequence[Line], em: float) -> list[Column]:
    """The columns that begin at these left edges, with the right edges of their lines."""
    columns: list[Column] = []
    for number, left in enumerate(lefts):
        limit = lefts[number + 1] if number + 1 < len(lefts) else float("inf")
        inside: list[float] = []
        across: list[float] = []
        for line in lines:
            if -INDENT * em <= line.x0 - left <= DEEPEST_INDENT * em and line.size > 0.6 * em:
                (inside if line.x1 <= limit + 2 else across).append(line.x1)
        if inside:
            columns.append(Column(left, _edge(inside)))
        if across:
            columns.append(Column(left, max(across)))
    return columns


def _left_edges(starts: Counter[int], measures: Measures) -> list[float]:
    """Where columns begin on a page, from how many lines begin at each whole point."""

    def around(start: float) -> int:
        return sum(starts[round(start) + shift] for shift in (-1, 0, 1))

    deepest = DEEPEST_INDENT * measures.size
    peaks = {
        float(start): around(start)
        for start, count in starts.items()
        if around(start) >= 3 and count == max(starts[start + shift] for shift in (-1, 0, 1))
    }
    # On its last page a column may hold no more than the first, indented line of a paragraph.
    for left in measures.lefts:
        if any(-1 <= start - left <= deepest for start in starts):
            peaks.setdefault(left, around(left))
    lefts: list[float] = []
    for start in sorted(peaks):
        if lefts and start - lefts[-1] < NARROWEST_COLUMN * measures.size:
            # A hanging indent has more lines than the edge that it hangs from.
            if peaks[start] > 8 * max(1, peaks[lefts[-1]]):
                lefts[-1] = start
            continue
        lefts.append(start)
    return lefts


def _edge(ends: list[float]) -> float:
    """The right edge that the longer lines share."""
    ends = sorted(ends)
    return ends[min(len(ends) - 1, int(len(ends) * 0.95))]


def column_for(line: Line, columns: Sequence[Column], em: float) -> Column:
    """The narrowest column that a line stands in; its own extent where there is none."""
    fitting = [
        column
        for column in columns
        if column.left - INDENT * em <= line.x0 and line.x1 <= column.right + 1.2 * em
    ]
    if not fitting:
        return Column(line.x0, line.x1)
    return min(fitting, key=lambda column: column.right - column.left)
