"""What an empty place says: one sentence, one action, one sample."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop import theme
from desktop.widgets.buttons import push_button
from desktop.widgets.typography import Type, label


class EmptyState(QWidget):
    """An icon, a sentence and buttons in the middle of an empty place."""

    def __init__(
        self,
        icon: str,
        sentence: str,
        actions: Sequence[tuple[str, Callable[[], object]]] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence = label(sentence, Type.BODY, "hint", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setFixedWidth(320)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for text, clicked in actions:
            buttons.addWidget(push_button(text, clicked))
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(self._icon)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._sentence)
        row.addStretch(1)
        column.addLayout(row)
        column.addLayout(buttons)
        column.addStretch(1)
        self._draw()

    def set_sentence(self, sentence: str) -> None:
        """Say another sentence."""
        self._sentence.setText(sentence)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icon again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        colours = theme.current_theme()
        self._icon.setPixmap(
            theme.pixmap(self._icon_name, colours.quiet, 40, self.devicePixelRatioF())
        )
