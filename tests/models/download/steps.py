"""What the tests of downloads do again and again."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from core.cancellation import Cancellation, Cancelled
from models.download import download
from tests.loopback import LONGEST_WAIT, Connection
from tests.models.download.hub_server import Hub, cut_after, deliver_all

CONTENT = random.Random(20261130).randbytes(300_000)
NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


class Noon:
    def now(self) -> datetime:
        return NOON


class Pauses(list[float]):
    """The pauses that were made, none of which takes time."""

    def __call__(self, seconds: float, cancellation: Cancellation | None) -> None:
        self.append(seconds)
        assert len(self) < 100


def load(hub: Hub, folder: Path, pauses: Pauses | None = None, **options: object) -> Path:
    options = {"pause": Pauses() if pauses is None else pauses, "clock": Noon()} | options
    return download(hub.file(), folder, hub.door(), **options)  # type: ignore[arg-type]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def whole(folder: Path) -> bool:
    """Whether the file is there as it should be, and nothing else."""
    return names(folder) == ["model.gguf"] and (folder / "model.gguf").read_bytes() == CONTENT


def begin(hub: Hub, folder: Path, count: int) -> None:
    """Have a download stopped after `count` bytes."""
    with stopping(hub, folder, count) as cancellation, pytest.raises(Cancelled):
        load(hub, folder, cancellation=cancellation)
    hub.deliver = deliver_all
    hub.cdn.requests.clear()
    hub.hub.requests.clear()


@contextmanager
def stopping(hub: Hub, folder: Path, count: int) -> Iterator[Cancellation]:
    """The next delivery stalls after `count` bytes; when they are kept, the person stops."""
    cancellation = Cancellation()
    wanted = size_of_part(folder) + count
    sent = Event()

    def stall(answer: bytes, connection: Connection) -> None:
        cut_after(count)(answer, connection)
        sent.set()
        connection.wait_for_the_client_to_leave()

    def stop() -> None:
        assert sent.wait(LONGEST_WAIT)
        wait_for_part(folder, wanted)
        cancellation.cancel()

    hub.deliver = stall
    thread = Thread(target=stop)
    thread.start()
    yield cancellation
    thread.join()


def size_of_part(folder: Path) -> int:
    part = folder / "model.gguf.part"
    return part.stat().st_size if part.exists() else 0


def wait_for_part(folder: Path, size: int) -> None:
    until = time.monotonic() + LONGEST_WAIT
    while size_of_part(folder) < size and time.monotonic() < until:
        time.sleep(0.002)
    assert size_of_part(folder) == size
