"""What the vetoes share: word classes of `resources/gates/words.json`, and the passage's parts."""

import re
from collections.abc import Iterator
from functools import cache

from core.resource import load_json
from core.text.reading import Reading, stems
from core.text.sentences import split
from core.text.tokens import Kind


def _one(phrase: str) -> str:
    return re.escape(phrase).replace(r"\*", r"[\w-]*").replace(r"\|", "|")


@cache
def _pattern(name: str, group: str = "") -> re.Pattern[str]:
    table = load_json("gates/words.json")[name]
    phrases = table[group] if group else table
    return compiled(tuple(phrases))


@cache
def compiled(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that finds any of the phrases as whole words; "*" stands for any ending."""
    longest_first = sorted(phrases, key=len, reverse=True)
    alternatives = "|".join(_bounded(phrase) for phrase in longest_first)
    return re.compile(alternatives)


def _bounded(phrase: str) -> str:
    before = r"(?<![\w-])" if phrase[0].isalnum() else ""
    after = r"(?![\w-])" if phrase[-1].isalnum() else ""
    return f"{before}(?:{_one(phrase)}){after}"


def found(name: str, lower: str, group: str = "") -> set[str]:
    """The phrases of the class that stand in lower-case text."""
    return set(_pattern(name, group).findall(lower))


def places(name: str, lower: str, group: str = "") -> Iterator[tuple[str, int, int]]:
    """(phrase, start, end) of each phrase of the class in lower-case text."""
    return ((m.group(), m.start(), m.end()) for m in _pattern(name, group).finditer(lower))


_JOINED = re.compile(r"(?:(?:and|or|but|only) )*")


def opens_with(name: str, lower: str) -> bool:
    """Whether lower-case text begins with a phrase of the class, after any joining words."""
    joined = _JOINED.match(lower)
    return bool(_pattern(name).match(lower, joined.end() if joined else 0))


def dropped(name: str, claim: Reading, passage: Reading) -> set[str]:
    """What the passage has of the class and the claim has not, nor another of the class instead.

    What both have cancels out: "the pilot may have seen it" hedges, and "the pilot" does not.
    """
    mine, theirs = found(name, claim.lower), found(name, passage.lower)
    return theirs - mine if not mine - theirs else set()


def words_of(name: str) -> frozenset[str]:
    """The words of a class whose entries are single words."""
    return frozenset(load_json("gates/words.json")[name])


@cache
def pairs(*names: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Pairs of patterns of the named classes whose words exclude each other, in both directions.

    "opposites" say contrary things of one subject ("rose", "fell"); "counterparts" name two
    things ("men", "women") of which contrary things may both be true.
    """
    found = []
    for name in names:
        for one, other in load_json("gates/words.json")[name]:
            first, second = (compiled(tuple(side.split("|"))) for side in (one, other))
            found += [(first, second), (second, first)]
    return tuple(found)


def contents(text: Reading) -> list[tuple[str, int]]:
    """(stem, token number) of the content words; "drug A" and "drug B" are words of their own."""
    tokens = text.tokens
    out = []
    for at, token in enumerate(tokens):
        if token.kind is not Kind.WORD:
            continue
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        label = following if len(following) == 1 and following.isupper() else ""
        bare = token.key.lower().removesuffix("'s").removesuffix("'")
        out += [(stem + label, at) for stem in stems([bare])]
    return out


def sentences_about(claim: Reading, passage: Reading) -> list[Reading]:
    """The passage's sentences that share a third of the claim's content words, else all."""
    cut = [Reading(passage.raw[start:end]) for start, end in split(passage.raw)]
    wanted = set(stems(claim.keys))
    shared = [s for s in cut if 3 * len(wanted & set(stems(s.keys))) >= len(wanted)]
    return shared or cut
