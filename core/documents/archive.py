"""Read members of an untrusted zip under limits, so that a small file cannot fill the memory."""

import zipfile
import zlib
from pathlib import Path
from types import TracebackType

from core.documents.errors import DamagedFile, FileTooLarge, PasswordNeeded
from core.documents.limits import Limits

MAX_MEMBERS = 20_000
MAX_RATIO = 400
"""Unpacked to packed size of one member; XML of real documents stays below a tenth of it."""

_RATIO_FROM = 32 * 1024 * 1024
_CHUNK = 1 << 20
_DAMAGED = (
    "The file is cut short or damaged, so it cannot be opened. Nothing was added. "
    "Get the file again, or open it in Word, save it and add it again."
)
_BOMB = (
    "The file unpacks to far more than its size, as files do that are made to fill the memory. "
    "Nothing was added. Open it in Word, save it as PDF and add that, if you trust it."
)


class Archive:
    """A zip file whose members are read with their real sizes counted.

    Use as a context manager. Opening raises `DamagedFile`, and `FileTooLarge` when the sizes that
    the file declares are over the limits.
    """

    def __init__(self, path: Path, limits: Limits) -> None:
        self._limits = limits
        self._unpacked = 0
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise DamagedFile(_DAMAGED) from error
        members = self._zip.infolist()
        if len(members) > MAX_MEMBERS or self._is_bomb(members):
            self._zip.close()
            raise FileTooLarge(_BOMB)
        self.names = frozenset(member.filename for member in members)

    def __enter__(self) -> "Archive":
        """The archive itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._zip.close()

    def _is_bomb(self, members: list[zipfile.ZipInfo]) -> bool:
        if sum(member.file_size for member in members) > self._limits.max_unpacked_bytes:
            return True
        return any(
            member.file_size > _RATIO_FROM
            and member.file_size > MAX_RATIO * max(1, member.compress_size)
            for member in members
        )

    def read(self, name: str) -> bytes:
        """The bytes of the member `name`.

        Raises `DamagedFile`, `PasswordNeeded` for an encrypted member, and `FileTooLarge` when
        the members read so far unpack to more than the limit, whatever the file declares.
        """
        parts: list[bytes] = []
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & 1:
                raise PasswordNeeded(
                    "The file is protected with a password. Open it in the program that made it, "
                    "remove the password, save a copy and add that."
                )
            size = 0
            with self._zip.open(info) as stream:
                while piece := stream.read(_CHUNK):
                    size += len(piece)
                    self._unpacked += len(piece)
                    over = self._unpacked > self._limits.max_unpacked_bytes
                    if over or (size > _RATIO_FROM and size > MAX_RATIO * info.compress_size):
                        raise FileTooLarge(_BOMB)
                    parts.append(piece)
        except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise DamagedFile(_DAMAGED) from error
        except NotImplementedError as error:
            raise DamagedFile(_DAMAGED) from error
        return b"".join(parts)
