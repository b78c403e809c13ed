"""When: planned is not done, formerly is not now, and a month is that month."""

import re

from core.claims.vetoes.comparatives import sides
from core.claims.vetoes.focus import denies, near, sentences_of
from core.claims.vetoes.marks import repeated
from core.claims.vetoes.words import found, words_of
from core.resource import load_json
from core.text.reading import Reading

_MONTHS = "|".join(load_json("gates/words.json")["months"])
_DATED = re.compile(rf"\b({_MONTHS}),? ((?:19|20)\d\d)\b")

_DATES = frozenset(load_json("gates/words.json")["months"]) | frozenset(
    load_json("gates/words.json")["named_times"]
)

_EARLIER = re.compile(r"\bthe former(?= effect| group| and|,|$)|\bno longer than\b|\bformer\s*,")
"""Words that look like those of an earlier time, and are not."""


def time(claim: Reading, passage: Reading) -> str | None:
    """The claim keeps the passage's time: plans, what no longer holds, order and months."""
    clauses, close = _EARLIER.sub(" ", repeated(claim, passage)), near(claim, passage)
    for name, what in (("planned", "as planned"), ("past_only", "as of an earlier time")):
        other = found(name, clauses) if close else found("gone", clauses)
        if other and not found(name, claim.lower) | found("gone", claim.lower):
            return f"the passage states it {what} (“{sorted(other)[0]}”)"
    if reason := _other_end(claim, passage):
        return reason
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


_FROM_OR_TO = re.compile(
    r"\b(?:(?P<to>until|till|up to|before)|(?P<of>since|from|as of|after)) "
    r"(?:the |last |early |late |mid-?|the end of |the start of )*(?P<when>[\w-]+(?: \d{4})?)"
)


_BOTH_ENDS = re.compile(
    r"\b(?:until then|before that|before then|till then|had (?:\w+ )?been|previously|formerly|"
    r"after that|from then|thereafter|since then|afterwards)\b"
)
"""The passage tells what was before and what came after."""


def _other_end(claim: Reading, passage: Reading) -> str | None:
    """What the passage says from a time on, the claim does not say up to then; nor the reverse.

    Where one denies it and the other does not, both may be true: "banned since January" and
    "sold until January".
    """
    here = {(m["when"], bool(m["to"])): m for m in _FROM_OR_TO.finditer(claim.lower)}
    for sentence in sentences_of(claim, passage):
        if denies(claim) != denies(sentence) or _BOTH_ENDS.search(sentence.lower):
            continue
        there = {(m["when"], bool(m["to"])): m for m in _FROM_OR_TO.finditer(sentence.lower)}
        for when, to in here:
            dated = when.split()[0] in _DATES or when[0].isdigit()
            if dated and (when, not to) in there and (when, to) not in there:
                mine, theirs = here[when, to], there[when, not to]
                return f"the claim says “{mine[0]}”, the passage “{theirs[0]}”"
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
