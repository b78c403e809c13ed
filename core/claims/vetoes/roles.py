"""Who does it to whom: the order of arguments around a verb."""

import re

from core.claims.vetoes.focus import where_near
from core.claims.vetoes.words import contents
from core.text.reading import Reading

_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+\s+)?\w+(?:ed|en|wn|ght|nt|de|ne|ld|ut|t)\s+(?:\w+\s+){0,2}by\b"
)


@where_near
def argument_order(claim: Reading, passage: Reading) -> str | None:
    """Words that both have stand on the same sides of a word that both have.

    Reversed order needs exactly one passive; the same order needs the same voice. In the same
    voice, a part may move as a whole to the front or end, and nothing else.
    """
    mine, theirs = _first_places(claim), _first_places(passage)
    shared = [stem for stem in mine if stem in theirs]
    if len(shared) < 3:
        return None
    voices_differ = bool(_PASSIVE.search(claim.lower)) != bool(_PASSIVE.search(passage.lower))
    compared = "than" in claim.keys
    for middle in shared[1:-1]:
        before = [s for s in shared if mine[s] < mine[middle]]
        after = [s for s in shared if mine[s] > mine[middle]]
        kept = (theirs[before[-1]] < theirs[middle]) + (theirs[after[0]] > theirs[middle])
        if kept == 0 and not voices_differ and not compared:
            return "the passage has the claim's words in the other order"
        if kept == 2 and voices_differ and _is_passive_verb(middle, claim, passage):
            return "one of claim and passage is in the passive, with the same order"
    if (
        not voices_differ
        and not compared
        and not _moved([theirs[s] for s in shared], claim, shared)
    ):
        return "the passage has the claim's words in another order"
    return None


def _moved(places: list[int], claim: Reading, shared: list[str]) -> bool:
    """Whether the order is kept but for one part moved whole, or two neighbours around "and"."""
    order = sorted(places)
    if any(places[at:] + places[:at] == order for at in range(len(places))):
        return True
    words = dict(contents(claim))
    for at in range(len(places) - 1):
        between = claim.tokens[words[shared[at]] + 1 : words[shared[at + 1]]]
        swapped = [*places[:at], places[at + 1], places[at], *places[at + 2 :]]
        if swapped == order and any(t.key.lower() in ("and", "or") for t in between):
            return True
    return False


def _first_places(text: Reading) -> dict[str, int]:
    """Where each content word first stands."""
    places: dict[str, int] = {}
    for stem, at in contents(text):
        places.setdefault(stem, at)
    return places


def _is_passive_verb(stem: str, *texts: Reading) -> bool:
    """Whether one of the texts has the word in the passive: a form of "be" before it."""
    passive = re.compile(rf"\b(?:is|are|was|were|be|been|being) (?:\w+ )?{re.escape(stem)}\w*\b")
    return any(passive.search(text.lower) for text in texts)
