"""Gate 1: make text plain before anything compares it, and keep the way back to the original.

What differs only in typography becomes the same: ligatures, curly quotes, dashes, no-break
spaces, thousands separators, hyphens at a line's end. What differs in meaning stays different:
a superscript is not a digit beside the line ("10³" becomes "10^3", never "103").
"""

import re
import unicodedata
from dataclasses import dataclass

LINE_HYPHEN = "\u00ad"
"""Stands in cleaned text where a word was broken at a line's end: the hyphen may belong or not."""

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni")
_SUPERSCRIPT_RUN = "[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ]+"
_SPACE = r"[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)

# One alternative a rule, in the order in which they are tried at each place.
_RULES = re.compile(
    rf"""
      (?P<linebreak>(?<=[^\W\d_])(?:[-\u2010]|\u00ad)[{_INVISIBLE}]*{_SPACE}*\n{_SPACE}*(?=[^\W\d_]))
    | (?P<hardbreak>[-\u2010\u2011]{_SPACE}*\n{_SPACE}*(?=\w))
    | (?P<invisible>[{_INVISIBLE}]+)
    | (?P<superscript>{_SUPERSCRIPT_RUN})
    | (?P<thousands>(?<=[0-9])(?:,|['’\u00a0\u2009\u202f])(?=[0-9]{{3}}(?![0-9])))
    | (?P<times>{_SPACE}?[·⋅∙]{_SPACE}?(?=10[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁻]))
    | (?P<decimal>(?<=[0-9])[·⋅∙‧․](?=[0-9]))
    | (?P<fraction>[¼½¾⅐-⅞])
    | (?P<minus>(?<![\w)\]])[\u2012\u2013\u2212](?=[0-9.]) | \u2212)
    | (?P<dash>{_SPACE}*(?:[\u2014\u2015\u2e3a\u2e3b]|-{{2,3}}){_SPACE}*
               |{_SPACE}+[\u2013-]{_SPACE}+)
    | (?P<hyphen>[\u2010\u2011\u2012\u2013\ufe58\ufe63\uff0d])
    | (?P<double>[“”„‟«»″＂]|''|``)
    | (?P<single>[‘’‚‛′‹›`´ʼ])
    | (?P<degree>[º˚](?={_SPACE}?[CFK]\b))
    | (?P<space>{_SPACE}+)
    | (?P<other>[^\x00-\x7f][\u0300-\u036f]* | [A-Za-z][\u0300-\u036f]+)
    """,
    re.VERBOSE,
)

_PLAIN = re.compile(r"[\x20-\x7e]*\Z")
_NEEDS_RULES = re.compile(r"  |--|''|``|[0-9],[0-9]{3}| - ")


@dataclass(frozen=True, slots=True)
class CleanText:
    """Cleaned text. `origin[i]` is where character `i` stands in the original."""

    text: str
    origin: tuple[int, ...] | range
    length: int
    """Characters in the original."""

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original from which `text[start:end]` was made."""
        if start >= end:
            at = self.origin[start] if start < len(self.origin) else self.length
            return at, at
        after = self.origin[end] if end < len(self.origin) else self.length
        return self.origin[start], max(after, self.origin[end - 1] + 1)


def clean(text: str) -> CleanText:
    """`text` made plain; white space becomes single spaces and is cut at both ends."""
    if _PLAIN.match(text) and not _NEEDS_RULES.search(text):
        kept = text.strip()
        lead = len(text) - len(text.lstrip()) if kept else 0
        return CleanText(kept, range(lead, lead + len(kept)), len(text))
    out: list[str] = []
    origin: list[int] = []

    def put(piece: str, at: int) -> None:
        out.extend(piece)
        origin.extend([at] * len(piece))

    position = 0
    for match in _RULES.finditer(text):
        start = match.start()
        out.extend(text[position:start])
        origin.extend(range(position, start))
        put(_replacement(match, out), start)
        position = match.end()
    out.extend(text[position:])
    origin.extend(range(position, len(text)))
    return _single_spaces(out, origin, len(text))


def _replacement(match: re.Match[str], before: list[str]) -> str:
    found = match.group()
    match match.lastgroup:
        case "linebreak":
            return LINE_HYPHEN
        case "hardbreak" | "minus" | "hyphen":
            return "-"
        case "invisible" | "thousands":
            return _keep_separator(match) if match.lastgroup == "thousands" else ""
        case "superscript":
            return "^" + found.translate(_SUPERSCRIPTS)
        case "times":
            return "×"
        case "decimal":
            return "."
        case "fraction":
            plain = unicodedata.normalize("NFKC", found).replace("\u2044", "/")
            return " " + plain if before and before[-1].isdigit() else plain
        case "dash":
            return " — "
        case "double":
            return '"'
        case "single":
            return "'"
        case "degree":
            return "°"
        case "space":
            return " "
        case _:
            return unicodedata.normalize("NFKC", found)


_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:[,'’\u00a0\u2009\u202f][0-9]{3})*$")


def _keep_separator(match: re.Match[str]) -> str:
    """Drop a thousands separator, but keep the comma of "0,512" or of a list "12345,678"."""
    before = re.search(r"[0-9][0-9,.'’\u00a0\u2009\u202f]*$", match.string[: match.start()][-24:])
    if before and _GROUPED.fullmatch(before.group()):
        return ""
    return " " if match.group().isspace() else match.group()


def _single_spaces(out: list[str], origin: list[int], length: int) -> CleanText:
    kept: list[str] = []
    places: list[int] = []
    for character, at in zip(out, origin, strict=True):
        if character.isspace():
            if not kept or kept[-1] == " ":
                continue
            character = " "
        kept.append(character)
        places.append(at)
    while kept and kept[-1] == " ":
        kept.pop()
        places.pop()
    return CleanText("".join(kept), tuple(places), length)


def readable(cleaned: str) -> str:
    """Cleaned text for a model or a person: a word broken at a line's end is written whole."""
    return cleaned.replace(LINE_HYPHEN, "")


_LATIN_LOOKALIKES = frozenset(
    # Cyrillic, Greek and Armenian letters that print as Latin ones.
    "абвгеёзикмнорстухчьіїјѕԁԛԝһӏАВЕЅЗІЈКМНОРСТУХҮԌԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινυρκϲϳаՕօհոսցզ"
)
_SCRIPTS_BESIDE_LATIN = frozenset({"GREEK", "MODIFIER", "CJK", "HIRAGANA", "KATAKANA"})
_WORD = re.compile(r"[^\W\d_]+")
_OVERLAY = re.compile("[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20eb]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


def _script(letter: str) -> str:
    """A coarse script name: the first word of the letter's Unicode name."""
    code = ord(letter)
    if code < 0x250:
        return "LATIN"
    if 0x250 <= code < 0x2B0 or 0x1D00 <= code < 0x1DC0:
        return "PHONETIC"
    return unicodedata.name(letter, "UNKNOWN").split()[0]


def lookalikes(text: str) -> tuple[str, ...]:
    """Words of `text` that are spelled with letters of another script, or struck through.

    Greek letters beside Latin ones are common in science ("TNFα", "μg", "αB-crystallin"), so a
    Greek letter counts only where it prints as a Latin one inside a lower-case Latin word.
    """
    if text.isascii():
        return ()
    found = [m.group() for m in _OVERLAY.finditer(text)] + [m.group() for m in _BIDI.finditer(text)]
    latin_text = sum("a" <= c.lower() <= "z" for c in text) > sum(
        c in _LATIN_LOOKALIKES for c in text
    )
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text)):
        word = match.group()
        if word.isascii():
            continue
        scripts = {_script(c) for c in word}
        foreign = scripts - {"LATIN"}
        latin = "LATIN" in scripts
        mixed = latin and bool(foreign - _SCRIPTS_BESIDE_LATIN)
        greek = latin and "GREEK" in foreign and _greek_in_disguise(word)
        other = (
            latin_text
            and all(c in _LATIN_LOOKALIKES for c in word)
            and (len(word) > 1 or "GREEK" not in foreign)
        )
        if mixed or greek or other:
            found.append(word)
    return tuple(found)


def _greek_in_disguise(word: str) -> bool:
    for at, letter in enumerate(word):
        if _script(letter) != "GREEK":
            continue
        before = word[at - 1] if at else ""
        after = word[at + 1] if at + 1 < len(word) else ""
        lower = any("a" <= c <= "z" for c in (before, after))
        capital = any("A" <= c <= "Z" for c in (before, after))
        if letter in _LATIN_LOOKALIKES and (lower or (capital and letter.isupper())):
            return True
        if letter in "αειουν" and "a" <= before <= "z" and "a" <= after <= "z":
            return True
    return False
