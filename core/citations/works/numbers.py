"""Numbers with a check digit: ISBN (ISO 2108) and ISSN (ISO 3297)."""

import re

_NOT_IN_NUMBER = re.compile(r"[^0-9Xx]")


def isbn13(text: str) -> str | None:
    """The 13 digits of an ISBN-10 or ISBN-13, hyphens and spaces aside; None where it is wrong.

    >>> isbn13("0-306-40615-2")
    '9780306406157'
    """
    code = _NOT_IN_NUMBER.sub("", text).upper()
    if len(code) == 13 and code.isdigit() and code[:3] in ("978", "979"):
        return code if code[-1] == _ean_check(code[:-1]) else None
    if len(code) == 10 and code[:-1].isdigit():
        total = sum((10 - n) * _value(digit) for n, digit in enumerate(code))
        if total % 11 == 0:
            stem = "978" + code[:-1]
            return stem + _ean_check(stem)
    return None


def issn(text: str) -> str | None:
    """An ISSN with its hyphen; None where its check digit is wrong."""
    code = _NOT_IN_NUMBER.sub("", text).upper()
    if len(code) != 8 or not code[:-1].isdigit():
        return None
    total = sum((8 - n) * _value(digit) for n, digit in enumerate(code))
    return f"{code[:4]}-{code[4:]}" if total % 11 == 0 else None


def _value(digit: str) -> int:
    return 10 if digit == "X" else int(digit)


def _ean_check(stem: str) -> str:
    total = sum(int(digit) * (3 if n % 2 else 1) for n, digit in enumerate(stem))
    return str(-total % 10)
