"""The History page: a table of verdicts; one can be opened again or repeated."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.claims.verdict import Verdict
from desktop.messages import Message
from desktop.pages.history.model import CHECK_ID, VERDICT_ID, HistoryModel
from desktop.pages.history.notes_model import NotesModel
from desktop.pages.history.notes_panel import NotesPanel
from desktop.widgets.buttons import push_button
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.typography import Type, label

SEARCH_AFTER_MS = 200
"""Typing is followed by one search, not by one for each letter."""


class HistoryPage(QWidget):
    """Shows a `HistoryModel`, and the `NotesModel` of the row that is selected.

    Signals: `open_wanted(verdict id)`, `repeat_wanted(check id)`, `check_wanted`.
    """

    open_wanted = Signal(int)
    repeat_wanted = Signal(int)
    check_wanted = Signal()

    def __init__(
        self, model: HistoryModel, notes: NotesModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._model = model
        self._notes = notes
        self.notes = NotesPanel(notes)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Words of a claim")
        self.search.setAccessibleName("Search claims")
        self.search.setClearButtonEnabled(True)
        self.verdicts = QComboBox()
        self.verdicts.setAccessibleName("Show only one verdict")
        self.verdicts.addItem("Every verdict", None)
        for verdict in Verdict:
            self.verdicts.addItem(verdict.words, verdict.value)
        self.open = push_button("Open", self._open, tooltip="Show this verdict again (Enter)")
        self.repeat = push_button("Repeat", self._repeat, tooltip="Check again and compare")
        self.table = QTableView()
        self.table.setModel(model)
        self.table.setAccessibleName("Verdicts of this workspace, the newest first")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setAlternatingRowColors(True)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().setVisible(False)
        self.table.verticalHeader().setDefaultSectionSize(36)
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 160), (2, 260), (3, 160)):
            header.resizeSection(column, width)
        self.message = MessageBar()
        self.message.dismissed.connect(lambda: self.message.show_message(None))
        self.empty = EmptyState(
            "history",
            "Every verdict of this workspace is kept here, with what produced it.",
            [("Check a claim", self.check_wanted.emit)],
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(SEARCH_AFTER_MS)
        self._typing.timeout.connect(self._filter)
        self._lay_out()

        self.search.textChanged.connect(lambda: self._typing.start())
        self.verdicts.currentIndexChanged.connect(lambda: self._filter())
        self.table.doubleClicked.connect(lambda: self._open())
        self.table.installEventFilter(self)
        self.table.selectionModel().selectionChanged.connect(lambda: self._on_selection())
        model.filled.connect(self._on_filled)
        model.said.connect(self.say)
        notes.said.connect(self.say)
        self._on_filled()

    def say(self, message: Message) -> None:
        """Show a message."""
        self.message.show_message(message)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Enter opens the row that has the focus."""
        enter = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if watched is self.table and event.type() == QEvent.Type.KeyPress:
            assert isinstance(event, QKeyEvent)
            if event.key() in enter:
                self._open()
                return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label("History", Type.TITLE, "title"))
        head.addSpacing(16)
        head.addWidget(self.search, 1)
        head.addWidget(self.verdicts)
        head.addWidget(self.open)
        head.addWidget(self.repeat)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 24)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self.message)
        column.addWidget(self._stack, 1)
        column.addWidget(self.notes)

    def _filter(self) -> None:
        chosen = self.verdicts.currentData()
        self._model.set_filter(self.search.text().strip(), Verdict(chosen) if chosen else None)

    def _on_filled(self) -> None:
        empty = self._model.rowCount() == 0
        filtered = bool(self._model.search) or self._model.verdict is not None
        self._stack.setCurrentWidget(self.empty if empty else self.table)
        self.empty.set_sentence(
            "No verdict of this workspace matches."
            if filtered
            else "Every verdict of this workspace is kept here, with what produced it."
        )
        if not empty:
            self.table.selectRow(0)
        self._on_selection()

    def _on_selection(self) -> None:
        verdict_id = self._selected(VERDICT_ID)
        self.open.setEnabled(verdict_id is not None)
        self.repeat.setEnabled(verdict_id is not None)
        self._notes.show(verdict_id)

    def _selected(self, role: int) -> int | None:
        rows = self.table.selectionModel().selectedRows()
        return None if not rows else int(self._model.data(rows[0], role))

    def _open(self) -> None:
        verdict_id = self._selected(VERDICT_ID)
        if verdict_id is not None:
            self.open_wanted.emit(verdict_id)

    def _repeat(self) -> None:
        check_id = self._selected(CHECK_ID)
        if check_id is not None:
            self.repeat_wanted.emit(check_id)
