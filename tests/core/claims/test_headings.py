"""A heading says what stands under it: asserted, or proposed, denied, conditional, restricted."""

import pytest

from core.claims.check import check
from core.claims.verdict import Verdict
from core.documents.model import Block, BlockKind, Document, Format

CLAIM = "The coating withstands 400 °C in dry air."


def under(heading: str) -> Document:
    text = f"{heading}\n\n{CLAIM} More text follows here in the report."
    at = len(heading)
    blocks = (
        Block(BlockKind.HEADING, 0, at),
        Block(BlockKind.PARAGRAPH, at + 2, len(text), headings=(heading,)),
    )
    return Document(Format.MARKDOWN, text, blocks)


NOT_ASSERTED = [
    "Dissenting opinion",
    "Minority view",
    "Not adopted",
    "Text before amendment",
    "Void clauses",
    "The applicant's case",
    "Bill as introduced",
    "Template",
    "Parody",
    "Scotland only",
    "In case of fire",
    "During strikes",
    "Where the client is a minor",
    "Conditions precedent",
    "Legend",
    "Rumours",
    "Fiction",
    "Appendix: superseded wording",
    "Common errors",
    "Hypotheses",
    "Myths and facts",
    "Is it safe?",
    "Repealed provisions",
    "You must not",
    "If a device is lost",
    "Exceptions",
    "Subgroup analysis",
    "Proposed amendments",
    "Out of scope",
]


@pytest.mark.parametrize("heading", NOT_ASSERTED)
def test_under_such_a_heading_nothing_is_confirmed(heading: str) -> None:
    assert check(CLAIM, under(heading)).verdict is Verdict.NOT_VERIFIABLE


ASSERTED = [
    "Results",
    "3.2 Thermal properties",
    "Conclusions",
    "When we notify users",
    "What did the researchers find?",
    "Access to internal systems",
    "Marketing practices",
    "Obligations of the supplier",
    "Article 9",
    "Summary",
]


@pytest.mark.parametrize("heading", ASSERTED)
def test_under_an_ordinary_heading_it_is(heading: str) -> None:
    assert check(CLAIM, under(heading)).verdict is Verdict.SUPPORTED
