"""The part of a law or a standard that a citation names: its own headings say where it is."""

import re
from dataclasses import replace

from core.citations.model import FrameworkCitation
from core.documents.model import Block, BlockKind, Document

_HEADINGS = frozenset({BlockKind.HEADING, BlockKind.TITLE})

_UNIT = re.compile(r"(?:Article|Recital|Annex|Section|Part|Chapter|Clause)? ?[\w.-]+")


def part_of(document: Document, citation: FrameworkCitation) -> Document | None:
    """`document` with nothing but the blocks under the heading of the cited place.

    A paragraph or a point of it is looked for in the whole article: "Article 28(3)(a)" is in
    Article 28. None where no heading, or more than one part, is that place; the document itself
    where the citation names no place in it.
    """
    if not citation.locator:
        return document
    unit = _UNIT.match(citation.locator)
    if unit is None:
        return None
    named = re.compile(rf"^\W*{re.escape(unit.group())}(?![\w(]|\.\w)", re.IGNORECASE)
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
    return replace(document, blocks=tuple(blocks))


def _text(document: Document, block: Block) -> str:
    return " ".join(document.text[block.start : block.end].split())
