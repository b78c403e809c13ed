"""Adding files to the workspace, one after another, and taking them out. No widgets."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.documents.errors import PasswordNeeded
from desktop.messages import NOTHING_CHANGED, Message, explain
from desktop.pages.check.operations import AddDocument, RemoveDocument
from desktop.services import Services
from desktop.tasks import Task, TaskRunner

if TYPE_CHECKING:
    from core.storage.rows import Added, StoredDocument


class DocumentsModel(QObject):
    """Files on their way into the workspace.

    Signals: `added(sha256)` for each file that is in, `progress_changed(done, total, what)`,
    `busy_changed`, `password_wanted(name, again)` for a locked file (answer with `unlock` or
    `skip`), `removed(sha256)` for each document that was taken out, `said(Message)`.
    """

    added = Signal(str)
    removed = Signal(str)
    progress_changed = Signal(int, int, str)
    busy_changed = Signal()
    password_wanted = Signal(str, bool)
    said = Signal(object)

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._services: Services | None = None
        self._workspace_id: int | None = None
        self._waiting: deque[Path] = deque()
        self._current: Path | None = None
        self._task: Task | None = None
        self._tried_password = False

    @property
    def busy(self) -> bool:
        """Whether a file is being added or waits for its password."""
        return self._current is not None

    def set_services(self, services: Services) -> None:
        """Begin work once the store is open."""
        self._services = services
        self._go_on()

    def set_workspace(self, workspace_id: int) -> None:
        """Add to this workspace from now on; what was on its way to another is cancelled."""
        if self._workspace_id is not None and workspace_id != self._workspace_id:
            self.cancel()
        self._workspace_id = workspace_id
        self._go_on()

    def add(self, paths: Sequence[Path]) -> None:
        """Add files, in their order."""
        self._waiting.extend(paths)
        self._go_on()

    def cancel(self) -> None:
        """Add no more; the file on its way is left out."""
        self._waiting.clear()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
        if self._current is not None:
            self._current = None
            self.busy_changed.emit()

    def unlock(self, password: str) -> None:
        """Try the waiting file with a password."""
        if self._current is not None and self._task is None:
            self._tried_password = True
            self._begin(self._current, password)

    def skip(self) -> None:
        """Leave the waiting file out."""
        if self._current is not None and self._task is None:
            name = self._current.name
            self.said.emit(
                Message(
                    f"“{name}” is protected by a password and was not added.",
                    NOTHING_CHANGED,
                    "Add it again when you have the password.",
                )
            )
            self._done()

    def remove(self, document: "StoredDocument") -> None:
        """Take a document out of the workspace; what the history rests on is kept."""
        if self._services is None or self._workspace_id is None:
            return
        workspace_id = self._workspace_id
        task = self._runner.start(RemoveDocument(self._services, workspace_id, document))

        def removed(sha256: str) -> None:
            if self._workspace_id == workspace_id:
                self.removed.emit(sha256)

        task.succeeded.connect(removed)
        task.failed.connect(
            lambda error: self.said.emit(explain(error, f"Removing “{document.name}”"))
        )

    def _go_on(self) -> None:
        ready = self._services is not None and self._workspace_id is not None
        if ready and self._current is None and self._waiting:
            self._current = self._waiting.popleft()
            self._tried_password = False
            self.busy_changed.emit()
            self._begin(self._current, None)

    def _begin(self, path: Path, password: str | None) -> None:
        assert self._services is not None
        assert self._workspace_id is not None
        self.progress_changed.emit(0, 0, f"Adding {path.name}")
        task = self._runner.start(AddDocument(self._services, self._workspace_id, path, password))
        self._task = task
        task.progressed.connect(
            lambda *at: self.progress_changed.emit(*at) if self._task is task else None
        )
        task.succeeded.connect(lambda added: self._added(added) if self._task is task else None)
        task.failed.connect(lambda error: self._failed(error) if self._task is task else None)
        task.cancelled.connect(lambda: self._done() if self._task is task else None)

    def _added(self, added: "Added") -> None:
        if added.already_there:
            name = added.document.name
            self.said.emit(Message(f"This content is in the workspace already, as “{name}”."))
        self.added.emit(added.document.sha256)
        self._done()

    def _failed(self, error: BaseException) -> None:
        assert self._current is not None
        self._task = None
        if isinstance(error, PasswordNeeded):
            self.password_wanted.emit(self._current.name, self._tried_password)
            return
        message = explain(error, f"Adding “{self._current.name}”")
        named = f"“{self._current.name}” was not added. {message.happened}"
        self.said.emit(replace(message, happened=named))
        self._done()

    def _done(self) -> None:
        self._task = self._current = None
        self._go_on()
        if self._current is None:
            self.busy_changed.emit()
