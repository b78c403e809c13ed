"""A field for words that also takes files, and does not stall on a book in the clipboard."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

SHOWN_CHARACTERS = 20_000
"""Longer text is kept whole, but only its beginning is laid out."""


def local_files(data: QMimeData) -> list[Path]:
    """The files of this machine in dragged or copied data."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class TextField(QPlainTextEdit):
    """A field of `lines` lines, that grows with its text up to `grow_to`. Tab leaves it.

    Text longer than `SHOWN_CHARACTERS` that is pasted in takes the place of what was there and is
    kept beside the field: `text` gives it whole, the field shows its beginning and may not be
    edited until it is emptied. Signals: `files_given(list[Path])`, `edited`.
    """

    files_given = Signal(list)
    edited = Signal()

    def __init__(
        self,
        name: str,
        placeholder: str,
        lines: int,
        parent: QWidget | None = None,
        *,
        grow_to: int = 0,
    ) -> None:
        super().__init__(parent)
        self._whole: str | None = None
        self._lines = lines
        self._most_lines = max(lines, grow_to)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(4)
        self.textChanged.connect(self._on_text_changed)
        self._fit()

    @property
    def shortened(self) -> bool:
        """Whether the field shows only the beginning of its text."""
        return self._whole is not None

    def text(self) -> str:
        """The whole text."""
        return self.toPlainText() if self._whole is None else self._whole

    def set_text(self, text: str) -> None:
        """Show a text in place of what is there."""
        if text == self.text():
            return
        shortened = len(text) > SHOWN_CHARACTERS
        self._whole = text if shortened else None
        self.setReadOnly(shortened)
        self.blockSignals(True)
        self.setPlainText(text[:SHOWN_CHARACTERS] + ("…" if shortened else ""))
        self.blockSignals(False)
        self._fit()
        self.edited.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802
        """Files are taken as well as text."""
        return bool(local_files(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        """Text goes into the field; files are handed on."""
        files = local_files(source)
        if files:
            self.files_given.emit(files)
        elif source.hasText():
            # Taken once: each call makes the whole text anew.
            text = source.text()
            if len(text) > SHOWN_CHARACTERS:
                self.set_text(text)
            else:
                # Plain text only: formats of another program do not belong in a claim.
                self.insertPlainText(text)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Leave files to the page, which takes them anywhere."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        """As for a drag that enters."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """As for a drag that enters."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dropEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """A narrower field needs more lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        # The layout of plain text counts its height in lines.
        needed = round(self.document().size().height())
        lines = min(self._most_lines, max(self._lines, needed))
        margins = 2 * (4 + 6)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + margins)

    def _on_text_changed(self) -> None:
        self._fit()
        self.edited.emit()
