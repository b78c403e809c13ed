"""Whom it holds for: species, populations and parties."""

import re
from functools import cache

from core.claims.vetoes.focus import counterparts, ground_of, sentences_of
from core.claims.vetoes.words import compiled, found, opens_with
from core.resource import load_json
from core.text.reading import Reading

_Kind = tuple[re.Pattern[str], ...]


def population(claim: Reading, passage: Reading) -> str | None:
    """The passage speaks of the claim's groups, and of no others of the kind in their place.

    And where the claim is near to a sentence, the sentence is of no species and no group of people
    that the claim leaves out.
    """
    if reason := _instead(claim, passage):
        return reason
    reasons = (_left_out(part, other) for part, other in counterparts(claim, passage))
    return next((reason for reason in reasons if reason), None)


def _instead(claim: Reading, passage: Reading) -> str | None:
    """A group of the claim that the passage lacks, where its sentences have another of the kind."""
    about = " ".join(sentence.lower for sentence in sentences_of(claim, passage))
    people, animals = found("people", claim.lower), found("animals", passage.lower)
    if people and animals and not found("people", passage.lower):
        return f"the claim is about {min(people)}, the passage about {min(animals)}"
    for kind in (*_kinds("groups"), *_kinds("parties")):
        missing = [g for g in kind if g.search(claim.lower) and not g.search(passage.lower)]
        others = [g for g in kind if g.search(about) and not g.search(claim.lower)]
        if missing and others:
            named, other = missing[0].findall(claim.lower), others[0].findall(about)
            return f"the claim is about {named[0]}, the passage about {other[0]}"
    return None


def _left_out(claim: Reading, sentence: Reading) -> str | None:
    """A species or group that the sentence says it of, where the claim names none of its kind."""
    ground = " , ".join(part.lower for part in ground_of(claim, sentence, _narrows))
    animals = found("animals", ground)
    if animals and not found("animals", claim.lower):
        return f"the passage is about {min(animals)}, the claim does not say so"
    for kind in _kinds("groups"):
        others = [m for group in kind if (m := group.search(ground))]
        if others and not any(group.search(claim.lower) for group in kind):
            return f"the passage is about {others[0].group()}, the claim does not say so"
    return None


def _narrows(lower: str) -> bool:
    return opens_with("hanging", lower) or opens_with("trailing_words", lower)


@cache
def _kinds(name: str) -> tuple[_Kind, ...]:
    """Groups that exclude each other, by kind: ages, sexes; or parties to an agreement."""
    table = load_json("gates/words.json")[name]
    return tuple(tuple(compiled(tuple(group)) for group in kind) for kind in table.values())
