"""The rail on the left: one button for each page."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop import theme
from desktop.widgets.typography import Type, set_type


class Rail(QFrame):
    """Buttons for (icon, title) pairs. Signal: `chosen(index)`."""

    chosen = Signal(int)

    def __init__(self, pages: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setFixedWidth(80)
        self._pages = tuple(pages)
        self._mark = QLabel()
        self._mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._mark.setFixedHeight(40)
        self._mark.setAccessibleName("Countersign")
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addWidget(self._mark)
        for at, (_, title) in enumerate(self._pages):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setIconSize(QSize(24, 24))
            button.setFixedSize(64, 60)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(f"{title} page")
            button.setToolTip(f"{title} (Ctrl+{at + 1})")
            set_type(button, Type.SMALL)
            self._group.addButton(button, at)
            column.addWidget(button)
        column.addStretch(1)
        self._group.idClicked.connect(self.chosen)
        self._group.idToggled.connect(lambda *_: self._draw())
        self.show_chosen(0)
        self._draw()

    def show_chosen(self, index: int) -> None:
        """Mark the page that is shown."""
        self._group.button(index).setChecked(True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icons again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        colours = theme.current_theme()
        self._mark.setPixmap(theme.pixmap("app", colours.accent, 28, self.devicePixelRatioF()))
        for at, (icon, _) in enumerate(self._pages):
            button = self._group.button(at)
            colour = colours.accent if button.isChecked() else colours.quiet
            button.setIcon(theme.icon(icon, colour, 24))
