"""Direction: what rises does not fall, and the larger of two is not the smaller."""

from core.claims.vetoes.words import opposites as opposite_pairs
from core.text.reading import Reading, stems


def opposites(claim: Reading, passage: Reading) -> str | None:
    """No word of the claim meets its opposite in the passage."""
    if "than" in claim.keys and "than" in passage.keys:
        return None
    for mine, theirs in opposite_pairs():
        here = mine.search(claim.lower)
        if not here or theirs.search(claim.lower):
            continue
        there = theirs.search(passage.lower)
        if there and not mine.search(passage.lower):
            return f"the claim says “{here.group()}”, the passage “{there.group()}”"
    return None


def comparatives(claim: Reading, passage: Reading) -> str | None:
    """With "than" on both sides: the same order and direction, or both turned round."""
    mine, theirs = _sides(claim), _sides(passage)
    if mine is None or theirs is None:
        return None
    kept = bool(mine[1] & theirs[1])
    crossed = bool(mine[0] & theirs[1]) and bool(mine[1] & theirs[0])
    opposite = any(
        one.search(claim.lower)
        and other.search(passage.lower)
        and not one.search(passage.lower)
        and not other.search(claim.lower)
        for one, other in opposite_pairs()
    )
    if kept == crossed:
        return "the two sides of the comparison cannot be told apart" if kept else None
    if crossed != opposite:
        return "the comparison runs the other way"
    return None


def _sides(text: Reading) -> tuple[set[str], set[str]] | None:
    keys = text.keys
    if "than" not in keys:
        return None
    at = keys.index("than")
    left, right = set(stems(keys[:at])), set(stems(keys[at + 1 :]))
    return left - right, right - left
