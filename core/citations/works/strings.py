"""Read a free bibliographic string in any of the common styles.

The order of the work: identifiers out; the number in front off; authors; a year behind them; the
place (volume, issue, pages) from the right; what is left is title and container. A field that is
not certain stays empty, and a text that is no bibliographic string has no fields at all.
"""

import re
from dataclasses import dataclass

from core.citations.model import Author, WorkCitation
from core.citations.works.books import book, chapter
from core.citations.works.cleaning import unwrapped, without_notes
from core.citations.works.fields import LONGEST_FIELD, tidy
from core.citations.works.identifiers import identifiers
from core.citations.works.letters import CJK, UPPER
from core.citations.works.marked import chapter_start, marked_title
from core.citations.works.names import Form, Names, body, names
from core.citations.works.segments import (
    container_like,
    publisher_like,
    segments,
    shortened,
    split,
    whole,
)
from core.citations.works.tails import MONTH, Tail, pages_only, reported, tail

_YEAR = r"(?:1[4-9]|20)\d\d(?!\d)"
_DAY = r"(?:\d{1,2}\s[A-Z][a-z]{2,8}\.?,?\s|[A-Z][a-z]{2,8}\.?\s(?:\d{1,2},?\s)?)"
_LABEL = re.compile(
    r"\s*(?:\[(?P<square>\w{1,6})\]|\((?P<round>\d{1,4})\)|(?P<stop>\d{1,4})[.)]"
    rf"|(?P<tab>\d{{1,3}})\t)\s*(?=[\"“‘'(\[¿]?[{UPPER}{CJK}a-z“])"
)
_EARLY = re.compile(
    rf"\s?[.,]?\s?\((?:c\.?\s?|ca\.\s)?(?P<year>{_YEAR})[a-z]?(?:/\d{{2,4}})?"
    r"(?:[,;:\s][^()]{1,40})?\)\s?[.,:;]?\s*"
)
_PLAIN_EARLY = re.compile(rf"\s?[.,]?\s(?P<year>{_YEAR})[a-z]?\s?[.,:]\s*")
_NO_YEAR = re.compile(
    r"\s?[.,]?\s?\((?:in press|forthcoming|n\.\s?d\.|submitted|under review|in preparation"
    r"|o\.\s?J\.)\)\s?[.,:]?\s*",
    re.IGNORECASE,
)
_LINK = re.compile(r"\s?[.,:]\s*|\s+(?=[\"“‘'«„「『(])")
_ONLINE = re.compile(
    r"[.,;]?\s?\b(?:(?:[Pp]ublished|[Ee]pub)\s(?:online|ahead of print)"
    r"|(?<=[.;]\s)(?:Published|Epub))"
    rf"[:,]?\s?(?:{_DAY})?(?P<year>{_YEAR})?.{{0,20}}$"
)
_DATED = re.compile(rf"[.,;]\s(?:{_DAY}|\d{{1,2}},?\s)?(?P<year>{_YEAR})[.\s,]*$")
_LATE = (
    re.compile(rf"\((?:[^()]{{0,80}}[,\s])?(?P<year>{_YEAR})\)[\s.,\d–-]*$"),
    re.compile(
        rf"[;,，]\s?(?:c|©)?(?:[A-Z][a-z]{{2,8}}\.?\s)?(?P<year>{_YEAR})\s?[.,;:：]?\s?"
        r"(?:(?:pp?\.?\s?)?[\d–-]+\.?)?\s*$"
    ),
    re.compile(rf"(?<=\.)\s(?P<year>{_YEAR})\b[\s.;,]*$"),
    re.compile(rf"[;,]\s?c?(?P<year>{_YEAR})\.\s(?:p\.|pp\.|\d)[^.]{{0,30}}\.?$"),
)
_ANY_YEAR = re.compile(rf"(?<!\d){_YEAR}(?!\d)")
_ISSN_PLACE = re.compile(
    r"[\s,.;:()]*(?:[Vv]ol(?:ume)?\.?\s?)?(?P<volume>\d{1,4})\s?"
    r"(?:\((?P<issue>\w{1,6})\)|,?\s?(?:[Nn]o|[Ii]ssue)\.?\s?(?P<number>\w{1,6}))?"
    r"\s?[:,\s]\s?(?:pp?\.?\s?|pages?\s)?(?P<pages>[A-Za-z]?\d+(?:[-–]\d+)?)[\s.]*$"
)
_STOPPED = (Form.COMMA_INITIALS, Form.INITIALS_AFTER)


@dataclass(slots=True)
class _Read:
    """What has been read so far."""

    authors: tuple[Author, ...] = ()
    others: bool = False
    title: str = ""
    year: int | None = None
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    certain: bool = False
    """Whether something was found that only a bibliographic string has."""


def read_reference(text: str) -> WorkCitation:
    """What the bibliographic string `text` says of a work. Never raises.

    `start` and `end` are the whole of `text` without the white space around it.
    """
    stripped = text.strip()
    start = len(text) - len(text.lstrip()) if stripped else 0
    found = identifiers(text)
    plain = without_notes(text, found)
    label = _LABEL.match(plain)
    key = ""
    if label is not None:
        key = next(filter(None, label.groups()), "")
        plain = plain[label.end() :]
    plain = unwrapped(plain)
    read = _fields(plain)
    if not read.certain:
        read = _after_issn(plain) or _Read()
    return WorkCitation(
        identifiers=tuple(dict.fromkeys(item.identifier for item in found)),
        authors=read.authors,
        others=read.others,
        title=_trimmed(read.title),
        year=read.year,
        container=_trimmed(read.container) if read.container.lower() != "arxiv" else "",
        volume=read.volume,
        issue=read.issue.strip(),
        pages=read.pages,
        key=key if read.certain or found else "",
        start=start,
        end=start + len(stripped),
    )


def _fields(text: str) -> _Read:
    read = _Read()
    if not (_ANY_YEAR.search(text) or _NO_YEAR.search(text)):
        return read
    who = next((found for found in names(text) if _trusted(text, found)), None)
    at = 0
    if who is not None:
        read.authors, read.others, at = who.authors, who.others, who.end
        read.authors, at = _without_journal(read.authors, text, at)
        after = _opening(text, at, read)
        if who.form is Form.RUN_ON:
            read.certain = True
            read.year, after = int(text[at : at + 4]), text.index(" ", at) + 1
            day = re.compile(rf"{MONTH}(?:\s\d{{1,2}})?\s").match(text, after)
            after = day.end() if day is not None else after
    else:
        after = None
        group = body(text)
        if group is not None:
            read.authors, at = (group[0],), group[1]
            after = _opening(text, at, read)
        if after is None:
            read.authors = ()
    if after is None:
        after = _quoted_start(text)
        if after is None:
            return _Read()
    link = text[at:after].strip()
    comma = link.endswith(",") or (link.startswith(",") and read.year is None)
    _rest(text[after:], read, comma)
    if comma and not read.title and who is not None and who.form in _STOPPED:
        # Such lists end with a stop: a comma, and no title behind it, is a name that was not read.
        read.authors = ()
    if not read.certain:
        return _Read()
    return read


def _trusted(text: str, who: Names) -> bool:
    """Whether what follows shows that these are authors."""
    if who.form is Form.RUN_ON:
        return True
    rest = text[who.end :]
    year_next = _EARLY.match(rest) or _PLAIN_EARLY.match(rest) or _NO_YEAR.match(rest)
    if year_next and who.form is Form.GIVEN_FIRST:
        initial = any(re.search(r"\b[A-Z]\.", author.given) for author in who.authors)
        return len(who.authors) > 1 or initial or rest.startswith(". ")
    if year_next:
        return True
    quote_next = re.match(r"\s?[.,:]?\s?[“\"‘«„「『]", rest)
    if who.form is Form.GIVEN_FIRST:
        if quote_next or (who.joined and rest.startswith(". ")):
            return True
        publisher = re.search(rf"\([^()]{{2,80}},\s{_YEAR}\)", rest)
        return rest.startswith(", ") and (publisher is not None or reported(rest))
    if quote_next:
        return True
    stopped = text[who.end - 1] == "." and rest[:1] == " "
    if who.form is Form.COMMA_GIVEN:
        return rest.startswith(". ") or stopped
    return stopped or re.match(r"\s?[.,:;]\s", rest) is not None


def _without_journal(
    authors: tuple[Author, ...], text: str, at: int
) -> tuple[tuple[Author, ...], int]:
    """Give back the "J." of a journal that follows initials: "Smith, T. E. J. Am. Chem. Soc."."""
    last = authors[-1]
    rest = text[at:]
    if (
        last.given.endswith(" J.")
        and re.match(r"\s[A-Z][a-z]{1,8}\.\s[A-Z]", rest)
        and shortened(rest.split(".")[0])
    ):
        kept = Author(family=last.family, given=last.given.removesuffix(" J."))
        return (*authors[:-1], kept), at - 3
    return authors, at


def _opening(text: str, at: int, read: _Read) -> int | None:
    """Where the title begins, after a year if one stands there; None where nothing fits."""
    for pattern in (_EARLY, _PLAIN_EARLY):
        match = pattern.match(text, at)
        if match is not None:
            read.year = int(match["year"])
            read.certain = True
            return match.end()
    match = _NO_YEAR.match(text, at)
    if match is not None:
        read.certain = True
        return match.end()
    match = _LINK.match(text, at)
    if match is not None:
        return match.end()
    if text[at - 1 : at] == "." and text[at : at + 1] == " ":
        return at + 1
    return None


def _quoted_start(text: str) -> int | None:
    return 0 if text[:1] in '“"«「『' else None


def _rest(text: str, read: _Read, comma: bool) -> None:
    """Read title, container, place and year out of what follows the authors."""
    online = _ONLINE.search(text)
    if online is not None:
        text = text[: online.start()].rstrip(" ;,.") + "."
        dated = re.search(rf"\s({_YEAR})\.$", text)
        if dated is not None and read.year is None:
            read.year = int(dated[1])
            text = text[: dated.start()] + "."
    _parts(text, read, comma, online is not None)
    if online is not None and online["year"] and read.year is None:
        read.year = int(online["year"])
        read.certain = read.certain or bool(read.authors)


def _parts(text: str, read: _Read, comma: bool, online: bool) -> None:
    """`online`: a year of publication online was taken off the end."""
    title, after = marked_title(text)
    if title:
        read.title = title
        rest = text[after:].lstrip(" ,.;:/")
        alone = re.fullmatch(rf"({_YEAR})\W*", rest)
        if alone is not None:
            read.year = read.year or int(alone[1])
        where = tail(" " + rest)
        inside = chapter(rest)
        if where is not None and (where.strong or read.certain):
            _placed(read, where)
            _contained(read, (" " + rest)[: where.start] or where.container, where)
        elif inside is not None:
            read.container, pages = inside
            read.pages = read.pages or pages
            read.certain = True
        else:
            _loose(rest, read)
        read.year = read.year or _late_year(rest)
        read.certain = read.certain or read.year is not None
        return
    where = tail(text)
    start = chapter_start(text)
    if start is not None:
        read.title = _single(text[: start[0]])
        rest = text[start[1] :]
        if where is not None and where.strong and where.start > start[1]:
            _placed(read, where)
            found = chapter("In " + text[start[1] : where.start])
        else:
            found = chapter("In " + rest)
        if found is not None:
            read.container = found[0]
            read.pages = read.pages or found[1]
        read.year = read.year or _late_year(rest)
        read.certain = read.certain or read.year is not None
        return
    if where is not None and (where.strong or (read.certain and read.authors)):
        before = text[: where.start]
        if where.container:
            read.title, read.container = _single(before), where.container
        elif comma:
            cut = _comma_split(before)
            if cut is not None:
                read.title, read.container = cut
        else:
            cut = split(before.strip(" ,;:("))
            if cut is not None:
                read.title, read.container = cut
        if re.search(r"\s\d+\s\w*\d+$", read.container):
            # Volume and pages have been taken for a part of the name: there are more of them.
            read.container = ""
        elif read.container or not before.strip() or (where.strong and read.authors):
            _placed(read, where)
            if read.container.lower().endswith(" suppl"):
                read.container, read.volume = read.container[:-6], ""
            read.certain = True
        read.year = read.year or _late_year(text[where.end - 1 :])
        return
    ending = re.search(rf"[\s.]*\s\(({_YEAR})\)[\s.]*$", text)
    if ending is not None and read.year is None:
        read.year = int(ending[1])
        read.certain = read.certain or bool(read.authors)
        text = text[: ending.start()] + "."
    made = book(text, read.year is not None or read.certain or online, comma)
    if made is not None:
        read.title = made.title
        read.container = made.container
        read.pages = made.pages
        read.certain = read.certain or made.certain
    read.year = read.year or _late_year(text)
    if read.year is None:
        read.certain = read.certain and bool(read.title)


def _single(text: str) -> str:
    """`text` as a title, if it is one."""
    text = text.strip(" ,;:")
    parts = segments(text)
    if not parts or not whole(parts):
        return ""
    return text.removesuffix(".").strip()


def _placed(read: _Read, where: Tail) -> None:
    read.volume, read.issue, read.pages = where.volume, where.issue, where.pages
    read.year = read.year or where.year
    if where.strong:
        read.certain = True


def _contained(read: _Read, before: str, where: Tail) -> None:
    inside = chapter(before)
    if inside is not None:
        read.container = inside[0]
        return
    name = before.strip(" ,.;:(") if not before.rstrip().endswith(".") else before.strip(" ,;:(")
    if where.container:
        name = where.container
    dated = re.search(rf"[.,]\s?({_YEAR})\.?$", name)
    if dated is not None:
        name = name[: dated.start()]
        read.year = read.year or int(dated[1])
    parts = segments(name)
    if len(parts) > 1 and not all(part.sign == "." for part in parts[:-1]):
        return
    if container_like(name):
        read.container = name


def _loose(rest: str, read: _Read) -> None:
    """A container without volume: a newspaper, a magazine, a server."""
    dated = _DATED.search(rest)
    name = rest[: dated.start()] if dated is not None else rest.rstrip(" .")
    edited = re.search(r",\s(?:edited by|ed\.|translated by)\s", rest)
    pages = pages_only(rest)
    if edited is not None:
        name = rest[: edited.start()]
        if len(segments(name)) == 1 and container_like(name):
            read.container = name
            read.pages = pages[0] if pages is not None else ""
            found = re.search(rf",\s({_YEAR})(?=,|\.?$)", rest)
            read.year = read.year or (int(found[1]) if found is not None else None)
    elif dated is not None:
        read.year = read.year or int(dated["year"])
        simple = len(segments(name)) == 1 and "," not in name and not re.search(r"\d", name)
        thesis = re.search(r"(?i)\b(?:diss|thesis|university|univ|press|ph\.?d)\b", name)
        if simple and thesis is None and not publisher_like(name) and container_like(name):
            read.container = name
    elif pages is not None and len(segments(rest[: pages[1]])) == 1:
        read.pages = pages[0]


def _comma_split(text: str) -> tuple[str, str] | None:
    """Title and container that a comma parts: the last comma before a name of a container."""
    text = text.strip(" ;:(").rstrip(",")
    at = text.rfind(", ")
    if at < 0:
        return ("", text) if container_like(text) else None
    title, container = text[:at], text[at + 2 :]
    if not container_like(container) or len(segments(title)) > 1:
        return None
    before = title.rpartition(", ")[2]
    if before != title and len(before.split()) <= 3 and container_like(before):
        return None
    return title, container


def _late_year(text: str) -> int | None:
    """A year where styles put it at the end; None where there are two that differ."""
    for pattern in _LATE:
        match = pattern.search(text)
        if match is not None:
            return int(match["year"])
    return None


def _after_issn(text: str) -> _Read | None:
    """Volume and page behind an ISSN, which has been taken out of `text`."""
    match = _ISSN_PLACE.match(text)
    if match is None:
        return None
    return _Read(
        volume=match["volume"],
        issue=match["issue"] or match["number"] or "",
        pages=match["pages"].replace("–", "-"),
        certain=True,
    )


def _trimmed(text: str) -> str:
    text = tidy(text[:LONGEST_FIELD]).strip(" ,;:")
    if text.startswith("[") and text.endswith("]") and text.count("[") == 1:
        text = text[1:-1]
    return text
