"""Read one citation, in whatever form a person has it."""

from core.citations.model import Citation
from core.citations.read import read_frameworks
from core.citations.works.read import read_entries
from core.citations.works.strings import read_reference


def read_citation(text: str) -> Citation | None:
    """The one citation that `text` is; None where nothing in it names a work or an instrument.

    `text` is an identifier, an address, a bibliographic string, a reference to a framework or a
    law, or an entry of BibTeX, RIS or CSL-JSON. Raises ValueError for a database of several.
    """
    entries = read_entries(text)
    if entries is not None and entries.citations:
        if len(entries.citations) > 1:
            raise ValueError(f"There are {len(entries.citations)} citations; give one.")
        return entries.citations[0]
    work = read_reference(text)
    if work.identifiers or work.title:
        return work
    frameworks = read_frameworks(text).citations
    if frameworks:
        return frameworks[0]
    return work if work.authors else None
