"""Small words that change what a clause says: modals, quantifiers, times; and when they count.

"May", "most" or "planned" in a passage is a reason against a claim only if it stands in a clause
that the claim repeats. A claim in other words says it in other words too ("it is up to", "few
failed to"), and whether it does is for the model to tell.
"""

import re

from core.claims.vetoes.focus import clauses, near, sentences_of, terms
from core.text.reading import Reading

MOSTLY = 0.5
"""Share of a clause's terms that a claim which repeats the clause has."""

HELD = 0.5
"""Share of the claim's terms from which on claim and passage speak of the same things."""

_MONTH = re.compile(r"(?<=[\w,] )May\b|\bMay(?= (?:\d|and\b|to\b))")
"""The month, which is no modal."""


def repeated(claim: Reading, passage: Reading) -> str:
    """The clauses of the passage that the claim repeats, in lower case, parted by commas.

    Of a claim that is near in wording they are those that share anything with it, or have but
    a word or two ("generally speaking,").
    """
    wanted, close = terms(claim), near(claim, passage)
    out = []
    for sentence in sentences_of(claim, passage):
        for clause in clauses(sentence):
            own = terms(clause)
            shared = len(own & wanted)
            mostly = shared >= MOSTLY * len(own) or shared >= MOSTLY * len(wanted)
            if (shared and (close or mostly)) or (close and len(own) < 3):
                out.append(spoken(clause))
    return " , ".join(out)


def anywhere(claim: Reading, passage: Reading) -> str:
    """All of the passage's sentences that the claim rests on, as `repeated` gives its clauses."""
    return " , ".join(map(spoken, sentences_of(claim, passage)))


def spoken(text: Reading) -> str:
    """The text in lower case, without the month of May."""
    return _MONTH.sub(" ", text.cleaned).lower()


def held(claim: Reading, passage: Reading) -> bool:
    """Whether half of the claim's terms stand in the sentences that it rests on."""
    wanted = terms(claim)
    there = frozenset[str]().union(*map(terms, sentences_of(claim, passage)))
    return len(wanted & there) >= HELD * len(wanted)
