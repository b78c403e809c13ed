"""Put blocks together into a document, as every reader but the PDF one does."""

import re
from collections.abc import Iterable

from core.documents.errors import EmptyFile, FileTooLarge
from core.documents.limits import Limits
from core.documents.model import (
    NOTICE_CHARACTERS,
    Block,
    BlockKind,
    Document,
    Format,
    Notice,
    NoticeKind,
    SectionKind,
    TextScope,
    short_name,
)
from core.documents.notices import from_banner
from core.documents.sections import Outline, labelled_parts

BETWEEN_BLOCKS = "\n\n"

_NAMES = (BlockKind.TITLE, BlockKind.HEADING, BlockKind.FRONT_MATTER)
_OPENING = 8
"""Blocks at the beginning among which a banner ("RETRACTED") is looked for."""

_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_SUPERSCRIPTS = str.maketrans("0123456789+-\u2212\u2013=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_SUBSCRIPTS = str.maketrans("0123456789+-\u2212\u2013=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
_RAISABLE = re.compile(r"[+\-\u2212\u2013=()]*\d+[\d+\-\u2212\u2013=()]*|[+\-\u2212\u2013]+")


def collapse(text: str) -> str:
    """`text` with each run of white space made one space, and none around."""
    return _SPACE.sub(" ", text).strip(" ")


def raised(text: str) -> str:
    """`text` as Unicode superscripts where it is a number or sign; else unchanged ("5th")."""
    bare = collapse(text)
    return bare.translate(_SUPERSCRIPTS) if _RAISABLE.fullmatch(bare) else text


def lowered(text: str) -> str:
    """`text` as Unicode subscripts where it is a number or sign; else unchanged."""
    bare = collapse(text)
    return bare.translate(_SUBSCRIPTS) if _RAISABLE.fullmatch(bare) else text


class Builder:
    """Collects the blocks of one document.

    `outline` is the path of headings that new blocks stand under; readers move it.
    """

    def __init__(self, limits: Limits) -> None:
        self.outline = Outline()
        self._limits = limits
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._warnings: dict[str, None] = {}

    def warn(self, sentence: str) -> None:
        """Tell the person something about the reading, once."""
        self._warnings[sentence] = None

    @property
    def last_kind(self) -> BlockKind | None:
        """The kind of the block added last."""
        return self._blocks[-1].kind if self._blocks else None

    def add(self, kind: BlockKind, text: str) -> None:
        """Add one block. Text without any visible character is left out.

        In a reference list paragraphs and items are references. A paragraph that is cut by labels
        ("Objective: … Results: …") becomes one block for each.
        """
        text = text.strip()
        if not text:
            return
        outline = self.outline
        if outline.section is SectionKind.REFERENCES and kind in (
            BlockKind.PARAGRAPH,
            BlockKind.LIST_ITEM,
        ):
            kind = BlockKind.REFERENCE
        labels_count = outline.in_abstract or outline.section is SectionKind.OTHER
        if kind is BlockKind.PARAGRAPH and labels_count:
            for start, end, section in labelled_parts(text, in_abstract=outline.in_abstract):
                self._append(kind, text[start:end].strip(), section or outline.section)
        else:
            self._append(kind, text, outline.section)

    def heading(self, depth: int, text: str, section: SectionKind | None = None) -> None:
        """Begin a section at `depth` (1 is outermost) and add its heading, if it has one."""
        self.outline.enter(depth, collapse(text), section)
        if text.strip():
            self._append(BlockKind.HEADING, text.strip(), self.outline.section)

    def _append(self, kind: BlockKind, text: str, section: SectionKind) -> None:
        if not text:
            return
        if self._parts:
            self._parts.append(BETWEEN_BLOCKS)
            self._length += len(BETWEEN_BLOCKS)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        check_length(self._length, self._limits)
        headings = self.outline.headings
        if kind is BlockKind.HEADING and headings:
            headings = headings[:-1]
        self._blocks.append(
            Block(kind, start, self._length, section, headings, self.outline.in_abstract)
        )

    def document(
        self,
        format: Format,
        *,
        title: str = "",
        scope: TextScope = TextScope.FULL_TEXT,
        notices: Iterable[Notice] = (),
        warnings: Iterable[str] = (),
    ) -> Document:
        """The finished document. Raises `EmptyFile` when no block was added."""
        if not self._blocks:
            raise EmptyFile(
                "The file holds no text. Nothing was added. "
                "Check that it is the right file and that its text is not hidden or a picture."
            )
        text = "".join(self._parts)
        return Document(
            format=format,
            text=text,
            blocks=tuple(self._blocks),
            title=short_name(collapse(title), NOTICE_CHARACTERS),
            scope=scope,
            notices=self._with_banners(text, tuple(dict.fromkeys(notices))),
            warnings=(*dict.fromkeys((*warnings, *self._warnings)),),
        )

    def _with_banners(self, text: str, notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
        """The notices, with those that stand above the text or in its running heads."""
        kinds = {notice.kind for notice in notices}
        if kinds & {NoticeKind.RETRACTED, NoticeKind.RETRACTION_NOTICE}:
            return notices
        heads = [b for b in self._blocks[_OPENING:] if b.kind is BlockKind.RUNNING_HEAD]
        found = dict.fromkeys(
            notice
            for block in (*self._blocks[:_OPENING], *heads)
            for notice in from_banner(text[block.start : block.end])
            if notice.kind not in kinds and block.kind not in _NAMES
        )
        return (*notices, *found)


def check_length(characters: int, limits: Limits) -> None:
    """Raise `FileTooLarge` when a text of `characters` is over the limit."""
    if characters > limits.max_characters:
        raise FileTooLarge(
            f"The file holds more than {limits.max_characters:,} characters of text, which is more "
            "than Countersign reads. Nothing was added. Split the file and add its parts."
        )
