"""Read books, chapters, reports and theses: works whose place is a publisher or another work."""

import re
from dataclasses import dataclass

from core.citations.works.letters import UPPER
from core.citations.works.names import Form, is_body, names
from core.citations.works.segments import (
    Segment,
    container_like,
    publisher_like,
    segments,
    serial,
    whole,
)
from core.citations.works.tails import pages_only
from core.resource import load_json

_YEAR = r"(?:1[4-9]|20)\d\d(?!\d)"
_EDITION = re.compile(
    r"[,.]?\s?\(?(?:\d{1,2}(?:st|nd|rd|th)?\.?|[Rr]ev(?:ised|\.)?|[a-z]{3,8}|[A-Z][a-z]{3,7})\s(?:[Ee]d(?:ition|n|s)?|[Aa]ufl(?:age)?)\b\.?\)?\.?$"
)
_PARENS = re.compile(
    r"\s?\((?:[^()]*\b(?:[Ee]d|[Ee]dn|[Ee]dition|[Ee]ds|Report|No|Vol|Vols|pp|p|Publication|NICE|Version)\b[^()]*)\)\.?$"
)
_BRACKETS = re.compile(r"\s?\[[^\[\]]{3,120}\]\.?$")
_MAKERS = re.compile(
    r"(?:[Tt]ranslated|[Ee]dited|[Tt]rans\.|[Ii]llustrated|[Ww]ith (?:a|an) )\s?(?:by\s)?.{0,120}"
)
_SIZE = re.compile(r"(?:[ivxlc]{1,6}[,+]\s?)?\d{1,5}\s?(?:p|pp|pages)\b\.?|(?:pp?\.?\s?)?[\d–-]+")
_DATE_ONLY = re.compile(rf"c?{_YEAR}[a-z]?")
_PARTED = re.compile(rf"\s\((?P<inside>[^()]{{2,120}}?,\s(?P<year>{_YEAR}))\)")
_EDITORS = re.compile(
    r"^.{2,200}?(?:\s?\((?:[Ee]ds?|[Ee]ditors?|Hrsg|Hg)\.?\)[.,:]?|,\s(?:editors?|eds)\b[.,:]?|\beditors?\.)\s"
)
_BOOK_END = re.compile(
    rf"\s\((?=[^()]{{0,60}}(?:\bpp?\b|\bed\b|[Ee]d[sn]?\.|[Vv]ol|{_YEAR}|edition))"
    r"|,\s(?:edited\sby|ed\.\s|eds\.\s|\d{1,2}(?:st|nd|rd|th)\sed|pp?\b|pages\b|vol\b|volume\b|ser\b|LNCS)"
    rf"|,\s(?:[A-Z][a-z]{{2,8}}\.?\s)?{_YEAR}\b|;\s|,\s\d{{1,4}}[–-]\d{{1,4}}\b|\s(?=pp\.?\s\d)|\.\sLNCS"
)
_MEETING_PLACE = re.compile(
    rf"(?<=[a-z)]{{3}})(?:,\s[{UPPER}][^\W\d]{{2,15}}(?:\s[{UPPER}]\w{{1,12}})?){{2}}$"
)
_IN = re.compile(r"^\s?(?:[Ii]n:?|In)\s(?P<rest>.+)$", re.DOTALL)
_SHORT = re.compile(rf"(?:^|\s)(?:[{UPPER}][\w'’]{{0,6}}|[{UPPER}]{{1,6}})$")


SERVERS = frozenset(load_json("citations/works.json")["servers"])
"""Where preprints lie, in lower case."""
_DEGREE = re.compile(r"(?:Ph\.?\s?D|M\.?\s?(?:Sc|S|A|Phil)|Dr\.?)\b")
_UNSURE = re.compile(r"\b(?:[Cc]h|[Vv]ol|pp?|[Ee]ds?|[Ss]ect?|[Tt]om)\.\s?\d")


_PLACE_IN_BOOK = re.compile(
    rf"(?:,\s{_YEAR})?,\s(?:pp?\.?\s?)\d{{1,4}}(?:[–-]\d{{1,4}})?$|,\s{_YEAR},\s\d{{1,4}}(?:[–-]\d{{1,4}})?$"
)


@dataclass(frozen=True, slots=True)
class Book:
    """What was read of a book. `certain`: a publisher, a thesis or the like was seen."""

    title: str = ""
    container: str = ""
    pages: str = ""
    certain: bool = False


def chapter(text: str) -> tuple[str, str] | None:
    """Book and pages of `text`, which must begin with "In"; None where it does not."""
    match = _IN.match(text)
    if match is None:
        return None
    rest = match["rest"]
    where = pages_only(rest)
    pages = where[0] if where is not None else ""
    editors = _EDITORS.match(rest)
    who = None if editors is not None else _unmarked_editors(rest)
    if editors is not None or who is not None:
        rest = rest[editors.end() if editors is not None else who or 0 :]
        where = pages_only(rest)
    end = _BOOK_END.search(rest)
    name = rest[: end.start()] if end is not None else rest
    if where is not None and where[1] < len(name):
        name = name[: where[1]]
    name = _MEETING_PLACE.sub("", name) if end is not None else name
    return _first_sentence(name), pages


def _unmarked_editors(text: str) -> int | None:
    """Where the names of editors end who are not said to be editors: "In: Ellis WD. A book"."""
    for who in names(text):
        if who.form is Form.INITIALS_AFTER and text[who.end : who.end + 2] == ". ":
            return who.end + 2
    return None


def _first_sentence(text: str) -> str:
    """The book's title: up to the first stop that shortens no word; "" where that is unclear."""
    parts = segments(text.strip(" ,;:"))
    if not parts:
        return ""
    at = 0
    while at < len(parts) - 1 and parts[at].sign == "." and _SHORT.search(parts[at].text):
        if publisher_like(parts[at + 1].text):
            break
        at += 1
    name = ". ".join(part.text for part in parts[: at + 1])
    if at == len(parts) - 1 and at > 0 and text.rstrip().endswith("."):
        name += "." if not name.endswith(".") else ""
    name = name if "." in name.removesuffix(".") else name.removesuffix(".")
    return name if container_like(name) or len(name.split()) <= 14 else ""


def book(text: str, early: bool, comma: bool) -> Book | None:
    """The title of a book or report, whose authors and early year have been read off already."""
    parted = _PARTED.search(text)
    if parted is not None:
        title = _title(segments(text[: parted.start()]))
        rest = text[parted.end() :]
        pages = re.fullmatch(r",\s(\d{1,4}(?:[–-]\d{1,4})?)\.?", rest)
        if not rest.strip(" .,") or pages:
            return Book(title, "", pages[1].replace("–", "-") if pages else "", True)
    parts = segments(text)
    if comma and len(parts) < 2:
        return _comma_book(text)
    if not parts:
        return None
    where = pages_only(text)
    pages_text = where[0] if where is not None else ""
    lead, rest_parts = _lead(parts)
    known = unknown = 0
    for part in rest_parts:
        if _said(part.text):
            known += 1
        else:
            unknown += 1
    title = _title(lead)
    server = next((p.text for p in rest_parts if p.text.strip(" ,.").lower() in SERVERS), "")
    if server and unknown == 0:
        return Book(title, server.strip(" ,."), "", True)
    if unknown == 0 and (known or early):
        return Book(title, "", pages_text if known else "", known > 0)
    if early and unknown == 1 and len(rest_parts) <= 2:
        last = next(part.text for part in rest_parts if not _said(part.text))
        if serial(last):
            return Book(title, last, "", True)
        if len(last.split()) <= 7 and container_like(last):
            return Book(title, "", "", True)
    return Book(certain=known > 0)


def _lead(parts: list[Segment]) -> tuple[list[Segment], list[Segment]]:
    """The parts that the title is made of (questions go on), and the others."""
    at = 1
    while at < len(parts) and parts[at - 1].sign in ("?", "!"):
        following = parts[at].text
        if _said(following) or serial(following.rstrip("0123456789 ")) or following[-1].isdigit():
            break
        at += 1
    return parts[:at], parts[at:]


def _said(text: str) -> bool:
    """Whether a part is one that books have behind their titles."""
    plain = _PLACE_IN_BOOK.sub("", text.strip(" .,;()"))
    return bool(
        not plain
        or plain.lower() in SERVERS
        or publisher_like(plain)
        or all(is_body(part) or publisher_like(part) for part in re.split(r"[,;]\s", plain))
        or _EDITION.fullmatch(" " + plain)
        or _EDITION.fullmatch(plain)
        or _MAKERS.fullmatch(plain)
        or _SIZE.fullmatch(plain)
        or _DATE_ONLY.fullmatch(plain)
        or re.fullmatch(rf"[{UPPER}][\w&'’ .-]{{1,60}},\s{_YEAR}", plain)
        or re.fullmatch(rf"[{UPPER}][\w&'’ ,.-]{{1,60}}[;:]\s{_YEAR}", plain)
        or re.match(
            r"(?:Ph\.?D|M\.?S|M\.?A|Doctoral|Master|Thesis|Dissertation|NICE guideline|Report)",
            plain,
        )
    )


def _title(parts: list[Segment]) -> str:
    if not parts or not whole(parts):
        return ""
    text = " ".join(part.text for part in parts)
    for ending in (_BRACKETS, _PARENS, _EDITION):
        text = ending.sub("", text)
    return (
        "" if _UNSURE.search(text) or _DEGREE.match(text) else text.strip(" ,;:").removesuffix(".")
    )


def _comma_book(text: str) -> Book | None:
    """Of "Title, Publisher, Place" the title ends before the first part that is a publisher."""
    parts = text.rstrip(" .").split(", ")
    for at in range(1, len(parts)):
        if publisher_like(parts[at]):
            title = ", ".join(parts[:at])
            found = segments(title)
            return Book(_title(found) if len(found) == 1 else "", "", "", True)
    return None
