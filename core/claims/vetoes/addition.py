"""What a denial, a ban or a statement about all leaves out, it claims as well.

"The ship was not insured" says more than "The ship was not insured against acts of war".
"""

from core.claims.vetoes.alignment import Alignment, Gap
from core.claims.vetoes.focus import sweeping, terms, where_near
from core.claims.vetoes.words import words_of
from core.text.reading import Reading

_NEUTRAL = ("neutral", "function_words", "universal", "exclusive", "adverbs_of_time")

_ALONG = 0.8
"""Share of the claim that runs along the sentence that it leaves something of out."""

_LONGEST = 8
"""Units of an addition that are shown."""


@where_near
def addition(claim: Reading, sentence: Reading) -> str | None:
    """A sweeping claim drops nothing that narrows the sentence that it is made of."""
    if not sweeping(claim) or not sweeping(sentence):
        return None
    aligned = Alignment(claim, sentence)
    if aligned.share < _ALONG:
        return None
    for gap in aligned.gaps:
        if phrase := _narrower(gap, claim, aligned):
            return f"the passage says it only with “{' '.join(phrase[:_LONGEST])}”"
    return None


def _narrower(gap: Gap, claim: Reading, aligned: Alignment) -> tuple[str, ...]:
    """The words of the gap that narrow, or none."""
    if gap.mine or gap.before < 0 or gap.broken:
        return ()
    ends = words_of("parting_words") | words_of("joining") | {"or", "nor"}
    cut = next((at for at, unit in enumerate(gap.theirs) if unit in ends), len(gap.theirs))
    phrase = gap.theirs[:cut]
    # A verb of its own in the gap begins another statement, not a part of this one.
    if not phrase or (cut < len(gap.theirs) and not gap.closing):
        return ()
    neutral = frozenset[str]().union(*(words_of(name) for name in _NEUTRAL))
    own = terms(claim) | {*claim.keys, *aligned.mine}
    return phrase if any(u not in neutral and u not in own for u in phrase) else ()
