"""Titles and names as they are compared, and how much a title tells apart.

What differs only in typography is made the same: markup, entities, case, accents, ligatures,
Greek letters and their names, hyphens, the spelling apart or together. Everything else counts.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache
from html import unescape
from typing import Any

from core.resource import load_json

LONGEST_TITLE = 1000
"""Characters of a title that are compared; the longest titles of real works have about 500."""

MOST_LIGHT = 2
"""Words that tell little, by which two titles of one work may differ; and one slip of the pen."""

_LIGHT = frozenset({"a", "an", "the", "and", "of", "in", "on", "for", "its", "their"})
"""Words that may be left out or put in; a closed list, since a sample has its frequent topics."""

CJK_BITS = 5.0
"""Bits of one Han or kana character in a title. Estimates of the entropy of written Chinese lie
between 4 and 6 bits a character (for example Takahira and others 2016, doi:10.3390/e18100364)."""

_TAG = re.compile(
    r"</?(?:[a-z]+:)?(?:i|b|em|strong|italic|bold|sub|sup|inf|sc|scp|u|tt|span|p|br|title|math|m[a-z]+"
    r"|inline-formula|tex-math|xref|named-content|styled-content|underline|monospace|roman|h[1-6])"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_TEX = re.compile(r"\\([A-Za-z]+)")
_CJK = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|\d+(?:\.\d+)?|[^\W\d_{_CJK}]+")
_CJK_CHARACTER = re.compile(rf"[{_CJK}]")
_GREEK = re.compile(r"(?<![\u0370-\u03ff])[\u03b1-\u03c9](?![\u0370-\u03ff])")
_HEAD = re.compile(r"\s*(?::|\?|!|\s[-\u2013]\s|\u2014|\.\s)")
_OTHER_LETTERS = str.maketrans(
    {
        "ø": "o",
        "æ": "ae",
        "œ": "oe",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ı": "i",
        "&": " and ",
    }
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_PARTICLES = frozenset(
    {
        "af",
        "al",
        "am",
        "an",
        "and",
        "auf",
        "aus",
        "bin",
        "da",
        "dal",
        "das",
        "de",
        "degli",
        "dei",
        "del",
        "dela",
        "della",
        "den",
        "der",
        "des",
        "di",
        "do",
        "dos",
        "du",
        "e",
        "el",
        "ibn",
        "in",
        "la",
        "las",
        "le",
        "los",
        "van",
        "vom",
        "von",
        "y",
        "zu",
        "zum",
        "zur",
        "ter",
        "ten",
        "te",
        "st",
    }
)
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")


def plain(text: str) -> str:
    """A title without markup, as a person reads it. Entities may have been written twice."""
    text = unescape(unescape(text[: 4 * LONGEST_TITLE]))
    return " ".join(_TAG.sub("", text).split())[:LONGEST_TITLE]


def title_words(title: str) -> list[str]:
    """The words of a title as they are compared; a Han or kana character is a word of its own."""
    text = unicodedata.normalize("NFKC", plain(title)).casefold()
    text = _TEX.sub(r" \1 ", text.replace("$", "").replace("{", "").replace("}", ""))
    return _WORD.findall(_GREEK.sub(_greek_name, _folded(text)))


def name_words(name: str) -> list[str]:
    """The words of a family name as they are compared, without particles ("van der")."""
    text = unicodedata.normalize("NFKC", plain(name)).casefold()
    return _without_particles(_WORD.findall(_folded(text.replace("'", "").replace("’", ""))))


def name_forms(name: str) -> frozenset[str]:
    """The ways in which a family name is written: "Müller" is "muller" and "mueller"."""
    text = unicodedata.normalize("NFKC", plain(name)).casefold()
    return frozenset({"".join(name_words(name)), "".join(name_words(text.translate(_UMLAUTS)))})


def information(words: Iterable[str]) -> float:
    """How many bits the different words of a title tell, by how many titles have each of them."""
    return sum(word_bits(word) for word in set(words))


def word_bits(word: str) -> float:
    """The information of one word of a title; at most that of a word which no title had."""
    if _CJK_CHARACTER.fullmatch(word):
        return CJK_BITS
    frequencies = _frequencies()
    return math.log2((frequencies["titles"] + 1) / (frequencies["words"].get(word, 0) + 1))


def family_bits(family: str) -> float:
    """The information of an author's family name, by how many authors bear it."""
    frequencies = _frequencies()
    known = (frequencies["families"].get(word, 0) for word in name_words(family))
    return math.log2((frequencies["authors"] + 1) / (max(known, default=0) + 1))


def similarity(one: str, other: str) -> float:
    """0..1: the share of their information that two titles have in common, in the same order."""
    return _similarity(*sorted((title_words(one), title_words(other))))


def same(one: str, other: str) -> bool:
    """Whether two titles differ in typography alone."""
    first, second = title_words(one), title_words(other)
    return bool(first) and "".join(first) == "".join(second)


def near(one: str, other: str) -> bool:
    """Whether two titles differ as one work's do: by typography, a subtitle, one slip of the pen.

    A number or a word that tells something makes them differ: "sepsis" is not "pneumonia".
    """
    if same(one, other):
        return True
    first, second = title_words(one), title_words(other)
    if not first or not second:
        return False
    if _without_subtitle(one, other) or _without_subtitle(other, one):
        return True
    return _differ_lightly(*sorted((first, second)))


def _differ_lightly(first: Sequence[str], second: Sequence[str]) -> bool:
    slips = light = 0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            continue
        mine, theirs = first[i1:i2], second[j1:j2]
        if "".join(mine) == "".join(theirs):
            continue
        if len(mine) == len(theirs) == 1 and one_slip(mine[0], theirs[0]):
            slips += 1
        elif _LIGHT.issuperset((*mine, *theirs)):
            light += len(mine) + len(theirs)
        else:
            return False
    return slips <= 1 and light <= MOST_LIGHT


def one_slip(one: str, other: str) -> bool:
    """Whether two longer words differ by one letter that was changed, added, left out or moved."""
    if min(len(one), len(other)) < 5 or not (one.isalpha() and other.isalpha()):
        return False
    if one == other:
        return True
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if at is None:
        return abs(len(one) - len(other)) == 1
    rest, others = one[at:], other[at:]
    return (
        rest[1:] == others[1:]
        or rest[1:] == others
        or rest == others[1:]
        or (rest[:2] == others[1::-1] and rest[2:] == others[2:])
    )


def comparable(one: str, other: str) -> bool:
    """Whether two names are in one script, so that they can differ."""
    return not _scripts(one).isdisjoint(_scripts(other))


def _similarity(first: Sequence[str], second: Sequence[str]) -> float:
    weights = {word: word_bits(word) for word in {*first, *second}}
    total = sum(weights[word] for word in (*first, *second))
    if not total:
        return 0.0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    common = sum(
        weights[word]
        for block in matcher.get_matching_blocks()
        for word in first[block.a : block.a + block.size]
    )
    return min(1.0, 2 * common / total)


def _without_subtitle(long: str, short: str) -> bool:
    """Whether `short` is `long` without its subtitle, and the subtitle tells of no other work."""
    shown = plain(long)
    found = _HEAD.search(shown)
    if found is None or not same(shown[: found.start()], short):
        return False
    rest = title_words(shown[found.end() :])
    return not any(w in _OTHER_WORK or w[0].isdigit() or _ROMAN.fullmatch(w) for w in rest)


_OTHER_WORK = frozenset(
    {
        "addendum", "answer", "appendix", "book", "comment", "commentary", "comments", "correction",
        "corrections", "corrigendum", "data", "design", "discussion", "editorial", "errata",
        "erratum", "letter", "note", "part", "protocol", "rationale", "rebuttal", "rejoinder",
        "replication", "reply", "response", "retraction", "retracted", "review", "revisited",
        "summary", "supplement", "update", "updated", "volume", "withdrawal", "withdrawn",
    }
)  # fmt: skip
"""In a subtitle, these may be all that tells a second work from the first."""

_ROMAN = re.compile(r"[ivx]+")


def _folded(text: str) -> str:
    """Latin letters without accents; letters of other scripts as they are."""
    if text.isascii():
        return text.translate(_OTHER_LETTERS)
    text = _DASHES.sub("-", text.translate(_OTHER_LETTERS))
    out: list[str] = []
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.combining(character) and out and "a" <= out[-1] <= "z":
            continue
        out.append(character)
    return unicodedata.normalize("NFC", "".join(out))


def _greek_name(match: re.Match[str]) -> str:
    name = unicodedata.name(match.group(), "").rpartition(" ")[2].casefold()
    return f" {'lambda' if name == 'lamda' else name} "


def _without_particles(words: list[str]) -> list[str]:
    while len(words) > 1 and words[0] in _PARTICLES:
        words = words[1:]
    return words


def _scripts(text: str) -> set[str]:
    return {unicodedata.name(c, "").partition(" ")[0] for c in text if c.isalpha()}


@cache
def _frequencies() -> dict[str, Any]:
    found: dict[str, Any] = load_json("scholarly/frequencies.json")
    return found


def same_container(one: str, other: str) -> bool:
    """Whether two names are one journal's, in full or abbreviated ("J. Am. Chem. Soc.")."""
    first, second = _telling(one), _telling(other)
    if not first or len(first) != len(second):
        return False
    return all(_abbreviates(a, b) or _abbreviates(b, a) for a, b in zip(first, second, strict=True))


def _abbreviates(short: str, long: str) -> bool:
    """Whether `short` is letters of `long` in their order, its first letter the first."""
    rest = iter(long)
    return short[:1] == long[:1] and all(letter in rest for letter in short)


def _telling(container: str) -> list[str]:
    skipped = {"the", "of", "and", "for", "in", "on", "a", "an", "de", "der", "und", "la", "et"}
    return [word for word in title_words(container) if word not in skipped]
