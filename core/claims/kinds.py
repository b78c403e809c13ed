"""Of which kind a source speaks where it only says "sharks": the one that it is about.

A paper on pelagic threshers that mentions bigeye threshers in passing does not say of these what
it says of "the sharks".
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from core.claims.source import Sentence, Source
from core.claims.vetoes.words import contents
from core.text.reading import Reading

LEAST = 3
"""Sentences that name a kind before the bare noun stands for it."""

Kind = tuple[str, str]
"""A qualifying word and the noun after it, as stems."""


def other_kind(
    claim: Reading, evidence: Sequence[Sentence], source: Source
) -> tuple[Sentence, str] | None:
    """A sentence that names the claim's kind, where the evidence names none and means another.

    Only of a kind that the source names elsewhere: what it never names, the claim may call by
    another word.
    """
    there = {stem for sentence in evidence for stem, _ in contents(sentence)}
    counts, places = source.once("kinds", _kinds)
    for kind in _pairs(claim):
        qualifier, noun = kind
        if qualifier in there or noun not in there or not counts[kind]:
            continue
        rival = max(
            (n for (q, of), n in counts.items() if of == noun and q != qualifier), default=0
        )
        if rival >= max(LEAST, 2 * counts[kind]):
            return places[kind], f"the passage does not say it of “{_said(claim, kind)}”"
    return None


def _said(claim: Reading, kind: Kind) -> str:
    at = next(place for stem, place in contents(claim) if stem == kind[0])
    return " ".join(token.text for token in claim.tokens[at : at + 2])


def _pairs(text: Reading) -> list[Kind]:
    """Content words that stand side by side."""
    found = contents(text)
    return [(one, other) for (one, at), (other, after) in pairwise(found) if after == at + 1]


def _kinds(source: Source) -> tuple[Counter[Kind], dict[Kind, Sentence]]:
    """How many sentences have each pair, and one that has it."""
    counts: Counter[Kind] = Counter()
    places: dict[Kind, Sentence] = {}
    for sentences in source.sentences:
        for sentence in sentences:
            for kind in set(_pairs(sentence)):
                counts[kind] += 1
                places.setdefault(kind, sentence)
    return counts, places
