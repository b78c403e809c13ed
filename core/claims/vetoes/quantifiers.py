"""All is not most, most is not some, and "only" is a claim of its own."""

from core.claims.vetoes.words import found
from core.text.reading import Reading, stems


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
    stated = mine("majority") | mine("existential") | mine("universal") | mine("none")
    if partial and not stated:
        return f"the passage says “{sorted(partial)[0]}”, the claim leaves it out"
    if mine("universal") and partial and not theirs("universal"):
        return f"the passage says only “{sorted(partial)[0]}”"
    return None


def coordination(claim: Reading, passage: Reading) -> str | None:
    """Of two things joined by "and", the passage has both or neither in the claim's words."""
    there = set(stems(passage.keys))
    keys = claim.keys
    for at, key in enumerate(keys):
        if key != "and":
            continue
        before, after = stems(keys[max(0, at - 2) : at])[-1:], stems(keys[at + 1 : at + 3])[-1:]
        if before and after and (before[0] in there) != (after[0] in there):
            missing = keys[at + 1] if before[0] in there else keys[at - 1]
            return f"the passage does not speak of “{missing}”"
    return None
