"""From the fields of a structured entry to a citation."""

import re
import unicodedata
from dataclasses import dataclass, field

from core.citations.model import Author, WorkCitation
from core.citations.works.doi import PLAIN
from core.citations.works.identifiers import identifiers

LONGEST_FIELD = 2000
"""Characters of a field that are kept."""

_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d|21\d\d)(?!\d)")
_TAG = re.compile(
    r"</?(?:i|b|em|strong|sub|sup|scp|sc|u|jats:\w+)(?:\s[^<>]{0,100})?>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of a database, and what could not be read, in sentences for the person."""

    citations: tuple[WorkCitation, ...]
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class Raw:
    """The fields of an entry as text; `identifiers` is any text that holds them."""

    key: str = ""
    authors: list[tuple[str, str]] = field(default_factory=list)
    others: bool = False
    title: str = ""
    date: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    identifiers: str = ""
    start: int = 0
    end: int = 0


def cited(raw: Raw) -> WorkCitation:
    """The citation with its fields tidied; a date without a plain year leaves the year out."""
    year = _YEAR.search(raw.date[:LONGEST_FIELD])
    named = dict.fromkeys(found.identifier for found in identifiers(raw.identifiers))
    authors = [
        Author(family=tidy(family), given=tidy(given))
        for family, given in raw.authors
        if tidy(family)
    ]
    return WorkCitation(
        identifiers=tuple(named),
        authors=tuple(authors),
        others=raw.others,
        title=tidy(_TAG.sub("", raw.title)).removesuffix("."),
        year=int(year.group()) if year else None,
        container=tidy(_TAG.sub("", raw.container)),
        volume=tidy(raw.volume),
        issue=tidy(raw.issue),
        pages=page_range(raw.pages),
        key=tidy(raw.key),
        start=raw.start,
        end=raw.end,
    )


def tidy(text: str) -> str:
    """`text` in composed letters, with single spaces and no longer than a field may be."""
    return " ".join(unicodedata.normalize("NFC", text[:LONGEST_FIELD]).split())


def page_range(text: str) -> str:
    """Pages as "12-34", whatever dash was printed."""
    return re.sub(r"\s*-+\s*", "-", tidy(text).translate(PLAIN))
