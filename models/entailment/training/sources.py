"""Where real text for the generated pairs comes from, and which sources are barred.

Nothing of the texts that the product is measured on may be trained on: a paper that any row of the
case files names as its source is left out as a whole.
"""

from collections.abc import Iterable
from pathlib import Path

from models.entailment.training.generate.sentences import (
    paragraphs_of,
    split_sentences,
    usable_sentence,
)
from models.entailment.training.pairs import read_rows

Paragraph = tuple[list[str], str]
"""The usable sentences of a paragraph in their order, and its licence."""

PAPERS_LICENCE = "CC-BY-4.0 (PLOS)"
REAL_PREMISES = frozenset({"evidence_inference_templated", "newprotocols_base", "fever_dev_nli"})
"""Sets whose premises are well-formed sentences; each row records its licence."""


def barred_sources(case_files: Iterable[Path]) -> set[str]:
    """Return the names of the documents that the case files' rows are about.

    Raises ValueError when the files name none, since then nothing would be barred.
    """
    names = {row["source"] for path in case_files for row in read_rows(path) if row.get("source")}
    if not names:
        raise ValueError("no row of the case files names its source; nothing would be barred")
    return names


def usable_papers(folder: Path, case_files: Iterable[Path]) -> list[Path]:
    """Return the JATS articles of `folder` that no row of the case files is about, by name."""
    barred = barred_sources(case_files)
    return [path for path in sorted(folder.glob("*.xml")) if path.name not in barred]


def paper_paragraphs(papers: Iterable[Path]) -> list[Paragraph]:
    """Return the paragraphs of JATS articles."""
    return [(paragraph, PAPERS_LICENCE) for path in papers for paragraph in paragraphs_of(path)]


def premise_paragraphs(pairs: Path) -> list[Paragraph]:
    """Return the premises of the sets of `REAL_PREMISES`, each once, as paragraphs."""
    found: dict[str, str] = {}
    for row in read_rows(pairs):
        if row["source"] in REAL_PREMISES and row["premise"].endswith("."):
            found.setdefault(row["premise"].strip('"'), row["licence"])
    result: list[Paragraph] = []
    for premise, licence in found.items():
        sentences = [x for x in split_sentences(premise) if usable_sentence(x)]
        if sentences:
            result.append((sentences, licence))
    return result
