"""What the passage only reports, denies, doubts, conditions or aims at."""

from core.claims.governors import cue
from core.text.reading import Reading

_FAMILIES = ("denial", "report", "condition", "purpose")


def embedding(claim: Reading, passage: Reading) -> str | None:
    """No phrase governs the passage's statement that the claim leaves out."""
    for family in _FAMILIES:
        found = cue(family, passage.lower)
        if found and not cue(family, claim.lower):
            return f"the passage says “{found}”, the claim does not"
    return None
