"""What a document is after it has been read: text in reading order, with anchors.

`Document.text` is the only text that later code sees. Blocks cut it into headings, paragraphs and
the rest; fragments say where each run of characters stands on a page of the original file.
Offsets everywhere are character offsets into `Document.text`, end exclusive.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Format(StrEnum):
    """The formats that the readers know, named by content and not by file extension."""

    PDF = "pdf"
    DOCX = "docx"
    JATS = "jats"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"


class BlockKind(StrEnum):
    """What a block is. Only `ASSERTING` kinds can hold the document's own assertions."""

    TITLE = "title"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    QUOTATION = "quotation"
    TABLE = "table"
    CAPTION = "caption"
    REFERENCE = "reference"
    FOOTNOTE = "footnote"
    RUNNING_HEAD = "running_head"
    CODE = "code"
    FRONT_MATTER = "front_matter"


ASSERTING = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM})


class SectionKind(StrEnum):
    """The role of the section that a block stands in; the gates read it."""

    ABSTRACT = "abstract"
    AIM = "aim"
    METHODS = "methods"
    RESULTS = "results"
    DISCUSSION = "discussion"
    PRIOR_WORK = "prior_work"
    LIMITATIONS = "limitations"
    REFERENCES = "references"
    BACK_MATTER = "back_matter"
    OTHER = "other"


class NoticeKind(StrEnum):
    """What a document says of its own standing, or that it is a notice about another work."""

    RETRACTED = "retracted"
    CONCERN = "expression_of_concern"
    CORRECTED = "corrected"
    RETRACTION_NOTICE = "retraction_notice"
    CORRECTION_NOTICE = "correction_notice"
    COMMENTARY = "commentary"


class TextScope(StrEnum):
    """How much of the work the document holds."""

    FULL_TEXT = "full_text"
    ABSTRACT_ONLY = "abstract_only"


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list item … : `text[start:end]`.

    `headings` is the path of headings above the block, outermost first. `in_abstract` holds for
    every block of an abstract, structured or not.
    """

    kind: BlockKind
    start: int
    end: int
    section: SectionKind = SectionKind.OTHER
    headings: tuple[str, ...] = ()
    in_abstract: bool = False


@dataclass(frozen=True, slots=True)
class Fragment:
    """`text[start:end]` is, character for character, the page's characters from `page_start` on.

    `page` counts from 1. `page_start` is PDFium's character index on that page.
    """

    start: int
    end: int
    page: int
    page_start: int


@dataclass(frozen=True, slots=True)
class Notice:
    """A retraction, correction or the like, in the document's own words."""

    kind: NoticeKind
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file after reading. `warnings` are sentences for the person, in the person's words."""

    format: Format
    text: str
    blocks: tuple[Block, ...]
    title: str = ""
    fragments: tuple[Fragment, ...] = ()
    page_count: int = 0
    scope: TextScope = TextScope.FULL_TEXT
    notices: tuple[Notice, ...] = ()
    warnings: tuple[str, ...] = ()

    def page_of(self, offset: int) -> int | None:
        """The page (from 1) on which the character at `offset` stands; None without pages."""
        spans = self.page_spans(offset, offset + 1)
        return spans[0].page if spans else None

    def page_spans(self, start: int, end: int) -> list[Fragment]:
        """The parts of `text[start:end]` that stand on pages, in text order, cut to the range."""
        from bisect import bisect_right

        spans: list[Fragment] = []
        first = max(0, bisect_right(self.fragments, start, key=lambda f: f.start) - 1)
        for fragment in self.fragments[first:]:
            if fragment.start >= end:
                break
            low, high = max(start, fragment.start), min(end, fragment.end)
            if low < high:
                shift = low - fragment.start
                spans.append(Fragment(low, high, fragment.page, fragment.page_start + shift))
        return spans


PIECE_ITEMS = 400
"""Blocks or fragments in one encoded piece: few enough that decoding never stalls a window."""

PIECE_CHARACTERS = 60_000

NAME_CHARACTERS = 300
"""The longest heading in a path of headings; the text itself holds all of it."""

NOTICE_CHARACTERS = 5000
"""The longest title or notice."""


def short_name(text: str, most: int = NAME_CHARACTERS) -> str:
    """`text` cut in its middle to `most` characters; its end, which may ask a question, stays."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 1]}\u2026{text[-end:]}"


def encode(document: Document) -> Iterator[dict[str, Any]]:
    """The document as JSON objects of bounded size; `decode` puts them together again."""
    yield {
        "head": {
            "format": document.format,
            "title": short_name(document.title, NOTICE_CHARACTERS),
            "page_count": document.page_count,
            "scope": document.scope,
            "notices": [[n.kind, short_name(n.text, NOTICE_CHARACTERS)] for n in document.notices],
            "warnings": list(document.warnings),
        }
    }
    for at in range(0, len(document.text), PIECE_CHARACTERS):
        yield {"text": document.text[at : at + PIECE_CHARACTERS]}
    rows: list[list[Any]] = []
    characters = 0
    for block in document.blocks:
        names = list(block.headings)
        rows.append([block.kind, block.start, block.end, block.section, names, block.in_abstract])
        characters += sum(map(len, names))
        if len(rows) == PIECE_ITEMS or characters >= PIECE_CHARACTERS:
            yield {"blocks": rows}
            rows, characters = [], 0
    if rows:
        yield {"blocks": rows}
    for at in range(0, len(document.fragments), PIECE_ITEMS):
        yield {
            "fragments": [
                [f.start, f.end, f.page, f.page_start]
                for f in document.fragments[at : at + PIECE_ITEMS]
            ]
        }


class Decoder:
    """Puts encoded pieces together, one at a time, in the order in which they were made."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._text: list[str] = []
        self._blocks: list[Block] = []
        self._fragments: list[Fragment] = []

    def add(self, piece: dict[str, Any]) -> None:
        """Take one piece of `encode`."""
        if "head" in piece:
            self._head = piece["head"]
        elif "text" in piece:
            self._text.append(piece["text"])
        elif "blocks" in piece:
            self._blocks += [
                Block(BlockKind(kind), start, end, SectionKind(section), tuple(headings), abstract)
                for kind, start, end, section, headings, abstract in piece["blocks"]
            ]
        else:
            self._fragments += [Fragment(*row) for row in piece["fragments"]]

    def document(self) -> Document:
        """The document, once every piece has been added."""
        head = self._head
        return Document(
            format=Format(head["format"]),
            text="".join(self._text),
            blocks=tuple(self._blocks),
            title=head["title"],
            fragments=tuple(self._fragments),
            page_count=head["page_count"],
            scope=TextScope(head["scope"]),
            notices=tuple(Notice(NoticeKind(kind), text) for kind, text in head["notices"]),
            warnings=tuple(head["warnings"]),
        )
