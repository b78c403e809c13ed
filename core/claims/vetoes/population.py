"""Whom it holds for: species, populations and parties."""

from core.claims.vetoes.words import compiled, found, words_of
from core.resource import load_json
from core.text.reading import Reading


def population(claim: Reading, passage: Reading) -> str | None:
    """The passage speaks of the claim's species and groups, and of no other in their place."""
    animals = found("animals", passage.lower) - found("animals", claim.lower)
    if animals and not found("animals", claim.lower):
        return f"the passage is about {sorted(animals)[0]}, the claim does not say so"
    groups = [compiled(tuple(group)) for group in load_json("gates/words.json")["groups"]]
    mine = [bool(group.search(claim.lower)) for group in groups]
    theirs = [bool(group.search(passage.lower)) for group in groups]
    everyone = words_of("whole_groups")
    narrow = [
        at
        for at, group in enumerate(load_json("gates/words.json")["groups"])
        if group[0] not in everyone
    ]
    if not any(mine[at] for at in narrow):
        for at in narrow:
            if theirs[at] and (other := groups[at].search(passage.lower)):
                return f"the passage is about {other.group()}, the claim does not say so"
    missing = [at for at, there in enumerate(mine) if there and not theirs[at]]
    instead = [at for at, there in enumerate(theirs) if there and not mine[at]]
    if missing and instead:
        named = groups[missing[0]].search(claim.lower)
        other = groups[instead[0]].search(passage.lower)
        if named and other:
            return f"the claim is about {named.group()}, the passage about {other.group()}"
    return None
