"""One question to one registry: statuses, retries, limits, cuts, redirects, the cache, keys."""

import gzip
import socket
import zlib
from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread

import pytest

from core.cancellation import Cancellation, Cancelled
from core.egress_policy import Allowance, EgressPolicy, Purpose
from core.scholarly import errors
from core.scholarly.asking import (
    FOUND_AGE,
    MISSING_AGE,
    Asker,
    Budget,
    Enquiry,
    Question,
)
from core.scholarly.pace import SystemTimer
from core.scholarly.reply import Reply
from core.scholarly.work import Registry
from tests.core.scholarly.played import FakeTime, MemoryCache, Played, asker
from tests.loopback import LONGEST_WAIT, Connection, Handler, Request, Server, response, watched


def question(
    played: Played, registry: Registry | None = Registry.CROSSREF, **more: object
) -> Question:
    name = registry.value if registry else "texts"
    return Question(played.server.url(f"/{name}/x"), registry, **more)  # type: ignore[arg-type]


def read(reply: Reply) -> bytes:
    if reply.body == b"rubbish":
        raise errors.Malformed("rubbish", Registry.CROSSREF)
    return reply.body


def ask(
    played: Played, asking: Asker, enquiry: Enquiry | None = None, **more: object
) -> bytes | None:
    return asking.ask(question(played, **more), read, enquiry or Enquiry())  # type: ignore[arg-type]


# Statuses


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (201, errors.RequestRefused),
        (204, errors.RequestRefused),
        (206, errors.RequestRefused),
        (300, errors.RequestRefused),
        (304, errors.RequestRefused),
        (400, errors.RequestRefused),
        (401, errors.KeyRefused),
        (402, errors.KeyRefused),
        (403, errors.KeyRefused),
        (405, errors.RequestRefused),
        (406, errors.RequestRefused),
        (407, errors.KeyRefused),
        (408, errors.Busy),
        (414, errors.RequestRefused),
        (418, errors.RequestRefused),
        (422, errors.KeyRefused),
        (425, errors.Busy),
        (429, errors.Busy),
        (451, errors.RequestRefused),
        (500, errors.Busy),
        (501, errors.RequestRefused),
        (502, errors.Busy),
        (503, errors.Busy),
        (504, errors.Busy),
        (522, errors.Busy),
        (599, errors.RequestRefused),
    ],
)
def test_every_other_status_is_a_named_error(
    played: Played, status: int, error: type[errors.RegistryError]
) -> None:
    played.on("/x", b"" if status in (204, 304) else b"some words", status=status)
    cache = MemoryCache()
    with pytest.raises(error) as raised:
        ask(played, asker(played, cache=cache))
    assert str(raised.value).startswith("Crossref ")
    assert raised.value.registry is Registry.CROSSREF
    assert cache.kept == {}
    assert len(played.targets) == (5 if error is errors.Busy else 1)


@pytest.mark.parametrize(("status", "expected"), [(200, b"words"), (404, None), (410, None)])
def test_what_is_there_and_what_is_not(played: Played, status: int, expected: bytes | None) -> None:
    played.on("/x", b"words", status=status)
    assert ask(played, asker(played)) == expected


# Trying again


def failing(times: int, status: int = 503, **headers: str) -> Handler:
    """Answers with `status` so many times, then with 200."""
    left = [times]

    def handler(request: Request, connection: Connection) -> None:
        left[0] -= 1
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        good = left[0] < 0
        connection.send(response(200 if good else status, b"words", {} if good else named))

    return handler


def test_waits_double_and_shake(played: Played, time: FakeTime) -> None:
    played.on("/x", failing(4))
    assert ask(played, asker(played, time=time)) == b"words"
    assert [w for w in time.waits if w > 1.01 or w == 1.0] == [1.0, 2.0, 4.0, 8.0]
    shaken = FakeTime()
    played.on("/x", failing(4))
    assert ask(played, asker(played, time=shaken, dice=lambda: 0.0)) == b"words"
    assert shaken.seconds < time.seconds


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("7", 7.0),
        ("Sun, 01 Mar 2026 12:00:09 GMT", 9.0),
        ("Sun, 01 Mar 2026 11:59:00 GMT", 0.0),
        ("soon", 1.0),
        ("-3", 1.0),
        ("", 1.0),
        ("99999999999999999999", 1.0),
        ("1e3", 1.0),
    ],
)
def test_the_server_says_how_long_to_wait(
    played: Played, time: FakeTime, said: str, wait: float
) -> None:
    played.on("/x", failing(1, 429, Retry_After=said))
    assert ask(played, asker(played, time=time)) == b"words"
    assert time.seconds == pytest.approx(max(wait, 1.0))


def test_a_wait_that_is_too_long_is_told_and_not_taken(played: Played, time: FakeTime) -> None:
    played.on("/x", failing(1, 429, Retry_After="7200"))
    asking = asker(played, time=time)
    with pytest.raises(errors.Busy, match=r"Try again in 2 hours\.") as raised:
        ask(played, asking)
    assert raised.value.wait == 7200
    with pytest.raises(errors.Busy):
        ask(played, asking)
    assert len(played.targets) == 1, "what asked to be left alone is left alone"
    assert time.seconds < 10
    time.seconds += 7200
    assert ask(played, asking) == b"words"


def test_one_budget_is_for_all_registries_of_a_check(played: Played, time: FakeTime) -> None:
    played.on("/x", b"", status=503)
    asking, enquiry = asker(played, time=time), Enquiry(Budget(retries=3, seconds=1000))
    for registry in (Registry.CROSSREF, Registry.OPENALEX, Registry.EUROPE_PMC):
        with pytest.raises(errors.Busy):
            ask(played, asking, enquiry, registry=registry)
    assert [len(played.asked(r)) for r in (Registry.CROSSREF, Registry.OPENALEX)] == [4, 1]
    assert len(played.asked(Registry.EUROPE_PMC)) == 1


def test_the_budget_bounds_the_waiting_too(played: Played, time: FakeTime) -> None:
    played.on("/x", failing(99, 503, Retry_After="9"))
    with pytest.raises(errors.Busy):
        ask(played, asker(played, time=time), Enquiry(Budget(retries=99, seconds=30)))
    assert len(played.targets) == 4
    assert time.seconds < 60


# Connections


def cut(request: Request, connection: Connection) -> None:
    connection.send(response(200, b"half", length=8))


def reset(request: Request, connection: Connection) -> None:
    connection.send(response(200, b"half", length=8))
    connection.reset()


def silent(request: Request, connection: Connection) -> None:
    connection.wait_for_the_client_to_leave()


def silent_in_the_middle(request: Request, connection: Connection) -> None:
    connection.send(response(200, b"half", length=8))
    connection.wait_for_the_client_to_leave()


NONE_LEFT = Budget(retries=0)


@pytest.mark.parametrize(
    ("handler", "error", "said"),
    [
        (cut, errors.ConnectionCut, "cut off before the whole answer"),
        (reset, errors.ConnectionCut, "cut off before the whole answer"),
        (silent, errors.TimedOut, "did not answer in time"),
        (silent_in_the_middle, errors.TimedOut, "did not answer in time"),
    ],
)
def test_a_bad_connection_is_named(
    played: Played, handler: Handler, error: type[errors.RegistryError], said: str
) -> None:
    played.on("/x", handler)
    cache = MemoryCache()
    with pytest.raises(error, match=said):
        ask(played, asker(played, cache=cache, silence_seconds=0.2), Enquiry(NONE_LEFT))
    assert cache.kept == {}


def test_a_bad_connection_is_tried_again(played: Played) -> None:
    seen: list[int] = []

    def handler(request: Request, connection: Connection) -> None:
        seen.append(1)
        if len(seen) == 1:
            cut(request, connection)
        else:
            connection.send(response(200, b"words"))

    played.on("/x", handler)
    assert ask(played, asker(played)) == b"words"
    assert len(seen) == 2


def test_a_trickle_is_not_waited_for_without_end(played: Played) -> None:
    def handler(request: Request, connection: Connection) -> None:
        connection.send(response(200, b"", length=10**6))
        while not left.wait(0.01):
            connection.send(b"x")

    left = Event()
    played.on("/x", handler)
    asking = asker(played, answer_seconds=0.3)
    asking._timer = SystemTimer()
    with pytest.raises(errors.TimedOut, match="did not answer in time"):
        ask(played, asking, Enquiry(NONE_LEFT))
    left.set()


def test_where_nobody_listens_there_is_no_network(played: Played) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"
    asking = asker(played, more_places=(place,))
    with pytest.raises(errors.NoNetwork, match="could not be reached"):
        asking.ask(Question(f"http://{place}/x", Registry.PUBMED), read, Enquiry())


@pytest.mark.parametrize("policy", [EgressPolicy(), EgressPolicy(online=True, confidential=True)])
def test_offline_and_confidential_try_no_connection(played: Played, policy: EgressPolicy) -> None:
    asking = asker(played, policy=policy)
    with watched() as seen, pytest.raises(errors.OfflineMode, match="Nothing was sent"):
        ask(played, asking)
    assert seen == []


def test_a_confidential_workspace_stays_closed_with_everything_allowed(played: Played) -> None:
    allowed = (Allowance(Purpose.CITATION, frozenset({played.server.place})),)
    policy = EgressPolicy(online=True, allowed=allowed, confidential=True)
    with watched() as seen, pytest.raises(errors.OfflineMode, match="confidential"):
        ask(played, asker(played, policy=policy))
    assert seen == []


# Redirects


@pytest.mark.parametrize(
    "to",
    [
        "file:///etc/passwd",
        "http://example.org/x",
        "https://example.org/x",
        "ftp://127.0.0.1/x",
        "http://localhost/x",
        "http://169.254.169.254/latest/meta-data",
        "data:application/json,{}",
    ],
)
def test_a_redirect_elsewhere_is_refused(played: Played, to: str) -> None:
    played.on("/x", b"", status=302, headers={"Location": to})
    cache = MemoryCache()
    with pytest.raises(errors.HostRefused, match="not followed"):
        ask(played, asker(played, cache=cache))
    assert len(played.targets) == 1
    assert cache.kept == {}


def test_a_redirect_to_an_allowed_host_is_followed_without_the_key(played: Played) -> None:
    seen: list[dict[str, str]] = []

    def other(request: Request, connection: Connection) -> None:
        seen.append(dict(request.headers))
        connection.send(response(200, b"words"))

    with Server(other) as second:
        played.on("/x", b"", status=302, headers={"Location": second.url("/y")})
        asking = asker(played, more_places=(second.place,), semantic_scholar="secret-key")
        assert ask(played, asking, registry=Registry.SEMANTIC_SCHOLAR) == b"words"
    assert played.server.requests[0].headers["x-api-key"] == "secret-key"
    assert "secret-key" not in str(seen)
    assert seen[0]["accept"] == "application/json"


# Bodies


def test_a_body_that_was_packed_all_the_same_is_unpacked(played: Played) -> None:
    for encoding, packed in (
        ("gzip", gzip.compress(b"words")),
        ("deflate", zlib.compress(b"words")),
    ):
        played.on("/x", packed, headers={"Content-Encoding": encoding})
        assert ask(played, asker(played)) == b"words"
    assert played.server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_bomb_is_not_unpacked(played: Played, encoding: str) -> None:
    bomb = zlib.compress(b"\0" * (64 << 20), 9)
    if encoding == "gzip":
        bomb = gzip.compress(b"\0" * (64 << 20), 9)
    assert len(bomb) < 100_000
    played.on("/x", bomb, headers={"Content-Encoding": encoding})
    with pytest.raises(errors.TooLarge, match="was not taken in"):
        ask(played, asker(played))


def test_a_body_without_end_is_not_taken_in(played: Played) -> None:
    def endless(request: Request, connection: Connection) -> None:
        connection.send(response(200, b"", length=-1))
        for _ in range(200):
            connection.send(b"x" * 65_536)

    played.on("/x", endless)
    with pytest.raises(errors.TooLarge):
        ask(played, asker(played), most_bytes=1 << 20)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"plain words", "gzip"),
        (gzip.compress(b"words" * 100)[:-9], "gzip"),
        (zlib.compress(b"words" * 100)[:-5], "deflate"),
        (b"words", "br"),
        (b"words", "zstd"),
        (gzip.compress(gzip.compress(b"words")), "gzip, gzip"),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_malformed(
    played: Played, body: bytes, encoding: str
) -> None:
    played.on("/x", body, headers={"Content-Encoding": encoding})
    with pytest.raises(errors.Malformed, match="cannot be read"):
        ask(played, asker(played))


# Stop


@pytest.mark.parametrize("handler", [silent, silent_in_the_middle])
def test_a_stop_does_not_wait_for_the_registry(played: Played, handler: Handler) -> None:
    asked = Event()
    cancellation = Cancellation()

    def telling(request: Request, connection: Connection) -> None:
        asked.set()
        handler(request, connection)

    def stop() -> None:
        assert asked.wait(LONGEST_WAIT)
        cancellation.cancel()

    played.on("/x", telling)
    stopping = Thread(target=stop)
    stopping.start()
    with pytest.raises(Cancelled):
        ask(played, asker(played), Enquiry(cancellation=cancellation))
    stopping.join()


def stopped_while(waiting: Callable[[Cancellation], object]) -> None:
    cancellation = Cancellation()
    started = Event()

    def stop() -> None:
        assert started.wait(LONGEST_WAIT)
        cancellation.cancel()

    stopping = Thread(target=stop)
    stopping.start()
    started.set()
    with pytest.raises(Cancelled):
        waiting(cancellation)
    stopping.join()


def test_a_stop_does_not_wait_for_the_pace() -> None:
    stopped_while(lambda cancellation: SystemTimer().wait(3600, cancellation))


def test_a_stop_does_not_wait_for_another_request(played: Played) -> None:
    asking = asker(played)
    with asking._pace.turn("crossref", None):
        stopped_while(lambda cancellation: ask(played, asking, Enquiry(cancellation=cancellation)))
    assert played.targets == []


def test_what_was_stopped_before_is_not_asked(played: Played) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(Cancelled):
        ask(played, asker(played), Enquiry(cancellation=cancellation))
    assert played.targets == []


# The cache


@pytest.mark.parametrize(
    ("status", "age"), [(200, FOUND_AGE), (404, MISSING_AGE), (410, MISSING_AGE)]
)
def test_an_answer_is_kept_for_its_age(
    played: Played, time: FakeTime, status: int, age: timedelta
) -> None:
    played.on("/x", b"words", status=status)
    asking = asker(played, time=time, cache=MemoryCache())
    first = ask(played, asking)
    time.seconds += age.total_seconds() - 10
    assert ask(played, asking) == first
    assert len(played.targets) == 1
    time.seconds += 60
    assert ask(played, asking) == first
    assert len(played.targets) == 2


def test_an_answer_from_the_future_is_asked_again(played: Played, time: FakeTime) -> None:
    played.on("/x", b"words")
    time.seconds = 10**6
    asking = asker(played, time=time, cache=MemoryCache())
    ask(played, asking)
    time.seconds = 0
    ask(played, asking)
    assert len(played.targets) == 2


def test_a_kept_answer_needs_no_network(played: Played) -> None:
    played.on("/x", b"words")
    cache = MemoryCache()
    ask(played, asker(played, cache=cache))
    with watched() as seen:
        assert ask(played, asker(played, cache=cache, policy=EgressPolicy())) == b"words"
    assert seen == []


def test_what_cannot_be_read_is_not_kept(played: Played) -> None:
    played.on("/x", b"rubbish")
    cache = MemoryCache()
    asking = asker(played, cache=cache)
    with pytest.raises(errors.Malformed):
        ask(played, asking)
    assert cache.kept == {}
    played.on("/x", b"words")
    assert ask(played, asking) == b"words"
    [kept] = cache.kept
    cache.put(*kept, Reply(200, "", b"rubbish", cache.kept[kept].asked))
    assert ask(played, asking) == b"words", "a kept answer that cannot be read is asked again"


def test_each_question_is_kept_by_itself(played: Played) -> None:
    played.on("/x", b"words")
    cache = MemoryCache()
    asking = asker(played, cache=cache)
    for more in ({}, {"parameters": (("a", "1"),)}, {"accept": "text/html"}):
        ask(played, asking, **more)
    assert len(cache.kept) == len(played.targets) == 3


def test_two_at_once_ask_once(played: Played) -> None:
    played.on("/x", b"words")
    asking = asker(played, cache=MemoryCache())
    threads = [Thread(target=ask, args=(played, asking)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(played.targets) == 1


# Keys and addresses


@pytest.mark.parametrize(
    ("registry", "parts"),
    [
        (Registry.CROSSREF, ["mailto=me@example.org"]),
        (Registry.UNPAYWALL, ["email=me@example.org"]),
        (Registry.PUBMED, ["tool=Countersign", "email=me@example.org", "api_key=key-p"]),
        (Registry.OPENALEX, ["api_key=key-o"]),
        (Registry.SEMANTIC_SCHOLAR, []),
        (Registry.ARXIV, []),
        (Registry.EUROPE_PMC, []),
        (Registry.DOI_ORG, []),
        (None, []),
    ],
)
def test_each_registry_gets_its_own_key_and_no_other(
    played: Played, registry: Registry | None, parts: list[str]
) -> None:
    played.on("/x", b"words")
    keys = {"pubmed": "key-p", "openalex": "key-o", "semantic_scholar": "key-s"}
    cache = MemoryCache()
    asking = asker(played, cache=cache, contact="me@example.org", **keys)
    ask(played, asking, registry=registry)
    [target] = played.targets
    assert target.partition("?")[2] == "&".join(parts)
    headers = played.server.requests[0].headers
    assert headers.get("x-api-key") == ("key-s" if registry is Registry.SEMANTIC_SCHOLAR else None)
    assert not any(secret in repr(cache.kept) for secret in (*keys.values(), "example.org"))


@pytest.mark.parametrize("key", ["", "   ", "two words", "line\r\nX-Other: 1", "kéy"])
def test_a_key_that_can_be_none_is_not_sent(played: Played, key: str) -> None:
    played.on("/x", b"words")
    asking = asker(played, semantic_scholar=key, openalex=key)
    ask(played, asking, registry=Registry.SEMANTIC_SCHOLAR)
    ask(played, asking, registry=Registry.OPENALEX)
    assert "x-api-key" not in played.server.requests[0].headers
    assert "api_key" not in played.targets[1]


def test_no_error_tells_a_key(played: Played) -> None:
    for status in (400, 401, 429, 500):
        played.on("/x", b"", status=status)
        asking = asker(played, contact="me@example.org", pubmed="secret-key")
        with pytest.raises(errors.RegistryError) as raised:
            ask(played, asking, Enquiry(NONE_LEFT), registry=Registry.PUBMED)
        assert "secret" not in str(raised.value)
        assert "example.org" not in str(raised.value)
