"""The pace of requests: as the headers say, for a thousand citations, on time that a test moves."""

import json
from collections.abc import Mapping
from itertools import pairwise

import pytest

from core.citations.model import Identifier, Scheme
from core.scholarly.asking import Budget, Enquiry, Question
from core.scholarly.pace import (
    FASTEST_SECONDS,
    OTHER_SECONDS,
    SLOWEST_SECONDS,
    START_SECONDS,
    Pace,
)
from core.scholarly.registries import Registries
from core.scholarly.work import Registry
from tests.core.scholarly import said
from tests.core.scholarly.played import FakeTime, Played, asker
from tests.loopback import Connection, Request, response


@pytest.mark.parametrize(
    ("place", "headers", "expected"),
    [
        ("crossref", {"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}, 0.02),
        ("crossref", {"x-rate-limit-limit": "10", "x-rate-limit-interval": "1s"}, 0.1),
        ("crossref", {"x-rate-limit-limit": "5", "x-rate-limit-interval": "1m"}, 12.0),
        ("crossref", {"x-rate-limit-limit": "1", "x-rate-limit-interval": "500ms"}, 0.5),
        ("crossref", {"x-rate-limit-limit": "1", "x-rate-limit-interval": "9h"}, SLOWEST_SECONDS),
        ("crossref", {"x-rate-limit-limit": "99999", "x-rate-limit-interval": "1s"}, 0.02),
        ("crossref", {"x-rate-limit-limit": "0", "x-rate-limit-interval": "1s"}, None),
        ("crossref", {"x-rate-limit-limit": "-5", "x-rate-limit-interval": "1s"}, None),
        ("crossref", {"x-rate-limit-limit": "many", "x-rate-limit-interval": "1s"}, None),
        ("crossref", {"x-rate-limit-limit": "5", "x-rate-limit-interval": "1 fortnight"}, None),
        ("crossref", {"x-rate-limit-limit": "5", "x-rate-limit-interval": ""}, None),
        ("crossref", {"x-rate-limit-limit": "٥", "x-rate-limit-interval": "1s"}, None),
        ("crossref", {"x-rate-limit-limit": "5"}, None),
        ("crossref", {}, None),
        ("pubmed", {"x-ratelimit-limit": "10", "x-ratelimit-remaining": "9"}, 0.1),
        ("pubmed", {"x-ratelimit-limit": "3"}, 1 / 3),
        ("openalex", {"x-ratelimit-limit": "100000", "x-ratelimit-remaining": "5"}, None),
        ("arxiv", {"x-ratelimit-limit": "100"}, None),
        ("journals.example.org", {"x-ratelimit-limit": "100"}, None),
    ],
)
def test_the_pace_is_what_the_headers_say(
    place: str, headers: Mapping[str, str], expected: float | None
) -> None:
    time = FakeTime()
    pace = Pace(time)
    pace.wait(place, None)
    pace.learn(place, headers)
    before = time.seconds
    pace.wait(place, None)
    known = {registry.value: seconds for registry, seconds in START_SECONDS.items()}
    wanted = expected if expected is not None else known.get(place, OTHER_SECONDS)
    assert time.seconds - before == pytest.approx(wanted)


def test_every_registry_has_a_start() -> None:
    assert set(START_SECONDS) == set(Registry)
    assert all(FASTEST_SECONDS <= s <= SLOWEST_SECONDS for s in START_SECONDS.values())
    assert START_SECONDS[Registry.ARXIV] >= 3


def test_places_do_not_wait_for_each_other() -> None:
    time = FakeTime()
    pace = Pace(time)
    for place in Registry:
        pace.wait(place, None)
    assert time.seconds == 0


class Watched:
    """A registry that counts what comes within each of its intervals, on the test's time."""

    def __init__(self, time: FakeTime, limit: int, interval: float, body: bytes) -> None:
        self.moments: list[float] = []
        self._time = time
        self._headers = {
            "X-Rate-Limit-Limit": str(limit),
            "X-Rate-Limit-Interval": f"{interval:g}s",
            "X-RateLimit-Limit": str(limit),
        }
        self._body = body

    def __call__(self, request: Request, connection: Connection) -> None:
        self.moments.append(self._time.seconds)
        connection.send(response(200, self._body, self._headers))

    def most_within(self, interval: float) -> int:
        """The most requests in any window of this length, after the first answer."""
        moments = self.moments
        return max(
            sum(start <= moment < start + interval * 0.999 for moment in moments[at : at + 200])
            for at, start in enumerate(moments)
        )


def test_a_thousand_citations_stay_inside_the_pace(played: Played, time: FakeTime) -> None:
    limits = {Registry.CROSSREF: 5, Registry.PUBMED: 3}
    crossref = Watched(time, 5, 1, json.dumps(said.crossref()).encode())
    pubmed = Watched(time, 3, 1, said.pubmed(said.pubmed_article()).encode())
    played.on("/crossref/", crossref)
    played.on("/pubmed/", pubmed)
    at = Registries.over(asker(played, time=time), played.endpoints)
    for number in range(500):
        doi = Identifier(scheme=Scheme.DOI, value=f"10.1000/{number}")
        at.crossref.work(doi, Enquiry())
        at.pubmed.work(Identifier(scheme=Scheme.PMID, value=str(30_000_000 + number)), Enquiry())
    assert (len(crossref.moments), len(pubmed.moments)) == (500, 500)
    assert crossref.most_within(1) <= limits[Registry.CROSSREF]
    assert pubmed.most_within(1) <= limits[Registry.PUBMED]
    # Neither slower than it must be: 500 requests at 3 a second.
    assert time.seconds == pytest.approx(500 / 3, rel=0.05)


def test_a_pace_that_drops_is_kept_from_then_on(played: Played, time: FakeTime) -> None:
    """A registry halves what it allows, and answers 429 once on the way."""
    seen: list[float] = []

    def handler(request: Request, connection: Connection) -> None:
        seen.append(time.seconds)
        if len(seen) == 20:
            connection.send(response(429, b"", {"Retry-After": "10"}))
            return
        limit = "10" if len(seen) < 20 else "2"
        headers = {"X-Rate-Limit-Limit": limit, "X-Rate-Limit-Interval": "1s"}
        connection.send(response(200, b"{}", headers))

    played.on("/crossref/", handler)
    asking = asker(played, time=time)
    for number in range(40):
        url = played.server.url(f"/crossref/{number}")
        question = Question(url, Registry.CROSSREF)
        enquiry = Enquiry(Budget(retries=1, seconds=20))
        assert asking.ask(question, lambda reply: reply.body, enquiry) == b"{}"
    gaps = [later - sooner for sooner, later in pairwise(seen)]
    assert gaps[18] == pytest.approx(0.1)
    assert gaps[19] >= 10
    assert all(gap >= 0.5 - 1e-9 for gap in gaps[21:])
