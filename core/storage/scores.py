"""Scores that an entailment model gave before, in a file that may be deleted at any time.

Nothing but hashes and numbers is kept: no premise and no claim can be read out of it.
"""

import hashlib
import json
import math
import sqlite3
import struct
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from core.ports import EntailmentScores

FILE = "scores.db"

MOST_ROWS = 500_000
"""Scores that are kept, about 60 MB; above, those that were not used for longest go."""

SWEEP_EVERY = 4096
"""Scores added between two looks at how many there are."""

WAIT_SECONDS = 2.0
"""How long another process's transaction is waited for; after that the model is asked instead."""

_LAYOUT = 1
_AT_ONCE = 500

Pair = tuple[str, str]


class ScoreCache:
    """(model, premise, hypothesis) → scores. May be used from any thread and several processes.

    A cache must never cost a check: whatever goes wrong with its file, it answers that it knows
    nothing, and a damaged file is deleted. Each row carries a checksum, since a changed number
    could turn a verdict.
    """

    def __init__(self, file: Path, *, most_rows: int = MOST_ROWS) -> None:
        """Use `file`, which is made at the first use."""
        self._file = file
        self._most_rows = most_rows
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._broken = False
        self._added = 0

    def __enter__(self) -> Self:
        """Ready for use."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def get(self, model: str, pairs: Sequence[Pair]) -> list[EntailmentScores | None]:
        """What `model` gave for each pair, None where that is not known.

        `model` names all that decides a score: the model's hash and how it is run.
        """
        keys = [_key(model, pair) for pair in pairs]
        found: dict[bytes, EntailmentScores] = {}
        with self._lock:
            connection = self._opened()
            if connection is None:
                return [None] * len(keys)
            try:
                wanted = list(dict.fromkeys(keys))
                for at in range(0, len(wanted), _AT_ONCE):
                    part = wanted[at : at + _AT_ONCE]
                    marks = ",".join("?" * len(part))
                    rows = connection.execute(
                        f"SELECT key, value FROM scores WHERE key IN ({marks})", part
                    )
                    for key, value in rows:
                        scores = _unpack(key, value)
                        if scores is not None:
                            found[key] = scores
                self._touch(connection, list(found))
            except sqlite3.Error as error:
                self._failed(error)
        return [found.get(key) for key in keys]

    def put(self, model: str, pairs: Sequence[Pair], scores: Sequence[EntailmentScores]) -> None:
        """Keep what `model` gave for each pair."""
        rows = []
        for pair, given in zip(pairs, scores, strict=True):
            key = _key(model, pair)
            rows.append((key, _pack(key, given)))
        if not rows:
            return
        with self._lock:
            connection = self._opened()
            if connection is None:
                return
            try:
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    now = _next_use(connection)
                    connection.executemany(
                        "INSERT INTO scores (key, value, used) VALUES (?, ?, ?) "
                        "ON CONFLICT (key) DO UPDATE SET value = excluded.value, "
                        "used = excluded.used",
                        [(key, value, now) for key, value in rows],
                    )
                self._added += len(rows)
                if self._added >= min(SWEEP_EVERY, self._most_rows):
                    self._added = 0
                    self._sweep(connection)
            except sqlite3.Error as error:
                self._failed(error)

    def close(self) -> None:
        """Let go of the file. A later use opens it again."""
        with self._lock:
            if self._connection is not None:
                with suppress(sqlite3.Error):
                    self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection | None:
        if self._connection is None and not self._broken:
            try:
                self._connection = _open(self._file)
            except sqlite3.DatabaseError as error:
                self._failed(error)
                if _damaged(error):
                    with suppress(sqlite3.Error, OSError):
                        self._connection = _open(self._file)
            except OSError:
                self._broken = True
        return self._connection

    def _touch(self, connection: sqlite3.Connection, keys: list[bytes]) -> None:
        """Note the use. Another process that is writing is not waited for: it is only a hint."""
        if not keys:
            return
        with suppress(sqlite3.OperationalError), connection:
            connection.execute("BEGIN IMMEDIATE")
            now = _next_use(connection)
            connection.executemany(
                "UPDATE scores SET used = ? WHERE key = ?", [(now, key) for key in keys]
            )

    def _sweep(self, connection: sqlite3.Connection) -> None:
        """Delete what was not used for longest, and a tenth more, so that this is rare."""
        (rows,) = connection.execute("SELECT count(*) FROM scores").fetchone()
        if rows <= self._most_rows:
            return
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "DELETE FROM scores WHERE key IN (SELECT key FROM scores ORDER BY used LIMIT ?)",
                (rows - self._most_rows + self._most_rows // 10,),
            )

    def _failed(self, error: sqlite3.Error) -> None:
        """Start again after damage; stop using the file where it cannot be used at all."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        if _damaged(error):
            for suffix in ("", "-wal", "-shm"):
                with suppress(OSError):
                    self._file.with_name(self._file.name + suffix).unlink()
        elif not _busy(error):
            self._broken = True


def _open(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    connection = sqlite3.connect(
        file, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with closing(connection.execute("PRAGMA user_version")) as cursor:
            (version,) = cursor.fetchone()
        if version != _LAYOUT:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("DROP TABLE IF EXISTS scores")
                connection.execute(
                    "CREATE TABLE scores (key BLOB PRIMARY KEY, value BLOB NOT NULL, "
                    "used INTEGER NOT NULL) STRICT, WITHOUT ROWID"
                )
                connection.execute("CREATE INDEX scores_by_use ON scores (used)")
                connection.execute(f"PRAGMA user_version = {_LAYOUT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _next_use(connection: sqlite3.Connection) -> int:
    (last,) = connection.execute("SELECT coalesce(max(used), 0) FROM scores").fetchone()
    return int(last) + 1


def _damaged(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    # A table of another shape under our layout's number: somebody else's file in our place.
    other = code == sqlite3.SQLITE_ERROR
    return other or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _busy(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _key(model: str, pair: Pair) -> bytes:
    return hashlib.sha256(json.dumps([model, *pair]).encode()).digest()[:20]


def _pack(key: bytes, scores: EntailmentScores) -> bytes:
    contradiction = math.nan if scores.contradiction is None else scores.contradiction
    numbers = struct.pack("<dd", scores.entailment, contradiction)
    return numbers + _checksum(key, numbers)


def _unpack(key: bytes, value: bytes) -> EntailmentScores | None:
    """The scores; None where they are not what was written."""
    numbers, checksum = value[:16], value[16:]
    if len(value) != 24 or checksum != _checksum(key, numbers):
        return None
    entailment, contradiction = struct.unpack("<dd", numbers)
    return EntailmentScores(entailment, None if math.isnan(contradiction) else contradiction)


def _checksum(key: bytes, numbers: bytes) -> bytes:
    return hashlib.blake2b(key + numbers, digest_size=8).digest()
