"""What a passage says of one kind and denies of the others is not said of all."""

import re

from core.claims.vetoes.focus import sentences_of, terms
from core.claims.vetoes.words import found
from core.text.reading import Reading, stems

_OTHERS = re.compile(
    r"\b(?:in|among|for|of|with|by|to) (?:the )?(?:others?|rest|remainder|remaining)\b"
    r"|\b(?:the|all|those) (?:others|rest|without)\b"
    r"|\b(?:but|though|and|although|yet) (?:not|no|never) (?:in|among|for|by|to|with)\b"
)
_OF_WHOM = frozenset(["in", "among", "for", "of", "with", "by", "to"])


def told_of_others(claim: Reading, passage: Reading) -> str | None:
    """The claim keeps the word that tells the passage's group from the others.

    "Iron helped anaemic children; the others it did not" does not say that iron helped children.
    """
    mine = terms(claim)
    if _OTHERS.search(claim.lower) or found("existential", claim.lower):
        return None
    for sentence in sentences_of(claim, passage):
        apart = _OTHERS.search(sentence.lower)
        if apart is None:
            continue
        group, others = (
            Reading(part)
            for part in (sentence.lower[: apart.start()], sentence.lower[apart.start() :])
        )
        if mine & terms(others) - terms(group):
            continue  # The claim tells of the others too.
        for preposition, *words in zip(group.keys, group.keys[1:], group.keys[2:], strict=False):
            word, noun = (set(stems([key])) for key in words)
            if preposition in _OF_WHOM and noun & mine and word and not word & mine:
                return f"the passage says it of “{' '.join(words)}” and not of the others"
    return None
