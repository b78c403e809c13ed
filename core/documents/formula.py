"""Formulas as a line of text, from MathML."""

from typing import TYPE_CHECKING

from core.documents.build import lowered, raised
from core.documents.xml import entity_text, is_element, local

if TYPE_CHECKING:
    from core.documents.xml import Element

UNREADABLE = "[formula]"
"""Stands where a formula is only a picture, so that the gap is seen."""

_SPACED = frozenset("=<>≤≥≈≠≡∼≪≫→←↔⇒⇔∈∉±∝")
_WIDE = frozenset({"mtable", "mtr", "mlabeledtr"})


def formula_text(node: "Element") -> str:
    """The formula below `node` on one line; "" if it has no text."""
    return " ".join(_text(node).split())


def _text(node: "Element") -> str:
    if not is_element(node):
        return entity_text(node)
    name = local(node)
    children = [child for child in node if is_element(child)]
    if name in ("annotation", "annotation-xml"):
        return ""
    if name == "mo":
        sign = _own(node)
        return f" {sign} " if sign in _SPACED else sign
    if not children:
        return _own(node)
    parts = [_text(child) for child in children]
    if name == "mfrac" and len(parts) == 2:
        return f"{_grouped(parts[0])}/{_grouped(parts[1])}"
    if name in ("msup", "mover") and len(parts) == 2:
        return parts[0] + (_power(parts[1]) if name == "msup" else parts[1])
    if name in ("msub", "munder") and len(parts) == 2:
        return parts[0] + lowered(parts[1])
    if name in ("msubsup", "munderover") and len(parts) == 3:
        return parts[0] + lowered(parts[1]) + _power(parts[2])
    if name == "msqrt":
        return f"√({''.join(parts)})"
    if name == "mfenced":
        marks = (node.get("separators") or ",").split() or [","]
        inside = f"{marks[0]} ".join(parts)
        return f"{node.get('open') or '('}{inside}{node.get('close') or ')'}"
    between = " " if name in _WIDE else ""
    return between.join(parts)


def _own(node: "Element") -> str:
    pieces = [node.text or ""]
    for child in node:
        pieces.append(
            entity_text(child) if not is_element(child) else "".join(map(str, child.itertext()))
        )
        pieces.append(child.tail or "")
    return " ".join("".join(pieces).split())


def _power(text: str) -> str:
    bare = " ".join(text.split())
    up = raised(bare)
    if up != bare or len(bare) <= 1:
        return up
    return f"^{_grouped(bare)}"


def _grouped(text: str) -> str:
    bare = text.strip()
    return bare if bare.isalnum() or len(bare) <= 1 else f"({bare})"
