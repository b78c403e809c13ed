"""When: planned is not done, formerly is not now, and a month is that month."""

import re

from core.claims.vetoes.comparatives import sides
from core.claims.vetoes.words import dropped, found, words_of
from core.resource import load_json
from core.text.reading import Reading

_MONTHS = "|".join(load_json("gates/words.json")["months"])
_DATED = re.compile(rf"\b({_MONTHS}),? ((?:19|20)\d\d)\b")


def time(claim: Reading, passage: Reading) -> str | None:
    """The claim keeps the passage's time: plans, what no longer holds, order and months."""
    for name, what in (("planned", "as planned"), ("past_only", "as of an earlier time")):
        if gone := dropped(name, claim, passage):
            return f"the passage states it {what} (“{sorted(gone)[0]}”)"
    order = found("sequence", claim.lower)
    if order and not order & found("sequence", passage.lower):
        return f"the claim says “{sorted(order)[0]}”, the passage does not"
    if reason := _turned_round(claim, passage):
        return reason
    for month, year in _DATED.findall(claim.lower):
        if f"{month} {year}" not in passage.lower:
            return f"the passage does not give {month.capitalize()} {year}"
    months = found("months", claim.lower) - {"may"} - found("months", passage.lower)
    if months:
        return f"the passage does not name {sorted(months)[0].capitalize()}"
    named = (set(claim.keys) & words_of("named_times")) - set(passage.keys)
    if named:
        return f"the passage does not speak of {sorted(named)[0]}"
    spans = (set(claim.keys) & words_of("time_units")) - set(passage.keys)
    if spans:
        return f"the passage does not speak of {sorted(spans)[0]}"
    return None


def _turned_round(claim: Reading, passage: Reading) -> str | None:
    """What came first in the claim came last in the passage."""
    for pivot in ("before", "after"):
        mine, theirs = sides(claim, pivot), sides(passage, pivot)
        if mine and theirs and mine[0] & theirs[1] and not mine[1] & theirs[1]:
            return "the passage has it the other way round in time"
    return None
