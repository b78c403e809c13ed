"""A part is not the whole: conditions, exceptions and subgroups may not be dropped."""

from core.claims.vetoes.focus import where_near
from core.claims.vetoes.words import found
from core.text.reading import Reading


@where_near
def restriction(claim: Reading, passage: Reading) -> str | None:
    """Every kind of restriction that the passage makes is one that the claim makes too."""
    dropped = found("restriction", passage.lower) - found("restriction", claim.lower)
    if dropped:
        return f"the passage says “{sorted(dropped)[0]}”, the claim does not"
    return None
