"""Tell a file's format from its content; the extension decides only between text formats."""

import re
import zipfile
from pathlib import Path

from core.documents.errors import DamagedFile, PasswordNeeded, UnknownFormat
from core.documents.model import Format

HEAD_BYTES = 65_536
"""How much of a file `detect` looks at."""

_PDF_WITHIN = 1024
_SAVE_AS = "Open it in the program that made it, save it as DOCX or PDF, and add that file."

_BINARY: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", f"This is an RTF file, which Countersign does not read. {_SAVE_AS}"),
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (b"BM", "image"),
    (b"%!PS", f"This is a PostScript file, which Countersign does not read. {_SAVE_AS}"),
    (b"AT&TFORM", f"This is a DjVu file, which Countersign does not read. {_SAVE_AS}"),
    (b"\x1f\x8b", "archive"),
    (b"7z\xbc\xaf", "archive"),
    (b"Rar!", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ", "archive"),
    (b"\x7fELF", "program"),
    (b"MZ", "program"),
)
_IMAGE = (
    "This is a picture, so there is no text in it to check against. "
    "Make its text readable with a text-recognition (OCR) program, save that as PDF, and add it."
)
_ARCHIVE = "This is a packed archive. Unpack it, and add the documents that are in it."
_PROGRAM = "This is a program, not a document. Nothing was added."
_OTHER = (
    "Countersign does not know what kind of file this is. It reads PDF, Word (DOCX), "
    "journal articles in XML (JATS), HTML, Markdown and plain text. Save it as one of these."
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"

_MIME = "mimetype"
_ZIP_KINDS: tuple[tuple[str, str], ...] = (
    ("xl/workbook.xml", "This is an Excel workbook."),
    ("ppt/presentation.xml", "This is a PowerPoint presentation."),
    ("META-INF/container.xml", "This is an e-book (EPUB)."),
    ("content.xml", "This is an OpenDocument file."),
    ("index.xml", "This is a Pages, Numbers or Keynote file."),
    ("Index/Document.iwa", "This is a Pages, Numbers or Keynote file."),
)

_DOCTYPE = re.compile(rb"<!DOCTYPE\s+([A-Za-z:]+)", re.IGNORECASE)
_ROOT = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_BEFORE_ROOT = re.compile(
    rb"\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>|\s+)*", re.DOTALL | re.IGNORECASE
)
_HTML_TAGS = re.compile(
    rb"<(?:html|head|body|title|meta|div|p|h[1-6]|table|ul|ol|span|section|main|article|br|a)\b",
    re.IGNORECASE,
)
_HTML_ROOTS = frozenset(
    {
        b"html",
        b"head",
        b"body",
        b"div",
        b"p",
        b"section",
        b"main",
        b"table",
        b"ul",
        b"ol",
        b"h1",
        b"h2",
        b"h3",
        b"h4",
        b"meta",
        b"title",
        b"style",
        b"span",
        b"nav",
        b"header",
        b"center",
    }
)
_MARKDOWN = re.compile(
    r"^(?:#{1,6} \S|```|~~~|\|.+\|\s*$|\s*[-*] \[[ x]\] |---\s*\n\w+:)", re.MULTILINE
)
_MARKDOWN_LINK = re.compile(r"\[[^\]\n]+\]\([^)\s]+\)|\*\*[^*\n]+\*\*")
_EXTENSIONS: dict[str, Format] = {
    ".pdf": Format.PDF,
    ".docx": Format.DOCX,
    ".docm": Format.DOCX,
    ".xml": Format.JATS,
    ".nxml": Format.JATS,
    ".jats": Format.JATS,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".txt": Format.TEXT,
    ".text": Format.TEXT,
}
_NAMES: dict[Format, str] = {
    Format.PDF: "a PDF",
    Format.DOCX: "a Word document (DOCX)",
    Format.JATS: "a journal article in XML (JATS)",
    Format.HTML: "a web page (HTML)",
    Format.MARKDOWN: "Markdown text",
    Format.TEXT: "plain text",
}


def detect(path: Path, head: bytes) -> Format:
    """The format of the file at `path`, whose first `HEAD_BYTES` bytes are `head`.

    Raises `UnknownFormat` with what to do, `PasswordNeeded` for an encrypted Word document, and
    `DamagedFile` for a zip that cannot be opened.
    """
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return Format.PDF
    if head.startswith((_ZIP, _EMPTY_ZIP)):
        return _in_zip(path)
    if head.startswith(_OLE):
        raise _ole(path)
    for magic, message in _BINARY:
        if head.startswith(magic) and (len(magic) > 2 or b"\x00" in head[:512]):
            known = {"image": _IMAGE, "archive": _ARCHIVE, "program": _PROGRAM}
            raise UnknownFormat(known.get(message, message))
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        raise UnknownFormat(_IMAGE)
    if _is_binary(head):
        raise UnknownFormat(_OTHER)
    return _in_text(path, _as_utf8(head))


def extension_warning(path: Path, found: Format) -> str | None:
    """A sentence for the person when the file's extension names another format than `found`."""
    claimed = _EXTENSIONS.get(path.suffix.lower())
    texts = (Format.TEXT, Format.MARKDOWN)
    if claimed is None or claimed is found or (claimed in texts and found in texts):
        return None
    return (
        f"The file's name ends in {path.suffix.lower()}, but its content is {_NAMES[found]}; "
        "it was read as that."
    )


def _in_zip(path: Path) -> Format:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DamagedFile(
            "The file is cut short or damaged, so it cannot be opened. Nothing was added. "
            "Get the file again, or open it in Word, save it and add it again."
        ) from error
    if "word/document.xml" in names or any(
        re.fullmatch(r"word/document\d*\.xml", name) for name in names
    ):
        return Format.DOCX
    for member, sentence in _ZIP_KINDS:
        if member in names:
            raise UnknownFormat(f"{sentence} Countersign does not read it. {_SAVE_AS}")
    raise UnknownFormat(_ARCHIVE)


def _ole(path: Path) -> Exception:
    """The error for an OLE file: an encrypted Office document, or one of the old formats."""
    carried = b""
    with path.open("rb") as stream:
        while piece := stream.read(1 << 20):
            if _ENCRYPTED in carried + piece:
                return PasswordNeeded(
                    "This document is protected with a password, and Countersign cannot unlock "
                    "Office files. Open it in Word, remove the password (File, Info, Protect "
                    "Document), save a copy and add that."
                )
            carried = piece[-len(_ENCRYPTED) :]
    return UnknownFormat(
        f"This is a file of an old Office format (such as .doc), which Countersign does not read. "
        f"{_SAVE_AS}"
    )


def _is_binary(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    if b"\x00" in head:
        return not _looks_utf16(head)
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return controls * 50 > len(head)


def _looks_utf16(head: bytes) -> bool:
    """Whether an XML declaration stands there in UTF-16 without a byte-order mark."""
    return head.startswith((b"<\x00?\x00", b"\x00<\x00?"))


def _as_utf8(head: bytes) -> bytes:
    if head.startswith((b"\xff\xfe", b"<\x00")):
        return head.decode("utf-16-le", "ignore").encode("utf-8", "ignore")
    if head.startswith((b"\xfe\xff", b"\x00<")):
        return head.decode("utf-16-be", "ignore").encode("utf-8", "ignore")
    return head


def _in_text(path: Path, head: bytes) -> Format:
    plain = head.removeprefix(b"\xef\xbb\xbf").removeprefix("\ufeff".encode())
    suffix = path.suffix.lower()
    before = _BEFORE_ROOT.match(plain)
    root = _ROOT.match(plain, before.end() if before else 0)
    doctype = _DOCTYPE.search(plain, 0, 4096)
    name = root[1].lower() if root else b""
    bare = name.rpartition(b":")[2]
    if doctype is not None and doctype[1].lower() == b"html" and plain.lstrip()[:1] == b"<":
        return Format.HTML
    if bare in (b"article", b"pmc-articleset", b"oai-pmh") and _is_jats(plain):
        return Format.JATS
    if bare == b"html" or (bare in _HTML_ROOTS and suffix not in (".md", ".markdown")):
        return Format.HTML
    if plain.lstrip()[:5].lower() == b"<?xml":
        raise UnknownFormat(
            "This is an XML file, but not a journal article in the JATS format, the only XML that "
            "Countersign reads. Save the document as DOCX, PDF or HTML, and add that file."
        )
    if suffix in (".html", ".htm", ".xhtml") and _HTML_TAGS.search(plain):
        return Format.HTML
    if suffix in (".md", ".markdown"):
        return Format.MARKDOWN
    text = plain.decode("utf-8", "ignore")
    if len(_MARKDOWN.findall(text)) + len(_MARKDOWN_LINK.findall(text)) >= 2:
        return Format.MARKDOWN
    return Format.TEXT


def _is_jats(plain: bytes) -> bool:
    marks = (b"<front>", b"<front ", b"<article-meta", b"journalpublishing", b"archivearticle")
    low = plain.lower()
    return any(mark in low for mark in (*marks, b"jats", b"nlm//dtd", b"<body>", b"article-type="))
