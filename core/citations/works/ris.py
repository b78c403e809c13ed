"""Read RIS files, and the MEDLINE form that PubMed gives.

A tag has two letters (RIS: "TY  - JOUR") or up to four (MEDLINE: "PMID- 123"). An entry begins
with TY or PMID and ends at ER or where the next begins. Lines without a tag go on with the field
above.
"""

import re

from core.citations.model import WorkCitation
from core.citations.works.fields import Entries, Raw, cited

_LINE = re.compile(r"(?P<tag>[A-Z][A-Z0-9]{1,3})(?:\s{1,3})?-(?:\s|$)(?P<value>.*)")
_AUTHORS = ("AU", "A1", "FAU")
_TITLE = ("TI", "T1", "CT", "BT")
_CONTAINER = ("JO", "JF", "T2", "JT", "BT", "JA", "J2", "TA")
_YEAR = ("PY", "Y1", "DP", "DA")
_NUMBERS = {
    **{"DO": "doi:", "PMID": "PMID: ", "PMC": "PMCID: "},
    **dict.fromkeys(("UR", "L1", "M3", "AID", "LID", "C2", "AN"), ""),
}


def read_ris(text: str) -> Entries:
    """The entries of `text`, in its order; an entry without its end is read and named a fault."""
    citations: list[WorkCitation] = []
    faults: list[str] = []
    fields: dict[str, list[list[str]]] = {}
    start = at = 0
    number = begun = 0
    last = ""
    for raw in text.splitlines(keepends=True):
        number += 1
        line = raw.strip("\ufeff\r\n")
        match = _LINE.match(line)
        if match is None:
            if last and line.strip() and fields:
                fields[last][-1].append(line.strip())
            at += len(raw)
            continue
        tag, value = match["tag"], match["value"].strip()
        if tag in ("TY", "PMID") and (tag == "TY" or "PMID" in fields or not fields):
            if fields:
                if "TY" in fields:
                    faults.append(f"The RIS entry on line {begun} has no end (ER).")
                citations.append(_citation(fields, start, at))
            fields, start, begun = {}, at, number
        if tag == "ER":
            at += len(raw)
            if fields:
                citations.append(_citation(fields, start, at))
            fields, last = {}, ""
            continue
        if fields or tag in ("TY", "PMID"):
            fields.setdefault(tag, []).append([value])
            last = tag
        at += len(raw)
    if fields:
        if "TY" in fields:
            faults.append(f"The RIS entry on line {begun} has no end (ER).")
        citations.append(_citation(fields, start, at))
    return Entries(tuple(citations), tuple(faults))


def _citation(lines: dict[str, list[list[str]]], start: int, end: int) -> WorkCitation:
    fields = {tag: [" ".join(value) for value in values] for tag, values in lines.items()}

    def first(*tags: str) -> str:
        return next((fields[tag][0] for tag in tags if fields.get(tag) and fields[tag][0]), "")

    medline = "PMID" in fields and "TY" not in fields
    names = next((fields[tag] for tag in ("FAU", *_AUTHORS) if tag in fields), [])
    if not names:
        names = fields.get("A2", []) or fields.get("ED", [])
    authors: list[tuple[str, str]] = []
    others = False
    for name in names:
        if re.fullmatch(r"(?:et\.? al\.?|others)", name.strip(), re.IGNORECASE):
            others = True
            continue
        family, _, given = (part.strip() for part in name.partition(","))
        if medline and not given and "FAU" not in fields and " " in family:
            family, _, given = family.rpartition(" ")
        if "," in given:
            given, _, suffix = (part.strip() for part in given.rpartition(","))
            family = f"{family} {suffix}".strip()
        authors.append((family, given))
    authors += [(name, "") for name in fields.get("CN", [])]
    title = first(*_TITLE)
    container = first(*_CONTAINER)
    numbers = " ; ".join(
        (value if value.lower().startswith(("http", "doi")) else label + value)
        for tag, label in _NUMBERS.items()
        for value in fields.get(tag, [])
        if value
    )
    kind = first("TY")
    for value in fields.get("SN", []):
        numbers += f" ; ISBN {value} ; ISSN {value}" if not medline else ""
    pages = first("PG")
    if not pages and first("SP"):
        pages = first("SP") + (f"-{first('EP')}" if first("EP") and "-" not in first("SP") else "")
    return cited(
        Raw(
            key=first("ID"),
            authors=authors,
            others=others,
            title=title,
            date=first(*_YEAR),
            container=container if container != title or kind == "" else "",
            volume=first("VL") or (first("VI") if medline else ""),
            issue=first("IS") or (first("IP") if medline else ""),
            pages=pages,
            identifiers=numbers,
            start=start,
            end=end,
        )
    )
