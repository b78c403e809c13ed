"""What a gate measured stands in its row and is said by a screen reader."""

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QFrame, QLabel

from core.claims.verdict import Outcome, TraceEntry
from desktop.pages.check.trace_list import LONGEST_VALUE, TraceList, measured_words

MEASURED: dict[str, tuple[dict[str, Any], str]] = {
    "number": ({"coverage": 0.41234, "needed": 1.0}, "coverage: 0.412 · needed: 1"),
    "whole": ({"sentences": 221}, "sentences: 221"),
    "truth": ({"changed": False, "found": True}, "changed: no · found: yes"),
    "words": (
        {"text": "full_text", "governed_by": "lead_in"},
        "text: full text · governed by: lead in",
    ),
    "list": ({"notices": ["retracted", "corrected"]}, "notices: retracted, corrected"),
    "nothing": ({"notices": [], "name": None, "note": ""}, ""),
    "long": ({"passage": "a" * (LONGEST_VALUE + 1), "words": 3}, "words: 3"),
    "none": ({}, ""),
}


@pytest.mark.parametrize(("measured", "words"), MEASURED.values(), ids=MEASURED.keys())
def test_measures_are_shown_and_said(qtbot: Any, measured: dict[str, Any], words: str) -> None:
    entry = TraceEntry("lexical", Outcome.ABSTAINED, "Not word for word.", measured)
    assert measured_words(entry) == words
    trace = TraceList()
    qtbot.addWidget(trace)
    trace.show_trace((entry,))
    (row,) = trace.findChildren(QFrame, "traceRow")
    shown = [label.text() for label in row.findChildren(QLabel, "measured")]
    assert shown == ([words] if words else [])
    spoken = "Lexical: left open. Not word for word."
    assert row.accessibleName() == (f"{spoken} Measured: {words}." if words else spoken)


def test_rows_of_an_earlier_verdict_are_not_painted_under_the_next(qtbot: Any) -> None:
    trace = TraceList()
    qtbot.addWidget(trace)
    trace.show()
    for note in ("First.", "Second."):
        trace.show_trace((TraceEntry("lexical", Outcome.ABSTAINED, note),))
    # Shows what was added; unlike the program's own loop it deletes nothing.
    QApplication.processEvents()
    seen = [row for row in trace.findChildren(QFrame, "traceRow") if row.isVisible()]
    assert [row.accessibleName() for row in seen] == ["Lexical: left open. Second."]
