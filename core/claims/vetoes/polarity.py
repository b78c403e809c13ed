"""A negation more or less turns a statement round."""

import re

from core.claims.negation import negations
from core.resource import load_json
from core.text.reading import Reading, stems

_CLAUSE = re.compile(r"[,;:.()—]|\b(?:but|although|though|whereas|while|however|because|and)\b")

_DENIED = re.compile(r"\b(?:not|no|non|without|lost)\W+(?:\w+\W+){0,2}significan|insignifican")


def relevant_clauses(claim: Reading, passage: Reading) -> list[str]:
    """The clauses of the passage that speak of what the claim speaks of, else all.

    A clause does when it shares a third of the claim's content words, or when half of its own
    are the claim's.
    """
    wanted = set(stems(claim.keys))
    clauses = [c for c in _CLAUSE.split(passage.lower) if c.strip()]
    relevant = []
    for clause in clauses:
        own = set(stems(_keys(clause)))
        shared = len(wanted & own)
        if 3 * shared >= len(wanted) or 2 * shared >= len(own):
            relevant.append(clause)
    return relevant or clauses


def _keys(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text)


def polarity(claim: Reading, passage: Reading) -> str | None:
    """Negations agree in number, odd or even, and no word stands with a negating prefix."""
    if claim.keys == passage.keys:
        return None
    clauses = relevant_clauses(claim, passage)
    mine = negations(_without_not_only(claim.keys))
    theirs = sum(negations(_without_not_only(_keys(c))) for c in clauses)
    if mine % 2 != theirs % 2 or bool(mine) != bool(theirs):
        return "one of claim and passage is negated and the other is not"
    if _called_significant(claim) and not _called_significant(passage):
        return "the passage does not call it significant"
    return _prefixes(claim, passage) or _widened(claim, passage)


def _called_significant(text: Reading) -> bool:
    return "significan" in text.lower and not _DENIED.search(text.lower)


def _widened(claim: Reading, passage: Reading) -> str | None:
    """Under a negation less is more: "no serious harm" is not "no harm"."""
    if not negations(claim.keys):
        return None
    here = set(stems(claim.keys))
    for at, key in enumerate(passage.keys):
        if key in ("no", "any"):
            following = stems(passage.keys[at + 1 : at + 4])
            shared = [n for n, stem in enumerate(following) if stem in here]
            if shared and any(stem not in here for stem in following[: shared[0]]):
                return f"the passage denies it only of “{' '.join(passage.keys[at + 1 : at + 4])}”"
    return None


def _without_not_only(keys: list[str]) -> list[str]:
    return [
        key
        for at, key in enumerate(keys)
        if not (key == "not" and at + 1 < len(keys) and keys[at + 1] in ("only", "just", "merely"))
    ]


def _prefixes(claim: Reading, passage: Reading) -> str | None:
    mine, theirs = set(claim.keys), set(passage.keys)
    for prefix in load_json("gates/words.json")["negative_prefixes"]:
        for one, other in ((mine, theirs), (theirs, mine)):
            for word in one - other:
                bare = word.removeprefix(prefix)
                if bare != word and len(bare) > 3 and bare in other and bare not in one:
                    return f"“{word}” stands against “{bare}”"
    return None
