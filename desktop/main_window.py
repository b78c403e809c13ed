"""The window: rail, workspace bar, pages, and the keys that work everywhere in it."""

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from desktop.desk import Desk
from desktop.messages import Message
from desktop.pages.check.evidence_model import ZOOM_STEP
from desktop.pages.check.page import FILE_FILTER, CheckPage
from desktop.pages.history.page import HistoryPage
from desktop.widgets.dialogs import ask_files, ask_whether, ask_words
from desktop.widgets.rail import Rail
from desktop.widgets.text_field import local_files
from desktop.widgets.top_bar import TopBar
from desktop.window_state import WindowState

CHECK_PAGE, HISTORY_PAGE = 0, 1


class MainWindow(QMainWindow):
    """Everything on the screen. Signal: `shown` (once, when the window is first on the screen)."""

    shown = Signal()

    def __init__(self, desk: Desk, state: WindowState | None = None) -> None:
        """`state` keeps size and positions; without it the window opens at its usual size."""
        super().__init__()
        self.desk = desk
        self._state = state
        self._was_shown = False
        self._zone = 0
        self.setWindowTitle("Countersign")
        self.setAcceptDrops(True)
        self.resize(1280, 832)
        self.setMinimumSize(960, 600)
        self.rail = Rail([("check", "Check"), ("history", "History")])
        self.top = TopBar(desk.workspaces)
        self.check_page = CheckPage(desk.check, desk.evidence, desk.documents)
        self.history_page = HistoryPage(desk.history, desk.notes)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.check_page)
        self.pages.addWidget(self.history_page)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.top)
        right.addWidget(self.pages, 1)
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(right, 1)
        self.setCentralWidget(whole)
        self.model_state = QLabel("Opening your workspaces …")
        self.statusBar().addWidget(self.model_state, 1)
        self.statusBar().setSizeGripEnabled(False)
        self._connect()
        self._bind_keys()
        self._order_focus()
        self._restore()
        self.check_page.claim.setFocus()

    def show_page(self, index: int) -> None:
        """Show a page of the rail."""
        self.pages.setCurrentIndex(index)
        self.rail.show_chosen(index)
        if index == HISTORY_PAGE:
            self.history_page.search.setFocus()
        else:
            self.check_page.claim.setFocus()

    def ask_for_files(self) -> None:
        """Choose files to add to the workspace."""
        ask_files(self, "Add documents", FILE_FILTER, self.check_page.add_files)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Report the first time on the screen, after it has been painted."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            QTimer.singleShot(0, self, self.shown.emit)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Stop all work; what is recorded is kept."""
        self._keep_state()
        self.hide()
        self.desk.close()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Files of this machine are welcome anywhere in the window."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        """As for a drag that enters."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Add the files to the workspace."""
        files = local_files(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.show_page(CHECK_PAGE)
            self.check_page.add_files(files)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Files in the clipboard can be pasted anywhere."""
        if event.matches(QKeySequence.StandardKey.Paste):
            files = local_files(QGuiApplication.clipboard().mimeData())
            if files:
                self.check_page.add_files(files)
                return
        super().keyPressEvent(event)

    def _restore(self) -> None:
        if self._state is None:
            return
        for name, restore in (
            ("window", self.restoreGeometry),
            ("evidence", self.check_page.splitter.restoreState),
            ("history", self.history_page.table.horizontalHeader().restoreState),
        ):
            kept = self._state.get(name)
            if kept is not None:
                restore(kept)

    def _keep_state(self) -> None:
        if self._state is not None:
            self._state.keep(
                window=self.saveGeometry(),
                evidence=self.check_page.splitter.saveState(),
                history=self.history_page.table.horizontalHeader().saveState(),
            )

    def _connect(self) -> None:
        desk, check, history = self.desk, self.check_page, self.history_page
        self.rail.chosen.connect(self.show_page)
        self.top.create_wanted.connect(self._create_workspace)
        self.top.rename_wanted.connect(self._rename_workspace)
        check.add_wanted.connect(self.ask_for_files)
        check.remove_wanted.connect(self._remove_document)
        check.sample_wanted.connect(desk.open_sample)
        check.ready_wanted.connect(desk.check_ready_claim)
        desk.ready_claims_changed.connect(self._show_ready_claims)
        check.repeat_wanted.connect(desk.repeat)
        check.unlock_wanted.connect(self._unlock_page)
        history.open_wanted.connect(desk.open_verdict)
        history.repeat_wanted.connect(desk.repeat)
        history.check_wanted.connect(lambda: self.show_page(CHECK_PAGE))
        desk.documents.password_wanted.connect(self._ask_password)
        desk.check.password_wanted.connect(self._ask_password_of_chosen)
        desk.check_shown.connect(lambda: self.show_page(CHECK_PAGE))
        desk.check.recorded.connect(self._show_model_state)
        desk.opened.connect(self._on_opened)
        desk.failed.connect(self._on_failed)
        desk.said.connect(self._say)
        desk.workspaces.said.connect(self._say)

    def _bind_keys(self) -> None:
        desk, page = self.desk, self.check_page
        keys: tuple[tuple[str, Callable[[], object]], ...] = (
            ("Ctrl+Return", self._run_check),
            ("Ctrl+Enter", self._run_check),
            ("Esc", page.cancel),
            ("Ctrl+O", self.ask_for_files),
            ("Ctrl+1", lambda: self.show_page(CHECK_PAGE)),
            ("Ctrl+2", lambda: self.show_page(HISTORY_PAGE)),
            ("Ctrl+L", page.claim.setFocus),
            ("F6", lambda: self._switch_zone(1)),
            ("Shift+F6", lambda: self._switch_zone(-1)),
            ("F3", desk.evidence.next),
            ("Shift+F3", desk.evidence.previous),
            ("Ctrl++", lambda: desk.evidence.set_zoom(desk.evidence.zoom * ZOOM_STEP)),
            ("Ctrl+=", lambda: desk.evidence.set_zoom(desk.evidence.zoom * ZOOM_STEP)),
            ("Ctrl+-", lambda: desk.evidence.set_zoom(desk.evidence.zoom / ZOOM_STEP)),
            ("Ctrl+0", lambda: desk.evidence.set_zoom(1.0)),
        )
        for key, action in keys:
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.activated.connect(lambda act=action: act())

    def _order_focus(self) -> None:
        page, pane = self.check_page, self.check_page.pane
        order = [
            page.claim,
            *page.ready.buttons,
            page.source.document_choice,
            page.source.text_choice,
            page.source.documents,
            page.source.add,
            page.source.more,
            page.source.pasted,
            page.run,
            page.stop,
            page.card,
            page.card.copy_button,
            page.card.repeat_button,
            pane.page_view,
            pane.text_view,
            pane.previous_page,
            pane.next_page,
            pane.zoom_out,
            pane.fit,
            pane.zoom_in,
            pane.previous_passage,
            pane.next_passage,
            pane.passage,
        ]
        for first, second in pairwise(order):
            QWidget.setTabOrder(first, second)

    def _show_ready_claims(self) -> None:
        self.check_page.ready.show_claims(self.desk.ready_claims)
        self._order_focus()

    def _run_check(self) -> None:
        if self.pages.currentIndex() == CHECK_PAGE:
            self.check_page.start()

    def _switch_zone(self, by: int) -> None:
        if self.pages.currentIndex() != CHECK_PAGE:
            self.history_page.table.setFocus()
            return
        zones = [self.top.workspaces.setFocus, *self.check_page.zones()]
        self._zone = (self._current_zone(len(zones)) + by) % len(zones)
        zones[self._zone]()

    def _current_zone(self, count: int) -> int:
        focus = QGuiApplication.focusObject()
        page = self.check_page
        if isinstance(focus, QWidget):
            if self.top.isAncestorOf(focus):
                return 0
            if page.pane.isAncestorOf(focus):
                return count - 1
            if focus is page.card or page.card.isAncestorOf(focus):
                return 2
        return 1

    def _on_opened(self) -> None:
        self._show_model_state()

    def _show_model_state(self) -> None:
        # What a model runs on is known only after it has answered for the first time.
        if self.desk.services is not None:
            self.model_state.setText(self.desk.services.model_state)

    def _on_failed(self, message: Message) -> None:
        self.model_state.setText("Your workspaces could not be opened.")
        self._say(message)

    def _say(self, message: Message) -> None:
        if self.pages.currentIndex() == HISTORY_PAGE:
            self.history_page.say(message)
        else:
            self.check_page.say(message)

    def _ask_password(self, name: str, again: bool) -> None:
        wrong = "That password does not open it. " if again else ""
        documents = self.desk.documents
        ask_words(
            self,
            "Password",
            f"{wrong}Password of “{name}”:",
            documents.unlock,
            dismissed=documents.skip,
            secret=True,
        )

    def _ask_password_of_chosen(self, name: str) -> None:
        ask_words(self, "Password", f"Password of “{name}”:", self.desk.check.unlock, secret=True)

    def _unlock_page(self) -> None:
        ask_words(self, "Password", "Password of the document:", self.desk.unlock_page, secret=True)

    def _remove_document(self) -> None:
        document = self.desk.check.choice.document
        if document is None or self.desk.refused_while_busy():
            return
        ask_whether(
            self,
            "Remove document",
            f"Remove “{document.name}” from this workspace?",
            "The history keeps its verdicts, and the copy that they rest on. Your own file is not "
            "touched.",
            "Remove",
            lambda: self.desk.documents.remove(document),
        )

    def _create_workspace(self) -> None:
        ask_words(self, "New workspace", "Name of the workspace:", self.desk.workspaces.create)

    def _rename_workspace(self) -> None:
        current = self.desk.workspaces.current
        given = current.name if current is not None else ""
        ask_words(
            self, "Rename", "Name of the workspace:", self.desk.workspaces.rename, given=given
        )
