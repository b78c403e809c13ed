"""Read the list of authors that opens a bibliographic string.

A form of name is chosen by the first author and held to: "Family, G. G." (A), "Family GG" (B),
"G. G. Family" (C), "Family, Given" and then "Given Family" (E, D), names in Han, kana or hangul
(F). What is no list of names for certain gives None, and the caller then knows no authors.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from core.citations.model import Author
from core.citations.works.letters import APOSTROPHE, CJK, DASH, LETTER, LOWER, UPPER
from core.resource import load_json

MOST_NAMES = 500
"""Authors that are read of one list; no style prints more."""


class Form(Enum):
    """How the first author's name is written."""

    COMMA_INITIALS = "A"
    INITIALS_AFTER = "B"
    INITIALS_FIRST = "C"
    GIVEN_FIRST = "D"
    COMMA_GIVEN = "E"
    CJK = "F"
    RUN_ON = "R"
    BODY = "G"


@dataclass(frozen=True, slots=True)
class Names:
    """A list of authors. It ends before `text[end]`; `joined` says that it has an "and"."""

    authors: tuple[Author, ...]
    others: bool
    end: int
    form: Form
    joined: bool = False


def _words(name: str) -> tuple[str, ...]:
    return tuple(load_json("citations/works.json")[name])


_PARTICLES = frozenset(_words("particles"))
_BODIES = frozenset(_words("bodies"))
_ABBREVIATIONS = frozenset(_words("abbreviations"))
_NO_PERSONS = _BODIES | frozenset(_words("no_families"))
# In capitals ("DE", "I") it would be somebody's initials.
_PARTICLE = "|".join(
    re.escape(form)
    for word in sorted(_PARTICLES, key=len, reverse=True)
    for form in dict.fromkeys((word, word if len(word) == 1 else word.capitalize()))
)
_PART = rf"(?:(?:{_PARTICLE})\s){{0,3}}(?:[dDlLO][{APOSTROPHE}]\s?|(?i:al|el|ul)[{DASH}])?"
_INNER = rf"(?:{LETTER}|[\u0300-\u036f]|[{APOSTROPHE}{DASH}](?={LETTER}))"
_CAP = rf"[{UPPER}]{_INNER}{{1,40}}"
_LOWERED = rf"(?=[{UPPER}][{APOSTROPHE}{UPPER}{DASH}]{{0,3}}[{LOWER}])[{UPPER}]{_INNER}{{1,40}}"
_JUNIOR = r"(?:(?:Jr|Sr)\b\.?|(?:II|III|IV|2nd|3rd)\b)"
_CAPS_ONLY = rf"[{UPPER}]{{1,3}}(?!\w|[{APOSTROPHE}{DASH}])"
_FAMILY = (
    rf"{_PART}{_CAP}"
    rf"(?:\s(?:(?:{_PARTICLE})\s){{0,2}}(?!{_JUNIOR})(?!{_CAPS_ONLY}){_CAP}){{0,2}}"
)
_ONE_FAMILY = rf"{_PART}{_LOWERED}(?:\s(?!{_JUNIOR}){_LOWERED}){{0,1}}"
_INITIAL = rf"(?:[{UPPER}]|Yu|Ya|Ye|Zh|Ch|Sh|Kh|Ts|Th|Ph|Chr|Ю|Я)\."
_DOTTED = rf"{_INITIAL}(?:\s?[{DASH}]?\s?(?:{_INITIAL}|[{UPPER}](?![\w.]))){{0,4}}"
_BARE = (
    rf"[{UPPER}]{{1,4}}(?:[{DASH}][{UPPER}]{{1,2}})?(?!\w)|[{UPPER}](?:\s[{UPPER}]){{1,3}}(?!\w)"
    rf"|[{UPPER}]{{1,3}}(?=(?:Jr|Sr)\b)"
)
_SPACED = rf"[{UPPER}](?:\s[{UPPER}]){{1,3}}(?!\w)"
_GIVEN = rf"(?:{_LOWERED}|{_DOTTED}|[{UPPER}](?![\w.]))"

_INVERTED = re.compile(
    rf"(?P<family>{_FAMILY}(?:\s{_JUNIOR})?),\s?(?P<given>{_DOTTED}(?:\s(?:{_PARTICLE})\b){{0,2}}|{_SPACED}|{_BARE})"
    rf"(?P<junior>,?\s{_JUNIOR}(?=[,;.&\s(]|$))?"
)
_AFTER = re.compile(
    rf"(?P<family>{_FAMILY})\s(?P<given>{_DOTTED}|{_SPACED}|{_BARE})(?P<junior>\s?{_JUNIOR}(?=[,;.&\s(:]|$))?"
)
_FIRST = re.compile(
    rf"(?P<given>{_DOTTED}(?:\s(?!(?:{_PARTICLE})\s){_LOWERED}(?=\s[{UPPER}]))?)\s?(?P<family>{_ONE_FAMILY})(?P<junior>,?\s{_JUNIOR}(?=[,;.&\s(:]|$))?"
)
_ENDS = r"(?=\s?[,.;:(“\"&]|\s(?:and|et|und|y|&)\s|$)"
_FULL = re.compile(
    rf"(?P<given>{_LOWERED}(?:\s{_GIVEN}){{0,3}}?)\s(?P<family>{_PART}{_LOWERED})"
    rf"(?P<junior>,?\s{_JUNIOR})?{_ENDS}"
)
_COMMA_FULL = re.compile(
    rf"(?P<family>{_FAMILY}),\s(?P<given>{_LOWERED}(?:\s{_GIVEN}){{0,3}})(?P<junior>,\s{_JUNIOR})?"
    r"(?=[\s,.;:(“\"&]|$)"
)
_CJK_NAME = re.compile(
    rf"(?P<family>[{CJK}]{{2,8}}(?:[·・][{CJK}]{{1,10}})?)(?P<given>)(?P<junior>)"
)

_AND = r"(?:&|and|und|et(?!\s?al)|y|e|en|og|och|и|with)"
_SEPARATOR = re.compile(rf"\s?(?:[,;，；、]\s?(?:{_AND}\s)?|(?:&\s?|{_AND}\s))")
_ELLIPSIS = re.compile(r"[,.]?\s?(?:\.\s?\.\s?\.|…),?\s?(?:&\s)?")
_OTHERS = re.compile(
    r"[,;，；]?\s?(?:&\s|and\s)?(?:et\.?\s?al\b\.?|and\sothers\b|u\.\s?a\.|等|ほか|外)",
    re.IGNORECASE,
)
_RUN_ON_OTHERS = re.compile(r"et\.? al\.?,? ")
_RUN_ON_YEAR = re.compile(r"(?:1[4-9]|20)\d\d[a-z]?,? ")
_EDITORS = re.compile(
    r",?\s?(?:\((?:eds?|editors?|Hrsg)\.?\)|(?:editors?|eds?\.)(?=[.,\s]))\.?", re.IGNORECASE
)
_BEHALF = re.compile(r"[,;]?\s(?:and\s)?(?:on\sbehalf\sof|for)\s(?:the\s)?", re.IGNORECASE)
_COLLABORATION = re.compile(
    rf"\s?\((?:the\s)?[{UPPER}][\w .{DASH}]{{1,60}}?\s(?:Collaborations?|Group|Consortium|Team)\)"
)
_BODY = re.compile(
    r"(?:[^.,;:()\[\]“”\"?!]|,(?=\s)|(?<=\bU)\.(?=[SK])|(?<=\bU\.[SK])\.){2,160}?(?=(?<!\bU\.[SK])\.\s|\.$|\s?\(|\s?[;:]|,\s\(?\d{4}|$)"
)
_BODY_INSIDE = re.compile(
    rf"(?:the\s|The\s)?[{UPPER}][^.,;:()\[\]“”\"?!]{{3,120}}(?=[.:;]|\s?\(|,\s)"
)
_SMALL = frozenset(_words("small_words"))

_ORDER = {
    Form.COMMA_INITIALS: (_INVERTED, _FIRST, _AFTER),
    Form.INITIALS_AFTER: (_AFTER,),
    Form.INITIALS_FIRST: (_FIRST,),
    Form.GIVEN_FIRST: (_FULL, _FIRST),
    Form.COMMA_GIVEN: (_FULL, _FIRST),
    Form.CJK: (_CJK_NAME, _AFTER),
}
_FIRSTS = (
    (Form.GIVEN_FIRST, _FULL),
    (Form.COMMA_INITIALS, _INVERTED),
    (Form.INITIALS_AFTER, _AFTER),
    (Form.CJK, _CJK_NAME),
    (Form.INITIALS_FIRST, _FIRST),
    (Form.COMMA_GIVEN, _COMMA_FULL),
)


def names(text: str) -> Iterator[Names]:
    """The lists of persons that `text` may open with, the likeliest first."""
    running = _run_on(text)
    if running is not None:
        yield running
    for form, pattern in _FIRSTS:
        match = pattern.match(text)
        if match is None or (form is Form.COMMA_GIVEN and _two_names(match)):
            continue
        if form is not Form.CJK and _body_word(match["family"]):
            continue
        found = _list(text, form, match)
        if found is not None:
            yield found
            if form is Form.GIVEN_FIRST and len(found.authors) > 1 and not found.joined:
                # A title in capitals after the one author looks like another's name.
                yield Names(found.authors[:1], False, match.end(), form)


def _run_on(text: str) -> Names | None:
    """Names and a year with nothing but spaces between, as tagged lists give them."""
    authors: list[Author] = []
    at = 0
    while len(authors) < MOST_NAMES:
        match = _AFTER.match(text, at)
        if match is None or text[match.end() : match.end() + 1] != " ":
            break
        authors.append(_author(match))
        at = match.end() + 1
    cut = _RUN_ON_OTHERS.match(text, at)
    end = cut.end() if cut is not None else at
    if not authors or _RUN_ON_YEAR.match(text, end) is None:
        return None
    return Names(tuple(authors), cut is not None, end, Form.RUN_ON)


def _list(text: str, form: Form, match: re.Match[str]) -> Names | None:
    authors = [_author(match)]
    at = match.end()
    joined = others = False
    while len(authors) < MOST_NAMES:
        cut = _OTHERS.match(text, at)
        if cut is not None:
            others, at = True, cut.end()
            break
        gap = _ELLIPSIS.match(text, at)
        if gap is not None:
            others = True
        else:
            gap = _SEPARATOR.match(text, at)
        if gap is None:
            break
        following = _next(text, gap.end(), form, ";" in gap.group() or "；" in gap.group())
        if following is None:
            listed = form in (Form.COMMA_INITIALS, Form.INITIALS_AFTER) or ";" in gap.group()
            body = _body_at(text, gap.end()) if listed else None
            if body is not None:
                authors.append(Author(family=body[0]))
                at = body[1]
            elif gap.re is _ELLIPSIS:
                return None
            break
        author, end = following
        authors.append(author)
        at = end
        if re.search(rf"{_AND}\s?$", gap.group()) and gap.re is _SEPARATOR:
            joined = True
            cut = _OTHERS.match(text, at)
            if cut is not None:
                others, at = True, cut.end()
            break
    if form in (Form.COMMA_INITIALS, Form.INITIALS_AFTER) and not others:
        authors, at = _without_stop(authors, text, at, form)
    behalf = _BEHALF.match(text, at)
    if behalf is not None:
        body = _body_at(text, behalf.end(), named=True)
        if body is not None:
            at = body[1]
    for aside in (_COLLABORATION, _EDITORS):
        said = aside.match(text, at)
        if said is not None:
            at = said.end()
    return Names(tuple(authors), others, at, form, joined)


def _without_stop(
    authors: list[Author], text: str, at: int, form: Form
) -> tuple[list[Author], int]:
    """Give back the stop that ends a list of initials without stops, as in "Jones C. Title"."""
    last = authors[-1]
    alone = len(authors) == 1 and form is Form.INITIALS_AFTER
    bare = "." not in authors[0].given or (alone and text[at : at + 2].strip() != "(")
    if bare and last.given.endswith(".") and last.given.count(".") == 1 and text[at - 1] == ".":
        kept = Author(family=last.family, given=last.given[:-1])
        return [*authors[:-1], kept], at - 1
    return authors, at


def _next(text: str, at: int, form: Form, semicolon: bool) -> tuple[Author, int] | None:
    patterns = _ORDER[form]
    if form is Form.COMMA_GIVEN and semicolon:
        patterns = (_COMMA_FULL, _INVERTED)
    for pattern in patterns:
        match = pattern.match(text, at)
        if match is None or _body_word(match["family"]):
            continue
        if text[match.end() : match.end() + 1] == "." and _journal(match):
            continue
        return _author(match), match.end()
    return None


def _journal(match: re.Match[str]) -> bool:
    """Whether a name is a journal's that follows the authors: "J. Phys. Chem."."""
    last = re.split(rf"[\s{DASH}]", match["family"])[-1]
    return match["given"] in ("J.", "Z.") and last.lower() in _ABBREVIATIONS


def _two_names(match: re.Match[str]) -> bool:
    """Whether "Given Family, Given Family" was read as one inverted name."""
    family = [w for w in match["family"].split() if w.lower() not in _PARTICLES]
    given = match["given"].split()
    return len(family) > 1 and len(given) > 1 and "." not in match["given"].split()[-1]


def _author(match: re.Match[str]) -> Author:
    family, given = match["family"], match["given"]
    junior = (match["junior"] or "").strip(", ")
    if junior:
        given = f"{given}, {junior}" if "," in match["junior"] else f"{given} {junior}"
    return Author(family=family.strip(), given=given.strip())


def _body_word(name: str) -> bool:
    return any(word.strip(".,'’").lower() in _NO_PERSONS for word in name.split())


def body(text: str) -> tuple[Author, int] | None:
    """The group or institution that `text` opens with, and where its name ends, or None."""
    match = _BODY.match(text)
    if match is None:
        return None
    name = match.group().strip(" ,")
    year_next = re.match(r"\.?\s?\(\d{4}", text[match.end() :]) is not None
    if not is_body(name) and not (year_next and _with_acronym(name)):
        return None
    return Author(family=name), match.end()


def _with_acronym(name: str) -> bool:
    """Whether `name` is capitalised, short, and has an acronym in it: "NHS England"."""
    words = name.split()
    return (
        len(words) <= 6
        and all(word[:1].isupper() or word in _SMALL for word in words)
        and any(2 <= len(word) <= 6 and word.isalpha() and word.isupper() for word in words)
    )


def is_body(name: str) -> bool:
    """Whether `name` is the name of a group: capitalised, and with a word that says so."""
    words = name.split()
    if not words or len(words) > 16:
        return False
    plain = [word.strip(".,'’") for word in words]
    if not all(
        word[:1].isupper() or word.isdigit() or word.lower() in _SMALL for word in plain if word
    ):
        return False
    if len(words) == 1:
        return len(plain[0]) >= 2 and plain[0].isupper() and plain[0].isalpha()
    return any(word.lower() in _BODIES for word in plain)


def _body_at(text: str, at: int, named: bool = False) -> tuple[str, int] | None:
    match = _BODY_INSIDE.match(text, at)
    if match is None:
        return None
    name = match.group().strip()
    if named or (is_body(name) and " " in name):
        return name, match.end()
    return None
