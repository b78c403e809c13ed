"""Small tools to put a sentence together: choices in brackets, numbers, verb forms, an item."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.resource import load_json

E, N, C, NOT_E = "entailment", "neutral", "contradiction", "not_entailment"

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def vocabulary() -> dict[str, Any]:
    """Return the word lists of `resources/entailment/training/vocabulary.json`."""
    return load_json("entailment/training/vocabulary.json")


def sentence(text: str) -> str:
    """Return `text` with single spaces, a capital first letter and a final stop."""
    text = " ".join(text.split()).replace(" ,", ",").replace(" .", ".")
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".?!" else text + "."


class Speaker:
    """Draws words and fills templates from one random stream."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def word(self, name: str) -> Any:
        """Return one entry of a word list."""
        return self.rng.choice(vocabulary()[name])

    def words(self, name: str, count: int) -> list[Any]:
        """Return `count` different entries of a word list."""
        return self.rng.sample(vocabulary()[name], count)

    def say(self, template: str, **slots: object) -> str:
        """Choose among `[a|b]` alternatives, fill `{slots}` and make it a sentence."""
        return sentence(self.part(template, **slots))

    def part(self, template: str, **slots: object) -> str:
        """Like `say`, for a part of a sentence."""
        while True:
            replaced = _CHOICE.sub(lambda m: self.rng.choice(m[1].split("|")), template)
            if replaced == template:
                return template.format(**slots)
            template = replaced

    def other(self, number: int, low: int = 1, near: bool = True) -> int:
        """Return a number that differs from `number`, often a near or similar-looking one."""
        options = {number + 1, number * 2, number + 10, max(low, number // 2), number * 10}
        if near:
            options |= {number - 1, number + 5, number - 5, number + 2}
        options = {n for n in options if n >= low and n != number}
        return self.rng.choice(sorted(options))


@dataclass
class Item:
    """A premise with hypotheses about it: (label, kind of change, text).

    `slots` fill the templates that `say` is given; a frame may still add slots to them.
    """

    family: str
    premise: str
    speaker: Speaker
    slots: Mapping[str, object] = field(default_factory=dict)
    hypotheses: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, label: str, kind: str, *texts: str) -> None:
        """Add hypotheses of one label and kind."""
        self.hypotheses += [(label, kind, text) for text in texts]

    def say(self, label: str, kind: str, *templates: str) -> None:
        """Add hypotheses of one label and kind, said by the item's speaker with its slots."""
        self.add(label, kind, *[self.speaker.say(t, **self.slots) for t in templates])


def in_words(number: int) -> str:
    """Return a number up to twenty in words, others in figures."""
    return _SMALL[number] if 0 <= number < len(_SMALL) else f"{number:,}"


def third_person(verb: str) -> str:
    """Return the third person singular of a regular verb."""
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def gerund(verb: str) -> str:
    """Return the -ing form of one of the verbs of the word lists."""
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    if verb in {"submit", "label"}:
        return verb + verb[-1] + "ing"
    return verb + "ing"


def article(noun: str) -> str:
    """Return `noun` with its indefinite article."""
    return ("an " if noun[0].lower() in "aeiou" else "a ") + noun
