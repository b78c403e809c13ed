"""Read CSL-JSON, the form of citation-style processors and of doi.org's content negotiation."""

import json
from typing import Any

from core.citations.model import WorkCitation
from core.citations.works.fields import Entries, Raw, cited

MOST_CHARACTERS = 20_000_000
"""Longer files are no bibliographies."""

_NOT_JSON = "This is not CSL-JSON: it does not parse as JSON. Nothing of it was read."
_PARTICLES = ("non-dropping-particle", "dropping-particle")


def read_csl(text: str) -> Entries:
    """The items of `text`: one object, a list of them, or an object with "items"."""
    if len(text) > MOST_CHARACTERS:
        return Entries((), ("The file is too long for a bibliography. Nothing of it was read.",))
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return Entries((), (_NOT_JSON,))
    if isinstance(data, dict):
        data = data.get("items", [data])
    if not isinstance(data, list):
        return Entries((), ("This is JSON, but not CSL-JSON: it holds no items.",))
    citations: list[WorkCitation] = []
    faults: list[str] = []
    for number, item in enumerate(data, start=1):
        if isinstance(item, dict) and ({"title", "author", "DOI", "type", "id"} & item.keys()):
            citations.append(_citation(item))
        else:
            faults.append(f"Item {number} of the list is no CSL-JSON item.")
    return Entries(tuple(citations), tuple(faults))


def _citation(item: dict[str, Any]) -> WorkCitation:
    kind = _text(item.get("type"))
    identifiers = " ; ".join(
        (value if value.lower().startswith(("http", "doi")) else label + value)
        for label, value in (
            ("doi:", _text(item.get("DOI"))),
            ("PMID: ", _text(item.get("PMID"))),
            ("PMCID: ", _text(item.get("PMCID"))),
            *(("ISBN ", value) for value in _texts(item.get("ISBN"))),
            *(("ISSN ", value) for value in _texts(item.get("ISSN"))),
            ("", _text(item.get("URL"))),
            ("", _text(item.get("number")) if kind in ("article", "report") else ""),
        )
        if value
    )
    people = item.get("author") or item.get("editor")
    authors = (
        [_person(person) for person in people if isinstance(person, dict)]
        if isinstance(people, list)
        else []
    )
    return cited(
        Raw(
            key=_text(item.get("id")),
            authors=[person for person in authors if person[0]],
            title=_text(item.get("title")),
            date=_date(item.get("issued")) or _date(item.get("published-print")),
            container=_text(item.get("container-title")),
            volume=_text(item.get("volume")),
            issue=_text(item.get("issue")),
            pages=_text(item.get("page")) or _text(item.get("article-number")),
            identifiers=identifiers,
        )
    )


def _person(person: dict[str, Any]) -> tuple[str, str]:
    literal = _text(person.get("literal")) or _text(person.get("name"))
    family = _text(person.get("family"))
    if not family:
        return literal, ""
    particle = " ".join(p for p in (_text(person.get(name)) for name in _PARTICLES) if p)
    suffix = _text(person.get("suffix"))
    glue = "" if particle.endswith(("'", "’")) else " "
    family = f"{particle}{glue}{family}".strip()
    return f"{family} {suffix}".strip(), _text(person.get("given"))


def _date(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return _text(parts[0][0])
    return _text(value.get("raw")) or _text(value.get("literal"))


def _text(value: Any) -> str:
    """A field as text; registries give some as a list."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    return str(value) if isinstance(value, str) or abs(value) < 10**18 else ""


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in (_text(v) for v in values[:50]) if text]
