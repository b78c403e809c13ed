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
        kept = sum(theirs[s] < theirs[middle] for s in before[-2:]) + sum(
            theirs[s] > theirs[middle] for s in after[:2]
        )
        total = len(before[-2:]) + len(after[:2])
        if kept == 0 and not voices_differ and "than" not in claim.keys:
            return "the passage has the claim's words in the other order"
        if kept == total and voices_differ and _is_verb(middle, claim):
            return "one of claim and passage is in the passive, with the same order"
    return None


def _first_places(text: Reading) -> dict[str, int]:
    places: dict[str, int] = {}
    for at, key in enumerate(text.keys):
        for stem in stems([key]):
            places.setdefault(stem, at)
    return places


def _is_verb(stem: str, text: Reading) -> bool:
    """Whether the word is written with a verb's ending or stands after a form of "be"."""
    return re.search(rf"\b{re.escape(stem)}(?:e?d|e?s|ing|en)\b", text.lower) is not None
