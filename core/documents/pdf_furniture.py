"""What repeats around the text and is not part of it: running heads, page and line numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from core.documents.pdf_lines import Line, rows_of
from core.documents.pdf_page import Page

EDGE_ROWS = 3
"""Rows from the top and from the bottom of a page that may be running heads or feet."""

EDGE_SHARE = 0.12
"""Share of the page's height, at the top and at the bottom, in which they stand."""

SENTENCE_WORDS = 12
"""A line of at least this many words is furniture only where it repeats to the letter."""

SAME_HEIGHT = 3.0
"""Points: a running head stands at the same height on each page within this."""

STAMP_SIZE = 1.5
"""Of the body size: larger words from `_STAMP` alone on a line are laid over the page."""

_STAMP = re.compile(
    r"^\W*(?:retracted(?: article| paper)?|withdrawn|draft|confidential|copy|sample|specimen|void|"
    r"preprint|accepted manuscript|uncorrected proof|in press|for review(?: only)?|not for "
    r"distribution|do not (?:copy|cite|distribute))\W*$",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"^(?:page|p\.|seite|[-–—|]\s*)?\s*(?P<number>\d{1,5}|[ivxlc]{1,7})\s*"
    r"(?:(?:of|/|von)\s*\d{1,5})?(?:\s*[-–—|])?$",
    re.IGNORECASE,
)


def take_stamps(lines: Sequence[Line], body_size: float) -> tuple[list[Line], list[Line]]:
    """Large words stamped over a page, such as DRAFT, and the lines that remain."""
    stamps = [
        line for line in lines if line.size > STAMP_SIZE * body_size and _STAMP.match(line.text)
    ]
    held = {id(line) for line in stamps}
    return stamps, [line for line in lines if id(line) not in held]


def take_furniture(
    pages: Sequence[Page], lines: Sequence[Sequence[Line]]
) -> list[tuple[list[Line], list[Line]]]:
    """For each page, its running heads, feet and numbers, and the lines that remain."""
    edges = [_edge_lines(page, own) for page, own in zip(pages, lines, strict=True)]
    seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
    numbers: dict[tuple[int, int], set[int]] = defaultdict(set)
    for number, edge in enumerate(edges):
        for line in edge:
            seen[_wording(line)].append((number, line.y))
            value = _page_number(line)
            if value is not None:
                numbers[value - number, round(line.y / 10)].add(number)
    result = []
    for number, (page, own) in enumerate(zip(pages, lines, strict=True)):
        held = {id(line) for line in _line_numbers(own)}
        for line in edges[number]:
            if _repeats(seen[_wording(line)], number, line.y) or _counts(
                line, number, numbers, len(pages), page
            ):
                held.add(id(line))
        if len(held) == len(own):
            # A short page that repeats another is text all the same.
            held = {id(line) for line in own if len(line.words) < SENTENCE_WORDS}
        result.append(
            (
                [line for line in own if id(line) in held],
                [line for line in own if id(line) not in held],
            )
        )
    return result


def _edge_lines(page: Page, lines: Sequence[Line]) -> list[Line]:
    rows = rows_of(list(lines))
    found = [
        line for row in rows[:EDGE_ROWS] for line in row if line.y > page.height * (1 - EDGE_SHARE)
    ]
    known = {id(line) for line in found}
    return found + [
        line
        for row in rows[-EDGE_ROWS:]
        for line in row
        if line.y < page.height * EDGE_SHARE and id(line) not in known
    ]


def _wording(line: Line) -> str:
    text = line.text.casefold()
    if len(line.words) < SENTENCE_WORDS:
        text = _NUMBERS.sub("#", text)
    return text.replace(" ", "")


def _repeats(places: Sequence[tuple[int, float]], number: int, y: float) -> bool:
    """Whether the same wording stands at the same height on another page."""
    return any(page != number and abs(other - y) <= SAME_HEIGHT for page, other in places)


def _page_number(line: Line) -> int | None:
    found = _PAGE_NUMBER.match(line.text)
    if found is None:
        return None
    text = found["number"]
    return int(text) if text.isdigit() else _roman(text.lower())


def _roman(text: str) -> int:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    total = 0
    for one, following in zip(text, [*text[1:], ""], strict=True):
        value = values[one]
        total += -value if following and values[following] > value else value
    return total


def _counts(
    line: Line,
    number: int,
    numbers: dict[tuple[int, int], set[int]],
    page_count: int,
    page: Page,
) -> bool:
    """Whether a line is the page's number: it counts along, or stands alone at the very edge."""
    value = _page_number(line)
    if value is None:
        return False
    height = round(line.y / 10)
    along: set[int] = set()
    for near in (height - 1, height, height + 1):
        along |= numbers.get((value - number, near), set())
    if len(along) >= 2:
        return True
    edge = min(line.y, page.height - line.y)
    return page_count <= 2 and edge < 0.09 * page.height


def _line_numbers(lines: Sequence[Line]) -> list[Line]:
    """Numbers that count the lines in a margin, as in manuscripts under review."""
    digits = [line for line in lines if line.text.isdigit() and len(line.text) <= 4]
    columns: dict[int, list[Line]] = defaultdict(list)
    for line in digits:
        columns[round(line.x1 / 3)].append(line)
    best = max(columns.values(), key=len, default=[])
    if len(best) < 5:
        return []
    values = [int(line.text) for line in sorted(best, key=lambda line: -line.y)]
    steps = [after - before for before, after in pairwise(values)]
    counted = sum(step == steps[0] for step in steps)
    if steps[0] not in (1, 2, 5, 10) or counted < 0.9 * len(steps):
        return []
    others = [line for line in lines if not line.text.isdigit()]
    if not others:
        return []
    edge = sorted(line.x0 for line in others)[len(others) // 10]
    far = sorted(line.x1 for line in others)[-1 - len(others) // 10]
    return best if max(n.x1 for n in best) < edge or min(n.x0 for n in best) > far else []
