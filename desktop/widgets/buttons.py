"""Buttons with an icon that follows the theme."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from desktop import theme


class IconButton(QToolButton):
    """A button with an icon alone; `name` is what a screen reader says and the tooltip shows."""

    def __init__(
        self, icon: str, name: str, clicked: Callable[[], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setObjectName("tool")
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(20, 20))
        self.setFixedSize(32, 32)
        self.clicked.connect(lambda: clicked())
        self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icon again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        self.setIcon(theme.icon(self._icon, theme.current_theme().text))


class MenuButton(IconButton):
    """A button with an icon alone that opens a menu of `actions`."""

    def __init__(
        self, icon: str, name: str, actions: Sequence[QAction], parent: QWidget | None = None
    ) -> None:
        super().__init__(icon, name, lambda: None, parent)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.addActions(list(actions))
        self.setMenu(menu)


class PrimaryButton(QPushButton):
    """A filled button; its focus ring lies inside, where it stands out from the filling."""

    RING = 2
    INSET = 3

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The button, and its ring while it has the focus."""
        super().paintEvent(event)
        if not self.hasFocus():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.current_theme().on_accent), self.RING))
        by = self.INSET + self.RING / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(by, by, -by, -by), 4, 4)
        painter.end()


def push_button(
    text: str,
    clicked: Callable[[], object],
    *,
    kind: str = "",
    name: str = "",
    tooltip: str = "",
) -> QPushButton:
    """A button with words; `kind` is "primary", "link", "stop" or empty."""
    made = PrimaryButton(text) if kind == "primary" else QPushButton(text)
    made.setObjectName(kind)
    made.setAccessibleName(name or text)
    made.setToolTip(tooltip)
    made.setAutoDefault(False)
    made.clicked.connect(lambda: clicked())
    return made
