"""Which quantities follow from which: as given, as a weaker bound, or by one step of reckoning."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

from core.claims.vetoes.quantities import Quantity

ABOUT = Fraction(7, 100)
"""How far "about" may be from the figure, as a share of it."""

NEARLY = Fraction(12, 100)
"""How far "nearly" and "just over" may be from the figure, as a share of it."""

LIMITS = frozenset(["lower", "upper", "above", "below"])

_MOST = 24
"""Figures of a passage that are combined; a passage of more is a table."""


@dataclass(frozen=True)
class Interval:
    """The values that a quantity may have; None is no limit."""

    low: Fraction | None
    high: Fraction | None
    open_low: bool = False
    open_high: bool = False

    def within(self, other: "Interval") -> bool:
        """Whether every value of this interval is one of `other`."""
        return _reaches(other.low, self.low, other.open_low, self.open_low, 1) and _reaches(
            other.high, self.high, other.open_high, self.open_high, -1
        )


def _reaches(
    outer: Fraction | None, inner: Fraction | None, outer_open: bool, inner_open: bool, sign: int
) -> bool:
    if outer is None or inner is None:
        return outer is None
    if outer == inner:
        return inner_open or not outer_open
    return sign * outer < sign * inner


def interval(quantity: Quantity) -> Interval:
    """The values that a numeric quantity may have, by its bounds."""
    assert not isinstance(quantity.value, str)
    value, bounds = quantity.value, quantity.bounds
    size = abs(value)
    if "lower" in bounds:
        return Interval(value, None)
    if "upper" in bounds:
        return Interval(None, value)
    if "just above" in bounds:
        return Interval(value, value + NEARLY * size, open_low=True)
    if "just below" in bounds:
        return Interval(value - NEARLY * size, value, open_high=True)
    if "above" in bounds:
        return Interval(value, None, open_low=True)
    if "below" in bounds:
        return Interval(None, value, open_high=True)
    if "near" in bounds:
        return Interval(value - ABOUT * size, value + ABOUT * size)
    return Interval(value, value if quantity.high is None else quantity.high)


def follows(mine: Quantity, theirs: Quantity, strictly: bool = False) -> bool:
    """Whether `theirs` states what `mine` does, or more: 26 is more than 20, 48 hours 2 days.

    `strictly`, a limit is another limit than a laxer one: "at least 8" is no "at least 12".
    """
    if strictly and theirs.bounds & LIMITS and mine.value != theirs.value:
        return False
    if isinstance(mine.value, str) or isinstance(theirs.value, str):
        return mine.value == theirs.value and mine.unit == theirs.unit
    return mine.unit == theirs.unit and interval(theirs).within(interval(mine))


def satisfies(mine: Quantity, theirs: Quantity) -> bool:
    """Whether `mine` is a case of a rule that `theirs` limits: 35 of "20 or more"."""
    if isinstance(mine.value, str) or isinstance(theirs.value, str) or mine.unit != theirs.unit:
        return False
    limited = theirs.bounds & LIMITS or theirs.high is not None
    return bool(limited) and interval(mine).within(interval(theirs))


def reckoned(mine: Quantity, there: Sequence[Quantity]) -> bool:
    """Whether `mine` comes out of one or two quantities of the passage by one step."""
    return not isinstance(mine.value, str) and _among(mine, _results(mine.unit, there[:_MOST]))


def is_share(mine: Quantity, there: Sequence[Quantity]) -> bool:
    """Whether `mine` is a share or a multiple, and the passage has both of its terms."""
    counts = [q.value for q in there if q.unit == "" and not isinstance(q.value, str)]
    if mine.unit not in ("%", "×") or len(counts) > 4:
        return False
    shares = _shares(counts)
    return _among(mine, shares if mine.unit == "%" else (share / 100 for share in shares))


def _among(mine: Quantity, values: Iterable[Fraction]) -> bool:
    """Whether a value is what `mine` says, rounded as it is; a quotient is seldom round."""
    wanted = interval(mine)
    if mine.unit in ("%", "×") and not mine.bounds and not isinstance(mine.value, str):
        step = Fraction(1, 2 * 10**mine.places)
        wanted = Interval(mine.value - step, mine.value + step)
    return any(Interval(value, value).within(wanted) for value in values)


def _results(unit: str, there: Sequence[Quantity]) -> Iterator[Fraction]:
    """What one step makes of the quantities, in `unit`."""
    values: dict[str, list[Fraction]] = {}
    for quantity in there:
        if not isinstance(quantity.value, str):
            ends = [quantity.value, *([quantity.high] if quantity.high is not None else [])]
            values.setdefault(quantity.unit, []).extend(ends)
    own = values.get(unit, [])
    if unit == "%":
        for kind, found in values.items():
            if kind not in ("%", "year", "clock"):
                yield from _shares(found)
        yield from (100 - value for value in own)
        yield from (100 * value for value in values.get("", []) if value < 1)
    if unit == "×":
        yield from values.get("", [])
        for found in values.values():
            yield from (one / other for one, other in permutations(found, 2) if other)
    if unit == "months":
        yield from (abs(one - other) * 12 for one, other in combinations(values.get("year", []), 2))
    if unit == "time":
        yield from (
            abs(one - other) * 60000 for one, other in combinations(values.get("clock", []), 2)
        )
    if unit == "year":
        spans = [value / 12 for value in values.get("months", [])]
        yield from (year + sign * span for year in own for span in spans for sign in (1, -1))
        return
    for one, other in combinations(own, 2):
        yield from (one + other, abs(one - other))
    if len(own) <= 8:
        yield from (sum(three, Fraction(0)) for three in combinations(own, 3))
        yield from (max(three) * 2 - sum(three) for three in combinations(own, 3))
    counts = {*values.get("", []), *values.get("×", []), *map(Fraction, (2, 4, 12))}
    for value in own:
        for count in counts:
            if 0 < count <= 1000 and value != count:
                yield from (value * count, value / count)


def _shares(values: Sequence[Fraction]) -> Iterator[Fraction]:
    """Parts of one value in another, what they leave, and the change between them, in per cent."""
    for one, other in permutations(values, 2):
        if other > 0 and one >= 0:
            share = 100 * one / other
            yield from (share, abs(100 - share))
