"""The person's notes on a verdict; they are added to it and never change it. No widgets."""

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject, Signal

from core.cancellation import Cancellation
from core.ports import Progress
from desktop.messages import explain
from desktop.services import Services
from desktop.tasks import Lane, Task, TaskRunner

if TYPE_CHECKING:
    from core.storage.rows import Triage


class ListNotes:
    """The notes on a verdict, after adding one to it where there is one to add."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, verdict_id: int, note: str = "") -> None:
        self._services = services
        self._verdict_id = verdict_id
        self._note = note

    def run(self, progress: Progress, cancellation: Cancellation) -> "list[Triage]":
        """The notes, the oldest first; raises the store's errors."""
        checks = self._services.store.checks
        if self._note:
            checks.add_triage(self._verdict_id, self._note)
        return list(checks.triage(self._verdict_id))


class NotesModel(QObject):
    """Notes on one verdict at a time.

    Signals: `changed` (verdict or notes), `added` (a note was kept), `said(Message)`.
    """

    changed = Signal()
    added = Signal()
    said = Signal(object)

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._services: Services | None = None
        self._task: Task | None = None
        self.verdict_id: int | None = None
        self.notes: list[Triage] = []

    def set_services(self, services: Services) -> None:
        """Begin work once the store is open."""
        self._services = services
        self._list()

    def show(self, verdict_id: int | None) -> None:
        """Show the notes on this verdict; None shows none."""
        if verdict_id == self.verdict_id:
            return
        self.verdict_id, self.notes = verdict_id, []
        self.changed.emit()
        self._list()

    def add(self, note: str) -> None:
        """Add a note to the verdict that is shown."""
        if self._services is None or self.verdict_id is None or not note.strip():
            return
        # Not cancelled when another verdict is shown meanwhile: the note was given.
        wanted = self.verdict_id
        task = self._runner.start(ListNotes(self._services, wanted, note.strip()))

        def listed(rows: "list[Triage]") -> None:
            self.added.emit()
            self._listed(wanted, rows)

        task.succeeded.connect(listed)
        task.failed.connect(lambda error: self.said.emit(explain(error, "Adding the note")))

    def _list(self) -> None:
        if self._task is not None and not self._task.over:
            self._task.cancel()
        self._task = None
        if self._services is None or self.verdict_id is None:
            return
        wanted = self.verdict_id
        self._task = self._runner.start(ListNotes(self._services, wanted))
        self._task.succeeded.connect(lambda rows: self._listed(wanted, rows))
        self._task.failed.connect(lambda error: self.said.emit(explain(error, "Reading the notes")))

    def _listed(self, verdict_id: int, rows: "list[Triage]") -> None:
        if verdict_id == self.verdict_id:
            self.notes = rows
            self.changed.emit()
