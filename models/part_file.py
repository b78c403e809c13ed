"""A file while it is loaded: `name.part`, with `name.part.json` that says what it is a part of.

Nothing has the file's own name until it is whole. What an ended process left is found again.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from core.storage.locks import try_lock
from models.download_errors import BeingLoaded

_PIECE = 1024 * 1024


class PartFile:
    """The part of one pinned file, locked for this process; `held` makes it.

    Attributes: `position`, bytes that are there; `target`, where the whole file will lie.
    """

    def __init__(self, target: Path, opened: BinaryIO, size: int, sha256: str) -> None:
        """Use `held`."""
        self.target = target
        self._opened = opened
        self._handle = opened.fileno()
        self._size = size
        self._sha256 = sha256
        self._part, self._note = _names(target)
        self.position = os.fstat(self._handle).st_size
        if self.position > size or not self._is_of_the_pinned():
            self.start_again()

    def start_again(self) -> None:
        """Forget the bytes that are there."""
        os.ftruncate(self._handle, 0)
        self.position = 0

    def must_be_of(self, etag: str, commit: str) -> None:
        """Start again where the bytes came from a file that had another ETag or commit."""
        note = json.dumps(
            {"sha256": self._sha256, "size": self._size, "etag": etag, "commit": commit}
        )
        if self._read_note() != note:
            self.start_again()
            written = self._note.with_suffix(".new")
            written.write_text(note, encoding="utf-8")
            written.replace(self._note)

    def write(self, data: bytes) -> None:
        """Append. What was written counts even when not all of `data` could be."""
        os.lseek(self._handle, self.position, os.SEEK_SET)
        left = memoryview(data)
        while left:
            written = os.write(self._handle, left)
            self.position += written
            left = left[written:]

    def is_pinned(self, each: Callable[[int], None]) -> bool:
        """Whether what lies on the disk has the pinned SHA-256; `each` as in `sha256_of`."""
        return sha256_of(self._handle, each) == self._sha256

    def publish(self) -> None:
        """Give the file its own name, in place of another of that name."""
        os.fsync(self._handle)
        if sys.platform == "win32":
            # An open file cannot be renamed there.
            self._opened.close()
        self._part.replace(self.target)
        self._note.unlink(missing_ok=True)
        if os.name == "posix":
            folder = os.open(self.target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def remove(self) -> None:
        """Drop what is there. On Windows an empty file stays, which the next use takes over."""
        self.start_again()
        self._note.unlink(missing_ok=True)
        with suppress(PermissionError):
            self._part.unlink(missing_ok=True)

    def _is_of_the_pinned(self) -> bool:
        try:
            note = json.loads(self._read_note())
            return bool(note["sha256"] == self._sha256 and note["size"] == self._size)
        except (ValueError, KeyError, TypeError):
            return False

    def _read_note(self) -> str:
        try:
            return self._note.read_text(encoding="utf-8")
        except (FileNotFoundError, UnicodeDecodeError):
            return ""


@contextmanager
def held(target: Path, size: int, sha256: str) -> Iterator[PartFile]:
    """The part of `target`, made where there is none, for this process alone while the block runs.

    Raises `BeingLoaded` and OSError.
    """
    part, _ = _names(target)
    while True:
        part.touch(mode=0o600)
        opened = try_lock(part)
        if opened is None:
            raise BeingLoaded(
                f"{target.name} is being loaded into {target.parent} by another window or "
                "command. Wait for it, or stop it there."
            )
        with opened:
            # Whoever held it before may have given it its own name.
            try:
                same = os.path.samestat(os.fstat(opened.fileno()), part.stat())
            except FileNotFoundError:
                same = False
            if same:
                yield PartFile(target, opened, size, sha256)
                return


def sha256_of(handle: int, each: Callable[[int], None]) -> str:
    """SHA-256 of an open file, in hexadecimal; `each` is called with the bytes read so far."""
    digest = hashlib.sha256()
    os.lseek(handle, 0, os.SEEK_SET)
    done = 0
    while piece := os.read(handle, _PIECE):
        digest.update(piece)
        done += len(piece)
        each(done)
    return digest.hexdigest()


def _names(target: Path) -> tuple[Path, Path]:
    return target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.part.json")
