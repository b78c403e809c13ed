"""May is not must, should is not shall, and a hedge may not be dropped."""

from core.claims.vetoes.focus import near
from core.claims.vetoes.marks import anywhere, repeated, spoken
from core.claims.vetoes.words import found
from core.text.reading import Reading

_FORCES = (
    ("obligation", "an obligation"),
    ("recommendation", "advice"),
    ("permission", "a permission"),
)


def modality(claim: Reading, passage: Reading) -> str | None:
    """The claim is as strong as the passage: obligation, advice, permission, possibility, fact."""
    clauses = repeated(claim, passage)
    said = spoken(claim)
    mine = {name for name, _ in _FORCES if found(name, said)}
    theirs = {name for name, _ in _FORCES if found(name, clauses)}
    everything = anywhere(claim, passage)
    close = near(claim, passage)
    for name, label in _FORCES:
        weaker = "possibility" if name == "permission" else name
        stated = found(name, everything) | found(weaker, everything)
        if name in mine and not stated and (close or theirs):
            return f"the claim states {label}, the passage does not"
    for name, label in _FORCES[:2]:
        if name in theirs and not mine and close:
            return f"the passage states {label}, the claim does not"
    hedged = found("possibility", said) | found("permission", said)
    hedges = found("possibility", clauses) | found("permission", clauses)
    if not close:
        hedges &= found("hedges", clauses)
    if hedges - hedged and not hedged - hedges:
        return f"the passage says “{sorted(hedges - hedged)[0]}”, the claim does not"
    return None
