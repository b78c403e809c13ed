"""A lock on a file that the system lets go when its process ends, however it ends."""

import sys
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from typing import BinaryIO


def try_lock(file: Path, *, make: bool = False) -> BinaryIO | None:
    """The opened and locked file, to be closed by the caller; None when another process has it.

    `make`: the file must not exist yet and is made; where the file system knows no locks it is
    returned without one, and no other process will then be able to lock it either.
    """
    try:
        opened = file.open("xb" if make else "r+b")
    except FileExistsError:
        return None
    except OSError:
        if make:
            raise
        return None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(opened.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if make and error.errno not in (EACCES, EAGAIN, EDEADLK):
            return opened
        opened.close()
        return None
    return opened
