"""The workspaces and which of them is open. No widgets."""

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject, Signal

from core.cancellation import Cancellation
from core.ports import Progress
from desktop.messages import explain
from desktop.services import Services
from desktop.tasks import Lane, TaskRunner

if TYPE_CHECKING:
    from core.storage.rows import Workspace

FIRST_NAME = "My workspace"
SAMPLE_NAME = "Sample"


class ListWorkspaces:
    """All workspaces; the first start makes one."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, create: str | None = None) -> None:
        self._services = services
        self._create = create

    def run(self, progress: Progress, cancellation: Cancellation) -> "list[Workspace]":
        """The workspaces, after making the one named `create` unless it exists."""
        repository = self._services.store.workspaces
        rows = list(repository.all())
        wanted = self._create or (FIRST_NAME if not rows else None)
        if wanted and not any(row.name.casefold() == wanted.casefold() for row in rows):
            repository.create(wanted)
            rows = list(repository.all())
        return rows


class RenameWorkspace:
    """Gives a workspace another name."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, workspace_id: int, name: str) -> None:
        self._services = services
        self._workspace_id = workspace_id
        self._name = name

    def run(self, progress: Progress, cancellation: Cancellation) -> "list[Workspace]":
        """The workspaces after the change; raises the store's errors."""
        self._services.store.workspaces.rename(self._workspace_id, self._name)
        return list(self._services.store.workspaces.all())


class WorkspaceModel(QObject):
    """The list of workspaces.

    Signals: `changed` (list or current), `said(Message)`.
    """

    changed = Signal()
    said = Signal(object)

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._services: Services | None = None
        self.workspaces: list[Workspace] = []
        self.current: Workspace | None = None

    def set_services(self, services: Services, open_named: str | None = None) -> None:
        """List the workspaces and open one: the named one, made if need be, or the first."""
        self._services = services
        self._list(open_named)

    def open(self, workspace_id: int) -> None:
        """Open a workspace of the list."""
        for workspace in self.workspaces:
            if workspace.id == workspace_id and workspace != self.current:
                self.current = workspace
                self.changed.emit()

    def create(self, name: str) -> None:
        """Make a workspace, or open it if there is one of that name."""
        if name.strip():
            self._list(name.strip())

    def rename(self, name: str) -> None:
        """Rename the open workspace."""
        if self._services is None or self.current is None or not name.strip():
            return
        operation = RenameWorkspace(self._services, self.current.id, name.strip())
        task = self._runner.start(operation)
        task.succeeded.connect(lambda rows: self._listed(rows, None))
        task.failed.connect(self._failed)

    def _list(self, name: str | None) -> None:
        if self._services is None:
            return
        task = self._runner.start(ListWorkspaces(self._services, name))
        task.succeeded.connect(lambda rows: self._listed(rows, name))
        task.failed.connect(self._failed)

    def _listed(self, rows: "list[Workspace]", name: str | None) -> None:
        self.workspaces = rows
        same = self.current.id if self.current is not None else None
        chosen = [row for row in rows if name and row.name.casefold() == name.casefold()]
        chosen = chosen or [row for row in rows if row.id == same] or rows[:1]
        self.current = chosen[0] if chosen else None
        self.changed.emit()

    def _failed(self, error: BaseException) -> None:
        self.said.emit(explain(error, "Changing the workspaces"))
