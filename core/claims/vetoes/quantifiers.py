"""All is not most, most is not some, and "only" is a claim of its own."""

from core.claims.vetoes.words import found
from core.text.reading import Reading
from core.text.tokens import Kind


def quantifiers(claim: Reading, passage: Reading) -> str | None:
    """The passage quantifies at least as widely as the claim."""

    def mine(name: str) -> set[str]:
        return found(name, claim.lower)

    def theirs(name: str) -> set[str]:
        return found(name, passage.lower)

    if mine("universal") and not theirs("universal") | theirs("none"):
        return f"the claim says “{sorted(mine('universal'))[0]}”, the passage does not"
    if mine("none") and not theirs("none") and "not" not in passage.keys:
        return f"the claim says “{sorted(mine('none'))[0]}”, the passage does not"
    if mine("majority") and not theirs("majority") | theirs("universal"):
        return f"the claim says “{sorted(mine('majority'))[0]}”, the passage does not"
    if mine("exclusive") and not theirs("exclusive"):
        return f"the claim says “{sorted(mine('exclusive'))[0]}”, the passage does not"
    partial = theirs("majority") | theirs("existential")
    first = passage.tokens[:2]
    if (
        [t.key for t in first[:1]] == ["1"]
        and first[-1].kind is Kind.WORD
        and "1" not in claim.keys
    ):
        partial |= {"one"}
    stated = mine("majority") | mine("existential") | mine("universal") | mine("none")
    every = partial | theirs("universal") | theirs("none")
    if partial - stated and not stated - every:
        return f"the passage says “{sorted(partial - stated)[0]}”, the claim leaves it out"
    for name in ("universal", "none"):
        if mine(name) and partial and not theirs(name):
            return f"the passage says only “{sorted(partial)[0]}”"
    return None
