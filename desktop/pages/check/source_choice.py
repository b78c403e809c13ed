"""Which source a claim is checked against: a document of the workspace, or pasted text."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.messages import explain
from desktop.pages.check.operations import ListDocuments, text_key
from desktop.services import Services
from desktop.tasks import TaskRunner

if TYPE_CHECKING:
    from core.storage.rows import StoredDocument

PASTED = "pasted"
DOCUMENT = "document"


class SourceChoice(QObject):
    """The documents of the workspace, and the source that is chosen.

    `kind` is `DOCUMENT` or `PASTED`; `busy` tells whether a check is on its way, during which the
    choice moves only by the person's own hand. Signals: `documents_changed`, `changed` (another
    source is chosen), `replaced` (it was set from outside the widgets), `said(Message)`.
    """

    documents_changed = Signal()
    changed = Signal()
    replaced = Signal()
    said = Signal(object)

    def __init__(
        self, runner: TaskRunner, busy: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._busy = busy
        self._services: Services | None = None
        self._workspace_id: int | None = None
        self._pasted_key = ""
        self.kind = DOCUMENT
        self.documents: list[StoredDocument] = []
        self.document: StoredDocument | None = None
        self.pasted = ""

    @property
    def chosen(self) -> "StoredDocument | str | None":
        """The document or the pasted text; None while there is none."""
        if self.kind == PASTED:
            return self.pasted if self._pasted_key else None
        return self.document

    @property
    def key(self) -> str:
        """The key of the chosen source, empty while there is none."""
        if self.kind == PASTED:
            return self._pasted_key
        return self.document.sha256 if self.document is not None else ""

    @property
    def missing(self) -> str:
        """What is still needed, as a sentence; empty when nothing is."""
        if self.key:
            return ""
        if self.kind == PASTED:
            return "Paste the text of the source."
        return "Choose a document, or drop one here."

    def set_services(self, services: Services) -> None:
        """Begin work once the store is open."""
        self._services = services

    def set_workspace(self, workspace_id: int) -> None:
        """Begin anew in another workspace and list its documents."""
        self._workspace_id = workspace_id
        self.documents, self.document = [], None
        self._keep_pasted("")
        self.documents_changed.emit()
        self.replaced.emit()
        self.refresh()

    def set_kind(self, kind: str) -> None:
        """Choose between a document of the workspace and pasted text."""
        if kind != self.kind:
            self.kind = kind
            self.changed.emit()

    def set_document(self, document: "StoredDocument | None") -> None:
        """Choose a document of the workspace."""
        now = self.document.sha256 if self.document is not None else None
        if (document.sha256 if document is not None else None) == now:
            return
        self.document = document
        if self.kind == DOCUMENT:
            self.changed.emit()

    def set_pasted(self, text: str) -> None:
        """The pasted text of a source."""
        if text != self.pasted:
            self._keep_pasted(text)
            if self.kind == PASTED:
                self.changed.emit()

    def restore(self, document: "StoredDocument | None", pasted: str | None) -> None:
        """Choose the source of an earlier check; the caller shows that check with it."""
        if pasted is not None:
            self.kind = PASTED
            self._keep_pasted(pasted)
        elif document is not None:
            self.kind, self.document = DOCUMENT, document
        self.replaced.emit()

    def forget(self, sha256: str) -> None:
        """A document has left the workspace: choose another one in its place."""
        if self.document is not None and self.document.sha256 == sha256:
            self.set_document(None)
        self.refresh()

    def refresh(self, choose: str | None = None) -> None:
        """List the workspace's documents again and choose the one with the hash `choose`."""
        if self._services is None or self._workspace_id is None:
            return
        wanted = self._workspace_id
        task = self._runner.start(ListDocuments(self._services, wanted))
        task.succeeded.connect(lambda rows: self._listed(wanted, rows, choose))
        task.failed.connect(lambda error: self.said.emit(explain(error, "Listing the documents")))

    def _listed(self, workspace_id: int, rows: "list[StoredDocument]", choose: str | None) -> None:
        if workspace_id != self._workspace_id:
            return
        self.documents = rows
        self.documents_changed.emit()
        if self._busy():
            return
        by_hash = {row.sha256: row for row in rows}
        if choose in by_hash:
            if self.kind != DOCUMENT:
                self.kind = DOCUMENT
                self.document = None
            self.set_document(by_hash[choose])
            self.replaced.emit()
        elif self.document is None and rows:
            self.set_document(rows[0])
            self.replaced.emit()

    def _keep_pasted(self, text: str) -> None:
        self.pasted = text
        self._pasted_key = text_key(text) if text and not text.isspace() else ""
