"""A share of a share is not a share of the whole."""

import re

from core.claims.vetoes.focus import terms
from core.claims.vetoes.quantities import measured
from core.claims.vetoes.words import found
from core.text.reading import Reading

_OF_THOSE = re.compile(
    r"(?<!\ball )(?<!\bone )\b(?:of|among|amongst|in) (?:these|those|them|whom|which|the latter)\b"
    r"(?! (?:who|with|without|in|of|from|aged|over|under|that)\b)",
    re.IGNORECASE,
)
_EDGE = re.compile(r"[.;:!?]\s|,\s(?!\d)")


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
