r"""Read BibTeX and BibLaTeX databases.

Own code and not a library: the well-kept ones log what they cannot read, which would put a
confidential text into a log, and bring a LaTeX engine with them. This reader takes one pass.
An entry that is not well formed is named in `faults` by its line, and the others are read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.citations.model import WorkCitation
from core.citations.works.fields import Entries, Raw, cited
from core.citations.works.latex import plain_latex

_ENTRY = re.compile(r"@\s*(?P<type>[A-Za-z]+)\s*(?P<open>[{(])", re.ASCII)
_KEY = re.compile(r"\s*(?P<key>[^\s,{}()=\"#%]{1,200})\s*(?=[,})])")
_NAME = re.compile(r"[\s,]*(?P<name>[A-Za-z][\w:.+/-]{0,60})\s*=\s*")
_ATOM = re.compile(r"(?P<number>\d+)|(?P<macro>[A-Za-z_][\w:.+/-]{0,60})")
_GLUE = re.compile(r"\s*#\s*")
_MARK = re.compile(r'(?<!\\)[{}"]')
_RUNS_ON = re.compile(r"\s*[^\s,)}]")
_END_OF_BRACES = re.compile(r"[\s,]*\}")
_END_OF_BRACKETS = re.compile(r"[\s,]*\)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SILENT = frozenset({"comment", "preamble", "string"})

_CONTAINERS = ("journal", "journaltitle", "booktitle")


@dataclass(slots=True)
class _Malformed(Exception):
    at: int


def read_bibtex(text: str) -> Entries:
    """The entries of a database, in its order, each with its key and its place in `text`."""
    citations: list[WorkCitation] = []
    faults: list[str] = []
    macros = dict.fromkeys(_MONTHS, "")
    closings = _closings(text)
    at = line = counted = 0
    while (match := _ENTRY.search(text, at)) is not None:
        kind = match["type"].lower()
        at = match.end()
        if kind == "comment":
            continue
        try:
            key, fields, at = _entry(text, match, macros, closings)
        except _Malformed as fault:
            line += text.count("\n", counted, match.start())
            counted = match.start()
            faults.append(f"The BibTeX entry on line {line + 1} is not well formed.")
            at = max(at, fault.at)
            continue
        if kind == "string":
            macros.update(fields)
        elif kind not in _SILENT:
            citations.append(_citation(key, fields, match.start(), at))
    return Entries(tuple(citations), tuple(faults))


def _entry(
    text: str, match: re.Match[str], macros: dict[str, str], closings: dict[int, int]
) -> tuple[str, dict[str, str], int]:
    """Key, fields and end of the entry whose head is `match`. Raises `_Malformed`."""
    kind, at = match["type"].lower(), match.end()
    key = ""
    if kind == "preamble":
        return "", {}, _value(text, at, macros, closings)[1]
    if kind != "string":
        named = _KEY.match(text, at)
        if named is None:
            raise _Malformed(at)
        key, at = named["key"], named.end()
    fields: dict[str, str] = {}
    while (name := _NAME.match(text, at)) is not None:
        value, at = _value(text, name.end(), macros, closings)
        fields.setdefault(name["name"].lower(), value)
        if _RUNS_ON.match(text, at):
            raise _Malformed(at)
    end = (_END_OF_BRACES if match["open"] == "{" else _END_OF_BRACKETS).match(text, at)
    if end is None:
        raise _Malformed(at)
    return key, fields, end.end()


def _value(text: str, at: int, macros: dict[str, str], closings: dict[int, int]) -> tuple[str, int]:
    """A field's value, its parts joined, and where it ends. Raises `_Malformed`."""
    made: list[str] = []
    while True:
        if text[at : at + 1] in ("{", '"'):
            end = closings.get(at)
            if end is None:
                raise _Malformed(at)
            made.append(text[at + 1 : end])
            at = end + 1
        else:
            atom = _ATOM.match(text, at)
            if atom is None:
                raise _Malformed(at)
            made.append(atom["number"] or macros.get(atom["macro"].lower(), ""))
            at = atom.end()
        glue = _GLUE.match(text, at)
        if glue is None:
            return "".join(made), at
        at = glue.end()


def _closings(text: str) -> dict[int, int]:
    """For each brace and quotation mark that may open a value, where that value ends.

    Found for the whole text at once, so that a value without an end costs no more than one with.
    """
    made: dict[int, int] = {}
    opened: list[int] = []
    quoted: list[int | None] = [None]
    for mark in _MARK.finditer(text):
        sign, at = mark.group(), mark.start()
        if sign == "{":
            opened.append(at)
            quoted.append(None)
        elif sign == "}":
            if opened:
                made[opened.pop()] = at
                quoted.pop()
        else:
            before = quoted[-1]
            if before is not None:
                made[before] = at
            quoted[-1] = at
    return made


def _citation(key: str, fields: dict[str, str], start: int, end: int) -> WorkCitation:
    container = next((fields[name] for name in _CONTAINERS if fields.get(name)), "")
    authors, others = _people(fields.get("author") or fields.get("editor") or "")
    numbers = [fields.get(name, "") for name in ("doi", "url", "pmid", "pmcid", "isbn", "issn")]
    labels = ("doi:", "", "PMID: ", "PMCID: ", "ISBN ", "ISSN ")
    named = " ; ".join(
        (number if number.lower().startswith(("http", "doi")) else label + number)
        for label, number in zip(labels, numbers, strict=True)
        if number.strip()
    )
    archive = fields.get("archiveprefix") or fields.get("eprinttype") or ""
    if fields.get("eprint") and archive.lower() in ("arxiv", ""):
        named += f" ; arXiv:{fields['eprint']}"
    elif fields.get("eprint") and archive.lower() in ("pubmed", "pmid"):
        named += f" ; PMID: {fields['eprint']}"
    elif "arxiv" in container.lower():
        named += f" ; {container}"
    return cited(
        Raw(
            key=key,
            authors=authors,
            others=others,
            title=plain_latex(fields.get("title", "")),
            date=fields.get("year") or fields.get("date") or "",
            container=plain_latex(container),
            volume=plain_latex(fields.get("volume", "")),
            issue=plain_latex(fields.get("number") or fields.get("issue") or ""),
            pages=plain_latex(fields.get("pages") or fields.get("eid") or ""),
            identifiers=named.replace("\\_", "_")
            .replace("\\%", "%")
            .replace("{", "")
            .replace("}", ""),
            start=start,
            end=end,
        )
    )


def _people(names: str) -> tuple[list[tuple[str, str]], bool]:
    """Family and given names of a list joined by "and", and whether it ends in "others"."""
    people: list[tuple[str, str]] = []
    others = False
    for name in _split(names):
        name = name.strip().rstrip(",")
        if name.lower() in ("others", "et al", "et al."):
            others = True
        elif name.startswith("{") and name.endswith("}") and name.count("{") == 1:
            people.append((plain_latex(name), ""))
        elif name:
            people.append(_person(name))
    return people, others


def _split(names: str) -> Iterator[str]:
    """The parts of `names` between the word "and" outside of braces."""
    depth = start = 0
    for match in re.finditer(r"[{}]|\s[aA][nN][dD](?=\s)", names):
        sign = match.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
        elif depth == 0:
            yield names[start : match.start()]
            start = match.end()
    yield names[start:]


def _person(name: str) -> tuple[str, str]:
    """BibTeX's three forms: "First von Last", "von Last, First", "von Last, Jr, First"."""
    parts = [plain_latex(part) for part in name.split(",")]
    if len(parts) >= 3:
        return f"{parts[0]} {parts[1]}", " ".join(parts[2:])
    if len(parts) == 2:
        return parts[0], parts[1]
    words = plain_latex(name).split()
    at = len(words) - 1
    for n, word in enumerate(words[:-1]):
        if n and word[:1].islower():
            at = n
            break
    return " ".join(words[at:]), " ".join(words[:at])
