"""Direction: what rises does not fall, and the larger of two is not the smaller."""

import re

from core.claims.negation import negations
from core.claims.vetoes.focus import near, sentences_of
from core.claims.vetoes.marks import held, repeated
from core.claims.vetoes.quantities import measured
from core.claims.vetoes.words import contents, found, pairs
from core.text.reading import Reading
from core.text.tokens import Kind

_SUPERLATIVE = r"(?:most|least|best|worst|\w{3,}est)"
_LESS_THAN_FIRST = re.compile(
    rf"\b(?:second|third|fourth|fifth|next|one of (?:the|its|our|their)|among the)"
    rf"\W+(?:\w+\W+)?{_SUPERLATIVE}\b"
)


_ABOVE_ALL = re.compile(
    r"\bthan (?:(?:that|those|it|they) )?(?:(?:of|in|at|for|on|with) )?"
    r"(?:(?:any|every|all|either|both)(?: of)?(?: the| its| our)? (?:others?|rest)|ever)\b"
)
_RANKS = re.compile(
    rf"\b(?:than|{_SUPERLATIVE}|first|last|top|only|record|all|every|any|none|no|never|ever|"
    r"exceed\w*|outperform\w*|surpass\w*|beat|peak\w*|max\w*|min\w*|lead\w*|led|unique\w*|"
    r"\d[\d.,]*)\b"
)
"""What ranks one above others, or gives the figures by which one ranks."""

_NOT_WORSE = re.compile(r"\b(?:not|no|non)\W(?:\w+\W)?(?:inferior|superior|worse|better)\b")

_COMPARATIVE = re.compile(r"\b(?:more|less|fewer|better|worse|\w{2,}er)(?= (?:\w+ ){0,2}than\b)")


def opposites(claim: Reading, passage: Reading) -> str | None:
    """No word of the claim meets its opposite in the passage."""
    if "than" in claim.keys and "than" in passage.keys:
        return None
    ground = Reading(repeated(claim, passage))
    if negations(claim.keys) % 2 != negations(ground.keys) % 2 and not near(claim, passage):
        return None
    return contrary(claim, ground, "opposites", "counterparts")


def contrary(claim: Reading, passage: Reading, *classes: str) -> str | None:
    """Why a word of the claim meets its contrary in the passage, by the named word classes."""
    for mine, theirs in pairs(*classes):
        here = mine.search(claim.lower)
        if not here or theirs.search(claim.lower):
            continue
        there = theirs.search(passage.lower)
        if there and not mine.search(passage.lower):
            return f"the claim says “{here.group()}”, the passage “{there.group()}”"
    return None


def comparatives(claim: Reading, passage: Reading) -> str | None:
    """With "than" on both sides: the same order and direction, or both turned round."""
    lesser = _LESS_THAN_FIRST.search(passage.lower)
    if (
        lesser
        and re.search(rf"\b{_SUPERLATIVE}\b", claim.lower)
        and not _LESS_THAN_FIRST.search(claim.lower)
    ):
        return f"the passage says “{lesser.group()}”"
    if _ABOVE_ALL.search(claim.lower) and not _RANKS.search(passage.lower):
        return "the claim sets one above all others, the passage does not"
    if _figures_crossed(claim, passage):
        return "the comparison runs the other way"
    mine, theirs = sides(claim, "than"), sides(passage, "than")
    if mine is None or claim.keys == passage.keys:
        return None
    if theirs is None and (not held(claim, passage) or _gives_figures(passage)):
        return None
    if theirs is None:
        if found("comparing", passage.lower) and not _NOT_WORSE.search(passage.lower):
            return None
        return "the claim compares two things, the passage does not"
    kept = bool(mine[1] & theirs[1])
    crossed = bool(mine[0] & theirs[1]) and bool(mine[1] & theirs[0])
    opposite = any(
        one.search(claim.lower)
        and other.search(passage.lower)
        and not one.search(passage.lower)
        and not other.search(claim.lower)
        for one, other in pairs("opposites", "counterparts")
    )
    if not near(claim, passage) and not (crossed or kept):
        return None
    if kept and near(claim, passage) and not _same_comparative(claim, passage):
        return "the comparison is made in another word"
    if kept == crossed:
        return "the two sides of the comparison cannot be told apart"
    if crossed != opposite:
        return "the comparison runs the other way"
    return None


_MULTIPLE = re.compile(r"\b(?:twice|thrice|double|triple|treble|half|[\w.]+ times|\w+-?fold)\b")


def _figures_crossed(claim: Reading, passage: Reading) -> bool:
    """Whether what the claim compares, told apart by figures, stands the other way round.

    "Six weeks had twice the rate of twelve" against "12 weeks … 21%, twice the share after six".
    """
    mine = _figured(claim)
    if mine is None:
        return False
    for sentence in sentences_of(claim, passage):
        theirs = _figured(sentence)
        if theirs is not None and theirs[0] == mine[0]:
            crossed = mine[1] & theirs[2] and mine[2] & theirs[1]
            if crossed and not (mine[1] & theirs[1] or mine[2] & theirs[2]):
                return True
    return False


def _figured(text: Reading) -> tuple[str, set[str], set[str]] | None:
    """The word of comparison, and the figures with their units before and after it."""
    match = _MULTIPLE.search(text.cleaned.lower())
    if match is None:
        return None
    before, after = (
        {f"{q.value} {q.unit}" for q in measured(Reading(part)).quantities}
        for part in (text.cleaned[: match.start()], text.cleaned[match.end() :])
    )
    return (match[0], before, after) if before and after else None


def _gives_figures(passage: Reading) -> bool:
    """Whether the passage gives two figures of one unit, which compare without a "than"."""
    units = [q.unit for q in measured(passage).quantities if not isinstance(q.value, str)]
    return any(units.count(unit) > 1 for unit in set(units) - {"year"})


def _same_comparative(claim: Reading, passage: Reading) -> bool:
    """Whether a word of comparison of the claim, or one of its own kind, is in the passage."""
    words = set(_COMPARATIVE.findall(claim.lower))
    if not words or words & set(passage.keys):
        return True
    mine = " ".join(words)
    kinds = pairs("opposites", "counterparts")
    return any(one.search(mine) and one.search(passage.lower) for one, _ in kinds)


def sides(text: Reading, pivot: str) -> tuple[set[str], set[str]] | None:
    """The content words on each side of the word `pivot`, without those on both; None without it.

    Of an opening phrase ("Before the meeting, the report was read") the rest is the left side.
    """
    tokens = text.tokens
    places = [
        at
        for at, token in enumerate(tokens)
        if token.key.lower() == pivot and {t.kind for t in tokens[at + 1 : at + 2]} == {Kind.WORD}
    ]
    if not places:
        return None
    at = places[0]
    words = contents(text)
    left = {stem for stem, place in words if place < at}
    right = {stem for stem, place in words if place > at}
    if not left:
        comma = next((n for n, t in enumerate(text.tokens) if n > at and t.key == ","), None)
        if comma is not None:
            left = {stem for stem, place in words if place > comma}
            right = {stem for stem, place in words if at < place < comma}
    return left - right, right - left
