"""Every way in which a PDF can fail to be read, each with its own error."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.documents.errors import (
    DamagedFile,
    EmptyFile,
    FileMissing,
    FileTooLarge,
    PasswordNeeded,
)
from core.documents.limits import Limits
from core.documents.pdf import read_pdf
from tests.core.documents.pdf_files import HandMade, Sheet, column, line

ROOT = Path(__file__).resolve().parents[3]
WORDS = [
    "The bridge was closed to lorries in March and reopened in the following June,",
    "after the bearings of both piers had been replaced at a cost of two million.",
]


def sheets(count: int) -> list[Sheet]:
    """Pages with a running head, two lines that name the page, and a number."""
    return [
        Sheet(
            line("Annual report of the bridge authority", 72, 760, size=8)
            + column([f"Section {at} of the report says this. " + WORDS[0], WORDS[1]], 40, 700)
            + line(str(at), 300, 30, size=8)
        )
        for at in range(1, count + 1)
    ]


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdf"
    path.write_bytes(b"")
    with pytest.raises(EmptyFile):
        read_pdf(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        read_pdf(tmp_path / "none.pdf")


@pytest.mark.parametrize("given", [None, "", "wrong"])
def test_an_encrypted_file_without_its_password(tmp_path: Path, given: str | None) -> None:
    path = HandMade(sheets(1), password="open sesame").write(tmp_path / "locked.pdf")
    with pytest.raises(PasswordNeeded):
        read_pdf(path, password=given)


def test_a_wrong_password_is_told_from_a_missing_one(tmp_path: Path) -> None:
    path = HandMade(sheets(1), password="open sesame").write(tmp_path / "locked.pdf")
    with pytest.raises(PasswordNeeded, match="does not open"):
        read_pdf(path, password="wrong")
    with pytest.raises(PasswordNeeded, match="Enter its password"):
        read_pdf(path)


def test_an_encrypted_file_with_its_password(tmp_path: Path) -> None:
    path = HandMade(sheets(1), password="open sesame").write(tmp_path / "locked.pdf")
    document = read_pdf(path, password="open sesame")
    assert "Section 1 of the report" in document.text
    assert "open sesame" not in repr(document)


def test_no_pdf_at_all(tmp_path: Path) -> None:
    path = tmp_path / "letter.pdf"
    path.write_bytes(b"Dear Sir, this is no PDF. " * 100)
    with pytest.raises(DamagedFile):
        read_pdf(path)


TRUNCATION = """
import json, sys
from pathlib import Path
from core.documents.errors import ReadingError
from core.documents.pdf import read_pdf
data = Path(sys.argv[1]).read_bytes()
cut = Path(sys.argv[2])
seen = {}
for part in range(1, 120):
    cut.write_bytes(data[: len(data) * part // 120])
    try:
        read_pdf(cut)
        outcome = "read"
    except ReadingError as error:
        outcome = error.code
    seen[outcome] = seen.get(outcome, 0) + 1
for at in range(0, len(data), max(1, len(data) // 150)):
    cut.write_bytes(data[:at] + bytes([data[at] ^ 0x5A]) * 3 + data[at + 3 :])
    try:
        read_pdf(cut)
    except ReadingError:
        pass
print(json.dumps(seen))
"""


def test_a_file_cut_anywhere_is_refused_and_never_crashes(tmp_path: Path) -> None:
    whole = HandMade(sheets(30)).write(tmp_path / "whole.pdf")
    run = subprocess.run(
        [sys.executable, "-c", TRUNCATION, str(whole), str(tmp_path / "cut.pdf")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    outcomes = json.loads(run.stdout)
    # The very last bytes hold only marks that PDFium finds without.
    assert outcomes.pop("read", 0) <= 2
    assert sum(outcomes.values()) >= 117
    assert set(outcomes) == {"damaged_file"}


def test_two_thousand_pages(tmp_path: Path) -> None:
    path = HandMade(sheets(2000)).write(tmp_path / "long.pdf")
    calls: list[tuple[int, int, str]] = []
    document = read_pdf(path, progress=lambda *call: calls.append(call))
    assert document.page_count == 2000
    assert [call[0] for call in calls] == [*range(2001)]
    assert calls[0] == (0, 2000, "Reading page 1")
    for number in (1, 48, 49, 1000, 1999, 2000):
        start = document.text.index(f"Section {number} of the report says this.")
        assert document.page_of(start) == number
    kinds = [block.kind for block in document.blocks]
    assert kinds.count("paragraph") == 2000
    assert kinds.count("running_head") == 4000


def test_limits(tmp_path: Path) -> None:
    path = HandMade(sheets(5)).write(tmp_path / "five.pdf")
    with pytest.raises(FileTooLarge, match="5 pages"):
        read_pdf(path, limits=Limits(max_pages=4))
    with pytest.raises(FileTooLarge):
        read_pdf(path, limits=Limits(max_file_bytes=100))
    with pytest.raises(FileTooLarge, match="characters"):
        read_pdf(path, limits=Limits(max_characters=100))
    assert read_pdf(path, limits=Limits(max_pages=5)).page_count == 5


def test_cancelling_from_progress_ends_the_reading(tmp_path: Path) -> None:
    path = HandMade(sheets(10)).write(tmp_path / "ten.pdf")

    class Stopped(Exception):
        """What the caller raises."""

    def stop(done: int, total: int, what: str) -> None:
        if done == 3:
            raise Stopped

    with pytest.raises(Stopped):
        read_pdf(path, progress=stop)
