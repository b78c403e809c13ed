"""Numbers, units, signs and bounds of the claim must be those of the passage."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from core.claims.vetoes.words import found
from core.resource import load_json
from core.text.reading import Reading, stems
from core.text.tokens import Kind, Token, number_value

_CURRENCY = frozenset("$€£¥")
_REACH = 3


@cache
def _units() -> frozenset[str]:
    return frozenset(load_json("gates/numbers.json")["unit_names"])


@dataclass(frozen=True)
class Quantity:
    """A number of the text with its unit ("" for none), its bounds, and the words near it."""

    value: Decimal | str
    unit: str
    bounds: frozenset[str]
    near: frozenset[str]
    decimals: int


def quantities_of(text: Reading) -> list[Quantity]:
    """Every number of the text, in order; a number that is no decimal is kept as written."""
    tokens = text.tokens
    out: list[Quantity] = []
    for at, token in enumerate(tokens):
        value: Decimal | str | None = number_value(token)
        if value is None and token.kind is Kind.NUMBER:
            value = token.key
        if value is None and token.key.startswith("^"):
            value = token.key
        if value is None:
            continue
        out.append(
            Quantity(
                value,
                _unit(tokens, at),
                _bounds(tokens, at),
                _near(tokens, at),
                len(token.key.partition(".")[2]),
            )
        )
    return out


def _unit(tokens: list[Token], at: int) -> str:
    if at and tokens[at - 1].key in _CURRENCY:
        return tokens[at - 1].key
    after = [t.key for t in tokens[at + 1 : at + 4]]
    if after[:2] in (["percentage", "points"], ["percentage", "point"]):
        return "points"
    if after and after[0] in _units():
        if after[0] == "°" and len(after) > 1 and after[1] in ("C", "F", "K"):
            return "°" + after[1]
        return after[0] + ("/" + after[2] if after[1:2] == ["/"] and len(after) > 2 else "")
    if after and after[0].lower() in ("business", "working", "calendar") and len(after) > 1:
        return f"{after[0].lower()} {after[1].lower().rstrip('s')}"
    return ""


def _bounds(tokens: list[Token], at: int) -> frozenset[str]:
    before = " ".join(t.key.lower() for t in tokens[max(0, at - 4) : at])
    after = " ".join(t.key.lower() for t in tokens[at + 1 : at + 5])
    out: set[str] = set()
    for name in ("lower", "upper", "above", "below", "near"):
        phrases = found("bounds", before, name)
        if any(before.endswith(p) or f"{p} the" in before or p.startswith("no ") for p in phrases):
            out.add(name)
        if any(p.startswith("or ") and after.find(p) >= 0 for p in found("bounds", after, name)):
            out.add(name)
    if "lower" in out and "below" in out:
        out.discard("below")
    if "upper" in out and "above" in out:
        out.discard("above")
    return frozenset(out)


def _near(tokens: list[Token], at: int) -> frozenset[str]:
    """Content words around a number, up to the next number or clause mark on either side."""
    words: list[str] = []
    for step in (-1, 1):
        place, taken = at + step, 0
        while 0 <= place < len(tokens) and taken < _REACH:
            token = tokens[place]
            if token.kind is Kind.NUMBER or token.key in (";", ",", ".", ":"):
                break
            if token.kind is Kind.WORD:
                content = stems([token.key.lower()])
                words += content
                taken += bool(content)
            place += step
    return frozenset(words)


def numbers(claim: Reading, passage: Reading) -> str | None:
    """Every quantity of the claim stands in the passage, with its unit, sign and bound."""
    there = quantities_of(passage)
    for mine in quantities_of(claim):
        equal = [q for q in there if _equal(mine, q)]
        if not equal:
            return f"the passage does not give the number {mine.value} {mine.unit}".rstrip()
        if not any(_same_bound(mine.bounds, q.bounds) for q in equal):
            return f"the number {mine.value} is bounded differently in the passage"
    return None


def _equal(mine: Quantity, theirs: Quantity) -> bool:
    if mine.unit != theirs.unit:
        return False
    if isinstance(mine.value, str) or isinstance(theirs.value, str):
        return mine.value == theirs.value
    if mine.value == theirs.value:
        return True
    if "near" in mine.bounds:
        step = Decimal(1).scaleb(-mine.decimals)
        return abs(mine.value - theirs.value) <= step / 2
    return False


def _same_bound(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return mine - {"near"} == theirs - {"near"} and not ("near" in theirs and "near" not in mine)


def number_roles(claim: Reading, passage: Reading) -> str | None:
    """Each number belongs to the same thing: arms, groups and dates are not exchanged."""
    mine = quantities_of(claim)
    there = quantities_of(passage)
    for quantity in mine:
        own = [len(quantity.near & q.near) for q in there if _equal(quantity, q)]
        others = [
            len(quantity.near & q.near)
            for q in there
            if not _equal(quantity, q) and q.unit == quantity.unit
        ]
        if own and others and max(others) > max(own):
            return f"in the passage another number stands where the claim has {quantity.value}"
    return None
