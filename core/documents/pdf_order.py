"""Pieces of a page put into reading order."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents.layout import Piece
from core.documents.model import BlockKind
from core.documents.pdf_columns import Column
from core.documents.pdf_tables import starts_caption


def ordered(pieces: Sequence[Piece], columns: Sequence[Column], em: float) -> list[Piece]:
    """The pieces of one page in reading order: columns left to right, cut by what spans them.

    `em` is the body font size in points.
    """
    gutters = sorted({round(column.left) - 0.25 * em for column in columns})[1:]
    return _ordered(list(pieces), gutters, em)


def _ordered(pieces: list[Piece], gutters: list[float], em: float) -> list[Piece]:
    gutter = _clearest(pieces, gutters, em)
    if gutter is None:
        return sorted(pieces, key=lambda piece: (-piece.top, piece.x0))
    others = [other for other in gutters if other != gutter]
    across = sorted((p for p in pieces if _crosses(p, gutter, em)), key=lambda p: -p.top)
    left = [p for p in pieces if not _crosses(p, gutter, em) and _middle(p) < gutter]
    right = [p for p in pieces if not _crosses(p, gutter, em) and _middle(p) >= gutter]
    result: list[Piece] = []
    passed: list[Piece] = []
    for spanning in across:
        if _flowed_around(spanning, left, right):
            passed.append(spanning)
            continue
        for side in (left, right):
            above = [p for p in side if _height(p) > _height(spanning)]
            result += _ordered(above, others, em)
            side[:] = [p for p in side if _height(p) <= _height(spanning)]
        result.append(spanning)
    return result + _ordered(left, others, em) + _ordered(right, others, em) + passed


def _clearest(pieces: list[Piece], gutters: list[float], em: float) -> float | None:
    """The gutter that the least height of text crosses, of those with text on both sides."""
    best: tuple[float, float] | None = None
    for gutter in gutters:
        rest = [p for p in pieces if not _crosses(p, gutter, em)]
        before = sum(_middle(p) < gutter for p in rest)
        if 0 < before < len(rest):
            height = sum(p.top - p.bottom for p in pieces if _crosses(p, gutter, em))
            if best is None or height < best[0]:
                best = (height, gutter)
    return None if best is None else best[1]


def _flowed_around(spanning: Piece, left: list[Piece], right: list[Piece]) -> bool:
    """Whether the columns run on behind a float: the file goes down the whole left one first."""
    if spanning.kind is not BlockKind.TABLE and not starts_caption(spanning.lines[0]):
        return False
    above = [p for p in left if _height(p) > _height(spanning)]
    below = [p for p in left if _height(p) <= _height(spanning)]
    beside = [p for p in right if _height(p) > _height(spanning)]
    if not (above and below and beside):
        return False
    last = max(p.lines[-1].last for p in above)
    return last <= min(p.lines[0].first for p in below) and max(
        p.lines[-1].last for p in below
    ) <= min(p.lines[0].first for p in beside)


def _crosses(piece: Piece, gutter: float, em: float) -> bool:
    return piece.x0 < gutter - em and piece.x1 > gutter + em


def _middle(piece: Piece) -> float:
    return (piece.x0 + piece.x1) / 2


def _height(piece: Piece) -> float:
    return piece.top + piece.bottom
