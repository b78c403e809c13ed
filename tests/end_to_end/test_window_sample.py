"""The sample in the real window: its ready claims, and opening it a second time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop import theme
from desktop.desk import Desk
from desktop.main_window import MainWindow
from desktop.pages.check.states import State
from tests.end_to_end.window_steps import STATED, add, check, policy, ready_claims, wait_for


def open_sample(qtbot: Any, desk: Desk) -> None:
    desk.open_sample()
    wait_for(qtbot, lambda: desk.check.state is State.DONE)
    wait_for(qtbot, lambda: desk.runner.idle and not desk.documents.busy)


def test_each_ready_claim_is_one_click_away(qtbot: Any, window: MainWindow) -> None:
    desk, page = window.desk, window.check_page
    assert not page.ready.isVisible()
    open_sample(qtbot, desk)
    ready = ready_claims()
    assert [button.accessibleDescription() for button in page.ready.buttons] == [
        row["note"] for row in ready
    ]
    for button, row in zip(page.ready.buttons, ready, strict=True):
        assert button.isVisible()
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
        wait_for(qtbot, lambda: desk.check.state is State.DONE)
        assert page.claim.text() == row["claim"]
        assert desk.check.answer is not None
        assert desk.check.answer.claim == row["claim"]
        assert desk.check.answer.result.verdict.value == row["verdict"]


def test_a_ready_claim_is_checked_against_the_paper_whatever_is_chosen(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk, page = window.desk, window.check_page
    open_sample(qtbot, desk)
    paper = desk.check.choice.key
    add(qtbot, window, policy(tmp_path))
    page.source.text_choice.click()
    qtbot.keyClicks(page.source.pasted, STATED)
    page.ready.buttons[1].click()
    wait_for(qtbot, lambda: desk.check.state is State.DONE)
    assert desk.check.answer is not None
    assert desk.check.answer.source_key == paper
    assert page.source.document_choice.isChecked()
    assert not page.source.text_choice.isChecked()
    assert page.source.documents.currentData() == paper


def test_ready_claims_are_offered_where_the_paper_is(qtbot: Any, window: MainWindow) -> None:
    desk, page = window.desk, window.check_page
    open_sample(qtbot, desk)
    assert page.ready.isVisible()
    desk.workspaces.create("Vendor review")
    wait_for(qtbot, lambda: desk.workspaces.current.name == "Vendor review")
    wait_for(qtbot, lambda: desk.runner.idle)
    assert not page.ready.isVisible()
    desk.workspaces.create("Sample")
    wait_for(qtbot, page.ready.isVisible)
    document = desk.check.choice.document
    assert document is not None
    desk.documents.remove(document)
    wait_for(qtbot, lambda: not page.ready.isVisible())


@pytest.fixture
def again(qapp: QApplication, qtbot: Any, window: MainWindow) -> Callable[[], MainWindow]:
    """Close the window and start another one on the sample."""
    started: list[MainWindow] = []

    def start() -> MainWindow:
        window.close()
        desk = Desk()
        made = MainWindow(desk)
        qtbot.addWidget(made)
        started.append(made)
        made.show()
        desk.start(sample=True)
        wait_for(qtbot, lambda: desk.check.state is State.DONE)
        wait_for(qtbot, lambda: desk.runner.idle and not desk.documents.busy)
        return made

    return start


def test_a_second_start_shows_the_verdict_that_is_there(
    qtbot: Any, window: MainWindow, again: Callable[[], MainWindow]
) -> None:
    open_sample(qtbot, window.desk)
    before = window.desk.check.answer
    check(qtbot, window, ready_claims()[2]["claim"])
    second = again()
    desk = second.desk
    assert before is not None
    assert desk.check.answer is not None
    assert desk.check.answer.check_id == before.check_id
    assert desk.check.claim == ready_claims()[0]["claim"]
    assert desk.check.message is None
    assert not second.check_page.message.isVisible()
    assert second.check_page.card.isVisible()
    assert second.check_page.ready.isVisible()
    assert desk.history.rowCount() == 2


def test_a_verdict_of_other_gates_is_not_shown_as_todays(
    qtbot: Any,
    window: MainWindow,
    again: Callable[[], MainWindow],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_sample(qtbot, window.desk)
    monkeypatch.setattr("core.claims.version.contract_version", lambda: "another")
    second = again()
    assert second.desk.check.message is None
    assert second.desk.history.rowCount() == 2


def near(one: int, colours: list[tuple[int, int, int]], image: Any, x: int) -> bool:
    at = image.pixelColor(x, one)
    seen = (at.red(), at.green(), at.blue())
    return any(max(abs(a - b) for a, b in zip(seen, c, strict=True)) < 40 for c in colours)


@pytest.mark.parametrize("look", theme.THEMES, ids=lambda look: look.name)
def test_every_stop_of_the_check_page_shows_its_focus(
    qapp: QApplication, qtbot: Any, window: MainWindow, look: theme.Theme
) -> None:
    theme.apply(qapp, look)
    open_sample(qtbot, window.desk)
    wait_for(qtbot, lambda: window.desk.evidence.drawn is not None)
    window.activateWindow()
    wait_for(qtbot, window.isActiveWindow)
    rings = [
        tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
        for colour in (look.accent, look.on_accent)
    ]
    window.check_page.claim.setFocus()
    stops: list[QWidget] = []
    while (stop := QApplication.focusWidget()) not in stops:
        assert stop is not None
        stops.append(stop)
        qtbot.keyClick(stop, Qt.Key.Key_Tab)
    assert {window.check_page.card, window.check_page.run} <= set(stops)
    assert window.check_page.source.text_choice in stops
    assert set(window.check_page.ready.buttons) <= set(stops)
    for stop in stops:
        others = (window.check_page.claim, window.check_page.run)
        next(other for other in others if other is not stop).setFocus()
        without = stop.grab().toImage()
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        image = stop.grab().toImage()
        width, height = image.width(), image.height()
        changed = sum(
            image.pixel(x, y) != without.pixel(x, y) and near(y, rings, image, x)
            for x in range(width)
            for y in (*range(min(6, height)), *range(max(6, height - 6), height))
        )
        # A ring of one pixel above and below, without its corners, is the least.
        assert changed >= 1.4 * width, (type(stop).__name__, stop.accessibleName(), changed, width)
