"""Bytes to characters, for the text formats."""

import codecs
import re

FALLBACK = (
    "The file is not in UTF-8; it was read as Western European (Windows-1252) text. "
    "Look whether accents and signs are right; if not, save it as UTF-8 and add it again."
)

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{2,40})|"
    rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w-]{2,40})",
    re.IGNORECASE,
)
_SNIFFED = 4096


def decode(data: bytes, *, declared: bool = False) -> tuple[str, str | None]:
    """The text in `data`, and a warning for the person when its encoding had to be guessed.

    A byte-order mark decides, then what an HTML or XML head declares (`declared`), then UTF-8,
    then Windows-1252. The byte-order mark is not part of the text.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), None
    if declared and (found := _DECLARED.search(data, 0, _SNIFFED)):
        try:
            name = (found[1] or found[2]).decode("ascii")
            # The HTML standard reads these labels as Windows-1252.
            plain = {"iso-8859-1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"}
            return data.decode(plain.get(name.lower(), name)), None
        except (LookupError, UnicodeDecodeError):
            pass
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), FALLBACK
