"""The workspaces and which of them is open. No widgets."""

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Listed:
    """All workspaces, and the id of the one that was asked for by name."""

    workspaces: "list[Workspace]"
    named: int | None = None


class ListWorkspaces:
    """All workspaces; the first start makes one."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, create: str | None = None) -> None:
        self._services = services
        self._create = create

    def run(self, progress: Progress, cancellation: Cancellation) -> Listed:
        """The workspaces, after making the one named `create` unless there is one of that name."""
        repository = self._services.store.workspaces
        named = None
        if self._create is not None:
            named = repository.find(self._create) or repository.create(self._create)
        elif not repository.all():
            repository.create(FIRST_NAME)
        return Listed(list(repository.all()), named.id if named is not None else None)


class RenameWorkspace:
    """Gives a workspace another name."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, workspace_id: int, name: str) -> None:
        self._services = services
        self._workspace_id = workspace_id
        self._name = name

    def run(self, progress: Progress, cancellation: Cancellation) -> Listed:
        """The workspaces after the change; raises the store's errors."""
        self._services.store.workspaces.rename(self._workspace_id, self._name)
        return Listed(list(self._services.store.workspaces.all()))


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

    def create(self, name: str, opened: Callable[[], None] | None = None) -> None:
        """Make a workspace, or open the one of that name; `opened` is called once it is open."""
        if name.strip():
            self._list(name.strip(), opened)

    def rename(self, name: str) -> None:
        """Rename the open workspace."""
        if self._services is None or self.current is None or not name.strip():
            return
        operation = RenameWorkspace(self._services, self.current.id, name.strip())
        task = self._runner.start(operation)
        task.succeeded.connect(self._listed)
        task.failed.connect(self._failed)

    def _list(self, name: str | None, opened: Callable[[], None] | None = None) -> None:
        if self._services is None:
            return
        task = self._runner.start(ListWorkspaces(self._services, name))
        task.succeeded.connect(lambda listed: self._listed(listed, opened))
        task.failed.connect(self._failed)

    def _listed(self, listed: Listed, opened: Callable[[], None] | None = None) -> None:
        self.workspaces = listed.workspaces
        before = self.current.id if self.current is not None else None
        by_id = {row.id: row for row in listed.workspaces}
        wanted = listed.named if listed.named in by_id else before
        first = listed.workspaces[0] if listed.workspaces else None
        self.current = first if wanted is None else by_id.get(wanted, first)
        self.changed.emit()
        if opened is not None:
            opened()

    def _failed(self, error: BaseException) -> None:
        self.said.emit(explain(error, "Changing the workspaces"))
