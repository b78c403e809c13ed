"""The bar above the pages: the workspace, and what leaves the machine."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QWidget

from desktop import theme
from desktop.widgets.buttons import MenuButton
from desktop.widgets.typography import Type, label, set_type
from desktop.workspace_model import WorkspaceModel

OFFLINE_WORDS = "Offline · nothing has left this machine"


class TopBar(QFrame):
    """Shows a `WorkspaceModel`. Signals: `create_wanted`, `rename_wanted`."""

    create_wanted = Signal()
    rename_wanted = Signal()

    def __init__(self, model: WorkspaceModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self.setFixedHeight(48)
        self._model = model
        self._filling = False
        self.workspaces = QComboBox()
        self.workspaces.setAccessibleName("Workspace")
        self.workspaces.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_type(self.workspaces, Type.STRONG)
        actions = []
        for text, signal in (
            ("New workspace …", self.create_wanted),
            ("Rename this workspace …", self.rename_wanted),
        ):
            action = QAction(text, self)
            action.triggered.connect(lambda _=False, wanted=signal: wanted.emit())
            actions.append(action)
        self.more = MenuButton("more", "Workspace actions", actions)
        self._lock = QLabel()
        self.offline = label(OFFLINE_WORDS, Type.SMALL, "offline")
        self.offline.setAccessibleName(OFFLINE_WORDS)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 16, 4)
        row.setSpacing(8)
        row.addWidget(label("Workspace", Type.SMALL, "quiet"))
        row.addWidget(self.workspaces)
        row.addWidget(self.more)
        row.addStretch(1)
        row.addWidget(self._lock)
        row.addWidget(self.offline)
        self.workspaces.currentIndexChanged.connect(self._on_chosen)
        model.changed.connect(self._fill)
        self._fill()
        self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icons again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        colours = theme.current_theme()
        self._lock.setPixmap(theme.pixmap("offline", colours.quiet, 16, self.devicePixelRatioF()))

    def _fill(self) -> None:
        self._filling = True
        self.workspaces.clear()
        for workspace in self._model.workspaces:
            self.workspaces.addItem(workspace.name, workspace.id)
        if not self._model.workspaces:
            self.workspaces.addItem("Opening …")
        if self._model.current is not None:
            self.workspaces.setCurrentIndex(self.workspaces.findData(self._model.current.id))
        self.workspaces.setEnabled(bool(self._model.workspaces))
        self.more.setEnabled(bool(self._model.workspaces))
        self._filling = False

    def _on_chosen(self, index: int) -> None:
        chosen = self.workspaces.itemData(index)
        if not self._filling and chosen is not None:
            self._model.open(chosen)
