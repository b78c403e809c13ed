"""Small questions that do not stop the window: each opens, and answers through a callable."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QMessageBox, QWidget


def ask_words(
    parent: QWidget,
    title: str,
    question: str,
    answered: Callable[[str], object],
    *,
    given: str = "",
    dismissed: Callable[[], object] | None = None,
    secret: bool = False,
) -> QInputDialog:
    """Ask for one line; `secret` hides what is typed."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(question)
    dialog.setTextValue(given)
    dialog.setMinimumWidth(360)
    if secret:
        dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
    dialog.textValueSelected.connect(answered)
    if dismissed is not None:
        dialog.rejected.connect(dismissed)
    dialog.open()
    return dialog


def ask_files(
    parent: QWidget, title: str, filters: str, answered: Callable[[list[Path]], object]
) -> QFileDialog:
    """Ask for files that exist."""
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilter(filters)
    dialog.filesSelected.connect(lambda names: answered([Path(name) for name in names]))
    dialog.open()
    return dialog


def ask_whether(
    parent: QWidget,
    title: str,
    question: str,
    consequence: str,
    yes: str,
    agreed: Callable[[], object],
) -> QMessageBox:
    """Ask before something is done; `yes` is the word on the button that does it."""
    dialog = QMessageBox(QMessageBox.Icon.NoIcon, title, question, parent=parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setTextFormat(Qt.TextFormat.PlainText)
    dialog.setInformativeText(consequence)
    does = dialog.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    dialog.setDefaultButton(dialog.addButton(QMessageBox.StandardButton.Cancel))
    does.clicked.connect(lambda: agreed())
    dialog.open()
    return dialog
