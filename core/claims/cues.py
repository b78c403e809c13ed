"""Phrases that govern what stands near them: the families of `resources/gates/governors.json`."""

import re
from collections.abc import Iterator
from functools import cache

from core.resource import load_json


@cache
def _pattern(family: str, anchored: bool = False) -> re.Pattern[str]:
    phrases = "|".join(load_json("gates/governors.json")[family])
    return re.compile(
        rf"^\W*(?:{phrases})(?!\w)" if anchored else rf"(?<![\w-])(?:{phrases})(?!\w)"
    )


def cue(family: str, lower: str) -> str | None:
    """The first phrase of `family` (a key of governors.json) in lower-case text, or None."""
    found = _pattern(family).search(lower)
    return found.group() if found else None


def cues(family: str, lower: str) -> set[str]:
    """Every phrase of `family` in lower-case text."""
    return {found.group() for found in _pattern(family).finditer(lower)}


def cue_places(family: str, lower: str) -> Iterator[tuple[str, int, int]]:
    """(phrase, start, end) of each phrase of `family` in lower-case text."""
    return ((m.group(), m.start(), m.end()) for m in _pattern(family).finditer(lower))


def opening_cue(family: str, lower: str) -> str | None:
    """The phrase of `family` with which the text opens, or None."""
    found = _pattern(family, anchored=True).search(lower)
    return found.group().strip() if found else None
