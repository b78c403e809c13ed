"""Any file: its content decides the format, and every way to fail has its own message."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import docx
import pytest

from core.documents import errors
from core.documents.detect import HEAD_BYTES, detect
from core.documents.limits import Limits
from core.documents.model import Decoder, Format, encode
from core.documents.read import read

JATS = (
    b'<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving '
    b'DTD v1.0//EN" "x.dtd"><article><front><article-meta/></front><body><p>It grew.</p></body>'
    b"</article>"
)
ROOT = Path(__file__).resolve().parents[3]
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

TEXTS: dict[str, tuple[bytes, Format]] = {
    "jats": (JATS, Format.JATS),
    "jats without a doctype": (
        b"<article><front><article-meta/></front><body><p>It grew.</p></body></article>",
        Format.JATS,
    ),
    "jats behind a comment": (b"<!-- <html> --> " + JATS[21:], Format.JATS),
    "jats in utf-16": (
        JATS.decode().replace('"1.0"?', '"1.0" encoding="utf-16"?').encode("utf-16"),
        Format.JATS,
    ),
    "a set of articles": (
        b"<pmc-articleset>" + JATS[JATS.index(b"<article>") :] + b"</pmc-articleset>",
        Format.JATS,
    ),
    "html": (b"<!DOCTYPE html><p>It grew.</p>", Format.HTML),
    "html without a doctype": (b"\n<html><p>It grew.</p></html>", Format.HTML),
    "xhtml": (
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>It grew.</p>'
        b"</body></html>",
        Format.HTML,
    ),
    "a piece of html": (b"<div><p>It grew.</p></div>", Format.HTML),
    "markdown": (b"# Growth\n\nIt **grew**.\n", Format.MARKDOWN),
    "text": (b"It grew.", Format.TEXT),
    "text in utf-16": ("It grew.".encode("utf-16"), Format.TEXT),
    "text with a tag": (b"It grew, see <p> below.", Format.TEXT),
    "text with a number sign": (b"# is a sign, and it grew.", Format.TEXT),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("suffix", ["", ".txt", ".bin", ".pdf"])
def test_the_content_decides_the_format(name: str, suffix: str, tmp_path: Path) -> None:
    data, expected = TEXTS[name]
    path = tmp_path / f"file{suffix}"
    path.write_bytes(data)
    document = read(path)
    assert document.format is expected
    assert "grew" in document.text


@pytest.mark.parametrize(
    ("suffix", "data", "warned"),
    [
        (".docx", TEXTS["html"][0], True),
        (".pdf", TEXTS["text"][0], True),
        (".html", TEXTS["html"][0], False),
        (".txt", TEXTS["markdown"][0], False),
        (".md", TEXTS["text"][0], False),
        (".html", TEXTS["text"][0], True),
        (".xml", TEXTS["jats"][0], False),
        (".xml", TEXTS["html"][0], True),
        (".odd", TEXTS["text"][0], False),
    ],
)
def test_a_wrong_extension_is_told(suffix: str, data: bytes, warned: bool, tmp_path: Path) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(data)
    warnings = read(path).warnings
    assert any(suffix in warning for warning in warnings) is warned


def test_a_word_document_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "file.pdf"
    word = docx.Document()
    word.add_paragraph("It grew.")
    word.save(str(path))
    document = read(path)
    assert document.format is Format.DOCX
    assert document.text == "It grew."
    assert ".pdf" in document.warnings[0]


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"junk\n" * 100])
def test_a_pdf_is_told_by_its_header(before: bytes, tmp_path: Path) -> None:
    assert detect(tmp_path / "file.txt", before + b"%PDF-1.7\n\x00\x01") is Format.PDF


def archive(*names: str):
    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as file:
            for name in names:
                file.writestr(name, b"x")

    return make


def holding(data: bytes):
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


def truncated_zip(path: Path) -> None:
    archive("word/document.xml", "b")(path)
    path.write_bytes(path.read_bytes()[:60])


def nothing(path: Path) -> None:
    assert not path.exists()


def folder(path: Path) -> None:
    path.mkdir()


FAILURES = {
    "missing": (nothing, errors.FileMissing, "not there"),
    "a folder": (folder, errors.FileMissing, "folder"),
    "no bytes": (holding(b""), errors.EmptyFile, "0 bytes"),
    "white space": (holding(b" \n\t \n"), errors.EmptyFile, "white space"),
    "a lone mark": (holding(b"\xef\xbb\xbf"), errors.EmptyFile, "white space"),
    "a zip cut short": (truncated_zip, errors.DamagedFile, "cut short"),
    "a zip of files": (archive("a.txt"), errors.UnknownFormat, "Unpack"),
    "a workbook": (archive("xl/workbook.xml"), errors.UnknownFormat, "Excel"),
    "slides": (archive("ppt/presentation.xml"), errors.UnknownFormat, "PowerPoint"),
    "odt": (archive("mimetype", "content.xml"), errors.UnknownFormat, "OpenDocument"),
    "epub": (archive("mimetype", "META-INF/container.xml"), errors.UnknownFormat, "EPUB"),
    "old word": (holding(OLE + b"\0" * 600), errors.UnknownFormat, "DOCX or PDF"),
    "rtf": (holding(b"{\\rtf1 It grew.}"), errors.UnknownFormat, "RTF"),
    "png": (holding(b"\x89PNG\r\n\x1a\n\0\0\0"), errors.UnknownFormat, "picture"),
    "jpeg": (holding(b"\xff\xd8\xff\xe0\0\x10JFIF\0"), errors.UnknownFormat, "picture"),
    "gif": (holding(b"GIF89a\1\0\1\0"), errors.UnknownFormat, "picture"),
    "webp": (holding(b"RIFF\x10\0\0\0WEBPVP8 "), errors.UnknownFormat, "picture"),
    "tiff": (holding(b"II*\0\x08\0\0\0"), errors.UnknownFormat, "picture"),
    "gzip": (holding(b"\x1f\x8b\x08\0\0"), errors.UnknownFormat, "archive"),
    "a program": (holding(b"\x7fELF\2\1\1\0"), errors.UnknownFormat, "program"),
    "bytes": (holding(bytes(range(256)) * 10), errors.UnknownFormat, "what kind"),
    "other xml": (
        holding(b'<?xml version="1.0"?><feed><entry>It grew.</entry></feed>'),
        errors.UnknownFormat,
        "JATS",
    ),
    "jats cut short": (holding(JATS[:-20]), errors.DamagedFile, "broken"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
def test_every_failure_says_what_happened(name: str, tmp_path: Path) -> None:
    make, error, words = FAILURES[name]
    path = tmp_path / "secret-name.docx"
    make(path)
    with pytest.raises(error) as caught:
        read(path)
    message = str(caught.value)
    assert words in message
    assert message[0].isupper()
    assert message.endswith(".")
    assert "grew" not in message, "an error never holds the document's text"
    assert str(tmp_path) not in message
    assert re.search(r"Errno|Traceback|Error\b|0x|None", message) is None


def test_what_is_no_ordinary_file_is_not_opened() -> None:
    with pytest.raises(errors.FileMissing, match="ordinary"):
        read(Path(os.devnull))


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"It grew. " * 1000)
    with pytest.raises(errors.FileTooLarge):
        read(path, limits=Limits(max_file_bytes=1000))
    with pytest.raises(errors.FileTooLarge):
        read(path, limits=Limits(max_characters=1000))


@pytest.mark.parametrize(
    "data",
    [
        b"{{{[[[((( no end " * 1000,
        b"<" * 5000,
        b"<!DOCTYPE html>" + b"<p" * 5000,
        b"# " * 5000,
        b"[" * 5000 + b"]" * 5000,
        b"*" * 5000,
        b"|" * 5000 + b"\n" + b"|-" * 2000 + b"|",
        b"<!DOCTYPE html><p>" + b"&amp;" * 5000,
        b"<!--" * 3000 + b"x",
        b"<!DOCTYPE" + b" x" * HEAD_BYTES,
        b"<?" * 4000,
    ],
)
def test_odd_bytes_are_read_or_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    try:
        document = read(path)
    except errors.ReadingError as error:
        text = str(error)
    else:
        text = document.text
    assert text.strip()


@pytest.mark.parametrize("name", TEXTS)
def test_a_document_survives_the_way_between_processes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(TEXTS[name][0])
    document = read(path)
    decoder = Decoder()
    for piece in encode(document):
        decoder.add(piece)
    assert decoder.document() == document


def test_reading_loads_a_parser_only_when_it_needs_one() -> None:
    program = (
        "import sys, core.documents.read, core.text.sentences\n"
        "core.documents.read.read_text('It grew.')\n"
        "heavy = {'lxml', 'docx', 'pypdfium2', 'markdown_it', 'html5lib'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_progress_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"It grew.")
    told: list[tuple[int, int, str]] = []
    read(path, progress=lambda done, total, what: told.append((done, total, what)))
    assert told
