"""Of "a new fee, though not a new contract", the claim does not deny the one and say the other."""

import re

from core.claims.vetoes.focus import sentences_of, terms
from core.claims.vetoes.words import places
from core.text.reading import Reading

_EDGE = re.compile(r"[,;:()]|\b(?:but|though|although|whereas|while|and)\b")


def contrast(claim: Reading, passage: Reading) -> str | None:
    """What claim and passage deny and what they say are not exchanged."""
    denied, said = _parted(claim)
    if not denied or not said:
        return None
    for sentence in sentences_of(claim, passage):
        other_denied, other_said = _parted(sentence)
        if denied & other_said and said & other_denied:
            return "the passage has it the other way round"
    return None


def _parted(text: Reading) -> tuple[frozenset[str], frozenset[str]]:
    """The terms that stand after a negation up to the end of its phrase, and all others."""
    denied, said, at = "", "", 0
    for _, start, after in places("denying_phrases", text.lower):
        if start < at:
            continue
        edge = _EDGE.search(text.lower, after)
        end = edge.start() if edge else len(text.lower)
        said += f" {text.lower[at:start]} , "
        denied += f" {text.lower[after:end]} , "
        at = end
    said += text.lower[at:]
    out, rest = terms(Reading(denied)), terms(Reading(said))
    return out - rest, rest - out
