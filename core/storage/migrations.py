"""Bring a database to the present tables, one numbered step at a time.

The number of the last step taken is `PRAGMA user_version`. Each step is one transaction; before
the first one of an older database a copy is put into the folder `backups` beside it.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.ports import Clock
from core.storage import schema, search
from core.storage.database import WAIT_SECONDS, connect, immediate, translated
from core.storage.errors import StoreDamaged, StoreNewer

_HEADER = b"SQLite format 3\0"

RETRY_SECONDS = 0.02
"""Between two attempts at what SQLite refuses without waiting."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A step: its SQL statements, then a function for what SQL alone cannot do."""

    name: str
    statements: tuple[str, ...]
    then: Callable[[sqlite3.Connection], None] | None = None


def _index_claims(connection: sqlite3.Connection) -> None:
    rows = connection.execute(
        "SELECT v.id, c.claim, v.workspace_id, v.verdict FROM verdicts v "
        "JOIN checks c ON c.id = v.check_id ORDER BY v.id"
    )
    for verdict_id, claim, workspace_id, verdict in rows:
        search.add(connection, verdict_id, claim, search.tags(workspace_id, verdict))


MIGRATIONS = (
    Migration("workspaces and documents", schema.LIBRARY),
    Migration("checks, verdicts and triage", schema.HISTORY),
    Migration("search in claims", schema.SEARCH, _index_claims),
    Migration("requests to a network", schema.EGRESS),
    Migration("answers of registries", schema.ANSWERS),
    Migration("lists of frameworks", schema.FRAMEWORKS),
    Migration("reviews of documents", schema.REVIEWS),
)

NEWEST = len(MIGRATIONS)


def migrate(file: Path, clock: Clock, *, upto: int = NEWEST) -> Path | None:
    """Bring `file` to step `upto`; it is made when there is none. Returns the backup, if made.

    Raises `StoreNewer` and `StoreDamaged`, both with the file untouched, and other `StoreError`s;
    a step that fails is undone whole.
    """
    with translated(file):
        existed = file.exists() and file.stat().st_size > 0
        if existed:
            _refuse_foreign_header(file)
        else:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(connect(file)) as connection:
            version = _version(connection)
            _refuse_foreign(connection, version, file)
            _write_ahead(connection)
            backup = None
            started_empty = version == 0
            while version < upto:
                with immediate(connection):
                    # Another process may have taken this step while we waited for the lock.
                    version = _version(connection)
                    _refuse_foreign(connection, version, file)
                    if version >= upto:
                        break
                    if not started_empty and backup is None:
                        backup = _back_up(file, version, clock)
                    _take(connection, version)
                version += 1
            if version == NEWEST:
                _require_guards(connection, file)
            return backup


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, once for all programs.

    Of two programs that switch at once SQLite refuses one without waiting, since each would wait
    for the other; so the waiting is done here.
    """
    until = time.monotonic() + WAIT_SECONDS
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)


def _take(connection: sqlite3.Connection, version: int) -> None:
    step = MIGRATIONS[version]
    for statement in step.statements:
        connection.execute(statement)
    if step.then is not None:
        step.then(connection)
    connection.execute(f"PRAGMA user_version = {version + 1}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _refuse_foreign_header(file: Path) -> None:
    # SQLite itself would write to the side files of a database merely by opening it.
    with file.open("rb") as opened:
        header = opened.read(100)
    if len(header) < 100 or not header.startswith(_HEADER):
        raise _damaged(file)
    version = int.from_bytes(header[60:64], "big", signed=True)
    if int.from_bytes(header[68:72], "big") == schema.APPLICATION_ID and version > NEWEST:
        raise _newer(file)


def _refuse_foreign(connection: sqlite3.Connection, version: int, file: Path) -> None:
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    if mark != schema.APPLICATION_ID:
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables or version or mark:
            raise _damaged(file)
    elif version > NEWEST:
        raise _newer(file)


def _newer(file: Path) -> StoreNewer:
    return StoreNewer(
        f"The history in {file.parent} was written by a newer version of this program. It was "
        "left untouched. Install the newer version, or choose another folder."
    )


def _damaged(file: Path) -> StoreDamaged:
    return StoreDamaged(
        f"The file {file} is damaged or is not a database of this program. It was left as it is. "
        "Move it elsewhere and start again, or put a backup in its place."
    )


def _require_guards(connection: sqlite3.Connection, file: Path) -> None:
    """Raise `StoreDamaged` when a trigger that keeps the history append-only is not there."""
    listing = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        for version in range(NEWEST):
            _take(fresh, version)
        expected = set(fresh.execute(listing))
    if not expected <= set(connection.execute(listing)):
        raise StoreDamaged(
            f"The guards that keep the history unchanged are missing from {file}: another program "
            "has altered it. It was left as it is. Put a backup in its place, or move it "
            "elsewhere to start a new history."
        )


def _back_up(file: Path, version: int, clock: Clock) -> Path:
    """Copy the database as it is committed; the copy appears under its name only when whole."""
    folder = file.parent / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    moment = clock.now().strftime("%Y%m%dT%H%M%S%f")
    target = folder / f"{file.stem}-v{version}-{moment}.db"
    partial = target.with_suffix(".partial")
    try:
        os.close(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        # The transaction's own connection cannot be copied from while it holds the write lock.
        with closing(connect(file)) as source, closing(sqlite3.connect(partial)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            if copy.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                raise _damaged(file)
        with partial.open("r+b") as opened:
            os.fsync(opened.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return target
