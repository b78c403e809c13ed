"""Words that turn a statement round, and how many of them there are."""

from functools import cache

from core.resource import load_json


@cache
def negators() -> frozenset[str]:
    """Words that negate, in lower case."""
    return frozenset(load_json("gates/words.json")["negators"])


def negations(keys: list[str]) -> int:
    """How many negations there are; "neither … nor" is one, "a little" is none."""
    count = 0
    for at, key in enumerate(keys):
        if key == "nor" and "neither" in keys[:at]:
            continue
        if key in ("little", "few"):
            count += at == 0 or keys[at - 1] != "a"
        elif key in ("free", "declined"):
            count += keys[at + 1 : at + 2] in (["of"], ["from"], ["to"])
        elif key in ("stop", "stops", "stopped", "ceased"):
            count += any(following.endswith("ing") for following in keys[at + 1 : at + 2])
        else:
            count += key in negators() or key.endswith("n't")
    return count
