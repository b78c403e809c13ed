"""When: planned is not done, formerly is not now, and a month is that month."""

from core.claims.vetoes.words import found
from core.text.reading import Reading


def time(claim: Reading, passage: Reading) -> str | None:
    """The claim keeps the passage's time: plans, what no longer holds, and months."""
    for name, what in (("planned", "as planned"), ("past_only", "as of an earlier time")):
        theirs, mine = found(name, passage.lower), found(name, claim.lower)
        if theirs and not mine:
            return f"the passage states it {what} (“{sorted(theirs)[0]}”)"
    months = found("months", claim.lower) - {"may"} - found("months", passage.lower)
    if months:
        return f"the passage does not name {sorted(months)[0].capitalize()}"
    return None
