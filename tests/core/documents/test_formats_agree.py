"""The same text in every format is read to the same sentences, kinds and sections."""

import html
import re
from collections.abc import Callable
from pathlib import Path

import docx
import pytest

from core.documents.model import ASSERTING, Block, BlockKind, Document, SectionKind
from core.documents.read import read
from core.text.sentences import split

PAPER = "journal.pone.0138823.xml"
KEPT = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
Pieces = list[tuple[BlockKind, int, str]]


@pytest.fixture(scope="module")
def original(shared: Path) -> Document:
    return read(shared / "documents" / "papers" / PAPER)


def pieces(document: Document) -> Pieces:
    return [
        (b.kind, len(b.headings) + 1, document.text[b.start : b.end])
        for b in document.blocks
        if b.kind in KEPT and not b.in_abstract and b.section is not SectionKind.REFERENCES
    ]


def as_html(parts: Pieces, path: Path) -> None:
    tags = {BlockKind.PARAGRAPH: "p", BlockKind.LIST_ITEM: "li"}
    lines = []
    for kind, depth, text in parts:
        tag = tags.get(kind, f"h{depth}")
        lines.append(f"<{tag}>{html.escape(text)}</{tag}>")
    path.write_text("<!DOCTYPE html>" + "\n".join(lines), encoding="utf-8")


def as_markdown(parts: Pieces, path: Path) -> None:
    marks = {BlockKind.PARAGRAPH: "", BlockKind.LIST_ITEM: "* "}
    lines = []
    for kind, depth, text in parts:
        escaped = re.sub(r"([\\`*_\[\]<>#|~&])", r"\\\1", text)
        lines.append(marks.get(kind, "#" * depth + " ") + escaped)
    path.write_text("\n\n".join(lines), encoding="utf-8")


def as_docx(parts: Pieces, path: Path) -> None:
    word = docx.Document()
    for kind, depth, text in parts:
        if kind is BlockKind.HEADING:
            word.add_heading(text, depth)
        else:
            style = "List Bullet" if kind is BlockKind.LIST_ITEM else None
            word.add_paragraph(text, style=style)
    word.save(str(path))


def as_text(parts: Pieces, path: Path) -> None:
    path.write_text("\n\n".join(text for _, _, text in parts), encoding="utf-8")


def sentences(document: Document, block: Block) -> list[str]:
    text = document.text[block.start : block.end]
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize(
    ("name", "write"),
    [("p.html", as_html), ("p.md", as_markdown), ("p.docx", as_docx), ("p.txt", as_text)],
)
def test_formats_agree(
    name: str, write: Callable[[Pieces, Path], None], original: Document, tmp_path: Path
) -> None:
    parts = pieces(original)
    path = tmp_path / name
    write(parts, path)
    copy = read(path)
    found = {
        sentence: block
        for block in copy.blocks
        if block.kind in ASSERTING
        for sentence in sentences(copy, block)
    }
    checked = 0
    for block in original.blocks:
        if block.kind not in ASSERTING or block.in_abstract:
            continue
        for sentence in sentences(original, block):
            assert sentence in found, sentence
            if name != "p.txt":
                assert found[sentence].section is block.section
                assert found[sentence].headings == block.headings
            checked += 1
    assert checked > 150
