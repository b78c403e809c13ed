"""The notes on the verdict that is selected in the history, and a field for another one."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.pages.history.notes_model import NotesModel
from desktop.widgets.announce import announce
from desktop.widgets.buttons import push_button
from desktop.widgets.typography import section_label

MOST_LINES = 6
"""More notes scroll: the table above needs the room."""


class NotesPanel(QFrame):
    """Shows a `NotesModel`."""

    def __init__(self, model: NotesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.notes = QPlainTextEdit()
        self.notes.setObjectName("notes")
        self.notes.setReadOnly(True)
        self.notes.setTabChangesFocus(True)
        self.notes.setAccessibleName("Notes on this verdict")
        self.notes.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.notes.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.field = QLineEdit()
        self.field.setPlaceholderText("A note on this verdict; it is kept beside it")
        self.field.setAccessibleName("Note to add")
        self.field.returnPressed.connect(self._add)
        self.add = push_button("Add note", self._add)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(section_label("Notes", self.field))
        column.addWidget(self.notes)
        column.addLayout(row)
        self.field.textChanged.connect(lambda: self._on_field())
        model.changed.connect(self._on_notes)
        model.added.connect(self._on_added)
        self._on_notes()

    def _add(self) -> None:
        self._model.add(self.field.text())

    def _on_added(self) -> None:
        self.field.clear()
        announce(self, "The note has been added.")

    def _on_field(self) -> None:
        self.add.setEnabled(self._model.verdict_id is not None and bool(self.field.text().strip()))

    def _on_notes(self) -> None:
        self.setVisible(self._model.verdict_id is not None)
        lines = [
            f"{note.added.astimezone():%Y-%m-%d %H:%M}   {note.note}" for note in self._model.notes
        ]
        self.notes.setPlainText("\n".join(lines))
        self.notes.setVisible(bool(lines))
        shown = min(MOST_LINES, max(1, len("\n".join(lines).split("\n"))))
        self.notes.setFixedHeight(shown * self.notes.fontMetrics().lineSpacing() + 20)
        self._on_field()
