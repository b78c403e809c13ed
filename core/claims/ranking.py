"""Which sentences of a long source the entailment model is asked about."""

import math
from collections import Counter

from core.claims.source import SHORT_SOURCE, Source
from core.text.reading import Reading, stems

BESIDE = 0.5
"""Weight of a neighbouring sentence: what a sentence speaks of is often named in the one before."""


def telling(claim: Reading, source: Source) -> list[tuple[int, int]]:
    """(block, sentence) of the sentences to try: all of a short source, else the best-ranked."""
    if source.is_short:
        return [(block, at) for block, at, _ in source.asserting()]
    return ranked(claim, source, SHORT_SOURCE)


def ranked(claim: Reading, source: Source, most: int) -> list[tuple[int, int]]:
    """(block, sentence) of up to `most` sentences, the most telling first.

    Telling is the summed inverse document frequency of the claim's content words and numbers in
    the sentence and, at half weight, in the better of its neighbours.
    """
    places = list(source.asserting())
    wanted = _terms(claim)
    held = [wanted & _terms(sentence) for _, _, sentence in places]
    frequency = Counter(term for terms in held for term in terms)
    weight = {term: math.log(1 + len(places) / count) for term, count in frequency.items()}
    own = [sum(weight[term] for term in terms) for terms in held]
    score = [
        own[at]
        + BESIDE * max(own[at - 1] if at else 0.0, own[at + 1] if at + 1 < len(own) else 0.0)
        for at in range(len(own))
    ]
    best = sorted(range(len(places)), key=lambda at: -score[at])[:most]
    return [(places[at][0], places[at][1]) for at in best]


def _terms(text: Reading) -> set[str]:
    """Stems of the content words, and the numbers, however short."""
    return {*stems(text.keys), *(key for key in text.keys if key[:1].isdigit())}
