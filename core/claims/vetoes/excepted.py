"""What a passage excepts from a rule, the claim does not put under it."""

import re

from core.claims.vetoes.focus import denies, sentences_of, terms
from core.claims.vetoes.words import found, places
from core.text.reading import Reading

_END = re.compile(r"[,;:()]|\b(?:but|and must|and shall|and may)\b")
_OF_ITS_OWN = re.compile(r"\s*(?:\(|and\b|,? (?:in which|when|which|who|where|whose)\b)")
"""What is excepted has a rule of its own, which the claim may tell."""

MOST_OF = 0.65
"""Share of the terms of an exception from which on a claim speaks of what is excepted."""


HALF_OF = 0.5
"""Share of the terms of a rule from which on a claim repeats it."""


def excepted(claim: Reading, passage: Reading) -> str | None:
    """The claim says of what is excepted neither what is said of the rest, nor as much.

    "Nobody may enter, with the exception of a paramedic" does not say that a paramedic may not.
    """
    if found("excepting", claim.lower) or found("restriction", claim.lower, "exception"):
        return None
    mine = terms(claim)
    for sentence in sentences_of(claim, passage):
        for phrase, start, end in places("excepting", sentence.lower):
            stop = _stop(sentence.lower, end)
            if _OF_ITS_OWN.match(sentence.lower, stop):
                continue
            out = terms(Reading(sentence.lower[end:stop]))
            rule = Reading(f"{sentence.lower[:start]} , {sentence.lower[stop:]}")
            said = terms(rule)
            only_there = out - said
            if not only_there or len(mine & only_there) < MOST_OF * len(only_there):
                continue
            repeats = len(mine & said) >= HALF_OF * len(said)
            insists = bool(found("including", claim.lower)) or len(mine - said - out) < 2
            if repeats and insists and denies(claim) == denies(rule):
                return f"the passage excepts that (“{phrase} …”)"
    return None


def _stop(lower: str, start: int) -> int:
    """Where what is excepted ends."""
    end = _END.search(lower, start)
    return end.start() if end else len(lower)
