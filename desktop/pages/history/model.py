"""What the History page knows: verdicts of the workspace, the newest first. No widgets."""

from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from core.cancellation import Cancellation
from core.claims.verdict import Verdict
from core.ports import Progress
from desktop import theme
from desktop.messages import explain
from desktop.services import Services
from desktop.tasks import Lane, Task, TaskRunner

if TYPE_CHECKING:
    from core.storage.rows import CheckRecord

PAGE_ROWS = 100
COLUMNS = ("Verdict", "Claim", "Source", "Checked")
VERDICT_ID = Qt.ItemDataRole.UserRole + 1
CHECK_ID = Qt.ItemDataRole.UserRole + 2


class ListVerdicts:
    """One page of the history."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(
        self,
        services: Services,
        workspace_id: int,
        before: int | None,
        search: str,
        verdict: Verdict | None,
    ) -> None:
        self._services = services
        self._workspace_id = workspace_id
        self._before = before
        self._search = search
        self._verdict = verdict

    def run(self, progress: Progress, cancellation: Cancellation) -> "list[CheckRecord]":
        """At most `PAGE_ROWS` records, the newest first."""
        return list(
            self._services.store.checks.page(
                self._workspace_id,
                before=self._before,
                limit=PAGE_ROWS,
                search=self._search or None,
                verdict=self._verdict,
            )
        )


class HistoryModel(QAbstractTableModel):
    """Rows of the history, fetched a page at a time as the table is scrolled.

    Signals: `said(Message)`, `filled` (the first page has come; it may be empty).
    """

    said = Signal(object)
    filled = Signal()

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._services: Services | None = None
        self._workspace_id: int | None = None
        self._rows: list[CheckRecord] = []
        self._more = False
        self._task: Task | None = None
        self.search = ""
        self.verdict: Verdict | None = None

    def set_services(self, services: Services) -> None:
        """Begin work once the store is open."""
        self._services = services
        self.reload()

    def set_workspace(self, workspace_id: int) -> None:
        """Show the history of this workspace."""
        if workspace_id != self._workspace_id:
            self._workspace_id = workspace_id
            # Rows of another workspace must not stand here, not even until the first page comes.
            self.beginResetModel()
            self._rows, self._more = [], False
            self.endResetModel()
            self.filled.emit()
            self.reload()

    def set_filter(self, search: str, verdict: Verdict | None) -> None:
        """Show only claims with these words, or only one verdict."""
        if (search, verdict) != (self.search, self.verdict):
            self.search, self.verdict = search, verdict
            self.reload()

    def reload(self) -> None:
        """Begin again at the newest."""
        if self._task is not None and not self._task.over:
            self._task.cancel()
        self._task = None
        self._fetch(None)

    def record(self, row: int) -> "CheckRecord":
        """The record of a row."""
        return self._rows[row]

    def rowCount(  # noqa: N802
        self, parent: QModelIndex | QPersistentModelIndex | None = None
    ) -> int:
        """Rows fetched so far."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(  # noqa: N802
        self, parent: QModelIndex | QPersistentModelIndex | None = None
    ) -> int:
        """As in `COLUMNS`."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def canFetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> bool:  # noqa: N802
        """Whether there may be older rows."""
        return self._more and self._task is None

    def fetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> None:  # noqa: N802
        """Fetch the next older page."""
        if self._rows and self._task is None:
            self._fetch(self._rows[-1].verdict_id)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Words, icon, tooltip and the ids of a record."""
        record = self._rows[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                record.result.verdict.words,
                " ".join(record.claim.split()),
                record.source_name or "Pasted text",
                record.provenance.finished.astimezone().strftime("%Y-%m-%d %H:%M"),
            )[column]
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            verdict = record.result.verdict
            colour = theme.verdict_colours(theme.current_theme(), verdict)[0]
            return theme.icon(verdict.value, colour, 16)
        if role == Qt.ItemDataRole.ToolTipRole:
            return record.claim if column == 1 else record.result.reason if column == 0 else None
        if role == VERDICT_ID:
            return record.verdict_id
        if role == CHECK_ID:
            return record.check_id
        return None

    def _fetch(self, before: int | None) -> None:
        if self._services is None or self._workspace_id is None:
            return
        task = self._runner.start(
            ListVerdicts(self._services, self._workspace_id, before, self.search, self.verdict)
        )
        self._task = task
        task.succeeded.connect(
            lambda rows: self._fetched(rows, before) if self._task is task else None
        )
        task.failed.connect(lambda error: self._failed(error) if self._task is task else None)

    def _fetched(self, rows: "list[CheckRecord]", before: int | None) -> None:
        # The task is over only once its rows are in: whoever listens may ask for more at once.
        self._more = len(rows) == PAGE_ROWS
        if before is None:
            self.beginResetModel()
            self._rows = rows
            self._task = None
            self.endResetModel()
            self.filled.emit()
        elif rows:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self._rows += rows
            self._task = None
            self.endInsertRows()
        else:
            self._task = None

    def _failed(self, error: BaseException) -> None:
        self._task = None
        self._more = False
        self.said.emit(explain(error, "Reading the history"))
