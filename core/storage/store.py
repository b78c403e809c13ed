"""The store: everything that is kept, in one folder.

with Store.open(home()) as store:
    workspace = store.workspaces.create("Asset register review")
    store.documents.add(workspace.id, Path("policy.docx"))
"""

from pathlib import Path
from types import TracebackType

from core.clock import SystemClock
from core.ports import Clock
from core.storage.answers import AnswerRepository
from core.storage.checks import CheckRepository
from core.storage.content import ContentFolder
from core.storage.database import Database, require_sqlite
from core.storage.documents import DocumentRepository
from core.storage.egress import EgressRepository
from core.storage.errors import StoreUnwritable
from core.storage.frameworks import FrameworkRepository
from core.storage.migrations import migrate
from core.storage.reviews import ReviewJournal
from core.storage.workspaces import WorkspaceRepository

DATABASE_NAME = "countersign.db"
CONTENT_NAME = "documents"


class Store:
    """An open store. It may be used from any thread, and by several processes at once.

    Attributes: `workspaces`, `documents`, `checks`, `egress`, `answers`, `frameworks`: the
    repositories; `folder`: where it is.
    """

    def __init__(self, folder: Path, database: Database, clock: Clock) -> None:
        """Join the parts; use `open`."""
        self.folder = folder
        self._clock = clock
        self._database = database
        self._content = ContentFolder(folder / CONTENT_NAME)
        self.workspaces = WorkspaceRepository(database, clock)
        self.documents = DocumentRepository(database, self._content, clock)
        self.checks = CheckRepository(database, clock)
        self.egress = EgressRepository(database)
        self.answers = AnswerRepository(database)
        self.frameworks = FrameworkRepository(database, clock)

    @classmethod
    def open(cls, folder: Path, *, clock: Clock | None = None) -> "Store":
        """Open the store in `folder`, which is made, and brought to the present tables.

        Raises `StoreError`: the folder cannot be written, the database is newer than the program,
        damaged, or held by another program for too long. What was there is then left as it was.
        """
        clock = clock or SystemClock()
        require_sqlite()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            migrate(folder / DATABASE_NAME, clock)
        except OSError as error:
            raise StoreUnwritable(
                f"The folder {folder} cannot be made or written. Check that you may write there, "
                "or set COUNTERSIGN_HOME to another folder."
            ) from error
        database = Database(folder / DATABASE_NAME)
        try:
            store = cls(folder, database, clock)
            store.documents.clear_abandoned()
        except BaseException:
            database.close()
            raise
        return store

    def journal(self, key: str, document: str) -> ReviewJournal:
        """The rows of one review; see `core.storage.reviews`. Raises `StoreError`."""
        return ReviewJournal.begin(self._database, self._clock, key, document)

    def close(self) -> None:
        """Finish what was begun and let go of the files; a second call does nothing."""
        self._database.close()
        self._content.close()

    def __enter__(self) -> "Store":
        """The store itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the store."""
        self.close()
