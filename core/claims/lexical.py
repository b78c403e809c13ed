"""Gate 4: the claim is a sentence of the source, nearly word for word, and nothing governs it.

The match is of whole sentences and in order, punctuation, numbers, units, signs and modal verbs
included. What may differ is data (`resources/gates/margins.json`): a section number or a label
before the sentence, an opener such as "However,", citation markers, equal quantities ("72 hours"
for "3 days"), the capital of the first word. It may say *supported*; never *contradicted*.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from core.cancellation import Cancellation
from core.claims.source import Sentence, Source
from core.resource import load_json
from core.text.reading import Reading
from core.text.sentences import split
from core.text.tokens import Kind, Token, bigram_coverage

SHORTEST_CLAIM = 3
"""Words and numbers that a claim needs before a match means anything."""


@dataclass(frozen=True)
class Match:
    """Consecutive sentences of one block that say the claim word for word."""

    block: int
    first: int
    last: int
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class Closest:
    """The sentence that shares most ordered word pairs with the claim; coverage in 0..1."""

    coverage: float
    sentence: Sentence | None


def matches(
    claim: Reading, source: Source, cancellation: Cancellation | None = None
) -> tuple[list[Match], Closest]:
    """Every place where the source says the claim, and the closest sentence for the trace."""
    parts = claim_sentences(claim)
    found: list[Match] = []
    closest = Closest(0.0, None)
    wanted = set(claim.keys)
    for block, at, sentence in source.asserting():
        if cancellation is not None and at == 0:
            cancellation.check()
        shared = wanted.intersection(sentence.keys)
        if 2 * len(shared) < len(wanted) and len(parts) == 1:
            continue
        coverage = bigram_coverage(claim.keys, sentence.keys)
        if coverage > closest.coverage:
            closest = Closest(coverage, sentence)
        run = source.sentences[block][at : at + len(parts)]
        if len(run) == len(parts) and all(
            same_assertion(part, candidate) for part, candidate in zip(parts, run, strict=True)
        ):
            found.append(Match(block, at, at + len(parts) - 1, tuple(run)))
    return found, closest


def claim_sentences(claim: Reading) -> list[Reading]:
    """The claim's sentences; each has to match, one after the other."""
    text = claim.raw
    return [Reading(text[start:end]) for start, end in split(text)]


def same_assertion(claim: Reading, sentence: Reading) -> bool:
    """Whether the sentence is the claim, but for what `margins.json` allows before it."""
    mine = _first_lowered(claim.tokens)
    if sum(t.kind in (Kind.WORD, Kind.NUMBER) for t in mine) < SHORTEST_CLAIM:
        return False
    for start in _starts(sentence.cleaned):
        theirs = _first_lowered([t for t in sentence.tokens if t.start >= start])
        if len(mine) == len(theirs) and all(a.same(b) for a, b in zip(mine, theirs, strict=True)):
            return True
    return False


def _first_lowered(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with the sentence's own capital made small: "Firms" and "firms" are one word."""
    out = list(tokens)
    if out and out[0].kind is Kind.WORD:
        first = out[0]
        ordinary = first.text[:1].isupper() and (len(first.text) == 1 or first.text[1:].islower())
        if ordinary:
            key = first.key[:1].lower() + first.key[1:]
            other = first.other[:1].lower() + first.other[1:]
            out[0] = Token(first.kind, first.text, key, first.start, first.end, other)
    return out


@cache
def _margin(name: str) -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(load_json("gates/margins.json")[name]) + ")", re.IGNORECASE)


def _starts(cleaned: str) -> Iterator[int]:
    """Where the assertion may begin: at once, after a label, after an opener, after both."""
    yield 0
    after_label = 0
    for _ in range(2):
        label = _margin("labels").match(cleaned, after_label)
        if label is None:
            break
        after_label = label.end()
        yield after_label
    opener = _margin("openers").match(cleaned, after_label)
    if opener is not None:
        yield opener.end()
