"""The part of a law or a standard that a citation names: its own headings say where it is."""

import re
from dataclasses import replace

from core.citations.model import FrameworkCitation
from core.documents.model import Block, BlockKind, Document

_HEADINGS = frozenset({BlockKind.HEADING, BlockKind.TITLE})

_POINT = re.compile(r"\(([^()]+)\)")


def part_of(document: Document, citation: FrameworkCitation) -> Document | None:
    """`document` with nothing but the blocks of the cited place.

    The place is found by its heading, and a paragraph or a point of it by the number that opens a
    block: "Article 28(3)(a)" is the block "(a)" after the block "3." under "Article 28". None
    where one of these is not there, or is there twice; the document itself where the citation
    names no place.
    """
    if not citation.locator:
        return document
    unit, _, rest = citation.locator.partition("(")
    named = re.compile(rf"^\W*{re.escape(unit.strip())}(?![\w(]|\.\w)", re.IGNORECASE)
    heads = [
        at
        for at, block in enumerate(document.blocks)
        if block.kind in _HEADINGS and named.match(_text(document, block))
    ]
    if len(heads) != 1:
        return None
    head = document.blocks[heads[0]]
    blocks = [head]
    for block in document.blocks[heads[0] + 1 :]:
        if block.kind in _HEADINGS and len(block.headings) <= len(head.headings):
            break
        blocks.append(block)
    for point in _POINT.findall(f"({rest}" if rest else ""):
        blocks = _under(document, blocks, point)
        if not blocks:
            return None
    return replace(document, blocks=tuple(blocks))


def _under(document: Document, blocks: list[Block], point: str) -> list[Block]:
    """The block that the number opens, and those after it up to the next number of its kind."""
    opens = re.compile(rf"^\(?{re.escape(point)}[.)](?:\s|$)")
    kind = re.compile(r"^\(?\d+[.)](?:\s|$)" if point.isdigit() else r"^\(?[a-z]+[.)](?:\s|$)")
    found = [at for at, block in enumerate(blocks) if opens.match(_text(document, block))]
    if len(found) != 1:
        return []
    inside = [blocks[found[0]]]
    for block in blocks[found[0] + 1 :]:
        if kind.match(_text(document, block)):
            break
        inside.append(block)
    return inside


def _text(document: Document, block: Block) -> str:
    return " ".join(document.text[block.start : block.end].split())
