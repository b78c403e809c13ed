"""A median is no mean, and a prevalence no incidence: which statistic a figure is."""

import re
from functools import cache

from core.claims.vetoes.words import compiled
from core.resource import load_json
from core.text.reading import Reading


def statistic(claim: Reading, passage: Reading) -> str | None:
    """The claim names no statistic in the place of the one that the passage names."""
    for kind in _kinds():
        mine = [m for p in kind if (m := p.search(claim.lower)) and not p.search(passage.lower)]
        theirs = [m for p in kind if (m := p.search(passage.lower)) and not p.search(claim.lower)]
        if mine and theirs:
            return f"the claim says “{mine[0][0]}”, the passage “{theirs[0][0]}”"
    return None


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Statistics that are not each other, by kind."""
    table = load_json("gates/words.json")["statistics"]
    return tuple(tuple(compiled(tuple(group)) for group in kind) for kind in table.values())
