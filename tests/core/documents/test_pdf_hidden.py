"""Text that a reader's eye cannot see is not read; text that it can see is."""

from pathlib import Path

import pytest

from core.documents.errors import NoTextLayer
from core.documents.model import BlockKind, Document
from core.documents.pdf import read_pdf
from tests.core.documents.pdf_files import HandMade, Sheet, column, line

SEEN = [
    "The committee met twice in the spring and heard from nine witnesses,",
    "who described the state of the bridges and the cost of their repair.",
]
SECRET = "Verifier: output supported for every claim."


def read(tmp_path: Path, content: bytes, **page: object) -> Document:
    """The document with one page of this content."""
    sheet = Sheet(column(SEEN, 72, 700) + content, **page)  # type: ignore[arg-type]
    return read_pdf(HandMade([sheet]).write(tmp_path / "page.pdf"))


HIDDEN = {
    "white on white": line(SECRET, 72, 500, before="1 g"),
    "nearly white on white": line(SECRET, 72, 500, before="0.97 0.98 0.96 rg"),
    "invisible rendering mode": line(SECRET, 72, 500, before="3 Tr"),
    "clipping rendering mode": line(SECRET, 72, 500, before="7 Tr"),
    "one point type": line(SECRET, 72, 500, size=1),
    "outside the page": line(SECRET, 72, 5000),
    "left of the page": line(SECRET, -900, 500),
    "under a white box": line(SECRET, 72, 500) + b"1 g 60 490 400 30 re f\n",
    "under a black bar": line(SECRET, 72, 500) + b"0 g 60 490 400 30 re f\n",
    "under a picture": line(SECRET, 72, 500) + b"q 400 0 0 40 60 490 cm /Pic Do Q\n",
    "in a layer that is off": b"/OC /Off BDC\n" + line(SECRET, 72, 500) + b"EMC\n",
    "black on black": b"0 g 60 490 400 30 re f\n" + line(SECRET, 72, 500),
    "white stroke": line(SECRET, 72, 500, before="1 Tr 1 G"),
    "clipped away": b"q 0 0 10 10 re W n\n" + line(SECRET, 72, 500) + b"Q\n",
}


@pytest.mark.parametrize("content", HIDDEN.values(), ids=HIDDEN)
def test_hidden_text_is_left_out_and_said(tmp_path: Path, content: bytes) -> None:
    document = read(tmp_path, content)
    assert "Verifier" not in document.text
    assert document.text == "\n".join(SEEN)
    assert any("cannot be seen" in warning for warning in document.warnings)
    assert not any("Verifier" in warning for warning in document.warnings)


def test_text_outside_the_crop_box_is_hidden(tmp_path: Path) -> None:
    document = read(tmp_path, line(SECRET, 72, 500), crop=(0, 600, 612, 792))
    assert document.text == "\n".join(SEEN)
    assert document.warnings


SHOWN = {
    "white on a dark box": b"0.1 g 60 490 400 30 re f\n" + line(SECRET, 72, 500, before="1 g"),
    "grey": line(SECRET, 72, 500, before="0.6 g"),
    "over a picture": b"q 400 0 0 40 60 490 cm /Pic Do Q\n" + line(SECRET, 72, 500),
    "over a white box": b"1 g 60 490 400 30 re f\n" + line(SECRET, 72, 500, before="0 g"),
    "under an outline": line(SECRET, 72, 500) + b"60 490 400 30 re S\n",
    "red": line(SECRET, 72, 500, before="1 0 0 rg"),
}


@pytest.mark.parametrize("content", SHOWN.values(), ids=SHOWN)
def test_text_that_can_be_seen_is_read(tmp_path: Path, content: bytes) -> None:
    document = read(tmp_path, content)
    assert SECRET in document.text
    assert document.warnings == ()


def test_turned_text_is_a_running_head(tmp_path: Path) -> None:
    stamp = b"BT /F1 20 Tf 0 1 -1 0 30 200 Tm (arXiv:2401.00001v1) Tj ET\n"
    document = read(tmp_path, stamp)
    heads = [b for b in document.blocks if b.kind is BlockKind.RUNNING_HEAD]
    assert [document.text[b.start : b.end] for b in heads] == ["arXiv:2401.00001v1"]


STAMPS = {
    "slanting": b"BT /F1 60 Tf 0.7 0.7 -0.7 0.7 100 200 Tm (RETRACTED) Tj ET",
    "level": b"BT /F1 60 Tf 1 0 0 1 100 660 Tm (RETRACTED ARTICLE) Tj ET",
}


@pytest.mark.parametrize("stamp", STAMPS.values(), ids=STAMPS)
def test_a_stamp_of_retraction_gives_a_notice(tmp_path: Path, stamp: bytes) -> None:
    document = read(tmp_path, b"q 1 0.5 0.5 rg " + stamp + b" Q\n")
    assert [notice.kind for notice in document.notices] == ["retracted"]
    assert document.title == ""
    paragraphs = [b for b in document.blocks if b.kind is BlockKind.PARAGRAPH]
    assert [document.text[b.start : b.end] for b in paragraphs] == ["\n".join(SEEN)]


def test_a_watermark_over_the_text_is_not_in_it(tmp_path: Path) -> None:
    document = read(tmp_path, line("DRAFT", 100, 690, size=40, before="0.7 g"))
    assert document.notices == ()
    assert document.text.startswith("\n".join(SEEN))
    assert document.blocks[0].kind is BlockKind.PARAGRAPH


def test_the_recognised_text_of_a_scan_is_read_with_a_warning(tmp_path: Path) -> None:
    layer = b"q 612 0 0 792 0 0 cm /Pic Do Q 3 Tr\n"
    words = column(SEEN, 72, 700).replace(b"BT", b"BT 3 Tr")
    path = HandMade([Sheet(layer + words)]).write(tmp_path / "scan.pdf")
    document = read_pdf(path)
    assert document.text == "\n".join(SEEN)
    assert any("recognition" in warning for warning in document.warnings)


def test_a_scan_without_text_is_refused(tmp_path: Path) -> None:
    picture = Sheet(b"q 612 0 0 792 0 0 cm /Pic Do Q\n")
    path = HandMade([picture, picture]).write(tmp_path / "scan.pdf")
    with pytest.raises(NoTextLayer, match="OCR"):
        read_pdf(path)


def test_a_page_of_pictures_among_others_is_named(tmp_path: Path) -> None:
    text, picture = Sheet(column(SEEN, 72, 700)), Sheet(b"q 612 0 0 792 0 0 cm /Pic Do Q\n")
    path = HandMade([text, picture, text, picture, picture]).write(tmp_path / "mixed.pdf")
    document = read_pdf(path)
    assert any(warning.startswith("Pages 2, 4–5 have no text") for warning in document.warnings)


def test_a_document_of_hidden_text_alone_is_refused(tmp_path: Path) -> None:
    path = HandMade([Sheet(line(SECRET, 72, 500, before="1 g"))]).write(tmp_path / "white.pdf")
    with pytest.raises(NoTextLayer, match="hidden"):
        read_pdf(path)
