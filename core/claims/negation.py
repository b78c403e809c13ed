"""Words that turn a statement round, and how many of them there are."""

from functools import cache

from core.resource import load_json

_WITH_NEXT = {
    "free": ("of", "from"),
    "declined": ("to",),
    "silent": ("on", "about", "as", "regarding"),
}
"""Words that deny only before one of these: "free of charge", "silent on the matter"."""


@cache
def negators() -> frozenset[str]:
    """Words that negate, in lower case."""
    return frozenset(load_json("gates/words.json")["negators"])


def negations(keys: list[str]) -> int:
    """How many negations there are; "neither … nor" is one, "a little" is none."""
    return len(negation_places(keys))


def negation_places(keys: list[str]) -> list[int]:
    """Where the negations stand among lower-case keys."""
    return [at for at in range(len(keys)) if _negates(keys, at)]


def _negates(keys: list[str], at: int) -> bool:
    key, following = keys[at], keys[at + 1 : at + 3]
    if key == "nor" and "neither" in keys[:at]:
        return False
    if key in ("little", "few"):
        return at == 0 or keys[at - 1] != "a"
    if key in _WITH_NEXT:
        number = following[1:] and following[1][0].isdigit()  # "declined to 8"
        return bool(following) and following[0] in _WITH_NEXT[key] and not number
    if key in ("stop", "stops", "stopped", "ceased"):
        return any(word.endswith("ing") for word in following[:1])
    return key in negators() or key.endswith("n't")
