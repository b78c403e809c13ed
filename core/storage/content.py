"""Copies of documents, kept under the SHA-256 of their bytes.

A copy is written to a folder of this process, hashed while it is written, flushed to the disk and
then renamed to `<first two digits>/<sha256><suffix>`: a copy under its final name is always whole.
"""

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path
from shutil import disk_usage, rmtree
from threading import Lock
from typing import BinaryIO

from core.cancellation import Cancellation
from core.documents.errors import FileMissing
from core.ports import Progress
from core.storage.errors import (
    CopyChanged,
    CopyMissing,
    SourceChanged,
    StoreFull,
    StoreUnwritable,
)
from core.storage.locks import try_lock
from core.storage.rows import StoredDocument

BLOCK_BYTES = 1 << 20

SPARE_BYTES = 64 << 20
"""Room that must be left on the disk after a copy, for the database itself."""

_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")
_COPY_NAME = re.compile(r"([0-9a-f]{64})(\.[a-z0-9]{1,8})?")


@dataclass(frozen=True, slots=True)
class Staged:
    """A whole copy that is not yet under its final name. `size` is in bytes."""

    file: Path
    sha256: str
    size: int
    name: str
    suffix: str


class ContentFolder:
    """The folder with the copies; safe to use from several threads and processes."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`, which is made when it is not there."""
        self.folder = folder
        self._incoming = folder / "incoming"
        with _writing(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._session: tuple[Path, BinaryIO] | None = None
        self._session_made = Lock()

    def path(self, document_sha256: str, suffix: str) -> Path:
        """Where the copy with this hash stands, or would stand."""
        return self.folder / document_sha256[:2] / (document_sha256 + suffix)

    @contextmanager
    def staged(
        self,
        source: Path,
        *,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Iterator[Staged]:
        """A copy of `source` for the time of the block; what `keep` did not take is removed.

        `progress` counts bytes. Raises `FileMissing`, `SourceChanged`, `StoreFull`,
        `StoreUnwritable` and `core.cancellation.Cancelled`.
        """
        suffix = source.suffix.lower()
        if not _SUFFIX.fullmatch(suffix):
            suffix = ""
        target = self._session_folder() / (secrets.token_hex(16) + suffix)
        try:
            with _opened(source) as reading:
                before = os.fstat(reading.fileno())
                self._require_room(before.st_size)
                with _writing(self.folder):
                    digest, size = _copy(reading, target, before.st_size, progress, cancellation)
                after = os.fstat(reading.fileno())
            if size != before.st_size or after.st_mtime_ns != before.st_mtime_ns:
                raise SourceChanged(
                    f"“{source.name}” was being changed while it was copied. Nothing was kept. "
                    "Finish writing the file and add it again."
                )
            # A name of undecodable bytes cannot be kept as text; the file itself can.
            name = source.name.encode("utf-8", "replace").decode()
            yield Staged(target, digest, size, name, suffix)
        finally:
            with suppress(OSError):
                _remove(target)

    def keep(self, staged: Staged, suffix: str) -> Path:
        """Give the copy its final name, read-only; an altered copy of that name is replaced.

        Raises `StoreUnwritable`, `StoreFull` and `CopyChanged`.
        """
        final = self.path(staged.sha256, suffix)
        with _writing(self.folder):
            final.parent.mkdir(mode=0o700, exist_ok=True)
            staged.file.chmod(stat.S_IRUSR)
            try:
                staged.file.replace(final)
            except PermissionError:
                # Windows replaces no read-only or open file; one that is whole may stay.
                if not final.exists():
                    raise
                verify(final, staged.sha256, staged.name)
            _flush_folder(final.parent)
        return final

    def remove(self, document_sha256: str, suffix: str) -> None:
        """Delete a copy, if it is there. Raises `StoreUnwritable`."""
        with _writing(self.folder):
            _remove(self.path(document_sha256, suffix))

    def verified(self, document: StoredDocument, cancellation: Cancellation | None = None) -> Path:
        """The copy of `document`, after its bytes were hashed again.

        Raises `CopyMissing`, `CopyChanged` and `core.cancellation.Cancelled`.
        """
        file = self.path(document.sha256, document.suffix)
        verify(file, document.sha256, document.name, cancellation)
        return file

    def copies(self) -> Iterator[tuple[str, str]]:
        """SHA-256 and suffix of every copy under its final name."""
        for folder in self.folder.iterdir():
            if len(folder.name) == 2 and folder.is_dir():
                for file in folder.iterdir():
                    if match := _COPY_NAME.fullmatch(file.name):
                        yield match[1], match[2] or ""

    def clear_abandoned(self) -> bool:
        """Remove what processes that were killed left half-written; whether there was any."""
        if not self._incoming.exists():
            return False
        found = False
        for lock in sorted(self._incoming.glob("*.lock")):
            held = try_lock(lock)
            if held is None:
                continue
            found = True
            with suppress(OSError):
                rmtree(lock.with_suffix(""), ignore_errors=True)
                if os.name == "nt":
                    held.close()
                lock.unlink(missing_ok=True)
            held.close()
        return found

    def begin(self) -> None:
        """Announce that this process is about to change copies, so that a kill is noticed."""
        self._session_folder()

    def close(self) -> None:
        """Remove this process's folder for unfinished copies."""
        if self._session is not None:
            folder, held = self._session
            self._session = None
            rmtree(folder, ignore_errors=True)
            if os.name == "nt":
                held.close()
            with suppress(OSError):
                folder.with_suffix(".lock").unlink(missing_ok=True)
            held.close()

    def _session_folder(self) -> Path:
        with self._session_made, _writing(self.folder):
            self._incoming.mkdir(mode=0o700, exist_ok=True)
            while self._session is None:
                folder = self._incoming / secrets.token_hex(8)
                lock = folder.with_suffix(".lock")
                held = try_lock(lock, make=True)
                if held is None:
                    continue
                if not lock.exists():
                    # Another process cleared it away between its making and our lock.
                    held.close()
                    continue
                folder.mkdir(mode=0o700)
                self._session = folder, held
            return self._session[0]

    def _require_room(self, size: int) -> None:
        with _writing(self.folder):
            free = disk_usage(self.folder).free
        if free < size + SPARE_BYTES:
            raise _full(self.folder)


def verify(file: Path, expected: str, name: str, cancellation: Cancellation | None = None) -> None:
    """Raise `CopyMissing` or `CopyChanged` unless the bytes of `file` have the hash `expected`."""
    digest = sha256()
    try:
        with file.open("rb") as opened:
            while block := opened.read(BLOCK_BYTES):
                if cancellation is not None:
                    cancellation.check()
                digest.update(block)
    except OSError as error:
        raise CopyMissing(
            f"The kept copy of “{name}” is missing or cannot be opened. Its history is kept. Add "
            "the same file again to put the copy back."
        ) from error
    if digest.hexdigest() != expected:
        raise CopyChanged(
            f"The kept copy of “{name}” is no longer the file that was added: something has "
            "changed it. It was not used, and its history is kept. Add the original file again to "
            "put the copy right."
        )


@contextmanager
def _opened(source: Path) -> Iterator[BinaryIO]:
    try:
        # Opening a pipe would wait for ever, so its kind is asked first.
        if not stat.S_ISREG(source.stat().st_mode):
            raise FileMissing(f"“{source.name}” is not a file. Choose a single document.")
        opened = source.open("rb")
    except (OSError, ValueError) as error:
        raise FileMissing(
            f"“{source.name}” is not there or may not be opened. Nothing was added. Check that "
            "the file still exists and that you may read it."
        ) from error
    with opened:
        yield opened


def _copy(
    reading: BinaryIO,
    target: Path,
    total: int,
    progress: Progress | None,
    cancellation: Cancellation | None,
) -> tuple[str, int]:
    digest = sha256()
    size = 0
    descriptor = os.open(
        target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600
    )
    with os.fdopen(descriptor, "wb") as writing:
        # A file that is being written to may grow as fast as it is copied.
        while size <= total:
            if cancellation is not None:
                cancellation.check()
            block = _read_block(reading, target)
            if not block:
                break
            digest.update(block)
            writing.write(block)
            size += len(block)
            if progress is not None:
                progress(size, total, "Copying")
        writing.flush()
        os.fsync(writing.fileno())
    return digest.hexdigest(), size


def _read_block(reading: BinaryIO, target: Path) -> bytes:
    try:
        return reading.read(BLOCK_BYTES)
    except OSError as error:
        raise FileMissing(
            "The file could not be read to its end. Nothing was added. Check that its disk or "
            "network folder is still connected, and add it again."
        ) from error


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn the system's errors about writing into the store's own."""
    try:
        yield
    except OSError as error:
        if isinstance(error, PermissionError) or error.errno not in (ENOSPC, EDQUOT, EFBIG):
            raise StoreUnwritable(
                f"The folder {folder} cannot be written. Nothing was added. Check that it is "
                "there and that you may write to it."
            ) from error
        raise _full(folder) from error


def _full(folder: Path) -> StoreFull:
    return StoreFull(
        f"The disk that holds {folder} has no room for the copy. Nothing was added; what was "
        "there is kept. Make room and try again."
    )


def _remove(file: Path) -> None:
    if os.name == "nt" and file.exists():
        file.chmod(stat.S_IWRITE)
    file.unlink(missing_ok=True)


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
