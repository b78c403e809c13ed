"""The cited part of a law: that article, that paragraph, and nothing else."""

import pytest

from core.citations.model import FrameworkCitation
from core.documents.limits import Limits
from core.documents.markdown import read_markdown
from core.review.part import part_of

LAW = read_markdown(
    b"""# Law

## Article 28 Processor

1. The first rule.

2. The second rule.

3. The contract shall say that the processor:

(a) acts on instructions;

(b) keeps secrets.

## Article 29 Authority

1. Another rule.

## GOVERN 6.1

Suppliers are known.
""",
    Limits(),
)


def told(locator: str) -> str | None:
    citation = FrameworkCitation(instrument="Law", locator=locator, start=0, end=1)
    part = part_of(LAW, citation)
    if part is None:
        return None
    return " ".join(LAW.text[b.start : b.end] for b in part.blocks if b.kind.value != "heading")


@pytest.mark.parametrize(
    ("locator", "has", "has_not"),
    [
        ("Article 28", "second rule", "Another rule"),
        ("Article 29", "Another rule", "second rule"),
        ("GOVERN 6.1", "Suppliers", "rule"),
        ("", "Another rule", "nothing of that kind"),
    ],
)
def test_the_part_is_that_place(locator: str, has: str, has_not: str) -> None:
    text = told(locator)
    assert text is not None
    assert has in text
    assert has_not not in text


@pytest.mark.parametrize(
    "locator", ["Article 2", "Article 30", "GOVERN 1.1", "Article 28(7)", "Article 28(3)(z)"]
)
def test_what_is_not_there_is_no_part(locator: str) -> None:
    assert told(locator) is None


def test_a_point_is_not_another_point() -> None:
    for locator, has_not in (("Article 28(2)", "first rule"), ("Article 28(3)(b)", "instructions")):
        text = told(locator)
        assert text is None or has_not not in text
