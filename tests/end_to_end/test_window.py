"""The real window on the real store and the real reader process, with real files."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from core.claims.verdict import Verdict
from desktop import theme
from desktop.main_window import CHECK_PAGE, HISTORY_PAGE, MainWindow
from desktop.pages.check.states import State
from tests.end_to_end.window_files import locked_pdf, long_pdf
from tests.end_to_end.window_steps import (
    POLICY,
    STATED,
    add,
    check,
    drop,
    files_as_data,
    policy,
    ready_claims,
    sample_paper,
    wait_for,
)


def has_colour(widget: QWidget, colour: str) -> bool:
    image = widget.grab().toImage()
    wanted = QColor(colour).rgb()
    return any(
        image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height())
    )


def test_the_sample_shows_its_verdict_and_the_sentence_on_its_page(
    qtbot: Any, window: MainWindow
) -> None:
    desk, page = window.desk, window.check_page
    ready = ready_claims()[0]
    qtbot.mouseClick(
        next(b for b in page.empty.findChildren(QPushButton) if b.text() == "Open the sample"),
        Qt.MouseButton.LeftButton,
    )
    wait_for(qtbot, lambda: desk.check.state is State.DONE)
    assert desk.workspaces.current is not None
    assert desk.workspaces.current.name == "Sample"
    assert page.claim.text() == ready["claim"]
    assert desk.check.answer is not None
    assert desk.check.answer.result.verdict.value == ready["verdict"]
    assert page.card.isVisible()
    assert page.trace.isVisible()
    wait_for(qtbot, lambda: desk.evidence.drawn is not None)
    passage = desk.evidence.current
    assert passage is not None
    assert desk.evidence.page == passage.page
    assert page.pane.view is page.pane.page_view
    assert page.pane.page_view.marked > 0
    assert has_colour(page.pane.page_view.viewport(), theme.LIGHT.marker)
    assert ready["claim"][:40] in page.pane.passage.toPlainText()


def test_every_ready_claim_of_the_sample_gets_its_verdict(qtbot: Any, window: MainWindow) -> None:
    add(qtbot, window, sample_paper())
    for ready in ready_claims():
        check(qtbot, window, ready["claim"])
        answer = window.desk.check.answer
        assert answer is not None
        assert answer.result.verdict.value == ready["verdict"], ready["id"]
        word = Verdict(ready["verdict"]).words
        assert window.check_page.card.accessibleName().startswith(f"Verdict: {word}.")


def test_a_dropped_policy_is_checked_and_the_sentence_marked_in_its_text(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk, page = window.desk, window.check_page
    assert drop(window, window.rect().center(), policy(tmp_path))
    wait_for(qtbot, lambda: desk.check.choice.document is not None)
    check(qtbot, window, STATED)
    assert desk.check.answer is not None
    assert desk.check.answer.result.verdict is Verdict.SUPPORTED
    assert page.pane.view is page.pane.text_view
    assert page.pane.text_view.marked_text == STATED
    assert page.pane.passage.toPlainText() == STATED


@pytest.mark.parametrize("where", ["claim", "pane", "rail"])
def test_files_may_be_dropped_anywhere(
    qtbot: Any, window: MainWindow, tmp_path: Path, where: str
) -> None:
    widget = {
        "claim": window.check_page.claim.viewport(),
        "pane": window.check_page.pane,
        "rail": window.rail,
    }[where]
    at = widget.mapTo(window, widget.rect().center())
    assert drop(window, at, policy(tmp_path))
    wait_for(qtbot, lambda: window.desk.check.choice.document is not None)
    assert window.check_page.claim.text() == ""


def test_copied_files_are_pasted_as_documents(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    QGuiApplication.clipboard().setMimeData(files_as_data(policy(tmp_path)))
    window.check_page.claim.setFocus()
    qtbot.keyClick(window.check_page.claim, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: window.desk.check.choice.document is not None)
    assert window.check_page.claim.text() == ""


def test_the_same_file_twice_is_noticed(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    add(qtbot, window, policy(tmp_path))
    other = tmp_path / "copy of policy.md"
    other.write_text(POLICY, encoding="utf-8")
    window.check_page.add_files([other])
    wait_for(qtbot, lambda: window.desk.check.message is not None)
    assert "already" in window.check_page.message.accessibleName()
    assert len(window.desk.check.choice.documents) == 1


def test_keyboard_alone_is_enough(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    """Add a file, write, check, read the proof, look at the history, repeat: without a mouse."""
    desk, page = window.desk, window.check_page
    control = Qt.KeyboardModifier.ControlModifier

    def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        target = QApplication.focusWidget() or window
        qtbot.keyClick(target, key, modifier)

    file = policy(tmp_path)
    press(Qt.Key.Key_O, control)
    wait_for(qtbot, lambda: window.findChild(QFileDialog) is not None)
    dialog = window.findChild(QFileDialog)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    # Pasted, because the dialog completes names while they are typed.
    QGuiApplication.clipboard().setText(str(file))
    qtbot.keyClick(field, Qt.Key.Key_V, control)
    qtbot.keyClick(QApplication.activePopupWidget() or field, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: desk.check.choice.document is not None)
    wait_for(qtbot, lambda: window.findChild(QFileDialog) is None)
    # Without a window manager nobody else gives the focus back.
    window.activateWindow()
    wait_for(qtbot, window.isActiveWindow)

    press(Qt.Key.Key_L, control)
    assert page.claim.hasFocus()
    qtbot.keyClicks(page.claim, STATED)
    press(Qt.Key.Key_Return, control)
    wait_for(qtbot, lambda: desk.check.state is State.DONE)
    assert desk.check.answer is not None
    assert desk.check.answer.claim == STATED

    press(Qt.Key.Key_F6)
    assert page.card.hasFocus()
    press(Qt.Key.Key_F6)
    assert page.pane.text_view.hasFocus()
    press(Qt.Key.Key_F6)
    assert window.top.workspaces.hasFocus()
    press(Qt.Key.Key_F6)
    assert page.claim.hasFocus()

    press(Qt.Key.Key_2, control)
    assert window.pages.currentIndex() == HISTORY_PAGE
    wait_for(qtbot, lambda: desk.history.rowCount() == 1)
    press(Qt.Key.Key_F6)
    assert window.history_page.table.hasFocus()
    press(Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.pages.currentIndex() == CHECK_PAGE)
    assert desk.check.answer is not None
    assert desk.check.answer.result.verdict is Verdict.SUPPORTED


def test_tab_reaches_every_control_of_the_check_page(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    add(qtbot, window, sample_paper())
    check(qtbot, window, ready_claims()[0]["claim"])
    wait_for(qtbot, lambda: window.desk.evidence.drawn is not None)
    page, pane = window.check_page, window.check_page.pane
    page.claim.setFocus()
    reached = [QApplication.focusWidget()]
    for _ in range(60):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    expected = [
        page.claim,
        *page.ready.buttons,
        page.source.document_choice,
        page.source.text_choice,
        page.source.documents,
        page.source.add,
        page.source.more,
        page.run,
        page.card,
        page.card.copy_button,
        page.card.repeat_button,
        pane.page_view,
        pane.next_page,
        pane.zoom_out,
        pane.fit,
        pane.zoom_in,
        pane.passage,
    ]
    places = [reached.index(widget) for widget in expected]
    assert places == sorted(places)
    assert window.rail in {w.parentWidget() for w in reached if w is not None}


def test_every_control_has_a_name_for_a_screen_reader(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    add(qtbot, window, sample_paper())
    check(qtbot, window, ready_claims()[0]["claim"])
    inner = (QSplitter, QStackedWidget)
    nameless = []
    for index in (CHECK_PAGE, HISTORY_PAGE):
        window.show_page(index)
        for widget in window.findChildren(QWidget):
            takes_focus = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
            part = isinstance(widget.parentWidget(), (QAbstractScrollArea, QLineEdit))
            control = takes_focus and not part and not isinstance(widget, inner)
            if control and not widget.accessibleName():
                nameless.append(f"{type(widget).__name__} {widget.objectName()}")
    assert nameless == []


def test_esc_stops_the_reading_of_a_long_file_and_leaves_nothing(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk = window.desk
    file = tmp_path / "long.pdf"
    long_pdf(file, sample_paper(), 300)
    counts: list[int] = []
    desk.documents.progress_changed.connect(lambda done, total, what: counts.append(done))
    window.check_page.add_files([file])
    wait_for(qtbot, lambda: [count for count in counts if count > 0])
    assert window.check_page.stop.isVisible()
    qtbot.keyClick(window.check_page.claim, Qt.Key.Key_Escape)
    wait_for(qtbot, lambda: not desk.documents.busy, timeout=5_000)
    wait_for(qtbot, lambda: desk.runner.idle, timeout=10_000)
    assert desk.services is not None
    assert desk.workspaces.current is not None
    assert desk.services.store.documents.all(desk.workspaces.current.id) == []
    add(qtbot, window, policy(tmp_path))


BROKEN = {
    "empty.pdf": b"",
    "cut.pdf": b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog",
    "picture.txt": b"\x89PNG\r\n\x1a\n" + bytes(64),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_read_is_named_and_kept_out(
    qtbot: Any, window: MainWindow, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    file.write_bytes(BROKEN[name])
    window.check_page.add_files([file])
    wait_for(qtbot, lambda: window.desk.check.message is not None)
    message = window.desk.check.message
    assert message is not None
    assert message.happened
    assert message.kept
    assert window.check_page.message.isVisible()
    assert "fault in the program" not in message.spoken
    assert window.desk.check.choice.documents == []
    add(qtbot, window, policy(tmp_path))


def test_a_locked_file_asks_for_its_password(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk = window.desk
    file = tmp_path / "locked.pdf"
    locked_pdf(
        file, ["The audit of 2024 found", "three open findings in the register."], "opensesame"
    )
    window.check_page.add_files([file])

    def dialog() -> QInputDialog | None:
        found = window.findChildren(QInputDialog)
        return found[-1] if found else None

    def answer(words: str) -> None:
        wait_for(qtbot, lambda: dialog() is not None)
        asked = dialog()
        assert asked is not None
        assert asked.textEchoMode() is QLineEdit.EchoMode.Password
        asked.setTextValue(words)
        asked.accept()

    answer("wrong")
    wait_for(qtbot, lambda: (found := dialog()) and "does not open it" in found.labelText())
    answer("opensesame")
    wait_for(qtbot, lambda: desk.check.choice.document is not None)
    check(qtbot, window, "The audit of 2024 found three open findings in the register.")
    assert desk.check.answer is not None
    assert desk.check.answer.result.verdict is Verdict.SUPPORTED
    wait_for(qtbot, lambda: desk.evidence.drawn is not None)
    assert window.check_page.pane.page_view.marked > 0
    kept = list(desk.services.store.folder.rglob("*.db*"))
    assert kept
    assert all(b"opensesame" not in file.read_bytes() for file in kept)


def test_a_locked_file_without_its_password_is_kept_out(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "locked.pdf"
    locked_pdf(file, ["Some words."], "opensesame")
    window.check_page.add_files([file])
    wait_for(qtbot, lambda: window.findChildren(QInputDialog))
    window.findChildren(QInputDialog)[-1].reject()
    wait_for(qtbot, lambda: window.desk.check.message is not None)
    assert "password" in window.check_page.message.accessibleName()
    assert not window.desk.documents.busy
    assert window.desk.check.choice.documents == []


def test_an_edited_claim_takes_the_verdicts_authority_away(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    page = window.check_page
    add(qtbot, window, policy(tmp_path))
    check(qtbot, window, STATED)
    assert page.card.property("earlier") == "false"
    qtbot.keyClicks(page.claim, " And more.")
    assert page.card.property("earlier") == "true"
    assert page.card.accessibleName().startswith("Verdict: For the earlier claim")
    page.source.text_choice.click()
    assert not page.card.isVisible()
    assert window.desk.evidence.current is None


def test_pasted_text_is_checked(qtbot: Any, window: MainWindow) -> None:
    page = window.check_page
    page.source.text_choice.click()
    qtbot.keyClicks(page.source.pasted, f"Some words come first. {STATED}")
    check(qtbot, window, STATED)
    assert window.desk.check.answer is not None
    assert window.desk.check.answer.result.verdict is Verdict.SUPPORTED
    assert page.pane.text_view.marked_text == STATED


def test_a_book_pasted_in_is_kept_whole(qtbot: Any, window: MainWindow) -> None:
    page = window.check_page
    book = "It rained again that day. " * 20_000 + STATED
    page.source.text_choice.click()
    QGuiApplication.clipboard().setText(book)
    page.source.pasted.setFocus()
    qtbot.keyClick(page.source.pasted, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert page.source.pasted.text() == book
    assert window.desk.check.choice.pasted == book
    assert len(page.source.pasted.toPlainText()) < len(book)
    page.source.empty_text.click()
    assert window.desk.check.choice.pasted == ""
    assert not page.source.pasted.isReadOnly()


def test_repeating_says_that_the_verdict_is_the_same(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk, page = window.desk, window.check_page
    add(qtbot, window, policy(tmp_path))
    check(qtbot, window, STATED)
    with qtbot.waitSignal(desk.check.compared, timeout=60_000) as compared:
        page.card.repeat_button.click()
    assert compared.args == ["Checked again: same verdict, and nothing has changed."]
    wait_for(qtbot, lambda: desk.history.rowCount() == 2)


def test_repeating_after_the_kept_copy_was_altered_says_so(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk, page = window.desk, window.check_page
    add(qtbot, window, policy(tmp_path))
    check(qtbot, window, STATED)
    assert desk.services is not None
    assert desk.check.choice.document is not None
    copy = desk.services.store.documents.file(desk.check.choice.document)
    copy.chmod(0o600)
    copy.write_text(POLICY.replace("once a year", "twice a year"), encoding="utf-8")
    with qtbot.waitSignal(desk.check.compared, timeout=60_000) as compared:
        page.card.repeat_button.click()
    assert "another verdict" in compared.args[0]
    assert desk.check.answer is not None
    assert desk.check.answer.result.verdict is Verdict.NOT_VERIFIABLE


def test_the_history_is_kept_and_searched(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    desk, page = window.desk, window.history_page
    add(qtbot, window, policy(tmp_path))
    check(qtbot, window, STATED)
    check(qtbot, window, "Cats may use every system.")
    window.show_page(HISTORY_PAGE)
    wait_for(qtbot, lambda: desk.history.rowCount() == 2)
    qtbot.keyClicks(page.search, "cats")
    wait_for(qtbot, lambda: desk.history.rowCount() == 1)
    assert desk.history.record(0).claim == "Cats may use every system."
    page.search.clear()
    page.verdicts.setCurrentIndex(page.verdicts.findData("supported"))
    wait_for(qtbot, lambda: desk.history.rowCount() == 1 and desk.history.record(0).claim == STATED)


def test_another_workspace_has_its_own_documents(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    desk = window.desk
    add(qtbot, window, policy(tmp_path))
    check(qtbot, window, STATED)
    desk.workspaces.create("Vendor review")
    wait_for(qtbot, lambda: desk.workspaces.current.name == "Vendor review")
    assert window.top.workspaces.currentText() == "Vendor review"
    assert desk.check.answer is None
    assert not window.check_page.card.isVisible()
    wait_for(qtbot, lambda: desk.runner.idle)
    assert desk.check.choice.documents == []
    assert desk.history.rowCount() == 0
    window.top.workspaces.setCurrentIndex(window.top.workspaces.findText("My workspace"))
    wait_for(qtbot, lambda: desk.check.choice.document is not None)
    assert desk.check.choice.document is not None
    assert desk.check.choice.document.name == "policy.md"


def test_the_note_holds_claim_verdict_reason_and_sentence(
    qtbot: Any, window: MainWindow, tmp_path: Path
) -> None:
    add(qtbot, window, policy(tmp_path))
    check(qtbot, window, STATED)
    window.check_page.card.copy_button.click()
    note = QGuiApplication.clipboard().text()
    answer = window.desk.check.answer
    assert answer is not None
    for part in (f"Claim: {STATED}", "Verdict: Supported", answer.result.reason, f"“{STATED}”"):
        assert part in note


def test_nothing_covers_another_zone(qtbot: Any, window: MainWindow, tmp_path: Path) -> None:
    add(qtbot, window, sample_paper())
    check(qtbot, window, ready_claims()[0]["claim"])
    for width, height in ((960, 600), (1280, 832), (1920, 1080)):
        window.resize(width, height)
        qtbot.wait(50)
        zones = [window.rail, window.top, *map(window.check_page.splitter.widget, (0, 1))]
        boxes = [zone.rect().translated(zone.mapTo(window, QPoint(0, 0))) for zone in zones]
        for at, box in enumerate(boxes):
            assert not box.isEmpty()
            assert not any(box.intersects(other) for other in boxes[at + 1 :])
