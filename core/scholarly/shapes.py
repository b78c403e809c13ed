"""Read answers by the shape that a registry documents, or not at all."""

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from core.citations.model import Author, Identifier, Scheme
from core.documents.build import lowered, raised
from core.documents.errors import ReadingError
from core.documents.xml import entity_text, parse
from core.scholarly.errors import Malformed
from core.scholarly.reply import Reply
from core.scholarly.titles import plain
from core.scholarly.work import Registry

if TYPE_CHECKING:
    from core.documents.xml import Element

MOST_AUTHORS = 20_000
"""The longest lists of authors of real works have about 15,000."""

MOST_ABSTRACT = 100_000
"""Characters of an abstract's markup that are read."""

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_ARXIV = re.compile(
    r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z-]+)?/\d{7})(?:v(?P<version>[1-9]\d{0,3}))?"
)
_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*", re.IGNORECASE)


class Shape(BaseModel):
    """A part of an answer: types are not converted, and what is not named is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, populate_by_name=True)


S = TypeVar("S", bound=Shape)


def json_of(reply: Reply, shape: type[S], registry: Registry) -> S:
    """The answer as `shape`. Raises `Malformed`."""
    try:
        return shape.model_validate_json(reply.body)
    except ValidationError as error:
        raise malformed(registry) from error


def xml_of(reply: Reply, registry: Registry) -> "Element":
    """The root of the answer. Raises `Malformed`."""
    try:
        root = parse(reply.body)
        for node in root.iter():
            entity_text(node)
    except ReadingError as error:
        raise malformed(registry) from error
    return root


def malformed(registry: Registry) -> Malformed:
    """The error for an answer of another shape."""
    return Malformed(
        f"{registry.words} gave an answer that cannot be read. Nothing of it was used.", registry
    )


def doi(text: str | None) -> Identifier | None:
    """The DOI in a registry's field, which may be an address; None where it is none."""
    bare = _RESOLVER.sub("", (text or "").strip(), count=1).casefold()
    return Identifier(scheme=Scheme.DOI, value=bare) if _DOI.fullmatch(bare) else None


def pmid(text: str | int | None) -> Identifier | None:
    """The PMID in a registry's field; None where it is none."""
    digits = str(text or "").rpartition("/")[2].strip().lstrip("0")
    good = digits.isascii() and digits.isdigit() and len(digits) <= 9
    return Identifier(scheme=Scheme.PMID, value=digits) if good else None


def pmcid(text: str | int | None) -> Identifier | None:
    """The PMCID in a registry's field, with or without its letters; None where it is none."""
    digits = str(text or "").rstrip("/").rpartition("/")[2].strip().upper().removeprefix("PMC")
    good = digits.isascii() and digits.isdigit() and len(digits) <= 9
    return Identifier(scheme=Scheme.PMCID, value=f"PMC{digits}") if good else None


def arxiv(text: str | None) -> Identifier | None:
    """The arXiv id in a registry's field, with its version if it has one; None where it is none."""
    found = _ARXIV.fullmatch((text or "").strip())
    if found is None:
        return None
    version = int(found["version"]) if found["version"] else None
    return Identifier(scheme=Scheme.ARXIV, value=found["id"], version=version)


def arxiv_of_doi(identifier: Identifier | None) -> Identifier | None:
    """The arXiv id that a DOI of arXiv's own names (10.48550/arXiv.2101.00001)."""
    if identifier is None or not identifier.value.startswith("10.48550/arxiv."):
        return None
    return arxiv(identifier.value.removeprefix("10.48550/arxiv."))


def known(*identifiers: Identifier | None) -> tuple[Identifier, ...]:
    """Those that are there, each once."""
    return tuple(dict.fromkeys(i for i in identifiers if i is not None))


def person(family: str | None, given: str | None = None) -> Author | None:
    """An author by the parts of a name; None for an empty one."""
    last, first = plain(family or ""), plain(given or "")
    if not last:
        last, first = first, ""
    return Author(family=last, given=first) if last else None


def named(name: str | None) -> Author | None:
    """An author by a whole name as it is spoken: "Ashish Vaswani", or "Vaswani, Ashish"."""
    words = plain(name or "")
    family, comma, given = words.partition(",")
    if comma:
        return person(family, given)
    parts = words.split()
    at = len(parts) - 1
    while at > 1 and (parts[at - 1].islower() or parts[at].casefold().strip(".") in _SUFFIXES):
        at -= 1
    family = " ".join(p for p in parts[at:] if p.casefold().strip(".") not in _SUFFIXES)
    return person(family, " ".join(parts[:at]))


_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md"})


def people(authors: list[Author | None]) -> tuple[Author, ...]:
    """Those that are there, up to the most that a work has."""
    return tuple(a for a in authors[:MOST_AUTHORS] if a is not None)


def year_of(date: str | None) -> int | None:
    """The year that a date begins with; None where it begins with none."""
    text = (date or "").strip()[:4]
    good = len(text) == 4 and text.isascii() and text.isdigit()
    return year(int(text)) if good else None


def year(number: int | None) -> int | None:
    """A year that a work can have; None otherwise."""
    return number if number is not None and 1400 <= number <= 2200 else None


def years(*numbers: int | None) -> tuple[int, ...]:
    """Those that are years, earliest first."""
    return tuple(sorted({n for n in numbers if year(n) is not None and n is not None}))


def abstract_text(markup: str | None) -> str:
    """An abstract without its markup: paragraphs on lines of their own, "10³" kept as such."""
    reader = _Text()
    reader.feed((markup or "")[:MOST_ABSTRACT])
    reader.close()
    lines = (" ".join(line.split()) for line in reader.text().split("\n"))
    text = "\n".join(line for line in lines if line)
    return re.sub(r"^abstract[\n:.]\s*", "", text, flags=re.IGNORECASE)


_INLINE = frozenset(
    {
        "i",
        "b",
        "em",
        "strong",
        "italic",
        "bold",
        "u",
        "underline",
        "sc",
        "scp",
        "span",
        "tt",
        "monospace",
        "a",
        "xref",
        "ext-link",
        "named-content",
        "styled-content",
        "roman",
        "small",
        "mark",
    }
)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._shifted: list[tuple[str, int]] = []

    def text(self) -> str:
        while self._shifted:
            self._close(self._shifted[-1][0])
        return "".join(self._parts)

    def handle_data(self, data: str) -> None:
        # A line's end inside a paragraph is white space; the tags part the paragraphs.
        self._parts.append(data.replace("\n", " "))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        name = tag.rpartition(":")[2]
        if name in ("sup", "sub", "inf"):
            self._shifted.append((name, len(self._parts)))
        elif name not in _INLINE:
            self._parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        if name in ("sup", "sub", "inf"):
            if self._shifted and self._shifted[-1][0] == name:
                self._close(name)
        elif name not in _INLINE:
            self._parts.append("\n")

    def _close(self, name: str) -> None:
        _, at = self._shifted.pop()
        inner = "".join(self._parts[at:])
        shifted = raised(inner) if name == "sup" else lowered(inner)
        if name == "sup" and shifted == inner and inner.strip():
            shifted = f"^{inner.strip()}"
        self._parts[at:] = [shifted]
