"""Find, read and prepare the sources that a command names, each once."""

import glob
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from core.claims.source import Source
from core.documents.errors import FileMissing, ReadingError
from core.documents.read import read_text
from desktop.commands.errors import MISSING, CommandError
from models.reader import ReaderWorker

KEPT = 8
"""Prepared sources that are kept: batches name the same source many times in a row."""

BESIDE = (".", "documents", "sources", "../documents", "../sources")
"""Where a source named without a folder is looked for, from the batch file's folder."""


class Sources:
    """Reads each source once, in the reader process. Use as a context manager."""

    def __init__(self, folders: tuple[Path, ...] = ()) -> None:
        self._folders = folders
        self._reader: ReaderWorker | None = None
        self._kept: OrderedDict[str, Source | ReadingError] = OrderedDict()

    def __enter__(self) -> Self:
        """Ready to read; the reader process starts with the first file."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the reader process."""
        if self._reader is not None:
            self._reader.close()

    def file(self, name: str) -> Source:
        """The source in the file `name`, prepared.

        Raises `CommandError` when it is not there, `ReadingError` when it cannot be read.
        """
        path = self.find(name)
        return self._keep(f"file:{path}", lambda: self._read(path))

    def text(self, text: str) -> Source:
        """The pasted text, prepared."""
        return self._keep(f"text:{text}", lambda: Source(read_text(text)))

    def find(self, name: str) -> Path:
        """The file that `name` means: as it is, else the one file of that name in the folders."""
        try:
            found = self._files(name)
        except (OSError, RuntimeError, ValueError):
            # What the system refuses as a name: too long, a null byte, nobody's home folder.
            found = set()
        if len(found) > 1:
            raise CommandError(
                f"There are {len(found)} files named “{name}”. Name it with its folder."
            )
        if not found:
            if len(name) <= 1000 and Path(name).is_dir():
                raise CommandError(f"“{name}” is a folder. Name a file in it.")
            shown = name if len(name) <= 100 else f"{name[:100]}…"
            raise CommandError(
                f"There is no file “{shown}”. Check the name and its folder.", MISSING
            )
        return found.pop()

    def _files(self, name: str) -> set[Path]:
        path = Path(name).expanduser()
        if path.is_file():
            return {path.absolute()}
        if path.is_absolute():
            return set()
        for folder in self._folders:
            if (folder / path).is_file():
                return {(folder / path).absolute()}
        if path.name != name:
            return set()
        return {
            candidate.resolve()
            for folder in self._folders
            if folder.is_dir()
            for candidate in folder.rglob(glob.escape(name))
            if candidate.is_file()
        }

    @property
    def reader(self) -> ReaderWorker:
        """The reader process; it starts with the first file."""
        if self._reader is None:
            self._reader = ReaderWorker()
        return self._reader

    def _read(self, path: Path) -> Source:
        return Source(self.reader.read(path))

    def _keep(self, key: str, make: Callable[[], Source]) -> Source:
        if key not in self._kept:
            try:
                self._kept[key] = make()
            except FileMissing as error:
                raise CommandError(str(error), MISSING) from error
            except ReadingError as error:
                self._kept[key] = error
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        kept = self._kept[key]
        if isinstance(kept, ReadingError):
            raise kept
        return kept
