"""Character classes that Python's `re` has no name for."""

import unicodedata
from collections.abc import Callable

_LAST = 0x2DFF
"""The last code point that is looked at: Latin, Greek, Cyrillic and Armenian are below it."""


def _class(holds: Callable[[str], bool]) -> str:
    """The inside of a character class with every character up to `_LAST` for which it holds."""
    made: list[str] = []
    first: int | None = None
    for code in range(0x41, _LAST + 2):
        inside = code <= _LAST and holds(chr(code))
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            made.append(chr(first) if code - first == 1 else f"{chr(first)}-{chr(code - 1)}")
            first = None
    return "".join(made)


UPPER = _class(lambda c: unicodedata.category(c) in ("Lu", "Lt"))
"""Capital letters, to stand between `[` and `]`."""

LOWER = _class(lambda c: unicodedata.category(c) in ("Ll", "Lm", "Mn"))
"""Small letters and combining marks."""

LETTER = r"[^\W\d_]"

CJK = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
"""Han, kana and hangul, to stand between `[` and `]`."""

DASH = "\u2010-\u2015\u2212-"
"""Printed dashes and the hyphen, to stand last between `[` and `]`."""

APOSTROPHE = "'\u2018\u2019\u02bc`\u00b4"
