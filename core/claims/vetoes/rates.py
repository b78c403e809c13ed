"""Per what: "30 ml to every 10 litres" is not 30 ml a litre, and "in all" not "each"."""

import re

from core.claims.vetoes.quantities import Quantity, measured
from core.text.reading import Reading, stems

_SINGLE = re.compile(
    r"\b(?:each|every|per|(?:a|the)(?= litre| kilo)) (?:of |single )?(?P<what>[a-z-]+)"
)
_MANY = re.compile(r"\b(?:each|every|per) (?:\d[\d.,]*|[a-z-]+) (?P<what>[a-z-]+)")
_YEARLY = re.compile(
    r"\b(?:apiece|a piece|yearly|annually|monthly|weekly|daily|a year|a month|a week)\b"
)
_TOTAL = re.compile(
    r"\b(?:in all|in total|altogether|all told|a total of|totall?ing|combined|overall)\b"
)


def rate(claim: Reading, passage: Reading) -> str | None:
    """What the passage gives for so many, or in all, the claim does not give for each one."""
    each = _SINGLE.search(claim.lower) or _YEARLY.search(claim.lower)
    if each is None or _TOTAL.search(claim.lower):
        return None
    theirs = measured(passage).quantities
    for quantity in measured(claim).quantities:
        if isinstance(quantity.value, str) or not any(_equal(quantity, q) for q in theirs):
            continue
        if _in_all(passage, quantity):
            return f"the passage gives {quantity.written} in all, the claim for “{each[0]}”"
        many = _for_many(claim, passage)
        if many:
            return f"the passage gives it for “{many}”, the claim for “{each[0]}”"
    return None


def _in_all(passage: Reading, quantity: Quantity) -> bool:
    """Whether every clause that has the quantity says that it is a total, and of no single one."""
    having = [
        clause
        for clause in re.split(r"[;.]\s", passage.lower)
        if any(_equal(q, quantity) for q in measured(Reading(clause)).quantities)
    ]
    return bool(having) and all(
        _TOTAL.search(clause) and not _SINGLE.search(clause) and not _YEARLY.search(clause)
        for clause in having
    )


def _for_many(claim: Reading, passage: Reading) -> str:
    """What the passage counts by several where the claim counts by one: "every 10 litres"."""
    ones = {stem for match in _SINGLE.finditer(claim.lower) for stem in stems([match["what"]])}
    for match in _MANY.finditer(passage.lower):
        if ones.intersection(stems([match["what"]])) and measured(Reading(match[0])).quantities:
            return match[0]
    return ""


def _equal(one: Quantity, other: Quantity) -> bool:
    return one.value == other.value and one.unit == other.unit
