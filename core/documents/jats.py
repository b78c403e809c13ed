"""Read articles in JATS, the XML that journals and archives publish."""

import re
from typing import TYPE_CHECKING

from core.documents.build import Builder, collapse
from core.documents.jats_inline import Inline
from core.documents.limits import Limits
from core.documents.model import (
    BlockKind,
    Document,
    Format,
    Notice,
    NoticeKind,
    SectionKind,
    TextScope,
)
from core.documents.notices import ARTICLE_TYPES, RELATED_TYPES, from_title
from core.documents.xml import local

if TYPE_CHECKING:
    from core.documents.xml import Element

_SECTION_TYPES: dict[str, SectionKind] = {
    "intro": SectionKind.PRIOR_WORK,
    "introduction": SectionKind.PRIOR_WORK,
    "background": SectionKind.PRIOR_WORK,
    "materials": SectionKind.METHODS,
    "methods": SectionKind.METHODS,
    "subjects": SectionKind.METHODS,
    "cases": SectionKind.RESULTS,
    "results": SectionKind.RESULTS,
    "discussion": SectionKind.DISCUSSION,
    "conclusions": SectionKind.DISCUSSION,
    "supplementary-material": SectionKind.BACK_MATTER,
}
"""JATS `sec-type` values (https://jats.nlm.nih.gov/archiving/tag-library/1.3/attribute/sec-type.html)."""

_ABSTRACT = ("abstract", "trans-abstract")
_FIGURES = ("fig", "fig-group", "supplementary-material", "media", "graphic", "chem-struct-wrap")
_TABLES = ("table-wrap", "table-wrap-group")
_FLOATS = frozenset((*_FIGURES, *_TABLES))
_SKIPPED = frozenset(
    {
        "object-id",
        "label",
        "title",
        "sec-meta",
        "permissions",
        "attrib",
        "copyright-statement",
        "alt-text",
        "long-desc",
        "x",
        "target",
        "alternatives",
        "processing-meta",
    }
)
_CODE = frozenset({"preformat", "code"})
_RUNS_ON = re.compile(r"[a-z,;:.)\]\u2013\u2014]")


def read_jats(root: "Element", limits: Limits) -> Document:
    """The article below `root`, which is its `<article>` element.

    Raises `EmptyFile`, `DamagedFile` and `FileTooLarge`.
    """
    return _Reader(root, limits).read()


class _Reader:
    def __init__(self, article: "Element", limits: Limits) -> None:
        self.article = article
        self.builder = Builder(limits)
        self.inline = Inline(self.builder.warn)

    def read(self) -> Document:
        meta = _first(self.article, "front", "article-meta")
        if meta is None:
            meta = _first(self.article, "front-stub")
        title = self._title(meta)
        self.builder.add(BlockKind.TITLE, title)
        for child in meta if meta is not None else ():
            if local(child) in _ABSTRACT:
                self._abstract(child)
        self.builder.outline.leave(1)
        body = _first(self.article, "body")
        if body is not None:
            self._container(body, 1)
        has_body = body is not None and any(text.strip() for text in body.itertext())
        for name in ("floats-group", "floats-wrap", "back"):
            part = _first(self.article, name)
            if part is not None:
                self.builder.outline.leave(1)
                self._container(part, 1)
        self._front_notes(meta)
        if any(local(child) in ("sub-article", "response") for child in self.article):
            self.builder.warn("Reviews and replies that are attached to the article were left out.")
        return self.builder.document(
            Format.JATS,
            title=title,
            scope=TextScope.FULL_TEXT if has_body else TextScope.ABSTRACT_ONLY,
            notices=self._notices(meta, title, body),
        )

    def _title(self, meta: "Element | None") -> str:
        group = _first(meta, "title-group") if meta is not None else None
        if group is None:
            return ""
        parts = [
            self.inline.text(child)
            for child in group
            if local(child) in ("article-title", "subtitle")
        ]
        return collapse(": ".join(part.rstrip(":") for part in map(collapse, parts) if part))

    def _notices(self, meta: "Element | None", title: str, body: "Element | None") -> list[Notice]:
        kinds: dict[NoticeKind, str] = {}
        own = ARTICLE_TYPES.get((self.article.get("article-type") or "").lower())
        if own is not None:
            kinds[own] = title
        for related in meta.iter("related-article") if meta is not None else ():
            kind = RELATED_TYPES.get((related.get("related-article-type") or "").lower())
            if kind is not None:
                kinds.setdefault(kind, collapse(self.inline.text(related)) or title)
        for notice in from_title(title):
            kinds.setdefault(notice.kind, notice.text)
        notice_kinds = (NoticeKind.RETRACTION_NOTICE, NoticeKind.CORRECTION_NOTICE)
        if body is not None and any(kind in kinds for kind in notice_kinds):
            paragraph = next(body.iter("p"), None)
            reason = collapse(self.inline.text(paragraph)) if paragraph is not None else ""
            for kind in notice_kinds:
                if kind in kinds and reason:
                    end = "" if title.endswith((".", "?", "!")) else "."
                    kinds[kind] = f"{title}{end} {reason}"
        return [Notice(kind, text) for kind, text in kinds.items()]

    def _abstract(self, abstract: "Element") -> None:
        title = self._heading_of(abstract)
        self.builder.heading(1, title, SectionKind.ABSTRACT)
        self._container(abstract, 2)

    def _front_notes(self, meta: "Element | None") -> None:
        """Notes, funding and licence of the front: they assert nothing about the world."""
        if meta is None:
            return
        self.builder.outline.enter(1, "", SectionKind.BACK_MATTER)
        for note in meta.iter("fn", "funding-statement", "license-p", "corresp"):
            self.builder.add(BlockKind.FOOTNOTE, collapse(self.inline.text(note)))
        for licence in meta.iter("license"):
            for paragraph in licence.iterchildren("p"):
                self.builder.add(BlockKind.FOOTNOTE, collapse(self.inline.text(paragraph)))

    def _heading_of(self, node: "Element") -> str:
        title = _first(node, "title")
        if title is None and local(node) == "boxed-text":
            title = _first(node, "caption", "title")
        if title is None and local(node) == "statement":
            title = _first(node, "label")
        if title is None:
            return ""
        text = collapse(self.inline.text(title))
        label = _first(node, "label")
        label = None if label is title else label
        number = collapse(self.inline.text(label)) if label is not None else ""
        return f"{number} {text}" if number and text else text

    def _container(self, node: "Element", depth: int) -> None:
        """Read everything in `node`; its sections stand at `depth`."""
        for child in node:
            self._block(child, depth)
        self._notes()

    def _block(self, node: "Element", depth: int) -> None:
        name = local(node)
        if not name or name in _SKIPPED:
            return
        if name == "p":
            self._paragraph(node, depth, BlockKind.PARAGRAPH)
        elif name in ("sec", "boxed-text", "app", "notes", "ack", "bio", "glossary", "statement"):
            self._section(node, depth)
        elif name == "ref-list":
            self._references(node, depth)
        elif name in ("fn", "fn-group", "table-wrap-foot"):
            self._footnotes(node, depth)
        elif name in _FIGURES:
            self._figure(node)
        elif name in _TABLES:
            self._table(node)
        elif name in ("list", "def-list"):
            self._list(node, depth)
        elif name in ("disp-quote", "verse-group", "speech"):
            self._quotation(node)
        elif name in _CODE:
            self.builder.add(BlockKind.CODE, "".join(map(str, node.itertext())).strip("\n"))
        elif name in ("disp-formula", "disp-formula-group"):
            self.builder.add(BlockKind.CODE, collapse(self.inline.text(node)))
        elif name in ("sub-article", "response"):
            return
        else:
            self._container(node, depth)

    def _section(self, node: "Element", depth: int) -> None:
        name = local(node)
        title = self._heading_of(node)
        kind = None
        if name in ("ack", "bio", "glossary", "notes"):
            kind = SectionKind.BACK_MATTER
        elif name == "sec" and not self.builder.outline.in_abstract:
            kind = _section_kind(node, title)
        self.builder.heading(depth, title, kind)
        self._container(node, depth + 1)
        self.builder.outline.leave(depth)

    def _references(self, node: "Element", depth: int) -> None:
        self.builder.heading(depth, self._heading_of(node), SectionKind.REFERENCES)
        for child in node:
            name = local(child)
            if name == "ref":
                self.builder.add(BlockKind.REFERENCE, self._reference(child))
            elif name == "ref-list":
                self._references(child, depth + 1)
            elif name == "p":
                self._paragraph(child, depth + 1, BlockKind.REFERENCE)
        self.builder.outline.leave(depth)

    def _reference(self, ref: "Element") -> str:
        parts: list[str] = []
        for child in ref:
            if local(child) in ("element-citation", "nlm-citation", "citation-alternatives"):
                parts += [self.inline.text(piece) for piece in child]
            else:
                parts.append(self.inline.text(child))
        return collapse(" ".join(parts))

    def _footnotes(self, node: "Element", depth: int) -> None:
        if local(node) == "fn-group" and self._heading_of(node):
            self.builder.heading(depth, self._heading_of(node), SectionKind.BACK_MATTER)
        for child in node:
            name = local(child)
            if name == "p":
                self.builder.add(BlockKind.FOOTNOTE, collapse(self.inline.text(child)))
            elif name not in ("label", "title", ""):
                self._footnotes(child, depth)

    def _figure(self, node: "Element") -> None:
        self._caption(node)
        for child in node:
            if local(child) in ("fig", "p"):
                self._figure(child) if local(child) == "fig" else self._loose(child)

    def _loose(self, paragraph: "Element") -> None:
        self.builder.add(BlockKind.CAPTION, collapse(self.inline.text(paragraph)))

    def _caption(self, node: "Element") -> None:
        """The label, title and paragraphs of a caption; the label opens the first of them."""
        label = _first(node, "label")
        lead = collapse(self.inline.text(label)) if label is not None else ""
        caption = _first(node, "caption")
        for part in caption if caption is not None else ():
            if local(part) not in ("title", "p"):
                continue
            text = collapse(self.inline.text(part))
            if lead and text:
                text = f"{lead} {text}" if lead.endswith((".", ":")) else f"{lead}. {text}"
                lead = ""
            self.builder.add(BlockKind.CAPTION, text)
        self._notes()

    def _table(self, node: "Element") -> None:
        self._caption(node)
        for child in node:
            name = local(child)
            if name == "table-wrap":
                self._table(child)
            elif name == "table-wrap-foot":
                self._footnotes(child, 1)
        rows = []
        for row in node.iter():
            if local(row) == "tr" and not _inside(row, node, "table-wrap"):
                cells = (collapse(self.inline.text(cell)) for cell in row if local(cell))
                rows.append(" | ".join(cells).strip(" |"))
        self.builder.add(BlockKind.TABLE, "\n".join(row for row in rows if row))
        self._notes()

    def _list(self, node: "Element", depth: int) -> None:
        for item in node:
            name = local(item)
            if name == "def-item":
                parts = (self.inline.text(part) for part in item if local(part) in ("term", "def"))
                self.builder.add(BlockKind.LIST_ITEM, collapse(": ".join(map(collapse, parts))))
                continue
            if name != "list-item":
                continue
            label = _first(item, "label")
            lead = collapse(self.inline.text(label)) if label is not None else ""
            for part in item:
                if local(part) == "p":
                    self._paragraph(part, depth, BlockKind.LIST_ITEM, lead)
                    lead = ""
                else:
                    self._block(part, depth)

    def _quotation(self, node: "Element") -> None:
        paragraphs = [part for part in node if local(part) in ("p", "verse-line", "attrib")]
        for part in paragraphs or [node]:
            self.builder.add(BlockKind.QUOTATION, collapse(self.inline.text(part)))

    def _paragraph(self, node: "Element", depth: int, kind: BlockKind, lead: str = "") -> None:
        """One `<p>`: floats in it are placed after it, and it goes on around them.

        A list or quotation in it stays where it stands, unless the sentence runs on behind it.
        """
        pieces: list[str | Element] = [lead + " " if lead else ""]
        floats: list[Element] = []
        for piece in self.inline.pieces(node):
            if not isinstance(piece, str):
                if local(piece) in _FLOATS or local(piece) in ("fn", "boxed-text"):
                    floats.append(piece)
                else:
                    pieces.append(piece)
            elif isinstance(pieces[-1], str):
                pieces[-1] += piece
            else:
                pieces.append(piece)
        for piece in _joined(pieces):
            if isinstance(piece, str):
                self.builder.add(kind, collapse(piece))
            else:
                self._block(piece, depth)
        for piece in floats:
            self._block(piece, depth)

    def _notes(self) -> None:
        for note in self.inline.take_notes():
            self._footnotes(note, 1)


def _joined(pieces: list["str | Element"]) -> list["str | Element"]:
    """Text and blocks in order; text that runs on behind a block is moved in front of it."""
    out: list[str | Element] = []
    last_text = -1
    for piece in pieces:
        if isinstance(piece, str):
            if not piece.strip():
                continue
            before = out[last_text] if last_text >= 0 else ""
            if isinstance(before, str) and before and _RUNS_ON.match(piece.lstrip()):
                out[last_text] = f"{before.rstrip()} {piece.lstrip()}"
                continue
            last_text = len(out)
        out.append(piece)
    return out


def _section_kind(node: "Element", title: str) -> SectionKind | None:
    from core.documents.sections import classify_heading

    known = classify_heading(title)
    if known is not None:
        return known
    kinds = [_SECTION_TYPES.get(part) for part in re.split(r"[|,\s]+", node.get("sec-type") or "")]
    return next((kind for kind in kinds if kind is not None), None)


def _inside(node: "Element", top: "Element", name: str) -> bool:
    """Whether an element called `name` stands between `node` and `top`."""
    above = node.getparent()
    while above is not None and above is not top:
        if local(above) == name:
            return True
        above = above.getparent()
    return False


def _first(node: "Element", *path: str) -> "Element | None":
    """The first child along `path` of names."""
    for name in path:
        found = next((child for child in node if local(child) == name), None)
        if found is None:
            return None
        node = found
    return node
