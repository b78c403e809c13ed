"""Tables and captions on a page, found by how their lines stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.documents.pdf_columns import Measures
from core.documents.pdf_lines import Line, rows_of

CAPTION = re.compile(
    r"^(?P<label>(?:Supplementary |Supplemental |Extended Data |Appendix |Online )?"
    r"(?:Fig(?:ure|s)?|Table|Tab|Box|Scheme|Chart|Plate|Exhibit|Algorithm|Listing|Panel|Video|Map"
    r"|Abbildung|Tabelle|FIGURE|FIG|TABLE|BOX|SCHEME|CHART|PLATE|EXHIBIT|ALGORITHM)\b\.?"
    r"\s?(?:[A-Z]{0,2}[-.]?\d+(?:[-.]\d+)*[a-zA-Z]?|[IVXLC]+|[A-Z])\b)(?P<after>[.:|—–]?)\s*(?P<rest>.*)",
    re.DOTALL,
)

NEXT_CELL = 12
"""Characters: cells of one row follow each other in the file at least this closely."""

CELL_GAP = 0.56
"""Em: the least gap between two cells of a row."""

RUNNING_GAP = 1.5
"""Em: the same where cells have the body's size; narrower gaps are those of stretched lines."""

GUTTER_ROWS = 6
"""Rows that share a gap between long pieces: that gap is a gutter between columns."""


def starts_caption(line: Line) -> bool:
    """Whether the line reads like the start of a caption, and not like a sentence about one."""
    found = CAPTION.match(line.text)
    if found is None:
        return False
    if found["after"] or not found["rest"]:
        return True
    size = sum(len(word.text) for word in line.words[:2])
    label = [word for word in line.words[:2] if word.style.bold or word.style.italic]
    plain = any(not word.style.bold for word in line.words[2:])
    return bool(size) and len(label) == 2 and (plain or line.share("bold") > 0.95)


def take_tables(
    lines: Sequence[Line], measures: Measures
) -> tuple[list[list[list[Line]]], list[Line]]:
    """The tables of a page, each as rows of cells, and the lines that are in none."""
    rows = rows_of(list(lines))
    gutters = _gutters(rows)
    seeds: list[list[Line]] = []
    for row in rows:
        for cells in _cells(row, gutters, measures):
            seeds.append(cells)
    loose = [cells for row in rows for cells in _cells(row, gutters, measures, CELL_GAP)]
    captions = [line for line in lines if starts_caption(line)]
    groups: list[list[list[Line]]] = []
    for cells in seeds:
        for group in reversed(groups):
            if _same_table(group[-1], cells, captions, measures):
                group.append(cells)
                break
        else:
            groups.append([cells])
    tables: list[list[list[Line]]] = []
    rest = list(lines)
    for group in groups:
        if len(group) < 2 and (len(group[0]) < 4 and group[0][0].size >= 0.93 * measures.size):
            # One row of running type is a line that was stretched to its column's width.
            continue
        _take_neighbours(group, loose, measures)
        members = _grown(group, rest, captions, measures)
        inside = {id(line) for line in members}
        tables.append(rows_of(members))
        rest = [line for line in rest if id(line) not in inside]
    return tables, rest


def _cells(
    row: list[Line],
    gutters: list[tuple[float, float]],
    measures: Measures,
    running_gap: float = RUNNING_GAP,
) -> list[list[Line]]:
    """Runs of two or more neighbours of a row that follow each other in the file.

    `running_gap` is the least gap, in em, between cells of the body's size.
    """
    runs: list[list[Line]] = []
    for line in row:
        if runs:
            before = runs[-1][-1]
            em = max(before.size, line.size)
            middle = (before.x1 + line.x0) / 2
            running = before.style == line.style and line.size >= 0.93 * measures.size
            least = running_gap if running else CELL_GAP
            near = 0 <= line.first - before.last <= NEXT_CELL
            gutter = any(left <= middle <= right for left, right in gutters)
            if near and not gutter and line.x0 - before.x1 > least * em:
                runs[-1].append(line)
                continue
        runs.append([line])
    return [run for run in runs if len(run) > 1]


def _gutters(rows: list[list[Line]]) -> list[tuple[float, float]]:
    """Gaps that many rows share between long pieces of text."""
    gaps: list[tuple[float, float]] = []
    for row in rows:
        for one, other in pairwise(row):
            if min(len(one.text), len(other.text)) >= 20:
                gaps.append((one.x1, other.x0))
    found = []
    for left, right in gaps:
        alike = sum(abs(left - a) <= 6 and abs(right - b) <= 3 for a, b in gaps)
        if alike >= GUTTER_ROWS:
            found.append((left - 6, right + 3))
    return found


def _same_table(
    above: list[Line], cells: list[Line], captions: list[Line], measures: Measures
) -> bool:
    drop = above[0].y - cells[0].y
    em = max(cells[0].size, 0.8 * measures.size)
    if not 0 <= drop <= 4.2 * em:
        return False
    if min(above[-1].x1, cells[-1].x1) <= max(above[0].x0, cells[0].x0):
        return False
    return not any(
        above[0].y > line.y > cells[0].y and line.x0 < cells[-1].x1 and line.x1 > cells[0].x0
        for line in captions
    )


def _take_neighbours(group: list[list[Line]], loose: list[list[Line]], measures: Measures) -> None:
    """Add the rows over and under a table whose narrower gaps alone did not make them rows."""
    held = {id(line) for cells in group for line in cells}
    for cells in loose:
        em = max(cells[0].size, measures.size)
        x0 = min(line.x0 for row in group for line in row)
        x1 = max(line.x1 for row in group for line in row)
        top = max(row[0].y for row in group)
        bottom = min(row[0].y for row in group)
        within = x0 - 2 * em <= cells[0].x0 and cells[-1].x1 <= x1 + 2 * em
        near = bottom - 2.4 * em <= cells[0].y <= top + 2.4 * em
        if within and near and not any(id(line) in held for line in cells):
            group.append(cells)
            held |= {id(line) for line in cells}


def _grown(
    group: list[list[Line]], rest: list[Line], captions: list[Line], measures: Measures
) -> list[Line]:
    """The lines inside the frame that a group of rows spans, wrapped cells and row heads too."""
    members = [line for cells in group for line in cells]
    held = {id(line) for line in members}
    barred = {id(line) for line in captions}
    size = max(line.size for line in members)
    for _ in range(3):
        x0, x1 = min(line.x0 for line in members), max(line.x1 for line in members)
        top = max(line.y for line in members) + 1.6 * size
        bottom = min(line.y for line in members) - 1.6 * size
        added = [
            line
            for line in rest
            if id(line) not in held
            and id(line) not in barred
            and bottom <= line.y <= top
            and line.size <= 1.1 * size
            and line.x1 <= x1 + 2 * size
            and (line.x0 >= x0 - 8 * size and line.x1 - line.x0 < 0.8 * max(x1 - x0, 1.0))
            and line.x1 > x0 - 8 * size
            and not _running_text(line, members, measures)
        ]
        if not added:
            break
        members += added
        held |= {id(line) for line in added}
    return members


def _running_text(line: Line, members: list[Line], measures: Measures) -> bool:
    """Whether a line next to a table is a body line and not a cell."""
    low, high = min(m.y for m in members), max(m.y for m in members)
    return not low <= line.y <= high and line.size >= 0.95 * measures.size
