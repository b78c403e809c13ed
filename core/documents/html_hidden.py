"""Tell what a web page hides from its reader, strikes through, or draws beside its words."""

import re
from collections.abc import Iterable, Mapping

from core.documents.html_colours import FAINT, filter_opacity, opacity, paint, shows_ground
from core.documents.html_styles import Style

UNNAMED = "[\u2026]"
"""Stands for words that a style draws and that cannot be told."""

HIDING_CLASSES = frozenset(
    {"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only"}
)
_NUMBER = re.compile(
    r"(-?(?:\d++(?:\.\d*+)?|\.\d++))\s*(px|pt|pc|rem|em|%|vw|vh|vmin|vmax|ex|ch|in|cm|mm|deg|turn)?"
)
_SIZE = re.compile(r"(?:^|\s)(-?(?:\d++(?:\.\d*+)?|\.\d++)(?:px|pt|rem|em|%)?)(?=/|\s+[a-z\"'-])")
_STRINGS = re.compile(r'"([^"]*)"|\'([^\']*)\'')
_SIDES = ("left", "right", "top", "bottom", "inset")
_EXTENTS = (
    "height", "max-height", "width", "max-width", "block-size", "inline-size",
    "max-block-size", "max-inline-size", "line-height",
)  # fmt: skip
_MARGINS = ("text-indent", "margin", "margin-left", "margin-right", "margin-top")
_MASKS = ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")
_CLIPS = ("clip-path", "-webkit-clip-path")
_COLOURS = re.compile(r"#[0-9a-f]{3,8}\b|[a-z]+\([^()]*\)|[a-z-]+")
_FAR = 900
_PIXELS = {"em": 16.0, "rem": 16.0, "ch": 8.0, "ex": 8.0, "in": 96.0, "cm": 38.0, "mm": 3.8}
_BLUR = 3.0


def hides(style: Style, classes: Iterable[str] = ()) -> bool:
    """Whether an element of this style, or one of its well-known classes, is not seen."""
    if any(name in HIDING_CLASSES for name in classes):
        return True
    if not style:
        return False
    get = style.get
    return (
        get("display") == "none"
        or get("visibility") in ("hidden", "collapse")
        or get("content-visibility") == "hidden"
        or _is_tiny(get("font-size", ""))
        or any(_is_tiny(size) for size in _SIZE.findall(get("font", "")))
        or opacity(get("opacity", "")) < FAINT
        or get("-webkit-text-security", "none") != "none"
        or _is_filtered_out(get("filter", ""))
        or _is_moved_out(style)
        or _is_shrunk(style)
        or _is_cut_away(style)
        or any(_is_clear(get(name, "")) for name in _MASKS)
    )


def doubtful(style: Style) -> bool:
    """Whether the style may hide a part of the words, or their place is not told by it."""
    get = style.get
    return (
        any(get(name, "none") not in ("none", "", "initial", "unset") for name in _CLIPS + _MASKS)
        or get("clip", "auto").startswith("rect")
        or shows_ground(style)
        or (get("z-index", "").startswith("-") and get("position", "static") != "static")
    )


def struck(style: Style) -> bool:
    """Whether the text is struck through."""
    names = ("text-decoration", "text-decoration-line", "-webkit-text-decoration")
    return any("line-through" in style.get(name, "") for name in names)


def reordered(tag: str, direction: str, style: Style) -> bool:
    """Whether letters are drawn in the order opposite to the one they are written in.

    `direction` is the element's `dir` attribute.
    """
    turned = "override" in style.get("unicode-bidi", "")
    override = tag == "bdo" or turned
    return override and (style.get("direction") or direction or "rtl") != "ltr"


def drawn_words(styles: Mapping[str, Style]) -> str:
    """The words that the styles draw before, after or around an element; "" if none."""
    drawn = {part: style for part, style in styles.items() if part.strip("?")}
    drawn = {part: style for part, style in drawn.items() if part[-1] == "?" or not hides(style)}
    values = [style.get("content", "") for part, style in drawn.items()]
    own = styles.get("", {})
    values += [own.get(name, "") for name in ("quotes", "list-style", "list-style-type")]
    words = []
    for value in values:
        strings = " ".join(one or other for one, other in _STRINGS.findall(value))
        if re.search(r"[^\W_]{2}|\b[a-z]\b", strings):
            words.append(" ".join(strings.split()))
        elif "attr(" in value:
            words.append(UNNAMED)
    return " ".join(words)


def _is_filtered_out(value: str) -> bool:
    if filter_opacity(value) < FAINT:
        return True
    return any(_pixels(found) >= _BLUR for found in re.findall(r"blur\(([^()]*)\)", value))


def _is_moved_out(style: Style) -> bool:
    get = style.get
    placed = get("position", "static") != "static"
    if placed and any(_is_far(part) for side in _SIDES for part in get(side, "").split()):
        return True
    if any(_is_far(part) for name in _MARGINS for part in get(name, "").split()):
        return True
    moves = re.findall(r"translate(?:3d|x|y)?\(([^()]*)\)", get("transform", ""))
    moves.append(get("translate", ""))
    return any(_is_far(part.strip()) for move in moves for part in re.split(r"[,\s]+", move))


def _is_shrunk(style: Style) -> bool:
    transform = style.get("transform", "")
    for name, inside in re.findall(r"(scale(?:3d|x|y)?|matrix)\(([^()]*)\)", transform):
        factors = [_factor(part) for part in inside.split(",")]
        if name == "matrix" and len(factors) >= 4:
            factors = [abs(factors[0] * factors[3] - factors[1] * factors[2])]
        if any(abs(factor) < 0.1 for factor in factors[:2]):
            return True
    if any(abs(_factor(part)) < 0.1 for part in style.get("scale", "").split()[:2]):
        return True
    if style.get("zoom") and 0 < _factor(style["zoom"]) < 0.1:
        return True
    turns = re.findall(r"rotate[xy]\(([^()]*)\)", transform)
    if any("deg" in turn and abs(_factor(turn) % 180 - 90) < 3 for turn in turns):
        return True
    spacing = _NUMBER.match(style.get("letter-spacing", ""))
    return spacing is not None and _pixels(spacing[0]) <= -5


def _is_cut_away(style: Style) -> bool:
    get = style.get
    flows = (get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    clipped = any(flow.startswith(("hidden", "clip")) for flow in flows)
    if clipped and any(_is_nothing(get(side, "")) for side in _EXTENTS):
        return True
    if get("clip", "").startswith("rect"):
        sides = [_pixels(part) for part in re.findall(r"-?[\d.]+[a-z]*", get("clip", ""))]
        if len(sides) == 4 and (sides[2] - sides[0] <= 1 or sides[1] - sides[3] <= 1):
            return True
    return any(_is_empty_shape(get(name, "")) for name in _CLIPS)


def _is_empty_shape(value: str) -> bool:
    """Whether a `clip-path` shape leaves nothing."""
    found = re.match(r"(inset|circle|ellipse|polygon|rect|xywh)\(([^()]*)\)?", value)
    if not found:
        return False
    shape, inside = found[1], found[2]
    if shape in ("circle", "ellipse"):
        radii = inside.partition("at ")[0].split()
        return any(_is_nothing(part) or _is_nothing_share(part) for part in radii)
    if shape == "polygon":
        points = [point.split() for point in inside.split(",") if len(point.split()) == 2]
        return bool(points) and any(len({point[at] for point in points}) == 1 for at in (0, 1))
    sides = inside.partition("round")[0].split()
    if shape == "xywh":
        return any(_is_nothing(part) for part in sides[2:4])
    if not sides:
        return False
    top, right, bottom, left = [
        sides[at if at < len(sides) else at - 2 if at - 2 in range(len(sides)) else 0]
        for at in range(4)
    ]
    if shape == "rect":
        return top == bottom or left == right
    return any(_covers(one, other) for one, other in ((top, bottom), (left, right)))


def _covers(one: str, other: str) -> bool:
    shares = [_NUMBER.match(side) for side in (one, other)]
    if any(side is not None and _is_far(side[0]) for side in shares):
        return True
    total = sum(float(s[1]) for s in shares if s is not None and s[2] == "%")
    return total >= 98


def _is_clear(mask: str) -> bool:
    """Whether a mask is a gradient of clear colours only."""
    if "gradient(" not in mask:
        return False
    inside = mask.split("gradient(", 1)[1]
    stops = [stop for word in _COLOURS.findall(inside) if (stop := paint(word)) is not None]
    return bool(stops) and all(stop.alpha < FAINT for stop in stops)


def _factor(value: str) -> float:
    found = _NUMBER.match(value.strip())
    return float(found[1]) / (100 if found[2] == "%" else 1) if found else 1.0


def _pixels(value: str) -> float:
    """A length in pixels, as far as its unit has one; 0 without a number."""
    found = _NUMBER.match(value.strip())
    return float(found[1]) * _PIXELS.get(found[2] or "px", 1.0) if found else 0.0


def _is_tiny(value: str) -> bool:
    found = _NUMBER.match(value)
    if not found:
        return False
    size, unit = float(found[1]), found[2] or "px"
    shares = {"em": 0.15, "rem": 0.15, "%": 15.0, "ex": 0.3, "ch": 0.3}
    limit = shares.get(unit, 0.15 if unit[0] == "v" else 2.0)
    return (size if unit in shares or unit[0] == "v" else _pixels(value)) < limit


def _is_far(value: str) -> bool:
    found = _NUMBER.match(value)
    if not found:
        return False
    size, unit = float(found[1]), found[2]
    if unit in ("%", "vw", "vh", "vmin", "vmax"):
        return size <= -100 or size > 200
    return abs(_pixels(value)) >= _FAR


def _is_nothing(value: str) -> bool:
    found = _NUMBER.match(value)
    if found is None:
        return False
    size = abs(float(found[1]))
    return size == 0 or (size <= 1 and found[2] in ("px", "pt"))


def _is_nothing_share(value: str) -> bool:
    found = _NUMBER.match(value)
    return found is not None and found[2] == "%" and abs(float(found[1])) < 2
