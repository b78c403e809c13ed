"""What was so is not what is so: a past state told as present."""

import re

from core.claims.vetoes.focus import nearness, sentences_of
from core.claims.vetoes.verbs import BE, BE_NOW, BE_THEN, bases, finite, present_forms, verbs
from core.claims.vetoes.words import found, words_of
from core.resource import load_json
from core.text.reading import Reading

_CLOSE = 0.55
"""The nearness from which on claim and sentence speak of the same thing; the verb may differ."""

_PAST_TIME = re.compile(
    r"\b(?:1[5-9]|20)\d\ds?\b|\b(?:used to|once|formerly|previously|former|until|then|ago|"
    r"at the time|will|would|could|might|should|no longer|past)\b"
)


def past_as_present(claim: Reading, passage: Reading) -> str | None:
    """The claim says in the present only what the passage says in the present.

    "The mine employed 2,500 people" does not say that it employs them. Reports and findings are
    told in either tense and say nothing of when.
    """
    keys = claim.keys
    if _PAST_TIME.search(claim.lower) or _in_the_past(keys) or found("planned", claim.lower):
        return None
    if set(keys[:3]) & verbs("works"):
        return None
    for sentence in sentences_of(claim, passage)[:1]:
        if nearness(claim, sentence) >= _CLOSE and (pair := _turned(keys, sentence.keys)):
            then, now = pair
            return f"the passage tells it of the past (“{then}”), the claim of today (“{now}”)"
    return None


def _in_the_past(keys: list[str]) -> bool:
    """Whether a verb of the claim stands in the past, or may."""
    irregular = load_json("gates/verbs.json")["past"].keys() | BE_THEN | {"did"}
    return any(
        key in irregular or (key.endswith("ed") and finite(keys, at)) for at, key in enumerate(keys)
    )


def _turned(mine: list[str], theirs: list[str]) -> tuple[str, str] | None:
    """(past form, present form) of a verb that the sentence has in the past alone."""
    for at, then in enumerate(theirs):
        if then in verbs("saying"):
            # Reported speech puts into the past what the speaker says in the present.
            return None
        if then in BE_THEN or (then == "had" and not _helps(theirs, at)):
            now = _same_state(mine, theirs, at)
        elif finite(theirs, at) and theirs[at + 1 : at + 2] != ["by"]:
            now = _same_deed(mine, theirs, then)
        else:
            continue
        if now:
            return then, now
    return None


def _same_state(mine: list[str], theirs: list[str], at: int) -> str:
    """The claim's "is" or "has" where the sentence has "was" or "had" before the same word."""
    forms = BE_NOW if theirs[at] in BE_THEN else present_forms("have")
    state = _next(theirs, at)
    if not state or forms & set(theirs) or _tells(state):
        return ""
    found_at = (n for n, key in enumerate(mine) if n and key in forms and _next(mine, n) == state)
    return next((mine[n] for n in found_at), "")


def _same_deed(mine: list[str], theirs: list[str], then: str) -> str:
    """The claim's present form of the verb of which the sentence has only the past `then`."""
    for base in bases(then) - verbs("telling"):
        forms = present_forms(base)
        if not forms & set(theirs):
            now = (key for at, key in enumerate(mine) if key in forms and finite(mine, at))
            if form := next(now, ""):
                return form
    return ""


def _tells(participle: str) -> bool:
    return bool(bases(participle) & verbs("telling")) or participle in ("found", "shown", "seen")


def _helps(keys: list[str], at: int) -> bool:
    """Whether "had" is the auxiliary of a past perfect."""
    following = keys[at + 1 : at + 3]
    return any(word in BE or word.endswith("ed") for word in following)


def _next(keys: list[str], at: int) -> str:
    """The first word after the place that is neither an article nor an adverb."""
    skipped = words_of("determiners") - {"no"} | {"not", "also", "still", "first", "then"}
    rest = (key for key in keys[at + 1 :] if key not in skipped and not key.endswith("ly"))
    return next(rest, "")
