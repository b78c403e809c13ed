"""Who does it to whom: the order of arguments around a verb."""

import re

from core.text.reading import Reading, stems

_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+\s+)?\w+(?:ed|en|wn|ght|nt|de|ne|ld|ut|t)\s+(?:\w+\s+){0,2}by\b"
)


def argument_order(claim: Reading, passage: Reading) -> str | None:
    """Words that both have stand on the same sides of a word that both have.

    Reversed order needs exactly one passive; the same order needs the same voice.
    """
    mine, theirs = _first_places(claim), _first_places(passage)
    shared = [stem for stem in mine if stem in theirs]
    if len(shared) < 3:
        return None
    voices_differ = bool(_PASSIVE.search(claim.lower)) != bool(_PASSIVE.search(passage.lower))
    for middle in shared[1:-1]:
        before = [s for s in shared if mine[s] < mine[middle]]
        after = [s for s in shared if mine[s] > mine[middle]]
        kept = (theirs[before[-1]] < theirs[middle]) + (theirs[after[0]] > theirs[middle])
        if kept == 0 and not voices_differ and "than" not in claim.keys:
            return "the passage has the claim's words in the other order"
        if kept == 2 and voices_differ and _is_passive_verb(middle, claim, passage):
            return "one of claim and passage is in the passive, with the same order"
    return None


def _first_places(text: Reading) -> dict[str, int]:
    """Where each content word first stands; "drug A" and "drug B" are words of their own."""
    places: dict[str, int] = {}
    tokens = text.tokens
    for at, token in enumerate(tokens):
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        label = following if len(following) == 1 and following.isupper() else ""
        for stem in stems([token.key.lower()]):
            places.setdefault(stem + label, at)
    return places


def _is_passive_verb(stem: str, *texts: Reading) -> bool:
    """Whether one of the texts has the word in the passive: a form of "be" before it."""
    passive = re.compile(rf"\b(?:is|are|was|were|be|been|being) (?:\w+ )?{re.escape(stem)}\w*\b")
    return any(passive.search(text.lower) for text in texts)
