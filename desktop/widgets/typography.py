"""Sizes and weights of words, relative to the platform's own font."""

from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QWidget


class Type(Enum):
    """Roles of words: (size relative to the platform's font, weight, letter spacing in percent)."""

    HEADLINE = (1.45, QFont.Weight.DemiBold, 100)
    TITLE = (1.2, QFont.Weight.DemiBold, 100)
    STRONG = (1.0, QFont.Weight.DemiBold, 100)
    BODY = (1.0, QFont.Weight.Normal, 100)
    SMALL = (0.9, QFont.Weight.Normal, 100)
    LABEL = (0.82, QFont.Weight.DemiBold, 108)


def font(role: Type) -> QFont:
    """The font of a role."""
    size, weight, spacing = role.value
    made = QFont(QApplication.font())
    made.setPointSizeF(made.pointSizeF() * size)
    made.setWeight(weight)
    made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, spacing)
    return made


def set_type(widget: QWidget, role: Type) -> None:
    """Give a widget the font of a role."""
    widget.setFont(font(role))


def label(text: str, role: Type, name: str = "", *, wrap: bool = False) -> QLabel:
    """A label in a role; `name` is its object name, which the style sheet knows."""
    made = QLabel(text)
    made.setObjectName(name)
    made.setWordWrap(wrap)
    set_type(made, role)
    return made


class ProgressLabel(QLabel):
    """Says what is going on, on one line that never grows; the end, which counts, stays in sight.

    While nothing is going on it is a label that wraps, for a hint in its place.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hint")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        set_type(self, Type.SMALL)

    def show_hint(self, words: str) -> None:
        """A sentence that may take several lines."""
        self.setWordWrap(True)
        self.setText(words)

    def show_progress(self, what: str, counts: str) -> None:
        """What is being done and how far it is; `counts` may be empty."""
        self.setWordWrap(False)
        self.setText(f"{what} · {counts}" if counts else what)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """One line is cut in its middle where it is too long."""
        if self.wordWrap():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        room = self.contentsRect()
        mode = Qt.TextElideMode.ElideMiddle
        words = self.fontMetrics().elidedText(self.text(), mode, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.end()


def section_label(text: str, buddy: QWidget | None = None) -> QLabel:
    """The small capitals above a part of a page."""
    made = label(text.upper(), Type.LABEL, "section")
    made.setAccessibleName(text)
    if buddy is not None:
        made.setBuddy(buddy)
    return made
