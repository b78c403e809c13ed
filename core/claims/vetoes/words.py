"""Word classes from `resources/gates/words.json`, as patterns on lower-case text."""

import re
from functools import cache

from core.resource import load_json


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


@cache
def opposites() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Pairs of patterns whose words contradict each other, in both directions."""
    pairs = []
    for one, other in load_json("gates/words.json")["opposites"]:
        first, second = (compiled(tuple(side.split("|"))) for side in (one, other))
        pairs += [(first, second), (second, first)]
    return tuple(pairs)
