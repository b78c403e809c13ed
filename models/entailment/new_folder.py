"""Writes a folder that is either there whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from models.entailment.errors import AlreadyInstalled, ModelRefused, NotWritten

PARTIAL = ".partial"
"""End of the name of a folder that is being written."""


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder beside `target` that takes its place once everything in it is on the disk.

    On any failure it is removed. What an import that was killed left behind is removed first.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _clear(target)
        partial = target.parent / f".{target.name}.{os.getpid()}.{uuid4().hex[:8]}{PARTIAL}"
        partial.mkdir()
        try:
            yield partial
            for path in partial.rglob("*"):
                if path.is_file():
                    _sync(path)
            if target.exists():
                raise AlreadyInstalled(
                    f"A model of the name {target.name} was added in the meantime, and it was left "
                    f"as it is. Choose another name."
                )
            partial.rename(target)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
    except ModelRefused:
        raise
    except OSError as error:
        raise NotWritten(
            f"The model could not be written: {error.strerror}. Nothing was taken in. Make room on "
            f"the disk, or choose a place that you may write to, and add the model again."
        ) from error


def _clear(target: Path) -> None:
    """Remove what imports of this name left that were killed in mid-work."""
    import psutil  # type: ignore[import-untyped]

    for left in target.parent.glob(f".{target.name}.*{PARTIAL}"):
        maker = left.name.removeprefix(f".{target.name}.").partition(".")[0]
        if maker.isdigit() and not psutil.pid_exists(int(maker)):
            shutil.rmtree(left, ignore_errors=True)


def _sync(path: Path) -> None:
    """Have the system put the file on the disk, so that a power cut cannot leave half of it."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
