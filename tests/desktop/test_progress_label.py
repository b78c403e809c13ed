"""The words beside the progress bar."""

from typing import Any

import pytest

from desktop.desk import Desk
from desktop.pages.check.page import CheckPage
from desktop.widgets.typography import ProgressLabel

LONG = "Comparing the claim with each sentence"


@pytest.mark.parametrize(
    ("done", "total", "words"),
    [
        (0, 0, LONG),
        (0, 2, LONG),
        (1, 3, f"{LONG} · 1 of 3"),
        (1_500, 2_000, f"{LONG} · 1,500 of 2,000"),
        (50_000, 200_000, f"{LONG} · 25 %"),
    ],
)
def test_progress_is_counted_where_there_is_much_to_count(
    qtbot: Any, done: int, total: int, words: str
) -> None:
    desk = Desk()
    page = CheckPage(desk.check, desk.evidence, desk.documents)
    qtbot.addWidget(page)
    desk.check.progress_changed.emit(done, total, LONG)
    assert page.progress_words.text() == words
    desk.close()


def test_progress_stays_on_one_line_and_keeps_its_count_in_sight(qtbot: Any) -> None:
    made = ProgressLabel()
    qtbot.addWidget(made)
    made.show_progress(LONG, "41 of 120")
    made.resize(160, made.sizeHint().height())
    made.show()
    assert not made.wordWrap()
    assert made.sizeHint().height() < 2 * made.fontMetrics().lineSpacing()
    # The same words, only with another count, must look different: the count is not cut off.
    first = made.grab().toImage()
    made.show_progress(LONG, "77 of 120")
    assert made.grab().toImage() != first
    made.show_hint("Write the claim to check.")
    assert made.wordWrap()
