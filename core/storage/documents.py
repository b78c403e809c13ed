"""Documents: what is in which workspace, the copies, and what was read from them."""

import json
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.cancellation import Cancellation
from core.documents.model import Decoder, Document, Format, encode
from core.documents.version import reader_version
from core.ports import Clock, Progress
from core.storage.content import ContentFolder, Staged
from core.storage.database import Database
from core.storage.errors import NotFound
from core.storage.rows import Added, StoredDocument
from core.storage.times import from_text, to_text

COLUMNS = "d.id, d.sha256, d.size, d.suffix, d.format"


class DocumentRepository:
    """The documents of a store. Every method may be called from any thread."""

    def __init__(self, database: Database, content: ContentFolder, clock: Clock) -> None:
        """Use an open database and the folder of copies."""
        self._database = database
        self._content = content
        self._clock = clock

    def add(
        self,
        workspace_id: int,
        path: Path,
        *,
        read: Callable[[Path], Document] | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Added:
        """Copy the file into the store and put it into the workspace.

        `read` is given the copy and returns what is in it, which is kept; when it raises, nothing
        is left behind. It is not called for content that was read before. Content that the store
        held already is not kept twice, under whatever name it comes. `progress` counts bytes
        copied.

        Raises `core.documents.errors.FileMissing`, `StoreError`, `core.cancellation.Cancelled`
        and what `read` raises.
        """
        self._require_workspace(workspace_id)
        with self._content.staged(path, progress=progress, cancellation=cancellation) as staged:
            document = self.parsed(staged.sha256) if read is not None else None
            pieces: list[bytes] = []
            if read is not None and document is None:
                document = read(staged.file)
                pieces = _pieces(document)
            if cancellation is not None:
                cancellation.check()
            now = to_text(self._clock.now())
            kept: list[str] = []

            def work(db: Any) -> bool:
                suffix = _keep_row(db, staged, document, now)
                if pieces:
                    _keep_pieces(db, staged.sha256, pieces)
                already = _link(db, workspace_id, staged, now)
                # Last, under the write lock: a row never stands without its copy.
                kept.append(suffix)
                self._content.keep(staged, suffix)
                return already

            try:
                already_there = self._database.write(work)
            except BaseException:
                for suffix in kept:
                    self._remove_unused(staged.sha256, suffix)
                raise
        return Added(self._by_sha256(workspace_id, staged.sha256), already_there)

    def all(self, workspace_id: int) -> list[StoredDocument]:
        """The documents of a workspace, by the time they were added. Raises `NotFound`."""
        self._require_workspace(workspace_id)
        rows = self._database.rows(
            f"SELECT {COLUMNS}, w.name, w.added FROM workspace_documents w "
            "JOIN documents d ON d.id = w.document_id WHERE w.workspace_id = ? "
            "ORDER BY w.added, d.id",
            (workspace_id,),
        )
        return [stored_document(row) for row in rows]

    def get(self, document_id: int) -> StoredDocument:
        """The document with this id, named as it was first added. Raises `NotFound`."""
        row = self._database.row(
            f"SELECT {COLUMNS}, d.name, d.added FROM documents d WHERE d.id = ?", (document_id,)
        )
        if row is None:
            raise _not_found()
        return stored_document(row)

    def contains(self, workspace_id: int, document: StoredDocument) -> bool:
        """Whether the workspace holds the document now."""
        return (
            self._database.row(
                "SELECT 1 FROM workspace_documents w JOIN documents d ON d.id = w.document_id "
                "WHERE w.workspace_id = ? AND d.sha256 = ?",
                (workspace_id, document.sha256),
            )
            is not None
        )

    def file(self, document: StoredDocument) -> Path:
        """Where the copy stands; its bytes are not looked at."""
        return self._content.path(document.sha256, document.suffix)

    def verified(
        self, document: StoredDocument, *, cancellation: Cancellation | None = None
    ) -> Path:
        """Where the copy stands, after its bytes were hashed again.

        Raises `CopyMissing`, `CopyChanged` and `core.cancellation.Cancelled`.
        """
        return self._content.verified(document, cancellation)

    def remove(self, workspace_id: int, document_id: int) -> None:
        """Take a document out of a workspace. Raises `NotFound`.

        The copy stays as long as a check in the history or another workspace rests on it; one
        that nothing rests on any more is deleted.
        """
        self._content.begin()

        def work(db: Any) -> tuple[str, str] | None:
            cursor = db.execute(
                "DELETE FROM workspace_documents WHERE workspace_id = ? AND document_id = ?",
                (workspace_id, document_id),
            )
            if cursor.rowcount != 1:
                raise _not_found()
            row = db.execute(
                "SELECT sha256, suffix FROM documents d WHERE id = ? "
                "AND NOT EXISTS (SELECT 1 FROM workspace_documents WHERE document_id = d.id) "
                "AND NOT EXISTS (SELECT 1 FROM checks WHERE document_sha256 = d.sha256)",
                (document_id,),
            ).fetchone()
            if row is None:
                return None
            db.execute("DELETE FROM parsed_documents WHERE sha256 = ?", (row[0],))
            db.execute("DELETE FROM documents WHERE id = ?", (document_id,))
            return row[0], row[1]

        unused = self._database.write(work)
        if unused is not None:
            self._remove_unused(*unused)

    def parsed(self, sha256: str) -> Document | None:
        """What the present readers read from the content with this hash, if it was kept."""
        rows = self._database.rows(
            "SELECT pieces, data FROM parsed_documents WHERE sha256 = ? AND reader_version = ? "
            "ORDER BY piece",
            (sha256, reader_version()),
        )
        if not rows or len(rows) != rows[0]["pieces"]:
            return None
        decoder = Decoder()
        try:
            for row in rows:
                decoder.add(json.loads(zlib.decompress(row["data"])))
            return decoder.document()
        except (zlib.error, ValueError, KeyError, TypeError):
            # Derived data that is damaged is read again from the document.
            return None

    def keep_parsed(self, sha256: str, document: Document) -> None:
        """Keep what was read, in place of what older readers read. Raises `NotFound`."""
        pieces = _pieces(document)

        def work(db: Any) -> None:
            cursor = db.execute(
                "UPDATE documents SET format = ? WHERE sha256 = ?",
                (document.format.value, sha256),
            )
            if cursor.rowcount != 1:
                raise _not_found()
            _keep_pieces(db, sha256, pieces)

        self._database.write(work)

    def clear_abandoned(self) -> None:
        """Remove what killed processes left: unfinished copies, and copies without a row."""
        if self._content.clear_abandoned():
            for sha256, suffix in list(self._content.copies()):
                self._remove_unused(sha256, suffix)

    def _remove_unused(self, sha256: str, suffix: str) -> None:
        def work(db: Any) -> None:
            used = db.execute(
                "SELECT 1 FROM documents WHERE sha256 = ? AND suffix = ?", (sha256, suffix)
            ).fetchone()
            if used is None:
                self._content.remove(sha256, suffix)

        self._database.write(work)

    def _by_sha256(self, workspace_id: int, sha256: str) -> StoredDocument:
        row = self._database.row(
            f"SELECT {COLUMNS}, w.name, w.added FROM workspace_documents w "
            "JOIN documents d ON d.id = w.document_id WHERE w.workspace_id = ? AND d.sha256 = ?",
            (workspace_id, sha256),
        )
        if row is None:
            raise _not_found()
        return stored_document(row)

    def _require_workspace(self, workspace_id: int) -> None:
        if self._database.row("SELECT 1 FROM workspaces WHERE id = ?", (workspace_id,)) is None:
            raise NotFound("This workspace does not exist. Open the list of workspaces again.")


def stored_document(row: dict[str, Any]) -> StoredDocument:
    """The row of a query that names `COLUMNS`, `name` and `added`."""
    return StoredDocument(
        id=row["id"],
        sha256=row["sha256"],
        size=row["size"],
        name=row["name"],
        suffix=row["suffix"],
        format=None if row["format"] is None else Format(row["format"]),
        added=from_text(row["added"]),
    )


def _keep_row(db: Any, staged: Staged, document: Document | None, now: str) -> str:
    """Make the document's row unless there is one; returns the suffix of its copy."""
    found = db.execute("SELECT suffix FROM documents WHERE sha256 = ?", (staged.sha256,)).fetchone()
    if found is None:
        db.execute(
            "INSERT INTO documents (sha256, size, name, suffix, added) VALUES (?, ?, ?, ?, ?)",
            (staged.sha256, staged.size, staged.name, staged.suffix, now),
        )
    if document is not None:
        db.execute(
            "UPDATE documents SET format = ? WHERE sha256 = ?",
            (document.format.value, staged.sha256),
        )
    return staged.suffix if found is None else str(found[0])


def _link(db: Any, workspace_id: int, staged: Staged, now: str) -> bool:
    """Put the document into the workspace; whether it was there before."""
    cursor = db.execute(
        "INSERT INTO workspace_documents (workspace_id, document_id, name, added) "
        "SELECT ?, id, ?, ? FROM documents WHERE sha256 = ? "
        "ON CONFLICT (workspace_id, document_id) DO NOTHING",
        (workspace_id, staged.name, now, staged.sha256),
    )
    return bool(cursor.rowcount == 0)


def _pieces(document: Document) -> list[bytes]:
    return [zlib.compress(json.dumps(piece).encode()) for piece in encode(document)]


def _keep_pieces(db: Any, sha256: str, pieces: list[bytes]) -> None:
    db.execute("DELETE FROM parsed_documents WHERE sha256 = ?", (sha256,))
    connection: sqlite3.Connection = db.conn
    connection.executemany(
        "INSERT INTO parsed_documents (sha256, reader_version, piece, pieces, data) "
        "VALUES (?, ?, ?, ?, ?)",
        [
            (sha256, reader_version(), number, len(pieces), data)
            for number, data in enumerate(pieces)
        ],
    )


def _not_found() -> NotFound:
    return NotFound("This document is no longer here. Open the list of documents again.")
