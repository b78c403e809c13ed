"""Association is not cause."""

from core.claims.vetoes.words import found
from core.text.reading import Reading

_DEPENDENCE = ("because", "due to", "owing to", "as a result of", "thanks to")


def association_as_cause(claim: Reading, passage: Reading) -> str | None:
    """A claim of cause needs a passage of cause."""
    causal = found("causation", claim.lower)
    if not causal or found("association", claim.lower):
        return None
    tied = found("association", passage.lower)
    if tied:
        return f"the passage says “{sorted(tied)[0]}”, the claim “{sorted(causal)[0]}”"
    given = causal & set(_DEPENDENCE)
    if given and not found("causation", passage.lower):
        return f"the claim gives a cause (“{sorted(given)[0]}”), the passage does not"
    return None
