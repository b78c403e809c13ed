"""How fast each registry may be asked: as it says itself, and never faster.

One request at a time goes to a place, and between the starts of two lies the time that its last
answer's headers gave. Until a place has answered, the start value holds.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Protocol

from core.cancellation import Cancellation
from core.scholarly.work import Registry

START_SECONDS: Mapping[Registry, float] = {
    # https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/
    Registry.CROSSREF: 1.0,
    # https://developers.openalex.org/api-reference/authentication
    Registry.OPENALEX: 0.2,
    # https://www.semanticscholar.org/product/api: one request a second with a key
    Registry.SEMANTIC_SCHOLAR: 1.0,
    # https://info.arxiv.org/help/api/tou.html: one request every three seconds, one connection
    Registry.ARXIV: 3.0,
    # https://europepmc.org/RestfulWebService gives no number
    Registry.EUROPE_PMC: 0.5,
    # https://www.ncbi.nlm.nih.gov/books/NBK25497/: three a second without a key
    Registry.PUBMED: 0.34,
    # https://unpaywall.org/products/api: 100,000 a day
    Registry.UNPAYWALL: 0.9,
    # https://www.doi.org gives no number
    Registry.DOI_ORG: 0.5,
}
"""Seconds between two requests before the registry has said anything. As of November 2026."""

OTHER_SECONDS = 1.0
"""The same for the servers of publishers and repositories."""

_START = {registry.value: seconds for registry, seconds in START_SECONDS.items()}

FASTEST_SECONDS = 0.02
SLOWEST_SECONDS = 120.0
"""No header makes requests come faster, or lie further apart, than this."""

_LOOK_EVERY = 0.05


class Timer(Protocol):
    """Time that passes, so that waiting can be tested."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    def wait(self, seconds: float, cancellation: Cancellation | None) -> None:
        """Let `seconds` pass. Raises `core.cancellation.Cancelled`, at once."""
        ...


class SystemTimer:
    """The machine's own time."""

    def now(self) -> float:
        """As in `Timer`."""
        return time.monotonic()

    def wait(self, seconds: float, cancellation: Cancellation | None) -> None:
        """As in `Timer`."""
        until = self.now() + seconds
        while (left := until - self.now()) > 0:
            if cancellation is not None:
                cancellation.check()
            time.sleep(min(left, _LOOK_EVERY))


class _Place:
    def __init__(self, seconds: float) -> None:
        self.turn = Lock()
        self.seconds = seconds
        self.next = 0.0
        self.paused_until = 0.0


class Pace:
    """The pace of every place. May be used from any thread; `place` is a registry or a host."""

    def __init__(self, timer: Timer | None = None) -> None:
        """Start with nothing known but the start values."""
        self._timer = timer or SystemTimer()
        self._places: dict[str, _Place] = {}
        self._lock = Lock()

    @contextmanager
    def turn(self, place: str, cancellation: Cancellation | None) -> Iterator[None]:
        """The only request to `place` while the block runs. Raises `Cancelled`."""
        found = self._place(place)
        while not found.turn.acquire(timeout=_LOOK_EVERY):
            if cancellation is not None:
                cancellation.check()
        try:
            yield
        finally:
            found.turn.release()

    def wait(self, place: str, cancellation: Cancellation | None) -> None:
        """Return when `place` may be asked again, and count that as a request."""
        found = self._place(place)
        now = self._timer.now()
        start = max(now, found.next, found.paused_until)
        if start > now:
            self._timer.wait(start - now, cancellation)
        if cancellation is not None:
            cancellation.check()
        found.next = self._timer.now() + found.seconds

    def paused(self, place: str) -> float:
        """Seconds for which `place` asked to be left alone."""
        return max(0.0, self._place(place).paused_until - self._timer.now())

    def pause(self, place: str, seconds: float) -> None:
        """Leave `place` alone for so long."""
        found = self._place(place)
        found.paused_until = max(found.paused_until, self._timer.now() + seconds)

    def learn(self, place: str, headers: Mapping[str, str]) -> None:
        """Take the pace out of an answer's headers, whose names are in lower case."""
        found = self._place(place)
        seconds = _seconds_between(place, headers)
        if seconds is None:
            return
        before = found.seconds
        found.seconds = min(max(seconds, FASTEST_SECONDS), SLOWEST_SECONDS)
        # What has just been asked counts at the new pace, not at the one that it was asked at.
        found.next += found.seconds - before

    def _place(self, place: str) -> _Place:
        with self._lock:
            if place not in self._places:
                seconds = _START.get(place, OTHER_SECONDS)
                self._places[place] = _Place(seconds)
            return self._places[place]


def _seconds_between(place: str, headers: Mapping[str, str]) -> float | None:
    """What a registry says of its pace; None where it says nothing that can be understood.

    Crossref: `x-rate-limit-limit` requests in `x-rate-limit-interval` ("1s"). NCBI:
    `x-ratelimit-limit` requests a second. OpenAlex uses the latter name for a day's budget, which
    is no pace.
    """
    if place == Registry.CROSSREF:
        limit = _number(headers.get("x-rate-limit-limit"))
        interval = _duration(headers.get("x-rate-limit-interval"))
    elif place == Registry.PUBMED:
        limit, interval = _number(headers.get("x-ratelimit-limit")), 1.0
    else:
        return None
    return interval / limit if limit and interval else None


_UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def _duration(text: str | None) -> float | None:
    text = (text or "").strip().lower()
    digits = text.rstrip("msh")
    unit = _UNITS.get(text[len(digits) :])
    number = _number(digits)
    return None if unit is None or number is None else number * unit


def _number(text: str | None) -> float | None:
    text = (text or "").strip()
    if not text.isascii() or len(text) > 9 or not text.replace(".", "", 1).isdigit():
        return None
    return float(text) or None
