"""What the window's operations work with, opened after the window shows and off its thread."""

from pathlib import Path
from typing import TYPE_CHECKING

from desktop.entailment import NONE, ModelInUse

if TYPE_CHECKING:
    from core.storage.store import Store
    from core.workspaces import Workspaces
    from models.reader import ReaderWorker


class Services:
    """The store, the service for workspaces, the reader and the entailment model, joined.

    `passwords` holds the passwords of this session by the hash of their document; they are never
    written down.
    """

    def __init__(
        self,
        store: "Store",
        workspaces: "Workspaces",
        reader: "ReaderWorker",
        model: ModelInUse | None = None,
    ) -> None:
        self.store = store
        self.workspaces = workspaces
        self.reader = reader
        self.model = model
        self.passwords: dict[str, str] = {}

    @classmethod
    def open(cls, folder: Path | None = None, model: ModelInUse | None = None) -> "Services":
        """Open the store in `folder` (the data folder when None) and prepare the workers.

        `model` takes the place of the installed model in use; it is closed with the services.
        Raises the store's own errors when the database cannot be opened.
        """
        from core.clock import SystemClock
        from core.home import home
        from core.storage.store import Store
        from core.workspaces import Workspaces
        from models.reader import ReaderWorker

        clock = SystemClock()
        store = Store.open(folder or home(), clock=clock)
        reader = ReaderWorker()
        model = model or ModelInUse.open(folder)
        workspaces = Workspaces(store, reader, model=model.worker, clock=clock)
        return cls(store, workspaces, reader, model)

    def take_up_model(self) -> None:
        """Ask a model that was installed since, where none was asked so far."""
        if self.model is None or self.model.worker is not None:
            return
        found = ModelInUse.open(self.store.folder)
        if found.worker is not None:
            self.model, self.workspaces.model = found, found.worker

    def close(self) -> None:
        """End the processes and close the store."""
        self.reader.close()
        if self.model is not None:
            self.model.close()
        self.store.close()

    @property
    def model_state(self) -> str:
        """One sentence on what may decide a check here."""
        return NONE if self.model is None else self.model.state
