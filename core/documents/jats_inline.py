"""The running text of JATS elements."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from core.documents.build import collapse, lowered, raised
from core.documents.formula import UNREADABLE, formula_text
from core.documents.html_colours import Ink, ink, invisible
from core.documents.html_hidden import hides
from core.documents.html_styles import declarations
from core.documents.xml import entity_text, is_element, local

if TYPE_CHECKING:
    from core.documents.xml import Element

HIDDEN = "Text that the article marks as not to be shown was left out."
STRUCK = "Text that is struck through was left out."

_BLOCKS = frozenset(
    {
        "fig",
        "fig-group",
        "table-wrap",
        "table-wrap-group",
        "supplementary-material",
        "media",
        "list",
        "def-list",
        "disp-quote",
        "verse-group",
        "boxed-text",
        "chem-struct-wrap",
        "preformat",
        "code",
        "statement",
        "speech",
    }
)
_SILENT = frozenset(
    {
        "graphic",
        "inline-graphic",
        "private-char",
        "object-id",
        "alt-text",
        "long-desc",
        "aff",
        "index-term",
        "milestone-start",
        "milestone-end",
        "target",
        "contrib-id",
        "etal-marker",
    }
)
_FORMULAS = frozenset({"inline-formula", "disp-formula", "disp-formula-group", "tex-math", "math"})
_OWN_WORDS = frozenset(
    {
        "title",
        "p",
        "label",
        "break",
        "td",
        "th",
        "term",
        "def",
        "def-item",
        "list-item",
        "caption",
        "person-group",
    }
)
_NAMES = frozenset({"name", "string-name", "surname", "given-names", "suffix", "collab"})
_MARKS = re.compile(r"[\d\s,;\u2010-\u2015*\u2020\u2021\u00a7a-h-]*")
_NUMBERS = re.compile(r"\d+")
_NOTE_TYPES = frozenset({"fn", "table-fn", "author-notes", "corresp", "aff"})
_TEX = re.compile(r"\\(?:documentclass|usepackage|setlength)[^\n]*|\\(?:begin|end)\{document\}|\$+")


class Inline:
    """Turns elements into text: emphasis is transparent, citation marks that are raised go.

    Footnotes that stand inside the text are put aside for `take_notes`.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._notes: list[Element] = []

    def take_notes(self) -> list["Element"]:
        """The footnotes met since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def text(self, node: "Element") -> str:
        """All of the text in `node`, blocks in it included, white space as it stands."""
        return "".join(
            piece if isinstance(piece, str) else f" {self.text(piece)} "
            for piece in self.pieces(node)
        )

    def pieces(self, node: "Element") -> Iterator["str | Element"]:
        """The text of `node` in order, with the blocks that stand in it as elements."""
        yield node.text or ""
        before = node.text or ""
        for child in node:
            for piece in self._child(child, before):
                if isinstance(piece, str):
                    before = (before + piece)[-20:]
                yield piece
            yield child.tail or ""
            before = (before + (child.tail or ""))[-20:]

    def _child(self, child: "Element", before: str) -> Iterator["str | Element"]:
        name = local(child)
        if not is_element(child):
            yield entity_text(child)
        elif name in _BLOCKS:
            yield child
        elif name in _SILENT:
            return
        elif name in _FORMULAS:
            spaced = name.startswith("disp")
            text = self._formula(child)
            yield f" {text} " if spaced else text
        elif name == "fn":
            self._notes.append(child)
        elif name in ("strike", "strikethrough"):
            self._warn(STRUCK)
        elif name in ("styled-content", "named-content") and _is_hidden(child):
            self._warn(HIDDEN)
        elif name == "sup":
            yield "" if _only_marks(child) else raised(self.text(child))
        elif name == "sub":
            yield lowered(self.text(child))
        elif name == "xref":
            yield self._reference(child, before)
        elif name in _NAMES:
            yield " "
            yield from self.pieces(child)
        elif name in _OWN_WORDS:
            yield " "
            yield from self.pieces(child)
            yield " "
        else:
            yield from self.pieces(child)

    def _reference(self, xref: "Element", before: str) -> str:
        """A cross-reference as it reads; a raised citation or note mark is no text."""
        kind = xref.get("ref-type") or ""
        text = self.text(xref)
        raised_mark = any(local(part) == "sup" for part in xref.iter())
        if kind in _NOTE_TYPES and (raised_mark or len(collapse(text)) <= 2):
            return ""
        if kind == "bibr":
            glued = before[-1:].isalpha() and _NUMBERS.fullmatch(collapse(text))
            if glued or (raised_mark and _MARKS.fullmatch("".join(map(str, xref.itertext())))):
                return ""
        return text

    def _formula(self, node: "Element") -> str:
        maths = [part for part in node.iter() if local(part) == "math"]
        if maths:
            text = formula_text(maths[0])
        else:
            tex = [part for part in node.iter() if local(part) == "tex-math"]
            if tex:
                text = collapse(_TEX.sub(" ", "".join(map(str, tex[0].itertext()))))
            elif any(local(part).endswith("graphic") for part in node.iter()):
                text = UNREADABLE
            else:
                text = collapse("".join(self.text(part) for part in node if local(part) != "label"))
                text = text or collapse(node.text or "")
        label = next((part for part in node if local(part) == "label"), None)
        number = collapse(self.text(label)) if label is not None else ""
        return f"{text} {number}".strip()


def _is_hidden(node: "Element") -> bool:
    style = declarations(node.get("style") or "")
    colours = ink(style, Ink())
    return hides(style, ()) or (colours != Ink() and invisible(colours))


def _only_marks(sup: "Element") -> bool:
    """Whether a raised text is citation or note marks and nothing else."""
    marked = any(
        local(part) == "xref" and part.get("ref-type") in (*_NOTE_TYPES, "bibr")
        for part in sup.iter()
    )
    return marked and _MARKS.fullmatch("".join(map(str, sup.itertext()))) is not None
