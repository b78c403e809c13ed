"""Colours of a web page: whether letters can be told from what they stand on."""

import re
from dataclasses import dataclass
from math import isfinite

from core.documents.html_styles import Style

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
FAINT = 0.05
"""Letters or layers less opaque than this are not seen (0 is clear, 1 is solid)."""

_NEAR = 24
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "canvas": WHITE,
    "field": WHITE,
    "window": WHITE,
    "black": BLACK,
    "canvastext": BLACK,
    "windowtext": BLACK,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "mintcream": (245, 255, 250),
    "azure": (240, 255, 255),
    "aliceblue": (240, 248, 255),
    "honeydew": (240, 255, 240),
    "seashell": (255, 245, 238),
    "lavenderblush": (255, 240, 245),
    "oldlace": (253, 245, 230),
    "linen": (250, 240, 230),
    "lightyellow": (255, 255, 224),
    "lightcyan": (224, 255, 255),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "navy": (0, 0, 128),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "darkgray": (169, 169, 169),
    "darkgrey": (169, 169, 169),
    "dimgray": (105, 105, 105),
    "dimgrey": (105, 105, 105),
    "maroon": (128, 0, 0),
    "purple": (128, 0, 128),
    "orange": (255, 165, 0),
    "teal": (0, 128, 128),
    "darkblue": (0, 0, 139),
    "mediumblue": (0, 0, 205),
    "royalblue": (65, 105, 225),
    "steelblue": (70, 130, 180),
    "midnightblue": (25, 25, 112),
    "darkslateblue": (72, 61, 139),
    "darkslategray": (47, 79, 79),
    "darkslategrey": (47, 79, 79),
    "slategray": (112, 128, 144),
    "indigo": (75, 0, 130),
    "darkgreen": (0, 100, 0),
    "darkcyan": (0, 139, 139),
    "darkred": (139, 0, 0),
    "crimson": (220, 20, 60),
    "firebrick": (178, 34, 34),
    "brown": (165, 42, 42),
    "tomato": (255, 99, 71),
}
_KEPT = frozenset({"", "inherit", "currentcolor", "unset", "initial", "revert", "auto", "none"})
_FUNCTION = re.compile(r"(rgba?|hsla?|oklab|oklch|lab|lch|hwb|color)\(([^()]*)\)")
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_PART = re.compile(r"(-?(?:\d++(?:\.\d*+)?|\.\d++))(%|deg|turn|rad)?")
_PAINTED = re.compile(r"(?:url|image|element|image-set|cross-fade|paint)\(|gradient\(")


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour and how solid it is: 0 is clear, 1 is solid."""

    colour: Colour
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Ink:
    """The colour of text and of what it stands on, None where a picture or unknown colour is.

    `opacity` is what is left of everything that makes the text fainter, from 0 to 1.
    """

    text: Colour = BLACK
    ground: Colour | None = WHITE
    alpha: float = 1.0
    opacity: float = 1.0


def ink(style: Style, above: Ink) -> Ink:
    """The colours below an element of this style that stands in `above`."""
    if not style:
        return above
    ground = _ground(style, above)
    faint = opacity(style.get("opacity", "")) * filter_opacity(style.get("filter", ""))
    written = paint(style.get("-webkit-text-fill-color", "")) or paint(style.get("color", ""))
    text, alpha = (written.colour, written.alpha) if written else (above.text, above.alpha)
    if shows_ground(style):
        text, alpha, ground = above.text, 1.0, None
    return Ink(text, ground, alpha, above.opacity * faint)


def _ground(style: Style, above: Ink) -> Colour | None:
    ground = above.ground
    for name in ("background", "background-color", "background-image"):
        value = style.get(name, "")
        if value in _KEPT or value == "transparent":
            continue
        if _PAINTED.search(value):
            ground = None
            continue
        layer = paint(value)
        if layer is None:
            ground = None
        elif layer.alpha >= FAINT:
            ground = _over(layer, ground)
    return ground


def shows_ground(style: Style) -> bool:
    """Whether the letters are cut out of the background: clear letters are seen there."""
    names = ("background-clip", "-webkit-background-clip", "background")
    return any("text" in style.get(name, "").split() for name in names)


def invisible(inks: Ink) -> bool:
    """Whether text of this colour cannot be told from what it stands on."""
    if inks.opacity < FAINT or inks.alpha < FAINT:
        return True
    if inks.ground is None:
        return False
    seen = _over(Paint(inks.text, inks.alpha), inks.ground)
    return seen is not None and alike(seen, inks.ground)


def uncertain(inks: Ink) -> bool:
    """Whether the letters are near white on a ground that is not known."""
    return inks.ground is None and alike(inks.text, WHITE)


def alike(one: Colour, other: Colour) -> bool:
    """Whether two colours cannot be told apart."""
    return all(abs(a - b) <= _NEAR for a, b in zip(one, other, strict=True))


def paint(value: str) -> Paint | None:
    """The colour that a CSS value names; None where it names none that is known."""
    if not value:
        return None
    if found := _HEX.search(value):
        return _from_digits(found[1])
    if found := _FUNCTION.search(value):
        return _from_function(found[1].rstrip("a"), found[2])
    words = value.split()
    if "transparent" in words:
        return Paint(BLACK, 0.0)
    return next((Paint(_NAMED[word]) for word in words if word in _NAMED), None)


def opacity(value: str) -> float:
    """How much of an element is left by an `opacity` value; 1 where it says nothing."""
    found = _PART.match(value.strip())
    if not found:
        return 1.0
    return max(0.0, min(1.0, float(found[1]) / (100 if found[2] == "%" else 1)))


def filter_opacity(value: str) -> float:
    """How much of an element is left by a `filter` value."""
    left = 1.0
    for found in re.findall(r"opacity\(([^()]*)\)", value):
        left *= opacity(found)
    return left


def _over(layer: Paint, ground: Colour | None) -> Colour | None:
    if layer.alpha >= 0.99:
        return layer.colour
    if ground is None:
        return None
    red, green, blue = (
        round(a * layer.alpha + b * (1 - layer.alpha))
        for a, b in zip(layer.colour, ground, strict=True)
    )
    return (red, green, blue)


def _from_digits(digits: str) -> Paint | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8):
        return None
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    return Paint((red, green, blue), int(digits[6:] or "ff", 16) / 255)


def _from_function(name: str, inside: str) -> Paint | None:
    main, slash, last = inside.partition("/")
    parts = _PART.findall(main)
    alpha = opacity(last) if slash else 1.0
    if not slash and name in ("rgb", "hsl") and len(parts) == 4:
        alpha = opacity("".join(parts[3]))
    if alpha < FAINT:
        return Paint(BLACK, alpha)
    if len(parts) < 3:
        return None
    values = [float(number) for number, _ in parts[:3]]
    units = [unit for _, unit in parts[:3]]
    if name == "rgb":
        shares = [v / (100 if u == "%" else 255) for v, u in zip(values, units, strict=True)]
    elif name == "color":
        shares = [v / (100 if u == "%" else 1) for v, u in zip(values, units, strict=True)]
    elif name == "hsl":
        turns = values[0] * (1 if units[0] == "turn" else 1 / 360)
        shares = list(_from_hue(turns, values[1] / 100, values[2] / 100))
    elif name != "hwb":
        light = values[0] / (1 if name.startswith("ok") and units[0] != "%" else 100)
        if 0.05 < light < 0.95:
            return None
        shares = [light] * 3
    else:
        return None
    red, green, blue = (round(255 * max(0.0, min(1.0, share))) for share in shares)
    return Paint((red, green, blue), alpha)


def _from_hue(hue: float, saturation: float, lightness: float) -> tuple[float, float, float]:
    from colorsys import hls_to_rgb

    light, full = (max(0.0, min(1.0, share)) for share in (lightness, saturation))
    return hls_to_rgb(hue % 1.0 if isfinite(hue) else 0.0, light, full)
