"""The ready claims of the sample: each one click away, under the field for the claim."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.pages.check.sample import ReadyClaim
from desktop.widgets.buttons import push_button
from desktop.widgets.flow import FlowLayout
from desktop.widgets.typography import Type, label, set_type


class ReadyClaims(QWidget):
    """A button for each ready claim; without any it takes no room.

    `pick(claim)` is called with the claim that was chosen.
    """

    def __init__(self, pick: Callable[[str], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pick = pick
        self.buttons: list[QPushButton] = []
        self._flow = FlowLayout(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        column.addWidget(label("Or try a ready claim:", Type.SMALL, "hint"))
        column.addLayout(self._flow)
        self.setVisible(False)

    def show_claims(self, claims: Sequence[ReadyClaim]) -> None:
        """Offer these claims in place of those offered before."""
        for button in self.buttons:
            self._flow.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(one) for one in claims]
        for button in self.buttons:
            self._flow.addWidget(button)
        self.setVisible(bool(self.buttons))

    def _button(self, one: ReadyClaim) -> QPushButton:
        made = push_button(
            one.label,
            lambda: self._pick(one.claim),
            kind="ready",
            name=f"Ready claim: {one.label}",
            tooltip=f"“{one.claim}” {one.note}",
        )
        made.setAccessibleDescription(one.note)
        set_type(made, Type.SMALL)
        return made
