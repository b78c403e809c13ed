"""Tokens of cleaned text, as the gates compare them.

Nothing that carries meaning is dropped: signs, bounds, per cent, currency and the punctuation
inside a sentence are tokens. Only quotation marks and the final full stop are left out.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from core.resource import load_json
from core.text.hygiene import LINE_HYPHEN


class Kind(StrEnum):
    """What a token is."""

    WORD = "word"
    NUMBER = "number"
    SYMBOL = "symbol"
    PUNCTUATION = "punctuation"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` as written in the cleaned text at `start:end`; `key` is what comparisons use.

    A word broken at a line's end has two readings: `key` joined ("request") and `other` with
    its hyphen ("re-quest").
    """

    kind: Kind
    text: str
    key: str
    start: int
    end: int
    other: str = ""

    def same(self, other: "Token") -> bool:
        """Whether the two tokens say the same, letter case included."""
        mine, theirs = {self.key, self.other or self.key}, {other.key, other.other or other.key}
        return self.kind == other.kind and not mine.isdisjoint(theirs)


_TOKEN = re.compile(
    rf"""
      (?P<number>(?:(?<![\w)\]%°])[-+](?=\.?\d))?(?:\d+(?:[.:]\d+)*(?:,\d+)?|\.\d+)(?![\w{LINE_HYPHEN}]))
    | (?P<word>[^\W_]\w*(?:[-'.&{LINE_HYPHEN}][^\W_]\w*)*(?:[+]{{1,2}}|[-](?=[\s,;.)]|$))?)
    | (?P<symbol><=|>=|<|>|≤|≥|=|±|×|\^[-+]?\w+|\^|~|≈|≠|%|‰|°|[$€£¥&+/§*#@→←↑↓])
    | (?P<quote>["])
    | (?P<punctuation>\S)
    """,
    re.VERBOSE,
)
_SAME_SYMBOL = {"<=": "≤", ">=": "≥", "~": "≈"}


def tokenize(cleaned: str) -> list[Token]:
    """Tokens of `cleaned` (text after hygiene), in order, without quotes and the final stop."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(cleaned):
        kind, text = match.lastgroup, match.group()
        start, end = match.span()
        if kind == "quote":
            continue
        if kind == "number":
            tokens.append(Token(Kind.NUMBER, text, text.lstrip("+"), start, end))
        elif kind == "word":
            key, other = text.replace(LINE_HYPHEN, ""), ""
            if LINE_HYPHEN in text:
                other = text.replace(LINE_HYPHEN, "-")
            tokens.append(Token(Kind.WORD, text, key, start, end, other))
        elif kind == "symbol":
            tokens.append(Token(Kind.SYMBOL, text, _SAME_SYMBOL.get(text, text), start, end))
        elif text != "'":
            tokens.append(Token(Kind.PUNCTUATION, text, text, start, end))
    while tokens and tokens[-1].key in (".", "!"):
        tokens.pop()
    return tokens


def words(tokens: Sequence[Token]) -> list[str]:
    """The keys of the words and numbers, in lower case, in order."""
    return [t.key.lower() for t in tokens if t.kind in (Kind.WORD, Kind.NUMBER)]


def bigram_coverage(claim: Sequence[str], source: Sequence[str]) -> float:
    """Share of the claim's adjacent word pairs that the source has in the same order, 0..1."""
    wanted = set(itertools.pairwise(claim))
    if not wanted:
        return 0.0
    return len(wanted & set(itertools.pairwise(source))) / len(wanted)


def number_value(token: Token) -> Decimal | None:
    """The value of a number or number word; None for anything else ("1.2.3", "12:30", "1,5")."""
    if token.kind is Kind.NUMBER:
        if re.fullmatch(r"-?\d*\.?\d+", token.key):
            return Decimal(token.key)
        return None
    if token.kind is not Kind.WORD:
        return None
    table = load_json("gates/numbers.json")["words"]
    word = token.key.lower()
    if word in table:
        return Decimal(table[word])
    tens, _, ones = word.partition("-")
    if table.get(tens, 0) >= 20 and 0 < table.get(ones, 0) < 10:
        return Decimal(table[tens] + table[ones])
    return None


def quantities(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with equal quantities made equal: "twelve" and "12", "3 days" and "72 hours".

    A unit is only converted where one number stands alone before it: in "3 to 5 days" the unit
    belongs to both numbers, so nothing is touched there.
    """
    table = load_json("gates/numbers.json")
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        value = number_value(token)
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.key.lower() == "half" and _share_of(tokens, at):
            out.append(_number(token, Decimal(50)))
            out.append(Token(Kind.SYMBOL, token.text, "%", token.start, token.end))
        elif value is not None:
            factor = _unit(tokens, at, out, table)
            if factor is not None and following is not None:
                dimension, size = factor
                out.append(_number(token, value * size))
                out.append(
                    Token(Kind.WORD, following.text, dimension, following.start, following.end)
                )
                at += 1
            elif token.kind is Kind.WORD:
                out.append(_number(token, value))
            else:
                # A plain number stays as written: section 1.10 is not section 1.1.
                out.append(token)
        elif token.key.lower() in ("percent", "percentage") and _is_percent(tokens, at):
            out.append(Token(Kind.SYMBOL, token.text, "%", token.start, token.end))
        elif token.key.lower() == "per" and following and following.key.lower() == "cent":
            out.append(Token(Kind.SYMBOL, "per cent", "%", token.start, following.end))
            at += 1
        else:
            out.append(token)
        at += 1
    return out


def _number(token: Token, value: Decimal) -> Token:
    plain = format(value.normalize(), "f")
    return Token(Kind.NUMBER, token.text, plain, token.start, token.end)


def _share_of(tokens: Sequence[Token], at: int) -> bool:
    """Whether "half" at `at` means 50 %: "half of the …", not "half-life" or "one and a half"."""
    following = [t.key.lower() for t in tokens[at + 1 : at + 3]]
    before = tokens[at - 1].key.lower() if at else ""
    return following[:1] == ["of"] and before not in ("a", "the", "and", "first", "second", "other")


def _is_percent(tokens: Sequence[Token], at: int) -> bool:
    return (
        tokens[at].key.lower() == "percent" and at > 0 and number_value(tokens[at - 1]) is not None
    )


def _unit(
    tokens: Sequence[Token],
    at: int,
    before: Sequence[Token],
    table: dict[str, dict[str, list[object]]],
) -> tuple[str, Decimal] | None:
    """The dimension and size of the unit after the number at `at`, if it can be converted."""
    if at + 1 >= len(tokens):
        return None
    unit = table["units"].get(tokens[at + 1].key)
    if unit is None:
        return None
    after = tokens[at + 2].key.lower() if at + 2 < len(tokens) else ""
    if after in table["unit_breakers"] and after != "of":
        return None
    if len(before) >= 1 and before[-1].key.lower() in table["range_words"]:
        if len(before) >= 2 and (before[-2].kind is Kind.NUMBER or before[-1].key in ("-", "—")):
            return None
        if before[-1].key.lower() in ("×", "±", "/"):
            return None
    dimension, size = unit
    return str(dimension), Decimal(str(size))
