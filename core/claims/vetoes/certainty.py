"""What is likely in the passage is not proved in the claim."""

from core.claims.vetoes.focus import sentences_of
from core.claims.vetoes.words import found
from core.text.reading import Reading


def certainty(claim: Reading, passage: Reading) -> str | None:
    """A claim that something is certain rests on a passage that says so, not on a guess."""
    sure = found("certain", claim.lower)
    if not sure or found("certain", passage.lower) or found("hedges", claim.lower):
        return None
    for sentence in sentences_of(claim, passage):
        if hedged := found("hedges", sentence.lower):
            return f"the passage says “{min(hedged)}”, the claim “{min(sure)}”"
    return None
