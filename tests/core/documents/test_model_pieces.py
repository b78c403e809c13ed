"""The pieces in which a document goes between processes stay small, whatever the file holds."""

import json
from pathlib import Path

import pytest

from core.documents.model import (
    NAME_CHARACTERS,
    Block,
    BlockKind,
    Decoder,
    Document,
    Format,
    Notice,
    NoticeKind,
    encode,
    short_name,
)
from core.documents.read import read

PIECE_BYTES = 1024 * 1024
LONG = "growth of cells " * 200_000

FILES = {
    "page.html": "<h1>{0}</h1><h2>{0}</h2><p>It grew.</p><p>It fell.</p>",
    "titled.html": "<title>RETRACTED: {0}</title><h2>Results</h2><p>It grew.</p><p>It fell.</p>",
    "page.md": "# A\n\n## {0}\n\nIt grew.\n\nIt fell.\n",
    "article.xml": (
        "<article><front><article-meta><title-group><article-title>{0}</article-title>"
        "</title-group></article-meta></front><body><sec><title>{0}</title><p>It grew.</p>"
        "<p>It fell.</p></sec></body></article>"
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_heading_of_megabytes_fits(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name].format(LONG), encoding="utf-8")
    document = read(path)
    decoder = Decoder()
    for piece in encode(document):
        assert len(json.dumps(piece)) < PIECE_BYTES
        decoder.add(piece)
    received = decoder.document()
    assert received.text == document.text
    assert received.blocks == document.blocks
    found = [b for b in received.blocks if received.text[b.start : b.end] == "It grew."]
    assert len(found) == 1
    assert all(len(heading) <= NAME_CHARACTERS for heading in found[0].headings)


def test_many_blocks_under_many_headings_fit() -> None:
    headings = tuple("x" * NAME_CHARACTERS for _ in range(100))
    blocks = tuple(Block(BlockKind.PARAGRAPH, 0, 1, headings=headings) for _ in range(2000))
    notice = Notice(NoticeKind.RETRACTED, LONG)
    document = Document(Format.JATS, "x", blocks, title=LONG, notices=(notice,))
    decoder = Decoder()
    for piece in encode(document):
        assert len(json.dumps(piece)) < PIECE_BYTES
        decoder.add(piece)
    assert decoder.document().blocks == blocks


@pytest.mark.parametrize("length", [0, 1, NAME_CHARACTERS])
def test_a_name_of_usual_length_is_kept(length: int) -> None:
    assert short_name("x" * length) == "x" * length


def test_a_long_name_keeps_its_beginning_and_end() -> None:
    name = short_name("Myth: " + "x" * 1000 + " or not?")
    assert len(name) == NAME_CHARACTERS
    assert name.startswith("Myth: ")
    assert name.endswith(" or not?")
    assert "\u2026" in name
