"""Cut plain text into blocks without changing any of its characters.

Blank lines separate blocks. Headings, list items, captions, tables, quotations and reference lists
are told only where their form is plain; where it is not, a block is a paragraph.
"""

import re
from dataclasses import dataclass

from core.documents.build import check_length
from core.documents.encoding import decode
from core.documents.errors import EmptyFile
from core.documents.limits import Limits
from core.documents.model import Block, BlockKind, Document, Format, SectionKind
from core.documents.notices import from_title
from core.documents.sections import Outline, classify_heading, labelled_parts

LONGEST_HEADING = 100
"""Characters; a longer line is a paragraph even when it stands alone."""

_LINE = re.compile(r"[^\r\n\f\v\x85\u2028\u2029]+")
_BREAK = re.compile(r"\r\n|[\r\n\v\x85\u2028]|[\f\u2029]")
_BULLET = re.compile(r"[ \t]*(?:[-*+•◦▪‣·–—])[ \t]+(?=\S)")
_NUMBER = re.compile(
    r"[ \t]*(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivxlc]{1,6})[.)]|\[\d{1,4}\])[ \t]+(?=\S)", re.I
)
_MARKED_HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t]*#*$")
_NUMBERED_HEADING = re.compile(r"(?:section[ \t]+)?(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?[ \t]+\S", re.I)
_UNDERLINE = re.compile(r"[ \t]*(?:={3,}|-{3,}|~{3,})[ \t]*")
_CAPTION = re.compile(
    r"(?:supplementary[ \t]+)?(?:table|figure|fig\.?|box|scheme|plate|chart|exhibit)[ \t]+"
    r"[SA]?\d{1,3}[A-Za-z]?[.:|][ \t]",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r"\S[ \t]*(?:\t|[ ]{3,}|\|)[ \t]*\S")
_MAIL_FIELD = re.compile(r"(?:from|to|cc|bcc|date|sent|subject|reply-to|attachments?):", re.I)
_MAIL_BELOW = re.compile(
    r"[-_ ]*(?:original message|forwarded message|begin forwarded message)[-_: ]*$"
    r"|on .{4,120} wrote:$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?:;,\u2026\u3002\uff01\uff1f][\"'\u2019\u201d)\]]*[ \t]*$")
_TERMINAL = re.compile(r"[.!?:;,\u2026\u3002\uff01\uff1f][\"'\u2019\u201d)\]]*$")
_MOST_HEADING_WORDS = 12


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def read_text(text: str, limits: Limits | None = None) -> Document:
    """The pasted text as a document whose `text` is `text`, character for character.

    Raises `EmptyFile` when it holds nothing but white space, and `FileTooLarge`.
    """
    check_length(len(text), limits or Limits())
    if not text.strip():
        raise EmptyFile("There is no text: it is empty or holds only white space.")
    cutter = _Cutter(text)
    cutter.run()
    return Document(
        format=Format.TEXT,
        text=text,
        blocks=tuple(cutter.blocks),
        title=cutter.title,
        notices=from_title(cutter.title),
    )


def read_plain(data: bytes, limits: Limits) -> Document:
    """The plain text file in `data`, its line ends made one kind.

    Raises `EmptyFile` and `FileTooLarge`.
    """
    from dataclasses import replace

    text, warning = decode(data)
    document = read_text(text.replace("\r\n", "\n").replace("\r", "\n"), limits)
    return replace(document, warnings=(warning,)) if warning else document


class _Cutter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.title = ""
        self._outline = Outline()
        self._mails = 0
        self._below = False

    def run(self) -> None:
        """Cut the whole text."""
        chunks = _chunks(self.text)
        for at, chunk in enumerate(chunks):
            following = chunks[at + 1] if at + 1 < len(chunks) else []
            self._chunk(chunk, following, first=at == 0)

    def _chunk(self, lines: list[_Line], following: list[_Line], *, first: bool) -> None:
        if self._is_mail(lines):
            return
        lines = self._leading_headings(lines, following, first=first)
        if not lines:
            return
        if self._below or all(line.text.lstrip().startswith(">") for line in lines):
            self._add(BlockKind.QUOTATION, lines)
        elif _CAPTION.match(lines[0].text.lstrip()):
            self._add(BlockKind.CAPTION, lines)
        elif len(lines) > 1 and all(_COLUMNS.search(line.text.strip()) for line in lines):
            self._add(BlockKind.TABLE, lines)
        else:
            self._items(lines)

    def _is_mail(self, lines: list[_Line]) -> bool:
        """Take the head of a message. What stands below a second one was written before."""
        if any(_MAIL_BELOW.match(line.text.strip()) for line in lines):
            self._below = True
        fields = [line for line in lines if _MAIL_FIELD.match(line.text.strip())]
        if len(fields) < 2 or fields[0] is not lines[0] or len(fields) < len(lines) / 2:
            return False
        self._mails += 1
        self._below = self._below or self._mails > 1
        self._add(BlockKind.FRONT_MATTER, lines)
        return True

    def _leading_headings(
        self, lines: list[_Line], following: list[_Line], *, first: bool
    ) -> list[_Line]:
        """Take headings off the front of a chunk; the lines that are left."""
        while lines:
            line, rest = lines[0], lines[1:]
            plain = line.text.strip()
            marked = _MARKED_HEADING.fullmatch(plain)
            underlined = bool(rest) and _UNDERLINE.fullmatch(rest[0].text) is not None
            if marked:
                self._heading(line, marked[2], len(marked[1]))
            elif underlined and len(plain) <= LONGEST_HEADING and not _TERMINAL.search(plain):
                self._heading(line, plain, 1 if "=" in rest[0].text else 2)
                rest = rest[1:]
            elif rest and _is_known_heading(plain) and _starts_sentence(rest[0].text):
                self._heading(line, plain, _depth(plain))
            elif not rest and following and _stands_as_heading(plain, following):
                if first and not self.blocks and classify_heading(plain) is None:
                    self.title = plain
                    self._append(BlockKind.TITLE, line.start, line.end)
                else:
                    self._heading(line, plain, _depth(plain))
            else:
                return lines
            lines = rest
        return lines

    def _heading(self, line: _Line, heading: str, depth: int) -> None:
        above = self._outline
        above.enter(depth, heading)
        self._append(BlockKind.HEADING, line.start, line.end)

    def _items(self, lines: list[_Line]) -> None:
        """Cut a chunk into its paragraph and the list items that follow it."""
        bullets = sum(_BULLET.match(line.text) is not None for line in lines)
        begin = 0
        in_list = False
        for at, line in enumerate(lines):
            bullet, number = _BULLET.match(line.text), _NUMBER.match(line.text)
            if not bullet and not number:
                continue
            ended = at == 0 or _ENDED.search(lines[at - 1].text) is not None
            if not (ended or in_list or (bullet and bullets > 1)):
                continue
            if at > begin:
                self._add(BlockKind.LIST_ITEM if in_list else BlockKind.PARAGRAPH, lines[begin:at])
            begin, in_list = at, True
        self._add(BlockKind.LIST_ITEM if in_list else BlockKind.PARAGRAPH, lines[begin:])

    def _add(self, kind: BlockKind, lines: list[_Line]) -> None:
        start, end = lines[0].start, lines[-1].end
        outline = self._outline
        if outline.section is SectionKind.REFERENCES and kind in (
            BlockKind.PARAGRAPH,
            BlockKind.LIST_ITEM,
        ):
            kind = BlockKind.REFERENCE
        if kind is BlockKind.PARAGRAPH and (
            outline.in_abstract or outline.section is SectionKind.OTHER
        ):
            parts = labelled_parts(self.text[start:end], in_abstract=outline.in_abstract)
            for low, high, section in parts:
                self._append(kind, start + low, start + high, section)
        else:
            self._append(kind, start, end)

    def _append(
        self, kind: BlockKind, start: int, end: int, section: SectionKind | None = None
    ) -> None:
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if start == end:
            return
        outline = self._outline
        headings = outline.headings
        if kind is BlockKind.HEADING:
            headings = headings[:-1]
        self.blocks.append(
            Block(kind, start, end, section or outline.section, headings, outline.in_abstract)
        )


def _chunks(text: str) -> list[list[_Line]]:
    """The lines that are not blank, in groups parted by blank lines or page breaks."""
    chunks: list[list[_Line]] = []
    current: list[_Line] = []
    at = 0
    for gap in [*_BREAK.finditer(text), None]:
        end = gap.start() if gap else len(text)
        line = text[at:end]
        if line.strip():
            current.append(_Line(at, end, line))
        elif current:
            chunks.append(current)
            current = []
        if gap:
            at = gap.end()
            if gap[0] in "\f\u2029" and current:
                chunks.append(current)
                current = []
    if current:
        chunks.append(current)
    return chunks


def _is_known_heading(line: str) -> bool:
    """Whether a line is one of the headings that papers, audits and policies share."""
    if len(line) > 60 or _TERMINAL.search(line.rstrip(":")):
        return False
    return not _starts_lower(line) and classify_heading(line) is not None


def _stands_as_heading(line: str, following: list[_Line]) -> bool:
    """Whether a line that stands alone is the heading of what follows it."""
    if len(line) > LONGEST_HEADING or _starts_lower(line):
        return False
    if _is_known_heading(line) or _MAIL_FIELD.match(following[0].text.strip()):
        return True
    if _TERMINAL.search(line) or _BULLET.match(line) or _COLUMNS.search(line):
        return False
    if len(line.split()) > _MOST_HEADING_WORDS:
        return False
    if _NUMBERED_HEADING.match(line):
        return not _NUMBER.match(following[0].text) or "." in line.split()[0].rstrip(".)")
    if _NUMBER.match(line):
        return False
    body = following[0].text.strip()
    return bool(_ENDED.search(following[-1].text)) and len(body) > len(line)


def _starts_lower(line: str) -> bool:
    return line[:1].islower()


def _starts_sentence(line: str) -> bool:
    first = line.lstrip(" \t\"'\u2018\u201c([")[:1]
    return bool(first) and not first.islower()


def _depth(heading: str) -> int:
    """How deep a heading stands: by its number, else known headings above unknown ones."""
    numbered = _NUMBERED_HEADING.match(heading)
    if numbered:
        return numbered[1].count(".") + 1
    return 1 if classify_heading(heading) is not None else 2
