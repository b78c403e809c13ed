"""A share of a share is not a share of the whole, and of "two of the five" not five did it."""

import re

from core.claims.vetoes.focus import terms
from core.claims.vetoes.quantities import Measured, Quantity, measured
from core.claims.vetoes.words import found
from core.text.reading import Reading

_OF_THOSE = re.compile(
    r"(?<!\ball )(?<!\bone )\b(?:of|among|amongst|in) (?:these|those|them|whom|which|the latter)\b"
    r"(?! (?:who|with|without|in|of|from|aged|over|under|that)\b)",
    re.IGNORECASE,
)
_EDGE = re.compile(r"[.;:!?]\s|,\s(?!\d)")

_IN_ALL = re.compile(r"\b(?:there (?:is|are|was|were)|altogether|in (?:all|total)|total)\b")
_PARTS = frozenset(["some", "most", "none", "half", "few", "many", "several", "any", "neither"])
_WHICH = frozenset(["the", "these", "those", "all", "every", "our", "its", "their", "his", "her"])


def share_of_a_share(claim: Reading, passage: Reading) -> str | None:
    """A share that the passage gives of the whole is not that of a part of it.

    "Half of the firms were inspected. Of these, 8% broke the rules" does not say that half of
    those inspected did.
    """
    partly = found("existential", claim.lower) | found("none", claim.lower)
    if partly or _OF_THOSE.search(claim.lower):
        return None
    text = passage.cleaned
    for match in _OF_THOSE.finditer(text):
        whole, part = _around(text, match)
        mine, theirs, inner = _values(claim), _values(whole), _values(part)
        if not inner and not found("none", part.lower):
            continue
        only_there = {t for t in terms(part) - terms(whole) if not t[:1].isdigit()} & terms(claim)
        if mine & theirs and not mine & inner and only_there:
            return f"the passage gives a share of the whole and, “{match[0].lower()}”, another"
    return None


def _around(text: str, match: re.Match[str]) -> tuple[Reading, Reading]:
    """What stands before the clause with "of those", and the clause up to its sentence's end."""
    edges = [edge.end() for edge in _EDGE.finditer(text, 0, match.start() + 1)]
    start = edges[-1] if edges else 0
    stop = re.search(r"[.;!?](?:\s|$)", text[match.end() :])
    end = match.end() + stop.start() if stop else len(text)
    return Reading(text[:start]), Reading(text[start:end])


def _values(text: Reading) -> set[tuple[str, str]]:
    """The quantities, each as its unit and value."""
    return {(quantity.unit, str(quantity.value)) for quantity in measured(text).quantities}


def part_as_whole(claim: Reading, passage: Reading) -> str | None:
    """What the passage says of so many of a number, the claim does not say of that number."""
    if _IN_ALL.search(claim.lower):
        return None
    mine, theirs = measured(claim), measured(passage)
    for quantity in mine.quantities:
        if not quantity.plain or _parted(mine, quantity):
            continue
        parts = [_of_a_whole(theirs, q) for q in theirs.quantities if q.value == quantity.value]
        if parts and None not in parts:
            return f"the passage says it of “{parts[0]} of the {quantity.written}”".lower()
    return None


def _parted(text: Measured, quantity: Quantity) -> bool:
    """Whether it is a whole of which something is said in part: "Of the five, three …"."""
    before = [word for word in text.words[: quantity.at] if word not in _WHICH]
    return before[-1:] == ["of"]


def _of_a_whole(text: Measured, quantity: Quantity) -> str | None:
    """The part, where the quantity is a whole that is parted: "two" of "two of the five"."""
    words = text.words
    at = quantity.at - 1
    while at >= 0 and words[at] in _WHICH:
        at -= 1
    if at < 1 or words[at] != "of":
        return None
    before = next((q for q in text.quantities if q.end == at), None)
    if before is not None:
        return before.written
    return words[at - 1] if words[at - 1] in _PARTS else None
