"""May is not must, should is not shall, and a hedge may not be dropped."""

from core.claims.vetoes.polarity import relevant_clauses
from core.claims.vetoes.words import found
from core.text.reading import Reading


def modality(claim: Reading, passage: Reading) -> str | None:
    """The claim is as strong as the passage: obligation, advice, permission, possibility, fact."""
    theirs = " , ".join(relevant_clauses(claim, passage))
    for name, label in (
        ("obligation", "an obligation"),
        ("recommendation", "advice"),
        ("permission", "a permission"),
    ):
        weaker = found("possibility", theirs) if name == "permission" else set()
        if found(name, claim.lower) and not found(name, theirs) | weaker:
            return f"the claim states {label}, the passage does not"
    for name, label in (("obligation", "an obligation"), ("recommendation", "advice")):
        if found(name, theirs) and not found(name, claim.lower):
            return f"the passage states {label}, the claim does not"
    mine = found("possibility", claim.lower) | found("permission", claim.lower)
    hedges = found("possibility", theirs) | found("permission", theirs)
    if hedges - mine and not mine - hedges:
        return f"the passage says “{sorted(hedges - mine)[0]}”, the claim does not"
    return None
