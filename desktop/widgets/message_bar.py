"""The bar that says what happened, what was kept and what to do."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop import theme
from desktop.messages import Message
from desktop.widgets.announce import announce
from desktop.widgets.buttons import IconButton, push_button
from desktop.widgets.typography import Type, label


class MessageBar(QFrame):
    """One message at a time; hidden while there is none. Signal: `dismissed`."""

    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self._message: Message | None = None
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._happened = label("", Type.STRONG, "happened", wrap=True)
        self._rest = label("", Type.BODY, "rest", wrap=True)
        self._details = label("", Type.SMALL, "details", wrap=True)
        for words in (self._happened, self._rest, self._details):
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.setTextFormat(Qt.TextFormat.PlainText)
        self._fold = push_button("Details for a report", self._toggle_details, kind="link")
        words_column = QVBoxLayout()
        words_column.setSpacing(4)
        words_column.addWidget(self._happened)
        words_column.addWidget(self._rest)
        words_column.addWidget(self._fold, alignment=Qt.AlignmentFlag.AlignLeft)
        words_column.addWidget(self._details)
        close = IconButton("refused", "Dismiss this message", self.dismissed.emit)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self._icon)
        row.addLayout(words_column, 1)
        row.addWidget(close, alignment=Qt.AlignmentFlag.AlignTop)
        self.show_message(None)

    def show_message(self, message: Message | None) -> None:
        """Show a message, or hide the bar."""
        self._message = message
        self.setVisible(message is not None)
        if message is None:
            return
        self._draw()
        self._happened.setText(message.happened)
        rest = " ".join(part for part in (message.kept, message.do) if part)
        self._rest.setText(rest)
        self._rest.setVisible(bool(rest))
        self._details.setText(message.details)
        self._details.setVisible(False)
        self._fold.setVisible(bool(message.details))
        self.setAccessibleName(message.spoken)
        announce(self, message.spoken)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icon again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        colour = theme.current_theme().warning
        self._icon.setPixmap(theme.pixmap("notice", colour, 20, self.devicePixelRatioF()))

    def _toggle_details(self) -> None:
        self._details.setVisible(not self._details.isVisible())
