"""Read Word documents (DOCX): the text as it stands once every tracked change is accepted."""

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents import xml
from core.documents.archive import Archive
from core.documents.build import Builder, collapse, lowered, raised
from core.documents.docx_styles import (
    PLAIN,
    WHITE,
    Colour,
    Look,
    Styles,
    alike,
    attribute,
    child,
    paragraph_look,
    run_look,
    shading,
)
from core.documents.errors import DamagedFile
from core.documents.limits import Limits
from core.documents.model import BlockKind, Document, Format, SectionKind
from core.documents.notices import from_title
from core.documents.xml import local

if TYPE_CHECKING:
    from core.documents.xml import Element

CHANGES = (
    "The document holds tracked changes. It was read as if they were all accepted: "
    "what is marked as deleted was left out."
)
HIDDEN = "Text that is hidden in the document was left out."
UNSURE = (
    "Some paragraphs do not count as evidence, because a part of their text is hidden in one view "
    "of the document and may be seen in another, or is shown in reverse order."
)
STRUCK = "Text that is struck through was left out."
COMMENTS = "Comments in the margin were read as notes on the text; they are no evidence."

_LEFT_OUT = frozenset({"del", "movefrom", "delText", "deltext", "instrtext", "delinstrtext"})
_THROUGH = frozenset(
    {"ins", "moveto", "smarttag", "customxml", "sdt", "sdtcontent", "hyperlink", "fldsimple"}
    | {"dir", "bdo", "ruby", "rubybase"}
)
_FORMULAS = frozenset({"omath", "omathpara"})
_CAPTION_STYLES = frozenset({"caption", "figure caption", "table caption", "beschriftung"})
_QUOTE_STYLES = frozenset({"quote", "intense quote", "block text", "quotation", "citation"})
_CODE_STYLES = frozenset({"html preformatted", "code", "source code", "macro text"})
_LIST_STYLES = re.compile(r"list (?:paragraph|bullet|number|continue)( \d)?|list \d")
_TITLE_STYLES = frozenset({"title"})
_TOC_STYLES = re.compile(r"toc \d|toc heading|table of (?:figures|contents|authorities)")
_NOTE_STYLES = frozenset({"footnote text", "endnote text"})
_REFERENCE_STYLES = frozenset({"bibliography", "references", "endnote bibliography"})
_BARE_TABLES = frozenset({"TableGrid", "TableNormal", "NormalTable"})
_UNKNOWN: Colour = (-999, -999, -999)
_TICKS = {
    "F06F": "☐",
    "F071": "☐",
    "F0A8": "☐",
    "F0FB": "✗",
    "F0FC": "✓",
    "F0FD": "☒",
    "F0FE": "☑",
}
"""Characters of Wingdings that forms are ticked with."""
_SYMBOLS = {"F0B7": "•", "F0D7": "×", "F0B0": "°", "F0B1": "±", "F0B3": "≥", "F0A3": "≤"} | _TICKS


def read_docx(path: Path, limits: Limits) -> Document:
    """The Word document at `path`.

    Raises `DamagedFile`, `EmptyFile`, `FileTooLarge` and `PasswordNeeded`.
    """
    with Archive(path, limits) as archive:
        return _Reader(archive, limits).read()


class _Reader:
    def __init__(self, archive: Archive, limits: Limits) -> None:
        self.archive = archive
        self.builder = Builder(limits)
        self.main = self._main_part()
        self.links = self._relations(self.main)
        self.styles = Styles(self._part("styles"))
        self.title = ""
        self._notes: list[tuple[str, str]] = []
        self._boxes: list[Element] = []
        self._remarks: list[str] = []
        self._comments: dict[str | None, Element] = {}
        self._field: list[bool] = []
        self._unsure = False
        self._unsure_items = False

    def read(self) -> Document:
        body = child(xml.parse(self.archive.read(self.main)), "body")
        if body is None:
            raise DamagedFile(xml.DAMAGED)
        comments = self._part("comments")
        for comment in comments if comments is not None else ():
            self._comments[attribute(comment, "id")] = comment
        self._blocks(body)
        self.builder.outline.leave(1)
        self._add_notes()
        for kind in ("header", "footer"):
            for part in self.links.get(kind, ()):
                self._running(part)
        title = self.title
        return self.builder.document(Format.DOCX, title=title, notices=from_title(title))

    def _main_part(self) -> str:
        if "_rels/.rels" in self.archive.names:
            for target in self._relations("").get("officeDocument", ()):
                if target in self.archive.names:
                    return target
        if "word/document.xml" in self.archive.names:
            return "word/document.xml"
        raise DamagedFile(xml.DAMAGED)

    def _relations(self, part: str) -> dict[str, list[str]]:
        """Parts that `part` names, by the last word of their relation's type."""
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        found: dict[str, list[str]] = {}
        if rels not in self.archive.names:
            return found
        for link in xml.parse(self.archive.read(rels)):
            target = link.get("Target") or ""
            if link.get("TargetMode") == "External" or not target:
                continue
            kind = (link.get("Type") or "").rpartition("/")[2]
            place = target[1:] if target.startswith("/") else posixpath.join(folder, target)
            found.setdefault(kind, []).append(posixpath.normpath(place))
        return found

    def _part(self, kind: str) -> "Element | None":
        for name in self.links.get(kind, ()):
            if name in self.archive.names:
                return xml.parse(self.archive.read(name))
        return None

    def _blocks(self, node: "Element") -> None:
        for part in node:
            name = local(part)
            if name == "p":
                self._paragraph(part)
            elif name == "tbl":
                self._table(part)
            elif name in ("del", "movefrom"):
                self.builder.warn(CHANGES)
            elif name in _THROUGH:
                self._blocks(part)
            elif name == "alternatecontent":
                self._blocks(_choice(part))

    def _paragraph(self, node: "Element") -> None:
        properties = child(node, "pPr")
        named = child(properties, "pStyle")
        style = self.styles.look(attribute(named, "val") if named is not None else None)
        look = paragraph_look(properties).over(style)
        self._field.clear()
        self._unsure = False
        text = collapse_lines(self._text(node, style))
        if text:
            if self._unsure:
                self.builder.warn(UNSURE)
            self._add(text, look)
        elif self._unsure:
            self._unsure_items = True
        remarks, self._remarks = self._remarks, []
        for id_ in remarks:
            self._note(BlockKind.FOOTNOTE, self._comments.get(id_), COMMENTS)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._blocks(box)

    def _add(self, text: str, look: Look) -> None:
        name = look.name
        listed = look.listed or (look.listed is None and _LIST_STYLES.fullmatch(name))
        # A list whose introduction is not known asserts nothing either.
        unsure = self._unsure or bool(listed and self._unsure_items)
        self._unsure_items = unsure
        if name in _TITLE_STYLES and not self.title:
            self.title = collapse(text)
            self.builder.add(BlockKind.TITLE, text)
        elif _TOC_STYLES.fullmatch(name):
            self.builder.add(BlockKind.FRONT_MATTER, text)
        elif look.depth is not None and len(text) <= 400:
            self.builder.heading(look.depth, text)
        elif name in _CAPTION_STYLES:
            self.builder.add(BlockKind.CAPTION, text)
        elif name in _QUOTE_STYLES:
            self.builder.add(BlockKind.QUOTATION, text)
        elif name in _CODE_STYLES:
            self.builder.add(BlockKind.CODE, text)
        elif name in _NOTE_STYLES:
            self.builder.add(BlockKind.FOOTNOTE, text)
        elif name in _REFERENCE_STYLES:
            self.builder.add(BlockKind.REFERENCE, text)
        elif unsure:
            self.builder.add(BlockKind.QUOTATION, text)
        elif listed:
            self.builder.add(BlockKind.LIST_ITEM, text)
        else:
            self.builder.add(BlockKind.PARAGRAPH, text)

    def _table(self, node: "Element") -> None:
        rows: list[str] = []
        for row in _rows(node):
            cells = []
            for cell in row.iter():
                if local(cell) == "tc" and _owner(cell, "tbl") is node:
                    cells.append(self._cell(cell))
            if any(cells):
                rows.append(" | ".join(cells).strip(" |"))
        self.builder.add(BlockKind.TABLE, "\n".join(rows))

    def _cell(self, cell: "Element") -> str:
        lines = []
        for part in cell.iter():
            if local(part) != "p" or _owner(part, "txbxcontent") is not None:
                continue
            if any(_owner(part, name) is not None for name in ("del", "movefrom")):
                continue
            named = child(child(part, "pPr"), "pStyle")
            style = self.styles.look(attribute(named, "val") if named is not None else None)
            lines.append(collapse(self._text(part, style)))
        return " ".join(line for line in lines if line)

    def _text(self, node: "Element", style: Look) -> str:
        """The text of the runs in `node`, whose paragraph has `style`."""
        parts: list[str] = []
        for part in node:
            name = local(part)
            if name == "r":
                parts.append(self._run(part, style))
            elif name in _FORMULAS:
                texts = (t for t in part.iter() if local(t) == "t")
                parts.append(" " + "".join(t.text or "" for t in texts) + " ")
            elif name in _LEFT_OUT:
                self.builder.warn(CHANGES)
            elif name in ("bdo", "dir") and attribute(part, "val") == "rtl":
                self._doubt(self._text(part, style))
            elif name in _THROUGH:
                if name in ("ins", "moveto"):
                    self.builder.warn(CHANGES)
                parts.append(self._text(part, style))
            elif name == "alternatecontent":
                parts.append(self._text(_choice(part), style))
        return "".join(parts)

    def _run(self, run: "Element", style: Look) -> str:
        properties = child(run, "rPr")
        named = child(properties, "rStyle")
        base = self.styles.look(attribute(named, "val")) if named is not None else PLAIN
        look = run_look(properties).over(base).over(style)
        text = self._run_text(run)
        if any(self._field) or not text:
            return ""
        pale = look.ink is not None and alike(look.ink, _ground(run, look))
        if look.hidden or pale or look.struck:
            if text.strip():
                self.builder.warn(HIDDEN if look.hidden or pale else STRUCK)
            if pale or look.unsure:
                self._doubt(text)
            return ""
        if look.raised == "superscript":
            return raised(text)
        return lowered(text) if look.raised == "subscript" else text

    def _doubt(self, text: str) -> None:
        """Leave `text` out, and let the paragraph that it stood in count for nothing."""
        if any(sign.isalnum() for sign in text):
            self._unsure = True

    def _run_text(self, node: "Element") -> str:
        parts: list[str] = []
        for part in node:
            name = local(part)
            if name == "t":
                parts.append(part.text or "")
            elif name == "tab":
                parts.append("\t")
            elif name in ("br", "cr"):
                parts.append("\n")
            elif name == "nobreakhyphen":
                parts.append("\u2011")
            elif name == "sym":
                parts.append(_symbol(part))
            elif name == "fldchar":
                self._field_mark(attribute(part, "fldCharType") or "")
                self._tick(part)
            elif name in ("footnotereference", "endnotereference"):
                self._notes.append((name.removesuffix("reference"), attribute(part, "id") or ""))
            elif name == "commentreference":
                self._remarks.append(attribute(part, "id") or "")
            elif name == "alternatecontent":
                parts.append(self._run_text(_choice(part)))
            elif name in ("drawing", "pict", "object"):
                self._boxes += [box for box in part.iter() if local(box) == "txbxcontent"]
        return "".join(parts)

    def _field_mark(self, kind: str) -> None:
        """Follow a field: its code is no text, its result is."""
        if kind == "begin":
            self._field.append(True)
        elif kind == "separate" and self._field:
            self._field[-1] = False
        elif kind == "end" and self._field:
            self._field.pop()

    def _tick(self, mark: "Element") -> None:
        """Leave a box that can be ticked to the reader's eye: its line asserts nothing."""
        if any(local(part) == "checkbox" for part in mark.iter()):
            self.builder.warn(UNSURE)
            self._unsure = True

    def _note(self, kind: BlockKind, note: "Element | None", warning: str = "") -> None:
        if note is None:
            return
        if warning:
            self.builder.warn(warning)
        lines = (self._text(p, PLAIN) for p in note.iter() if local(p) == "p")
        self.builder.add(kind, collapse(" ".join(lines)))

    def _add_notes(self) -> None:
        """The footnotes and endnotes, in the order in which the text refers to them."""
        self.builder.outline.enter(1, "", SectionKind.OTHER)
        for kind in ("footnote", "endnote"):
            root = self._part(f"{kind}s")
            known = {attribute(note, "id"): note for note in root} if root is not None else {}
            for id_ in dict.fromkeys(id_ for of, id_ in self._notes if of == kind):
                self._note(BlockKind.FOOTNOTE, known.get(id_))

    def _running(self, part: str) -> None:
        if part not in self.archive.names:
            return
        root = xml.parse(self.archive.read(part))
        self._note(BlockKind.RUNNING_HEAD, root)
        for mark in root.iter():
            if local(mark) == "textpath":
                self.builder.add(BlockKind.RUNNING_HEAD, collapse(mark.get("string") or ""))


def collapse_lines(text: str) -> str:
    """White space made single spaces within each line; empty lines left out."""
    lines = (collapse(line) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _ground(run: "Element", look: Look) -> Colour:
    """The colour that the letters of `run` stand on, as far as the document says it.

    A table's style or a shape may fill it with any colour; there, letters count as seen.
    """
    if look.ground is not None:
        return look.ground
    above = run.getparent()
    while above is not None:
        name = local(above)
        filled = shading(child(above, "pPr" if name == "p" else "tcPr"))
        if filled is not None:
            return filled
        style = child(child(above, "tblPr"), "tblStyle") if name == "tbl" else None
        styled = style is not None and attribute(style, "val") not in _BARE_TABLES
        if styled or name == "txbxcontent":
            return _UNKNOWN
        above = above.getparent()
    return WHITE


def _choice(alternate: "Element") -> "Element":
    """The first choice of an `mc:AlternateContent`; its fallback says the same again."""
    found = child(alternate, "Choice")
    return found if found is not None else alternate


def _rows(table: "Element") -> list["Element"]:
    return [
        row
        for row in table.iter()
        if local(row) == "tr" and _owner(row, "tbl") is table and not _is_deleted_row(row)
    ]


def _is_deleted_row(row: "Element") -> bool:
    return child(child(row, "trPr"), "del") is not None


def _owner(node: "Element", name: str) -> "Element | None":
    """The nearest element around `node` called `name`."""
    above = node.getparent()
    while above is not None and local(above) != name:
        above = above.getparent()
    return above


def _symbol(node: "Element") -> str:
    code = (attribute(node, "char") or "").upper()
    if code in _SYMBOLS:
        return _SYMBOLS[code]
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    return chr(point) if 0x20 <= point < 0xD800 else ""
