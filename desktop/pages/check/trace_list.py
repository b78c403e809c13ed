"""Why: what each gate measured and what it made of it, in the order in which they ran."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.claims.verdict import Outcome, TraceEntry
from desktop import theme
from desktop.widgets.typography import Type, label, section_label

OUTCOME_WORDS = {
    Outcome.PASSED: "passed",
    Outcome.DECIDED: "decided",
    Outcome.ABSTAINED: "left open",
    Outcome.REFUSED: "refused",
}


LONGEST_VALUE = 80
"""Longer values are for the record, not for the eye."""


class TraceList(QWidget):
    """The trace of a verdict."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trace: tuple[TraceEntry, ...] = ()
        self._earlier = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._title = section_label("Why")
        self._column.addWidget(self._title)
        self._column.addSpacing(4)
        self._rows: list[QWidget] = []
        self.setVisible(False)

    def show_trace(self, trace: Sequence[TraceEntry]) -> None:
        """Show a trace in place of the one before; an empty one hides the list."""
        self._trace = tuple(trace)
        for row in self._rows:
            self._column.removeWidget(row)
            # Deleted by the event loop, which may come later than the next paint.
            row.hide()
            row.deleteLater()
        self._rows = [_row(entry, self.devicePixelRatioF()) for entry in self._trace]
        for row in self._rows:
            self._column.addWidget(row)
        self.setVisible(bool(self._trace))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icons again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange and self._trace:
            self.show_trace(self._trace)
        super().changeEvent(event)


def gate_words(gate: str) -> str:
    """A gate's name as words: "lexical_gate" → "Lexical gate"."""
    words = gate.replace("_", " ").replace(".", " › ").strip()
    return words[:1].upper() + words[1:]


def _row(entry: TraceEntry, ratio: float) -> QFrame:
    colours = theme.current_theme()
    colour = {
        Outcome.PASSED: colours.quiet,
        Outcome.DECIDED: colours.accent,
        Outcome.ABSTAINED: colours.quiet,
        Outcome.REFUSED: colours.warning,
    }[entry.outcome]
    row = QFrame()
    row.setObjectName("traceRow")
    words = OUTCOME_WORDS[entry.outcome]
    measured = measured_words(entry)
    spoken = f"{gate_words(entry.gate)}: {words}. {entry.note}"
    row.setAccessibleName(f"{spoken} Measured: {measured}." if measured else spoken)
    mark = QLabel()
    mark.setPixmap(theme.pixmap(entry.outcome.value, colour, 16, ratio))
    gate = label(gate_words(entry.gate), Type.STRONG, "gate", wrap=True)
    outcome = label(words, Type.SMALL, "note")
    note = label(entry.note, Type.BODY, "note", wrap=True)
    note.setTextFormat(Qt.TextFormat.PlainText)
    note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    grid = QGridLayout(row)
    row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    grid.setContentsMargins(0, 8, 0, 8)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(4)
    grid.setColumnMinimumWidth(1, 112)
    grid.setColumnStretch(2, 1)
    top = Qt.AlignmentFlag.AlignTop
    grid.addWidget(mark, 0, 0, top)
    grid.addWidget(gate, 0, 1, top)
    grid.addWidget(note, 0, 2, top)
    grid.addWidget(outcome, 0, 3, top)
    if measured:
        numbers = label(measured, Type.SMALL, "measured", wrap=True)
        numbers.setTextFormat(Qt.TextFormat.PlainText)
        numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(numbers, 1, 2, 1, 2, top)
    gate.setFixedWidth(112)
    return row


def measured_words(entry: TraceEntry) -> str:
    """What a gate measured, in one line; empty lists and long values are left out."""
    parts = []
    for name, value in entry.measured.items():
        shown = _value_words(value)
        if shown and len(shown) <= LONGEST_VALUE:
            parts.append(f"{name.replace('_', ' ')}: {shown}")
    return " · ".join(parts)


def _value_words(value: Any) -> str:
    """A measured value as a person reads it; numbers to three places."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(filter(None, map(_value_words, value)))
    return "" if value is None else str(value).replace("_", " ").strip()
