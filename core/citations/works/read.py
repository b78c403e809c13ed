"""Read the works that a text cites, whatever form the citation has."""

import re

from core.citations.model import WorkCitation
from core.citations.works.bibtex import read_bibtex
from core.citations.works.csl import read_csl
from core.citations.works.fields import Entries
from core.citations.works.identifiers import identifiers
from core.citations.works.ris import read_ris
from core.citations.works.strings import read_reference

_BIBTEX = re.compile(r"@[A-Za-z]{2,30}\s?[{(]\s?[^\s,{}()]{1,200}\s?,")
_RIS = re.compile(r"^\ufeff?\s*(?:TY\s\s-\s|PMID-\s)", re.MULTILINE)


def read_work(text: str) -> WorkCitation:
    """The one work that `text` cites: an identifier, an entry or a bibliographic string.

    Of several entries the first counts. A text that is no citation gives one without any field.
    """
    entries = read_entries(text)
    if entries is not None and entries.citations:
        return entries.citations[0]
    return read_reference(text)


def read_works(text: str) -> tuple[WorkCitation, ...]:
    """The works that running text cites by what can be resolved: entries and identifiers.

    Each identifier is a work of its own, for running text does not say which two are one work's;
    its place is the identifier's. Marks ("[3]", "(Smith, 2020)") are `markers`, and bibliographic
    strings stand in lists, which `references` reads.
    """
    entries = read_entries(text)
    if entries is not None:
        return entries.citations
    return tuple(
        WorkCitation(identifiers=(found.identifier,), start=found.start, end=found.end)
        for found in identifiers(text)
    )


def read_entries(text: str) -> Entries | None:
    """The entries of a BibTeX, RIS, MEDLINE or CSL-JSON text; None where it is none of them."""
    head = text[:4000].lstrip("\ufeff \t\r\n")
    if head.startswith(("{", "[")) and '"' in head:
        entries = read_csl(text)
        if entries.citations:
            return entries
    if "@" in text and _BIBTEX.search(text):
        entries = read_bibtex(text)
        if entries.citations or entries.faults:
            return entries
    if _RIS.search(text):
        return read_ris(text)
    return None


def has_fields(work: WorkCitation) -> bool:
    """Whether a citation says anything of a work: an identifier, or something to look it up by."""
    return bool(work.identifiers or work.title or work.authors or (work.container and work.volume))
