"""One SQLite file: a single writing thread, reading connections for every other thread.

All writes of a process go through one connection on one thread, each as a whole transaction that
takes the write lock at once (BEGIN IMMEDIATE), so that two processes, the window and the command
line, wait for each other instead of failing half-way.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Condition
from typing import TYPE_CHECKING, Any, TypeVar

from core.storage.errors import (
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnsupported,
    StoreUnwritable,
)

if TYPE_CHECKING:
    from sqlite_utils import Database as SqliteUtils

T = TypeVar("T")

WAIT_SECONDS = 30.0
"""How long one process waits for another's transaction before it gives up."""

SMALLEST_SQLITE = (3, 37, 0)
"""STRICT tables came with SQLite 3.37."""

IDLE_READERS = 4
"""Reading connections that are kept open between reads."""


def connect(file: Path, *, shared: bool = False) -> sqlite3.Connection:
    """A connection with the settings that every connection of the store has.

    `shared`: it may pass from thread to thread, one at a time. Transactions are opened by hand.
    Recursive triggers are on, so that the triggers also see what REPLACE would delete.
    """
    connection = sqlite3.connect(
        file, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=not shared
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA recursive_triggers = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextmanager
def immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that holds the write lock from its start; undone whole on any exception."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def translated(file: Path) -> Iterator[None]:
    """Turn SQLite's errors about the file as a whole into the store's own."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        named = named_error(error, file)
        if named is None:
            raise
        raise named from error


def named_error(error: sqlite3.DatabaseError, file: Path) -> StoreError | None:
    """The store's error for `error`; None where the error is about one row and not the file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(
            "Another program is using the database and did not finish in time. Nothing was "
            "changed. Close other windows or commands of this program and try again."
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(
            f"The disk that holds {file.parent} is full. Nothing was changed; what was there is "
            "kept. Make room and try again."
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreDamaged(
            f"The database {file} is damaged or is not one of this program. It was left as it is. "
            f"Move it elsewhere and put a copy from {file.parent / 'backups'} or from your own "
            "backup in its place."
        )
    if code in (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_IOERR,
    ):
        return StoreUnwritable(
            f"The database {file} cannot be opened or written. Nothing was changed. Check that "
            "the folder is there, that you may write to it and that the disk works."
        )
    return None


def require_sqlite() -> None:
    """Raise `StoreUnsupported` where the SQLite library cannot hold the store's tables."""
    if sqlite3.sqlite_version_info < SMALLEST_SQLITE:
        needed = ".".join(map(str, SMALLEST_SQLITE[:2]))
        raise StoreUnsupported(
            f"This Python comes with SQLite {sqlite3.sqlite_version}; the history needs {needed} "
            "or newer. Install a newer Python and start again."
        )


class Database:
    """The open file. `write` and `read` may be called from any thread."""

    def __init__(self, file: Path) -> None:
        """Open `file`, which has been migrated. Raises `StoreError`."""
        self.file = file
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-writer")
        self._readers: list[sqlite3.Connection] = []
        self._reading = 0
        self._closed = False
        self._state = Condition()
        try:
            self._db = self._writer.submit(self._open_writer).result()
        except BaseException:
            self._writer.shutdown()
            raise

    def _open_writer(self) -> "SqliteUtils":
        from sqlite_utils import Database as SqliteUtils

        with translated(self.file):
            # Plugins of sqlite-utils are other people's code; none may see these documents.
            return SqliteUtils(connect(self.file), execute_plugins=False)

    def write(self, work: Callable[["SqliteUtils"], T]) -> T:
        """Run `work` as one transaction on the writing thread and return what it returns.

        An exception from `work` undoes everything and is raised here. `work` must be short: it
        holds the write lock of all processes. Raises `StoreError`.
        """
        with self._state:
            self._require_open()
            future = self._writer.submit(self._transaction, work)
        return future.result()

    def _transaction(self, work: Callable[["SqliteUtils"], T]) -> T:
        with translated(self.file), immediate(self._db.conn):
            return work(self._db)

    def rows(
        self, sql: str, parameters: tuple[Any, ...] | Mapping[str, Any] = ()
    ) -> list[dict[str, Any]]:
        """All rows that a SELECT gives, as dictionaries. Raises `StoreError`."""
        with self.reading() as connection:
            cursor = connection.execute(sql, parameters)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def row(
        self, sql: str, parameters: tuple[Any, ...] | Mapping[str, Any] = ()
    ) -> dict[str, Any] | None:
        """The first row that a SELECT gives, or None. Raises `StoreError`."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that cannot write, for this thread alone while the block runs."""
        with self._state:
            self._require_open()
            self._reading += 1
            connection = self._readers.pop() if self._readers else None
        try:
            with translated(self.file):
                if connection is None:
                    connection = connect(self.file, shared=True)
                    connection.execute("PRAGMA query_only = ON")
                yield connection
        finally:
            with self._state:
                self._reading -= 1
                if connection is not None:
                    if len(self._readers) < IDLE_READERS and not self._closed:
                        self._readers.append(connection)
                    else:
                        connection.close()
                self._state.notify_all()

    def close(self) -> None:
        """Finish what was begun and close every connection; a second call does nothing."""
        with self._state:
            if self._closed:
                return
            self._closed = True
            while self._reading:
                self._state.wait()
            for connection in self._readers:
                connection.close()
            self._readers.clear()
        self._writer.submit(self._db.close).result()
        self._writer.shutdown()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreClosed("The history is closed. Open the program again.")
