"""Takes a model file from the hub: resumed where it was cut, and kept only if it is the pinned one.

    door = Door(EgressPolicy(online=True, allowed=(hub_allowance(endpoint()),)), store.egress)
    path = download(HubFile(repository, commit, name, size, sha256), models_folder(), door)

Nothing has the file's own name until its size and SHA-256 are the pinned ones.
"""

import errno
import random
import re
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from core.cancellation import Cancellation
from core.clock import SystemClock
from core.egress import Cut, Door, Unreachable, Untrusted
from core.egress_policy import EgressRefused, Purpose
from core.ports import Clock, Progress
from models.download_errors import (
    DiskFull,
    DownloadError,
    HubBusy,
    HubRefused,
    NetworkClosed,
    NoNetwork,
    NotWritten,
    Repacked,
    WrongHash,
    WrongSize,
)
from models.hub import Described, HubFile, described, packed, pause_asked_for, refusal
from models.part_file import PartFile, held, sha256_of

TRIES = 6
"""Failures in a row, without one new byte between them, after which a download gives up."""

LONGEST_PAUSE = 300.0
"""Seconds. A hub that asks for a longer pause is not waited for."""

SPARE_BYTES = 64 * 1024 * 1024
"""Left free on the disk beside the file."""

_REPORT_EVERY = 0.1
_FIRST_PAUSE, _MOST_PAUSE = 1.0, 30.0
_LOOK_EVERY = 0.05
_NO_HEAD = frozenset({405, 501})
_LATER = frozenset({408, 425, 429})

Pause = Callable[[float, Cancellation | None], None]
"""Waits for so many seconds. Raises `core.cancellation.Cancelled` at once when asked to stop."""


def pause(seconds: float, cancellation: Cancellation | None) -> None:
    """Wait; the `Pause` of a running program."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if cancellation is not None:
            cancellation.check()
        time.sleep(min(left, _LOOK_EVERY))


def download(
    file: HubFile,
    folder: Path,
    door: Door,
    *,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
    pause: Pause = pause,
    clock: Clock | None = None,
) -> Path:
    """Put `file` into `folder`, which is made, and return where it lies.

    A file that is there already and is the pinned one is not loaded again; another of that name
    stays until the pinned one takes its place. What was loaded when this stops, for whatever
    reason but a wrong size or hash, is kept, and the next call goes on from there.

    Raises `models.download_errors.DownloadError`, `core.cancellation.Cancelled`, and what the log
    of `door` raises.
    """
    target = folder / file.name
    said = _Said(file, progress, cancellation)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_there(file, target, said):
            return target
        with held(target, file.size, file.sha256) as part:
            # Another process may have finished while this one came to the lock.
            if _is_there(file, target, said):
                part.remove()
                return target
            _Job(file, part, door, said, pause, clock or SystemClock()).run()
            part.publish()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DiskFull(
                f"The disk that holds {folder} cannot take all of {file.name}: {error.strerror}. "
                "What was loaded is kept. Make room, or use another disk, and try again."
            ) from error
        raise NotWritten(
            f"{file.name} could not be written to {folder}: {error.strerror}. What was loaded is "
            "kept. Check that you may write there and that the disk works."
        ) from error
    return target


def discard(file: HubFile, folder: Path) -> None:
    """Remove what a stopped download of `file` left in `folder`.

    Raises `models.download_errors.BeingLoaded` and OSError.
    """
    if folder.is_dir():
        with held(folder / file.name, file.size, file.sha256) as part:
            part.remove()


class _Again(Exception):
    """A try came to nothing; another may not. `after`: the pause that the hub asked for."""

    def __init__(self, error: DownloadError, after: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = after


class _Said:
    """What the person hears and says while a file is loaded."""

    def __init__(
        self, file: HubFile, progress: Progress | None, cancellation: Cancellation | None
    ) -> None:
        self._file = file
        self._progress = progress
        self._reported = 0.0
        self.cancellation = cancellation

    def loading(self, done: int, *, force: bool = False) -> None:
        self._report(done, "Loading", force)

    def verifying(self, done: int) -> None:
        if self.cancellation is not None:
            self.cancellation.check()
        self._report(done, "Verifying", done == self._file.size)

    def _report(self, done: int, what: str, force: bool) -> None:
        now = time.monotonic()
        if self._progress is not None and (force or now - self._reported >= _REPORT_EVERY):
            self._reported = now
            self._progress(done, self._file.size, f"{what} {self._file.name}")


class _Job:
    """Loads what is missing of a part."""

    def __init__(
        self, file: HubFile, part: PartFile, door: Door, said: _Said, pause: Pause, clock: Clock
    ) -> None:
        self._file = file
        self._part = part
        self._door = door
        self._said = said
        self._pause = pause
        self._clock = clock
        self._answered = False

    def run(self) -> None:
        """Return when the part is the whole file, with the pinned hash."""
        resumed = self._part.position > 0
        self._load()
        if self._part.is_pinned(self._said.verifying):
            return
        if resumed:
            # What lay on the disk may have been damaged since: the whole file, once more.
            self._part.start_again()
            self._load()
            if self._part.is_pinned(self._said.verifying):
                return
        self._part.remove()
        raise WrongHash(
            f"{self._file.name} came with other contents than it should have (its SHA-256 is not "
            "the expected one). It was removed. Try again; if that happens again, do not use "
            "this source."
        )

    def _load(self) -> None:
        """Ask until all bytes are there."""
        furthest, failures = self._part.position, 0
        while self._part.position < self._file.size:
            self._require_room()
            self._said.loading(self._part.position, force=True)
            try:
                self._ask()
            except _Again as again:
                if self._part.position > furthest:
                    furthest, failures = self._part.position, 0
                failures += 1
                if failures >= TRIES:
                    raise again.error from again
                self._pause(_delay(again.after, failures), self._said.cancellation)
        self._said.loading(self._part.position, force=True)

    def _ask(self) -> None:
        """One try: what does the hub have, and the bytes that are missing."""
        try:
            has = self._describe()
            has.require(self._file)
            self._part.must_be_of(has.etag, has.commit)
            self._get()
        except EgressRefused as error:
            raise NetworkClosed(f"{error} {self._kept()}") from error
        except Untrusted as error:
            raise NoNetwork(f"{error} {self._kept()}") from error
        except Unreachable as error:
            named = NoNetwork(f"{error} {self._kept()}")
            if not self._answered:
                # Nothing was ever there to wait for.
                raise named from error
            raise _Again(named) from error
        except Cut as error:
            raise _Again(NoNetwork(f"{error} {self._kept()} Try again.")) from error

    def _describe(self) -> Described:
        """What the hub itself says, before it points anywhere else."""
        with self._door.open(
            "HEAD",
            self._file.url,
            Purpose.MODEL_DOWNLOAD,
            relative_only=True,
            cancellation=self._said.cancellation,
        ) as answer:
            self._answered = True
            if answer.status in _NO_HEAD:
                return Described(None, None, "", "")
            if answer.status >= 400:
                raise self._failure(answer.status, answer.headers)
            return described(answer.status, answer.headers)

    def _get(self) -> None:
        """The bytes from where we are. Raises `_Again` unless all came."""
        part, start = self._part, self._part.position
        with self._door.open(
            "GET",
            self._file.url,
            Purpose.MODEL_DOWNLOAD,
            headers={"Range": f"bytes={start}-"} if start else {},
            cancellation=self._said.cancellation,
        ) as answer:
            if start and answer.status == 416:
                part.start_again()
                raise _Again(HubRefused(f"The hub gave no part of {self._file.name}. Try again."))
            if answer.status not in (200, 206):
                raise self._failure(answer.status, answer.headers)
            if packed(answer.headers):
                raise Repacked(
                    f"{self._file.name} came compressed, though the file itself was asked for: "
                    "something between this computer and the hub changes what is loaded. Nothing "
                    f"of it was used. {self._kept()} Use another network or mirror."
                )
            first, total = _range(answer.status, answer.headers)
            if total not in (None, self._file.size):
                raise WrongSize(
                    f"{self._file.name} is offered with {total} bytes; it should have "
                    f"{self._file.size}. Nothing of it was used. {self._kept()} Use another "
                    "network or mirror."
                )
            if first != start:
                part.start_again()
                if first != 0:
                    raise _Again(
                        HubRefused(f"The hub gave the wrong part of {self._file.name}. Try again.")
                    )
            for chunk in answer.chunks():
                if part.position + len(chunk) > self._file.size:
                    part.remove()
                    raise WrongSize(
                        f"{self._file.name} is longer than it should be. It was removed. Try "
                        "again; if that happens again, do not use this source."
                    )
                part.write(chunk)
                self._said.loading(part.position)
        if part.position < self._file.size:
            place = answer.address.place
            raise _Again(
                NoNetwork(f"The connection to {place} ended too early. {self._kept()} Try again.")
            )

    def _failure(self, status: int, headers: Mapping[str, str]) -> Exception:
        """What to raise for a status that is no file."""
        if status not in _LATER and status < 500:
            return refusal(self._file, status, headers, self._kept())
        after = pause_asked_for(headers, self._clock)
        if status == 429:
            said = "The hub asks to wait before anything more is loaded"
        else:
            said = f"The hub has troubles of its own (status {status})"
        if after is not None and after > LONGEST_PAUSE:
            minutes = -(-int(after) // 60)
            return HubBusy(f"{said}. {self._kept()} Try again in {minutes} minutes.")
        return _Again(HubBusy(f"{said}. {self._kept()} Try again later."), after)

    def _require_room(self) -> None:
        folder, missing = self._part.target.parent, self._file.size - self._part.position
        free = shutil.disk_usage(folder).free
        if free < missing + SPARE_BYTES:
            raise DiskFull(
                f"The disk that holds {folder} has {_amount(free)} free; {self._file.name} needs "
                f"{_amount(missing + SPARE_BYTES)}. {self._kept()} Make room and try again."
            )

    def _kept(self) -> str:
        if not self._part.position:
            return "Nothing was loaded."
        loaded, size = _amount(self._part.position), _amount(self._file.size)
        return f"What was loaded ({loaded} of {size}) is kept, and the next try goes on from there."


def _is_there(file: HubFile, target: Path, said: _Said) -> bool:
    """Whether the pinned file lies under its own name."""
    try:
        if target.stat().st_size != file.size:
            return False
        with target.open("rb") as opened:
            return sha256_of(opened.fileno(), said.verifying) == file.sha256
    except FileNotFoundError:
        return False


def _delay(asked: float | None, failures: int) -> float:
    """Seconds: what the hub asked for; else longer each time, and not the same for everyone."""
    if asked is not None:
        return asked
    return min(_MOST_PAUSE, _FIRST_PAUSE * 2.0 ** (failures - 1)) * random.uniform(0.5, 1.0)


def _range(status: int, headers: Mapping[str, str]) -> tuple[int | None, int | None]:
    """(first byte, size of the whole file) of an answer, None where it does not say."""
    if status == 206:
        found = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", headers.get("content-range", "").strip())
        if found is None:
            return None, None
        return int(found[1]), None if found[2] == "*" else int(found[2])
    length = headers.get("content-length", "")
    return 0, int(length) if length.isascii() and length.isdecimal() else None


def _amount(size: int) -> str:
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"
