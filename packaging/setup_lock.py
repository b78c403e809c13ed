"""A lock file, so that two set-ups at once do not work on the same folder.

The system itself keeps the lock and drops it when its holder ends in whatever way, so that a file
that was left behind locks nothing. The process id in it is for the person who reads it.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from setup_console import Console

PAUSE = 0.5
"""Seconds between two tries to take a lock that another process holds."""

FAR = 1 << 20
"""The byte that Windows locks: it lets nobody read a locked one, so it lies behind the text."""


class Lock:
    """The lock in the file `path`; `with lock.turn(…)` waits for it, `take` does not."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self) -> bool:
        """Take the lock and write this process's id into it. False if another holds it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        if not _locked(file):
            os.close(file)
            return False
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        self._file = file
        return True

    def release(self) -> None:
        """Let others take it; nothing happens if it is not held."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = None

    def holder(self) -> str:
        """“process 123” for the one that holds it, or “a process” where that cannot be read."""
        try:
            written = self._path.read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            written = ""
        return f"process {written}" if written.isdecimal() else "a process"

    @contextmanager
    def turn(
        self, console: Console, what: str, stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[bool]:
        """Hold the lock, waiting for the one who has it; False if `stopped` ended the waiting."""
        held = self.take()
        if not held:
            console.say(f"Another start of this set-up ({self.holder()}) {what}: waiting for it …")
        while not held and not stopped():
            time.sleep(PAUSE)
            held = self.take()
        try:
            yield held
        finally:
            self.release()


def _locked(file: int) -> bool:
    """Lock an open file. True also where the file system knows no locks: nothing is lost then."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(file, 0, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
