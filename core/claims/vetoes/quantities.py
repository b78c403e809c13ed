"""The quantities of a text: what is measured, in comparable units, with its bounds and its place.

"48 hours" and "two days" are the same quantity, and so are "15 %", "15 per cent" and "three in
twenty". Units and the words for parts and multiples are those of `resources/gates/measures.json`.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from core.claims.vetoes.measures import (
    CURRENCY,
    measures,
    number_at,
    part_at,
    unit_after,
    unit_of,
)
from core.claims.vetoes.words import found, words_of
from core.text.reading import Reading, stems
from core.text.tokens import Kind, Token, number_value, tokenize

_GLUED = re.compile(r"(\d+(?:\.\d+)?)([^\W\d_]+)")
_BEFORE_A_PRONOUN = frozenset(
    {"no", "any", "every", "each", "some", "this", "that", "which", "another"}
)
"""After these "one" stands for a person or a thing, and counts nothing."""

_CLOCK = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")


@dataclass(frozen=True)
class Quantity:
    """A number of the text in its dimension's smallest unit; a text where it is no number.

    `unit` is the dimension ("" for a plain count), `per` what it is counted per, `high` the upper
    end where it opens a range. `at` is its place among the text's pieces, `end` the one after it.
    """

    value: Fraction | str
    unit: str
    at: int
    end: int
    written: str
    per: str = ""
    bounds: frozenset[str] = frozenset()
    high: Fraction | None = None
    places: int = 0

    @property
    def plain(self) -> bool:
        """Whether it is a count of something."""
        return self.unit == "" and not isinstance(self.value, str)


@dataclass(frozen=True)
class Measured:
    """A text in pieces, and its quantities in order."""

    pieces: tuple[Token, ...]
    quantities: tuple[Quantity, ...]

    @property
    def words(self) -> list[str]:
        """The pieces in lower case."""
        return [piece.key.lower() for piece in self.pieces]

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the content words."""
        return frozenset(stems(self.words))


def measured(text: Reading) -> Measured:
    """The quantities of `text`."""
    pieces = tuple(_pieces(text))
    lower = [piece.key.lower() for piece in pieces]
    out: list[Quantity] = []
    at = 0
    while at < len(pieces):
        quantity = _quantity(pieces, lower, at, out)
        if quantity is None:
            at += 1
        else:
            out.append(quantity)
            at = quantity.end
    return Measured(pieces, tuple(_ranges(out, lower)))


def _pieces(text: Reading) -> list[Token]:
    """The tokens, with compounds taken apart: "five-year", "30-day", "10mg"."""
    out: list[Token] = []
    tokens = tokenize(text.cleaned)
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        glued = _GLUED.fullmatch(token.key) if token.kind is Kind.WORD else None
        head, hyphen, tail = token.key.partition("-")
        if glued and (unit_of(glued[2]) or glued[2] in ("bn", "k", "m")):
            out += [_piece(Kind.NUMBER, glued[1], token), _piece(Kind.WORD, glued[2], token)]
        elif token.kind is Kind.WORD and hyphen and tail and _opens_compound(token, head):
            out += [_piece(Kind.WORD, part, token) for part in token.key.split("-")]
        elif (
            token.key == "-"
            and out
            and out[-1].kind is Kind.NUMBER
            and following
            and following.kind is Kind.WORD
        ):
            out += []
        else:
            out.append(token)
    return out


def _opens_compound(token: Token, head: str) -> bool:
    if number_value(token) is not None:
        return False
    return number_value(_piece(Kind.WORD, head, token)) is not None or head.lower() == "half"


def _piece(kind: Kind, key: str, token: Token) -> Token:
    return Token(kind, key, key, token.start, token.end)


def _quantity(
    pieces: tuple[Token, ...], lower: list[str], at: int, before: list[Quantity]
) -> Quantity | None:
    piece = pieces[at]
    if lower[at] == "one" and at and lower[at - 1] in _BEFORE_A_PRONOUN:
        return None
    if part := part_at(pieces, lower, at):
        value, end = part
        unit = "%"
        if of_one := _of_one_percent(pieces, lower, end):
            unit, end = of_one
        else:
            value *= 100
        return _bounded(Quantity(value, unit, at, end, _written(pieces, at, end)), lower)
    if lower[at] in measures()["factors"]:
        value = Fraction(measures()["factors"][lower[at]])
        return _bounded(Quantity(value, "×", at, at + 1, piece.text), lower)
    if lower[at] in measures()["uncounted"]:
        return Quantity(lower[at], "", at, at + 1, piece.text)
    if piece.key.startswith("^"):
        return Quantity(piece.key, "", at, at + 1, piece.text)
    number = number_at(pieces, lower, at)
    if number is None:
        if piece.kind is not Kind.NUMBER:
            return None
        clock = _CLOCK.fullmatch(piece.key)
        if clock:
            minutes = Fraction(int(clock[1]) * 60 + int(clock[2]))
            return _bounded(Quantity(minutes, "clock", at, at + 1, piece.text), lower)
        return Quantity(piece.key, "", at, at + 1, piece.text)
    value, end = number
    return _measured(pieces, lower, at, end, value, before)


def _of_one_percent(
    pieces: tuple[Token, ...], lower: list[str], end: int
) -> tuple[str, int] | None:
    """The unit, and where it ends, of "half a percent", "a quarter of a percentage point"."""
    end += lower[end : end + 1] == ["of"]
    if lower[end : end + 1] not in (["a"], ["one"]):
        return None
    unit = unit_after(pieces, lower, end + 1)
    return (unit[0], unit[2]) if unit and unit[0] in ("%", "points") else None


def _written(pieces: tuple[Token, ...], at: int, end: int) -> str:
    return " ".join(piece.text for piece in pieces[at:end])


def _measured(
    pieces: tuple[Token, ...],
    lower: list[str],
    at: int,
    end: int,
    value: Fraction,
    before: list[Quantity],
) -> Quantity:
    """The number at `at` with the unit, label or month that stands beside it."""
    written = _written(pieces, at, end)
    places = len(pieces[at].key.partition(".")[2]) if pieces[at].kind is Kind.NUMBER else 0
    here = Quantity(value, "", at, end, written, places=places)
    previous = lower[at - 1] if at else ""
    months = words_of("months")
    if _bracketed(lower, at) or _torn(lower, at):
        return replace(here, value=f"({written})")
    if lower[end : end + 1] and lower[end] in months and 1 <= value <= 31:
        return _bounded(replace(here, unit=f"of {lower[end]}", end=end + 1), lower)
    if previous in months and value <= 31 and lower[at - 2 : at - 1] != ["in"]:
        return _bounded(replace(here, unit=f"of {previous}"), lower)
    thing = _label(lower, at, before)
    if thing:
        size = unit_of(thing)
        if size and size[0] in ("time", "months"):
            return _bounded(replace(here, value=value * size[1], unit=size[0]), lower)
        name = pieces[at].key if pieces[at].kind is Kind.NUMBER else str(value)
        return replace(here, value=name, unit=f"# {thing}")
    if previous in CURRENCY:
        here = replace(here, unit=previous)
    elif unit := unit_after(pieces, lower, end):
        name, size_of, end = unit
        here = replace(here, value=value * size_of, unit=name, end=end)
    elif value.denominator == 1 and 1900 <= value < 2100 and end == at + 1:
        after_month = previous in months or lower[at - 2 : at - 1] in [[m] for m in months]
        here = replace(here, unit="year")
        return here if after_month else _bounded(here, lower)
    return _bounded(replace(here, per=_rate(pieces, lower, here.end)), lower)


def _label(lower: list[str], at: int, before: list[Quantity]) -> str:
    """What the number names: "phase 3", "girders 2 and 3"; "" for a number that counts."""
    if not at:
        return ""
    things = words_of("numbered_things") - {"no"}
    previous = lower[at - 1]
    for name in (previous, previous.removesuffix("s")):
        if name in things and lower[at - 2 : at - 1] not in (["a"], ["each"], ["per"], ["this"]):
            return name
    listed = before and previous in ("and", "or", ",", "to", "-") and before[-1].end == at - 1
    return before[-1].unit.removeprefix("# ") if listed and before[-1].unit[:1] == "#" else ""


def _bracketed(lower: list[str], at: int) -> bool:
    """Whether the number stands alone in brackets, as a loss does in accounts."""
    return (
        lower[at - 1 : at] == ["("]
        and lower[at + 1 : at + 2] == [")"]
        and lower[at - 2 : at - 1] != [lower[at]]
    )


def _torn(lower: list[str], at: int) -> bool:
    """Whether it may be the end of a number that was torn at its separator: "1, 200 tonnes"."""
    return (
        re.fullmatch(r"[1-9]\d{2}", lower[at]) is not None
        and lower[at - 1 : at] == [","]
        and re.fullmatch(r"[1-9]\d{0,2}", "".join(lower[max(0, at - 2) : at - 1])) is not None
        and lower[at + 1 : at + 2] not in ([","], ["and"], ["or"])
    )


def _rate(pieces: tuple[Token, ...], lower: list[str], end: int) -> str:
    """What a quantity that ends before piece `end` is counted per ("day"), or ""."""
    if end < len(lower) and lower[end] in measures()["rates"] and len(lower[end]) > 3:
        return str(measures()["rates"][lower[end]])
    if end + 1 >= len(lower) or pieces[end + 1].kind is Kind.PUNCTUATION:
        return ""
    unit = lower[end + 1]
    timed = unit in words_of("time_units")
    if lower[end] in ("per", "/", "each", "every") or (lower[end] in ("a", "an") and timed):
        if lower[end] in ("each", "every") and not timed:
            return ""
        return str(measures()["rates"].get(unit, unit.removesuffix("s") if len(unit) > 2 else unit))
    return ""


def _bounded(quantity: Quantity, lower: list[str]) -> Quantity:
    """The quantity with what its neighbours say of its bounds."""
    at, end = quantity.at, quantity.end
    at -= lower[at - 1 : at] in [[mark] for mark in (*CURRENCY, "a", "an", "the", "age")]
    before, after = " ".join(lower[max(0, at - 4) : at]), " ".join(lower[end : end + 4])
    point = quantity.unit in ("year", "clock") or quantity.unit.startswith("of ")
    names = ["lower", "upper", "above", "below", "near", "just above", "just below"]
    out = {n for n in names if any(before.endswith(p) for p in found("bounds", before, n))}
    for name in ("lower", "upper"):
        if any(after.startswith(phrase) for phrase in found("bounds", after, f"{name} after")):
            out.add(name)
    if point:
        out |= {n for n in names if before.split()[-1:] in [[w] for w in _POINT.get(n, ())]}
    if before.endswith("over") and quantity.unit in ("time", "months"):
        out.discard("above")
    for stronger, weaker in _STRONGER:
        if stronger in out:
            out.discard(weaker)
    return replace(quantity, bounds=frozenset(out))


_POINT = {"upper": ("by", "until", "till"), "below": ("before",), "above": ("after", "since")}
_STRONGER = (
    ("lower", "below"),
    ("upper", "above"),
    ("just above", "above"),
    ("just above", "near"),
    ("just below", "below"),
    ("just below", "near"),
)


def _ranges(quantities: list[Quantity], lower: list[str]) -> list[Quantity]:
    """The quantities, with "3 to 5 days" and "between 3 and 5 days" as ranges of one unit."""
    out = list(quantities)
    for at in range(len(out) - 1):
        one, other = out[at], out[at + 1]
        joint = lower[one.end : other.at]
        if joint and joint[-1] in CURRENCY:
            joint = joint[:-1]
        between = joint == ["and"] and lower[one.at - 1 : one.at] == ["between"]
        if not (between or joint in (["to"], ["-"])):
            continue
        if isinstance(one.value, str) or isinstance(other.value, str):
            continue
        low = one.value
        if not one.unit and other.unit and other.value and other.unit not in ("year", "×"):
            low = one.value * _size(other, lower)
            one = out[at] = replace(one, value=low, unit=other.unit, per=other.per)
        changes = joint == ["to"] and "from" in lower[max(0, one.at - 3) : one.at]
        if one.unit == other.unit and low < other.value and not changes:
            out[at] = replace(one, high=other.value)
            out[at + 1] = replace(other, value=low, high=other.value)
    return out


def _size(quantity: Quantity, lower: list[str]) -> Fraction:
    known = [unit_of(word) for word in lower[quantity.at + 1 : quantity.end]]
    return next((unit[1] for unit in known if unit and unit[0] == quantity.unit), Fraction(1))


def counted(text: Measured, quantity: Quantity) -> str:
    """The stem of the content word right after a plain count; "" for none."""
    words = text.words[quantity.end : quantity.end + 1] if quantity.plain else []
    return next(iter(stems(words)), "")
