"""A word may carry a mark whose note stands further on: "1.2 kg* … *Without the battery."."""

import re
from collections.abc import Sequence

from core.claims.cues import opening_cue
from core.claims.source import Sentence, Source
from core.claims.vetoes.focus import terms
from core.text.hygiene import clean
from core.text.reading import Reading

_MARKED = re.compile(r"[\w%)](\*{1,3}|[†‡]{1,3})(?=[\s.,;:)]|$)")
_KEPT = 0.5
"""Share of a note's words from which on a claim counts as having it."""


def marked(
    claim: Reading, evidence: Sequence[Sentence], source: Source
) -> tuple[Sentence, str] | None:
    """The sentence with the note on a word of the evidence that the claim leaves out, or None."""
    for sentence in evidence:
        for mark in _MARKED.findall(sentence.raw):
            found = _note(sentence, mark, source)
            if found is None or opening_cue("source_note", found[1].lower):
                continue
            wanted = terms(found[1])
            if wanted and len(wanted & terms(claim)) < _KEPT * len(wanted):
                return found[0], f"a note on a word of it says “{found[1].cleaned}”"
    return None


def _note(sentence: Sentence, mark: str, source: Source) -> tuple[Sentence, Reading] | None:
    """The later sentence of the same block with the note, and the note without its mark."""
    note = re.compile(rf"(?:^|[.!?;]|\n)\s*{re.escape(mark)}(?![*†‡])\s?(\w[^.!?]*)")
    here = next(n for n, block in enumerate(source.blocks) if block is sentence.block)
    for later in source.sentences[here]:
        if later.start > sentence.start and (found := note.search(later.raw)):
            return later, Reading(clean(found[1]).text)
    return None
