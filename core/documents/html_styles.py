"""Tell what a web page hides from its reader: such text is not part of the document."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_DECLARATION = re.compile(r"([\w-]+)\s*:\s*([^;]+)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}@;]+)\{([^{}]*)\}")
_BLOCK_AT_RULE = re.compile(r"@[\w-]+[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_SELECTOR = re.compile(r"([a-z][\w-]*)?(?:\.([\w-]+)|#([\w-]+))?")
_RELEVANT = frozenset(
    {
        "display", "visibility", "font-size", "color", "background", "background-color", "opacity",
        "position", "left", "right", "top", "text-indent", "height", "max-height", "width",
        "overflow", "clip", "clip-path", "transform", "text-decoration", "text-decoration-line",
        "margin-left", "content-visibility", "font",
    }
)  # fmt: skip
_NUMBER = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|%|vw|vh|ex|ch|in|cm|mm)?")
_HIDING_CLASSES = frozenset(
    {"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only"}
)
_NAMED = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "navy": (0, 0, 128),
}
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+%?))?\s*\)")
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_FAR = 900
_NEAR = 24

Colour = tuple[int, int, int]
Style = dict[str, str]

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Ink:
    """The colour of text and of what it stands on."""

    text: Colour = BLACK
    ground: Colour = WHITE


class StyleSheet:
    """The rules of a page's `<style>` elements that name one element, class or id."""

    def __init__(self, sources: Iterable[str] = ()) -> None:
        self._rules: dict[tuple[str, str, str], Style] = {}
        for source in sources:
            plain = _BLOCK_AT_RULE.sub(" ", _COMMENT.sub(" ", source))
            for selectors, body in _RULE.findall(plain):
                style = declarations(body)
                if style:
                    self._add(selectors, style)

    def _add(self, selectors: str, style: Style) -> None:
        for selector in selectors.lower().split(","):
            found = _SELECTOR.fullmatch(selector.strip())
            if found and found[0]:
                key = (found[1] or "", found[2] or "", found[3] or "")
                self._rules.setdefault(key, {}).update(style)

    def style(self, tag: str, classes: Iterable[str], id_: str, inline: str) -> Style:
        """What holds for an element, from its sheet rules and its own `style` attribute."""
        if not self._rules:
            return declarations(inline) if inline else {}
        merged = dict(self._rules.get((tag, "", ""), {}))
        for name in classes:
            merged |= self._rules.get(("", name, ""), {})
            merged |= self._rules.get((tag, name, ""), {})
        if id_:
            merged |= self._rules.get(("", "", id_), {})
            merged |= self._rules.get((tag, "", id_), {})
        return merged | declarations(inline)


def declarations(body: str) -> Style:
    """The declarations in `body` that can hide text; names and values in lower case."""
    return {
        name: value.replace("!important", "").strip()
        for name, value in _DECLARATION.findall(_COMMENT.sub(" ", body).lower())
        if name in _RELEVANT
    }


def hides(style: Style, classes: Iterable[str]) -> bool:
    """Whether an element of this style, or one of its well-known classes, is not seen."""
    if any(name in _HIDING_CLASSES for name in classes):
        return True
    if not style:
        return False
    get = style.get
    if get("display") == "none" or get("visibility") in ("hidden", "collapse"):
        return True
    if get("content-visibility") == "hidden":
        return True
    if _is_tiny(get("font-size", "")) or re.match(r"0(?:px|pt|em|rem|%)?[/\s]", get("font", "")):
        return True
    if _number(get("opacity", "")) is not None and (_number(style["opacity"]) or 0) < 0.05:
        return True
    if re.search(r"scale[xy3d]*\(\s*0(?:\.0+)?\s*[,)]", get("transform", "")):
        return True
    placed = get("position") in ("absolute", "fixed")
    if placed and any(_is_far(get(side, "")) for side in ("left", "right", "top")):
        return True
    if _is_far(get("text-indent", "")) or _is_far(get("margin-left", "")):
        return True
    clipped = get("overflow", "").startswith(("hidden", "clip"))
    if clipped and any(_is_nothing(get(side, "")) for side in ("height", "max-height", "width")):
        return True
    rectangle = get("clip", "").replace(" ", "")
    return placed and rectangle.startswith(("rect(0", "rect(1px,1px"))


def ink(style: Style, above: Ink) -> Ink:
    """The colours below an element of this style that stands in `above`."""
    if not style:
        return above
    text = colour(style.get("color", "")) or above.text
    ground = colour(style.get("background-color", "")) or colour(style.get("background", ""))
    if style.get("color") == "transparent":
        text = ground or above.ground
    return Ink(text, ground or above.ground)


def invisible(inks: Ink) -> bool:
    """Whether text of this colour cannot be told from what it stands on."""
    return all(abs(a - b) <= _NEAR for a, b in zip(inks.text, inks.ground, strict=True))


def struck(style: Style) -> bool:
    """Whether the text is struck through."""
    decoration = style.get("text-decoration", "") + style.get("text-decoration-line", "")
    return "line-through" in decoration


def colour(value: str) -> Colour | None:
    """The colour that a CSS value names; None where it names none that is known."""
    if not value:
        return None
    if found := _HEX.search(value):
        digits = found[1]
        if len(digits) in (3, 4):
            digits = "".join(digit * 2 for digit in digits[:3])
        if len(digits) in (6, 8):
            return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))
        return None
    if found := _RGB.search(value):
        if found[4] is not None and (_number(found[4]) or 0) < 0.05:
            return None
        return (int(found[1]), int(found[2]), int(found[3]))
    return next((_NAMED[word] for word in value.split() if word in _NAMED), None)


def _number(value: str) -> float | None:
    found = _NUMBER.match(value.strip())
    return float(found[1]) if found else None


def _is_tiny(value: str) -> bool:
    found = _NUMBER.match(value)
    if not found:
        return False
    size, unit = float(found[1]), found[2]
    limit = {"em": 0.15, "rem": 0.15, "%": 15.0}.get(unit or "px", 2.0)
    return size < limit


def _is_far(value: str) -> bool:
    found = _NUMBER.match(value)
    if not found:
        return False
    size = abs(float(found[1]))
    return size >= (60 if found[2] in ("em", "rem", "ch", "ex") else _FAR) or (
        found[2] in ("%", "vw", "vh") and float(found[1]) <= -100
    )


def _is_nothing(value: str) -> bool:
    found = _NUMBER.match(value)
    return found is not None and abs(float(found[1])) <= 1 and found[2] in (None, "px", "pt")
