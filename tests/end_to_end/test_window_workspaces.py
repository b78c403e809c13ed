"""The real window: what belongs to one workspace, one source and one claim stays there."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from core.claims.verdict import Verdict
from desktop.desk import Desk
from desktop.main_window import HISTORY_PAGE, MainWindow
from desktop.pages.check.model import Answer
from desktop.pages.check.operations import OpenSource
from desktop.pages.check.states import State
from desktop.window_state import WindowState
from tests.end_to_end.window_files import long_pdf
from tests.end_to_end.window_steps import STATED, add, check, ready_claims, sample_paper, wait_for

NOT_STATED = "Cats may use every system."


def notice(tmp_path: Path, name: str = "notice.txt", text: str = STATED) -> Path:
    file = tmp_path / name
    file.write_text(f"The office is closed on Sundays.\n\n{text}\n", encoding="utf-8")
    return file


def idle(qtbot: Any, desk: Desk) -> None:
    wait_for(qtbot, lambda: desk.runner.idle and not desk.documents.busy)


def test_a_verdict_that_is_being_opened_stays_in_its_workspace(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk = window.desk
    desk.workspaces.create("Second")
    idle(qtbot, desk)
    desk.workspaces.create("First")
    idle(qtbot, desk)
    add(qtbot, window, notice(tmp_path))
    check(qtbot, window, STATED)
    wait_for(qtbot, lambda: desk.history.rowCount() == 1)
    second = next(row for row in desk.workspaces.workspaces if row.name == "Second")
    desk.open_verdict(desk.history.record(0).verdict_id)
    desk.workspaces.open(second.id)
    idle(qtbot, desk)
    assert desk.workspaces.current == second
    assert desk.check.answer is None
    assert desk.check.claim == ""
    assert not window.check_page.card.isVisible()


def test_a_passage_is_never_marked_in_another_source(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk = window.desk
    add(qtbot, window, notice(tmp_path))
    check(qtbot, window, STATED)
    answer, source = desk.check.answer, desk.check.source
    assert isinstance(answer, Answer)
    assert source is not None
    assert desk.evidence.current is not None
    other = OpenSource("f" * 64, "other.txt", source.document)
    desk.check.source = other
    desk.check.source_changed.emit()
    assert desk.evidence.source is other
    assert desk.evidence.current is None
    assert window.check_page.pane.text_view.marked_text == ""


def test_no_check_begins_while_a_file_is_being_added(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk, page = window.desk, window.check_page
    add(qtbot, window, notice(tmp_path))
    page.claim.set_text(STATED)
    file = tmp_path / "long.pdf"
    long_pdf(file, sample_paper(), 200)
    page.add_files([file])
    assert desk.documents.busy
    assert not page.run.isEnabled()
    qtbot.keyClick(page.claim, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert desk.check.state is State.IDLE
    page.cancel()
    idle(qtbot, desk)
    qtbot.keyClick(page.claim, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: desk.check.state is State.DONE)


def test_the_samples_claim_is_checked_against_the_sample_only(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk = window.desk
    own = notice(tmp_path, "own.txt")

    def drop_own() -> None:
        if desk.workspaces.current is not None and desk.workspaces.current.name == "Sample":
            desk.workspaces.changed.disconnect(drop_own)
            window.check_page.add_files([own])

    desk.workspaces.changed.connect(drop_own)
    desk.open_sample()
    wait_for(qtbot, lambda: desk.check.state is State.DONE)
    idle(qtbot, desk)
    assert {row.name for row in desk.check.choice.documents} == {"own.txt", sample_paper().name}
    assert desk.history.rowCount() == 1
    assert desk.history.record(0).claim == ready_claims()[0]["claim"]
    assert desk.history.record(0).source_name == sample_paper().name


def test_the_samples_claim_does_not_wait_for_a_sample_that_was_not_added(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk = window.desk
    desk.open_sample()
    wait_for(qtbot, lambda: desk.documents.busy)
    window.check_page.cancel()
    idle(qtbot, desk)
    assert desk.check.choice.documents == []
    add(qtbot, window, sample_paper())
    idle(qtbot, desk)
    assert desk.check.state is State.IDLE
    assert desk.check.claim == ""


@pytest.mark.parametrize("name", ["vendor review", "  Vendor   Review ", "Ｖendor Review"])
def test_a_workspace_of_the_same_name_is_opened(qtbot: Any, window: MainWindow, name: str) -> None:
    desk = window.desk
    said: list[object] = []
    desk.workspaces.said.connect(said.append)
    desk.workspaces.create("Vendor review")
    idle(qtbot, desk)
    made = desk.workspaces.current
    desk.workspaces.open(next(row.id for row in desk.workspaces.workspaces if row != made))
    desk.workspaces.create(name)
    idle(qtbot, desk)
    assert desk.workspaces.current == made
    assert len(desk.workspaces.workspaces) == 2
    assert said == []


def test_an_added_file_is_listed_once(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    desk = window.desk
    idle(qtbot, desk)
    listed: list[int] = []
    desk.check.choice.documents_changed.connect(
        lambda: listed.append(len(desk.check.choice.documents))
    )
    add(qtbot, window, notice(tmp_path))
    idle(qtbot, desk)
    assert listed == [1]


def test_a_document_is_removed_and_the_history_keeps_its_verdict(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk, source = window.desk, window.check_page.source
    assert not source.more.isEnabled()
    file = notice(tmp_path)
    add(qtbot, window, file)
    check(qtbot, window, STATED)
    wait_for(qtbot, lambda: desk.history.rowCount() == 1)
    assert source.more.isEnabled()
    assert source.remove in source.documents.actions()

    def asked() -> QMessageBox:
        source.remove.trigger()
        dialog = window.findChildren(QMessageBox)[-1]
        assert file.name in dialog.text()
        assert "history keeps" in dialog.informativeText()
        return dialog

    dialog = asked()
    assert dialog.defaultButton() is dialog.button(QMessageBox.StandardButton.Cancel)
    dialog.reject()
    idle(qtbot, desk)
    assert len(desk.check.choice.documents) == 1

    dialog = asked()
    next(button for button in dialog.buttons() if button.text() == "Remove").click()
    wait_for(qtbot, lambda: desk.check.choice.documents == [])
    assert desk.check.answer is None
    assert desk.check.choice.document is None
    assert not source.more.isEnabled()
    assert file.is_file()
    desk.open_verdict(desk.history.record(0).verdict_id)
    wait_for(qtbot, lambda: desk.check.answer is not None)
    assert desk.check.answer is not None
    assert desk.check.answer.result.verdict is Verdict.SUPPORTED
    assert window.check_page.pane.text_view.marked_text == STATED
    assert not source.more.isEnabled(), "it has left the workspace already"


def test_notes_are_added_to_a_verdict_by_keyboard_and_kept(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk, page = window.desk, window.history_page
    add(qtbot, window, notice(tmp_path))
    check(qtbot, window, STATED)
    check(qtbot, window, NOT_STATED)
    window.show_page(HISTORY_PAGE)
    wait_for(qtbot, lambda: desk.history.rowCount() == 2)
    idle(qtbot, desk)
    page.table.setFocus()
    for _ in range(10):
        if page.notes.field.hasFocus():
            break
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert page.notes.field.hasFocus()
    assert not page.notes.add.isEnabled()
    for words in ("Ask the owner.", "Asked, said no."):
        qtbot.keyClicks(page.notes.field, words)
        qtbot.keyClick(page.notes.field, Qt.Key.Key_Return)
        wait_for(qtbot, lambda words=words: words in page.notes.notes.toPlainText())
        assert page.notes.field.text() == ""
    page.table.selectRow(1)
    idle(qtbot, desk)
    assert desk.notes.notes == []
    assert not page.notes.notes.isVisible()
    page.table.selectRow(0)
    wait_for(qtbot, lambda: len(desk.notes.notes) == 2)
    assert [note.note for note in desk.notes.notes] == ["Ask the owner.", "Asked, said no."]
    assert desk.history.record(0).claim == NOT_STATED
    desk.workspaces.create("Another")
    wait_for(qtbot, lambda: desk.history.rowCount() == 0)
    assert not page.notes.isVisible()


def test_size_and_splitter_are_remembered(qapp: QApplication, qtbot: Any, home: Path) -> None:
    def made() -> tuple[Desk, MainWindow]:
        desk = Desk()
        window = MainWindow(desk, WindowState(home))
        window.show()
        return desk, window

    _, window = made()
    assert (window.width(), window.height()) == (1280, 832)
    window.resize(1104, 704)
    window.check_page.splitter.setSizes([620, 400])
    qtbot.wait(20)
    left, right = window.check_page.splitter.sizes()
    assert left > right
    window.close()
    assert (home / "window.ini").is_file()
    _, again = made()
    qtbot.wait(20)
    # The width is cut to the screen, which is narrow where there is none.
    assert again.height() == 704
    left, right = again.check_page.splitter.sizes()
    assert left > right
    again.close()
    (home / "window.ini").write_text("[General]\nwindow=@ByteArray(nonsense)\nevidence=7\n")
    _, fresh = made()
    assert (fresh.width(), fresh.height()) == (1280, 832)
    left, right = fresh.check_page.splitter.sizes()
    assert left < right
    fresh.close()
