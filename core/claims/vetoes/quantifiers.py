"""All is not most, most is not some, and "only" is a claim of its own."""

import re

from core.claims.vetoes.focus import near
from core.claims.vetoes.marks import anywhere, repeated
from core.claims.vetoes.words import found
from core.text.reading import Reading
from core.text.tokens import Kind

_EACH_OF_THEM = re.compile(r"\beach(?=\s*(?:[.,;:]|$))")
"""At the end of a clause it says how something is shared out, and of how many it does not say."""

_WIDE = (
    ("universal", ("universal", "none")),
    ("none", ("none",)),
    ("majority", ("majority", "universal")),
    ("exclusive", ("exclusive",)),
)
"""What a claim may say, and what the passage says that gives it the right to."""


def quantifiers(claim: Reading, passage: Reading) -> str | None:
    """The passage quantifies at least as widely as the claim."""
    clauses = repeated(claim, passage)
    everything = _EACH_OF_THEM.sub("", anywhere(claim, passage))
    said = _EACH_OF_THEM.sub("", claim.lower)
    mine = {name: found(name, said) for name in _CLASSES}
    partial = found("majority", clauses) | found("existential", clauses) | _one(claim, passage)
    for name, sources in _WIDE:
        if not mine[name] or any(found(source, everything) for source in sources):
            continue
        if name == "none" and "not" in passage.keys:
            continue
        if partial or near(claim, passage):
            return f"the claim says “{sorted(mine[name])[0]}”, the passage does not"
    stated = mine["majority"] | mine["existential"] | mine["universal"] | mine["none"]
    if partial - stated and not stated:
        return f"the passage says “{sorted(partial - stated)[0]}”, the claim leaves it out"
    for name in ("universal", "none"):
        if mine[name] and partial and not found(name, clauses):
            return f"the passage says only “{sorted(partial)[0]}”"
    return None


_CLASSES = ("universal", "none", "majority", "exclusive", "existential")


def _one(claim: Reading, passage: Reading) -> set[str]:
    """Whether the passage opens with one of a kind, and the claim does not."""
    first = passage.tokens[:2]
    single = [t.key for t in first[:1]] == ["1"] and first[-1].kind is Kind.WORD
    return {"one"} if single and "1" not in claim.keys else set()
