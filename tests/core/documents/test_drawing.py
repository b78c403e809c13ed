"""Pages drawn as pictures, with boxes over exactly the characters that are marked."""

import struct
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image

from core.documents.drawing import draw_page, merged
from core.documents.errors import DamagedFile, FileMissing, PasswordNeeded
from core.documents.pdf_page import page_text
from core.ports import PageImage
from tests.core.documents.pdf_files import HandMade, Sheet, column, line

LINES = ["First line of the page.", "Second line, marked whole.", "Third line of it."]


def image_of(picture: PageImage) -> Image.Image:
    """The drawn picture in grey."""
    from io import BytesIO

    return Image.open(BytesIO(picture.png)).convert("L")


def range_of(path: Path, text: str, page: int = 0) -> tuple[int, int]:
    """PDFium character range of `text` on a page."""
    pdf = pdfium.PdfDocument(path)
    text_page = pdf[page].get_textpage()
    start = page_text(text_page.raw).index(text)
    pdf.close()
    return start, start + len(text)


def ink_share(picture: PageImage) -> float:
    """The share of the page's dark pixels that lies under the boxes (grown by two pixels)."""
    image = image_of(picture)
    pixels = image.load()
    assert pixels is not None
    dark = [(x, y) for x in range(image.width) for y in range(image.height) if pixels[x, y] < 128]
    under = [
        (x, y)
        for x, y in dark
        if any(
            bx - 2 <= x <= bx + w + 2 and by - 2 <= y <= by + h + 2
            for bx, by, w, h in picture.boxes
        )
    ]
    assert dark
    return len(under) / len(dark)


def test_the_picture_has_the_pages_size(tmp_path: Path) -> None:
    path = HandMade([Sheet(column(LINES, 72, 700), size=(300, 800))]).write(tmp_path / "a.pdf")
    picture = draw_page(path, 1, scale=2.0)
    assert (picture.width, picture.height) == (600, 1600)
    assert picture.png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture.png[16:24]) == (600, 1600)
    assert picture.boxes == ()


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (40, 100, 500, 780)])
def test_boxes_lie_on_the_words_however_the_page_is_turned(
    tmp_path: Path, rotate: int, crop: tuple[int, int, int, int] | None
) -> None:
    sheet = Sheet(line("Solitary evidence", 90, 600, size=14), rotate=rotate, crop=crop)
    path = HandMade([sheet]).write(tmp_path / "a.pdf")
    picture = draw_page(path, 1, scale=1.0, marks=[range_of(path, "Solitary evidence")])
    assert ink_share(picture) == 1.0
    x, y, width, height = picture.boxes[0]
    assert 0 <= x <= x + width <= picture.width
    assert 0 <= y <= y + height <= picture.height
    for _, _, w, h in picture.boxes:
        assert w * h < 0.02 * picture.width * picture.height


def test_a_mark_over_two_lines_gives_two_boxes(tmp_path: Path) -> None:
    path = HandMade([Sheet(column(LINES, 72, 700))]).write(tmp_path / "a.pdf")
    start, _ = range_of(path, "line of the page.")
    _, end = range_of(path, "Second line")
    picture = draw_page(path, 1, marks=[(start, end)])
    first, second = picture.boxes
    assert second[1] > first[1]
    assert second[0] < first[0]


def test_a_part_of_a_line_is_marked_alone(tmp_path: Path) -> None:
    path = HandMade([Sheet(column(LINES, 72, 700))]).write(tmp_path / "a.pdf")
    whole = draw_page(path, 1, marks=[range_of(path, LINES[1])])
    part = draw_page(path, 1, marks=[range_of(path, "marked")])
    assert len(whole.boxes) == len(part.boxes) == 1
    assert part.boxes[0][2] < 0.4 * whole.boxes[0][2]
    assert 0.1 < ink_share(part) < ink_share(whole) < 0.6


def test_marks_beyond_the_page_mark_nothing(tmp_path: Path) -> None:
    path = HandMade([Sheet(column(LINES, 72, 700))]).write(tmp_path / "a.pdf")
    assert draw_page(path, 1, marks=[(5000, 6000), (-10, 0), (7, 7)]).boxes == ()


def test_the_second_page_is_the_second_page(tmp_path: Path) -> None:
    sheets = [Sheet(line("one", 72, 700)), Sheet(line("two", 72, 100))]
    path = HandMade(sheets).write(tmp_path / "a.pdf")
    picture = draw_page(path, 2, scale=1.0, marks=[range_of(path, "two", page=1)])
    assert ink_share(picture) == 1.0
    assert picture.boxes[0][1] > 600


@pytest.mark.parametrize("page", [0, -1, 2])
def test_no_such_page(tmp_path: Path, page: int) -> None:
    path = HandMade([Sheet(column(LINES, 72, 700))]).write(tmp_path / "a.pdf")
    with pytest.raises(ValueError, match="no page"):
        draw_page(path, page)


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan")])
def test_no_such_scale(tmp_path: Path, scale: float) -> None:
    path = HandMade([Sheet(column(LINES, 72, 700))]).write(tmp_path / "a.pdf")
    with pytest.raises(ValueError, match="scale"):
        draw_page(path, 1, scale=scale)


def test_a_huge_page_is_drawn_smaller(tmp_path: Path) -> None:
    path = HandMade([Sheet(line("x", 72, 700), size=(14000, 14000))]).write(tmp_path / "a.pdf")
    picture = draw_page(path, 1, scale=4.0)
    assert picture.width * picture.height <= 41_000_000
    assert picture.width == picture.height


def test_protected_missing_and_damaged_files(tmp_path: Path) -> None:
    locked = HandMade([Sheet(column(LINES, 72, 700))], password="key").write(tmp_path / "l.pdf")
    with pytest.raises(PasswordNeeded):
        draw_page(locked, 1)
    assert draw_page(locked, 1, password="key").png
    with pytest.raises(FileMissing):
        draw_page(tmp_path / "none.pdf", 1)
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(locked.read_bytes()[:400])
    with pytest.raises(DamagedFile):
        draw_page(cut, 1)


def test_raised_characters_stay_in_their_lines_box() -> None:
    boxes = [(0.0, 10.0, 5.0, 10.0), (5.0, 7.0, 3.0, 6.0), (8.0, 10.0, 5.0, 10.0)]
    assert merged(boxes) == [(0.0, 7.0, 13.0, 13.0)]
