"""The styles and numbering of a Word document, as far as they say what a paragraph is."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.documents.xml import local

if TYPE_CHECKING:
    from core.documents.xml import Element

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"

_HEADING_NAME = re.compile(r"(?:heading|berschrift|titre|t[ií]tulo|titolo|kop) ?(\d)", re.I)
_OFF = frozenset({"0", "false", "off", "none"})
_DEEPEST_CHAIN = 20


Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
_NEAR = 24
_HIGHLIGHT: Colour = (255, 255, 0)


@dataclass(frozen=True, slots=True)
class Look:
    """What a style, or a paragraph's or run's own properties, say; None where they are silent.

    `unsure` holds where `hidden` depends on how the document is shown: then what is left of the
    paragraph may not be all that a reader sees. `ink` is the colour of the letters, `ground` the
    colour right behind them.
    """

    name: str = ""
    depth: int | None = None
    listed: bool | None = None
    hidden: bool | None = None
    unsure: bool | None = None
    struck: bool | None = None
    raised: str | None = None
    ink: Colour | None = None
    ground: Colour | None = None

    def over(self, base: "Look") -> "Look":
        """These properties, with those of `base` where these are silent."""
        return Look(
            self.name or base.name,
            base.depth if self.depth is None else self.depth,
            base.listed if self.listed is None else self.listed,
            base.hidden if self.hidden is None else self.hidden,
            base.unsure if self.unsure is None else self.unsure,
            base.struck if self.struck is None else self.struck,
            base.raised if self.raised is None else self.raised,
            base.ink if self.ink is None else self.ink,
            base.ground if self.ground is None else self.ground,
        )


PLAIN = Look()


def attribute(node: "Element", name: str) -> str | None:
    """The attribute `name` of the Word namespace, in either of its two forms."""
    return node.get(WORD + name) or node.get(STRICT + name) or node.get(name)


def child(node: "Element | None", name: str) -> "Element | None":
    """The first child of that local name."""
    if node is None:
        return None
    return next((part for part in node if local(part) == name.lower()), None)


def is_on(node: "Element | None") -> bool | None:
    """The value of an on/off property; None where it does not stand there."""
    if node is None:
        return None
    return (attribute(node, "val") or "1").lower() not in _OFF


def paragraph_look(properties: "Element | None") -> Look:
    """What a `w:pPr` says."""
    if properties is None:
        return PLAIN
    outline = child(properties, "outlineLvl")
    depth = None
    if outline is not None and (level := attribute(outline, "val")) and level.isdigit():
        depth = int(level) + 1 if int(level) < 9 else None
    numbering = child(properties, "numPr")
    listed = None
    if numbering is not None:
        id_ = child(numbering, "numId")
        listed = id_ is None or attribute(id_, "val") != "0"
    return Look(depth=depth, listed=listed, ground=shading(properties))


def run_look(properties: "Element | None") -> Look:
    """What a `w:rPr` says. Letters under 2 points, or squeezed to a tenth, are hidden."""
    if properties is None:
        return PLAIN
    hidden = is_on(child(properties, "vanish"))
    unsure = None if hidden is None else False
    if not hidden and (
        is_on(child(properties, "specVanish"))
        or is_on(child(properties, "webHidden"))
        or _is_tiny(properties)
        or _is_clear(properties)
    ):
        hidden = unsure = True
    struck = is_on(child(properties, "strike"))
    if not struck and is_on(child(properties, "dstrike")):
        struck = True
    align = child(properties, "vertAlign")
    return Look(
        hidden=hidden,
        unsure=unsure,
        struck=struck,
        raised=attribute(align, "val") if align is not None else None,
        ink=_ink(properties),
        ground=_HIGHLIGHT if _is_highlighted(properties) else shading(properties),
    )


def _is_highlighted(properties: "Element") -> bool:
    mark = child(properties, "highlight")
    return mark is not None and attribute(mark, "val") not in (None, "none", "white")


def shading(properties: "Element | None") -> Colour | None:
    """The colour that a `w:shd` in these properties fills with."""
    filled = child(properties, "shd")
    return _rgb(attribute(filled, "fill")) if filled is not None else None


def alike(ink: Colour, ground: Colour) -> bool:
    """Whether letters of one colour cannot be told from the other."""
    return all(abs(a - b) <= _NEAR for a, b in zip(ink, ground, strict=True))


def _is_tiny(properties: "Element") -> bool:
    size = child(properties, "sz")
    half_points = (attribute(size, "val") or "") if size is not None else ""
    width = child(properties, "w")
    percent = (attribute(width, "val") or "").rstrip("%") if width is not None else ""
    squeezed = percent.isdecimal() and 0 < int(percent) < 10
    return squeezed or (half_points.isdecimal() and int(half_points) < 4)


def _is_clear(properties: "Element") -> bool:
    """Whether the letters are filled with nothing, or with a colour that is not solid."""
    fill = child(properties, "textFill")
    for part in fill.iter() if fill is not None else ():
        if local(part) == "nofill":
            return True
        percent = _by_local_name(part, "val") if local(part) == "alpha" else ""
        if percent.isdecimal() and int(percent) > 95_000:
            return True
    return False


def _by_local_name(node: "Element", name: str) -> str:
    found = (value for key, value in node.attrib.items() if str(key).rpartition("}")[2] == name)
    return str(next(found, ""))


def _ink(properties: "Element") -> Colour | None:
    written = child(properties, "color")
    if written is None:
        return None
    if attribute(written, "themeColor") in ("background1", "light1"):
        return WHITE
    return _rgb(attribute(written, "val"))


def _rgb(value: str | None) -> Colour | None:
    if value is None or not re.fullmatch(r"[0-9A-Fa-f]{6}", value):
        return None
    return (int(value[:2], 16), int(value[2:4], 16), int(value[4:], 16))


class Styles:
    """The styles of `styles.xml`, each with what it takes from the styles it is based on."""

    def __init__(self, root: "Element | None") -> None:
        self._own: dict[str, tuple[Look, str]] = {}
        self._default = ""
        for style in root if root is not None else ():
            if local(style) != "style":
                continue
            id_ = attribute(style, "styleId") or ""
            name_node, base_node = child(style, "name"), child(style, "basedOn")
            name = (attribute(name_node, "val") or "") if name_node is not None else ""
            paragraph = paragraph_look(child(style, "pPr"))
            look = run_look(child(style, "rPr")).over(paragraph)
            found = _HEADING_NAME.fullmatch(name.strip())
            if found and look.depth is None:
                look = Look(depth=int(found[1])).over(look)
            look = Look(name=name.casefold()).over(look)
            base = (attribute(base_node, "val") or "") if base_node is not None else ""
            self._own[id_] = (look, base)
            if attribute(style, "type") == "paragraph" and is_on_default(style):
                self._default = id_

    def look(self, id_: str | None) -> Look:
        """What the style says; the default paragraph style where `id_` is None."""
        at = self._default if id_ is None else id_
        look = PLAIN
        for _ in range(_DEEPEST_CHAIN):
            if at not in self._own:
                break
            own, at = self._own[at]
            look = look.over(own)
        return look


def is_on_default(style: "Element") -> bool:
    """Whether a style is its type's default."""
    return (attribute(style, "default") or "0").lower() not in _OFF
