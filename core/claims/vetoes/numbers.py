"""Numbers, units, signs and bounds of the claim must be those of the passage."""

from decimal import Decimal

from core.claims.vetoes.quantities import Quantity, quantities_of
from core.claims.vetoes.words import contents, words_of
from core.text.reading import Reading, stems


def numbers(claim: Reading, passage: Reading) -> str | None:
    """Every quantity of the claim stands in the passage, with its unit, sign and bound."""
    there = quantities_of(passage)
    words = {*stems(passage.keys), *(stem for stem, _ in contents(passage))}
    for mine in quantities_of(claim):
        equal = [q for q in there if _equal(mine, q)]
        if not equal:
            return f"the passage does not give the number {mine.value} {mine.unit}".rstrip()
        if not any(_same_bound(mine.bounds, q.bounds) for q in equal):
            return f"the number {mine.value} is bounded differently in the passage"
        if mine.counted and mine.counted not in words:
            return f"the passage does not give {mine.value} of the same thing"
    missing = words_of("number_words").intersection(claim.keys) - set(passage.keys)
    if missing:
        return f"the passage does not say “{sorted(missing)[0]}”"
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
        alike = [q for q in there if q.unit == quantity.unit and q.is_year == quantity.is_year]
        own = [q for q in alike if _equal(quantity, q)]
        others = [q for q in alike if not _equal(quantity, q)]
        if not own or not others:
            continue
        nearest = max(len(quantity.near & q.near) for q in own)
        led = quantity.lead and any(q.lead == quantity.lead for q in own)
        if max(len(quantity.near & q.near) for q in others) > nearest or (
            quantity.lead and not led and any(q.lead == quantity.lead for q in others)
        ):
            return f"in the passage another number stands where the claim has {quantity.value}"
    return None
