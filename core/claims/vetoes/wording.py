"""The same words are not the same statement: a comma, a capital or a hyphen may turn it."""

from core.claims.lexical import same_assertion
from core.text.reading import Reading


def wording(claim: Reading, passage: Reading) -> str | None:
    """With the same words on both sides, punctuation, case and symbols are the same as well."""
    if claim.keys == passage.keys and not same_assertion(claim, passage):
        return "the passage has the same words with other punctuation, symbols or capitals"
    if claim.lower.startswith("no,") != passage.lower.startswith("no,"):
        return "one of claim and passage begins with “no,”"
    before = passage.keys[: len(passage.keys) - len(claim.keys)]
    tail = before and passage.keys[len(before) :] == claim.keys
    if tail and before[-1] != "that" and not same_assertion(claim, passage):
        return f"the passage has it only after “{' '.join(before[-4:])}”"
    mine, theirs = set(claim.keys), set(passage.keys)
    for one, other in ((mine, theirs), (theirs, mine)):
        for word in one - other:
            if "'s" in word and word.replace("'s", "s") in other:
                return f"“{word}” is another word on the other side"
            first, hyphen, rest = word.partition("-")
            if hyphen and (first + rest in other or {first, rest} <= other):
                return f"“{word}” is written without its hyphen on the other side"
    return None
