"""Read one citation, in whatever form a person has it."""

from core.citations.model import Citation, WorkCitation
from core.citations.read import read_frameworks
from core.citations.works.bibtex import read_bibtex
from core.citations.works.csl import read_csl
from core.citations.works.ris import read_ris
from core.citations.works.strings import read_reference


def read_citation(text: str) -> Citation | None:
    """The one citation that `text` is; None where nothing in it names a work or an instrument.

    `text` is an identifier, an address, a bibliographic string, a reference to a framework or a
    law, or an entry of BibTeX, RIS or CSL-JSON. Raises ValueError for a database of several.
    """
    if entries := _entries(text):
        if len(entries) > 1:
            raise ValueError(f"There are {len(entries)} citations; give one.")
        return entries[0]
    work = read_reference(text)
    if work.identifiers or work.title:
        return work
    frameworks = read_frameworks(text).citations
    if frameworks:
        return frameworks[0]
    return work if work.authors else None


def _entries(text: str) -> tuple[WorkCitation, ...]:
    """The entries, where the text is one of the structured forms."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("@"):
        return read_bibtex(text).citations
    if start.startswith("TY "):
        return read_ris(text).citations
    if start.startswith(("{", "[{")):
        return read_csl(text).citations
    return ()
