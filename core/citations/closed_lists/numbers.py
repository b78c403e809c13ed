"""How the numbers of lists are written, compared and taken apart."""

import re

_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV",
           "XV", "XVI", "XVII", "XVIII", "XIX", "XX")  # fmt: skip
_LAST = re.compile(
    r"(?:\([^()]*\)|\[[^\[\]]*\]|[.\- ]P?\d+|[.\- ][A-Z]{1,2}(?:-P)?|(?<=[A-Z])\d+"
    r"|(?<=\d)[a-z]|(?<=P)\d+)\Z"
)
_LOOSE = re.compile(r" (?=[()])|(?<=\() ")
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)|(?<=\.)0+(?=\d)")

LONGEST = 200
"""Characters of a number; a longer one is in no list."""


def roman(numeral: str) -> int:
    """The value of a Roman numeral up to XX, 0 for any other text."""
    return _ROMANS.index(numeral) + 1 if numeral in _ROMANS else 0


def tidy(number: str) -> str:
    """A number without the space that says nothing, and without a sign §."""
    return _LOOSE.sub("", " ".join(number.replace("§", " ").split()))


def unpadded(number: str) -> str:
    """The number without leading zeros: "AC-02" and "03.01.01" give "AC-2" and "3.1.1"."""
    return _ZEROS.sub("", number)


def notation(number: str) -> tuple[str, ...]:
    """The letters and numbers of a number, without their marks, padding and capitals.

    Two numbers of one list that agree in this are one place in two notations, as far as the list
    has no more than one such place.
    """
    tokens = [token.lstrip("0") or "0" if token.isdecimal() else token.casefold()
              for token in _TOKEN.findall(number)]  # fmt: skip
    if tokens[:1] == ["annex"] and len(tokens) > 1 and tokens[1].isdecimal():
        value = int(tokens[1][:3])
        if 1 <= value <= len(_ROMANS):
            tokens[1] = _ROMANS[value - 1].casefold()
    return tuple(tokens)


def above(number: str) -> str:
    """The number with its last step left out; empty where it has one step alone."""
    shorter = _LAST.sub("", number)
    return "" if shorter == number else shorter


def ancestors(number: str) -> tuple[str, ...]:
    """What stands above a number, the nearest first."""
    found = []
    while number := above(number):
        found.append(number)
    return tuple(found)


def steps(number: str) -> tuple[str, ...]:
    """The steps by which a number goes down, from its beginning: "28(3)(a)", "28(3)", … apart."""
    chain = (number, *ancestors(number))
    return tuple(
        longer[len(shorter):] for longer, shorter in zip(chain, (*chain[1:], ""), strict=True)
    )[::-1]  # fmt: skip
