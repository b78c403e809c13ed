"""A server on this machine that plays every registry and a publisher, and time that a test moves.

What it says is shaped as the registries document it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any
from urllib.parse import unquote

from core.cancellation import Cancellation
from core.egress import Door
from core.egress_log import MemoryLog
from core.egress_policy import Allowance, EgressPolicy, Purpose
from core.scholarly.asking import Access, Asker
from core.scholarly.endpoints import Endpoints
from core.scholarly.pace import Pace, Timer
from core.scholarly.registries import Registries
from core.scholarly.reply import AnswerCache, Reply
from core.scholarly.work import Registry
from tests.loopback import Connection, Handler, Request, Server, response

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


class FakeTime:
    """A timer and a clock that move only by waiting. `waits` are the waits asked for, in order."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.waits: list[float] = []
        self._lock = Lock()

    def now(self) -> float:
        return self.seconds

    def wait(self, seconds: float, cancellation: Cancellation | None) -> None:
        if cancellation is not None:
            cancellation.check()
        with self._lock:
            self.waits.append(seconds)
            self.seconds += seconds


class ClockOf:
    """The clock of a `FakeTime`."""

    def __init__(self, time: FakeTime) -> None:
        self._time = time

    def now(self) -> datetime:
        return START + timedelta(seconds=self._time.seconds)


class MemoryCache:
    """An `AnswerCache` that ends with the test."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Reply] = {}

    def get(self, place: str, key: str) -> Reply | None:
        return self.kept.get((place, key))

    def put(self, place: str, key: str, reply: Reply) -> None:
        self.kept[place, key] = reply


class Secrets:
    """A `SecretStore` of a test."""

    def __init__(self, **keys: str) -> None:
        self.keys = {f"registry/{name}": key for name, key in keys.items()}

    def get(self, name: str) -> str | None:
        return self.keys.get(name)

    def set(self, name: str, secret: str) -> None:
        self.keys[name] = secret

    def delete(self, name: str) -> None:
        self.keys.pop(name, None)


Said = bytes | str | dict[str, Any] | list[Any] | Handler


class Played:
    """The server. `on` tells what it says; what it was not told about is a 404."""

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self._said: list[tuple[str, Handler]] = []
        self._lock = Lock()

    @property
    def endpoints(self) -> Endpoints:
        homes = {registry: self.server.url(f"/{registry.value}") for registry in Registry}
        return Endpoints(homes, self.server.url("/texts"))

    def on(
        self,
        path: str,
        said: Said = b"",
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Answer what holds `path` in its target, percent signs read; the latest word counts."""
        handler = said if callable(said) else _saying(said, status, headers or {})
        with self._lock:
            self._said.insert(0, (path, handler))

    @property
    def targets(self) -> list[str]:
        """What was asked, in order, percent signs read."""
        return [unquote(request.target) for request in self.server.requests]

    def asked(self, registry: Registry) -> list[str]:
        """What was asked of one registry."""
        prefix = f"/{registry.value}/"
        return [t.removeprefix(prefix) for t in self.targets if t.startswith(prefix)]

    def _handle(self, request: Request, connection: Connection) -> None:
        target = unquote(request.target)
        with self._lock:
            found = next((handler for path, handler in self._said if path in target), None)
        if found is None:
            connection.send(response(404, b"Resource not found."))
        else:
            found(request, connection)


def _saying(said: bytes | str | Any, status: int, headers: Mapping[str, str]) -> Handler:
    if isinstance(said, bytes):
        body, kind = said, "application/octet-stream"
    elif isinstance(said, str):
        body, kind = said.encode(), "application/xml" if said.startswith("<") else "text/plain"
    else:
        body, kind = json.dumps(said).encode(), "application/json; charset=utf-8"
    answer = response(status, body, {"Content-Type": kind, **headers})
    return lambda request, connection: connection.send(answer)


@contextmanager
def playing() -> Iterator[Played]:
    """The server while the block runs."""
    played = Played()
    with played.server:
        yield played


def asker(
    played: Played,
    *,
    time: FakeTime | None = None,
    cache: AnswerCache | None = None,
    contact: str = "",
    policy: EgressPolicy | None = None,
    silence_seconds: float = 10.0,
    answer_seconds: float = 120.0,
    dice: Callable[[], float] = lambda: 1.0,
    more_places: tuple[str, ...] = (),
    **keys: str,
) -> Asker:
    """An asker that may ask the server and `more_places`, on time that does not pass by itself."""
    moving = time or FakeTime()
    timer: Timer = moving
    places = frozenset({played.server.place, *more_places})
    open_policy = EgressPolicy(online=True, allowed=(Allowance(Purpose.CITATION, places),))
    door = Door(policy or open_policy, MemoryLog(), silence_seconds=silence_seconds)
    return Asker(
        door,
        cache,
        access=Access(contact, Secrets(**keys)),
        pace=Pace(timer),
        clock=ClockOf(moving),
        timer=timer,
        dice=dice,
        answer_seconds=answer_seconds,
    )


def registries(played: Played, **options: Any) -> Registries:
    """All registries, played by the server."""
    return Registries.over(asker(played, **options), played.endpoints)
