"""Whether text on a PDF page can be seen: by what lies over it, and by the ink that it leaves.

White text, text under a picture or in a layer that is switched off is in the file and not on the
page. No list of such tricks is complete, so text that might be hidden is judged by drawing the
page with it and without it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as raw

SMALLEST_COVER = 30.0
"""Square points; smaller shapes (rules, bullets, dots) hide no word."""

MOST_OBJECTS = 50_000
"""Objects of one page that are looked at; a drawing with more hides no text on purpose."""

DEEPEST_FORM = 5
"""Levels of nested forms that are looked into."""

INK = 40
"""Of 255: the least change of grey that counts as ink."""

DRAWN_SCALE = 2.0
"""Pixels per point when looking for ink: small type still leaves whole pixels."""

MOST_PIXELS = 40_000_000
"""A page that would be larger is drawn at a smaller scale."""

OPAQUE = 200
"""Of 255: paint at least this opaque hides what lies under it."""

WHITE = 255
"""The grey of the page itself."""

CONTRAST = 60
"""Of 255: text that differs less than this from its ground is looked at."""

THIN = 2.0
"""Points: a shape no higher is a rule."""

STRIKES = (0.12, 0.5)
"""Em over the baseline between which a rule runs through a word, not under or over it."""

TICK_BOX = (4.0, 16.0)
"""Points: the sides of a box that is there to be ticked."""

Seen = Callable[[float, float], tuple[float, float]]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A word that may be hidden: its text object and its box in points as seen."""

    pointer: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Cover:
    """A painted shape in points as seen, its place in the drawing order and its grey (0..255).

    `grey` is None for a picture, which may have any.
    """

    order: int
    x0: float
    y0: float
    x1: float
    y1: float
    grey: int | None

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies on the shape."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


class Covers:
    """The painted shapes of a page, and the text that was drawn before and after them."""

    def __init__(self, page: Any, seen: Seen) -> None:
        """Look through the objects of the raw PDFium page `page`."""
        self._order: dict[int, int] = {}
        self._clips: dict[int, list[Box]] = {}
        self._shapes: list[Cover] = []
        self._rules: dict[int, list[Box]] = {}
        self._boxes: dict[int, list[Box]] = {}
        for order, item in enumerate(_objects(page)):
            kind = raw.FPDFPageObj_GetType(item)
            if kind == raw.FPDF_PAGEOBJ_TEXT:
                self._order[address(item)] = order
                clips = [_turned(box, seen) for box in _clips(item)]
                if clips:
                    self._clips[address(item)] = clips
                continue
            if kind == raw.FPDF_PAGEOBJ_PATH and (line := _bounds(item)):
                self._sort(_turned(line, seen))
            paints, grey = _paint(item, kind)
            box = _bounds(item) if paints else None
            if box and abs((box[2] - box[0]) * (box[3] - box[1])) > SMALLEST_COVER:
                self._shapes.append(Cover(order, *_turned(box, seen), grey))

    def may_hide(self, pointer: int, x: float, y: float, grey: int) -> bool:
        """Whether a point of the text object `pointer` may not show.

        It is cut off, or a shape was drawn over it, or it has nearly the grey of its ground.
        """
        if any(not (a <= x <= c and b <= y <= d) for a, b, c, d in self._clips.get(pointer, ())):
            return True
        order = self._order.get(pointer, -1)
        ground: int | None = WHITE
        for shape in self._shapes:
            if shape.holds(x, y):
                if shape.order > order:
                    return True
                ground = shape.grey
        return ground is None or abs(ground - grey) < CONTRAST

    def _sort(self, box: Box) -> None:
        """Keep a drawn shape that is a rule, or a box to tick."""
        across, up = box[2] - box[0], box[3] - box[1]
        least, most = TICK_BOX
        if up <= THIN < across:
            self._rules.setdefault(int(box[1]), []).append(box)
        elif least <= up <= most and least <= across <= most and abs(up - across) < 1:
            self._boxes.setdefault(int(box[1]), []).append(box)

    def doubts(self, x0: float, x1: float, y: float, size: float) -> bool:
        """Whether a word with its baseline at `y` is struck through or stands behind a box."""
        low, high = (y + share * size for share in STRIKES)
        for rule in _near(self._rules, low, high):
            held = min(rule[2], x1) - max(rule[0], x0)
            if low <= (rule[1] + rule[3]) / 2 <= high and held >= 0.6 * (x1 - x0):
                return True
        return any(
            box[2] - 1 <= x0 <= box[2] + size and box[1] <= y + size / 2 and y <= box[3]
            for box in _near(self._boxes, y - size, y + size / 2)
        )


def _near(boxes: dict[int, list[Box]], low: float, high: float) -> Iterator[Box]:
    for at in range(int(low) - 2, int(high) + 1):
        yield from boxes.get(at, ())


def picture_share(page: Any, area: float) -> float:
    """The share of the page's `area` (square points) that its largest picture covers, 0..1."""
    largest = 0.0
    for item in _objects(page):
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_IMAGE:
            box = _bounds(item)
            if box:
                largest = max(largest, abs((box[2] - box[0]) * (box[3] - box[1])))
    return min(1.0, largest / area) if area > 0 else 0.0


def leaves_ink(page: Any, suspects: list[Suspect]) -> list[bool]:
    """Whether each suspect changes the picture of the `pypdfium2` page, in their order."""
    width, height = page.get_size()
    scale = min(DRAWN_SCALE, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    with_text = _drawn(page, scale)
    items = {suspect.pointer for suspect in suspects}
    for pointer in items:
        raw.FPDFPageObj_SetIsActive(_handle(pointer), False)
    without_text = _drawn(page, scale)
    for pointer in items:
        raw.FPDFPageObj_SetIsActive(_handle(pointer), True)
    return [_differ(with_text, without_text, suspect, height, scale) for suspect in suspects]


def address(item: Any) -> int:
    """Where PDFium keeps an object: what tells two handles apart."""
    return ctypes.cast(item, ctypes.c_void_p).value or 0


def _handle(pointer: int) -> Any:
    return ctypes.cast(ctypes.c_void_p(pointer), raw.FPDF_PAGEOBJECT)


def _objects(page: Any) -> Iterator[Any]:
    """The page's objects in drawing order, those inside forms included."""
    left = MOST_OBJECTS
    for index in range(raw.FPDFPage_CountObjects(page)):
        for item in _inside(raw.FPDFPage_GetObject(page, index), 0):
            left -= 1
            if left < 0:
                return
            yield item


def _inside(item: Any, depth: int) -> Iterator[Any]:
    if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_FORM:
        yield item
    elif depth < DEEPEST_FORM:
        for index in range(raw.FPDFFormObj_CountObjects(item)):
            yield from _inside(raw.FPDFFormObj_GetObject(item, index), depth + 1)


def grey_of(red: int, green: int, blue: int) -> int:
    """The grey, 0..255, that a colour turns into on a screen without colours."""
    return (299 * red + 587 * green + 114 * blue) // 1000


def _paint(item: Any, kind: int) -> tuple[bool, int | None]:
    """Whether an object hides what is under it, and its grey; None for a picture's many."""
    if kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
        return True, None
    if kind != raw.FPDF_PAGEOBJ_PATH:
        return False, None
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(item, mode, stroke)
    if mode.value == raw.FPDF_FILLMODE_NONE:
        return False, None
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    known = raw.FPDFPageObj_GetFillColor(item, red, green, blue, alpha)
    if not known:
        return True, None
    return alpha.value >= OPAQUE, grey_of(red.value, green.value, blue.value)


def _clips(item: Any) -> list[Box]:
    """The frames that an object is clipped to, in the page's own space."""
    clip = raw.FPDFPageObj_GetClipPath(item)
    boxes = []
    for path in range(max(0, raw.FPDFClipPath_CountPaths(clip)) if clip else 0):
        points = []
        for at in range(raw.FPDFClipPath_CountPathSegments(clip, path)):
            x, y = ctypes.c_float(), ctypes.c_float()
            segment = raw.FPDFClipPath_GetPathSegment(clip, path, at)
            if raw.FPDFPathSegment_GetPoint(segment, x, y):
                points.append((x.value, y.value))
        if points:
            across, up = zip(*points, strict=True)
            boxes.append((min(across), min(up), max(across), max(up)))
    return boxes


def _turned(box: Box, seen: Seen) -> Box:
    """A box of page space as the page is seen."""
    (xa, ya), (xb, yb) = seen(box[0], box[1]), seen(box[2], box[3])
    return min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb)


def _bounds(item: Any) -> Box | None:
    edges = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(item, *edges):
        return None
    left, bottom, right, top = (edge.value for edge in edges)
    return left, bottom, right, top


@dataclass(frozen=True, slots=True)
class _Picture:
    pixels: bytes
    stride: int
    width: int
    height: int


def _drawn(page: Any, scale: float) -> _Picture:
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    try:
        return _Picture(bytes(bitmap.buffer), bitmap.stride, bitmap.width, bitmap.height)
    finally:
        bitmap.close()


def _differ(a: _Picture, b: _Picture, suspect: Suspect, height: float, scale: float) -> bool:
    left = max(0, int(suspect.x0 * scale))
    right = min(a.width, int(suspect.x1 * scale) + 1)
    top = max(0, int((height - suspect.y1) * scale))
    bottom = min(a.height, int((height - suspect.y0) * scale) + 1)
    for row in range(top, bottom):
        at = row * a.stride
        one, other = a.pixels[at + left : at + right], b.pixels[at + left : at + right]
        if one != other and any(abs(p - q) >= INK for p, q in zip(one, other, strict=True)):
            return True
    return False
