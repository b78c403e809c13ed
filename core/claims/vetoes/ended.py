"""A rule that the passage says was ended is no rule: what it held is not to be told as held."""

import re
from functools import cache

from core.claims.vetoes.focus import sentences_of, terms
from core.claims.vetoes.words import found, words_of
from core.text.reading import Reading

_REACH = 90
"""Letters between a rule and the verb that ends it: "the clause under which … was deleted"."""

_POINTS_BACK = re.compile(r"(?:this|that|these|those|such|it)\b")
_WAS = r"(?:is|was|are|were|(?:has|have|had) been|got)(?: \w+)?"
_TOLD = r"(?:which|whose|where|whereby|allow\w*|permit\w*|let\w*|requir\w*|forbid\w*|provid\w*)"


def ended(claim: Reading, passage: Reading) -> str | None:
    """The claim tells as standing no rule of which the passage says that it was done away with."""
    if any(found(name, claim.lower) for name in ("ended", "ending", "past_only", "gone")):
        return None
    if _endings().search(claim.lower):
        return None
    wanted = terms(claim)
    for sentence in sentences_of(claim, passage):
        for match in _endings().finditer(sentence.lower):
            told = Reading(_told_of(sentence.lower, match))
            if 2 * len(wanted & terms(told)) >= len(wanted):
                return f"the passage says that this was ended (“{_last_words(match.group())}”)"
    return None


def _told_of(lower: str, match: re.Match[str]) -> str:
    """The clause in which something is ended; with the one before, where it points back to it."""
    start = lower.rfind(";", 0, match.start()) + 1
    clause = lower[start : match.start()].strip()
    if start and (_POINTS_BACK.match(clause) or _POINTS_BACK.match(match.group())):
        start = lower.rfind(";", 0, start - 1) + 1
    end = lower.find(";", match.end())
    return lower[start : end if end >= 0 else len(lower)]


def _last_words(phrase: str) -> str:
    return " ".join(phrase.split()[-4:])


@cache
def _endings() -> re.Pattern[str]:
    rules = "|".join(f"{noun}s?" for noun in sorted(words_of("rules")))
    participles, verbs = ("|".join(sorted(words_of(name))) for name in ("ended", "ending"))
    return re.compile(
        rf"\b(?:(?:this|that|the) )?(?:{rules})\b[^.;]{{0,{_REACH}}}?\b"
        rf"(?:{_WAS} (?:{participles})|(?:{verbs}))\b"
        rf"|\b(?:{participles}|{verbs}) (?:the|that|this|an?|its|their|all|any|every) "
        rf"(?:[\w-]+ ){{0,3}}(?:{rules})\b"
        rf"|\b(?:replac\w+|supersed\w+)\b[^.;]{{0,{_REACH}}}?\b{_TOLD}\b"
    )
