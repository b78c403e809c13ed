"""Two ideas that the vetoes share: what a claim rests on, and whether it is near in wording.

A passage is up to three sentences of which a claim often needs one clause. What stands elsewhere
is no reason against the claim. And a comparison of structure, say of what a sentence adds, only
means something where the claim is made of the sentence's own words; of a claim in other words and
other syntax it knows nothing, and has to be silent.
"""

import re
from collections.abc import Callable, Sequence
from functools import wraps

from core.claims.negation import negations
from core.claims.vetoes.alignment import Alignment
from core.claims.vetoes.words import contents, found, words_of
from core.text.reading import Reading
from core.text.sentences import split
from core.text.tokens import Kind

NEAR = 0.65
"""The nearness of a claim to a sentence from which on it counts as made of its words."""

_CLAUSE = re.compile(
    r"[;:()—]|,(?!\d)|\s[-–]\s"
    r"|(?=(?<!\ball )(?<!\banything )(?<!\bnothing )\bbut\b)"
    r"|(?=(?<!\bas )\bthough\b)"
    r"|(?=\b(?:although|whereas|while|whilst|however|because|and|yet|so that|which)\b)",
    re.IGNORECASE,
)


def terms(text: Reading) -> frozenset[str]:
    """The stems of the content words, and the numbers."""
    numbers = (token.key for token in text.tokens if token.kind is Kind.NUMBER)
    return frozenset(stem for stem, _ in contents(text)).union(numbers)


def sentences_of(claim: Reading, passage: Reading) -> list[Reading]:
    """The sentences of the passage that the claim rests on, the one that holds most of it first.

    They are as few as hold every term of the claim that the passage has at all; where it has
    none, all of them.
    """
    return _fewest(claim, [Reading(passage.raw[start:end]) for start, end in split(passage.raw)])


def clauses_of(claim: Reading, passage: Reading) -> list[Reading]:
    """The clauses of the passage that the claim rests on, chosen as `sentences_of` chooses."""
    return _fewest(claim, [c for s in sentences_of(claim, passage) for c in clauses(s)])


def clauses(sentence: Reading) -> list[Reading]:
    """The parts of a sentence between its conjunctions and marks, without those that are empty."""
    parts = [Reading(part.strip()) for part in _CLAUSE.split(sentence.cleaned)]
    return [part for part in parts if part.keys]


def ground_of(claim: Reading, sentence: Reading, hanging: Callable[[str], bool]) -> list[Reading]:
    """The clauses of the sentence that the claim rests on, and those that hang on one of them.

    `hanging` says of a clause in lower case whether it depends on another: on the one before it,
    at the head on the first that the claim rests on; never across a semicolon.
    """
    pieces = [clauses(Reading(piece)) for piece in sentence.cleaned.split(";")]
    chosen = {id(part) for part in _fewest(claim, [part for piece in pieces for part in piece])}
    ground = []
    for parts in pieces:
        rested = [id(part) in chosen for part in parts]
        for at, part in enumerate(parts):
            depends = any(rested) and (rested[at - 1] if any(rested[:at]) else True)
            if rested[at] or (depends and hanging(part.lower)):
                ground.append(part)
    return ground


def nearness(claim: Reading, sentence: Reading) -> float:
    """How near a claim is to a sentence in wording and in syntax, 0..1.

    Half of it is the share of the claim's terms that the sentence has anywhere, half the share of
    its words that stand there in the same order.
    """
    wanted = terms(claim)
    held = len(wanted & terms(sentence)) / len(wanted) if wanted else 1.0
    return (held + Alignment(claim, sentence).share) / 2


def near(claim: Reading, passage: Reading) -> bool:
    """Whether a sentence of the claim is made of the words of one of the passage."""
    return bool(counterparts(claim, passage))


def counterparts(claim: Reading, passage: Reading) -> list[tuple[Reading, Reading]]:
    """Each sentence of the claim with the sentence of the passage that it is near to.

    Where only the whole passage has all of its terms, the passage is the counterpart. Sentences
    in other words are left out.
    """
    own = [Reading(claim.raw[start:end]) for start, end in split(claim.raw)]
    pairs = [(part, _counterpart(part, passage)) for part in (own if len(own) > 1 else [claim])]
    return [(part, found) for part, found in pairs if found is not None]


def in_general(claim: Reading) -> bool:
    """Whether the claim says what holds, not what once happened to something.

    Of what happened once, the circumstances may be left out; not of what is denied, forbidden or
    said of all, even in the past. After "is", "may" and their like, "-ed" is no past ("are held").
    """
    if sweeping(claim):
        return True
    keys = claim.keys
    if not words_of("past_auxiliaries").isdisjoint(keys):
        return False
    past = any(key.endswith("ed") or key in words_of("past_verbs") for key in keys)
    return not past or not words_of("present").isdisjoint(keys)


def denies(text: Reading) -> bool:
    """Whether it denies or forbids, rather than says or allows."""
    keys = Reading(text.lower.replace("whether or not", " ")).keys
    return (negations(keys) + len(found("ban", text.lower))) % 2 == 1


def sweeping(claim: Reading) -> bool:
    """Whether the claim denies or forbids something, or says it of all."""
    lower = claim.lower
    all_of = any(key in words_of("all_of") for key in claim.keys)
    return all_of or negations(claim.keys) % 2 == 1 or bool(found("ban", lower))


def where_near(
    veto: Callable[[Reading, Reading], str | None],
) -> Callable[[Reading, Reading], str | None]:
    """A veto that compares near sentences, and says nothing of what is in other words."""

    @wraps(veto)
    def of_near(claim: Reading, passage: Reading) -> str | None:
        reasons = (veto(part, other) for part, other in counterparts(claim, passage))
        return next((reason for reason in reasons if reason), None)

    return of_near


def _counterpart(claim: Reading, passage: Reading) -> Reading | None:
    if not (wanted := terms(claim)):
        return passage
    best = next(iter(sentences_of(claim, passage)), passage)
    if nearness(claim, best) >= NEAR:
        return best
    return passage if wanted <= terms(passage) else None


def _fewest(claim: Reading, parts: Sequence[Reading]) -> list[Reading]:
    """Greedily the parts that hold the claim's terms; of equal ones the one with least besides."""
    missing, left, chosen = terms(claim), {at: terms(part) for at, part in enumerate(parts)}, []
    while left:
        best = max(left, key=lambda at: (len(left[at] & missing), -len(left[at]), -at))
        if not left[best] & missing:
            break
        chosen.append(parts[best])
        missing -= left.pop(best)
    return chosen or list(parts)
