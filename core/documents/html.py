"""Read web pages: what a person sees of the main content, in order."""

import re
from typing import TYPE_CHECKING, Any

from core.documents import html_colours as colours
from core.documents import html_hidden as hidden
from core.documents import html_styles as css
from core.documents.build import Builder, collapse, lowered, raised
from core.documents.encoding import decode
from core.documents.errors import DamagedFile
from core.documents.formula import formula_text
from core.documents.limits import Limits
from core.documents.model import ASSERTING, BlockKind, Document, Format
from core.documents.notices import from_title
from core.documents.sections import classify_heading

if TYPE_CHECKING:
    from core.documents.xml import Element

HIDDEN = (
    "Text that the page hides from its reader was left out. "
    "A paragraph that it stood in does not count as evidence."
)
STRUCK = (
    "Text that is struck through was left out. "
    "A paragraph that it stood in does not count as evidence."
)
TURNED = (
    "Text that the page shows in reverse order was left out. "
    "A paragraph that it stood in does not count as evidence."
)
UNSURE = (
    "Some paragraphs do not count as evidence, because the page's styles may add words to them or "
    "hide a part, or because a picture or field stands among their words."
)
MARGINS = "Menus, side columns and what stands around the main text were left out."

_DEEPEST = 1500
_SILENT = frozenset(
    {
        "script", "style", "template", "noscript", "select", "textarea", "iframe", "object", "svg",
        "canvas", "audio", "video", "button", "input", "head", "map", "embed", "datalist", "meter",
        "progress", "rt", "rp", "img", "link", "meta", "title", "frameset", "noframes", "dialog",
    }
)  # fmt: skip
_SHOWN_UNREAD = frozenset(
    {
        "button", "canvas", "embed", "iframe", "img", "input", "meter", "noscript", "object",
        "progress", "select", "svg", "textarea", "video",
    }
)  # fmt: skip
_AROUND = frozenset({"nav", "aside"})
_AROUND_ROLES = frozenset({"navigation", "complementary", "search", "menu", "menubar", "tooltip"})
_HEADINGS = {f"h{depth}": depth for depth in range(1, 7)}
_BLOCKS = frozenset(
    {
        "address", "article", "blockquote", "body", "caption", "center", "dd", "details", "dir",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr",
        "html", "legend", "li", "main", "menu", "ol", "p", "pre", "section", "summary", "table",
        "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "listing", "xmp", "plaintext",
    }
)  # fmt: skip
_KINDS: dict[str, BlockKind] = {
    "li": BlockKind.LIST_ITEM,
    "dd": BlockKind.LIST_ITEM,
    "dt": BlockKind.LIST_ITEM,
    "blockquote": BlockKind.QUOTATION,
    "figcaption": BlockKind.CAPTION,
    "caption": BlockKind.CAPTION,
    "pre": BlockKind.CODE,
    "listing": BlockKind.CODE,
    "xmp": BlockKind.CODE,
    "plaintext": BlockKind.CODE,
    "legend": BlockKind.CAPTION,
}
_RANK = (
    BlockKind.RUNNING_HEAD,
    BlockKind.CODE,
    BlockKind.CAPTION,
    BlockKind.QUOTATION,
    BlockKind.FOOTNOTE,
    BlockKind.LIST_ITEM,
)
_NOTE_ROLES = frozenset({"doc-endnotes", "doc-footnote", "doc-endnote", "note"})
_NOTE_CLASSES = frozenset({"footnotes", "footnote", "endnotes", "endnote"})
_MARKER = re.compile(r"[(\[]?(?:\d{1,3}[a-z]?|[a-z]{1,2}|[ivxlc]{1,6})[.)\]]+|[-•–—◦▪]", re.I)
_MARKS = re.compile(r"[\d\s,;*\u2020\u2021\u00a7\u2010-\u2015-]+|[a-z]")
_WORD = re.compile(r"\w")
_TAKES_BACK = re.compile(
    r"\b(?:false|wrong|incorrect|untrue|myth|fake|void|draft|cancelled|crossed|rejected|obsolete|"
    r"superseded|not approved)\b|^\W*(?:x|no|cross)\W*$",
    re.IGNORECASE,
)
"""Alternative texts of pictures that take back what stands beside them."""
_FOR_OTHERS = re.compile(r"print|speech|width|height|prefers")
_WORDS = re.compile(r"\w+\W+\w+")
_BREAK = "\x1e"
_GAP = "\x1f"
"""Stands where words were left out: what is left of the paragraph may say something else."""

_HOLE = "\x1d"
"""Stands where something is shown that holds no readable text: a doubt between two words."""

_MARKED = re.compile(f"[{_GAP}{_HOLE}]")
_BREAKS = re.compile(rf"[ \t\r\n]*{_BREAK}[ \t\r\n]*(?:{_BREAK}[ \t\r\n]*)+")


def read_html(data: bytes, limits: Limits) -> Document:
    """The web page in `data`.

    Raises `EmptyFile`, `DamagedFile` and `FileTooLarge`.
    """
    markup, warning = decode(data, declared=True)
    builder = Builder(limits)
    title = add_html(builder, markup, main_only=True)
    return builder.document(
        Format.HTML,
        title=title,
        notices=from_title(title),
        warnings=(warning,) if warning else (),
    )


def add_html(builder: Builder, markup: str, *, main_only: bool = False) -> str:
    """Add what a reader sees of `markup`, and return its title ("" if it has none).

    `main_only` leaves out what stands around the main content. Raises `DamagedFile`.
    """
    from lxml import etree
    from lxml import html as lxml_html

    # Characters that XML cannot hold would end the parse; browsers show nothing for them.
    clean = re.sub(rf"[{_BREAK}{_GAP}{_HOLE}]", " ", markup.replace("\x00", ""))
    if not clean.strip():
        return ""
    parser = lxml_html.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True)
    try:
        root = lxml_html.document_fromstring(clean.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        return ""  # nothing but comments
    walker = _Walker(builder, root)
    walker.walk(_main_content(root, builder) if main_only else root)
    page_title = root.find(".//head/title")
    named = collapse(page_title.text or "") if page_title is not None else ""
    return walker.title or named


def _main_content(root: "Element", builder: Builder) -> "Element":
    body = root.find("body")
    top = body if body is not None else root
    for path in ("//main | //*[@role='main']", "//article"):
        found: Any = root.xpath(path)
        if len(found) == 1 and len(_plain(found[0])) * 3 >= len(_plain(top)):
            if len(_plain(found[0])) < len(_plain(top)):
                builder.warn(MARGINS)
            return found[0]  # type: ignore[no-any-return]
    return top


def _plain(node: "Element") -> str:
    found: Any = node.xpath(
        ".//text()[not(ancestor::script or ancestor::style or ancestor::nav or ancestor::template)]"
    )
    return collapse(" ".join(found))


class _Table:
    """A data table that is being read, row by row."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.headed = False

    def add(self, walker: "_Walker") -> None:
        plain = [[_tidy(cell, BlockKind.TABLE) for cell in row] for row in self.rows]
        rows = [row for row in plain if any(row)]
        listed = not self.headed and all(
            len(row) == 2 and row[1] and _MARKER.fullmatch(row[0]) for row in rows
        )
        if listed:
            for marked in self.rows:
                walker.emit(BlockKind.LIST_ITEM, " ".join(marked))
        else:
            lines = (" | ".join(row).strip(" |").replace("\n", " ") for row in rows)
            walker.emit(BlockKind.TABLE, "\n".join(lines))


class _Walker:
    def __init__(self, builder: Builder, root: "Element") -> None:
        self.builder = builder
        self.sheet = css.StyleSheet(
            "".join(map(str, node.itertext()))
            for node in root.iter("style")
            if not _FOR_OTHERS.search((node.get("media") or "").lower())
        )
        self.title = ""
        self._only_title = len(list(root.iter("h1"))) == 1
        self._buffers: list[list[str]] = [[]]
        self._kinds: list[BlockKind] = []
        self._added_kinds: list[int] = []
        self._tables: list[_Table | None] = []
        self._inks = [colours.Ink()]
        self._path: list[css.Element] = []
        self._marker = ""
        self._doubt_next = False
        self._doubt_items = False
        self._told = False

    def walk(self, top: "Element") -> None:
        """Add the blocks below `top`."""
        from lxml import etree

        depth = 0
        left_out: Element | None = None
        events = etree.iterwalk(top, events=("start", "end", "comment"))
        for event, node in events:
            if event == "comment":
                self._note_hidden(node.text or "")
                self._read(node.tail)
                continue
            tag = node.tag if isinstance(node.tag, str) else ""
            if event == "start":
                depth += 1
                if depth > _DEEPEST:
                    raise DamagedFile(
                        "The page's elements are nested too deeply to be read. Nothing was added. "
                        "Save the page as PDF or text, and add that."
                    )
                if self._start(node, tag):
                    self._read(node.text)
                else:
                    events.skip_subtree()
                    left_out = node
            else:
                depth -= 1
                if node is not left_out:
                    self._end(node, tag)
                elif tag in _BLOCKS:
                    self._flush()
                if node is not top:
                    self._read(node.tail)
        self._flush()

    def _read(self, text: str | None) -> None:
        """Take text of the page, unless its colour hides it."""
        if text and colours.invisible(self._inks[-1]):
            self._leave_out(text)
            self._doubt_next |= bool(_WORD.search(text))
        else:
            if text and _WORD.search(text) and colours.uncertain(self._inks[-1]):
                self._doubt()
            self._write(text)

    def _write(self, text: str | None) -> None:
        if text:
            self._buffers[-1].append(text)

    def _start(self, node: "Element", tag: str) -> bool:
        """Open an element; False when it is left out."""
        if tag == "math":
            if not colours.invisible(self._inks[-1]):
                self._write(f" {formula_text(node)} ")
            return False
        if tag in _SILENT and not (tag == "dialog" and node.get("open") is not None):
            if tag in _SHOWN_UNREAD and _is_shown(node, tag):
                self._write(_HOLE)
            if tag == "img" and _TAKES_BACK.search(node.get("alt") or ""):
                self._doubt()
                self._doubt_next = True
            elif tag == "select":
                self._doubt()
            elif tag == "input" and (node.get("type") or "").lower() in ("checkbox", "radio"):
                self._write("☐ " if node.get("checked") is None else "☑ ")
            return False
        role = (node.get("role") or "").lower()
        if tag in _AROUND or role in _AROUND_ROLES:
            self._write(_GAP if tag not in _AROUND else None)
            return False
        if tag in ("del", "s", "strike"):
            self._strike(node)
            return False
        classes = [css.name_of(name) for name in (node.get("class") or "").split()]
        element = css.Element(
            tag,
            frozenset(classes),
            css.name_of(node.get("id") or ""),
            {str(name).lower(): str(value).lower() for name, value in node.attrib.items()},
        )
        styles = self.sheet.styles([*self._path, element], node.get("style") or "")
        style = self._attribute_colours(node, styles.get("", {}))
        if self._is_hidden(node, style, classes):
            text = "".join(map(str, node.itertext()))
            self._leave_out(text)
            if _WORD.search(text) and not self._surely_hidden(node, style):
                self._doubt_next = True
            return False
        if hidden.struck(style):
            self._strike(node)
            return False
        if hidden.reordered(tag, (node.get("dir") or "").lower(), style):
            self.builder.warn(TURNED)
            self._told = True
            self._write(_GAP)
            self._doubt_next = True
            return False
        self._inks.append(colours.ink(style, self._inks[-1]))
        self._path.append(element)
        self._open(node, tag, role, classes)
        self._add_doubts(tag, styles)
        return True

    def _add_doubts(self, tag: str, styles: dict[str, css.Style]) -> None:
        """Weigh what the styles draw beside an element, or may hide of it."""
        words = hidden.drawn_words(styles)
        style, maybe = styles.get("", {}), styles.get("?", {})
        unsure = hidden.doubtful(style) or hidden.hides(maybe) or hidden.struck(maybe)
        if not words and not unsure and not hidden.doubtful(maybe):
            return
        if tag in _BLOCKS:
            self._kinds.append(BlockKind.QUOTATION)
            self._added_kinds[-1] += 1
        self._doubt()
        self._write(f"{words} " if words else None)

    def _doubt(self) -> None:
        """Let the paragraph that is being read count for nothing."""
        self.builder.warn(UNSURE)
        self._told = True
        self._write(_GAP)

    def _strike(self, node: "Element") -> None:
        self.builder.warn(STRUCK)
        self._told = True
        if _WORD.search("".join(map(str, node.itertext()))):
            self._write(_GAP)

    def _leave_out(self, text: str) -> None:
        """Leave hidden text out, and mark where it stood."""
        self._note_hidden(text)
        if _WORD.search(text):
            self._write(_GAP)

    def _surely_hidden(self, node: "Element", style: css.Style) -> bool:
        """Whether the page itself says so; the well-known names need a style we may not have."""
        return hidden.hides(style) or (node.get("hidden") is not None and "display" not in style)

    def _attribute_colours(self, node: "Element", style: css.Style) -> css.Style:
        """The style, with the colours that old pages give as attributes."""
        text, ground = node.get("color"), node.get("bgcolor")
        if not text and not ground:
            return style
        given = {"color": text or "", "background-color": ground or ""}
        return {name: value.lower() for name, value in given.items() if value} | style

    def _is_hidden(self, node: "Element", style: css.Style, classes: list[str]) -> bool:
        if node.get("hidden") is not None or node.get("popover") is not None:
            return True
        if (node.get("aria-hidden") or "").lower() == "true":
            return True
        return hidden.hides(style, classes)

    def _note_hidden(self, text: str) -> None:
        """Warn of hidden words; a lone sign or number that is hidden is decoration."""
        if _WORDS.search(text):
            self.builder.warn(HIDDEN)
            self._told = True

    def _open(self, node: "Element", tag: str, role: str, classes: list[str]) -> None:
        if tag == "br":
            self._write(_BREAK)
        elif tag in ("sup", "sub"):
            self._buffers.append([])
        elif tag == "q":
            self._write("\u201c")
        elif tag in ("td", "th") and self._table is not None:
            self._table.headed |= tag == "th"
            self._buffers.append([])
        elif tag in _BLOCKS or tag in _HEADINGS:
            self._flush()
            if tag == "table":
                self._tables.append(None if _is_layout(node, role) else _Table())
            elif tag == "tr" and self._table is not None:
                self._table.rows.append([])
        kind = _KINDS.get(tag)
        if role in _NOTE_ROLES or not _NOTE_CLASSES.isdisjoint(classes):
            kind = BlockKind.FOOTNOTE
        elif tag in ("header", "footer") and _is_of_page(node):
            kind = BlockKind.RUNNING_HEAD
        self._added_kinds.append(kind is not None)
        if kind is not None:
            self._kinds.append(kind)

    def _end(self, node: "Element", tag: str) -> None:
        self._inks.pop()
        self._path.pop()
        if tag in ("sup", "sub"):
            text = "".join(self._buffers.pop())
            self._write(self._raised(node, text) if tag == "sup" else lowered(text))
        elif tag == "q":
            self._write("\u201d")
        elif tag in ("td", "th") and self._table is not None:
            cell = "".join(self._buffers.pop()).replace(_BREAK, " ")
            if not self._table.rows:
                self._table.rows.append([])
            self._table.rows[-1].append(collapse(cell))
        elif tag in _HEADINGS:
            self._heading(_HEADINGS[tag])
        elif tag == "td" and _MARKER.fullmatch(collapse("".join(self._buffers[-1]))):
            self._marker = collapse("".join(self._buffers[-1]))
            self._buffers[-1].clear()
        elif tag in _BLOCKS:
            self._flush()
            if tag == "table" and self._tables:
                table = self._tables.pop()
                if table is not None:
                    table.add(self)
        for _ in range(self._added_kinds.pop()):
            self._kinds.pop()

    @property
    def _table(self) -> _Table | None:
        return self._tables[-1] if self._tables else None

    @property
    def _kind(self) -> BlockKind:
        return min(self._kinds, key=_RANK.index) if self._kinds else BlockKind.PARAGRAPH

    def _raised(self, sup: "Element", text: str) -> str:
        """A raised text; a lone number that links to a note is a mark and no text."""
        linked = next(sup.iter("a"), None) is not None or (
            sup.getparent() is not None
            and (
                sup.getparent().tag == "a"  # type: ignore[union-attr]
            )
        )
        return "" if linked and _MARKS.fullmatch(collapse(text)) else raised(text)

    def emit(self, kind: BlockKind, text: str) -> None:
        """Add a block; one from whose words something was left out asserts nothing."""
        marked = _GAP in text or _HOLE in text.strip(f" \n{_BREAK}{_HOLE}")
        if _MARKED.search(text):
            if marked and not self._told and kind in ASSERTING:
                self.builder.warn(UNSURE)
            self._told = False
            text = _tidy(text, kind)
        if not text.strip():
            return
        doubted = marked or self._doubt_next
        if kind is BlockKind.LIST_ITEM and self._doubt_items:
            doubted = True
        if kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION):
            self._doubt_items = doubted
            self._doubt_next = False
        self.builder.add(BlockKind.QUOTATION if doubted and kind in ASSERTING else kind, text)

    def _heading(self, depth: int) -> None:
        text = _tidy("".join(self._buffers[-1]).replace(_BREAK, " "), BlockKind.HEADING)
        if self._table is not None or self._kind in (BlockKind.QUOTATION, BlockKind.CODE):
            self._flush()
            return
        self._buffers[-1].clear()
        if not text:
            return
        only = depth == 1 and self._only_title and not self.title
        if only and classify_heading(text) is None:
            self.title = text
            self.builder.add(BlockKind.TITLE, text)
        else:
            self.builder.heading(depth, text)

    def _flush(self) -> None:
        """End the block that is being read."""
        if len(self._buffers) > 1 or self._table is not None:
            self._write(" ")  # inside a cell
            return
        raw = "".join(self._buffers[-1])
        self._buffers[-1].clear()
        if not raw.strip(" \t\r\n" + _BREAK + _GAP + _HOLE):
            return
        kind = self._kind
        if kind is BlockKind.CODE:
            self.emit(kind, raw.replace(_BREAK, "\n").strip("\n"))
            return
        for paragraph in _BREAKS.split(raw):
            lines = (collapse(line) for line in paragraph.split(_BREAK))
            text = "\n".join(line for line in lines if line)
            if text and self._marker:
                text, self._marker = f"{self._marker} {text}", ""
                kind = BlockKind.LIST_ITEM if kind is BlockKind.PARAGRAPH else kind
            if kind is BlockKind.PARAGRAPH and text.startswith("[^") and "]:" in text[:40]:
                kind = BlockKind.FOOTNOTE
            self.emit(kind, text)


def _tidy(text: str, kind: BlockKind) -> str:
    """`text` without the marks of what was left out, nor the space around them."""
    text = _MARKED.sub("", text)
    if kind is BlockKind.CODE:
        return text
    return "\n".join(line for line in map(collapse, text.split("\n")) if line)


def _is_shown(node: "Element", tag: str) -> bool:
    """Whether an element without readable text stands for words to the eye."""
    if tag == "img":
        return bool(_WORD.search(node.get("alt") or node.get("src") or ""))
    if tag == "svg":
        return any(next(node.iter(name), None) is not None for name in ("text", "image", "use"))
    if tag == "input":
        return (node.get("type") or "").lower() not in ("hidden", "checkbox", "radio")
    return True


def _is_of_page(node: "Element") -> bool:
    """Whether a header or footer belongs to the page, not to an article or section in it."""
    above = node.getparent()
    while above is not None:
        if above.tag in ("article", "section", "main"):
            return False
        above = above.getparent()
    return True


def _is_layout(table: "Element", role: str) -> bool:
    """Whether a table only places paragraphs on the page.

    What stands in a row of a real table means nothing without the rest of its row.
    """
    if role in ("presentation", "none"):
        return True
    if next(table.iter("th"), None) is not None:
        return False
    if any(next(table.iter(tag), None) is not None for tag in ("h1", "h2", "h3", "h4")):
        return True
    if any(inner is not table for inner in table.iter("table")):
        return True
    return all(sum(cell.tag == "td" for cell in row) < 2 for row in table.iter("tr"))
