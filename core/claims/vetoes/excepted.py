"""What a passage excepts from a rule, the claim does not put under it."""

import re
from functools import cache

from core.claims.vetoes.focus import denies, sentences_of, terms
from core.claims.vetoes.words import compiled, found, words_of
from core.text.reading import Reading

_END = re.compile(r"[,;:()]|\b(?:but|and must|and shall|and may)\b|$")
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
    if _exceptions().search(claim.lower) or found("restriction", claim.lower, "exception"):
        return None
    mine = terms(claim)
    for sentence in sentences_of(claim, passage):
        for match in _exceptions().finditer(sentence.lower):
            end = _END.search(sentence.lower, match.end())
            stop = end.start() if end else len(sentence.lower)
            if _OF_ITS_OWN.match(sentence.lower, stop):
                continue
            out = terms(Reading(sentence.lower[match.end() : stop]))
            rule = Reading(f"{sentence.lower[: match.start()]} , {sentence.lower[stop:]}")
            only_there = out - terms(rule)
            repeats = len(mine & terms(rule)) >= HALF_OF * len(terms(rule))
            if not only_there or len(mine & only_there) < MOST_OF * len(only_there):
                continue
            new = mine - terms(rule) - out
            insists = bool(found("including", claim.lower)) or len(new) < 2
            if repeats and insists and denies(claim) == denies(rule):
                return f"the passage excepts that (“{match[0]} …”)"
    return None


@cache
def _exceptions() -> re.Pattern[str]:
    return compiled(tuple(words_of("excepting")))
