"""How a passage of a source is written where a person reads it."""

from typing import Any

import pytest

from core.claims.verdict import CheckResult, Evidence, Verdict
from core.documents.model import Block, BlockKind, Document, Format
from desktop.pages.check.model import Answer
from desktop.pages.check.verdict_card import as_note, plain_passage
from desktop.widgets.text_view import TextView

BROKEN = [
    ("range 18\u2013\n56 years", "range 18-56 years"),
    ("range 18\u2013 \n 56 years", "range 18-56 years"),
    ("of the partici-\npants", "of the participants"),
    ("the first\nand the   second", "the first and the second"),
    ("a dash \u2013\n56 more", "a dash \u2014 56 more"),
]


@pytest.mark.parametrize(("text", "written"), BROKEN)
def test_a_line_break_of_the_source_leaves_no_gap(text: str, written: str) -> None:
    assert plain_passage(text) == written
    result = CheckResult(Verdict.SUPPORTED, "lexical", "So.", (Evidence(text, 0, len(text)),))
    assert f"“{written}”" in as_note(Answer("A.", "k", "a.txt", result), "Full text")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("range 18\u2013\n56 years", "range 18\u201356 years"),
        ("the first \r\n  and the second", "the first and the second"),
        ("a dash \u2013\n56 more", "a dash \u2013 56 more"),
        ("an entity-\nneutral rule", "an entity-neutral rule"),
    ],
)
def test_the_text_of_a_source_shows_no_gap_either(qtbot: Any, text: str, shown: str) -> None:
    view = TextView()
    qtbot.addWidget(view)
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    view.show_document(Document(Format.TEXT, text, (block,)), (0, len(text)))
    assert view.marked_text == shown
    assert view.toPlainText() == shown
