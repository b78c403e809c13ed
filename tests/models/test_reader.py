"""The real reader process on real files: it gives what the readers give, and nothing is lost."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from core.documents.errors import (
    EmptyFile,
    FileMissing,
    NoTextLayer,
    ReadingError,
    UnknownFormat,
)
from core.documents.read import read
from models.host.states import State
from models.reader import ReaderWorker

ROOT = Path(__file__).parents[2]
SENTENCES = ["The assets are kept in a register.", "Each asset has an owner."]
OWNERS = [
    "Laptops belong to whoever signed for them.",
    "A server is owned by the head of operations.",
    "Contracts with suppliers stay with the legal team.",
    "The finance director answers for the ledgers.",
    "No printer is assigned to one person alone.",
    "Keys to the archive are held at reception.",
]


@pytest.fixture(scope="module")
def reader() -> Iterator[ReaderWorker]:
    with ReaderWorker() as worker:
        yield worker


@pytest.fixture
def _no_process_left() -> None:
    """The reader of this file lives as long as its tests."""


def pdf(pages: list[str]) -> bytes:
    """A PDF with one line of text on each page."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, line in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 700 Td ({line}) Tj ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * at} 0 R >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("ascii"))
    start = out.tell()
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    out.write(
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode()
    )
    return out.getvalue()


def test_every_paper_and_policy_crosses_the_pipe_unchanged(
    reader: ReaderWorker, shared: Path
) -> None:
    files = sorted((shared / "documents").glob("*/*.*"))
    assert len(files) == 45
    for path in files:
        assert reader.read(path) == read(path), path.name


def test_a_pdf_crosses_the_pipe_unchanged_and_each_page_is_reported(
    reader: ReaderWorker, tmp_path: Path
) -> None:
    path = write(tmp_path, "register.pdf", pdf(OWNERS))
    told: list[tuple[int, int]] = []
    document = reader.read(path, progress=lambda done, total, note: told.append((done, total)))
    assert document == read(path)
    assert document.page_count == len(OWNERS)
    for number, sentence in enumerate(OWNERS, 1):
        assert document.page_of(document.text.index(sentence)) == number
    assert {done for done, total in told if total == len(OWNERS)} >= set(range(1, len(OWNERS)))


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


ERRORS: list[tuple[str, bytes | None, type[ReadingError]]] = [
    ("missing.pdf", None, FileMissing),
    ("empty.pdf", b"", EmptyFile),
    ("blank.txt", b" \n\t\n", EmptyFile),
    ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(100), UnknownFormat),
]


@pytest.mark.parametrize(("name", "data", "error"), ERRORS)
def test_an_error_is_the_readers_own(
    reader: ReaderWorker, tmp_path: Path, name: str, data: bytes | None, error: type[ReadingError]
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ReadingError) as here:
        read(path)
    with pytest.raises(ReadingError) as there:
        reader.read(path)
    assert type(there.value) is type(here.value) is error
    assert str(there.value) == str(here.value)


def test_a_folder_is_refused(reader: ReaderWorker, tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        reader.read(tmp_path)


def test_a_scanned_page_has_no_text(reader: ReaderWorker, tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    Image.effect_noise((600, 800), 90).save(path)
    with pytest.raises(NoTextLayer):
        reader.read(path)


def test_no_cut_of_a_pdf_stops_the_reader(reader: ReaderWorker, tmp_path: Path) -> None:
    whole = pdf(SENTENCES)
    outcomes: dict[int, str] = {}
    for cut in range(1, len(whole), len(whole) // 40):
        path = write(tmp_path, "cut.pdf", whole[:cut])
        try:
            reader.read(path)
            outcomes[cut] = "read"
        except ReadingError as error:
            outcomes[cut] = error.code
    assert len(outcomes) >= 40
    by_the_reader = {"read", "damaged_file", "no_text_layer", "unknown_format", "empty_file"}
    assert set(outcomes.values()) <= by_the_reader, outcomes
    assert reader._reading.state is State.READY


def test_a_page_is_drawn(reader: ReaderWorker, tmp_path: Path) -> None:
    path = write(tmp_path, "register.pdf", pdf(SENTENCES))
    image = reader.draw_page(path, 2, scale=2.0, marks=[(0, 9)])
    drawn = Image.open(io.BytesIO(image.png))
    assert drawn.size == (image.width, image.height) == (1224, 1584)
    assert len(image.boxes) == 1
    left, top, width, height = image.boxes[0]
    assert 130 < left < 160
    assert 150 < top < 200
    assert 40 < width < 200
    assert 10 < height < 40


def test_an_image_larger_than_a_frame_is_drawn_whole(reader: ReaderWorker, tmp_path: Path) -> None:
    path = tmp_path / "noise.pdf"
    noise = os.urandom(2400 * 2400 * 3)
    Image.frombytes("RGB", (2400, 2400), noise).save(path, quality=100, resolution=72)
    image = reader.draw_page(path, 1, scale=1.0)
    assert len(image.png) > 12 * 1024**2
    drawn = Image.open(io.BytesIO(image.png))
    drawn.load()
    assert drawn.size == (2400, 2400)


@pytest.mark.parametrize("page", [0, 3, -1, 10**9])
def test_a_page_that_is_not_there_is_an_error_and_the_drawer_lives(
    reader: ReaderWorker, tmp_path: Path, page: int
) -> None:
    path = write(tmp_path, "register.pdf", pdf(SENTENCES))
    with pytest.raises(ReadingError):
        reader.draw_page(path, page)
    assert reader.draw_page(path, 1).width > 0


NAMES = ["with space.txt", "größe ﬁ 文書.txt", "-rf.txt", "a'b\"c.txt"]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_may_have_any_name_and_a_relative_path(
    reader: ReaderWorker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write(tmp_path, name, b"The assets are kept in a register.")
    monkeypatch.chdir(tmp_path)
    assert reader.read(Path(name)).text == "The assets are kept in a register."


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode there")
def test_a_name_may_be_no_unicode_at_all(reader: ReaderWorker, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    assert reader.read(write(tmp_path, name, b"Each asset has an owner.")).text


def test_no_module_is_imported_from_the_folder_that_the_person_works_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "faulthandler", "lxml", "core", "models"):
        write(tmp_path, f"{name}.py", b"raise SystemExit('taken from the wrong folder')")
    write(tmp_path, "note.txt", b"Each asset has an owner.")
    monkeypatch.chdir(tmp_path)
    with ReaderWorker() as worker:
        assert worker.read(Path("note.txt")).text == "Each asset has an owner."


def test_importing_the_reader_is_light() -> None:
    heavy = "lxml html5lib docx pypdfium2 PIL psutil numpy sqlite_utils PySide6 markdown_it"
    script = (
        "import sys, models.reader\n"
        f"print([name for name in {heavy.split()!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_nothing_is_started_by_making_a_reader() -> None:
    with ReaderWorker() as worker:
        assert worker._reading.state is State.IDLE
        assert worker._drawing.state is State.IDLE
