"""A text without its mark-up, each character with the place where it stands in the original.

Entities are decoded, tags, emphasis and invisible characters go, every kind of space becomes a
plain one, and look-alike forms become the plain letters and digits that they stand for. Cells of
an HTML table become cells of a Markdown row, so that a table reads the same in both.
"""

import html
import re
import unicodedata
from array import array
from dataclasses import dataclass

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
# Bounded, and none can begin inside its own repeat: every character is looked at a few times.
_RULES = re.compile(
    rf"""
      (?P<bullet>(?<![^\n])[ \t]{{0,40}}[*+-](?=[ \t]))
    | (?P<tag><[/!]?(?P<name>[A-Za-z][A-Za-z0-9]*+)(?:[\s/][^<>]{{0,2000}}+)?>)
    | (?P<comment><!--(?:[^-]|-(?!->)){{0,2000}}+-->)
    | (?P<entity>&(?:\#[0-9]{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z]{{2,10}}[0-9]{{0,2}});)
    | (?P<emphasis>[*`]+|~~|(?<!\w)_+|_+(?!\w)|\\(?=[!-/:-@\[-`{{-~]))
    | (?P<invisible>[{_INVISIBLE}]+)
    | (?P<superscript>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
    | (?P<newline>\r\n?|[\v\f\x85\u2028\u2029])
    | (?P<other>[^\x00-\x7f])
    """,
    re.VERBOSE,
)
_CELLS = frozenset({"td", "th"})
_LINES = frozenset({"br", "tr"})
_BLOCKS = frozenset(
    {
        "p", "div", "li", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section",
        "article", "blockquote", "dt", "dd", "pre",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plain:
    """Plain text; `origin[i]` is where character `i` begins in the original of `length`."""

    text: str
    origin: "array[int]"
    length: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The part of the original from which `text[start:end]` was made."""
        if start >= end:
            return 0, 0
        last = self.origin[end - 1]
        after = self.origin[end] if end < len(self.origin) else self.length
        # What was dropped after the last character is no part of it; an entity is.
        return self.origin[start], max(min(after, last + 1), last + 1)


def plain(text: str) -> Plain:
    """`text` without mark-up. Raises nothing, whatever the characters are."""
    out: list[str] = []
    origin = array("L")
    last = 0
    for found in _RULES.finditer(text):
        start, end = found.span()
        if start > last:
            out.append(text[last:start])
            origin.extend(range(last, start))
        last = end
        piece = _replace(found)
        if piece:
            out.append(piece)
            origin.extend([start] * len(piece))
    out.append(text[last:])
    origin.extend(range(last, len(text)))
    return Plain("".join(out), origin, len(text))


def _replace(found: "re.Match[str]") -> str:
    kind = found.lastgroup if found.lastgroup != "name" else "tag"
    if kind == "bullet":
        return found.group()
    if kind == "tag" or found.group("tag"):
        name = found.group("name").lower()
        if name in _CELLS:
            return "|"
        if name in _LINES:
            return "\n"
        return "\n\n" if name in _BLOCKS else ""
    if kind == "entity":
        return _plain_character(html.unescape(found.group()))
    if kind == "newline":
        return "\n"
    if kind == "superscript":
        return " "
    return _plain_character(found.group()) if kind == "other" else ""


def _plain_character(piece: str) -> str:
    if piece.isspace():
        return " "
    # A form that stands for ASCII text is read as that text; any other character stays itself.
    plain_form = unicodedata.normalize("NFKC", piece)
    return plain_form if plain_form.isascii() and plain_form else piece
