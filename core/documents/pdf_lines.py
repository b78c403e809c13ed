"""Words of a page joined into lines, each inside one column or one table cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core.documents.pdf_page import Style, Word

WORD_GAP = 0.7
"""Em: a wider gap inside a line may be the space between two columns or two cells."""

STRETCHED_GAP = 1.0
"""Em: words of one style in one row, nearer than this, are words of a stretched line."""

MARK_GAP = 2.0
"""Em: the widest gap between the raised mark of a note and its text."""

WIDEST_GAP = 4.0
"""Em: nothing further apart belongs to one line."""

BASELINE = 0.15
"""Em: baselines nearer than this are one."""

RAISED_SIZE = 0.87
"""A superscript or subscript is set at most at this share of its line's size."""

SMALLEST_RAISED = 0.4
"""A superscript is set at least at this share; beside a letter larger than that text just runs."""

RAISED_SHIFT = 0.75
"""Em: a superscript or subscript stands at most this far from its line's baseline."""

LABEL = re.compile(
    r"^(?:\[\d{1,3}\]|\(?\d{1,3}[.)\]]|\d{1,2}(?:\.\d{1,2}){1,4}\.?|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]"
    r"|[•‣▪■●○◦∙·–—*\uf0b7\uf0a7-])$"
)
"""What stands alone before a list item, a numbered heading or a reference."""


@dataclass(slots=True, eq=False)
class Line:
    """Words on one baseline, left to right. `style` is that of most characters of full size."""

    words: list[Word]
    x0: float = 0.0
    x1: float = 0.0
    y: float = 0.0
    style: Style = field(default_factory=lambda: Style(0.0, "", False, False))
    _text: str = ""

    def __post_init__(self) -> None:
        """Measure the words."""
        self.measure()

    def measure(self) -> None:
        """Take position and style from the words."""
        self._text = ""
        self.x0 = min(word.x0 for word in self.words)
        self.x1 = max(word.x1 for word in self.words)
        largest = max(word.style.size for word in self.words)
        weights: dict[tuple[Style, float], int] = {}
        for word in self.words:
            if word.style.size >= largest * RAISED_SIZE:
                key = (word.style, word.y)
                weights[key] = weights.get(key, 0) + len(word.text)
        self.style, self.y = max(weights, key=lambda key: weights[key])

    @property
    def size(self) -> float:
        """Font size in points."""
        return self.style.size

    @property
    def first(self) -> int:
        """The first PDFium index."""
        return self.words[0].first

    @property
    def last(self) -> int:
        """One past the last PDFium index."""
        return self.words[-1].end

    @property
    def text(self) -> str:
        """The line as plain text, raised characters inline."""
        if self._text:
            return self._text
        parts = [self.words[0].text]
        for before, word in zip(self.words, self.words[1:], strict=False):
            parts.append((" " if apart(before, word) else "") + word.text)
        self._text = "".join(parts)
        return self._text

    def share(self, trait: str) -> float:
        """The share of the characters whose style has `trait` ("bold" or "italic"), 0..1."""
        total = sum(len(word.text) for word in self.words)
        return sum(len(word.text) for word in self.words if getattr(word.style, trait)) / total

    def is_raised(self, word: Word) -> bool:
        """Whether a word of this line is a superscript."""
        return self._is_small(word) and word.y - self.y > 0.15 * self.size

    def is_lowered(self, word: Word) -> bool:
        """Whether a word of this line is a subscript."""
        return self._is_small(word) and self.y - word.y > 0.08 * self.size

    def _is_small(self, word: Word) -> bool:
        return word.style.size <= self.size * RAISED_SIZE


def apart(before: Word, word: Word) -> bool:
    """Whether a space stands between two neighbouring words of a line."""
    em = max(before.style.size, word.style.size)
    gap = word.x0 - before.x1
    return gap > 0.02 * em if word.spaced else gap > 0.16 * em


def lines_of(words: Iterable[Word]) -> list[Line]:
    """The lines of a page, from its words in content order; top to bottom, then left to right."""
    lines, caps = _drop_caps([Line(run) for run in _runs(words)])
    rows = rows_of(lines)
    merged: list[Line] = []
    for number, row in enumerate(rows):
        current = row[0]
        for line in row[1:]:
            if _one_line(current, line, rows, number):
                current.words += line.words
                current.measure()
            else:
                merged.append(current)
                current = line
        merged.append(current)
    for cap in caps:
        for line in merged:
            # Lines beside a drop cap are set in because of it, and begin no paragraph.
            if (
                0 <= line.x0 - cap.x1 <= line.size
                and 0 <= line.y - cap.y + 0.3 * line.size < cap.size
            ):
                line.x0 = cap.x0
    return sorted(merged, key=lambda line: (-line.y, line.x0))


def rows_of(lines: list[Line]) -> list[list[Line]]:
    """Lines grouped by baseline, top to bottom; each row left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.y):
        if rows and abs(rows[-1][0].y - line.y) <= BASELINE * max(rows[-1][0].size, line.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda line: line.x0)
    return rows


def _runs(words: Iterable[Word]) -> list[list[Word]]:
    """Words in content order, cut wherever the pen leaves the line."""
    runs: list[list[Word]] = []
    base = size = 0.0
    for word in words:
        if runs:
            before = runs[-1][-1]
            em = max(size, word.style.size)
            gap, shift = word.x0 - before.x1, abs(word.y - base)
            small = SMALLEST_RAISED * em <= min(size, word.style.size) <= RAISED_SIZE * em
            level = shift <= BASELINE * em or (small and shift <= RAISED_SHIFT * em)
            # The space after a note's mark stretches in a justified line.
            mark = small and len(runs[-1]) == 1 and size < em and len(before.text) <= 3
            widest = (MARK_GAP if mark else WORD_GAP) * em
            stacked = small and abs(word.x0 - before.x0) < 0.5 * em and before.y != word.y
            if level and (-0.35 * em <= gap <= widest or (stacked and gap <= 0)):
                runs[-1].append(word)
                if word.style.size > size:
                    base, size = word.y, word.style.size
                continue
        runs.append([word])
        base, size = word.y, word.style.size
    return runs


def _drop_caps(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """A large first letter belongs to the line that starts beside its top.

    Gives the lines with such letters in them, and the letters as they stood.
    """
    kept: list[Line] = []
    caps: list[Line] = []
    for line in lines:
        if kept:
            cap = kept[-1]
            tall = len(cap.words) == 1 and len(cap.words[0].text) == 1 and cap.text.isalpha()
            if (
                tall
                and cap.size >= 1.8 * line.size
                and 0 <= line.x0 - cap.x1 <= line.size
                and cap.y + 0.2 * line.size < line.y < cap.y + cap.size
                and line.text[0].islower()
            ):
                letter = cap.words[0]
                line.words.insert(
                    0, Word(letter.text, letter.first, letter.x0, line.x0, line.y, line.style)
                )
                line.measure()
                kept[-1] = line
                caps.append(cap)
                continue
        kept.append(line)
    return kept, caps


def _one_line(left: Line, right: Line, rows: list[list[Line]], number: int) -> bool:
    """Whether two pieces of a row are one line, and not two columns or two cells."""
    em = max(left.size, right.size)
    gap = right.x0 - left.x1
    if gap < -0.5 * em or min(left.size, right.size) < SMALLEST_RAISED * em:
        # A stamp laid over the text is no word of it.
        return False
    if gap > WIDEST_GAP * em:
        return _stretched(left, right, rows, number)
    label = left.words[-1] if len(left.words) == 1 else None
    if label is not None and LABEL.match(label.text) and 0 <= right.first - left.last <= 4:
        return True
    follows = 0 <= right.first - left.last <= 3
    if not follows and gap > 0.35 * em:
        return False
    if gap <= (STRETCHED_GAP if left.style == right.style else WORD_GAP) * em:
        return True
    return not _river(left, right, rows, number)


def _stretched(left: Line, right: Line, rows: list[list[Line]], number: int) -> bool:
    """Whether a wide gap is only justification: a line next to it runs right through."""
    if not 1 <= right.first - left.last <= 3 or left.style != right.style:
        return False
    return any(
        line.style == left.style and line.x0 < left.x1 and line.x1 > right.x0 + left.size
        for row in _near(left, right, rows, number, 1.6)
        for line in row
    )


def _river(left: Line, right: Line, rows: list[list[Line]], number: int) -> bool:
    """Whether white runs through the nearest rows above or below, between two pieces of a row."""
    em = max(left.size, right.size)
    x0, x1 = left.x1, right.x0
    for row in _near(left, right, rows, number, 2.6):
        if any(line.x0 < x1 - 0.3 * em and line.x1 > x0 + 0.3 * em for line in row):
            continue
        before = any(line.x1 <= x0 + 0.3 * em for line in row)
        after = any(-0.3 * em <= line.x0 - x1 <= 2.5 * em for line in row)
        if before and after:
            return True
    return False


def _near(
    left: Line, right: Line, rows: list[list[Line]], number: int, reach: float
) -> Iterator[list[Line]]:
    """The nearest row above and the nearest below that stand over or under the two pieces.

    `reach` is the greatest distance of baselines, in em. Of each row only the lines near the
    pieces are given: the rows of a page mix its columns.
    """
    em = max(left.size, right.size)
    for step in (-1, 1):
        at = number + step
        while 0 <= at < len(rows) and abs(rows[at][0].y - left.y) <= reach * em:
            row = [line for line in rows[at] if line.x1 > left.x0 - em and line.x0 < right.x1 + em]
            if row:
                yield row
                break
            at += step
