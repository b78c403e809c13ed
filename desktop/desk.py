"""All that the window knows, joined: the view models, the task runner and the services."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject, Signal

from core.cancellation import Cancellation
from core.ports import Progress
from desktop.messages import Message, explain
from desktop.pages.check.documents_model import DocumentsModel
from desktop.pages.check.evidence_model import EvidenceModel
from desktop.pages.check.model import CheckModel
from desktop.pages.check.reopening import OpenedCheck, OpenVerdict
from desktop.pages.check.sample import FindKept, FindSample, Kept, ReadyClaim, Sample
from desktop.pages.check.source_choice import DOCUMENT
from desktop.pages.history.model import HistoryModel
from desktop.pages.history.notes_model import NotesModel
from desktop.services import Services
from desktop.tasks import Lane, Task, TaskRunner
from desktop.workspace_model import SAMPLE_NAME, WorkspaceModel

if TYPE_CHECKING:
    from core.storage.rows import StoredDocument


class OpenServices:
    """Opens the store and prepares the reader."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def run(self, progress: Progress, cancellation: Cancellation) -> Services:
        """The services; raises the store's errors."""
        return Services.open(self._folder)


class Desk(QObject):
    """The models of the window and what runs between them.

    Signals: `opened` (the store is open), `failed(Message)` (it cannot be opened),
    `check_shown` (the Check page has something to show), `said(Message)`, `ready_claims_changed`.
    """

    opened = Signal()
    failed = Signal(object)
    check_shown = Signal()
    said = Signal(object)
    ready_claims_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runner = TaskRunner(self)
        self.services: Services | None = None
        self.workspaces = WorkspaceModel(self.runner, self)
        self.check = CheckModel(self.runner, self)
        self.evidence = EvidenceModel(self.runner, self)
        self.documents = DocumentsModel(self.runner, self)
        self.history = HistoryModel(self.runner, self)
        self.notes = NotesModel(self.runner, self)
        self.ready_claims: tuple[ReadyClaim, ...] = ()
        self._ready: Sample | None = None
        self._finding = False
        self._sample: Sample | None = None
        self._sample_added = False
        self._opening: Task | None = None
        self._closed = False
        self.workspaces.changed.connect(self._on_workspace)
        self.check.recorded.connect(self.history.reload)
        self.check.choice.replaced.connect(self._go_on_with_sample)
        self.check.choice.documents_changed.connect(self._offer_ready_claims)
        self.documents.added.connect(self._on_added)
        self.documents.removed.connect(self.check.choice.forget)
        self.documents.busy_changed.connect(self._on_adding)

    def start(self, folder: Path | None = None, *, sample: bool = False) -> None:
        """Open the store in `folder`, or in the data folder, and show the first workspace."""
        task = self.runner.start(OpenServices(folder))
        task.succeeded.connect(lambda services: self._on_opened(services, sample))
        task.failed.connect(
            lambda error: self.failed.emit(
                explain(error, "Opening your workspaces", "Nothing in them was changed.")
            )
        )

    def open_sample(self) -> None:
        """Show the sample paper with a ready claim, and check it."""
        if self.refused_while_busy():
            return
        task = self.runner.start(FindSample())
        task.succeeded.connect(self._on_sample)
        task.failed.connect(lambda error: self.said.emit(explain(error, "Opening the sample")))

    def check_ready_claim(self, claim: str) -> None:
        """Check one of the ready claims against the sample paper."""
        paper = self._paper()
        if paper is None or self.documents.busy or self.refused_while_busy():
            return
        self._opening = self._sample = None
        choice = self.check.choice
        # The choice made known first: what another source gave must not stay in sight.
        choice.set_document(paper)
        choice.set_kind(DOCUMENT)
        choice.restore(paper, None)
        self.check.write_claim(claim)
        self.check.check()

    def open_verdict(self, verdict_id: int) -> None:
        """Show a verdict of the history on the Check page."""
        if self.services is None or self.refused_while_busy():
            return
        task = self.runner.start(OpenVerdict(self.services, verdict_id))
        self._opening = task

        def show(opened: OpenedCheck) -> None:
            current = self.workspaces.current
            here = current is not None and current.id == opened.workspace_id
            if self._opening is task and here and not self.check.busy:
                self.check.open(opened)
                self.check_shown.emit()

        task.succeeded.connect(show)
        task.failed.connect(
            lambda error: self.said.emit(explain(error, "Opening the earlier check"))
        )

    def repeat(self, check_id: int) -> None:
        """Run a check of the history again and show what it gives."""
        if not self.refused_while_busy():
            self._opening = None
            self.check.repeat(check_id)
            self.check_shown.emit()

    def unlock_page(self, password: str) -> None:
        """Draw the page shown with a password, which is kept for this session only."""
        source = self.evidence.source
        if self.services is not None and source is not None:
            self.services.passwords[source.key] = password
            self.evidence.draw()

    def close(self) -> None:
        """Stop all work and let go of the reader and the store; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self.runner.close()
        if self.services is not None:
            self.services.close()

    def refused_while_busy(self) -> bool:
        """Whether a check is on its way; the person is then told to wait for it."""
        if self.check.busy:
            self.said.emit(
                Message("A check is on its way.", do="Wait for it, or cancel it with Esc.")
            )
        return self.check.busy

    def _on_opened(self, services: Services, sample: bool) -> None:
        self.services = services
        for model in (self.check, self.evidence, self.documents, self.history, self.notes):
            model.set_services(services)
        self.workspaces.set_services(services)
        self.opened.emit()
        if sample:
            self.open_sample()

    def _on_workspace(self) -> None:
        current = self.workspaces.current
        if current is None:
            return
        # A verdict that is being opened belongs to the workspace that was left.
        self._opening = None
        for model in (self.check, self.documents, self.history):
            model.set_workspace(current.id)

    def _on_sample(self, sample: Sample | None) -> None:
        if sample is None:
            self.said.emit(
                Message(
                    "This installation has no sample.",
                    do="Add a document of your own, or install Countersign again.",
                )
            )
            return

        self._ready = sample

        def opened() -> None:
            current = self.workspaces.current
            if self.services is None or current is None:
                return
            task = self.runner.start(FindKept(self.services, current.id, sample))
            task.succeeded.connect(lambda kept: self._on_kept(current.id, sample, kept))
            task.failed.connect(lambda error: self.said.emit(explain(error, "Opening the sample")))

        self.workspaces.create(SAMPLE_NAME, opened)

    def _on_kept(self, workspace_id: int, sample: Sample, kept: Kept) -> None:
        """Show what the workspace has of the sample, and do only what is still to do."""
        current = self.workspaces.current
        if current is None or current.id != workspace_id or self.check.busy:
            return
        if kept.verdict_id is not None:
            self.open_verdict(kept.verdict_id)
            return
        self._sample = sample
        self._sample_added = kept.paper
        if kept.paper:
            self.check.choice.refresh(sample.sha256)
        else:
            self.documents.add([sample.file])

    def _paper(self) -> "StoredDocument | None":
        """The sample paper, where the workspace of the sample is open and has it."""
        current, ready = self.workspaces.current, self._ready
        if current is None or current.name != SAMPLE_NAME or ready is None:
            return None
        rows = self.check.choice.documents
        return next((row for row in rows if row.sha256 == ready.sha256), None)

    def _offer_ready_claims(self) -> None:
        current = self.workspaces.current
        here = current is not None and current.name == SAMPLE_NAME
        if here and self._ready is None and not self._finding:
            self._finding = True
            self.runner.start(FindSample()).succeeded.connect(self._on_ready)
        paper = self._paper()
        claims = self._ready.claims if self._ready is not None and paper is not None else ()
        if claims != self.ready_claims:
            self.ready_claims = claims
            self.ready_claims_changed.emit()

    def _on_ready(self, sample: Sample | None) -> None:
        self._ready = sample
        self._offer_ready_claims()

    def _on_added(self, sha256: str) -> None:
        if self._sample is not None and sha256 == self._sample.sha256:
            self._sample_added = True
            self.check.dismiss_message()
        self.check.choice.refresh(sha256)

    def _on_adding(self) -> None:
        """The sample's claim does not wait for a file that was not added."""
        if not self.documents.busy and not self._sample_added:
            self._sample = None

    def _go_on_with_sample(self) -> None:
        """Check the ready claim once the sample itself is chosen, and never another file."""
        document, sample = self.check.choice.document, self._sample
        if sample is None or document is None or document.sha256 != sample.sha256:
            return
        self._sample = None
        self.check.write_claim(sample.claims[0].claim)
        self.check.check()
        self.check_shown.emit()
