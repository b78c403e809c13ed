"""When: planned is not done, formerly is not now, and a month is that month."""

import re

from core.claims.vetoes.comparatives import sides
from core.claims.vetoes.focus import near, sentences_of
from core.claims.vetoes.marks import repeated
from core.claims.vetoes.words import found, words_of
from core.resource import load_json
from core.text.reading import Reading

_MONTHS = "|".join(load_json("gates/words.json")["months"])
_DATED = re.compile(rf"\b({_MONTHS}),? ((?:19|20)\d\d)\b")

_EARLIER = re.compile(r"\bthe former(?= effect| group| and|,|$)|\bno longer than\b|\bformer\s*,")
"""Words that look like those of an earlier time, and are not."""


def time(claim: Reading, passage: Reading) -> str | None:
    """The claim keeps the passage's time: plans, what no longer holds, order and months."""
    clauses, close = _EARLIER.sub(" ", repeated(claim, passage)), near(claim, passage)
    for name, what in (("planned", "as planned"), ("past_only", "as of an earlier time")):
        other = found(name, clauses) if close else found("gone", clauses)
        if other and not found(name, claim.lower) | found("gone", claim.lower):
            return f"the passage states it {what} (“{sorted(other)[0]}”)"
    if not close:
        return _other_month(claim, passage)
    anywhere = " , ".join(sentence.lower for sentence in sentences_of(claim, passage))
    for order in ("before", "after", "during"):
        said = found("sequence", claim.lower) & found("order", claim.lower, order)
        if said and not found("order", anywhere, order) | found("order", anywhere, "before"):
            return f"the claim says “{sorted(said)[0]}”, the passage does not"
    if reason := _turned_round(claim, passage) or _other_month(claim, passage):
        return reason
    for name in ("named_times", "time_units"):
        named = (set(claim.keys) & words_of(name)) - set(passage.keys)
        if named:
            return f"the passage does not speak of {sorted(named)[0]}"
    return None


def _other_month(claim: Reading, passage: Reading) -> str | None:
    """A month of the claim, where the passage names another."""
    theirs = found("months", passage.lower)
    for month, year in _DATED.findall(claim.lower):
        if year in passage.lower and month not in theirs and theirs - {"may"}:
            return f"the passage does not give {month.capitalize()} {year}"
    months = found("months", claim.lower) - {"may"} - theirs
    if months and theirs - {"may"}:
        return f"the passage does not name {sorted(months)[0].capitalize()}"
    return None


def _turned_round(claim: Reading, passage: Reading) -> str | None:
    """What came first in the claim came last in the passage."""
    for pivot in ("before", "after"):
        mine, theirs = sides(claim, pivot), sides(passage, pivot)
        if mine and theirs and mine[0] & theirs[1] and not mine[1] & theirs[1]:
            return "the passage has it the other way round in time"
    return None
