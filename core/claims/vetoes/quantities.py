"""The quantities of a text, with what makes each one different from another."""

from dataclasses import dataclass
from decimal import Decimal

from core.claims.vetoes.words import contents, found, words_of
from core.resource import load_json
from core.text.reading import Reading
from core.text.tokens import Kind, Token, number_value

_CURRENCY = frozenset("$€£¥")
_ADVERBS = frozenset(["hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annually"])
_REACH = 3


@dataclass(frozen=True)
class Quantity:
    """A number of the text with its unit ("" for none), its bounds, and the words near it.

    `lead` is the content word before it, and `counted` the one right after it; "" for none.
    """

    value: Decimal | str
    unit: str
    bounds: frozenset[str]
    near: frozenset[str]
    lead: str
    counted: str
    decimals: int

    @property
    def is_year(self) -> bool:
        """Whether it reads as a year."""
        return not self.unit and isinstance(self.value, Decimal) and 1900 <= self.value < 2100


def quantities_of(text: Reading) -> list[Quantity]:
    """Every number of the text, in order; a number that is no decimal is kept as written."""
    tokens = text.tokens
    words = {at: stem for stem, at in contents(text)}
    out: list[Quantity] = []
    for at, token in enumerate(tokens):
        value: Decimal | str | None = number_value(token)
        if token.key.startswith("^") or (value is None and token.kind is Kind.NUMBER):
            value = token.key
        if value is None:
            continue
        if _is_label(tokens, at):
            value = token.key
        if _bracketed(tokens, at):
            value = f"({token.key})"
        unit, end = _unit(tokens, at)
        out.append(
            Quantity(
                value,
                unit + _rate(tokens, end),
                _bounds(tokens, at),
                _near(tokens, words, at),
                _lead(tokens, words, at),
                "" if _is_label(tokens, at) or end > at + 1 else words.get(at + 1, ""),
                len(token.key.partition(".")[2]),
            )
        )
    return out


def _bracketed(tokens: list[Token], at: int) -> bool:
    """Whether the number stands alone in brackets, as a loss does in accounts."""
    around = [t.key for t in (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])]
    repeated = at >= 2 and tokens[at - 2].key == tokens[at].key
    return around == ["(", ")"] and not repeated


def _is_label(tokens: list[Token], at: int) -> bool:
    """Whether the number only names the thing before it: "hall two", "phase 3"."""
    return at > 0 and tokens[at - 1].key.lower() in words_of("numbered_things")


def _unit(tokens: list[Token], at: int) -> tuple[str, int]:
    """The number's unit, and the number of the token after both."""
    if at and tokens[at - 1].key in _CURRENCY:
        return tokens[at - 1].key, at + 1
    after = [t.key for t in tokens[at + 1 : at + 3]]
    if after[:2] in (["percentage", "points"], ["percentage", "point"]):
        return "points", at + 3
    if after and after[0] in load_json("gates/numbers.json")["unit_names"]:
        if after[0] == "°" and len(after) > 1 and after[1] in ("C", "F", "K"):
            return "°" + after[1], at + 3
        return after[0], at + 2
    if after and after[0].lower() in ("business", "working", "calendar") and len(after) > 1:
        return f"{after[0].lower()} {after[1].lower().rstrip('s')}", at + 3
    return "", at + 1


def _rate(tokens: list[Token], end: int) -> str:
    """What a quantity that ends before token `end` is counted per: " per day", or ""."""
    after = [t.key.lower() for t in tokens[end : end + 2]]
    if after and after[0] in _ADVERBS:
        return f" {after[0]}"
    counted = len(after) == 2 and tokens[end + 1].kind is Kind.WORD
    if counted and after[0] in ("per", "/", "each", "every"):
        return f" per {after[1]}"
    if counted and after[0] in ("a", "an") and after[1] in words_of("time_units"):
        return f" per {after[1]}"
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


def _near(tokens: list[Token], words: dict[int, str], at: int) -> frozenset[str]:
    """Content words around a number, up to the next number or clause mark on either side."""
    near: list[str] = []
    for step in (-1, 1):
        place, taken = at + step, 0
        while 0 <= place < len(tokens) and taken < _REACH:
            token = tokens[place]
            if token.kind is Kind.NUMBER or token.key in (";", ",", ".", ":"):
                break
            if place in words:
                near.append(words[place])
                taken += 1
            place += step
    return frozenset(near)


def _lead(tokens: list[Token], words: dict[int, str], at: int) -> str:
    """The content word before the number, in the same clause and with no number between."""
    for place in range(at - 1, max(-1, at - 5), -1):
        if tokens[place].kind is Kind.NUMBER or tokens[place].key in (";", ".", ":"):
            return ""
        if place in words:
            return words[place]
    return ""
