"""Tell what a web page hides from its reader: such text is not part of the document."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_DECLARATION = re.compile(r"([\w-]+)\s*:\s*([^;]+)")
_COMPOUND = re.compile(r"([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_COMPOUND_PART = re.compile(r"[.#][\w-]+")
_CONDITION = re.compile(r"width|height|orientation|prefers|hover|pointer|resolution|print|speech")
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


@dataclass(frozen=True, slots=True)
class Element:
    """What a selector can ask of an element. Names are in lower case."""

    tag: str
    classes: frozenset[str] = frozenset()
    id: str = ""


@dataclass(frozen=True, slots=True)
class _Compound:
    tag: str
    classes: frozenset[str]
    id: str

    def fits(self, element: Element) -> bool:
        return (
            (not self.tag or self.tag == element.tag)
            and (not self.id or self.id == element.id)
            and self.classes <= element.classes
        )


class StyleSheet:
    """The rules of a page's `<style>` elements that can hide text.

    Selectors of tags, classes, ids and what they stand in are understood; rules for print, for
    some window sizes, or with any other selector are not.
    """

    def __init__(self, sources: Iterable[str] = ()) -> None:
        self._rules: dict[tuple[_Compound, ...], Style] = {}
        self._by_key: dict[str, list[tuple[_Compound, ...]]] = {}
        for source in sources:
            for selectors, body in _rules(without_comments(source.lower())):
                style = declarations(body)
                for selector in selectors.split(",") if style else ():
                    self._add(selector, style)

    def _add(self, selector: str, style: Style) -> None:
        path: list[_Compound] = []
        for word in selector.replace(">", " ").split():
            found = _COMPOUND.fullmatch(word)
            if not found:
                return
            parts = _COMPOUND_PART.findall(found[2])
            ids = [part[1:] for part in parts if part[0] == "#"]
            classes = frozenset(part[1:] for part in parts if part[0] == ".")
            tag = found[1] or ""
            path.append(_Compound("" if tag == "*" else tag, classes, ids[0] if ids else ""))
        if not path:
            return
        rule = tuple(path)
        if rule in self._rules:
            self._rules[rule] |= style
            return
        last = path[-1]
        key = f"#{last.id}" if last.id else f".{min(last.classes)}" if last.classes else last.tag
        self._by_key.setdefault(key, []).append(rule)
        self._rules[rule] = dict(style)

    def style(self, path: Sequence[Element], inline: str) -> Style:
        """What holds for the last element of `path`, from the rules and its own `style`.

        `path` is the element with those that it stands in, outermost first.
        """
        own = declarations(inline) if inline else {}
        if not self._rules:
            return own
        element = path[-1]
        keys = ["", element.tag, *(f".{name}" for name in element.classes), f"#{element.id}"]
        merged: Style = {}
        for key in keys:
            for rule in self._by_key.get(key, ()):
                if _fits(rule, path):
                    merged |= self._rules[rule]
        return merged | own


def _fits(compounds: Sequence[_Compound], path: Sequence[Element]) -> bool:
    if not compounds[-1].fits(path[-1]):
        return False
    wanted = len(compounds) - 2
    for element in reversed(path[:-1]):
        if wanted < 0:
            break
        if compounds[wanted].fits(element):
            wanted -= 1
    return wanted < 0


def without_comments(source: str) -> str:
    """A style text without its comments, in one pass."""
    parts: list[str] = []
    at = 0
    while (start := source.find("/*", at)) >= 0:
        parts.append(source[at:start])
        end = source.find("*/", start + 2)
        if end < 0:
            return " ".join(parts)
        at = end + 2
    return " ".join([*parts, source[at:]])


def _rules(source: str) -> Iterator[tuple[str, str]]:
    """The (selectors, declarations) of a sheet, in one pass; conditional rules left out."""
    skipping = 0
    open_blocks: list[bool] = []
    at = 0
    marks = [(mark[0], mark.start()) for mark in re.finditer(r"[{}]", source)]
    for (mark, place), (following, end) in pairwise([*marks, ("", len(source))]):
        if mark == "{":
            head = source[at:place].rpartition(";")[2].strip()
            grouped = head.startswith(("@media", "@supports", "@layer", "@container"))
            dropped = head.startswith("@") and (not grouped or bool(_CONDITION.search(head)))
            open_blocks.append(dropped)
            skipping += dropped
            if not skipping and not head.startswith("@") and following == "}":
                yield head, source[place + 1 : end]
        elif open_blocks:
            skipping -= open_blocks.pop()
        at = place + 1


def declarations(body: str) -> Style:
    """The declarations in `body` that can hide text; names and values in lower case."""
    return {
        name: value.replace("!important", "").strip()
        for name, value in _DECLARATION.findall(without_comments(body.lower()))
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
