"""Numbers, parts of a whole and units, as words write them: `resources/gates/measures.json`."""

from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from core.resource import load_json
from core.text.tokens import Kind, Token, number_value

CURRENCY = frozenset("$€£¥")


@cache
def measures() -> Any:
    """The table of units and of the words for magnitudes, parts and multiples."""
    return load_json("gates/measures.json")


@cache
def _units() -> dict[str, tuple[str, Fraction]]:
    """Dimension and size of each unit, as written; in lower case where case says nothing."""
    out = {
        unit: (dimension, Fraction(size))
        for dimension, units in measures()["units"].items()
        for unit, size in units.items()
    }
    return out | {unit: (unit, Fraction(1)) for unit in measures()["other_units"]}


def unit_of(key: str) -> tuple[str, Fraction] | None:
    """The dimension of a unit, and its size in the dimension's smallest unit."""
    units = _units()
    return units.get(key) or (units.get(key.lower()) if len(key) > 3 else None)


def number_at(pieces: tuple[Token, ...], lower: list[str], at: int) -> tuple[Fraction, int] | None:
    """The number that opens at `at`, and where it ends: "two hundred and ten", "1.2 million"."""
    magnitudes = measures()["magnitudes"]
    decimal = number_value(pieces[at])
    money = at > 0 and lower[at - 1] in CURRENCY
    if decimal is None:
        opens = lower[at] in magnitudes and len(lower[at]) > 3
        return (Fraction(magnitudes[lower[at]]), at + 1) if opens else None
    value, end = Fraction(decimal), at + 1
    while end < len(lower) and lower[end] in magnitudes and (len(lower[end]) > 1 or money):
        size = magnitudes[lower[end]]
        value, end = value * size, end + 1
        joined = end + (lower[end : end + 1] == ["and"])
        more = number_value(pieces[joined]) if joined < len(pieces) else None
        in_words = joined < len(pieces) and pieces[joined].kind is Kind.WORD and not money
        if size in (100, 1000) and more is not None and more < size and in_words:
            value, end = value + Fraction(more), joined + 1
    if lower[end : end + 3] == ["and", "a", "half"]:
        return value + Fraction(1, 2), end + 3
    return value, end


def part_at(pieces: tuple[Token, ...], lower: list[str], at: int) -> tuple[Fraction, int] | None:
    """A part of a whole that opens at `at`: "half", "a third of", "two thirds", "one in five"."""
    parts = measures()["parts"]
    value = number_value(pieces[at])
    following = lower[at + 1 : at + 4]
    if value is not None and following:
        count = Fraction(value)
        if following[0] in parts and count >= 1 and (count > 1) == following[0].endswith("s"):
            return count / parts[following[0]], at + 2
        whole = at + (3 if following[:2] == ["out", "of"] else 2)
        if following[0] in ("in", "out") and whole < len(pieces) and count > 0:
            total = number_value(pieces[whole])
            if total is not None and count < total <= 100 and (whole > at + 2 or total in _TENS):
                return count / Fraction(total), whole + 1
    if lower[at] == "half" and (following[:1] in _HALF_BEFORE or lower[at - 1 : at] in _THAN):
        return Fraction(1, 2), at + 1
    opens = lower[at] == "a" and bool(following) and following[0] in parts.keys() - {"half"}
    if opens and (following[1:2] in _OF or lower[at - 1 : at] in _THAN or len(following) == 1):
        return Fraction(1, parts[following[0]]), at + 2
    return None


_TENS = frozenset(map(Decimal, (3, 4, 5, 6, 7, 8, 10, 12, 20, 50, 100)))
_HALF_BEFORE = (["of"], ["the"], ["its"], ["their"], ["all"], ["a"], ["an"], ["hour"], ["year"])
_THAN = (["than"], ["by"], ["over"], ["about"], ["roughly"], ["nearly"], ["almost"], ["under"])
_OF = (["of"], ["more"], ["less"], ["fewer"], ["higher"], ["lower"], ["were"], ["had"], ["was"])


def unit_after(
    pieces: tuple[Token, ...], lower: list[str], end: int
) -> tuple[str, Fraction, int] | None:
    """The unit from piece `end` on: its dimension, its size, and where it ends."""
    if end >= len(pieces):
        return None
    if lower[end : end + 2] in (["percentage", "points"], ["percentage", "point"]):
        return "points", Fraction(1), end + 2
    if lower[end : end + 2] == ["per", "cent"]:
        return "%", Fraction(1), end + 2
    if lower[end] == "°" and end + 1 < len(pieces):
        return "°" + pieces[end + 1].key, Fraction(1), end + 2
    if lower[end] in ("business", "working", "calendar") and end + 1 < len(pieces):
        known = unit_of(lower[end + 1])
        return (
            (known[0], known[1], end + 2)
            if known and lower[end] == "calendar"
            else (f"{lower[end]} {lower[end + 1].rstrip('s')}", Fraction(1), end + 2)
        )
    unit = unit_of(pieces[end].key)
    if unit is None:
        return None
    if lower[end + 1 : end + 2] and lower[end + 1].startswith("^"):
        return pieces[end].key + lower[end + 1], Fraction(1), end + 2
    return unit[0], unit[1], end + 1
