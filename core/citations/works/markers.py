"""Find the marks in running text that point to entries of a list of references.

Numbers in brackets ("[1,3–5]", "[2]–[4]"), names with years ("(Smith et al., 2020; Jones 2019a)",
"Smith and Jones (2020)"), raised numbers and footnotes. A mark that can be something else (an
interval, an exponent, a date) is not taken for one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.citations.works.letters import APOSTROPHE, CJK, DASH, LETTER, UPPER
from core.citations.works.names import is_body
from core.resource import load_json

WIDEST_RANGE = 200
"""Entries that one range may stand for; of a wider one only the two ends are given."""


class MarkKind(StrEnum):
    """The form of a mark."""

    NUMBERED = "numbered"
    AUTHOR_YEAR = "author_year"
    RAISED = "raised"
    FOOTNOTE = "footnote"


@dataclass(frozen=True, slots=True)
class Target:
    """What a mark points to: a label, or names and a year (None: no date, or in press).

    `others` says that the mark has "et al."; `locator` is the place in the work ("p. 45").
    """

    label: str = ""
    names: tuple[str, ...] = ()
    others: bool = False
    year: int | None = None
    suffix: str = ""
    locator: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """A mark: `text[start:end]`, and all that it points to, in its order."""

    kind: MarkKind
    start: int
    end: int
    targets: tuple[Target, ...]


_NUMBER = rf"\d{{1,4}}(?:\s?[{DASH}]\s?\d{{1,4}})?"
_LIST = rf"{_NUMBER}(?:\s?[,;]\s?{_NUMBER}){{0,60}}"
_PLACE = (
    r"(?:,\s(?:pp?\.|p|§|ch\.|chap\.|Sect?\.|Fig\.|Thm\.|Theorem)\s?"
    rf"[\w.{DASH}]{{1,20}})?"
)
_BRACKETED = re.compile(rf"\[\s?(?:(?:see|e\.g\.,?|cf\.)\s)?(?P<list>{_LIST}){_PLACE}\s?\]")
_BETWEEN = re.compile(rf"\s?[{DASH}]\s?(?=\[)")
_ROUND = re.compile(rf"(?<=[\w.,”\"]\s)\((?P<list>{_LIST})\)|(?<={LETTER})\((?P<glued>{_LIST})\)")
_NO_MARK_BEFORE = re.compile(
    r"(?:\b(?:intervals?|ranges?|between|in|over|array|index|vector|values?|scores?|scale|scaled"
    r"|given|is|are|grades?|levels?|from|within|domain|set)\s?(?:of\s?|to\s?|by\s?|on\s?)?"
    r"|[=∈<>≤≥(]\s?)$",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(r"\s(?:mg|kg|g|ml|mL|l|L|mm|cm|m|km|µg|μg|mol|mmol|Hz|%|°C)\b")
_KEY = r"[A-Z][A-Za-z+]{1,8}\d{2}[a-z]?"
_KEYED = re.compile(rf"\[(?P<keys>{_KEY}(?:\s?,\s?{_KEY}){{0,20}})\]")
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RAISED_LIST = (
    rf"[{_RAISED_DIGITS}]{{1,3}}"
    rf"(?:[,;⁻\u2010-\u2015·˒-]\s?[{_RAISED_DIGITS}]{{1,3}}){{0,20}}(?![{_RAISED_DIGITS}⁺⁻])"
)
_AFTER_WORD = rf"(?<=[^\W\d_]|[.,;:!?)\]”’\"'])(?<![{_RAISED_DIGITS}])"
_RAISED = re.compile(
    rf"{_AFTER_WORD}(?:(?P<list>{_RAISED_LIST})"
    r"|\^(?P<caret>\d{1,3}(?:[,\u2010-\u2015-]\d{1,3}){0,20})\^?(?!\w))"
)
_TO_PLAIN = str.maketrans(f"{_RAISED_DIGITS}⁻", "0123456789-")
_EXPONENT = re.compile(
    r"(?<![^\W\d_])(?:[kcdmµμnhM]?m|[kmµ]?g|s|h|ft|in|mi|yd|L|l|[A-Za-zα-ωΑ-Ω])$"
)
_FOOTNOTE = re.compile(r"\[\^(?P<label>[\w-]{1,20})\](?!:)")

_PARTICLES = frozenset(load_json("citations/works.json")["particles"])
_PARTICLE = "|".join(
    re.escape(word) for word in sorted(_PARTICLES - {"e", "i", "y", "d"}, key=len, reverse=True)
)
_WORD = (
    rf"(?:[dDlLO][{APOSTROPHE}])?[{UPPER}]"
    rf"(?:{LETTER}|[\u0300-\u036f]|[{APOSTROPHE}](?!s\b)(?={LETTER})|[{DASH}](?={LETTER}))*"
)
_NAME = (
    rf"(?:(?:{_PARTICLE}|{_PARTICLE.title()})\s){{0,3}}{_WORD}"
    rf"(?:\s(?!and\b|et\b)(?:(?:{_PARTICLE})\s){{0,2}}{_WORD}){{0,2}}"
)
_GROUP = rf"{_WORD}(?:\s(?:of|for|and|the|on|in|&|de|la|du|des)(?=\s)|,?\s{_WORD}){{1,12}}"
_CJK_NAMES = rf"[{CJK}]{{2,8}}(?:[、,，和与と・]\s?[{CJK}]{{2,8}}){{0,3}}(?:等|ほか|らは)?"
_OTHERS = (
    r"(?:,?\s(?:et\.?\s?al\.?|and\s(?:others|colleagues|co-?workers)|u\.\s?a\.)|\s?等|\s?ほか)"
)
_YEAR = (
    r"(?:(?:1[4-9]|20)\d\d(?!\d)(?:/\d{2,4})?[a-z]?(?![a-z])|n\.\s?d\.(?:-?[a-z])?"
    r"|in\spress|forthcoming)"
)
_YEARS = rf"{_YEAR}(?:(?:\s?[,;]\s?|\s?(?:and|&)\s)(?:{_YEAR}|[a-z](?=[,;)\]\s]|$))){{0,8}}"
_LOCATOR = (
    r"(?:(?:,\s|:\s?|\s)(?P<locator>(?:pp?\.?|pages?|ch\.|chap\.|chapter|para\.?|§|S\.|fig\.|table"
    rf"|vol\.|section)\s?[\w.{DASH}]{{1,20}}(?:[,{DASH}]\s?\d{{1,5}})?"
    rf"|\d{{1,4}}(?:[{DASH}]\d{{1,4}})?(?=[;,)\]]|$)))?"
)
_BEFORE = (
    r"(?:(?:see(?:\salso|,?\se\.g\.,?|\sfor\sexample,?)?|e\.g\.,?|cf\.|i\.e\.,?|also|but\ssee"
    r"|but\scf\.|reviewed\s(?:in|by)|as\scited\sin|cited\sin|quoted\sin|for\s(?:a\s)?reviews?,?"
    r"(?:\ssee)?|after|following|according\sto|from|source:|adapted\sfrom|data\sfrom|compare"
    r"|contra|in|and|or|vgl\.|siehe|voir)[\s,:]{1,2}){0,3}"
)
_WHO = rf"(?P<who>{_NAME}(?:(?:,\s|,?\s(?:and|&|und|et|y)\s){_NAME}){{0,7}}|{_GROUP}|{_CJK_NAMES})"
_PART = re.compile(
    rf"{_BEFORE}{_WHO}(?:\s\[[{UPPER}]{{2,10}}\])?(?P<others>{_OTHERS})?"
    rf"[{APOSTROPHE}]?(?:[,，]\s?|\s|(?<=[{CJK}]))(?P<years>{_YEARS}){_LOCATOR}"
)
_ROUND_TEXT = re.compile(
    r"[(（](?P<inside>[^()（）\[\]]{4,600}(?:\[[^()\[\]]{1,20}\][^()\[\]]{1,580})?)[)）]"
    r"|\[(?P<square>[^()\[\]]{6,600})\]"
)
_ANY_YEAR = re.compile(_YEAR)
_NARRATIVE = re.compile(
    rf"(?<![\w{APOSTROPHE}]){_WHO}(?P<others>{_OTHERS})?(?:[{APOSTROPHE}]s?)?"
    rf"\s?[(\[](?P<years>{_YEARS}){_LOCATOR}[)\]]"
)
_SEPARATOR = re.compile(r"\s?[;,]\s?(?:and\s|&\s)?")
_ALSO = re.compile(r"(?P<year>(?:1[4-9]|20)\d\d)?(?:/\d{2,4})?(?P<suffix>[a-z])?$")
_JOIN = re.compile(r",\s(?:and\s|&\s)?|\s(?:and|&|und|et|y)\s|[、，和与と]\s?")
_WORDS = load_json("citations/works.json")
_OPENERS = frozenset(_WORDS["openers"])
_NOT_NAMES = frozenset(_WORDS["dated_things"])


def markers(text: str, round_brackets: bool = False) -> tuple[Marker, ...]:
    """The marks in `text`, in its order. Linear in its length; never raises.

    `round_brackets`: also take "(1,3–5)" for a mark, as some journals print them. Only for
    documents whose list is numbered and that have no other marks: most such numbers are none.
    """
    found = [*_bracketed(text), *_raised(text), *_footnotes(text), *_parenthetical(text)]
    found += _narrative(text)
    if round_brackets:
        found += _rounded(text)
    found.sort(key=lambda marker: (marker.start, -marker.end))
    kept: list[Marker] = []
    for marker in found:
        if not kept or marker.start >= kept[-1].end:
            kept.append(marker)
    return tuple(kept)


def _numbers(written: str) -> tuple[Target, ...]:
    """The labels of a list with ranges; nothing where one of them is no entry's number."""
    made: list[str] = []
    for part in re.split(r"[,;]", written):
        ends = [end.strip() for end in re.split(rf"[{DASH}]", part)]
        if not all(end.isdigit() for end in ends):
            return ()
        first, last = int(ends[0]), int(ends[-1])
        if first == 0 or 1400 <= first <= 2100 or 1400 <= last <= 2100:
            return ()
        if first <= last <= first + WIDEST_RANGE:
            made += map(str, range(first, last + 1))
        else:
            made += [str(first), str(last)]
    return tuple(Target(label=label) for label in dict.fromkeys(made))


def _bracketed(text: str) -> Iterator[Marker]:
    held: Marker | None = None
    for match in _BRACKETED.finditer(text):
        targets = _numbers(match["list"])
        before = text[max(0, match.start() - 20) : match.start()]
        # A list or a range of two may be an interval; a single number after "in" is a citation.
        pair = not match["list"].strip().isdigit()
        if not targets or (pair and _NO_MARK_BEFORE.search(before)):
            continue
        if before[-1:].isalpha() and text[match.end() : match.end() + 1].isalpha():
            continue  # Benzo[1]dioxole
        if before[-1:].isdigit() or _UNIT_AFTER.match(text, match.end()):
            continue  # "10 [1] mg", "5[2]"
        marker = Marker(MarkKind.NUMBERED, match.start(), match.end(), targets)
        if held is not None:
            between = _BETWEEN.match(text, held.end)
            if between is not None and between.end() == marker.start:
                spanned = _numbers(f"{held.targets[-1].label}-{targets[0].label}")
                joined = dict.fromkeys((*held.targets, *spanned, *targets))
                held = Marker(MarkKind.NUMBERED, held.start, marker.end, tuple(joined))
                continue
            yield held
        held = marker
    if held is not None:
        yield held
    for match in _KEYED.finditer(text):
        keys = [key.strip() for key in match["keys"].split(",")]
        yield Marker(
            MarkKind.NUMBERED, match.start(), match.end(), tuple(Target(label=k) for k in keys)
        )


def _rounded(text: str) -> Iterator[Marker]:
    for match in _ROUND.finditer(text):
        targets = _numbers(match["list"] or match["glued"])
        if targets:
            yield Marker(MarkKind.NUMBERED, match.start(), match.end(), targets)


def _raised(text: str) -> Iterator[Marker]:
    for match in _RAISED.finditer(text):
        before = text[max(0, match.start() - 8) : match.start()]
        if before[-1].isalpha() and _EXPONENT.search(" " + before):
            continue
        written = (match["list"] or match["caret"]).translate(_TO_PLAIN)
        targets = _numbers(re.sub(r"[·˒]", ",", written))
        if targets:
            yield Marker(MarkKind.RAISED, match.start(), match.end(), targets)


def _footnotes(text: str) -> Iterator[Marker]:
    for match in _FOOTNOTE.finditer(text):
        target = Target(label=match["label"])
        yield Marker(MarkKind.FOOTNOTE, match.start(), match.end(), (target,))


def _parenthetical(text: str) -> Iterator[Marker]:
    for match in _ROUND_TEXT.finditer(text):
        inside = match["inside"] or match["square"]
        if _ANY_YEAR.search(inside) is None:
            continue
        targets: list[Target] = []
        for part in re.split(r";\s?", inside):
            at = 0
            while at < len(part):
                read = _PART.match(part, at)
                if read is None:
                    break
                targets += _targets(read, read["who"][_opening(read["who"]) :])
                gap = _SEPARATOR.match(part, read.end())
                if gap is None:
                    break
                at = gap.end()
        if not targets:
            continue
        yield Marker(MarkKind.AUTHOR_YEAR, match.start(), match.end(), tuple(targets))


def _narrative(text: str) -> Iterator[Marker]:
    for year in re.finditer(rf"[(\[](?={_YEAR})", text):
        # The names stand just before the bracket: look back over a bounded reach only.
        low = max(0, year.start() - 160)
        best = None
        for match in _NARRATIVE.finditer(text, low, min(len(text), year.end() + 80)):
            if match.start("years") == year.end():
                best = match
                break
        if best is None:
            continue
        start = best.start() + _opening(best["who"])
        listed = re.search(r",\s[^,]+$", best["who"])
        if listed is not None and not re.search(r"\s(?:and|&|und|et|y)\s", best["who"]):
            # "In Norway, Smith (1999)": only the last name is the work's, unless a list is cut off.
            cut_off = (best["others"] or "").startswith(",")
            start = start if cut_off else best.start() + listed.start() + 2
        targets = _targets(best, best["who"][start - best.start() :])
        if targets:
            yield Marker(MarkKind.AUTHOR_YEAR, start, best.end(), tuple(targets))


def _opening(who: str) -> int:
    """How many characters of `who` are words that open a sentence and are no name."""
    at = 0
    for match in re.finditer(r"\S+\s", who):
        if match.start() != at or not _opens(match.group().strip(" ,")):
            break
        at = match.end()
    return at


def _opens(word: str) -> bool:
    """Whether `word` opens sentences; "WHO" in capitals is a name."""
    return word.lower() in _OPENERS and (len(word) == 1 or not word.isupper())


def _targets(match: re.Match[str], who: str) -> list[Target]:
    who = who.strip(" ,")
    if not who or _opens(who) or not _may_be_names(who):
        return []
    if is_body(who) or (" " in who and _is_group(who)):
        names: tuple[str, ...] = (who,)
    else:
        names = tuple(name.strip() for name in _JOIN.split(who) if name.strip())
    others = match["others"] is not None or who.endswith(("等", "ほか"))
    names = tuple(name.removesuffix("等").removesuffix("ほか") for name in names)
    made: list[Target] = []
    before: int | None = None
    locator = (match["locator"] or "").strip()
    for written in re.split(r"\s?[,;]\s?|\s(?:and|&)\s", match["years"]):
        plain = written.strip()
        year = re.fullmatch(_ALSO, plain)
        if year is not None and (year["year"] or year["suffix"]):
            before = int(year["year"]) if year["year"] else before
            suffix = year["suffix"] or ""
        else:
            before, suffix = None, ""
            letter = re.search(r"d\.-?([a-z])$", plain)
            suffix = letter[1] if letter is not None else ""
        made.append(Target("", names, others, before, suffix))
    if locator and made:
        last = made[-1]
        made[-1] = Target("", last.names, last.others, last.year, last.suffix, locator)
    return made


def _may_be_names(who: str) -> bool:
    words = [word.strip(".,'’") for word in who.split()]
    if words[0].lower() in _NOT_NAMES or words[-1].lower() in _NOT_NAMES:
        return False
    return any((word[:1].isupper() and len(word) > 1) or not word.isascii() for word in words)


def _is_group(who: str) -> bool:
    words = who.split()
    return any(word in ("of", "for", "the", "on", "in", "and") for word in words[1:-1]) and is_body(
        who
    )
