"""The door to the network, on real connections to servers on this machine."""

import gzip
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cancellation import Cancellation, Cancelled
from core.egress import Cut, Door, Silent, Unreachable, Untrusted
from core.egress_log import EgressEntry, EgressLog, EgressOutcome, MemoryLog
from core.egress_policy import (
    Allowance,
    Confidential,
    EgressError,
    EgressPolicy,
    EgressRefused,
    NotAllowed,
    Offline,
    Purpose,
    RedirectRefused,
)
from core.storage.store import Store
from tests.loopback import LONGEST_WAIT, Connection, Handler, Request, Server, response, watched

ROOT = Path(__file__).parents[2]
CERTIFICATE = ROOT / "tests/loopback.pem"
BODY = bytes(range(256)) * 1000


def allowing(*places: str, purpose: Purpose = Purpose.MODEL_DOWNLOAD) -> EgressPolicy:
    return EgressPolicy(online=True, allowed=(Allowance(purpose, frozenset(places)),))


def saying(answer: bytes) -> Handler:
    return lambda request, connection: connection.send(answer)


@contextmanager
def servers(*handlers: Handler) -> Iterator[list[Server]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Server(handler)) for handler in handlers]


def fetch(door: Door, url: str, **options: object) -> tuple[int, bytes]:
    with door.open("GET", url, Purpose.MODEL_DOWNLOAD, **options) as answer:  # type: ignore[arg-type]
        return answer.status, b"".join(answer.chunks())


@pytest.fixture(params=["memory", "store"])
def log(request: pytest.FixtureRequest, home: Path) -> Iterator[EgressLog]:
    if request.param == "memory":
        yield MemoryLog()
        return
    with Store.open(home) as store:
        yield store.egress


# What is sent and received


def test_an_answer_comes_as_it_was_sent_and_its_bytes_are_logged(log: EgressLog) -> None:
    with servers(saying(response(200, BODY, {"X-Repo-Commit": "abc"}))) as [server]:
        before = datetime.now(UTC)
        door = Door(allowing(server.place), log)
        with door.open("GET", server.url("/a?b=c"), Purpose.MODEL_DOWNLOAD) as answer:
            assert answer.status == 200
            assert answer.headers["x-repo-commit"] == "abc"
            assert answer.address.place == server.place
            assert b"".join(answer.chunks()) == BODY
            assert list(answer.chunks()) == []
        [entry] = log.entries()
        assert before <= entry.started <= datetime.now(UTC)
        assert entry == EgressEntry(
            id=entry.id,
            started=entry.started,
            host=server.place,
            purpose=Purpose.MODEL_DOWNLOAD,
            outcome=EgressOutcome.ANSWERED,
            sent=server.requests[0].size,
            received=server.connections[0].sent,
            status=200,
        )


def test_nothing_is_sent_but_what_the_request_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxied: list[Request] = []

    def proxy(request: Request, connection: Connection) -> None:
        proxied.append(request)
        connection.send(response(200))

    def handler(request: Request, connection: Connection) -> None:
        if request.target == "/":
            connection.send(response(302, headers={"Location": "/b", "Set-Cookie": "id=1; Path=/"}))
        else:
            connection.send(response(200))

    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with servers(handler, proxy) as [server, other]:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, other.url())
        fetch(Door(allowing(server.place), MemoryLog()), server.url())
        assert [r.target for r in server.requests] == ["/", "/b"]
        for request in server.requests:
            assert request.headers == {
                "host": server.place,
                "user-agent": "Countersign",
                "accept": "*/*",
                "accept-encoding": "identity",
                "connection": "close",
            }
    assert proxied == []


def test_a_packed_body_is_left_as_it_is() -> None:
    packed = gzip.compress(BODY)
    with servers(saying(response(200, packed, {"Content-Encoding": "gzip"}))) as [server]:
        assert fetch(Door(allowing(server.place), MemoryLog()), server.url()) == (200, packed)


@pytest.mark.parametrize(
    "status", [200, 203, 206, 300, 304, 305, 400, 401, 403, 404, 410, 416, 418, 429, 451, 500, 503]
)
def test_every_status_is_given_as_it_is(status: int) -> None:
    body = b"" if status == 304 else b"some words"
    with servers(saying(response(status, body))) as [server]:
        assert fetch(Door(allowing(server.place), MemoryLog()), server.url()) == (status, body)


def test_a_body_that_is_not_wanted_is_not_waited_for() -> None:
    left = Event()

    def handler(request: Request, connection: Connection) -> None:
        connection.send(response(404, b"x", length=10**9))
        connection.wait_for_the_client_to_leave()
        left.set()

    log = MemoryLog()
    with servers(handler) as [server]:
        door = Door(allowing(server.place), log)
        with door.open("GET", server.url(), Purpose.MODEL_DOWNLOAD) as answer:
            assert answer.status == 404
        assert left.wait(LONGEST_WAIT)
    assert log.entries()[0].outcome is EgressOutcome.ANSWERED


# Offline, confidential, not allowed


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"online": False}, Offline, "works offline"),
        ({"confidential": True}, Confidential, "whatever the other settings say"),
        ({"confidential": True, "online": False}, Confidential, "confidential"),
        ({"allowed": ()}, NotAllowed, "not among the places"),
    ],
)
def test_what_is_closed_tries_no_connection(
    log: EgressLog, change: dict[str, object], error: type[EgressRefused], said: str
) -> None:
    with servers(saying(response(200))) as [server]:
        open_policy = allowing(server.place)
        fields = {"online": True, "allowed": open_policy.allowed, "confidential": False} | change
        door = Door(EgressPolicy(**fields), log)  # type: ignore[arg-type]
        with watched() as seen:
            for host in (server.url(), "https://huggingface.co/", "http://localhost/"):
                with pytest.raises(error, match=f"{said}.*Nothing was sent"):
                    fetch(door, host)
        assert seen == []
        with watched() as seen:
            fetch(Door(open_policy, MemoryLog()), server.url())
        assert "socket.connect" in seen
    assert [(e.host, e.outcome, e.sent, e.received) for e in log.entries()] == [
        (host, EgressOutcome.REFUSED, 0, 0)
        for host in (server.place, "huggingface.co", "localhost")
    ]


def test_what_is_allowed_for_one_purpose_is_not_for_another() -> None:
    with servers(saying(response(200))) as [server]:
        door = Door(allowing(server.place, purpose=Purpose.CITATION), MemoryLog())
        with pytest.raises(NotAllowed, match="downloading models"):
            fetch(door, server.url())
        assert server.requests == []


def test_the_policy_is_closed_as_it_is_made() -> None:
    with pytest.raises(Offline):
        fetch(Door(EgressPolicy(), MemoryLog()), "https://huggingface.co/")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("file:///etc/passwd", "“file:”"),
        ("ftp://127.0.0.1/x", "“ftp:”"),
        ("", "not an address"),
        ("//127.0.0.1/", "not an address"),
        ("http://127.0.0.1\n/", "not an address"),
        ("http://someone:secret@127.0.0.1/", "a name or a password"),
        ("http://127.0.0.1\\@example.org/", "a name or a password"),
        ("http://example.org/", "without encryption"),
        ("http://example.org:443/", "not among"),
        ("https://example.org.evil.test/", "not among"),
        ("https://example.org./", "not among"),
        ("https://notexample.org/", "not among"),
        ("http://2130706433/", "not among"),
    ],
)
def test_an_address_of_another_kind_is_refused(url: str, said: str) -> None:
    door = Door(allowing("127.0.0.1", "example.org"), MemoryLog())
    with watched() as seen, pytest.raises(NotAllowed, match=f"{said}.*Nothing was sent"):
        fetch(door, url)
    assert seen == []


PIECES = ["http:", "https:", "//", "/", "\\", "@", "#", "?", ":", ".", "%", " ", "[", "]", "a", "0"]


def test_no_spelling_of_an_address_reaches_a_host_that_is_not_allowed() -> None:
    with servers(saying(response(200)), saying(response(200))) as [server, other]:
        door = Door(allowing(server.place), MemoryLog(), connect_seconds=0.1, silence_seconds=0.5)
        begins = st.sampled_from(["", "http://", f"http://{server.place}"])
        pieces = st.sampled_from([*PIECES, server.place, other.place, str(other.port)])

        @given(begins, st.lists(pieces, min_size=1, max_size=8))
        @settings(max_examples=80)
        def ask(begin: str, rest: list[str]) -> None:
            address = begin + "".join(rest)

            def handler(request: Request, connection: Connection) -> None:
                turned = request.target == "/turn"
                connection.send(response(302 if turned else 200, headers={"Location": address}))

            server.handler = handler
            for url in (address, server.url("/turn")):
                with suppress(EgressError):
                    fetch(door, url)

        ask()
        assert server.requests
        assert other.connections == []


# Redirects


def pointing(to: str, status: int = 302) -> Handler:
    return saying(response(status, headers={"Location": to}))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_an_allowed_place_is_followed_without_what_was_for_the_first(
    log: EgressLog, status: int
) -> None:
    with servers(saying(response(206, BODY))) as [second]:
        with servers(pointing(second.url("/there"), status)) as [first]:
            door = Door(allowing(first.place, second.place), log)
            headers = {"Authorization": "Bearer x", "X-Api-Key": "y", "Range": "bytes=5-"}
            assert fetch(door, first.url(), headers=headers) == (206, BODY)
            assert first.requests[0].headers["authorization"] == "Bearer x"
        request = second.requests[0]
        assert (request.target, request.headers["range"]) == ("/there", "bytes=5-")
        assert request.headers.keys().isdisjoint({"authorization", "x-api-key"})
    assert [(e.host, e.status) for e in log.entries()] == [
        (first.place, status),
        (second.place, 206),
    ]


def test_a_redirect_to_a_host_that_is_not_allowed_is_refused(log: EgressLog) -> None:
    with servers(saying(response(200, b"no"))) as [other]:
        for to in (other.url(), f"//{other.place}/x"):
            refused = pytest.raises(RedirectRefused, match="not followed")
            with servers(pointing(to)) as [server], refused:
                fetch(Door(allowing(server.place), log), server.url())
        assert other.requests == []
        assert other.connections == []
    outcomes = [e.outcome for e in log.entries()]
    assert outcomes[:2] == [EgressOutcome.ANSWERED, EgressOutcome.REFUSED]
    assert outcomes.count(EgressOutcome.REFUSED) == 2


@pytest.mark.parametrize(
    "to",
    [
        "file:///etc/passwd",
        "FILE:/etc/passwd",
        "ftp://127.0.0.1/",
        "data:text/plain,x",
        "javascript:alert(1)",
        "https://example.org/",
        "http://example.org/",
        "http://localhost/",
        "http://someone:secret@127.0.0.1/",
        "http://[",
        "http://127.0.0.1:99999999/",
        "http://127.0.0.1/\x01",
    ],
)
def test_a_redirect_to_another_kind_of_address_is_refused(to: str) -> None:
    with servers(pointing(to)) as [server]:
        door = Door(allowing(server.place), MemoryLog())
        with pytest.raises(RedirectRefused, match="not followed"):
            fetch(door, server.url())
        assert len(server.requests) == 1


def test_redirects_come_to_an_end() -> None:
    with servers(pointing("/again")) as [server]:
        with pytest.raises(RedirectRefused, match="on and on"):
            fetch(Door(allowing(server.place), MemoryLog()), server.url())
        assert len(server.requests) == 9


def test_a_redirect_that_names_a_host_can_be_taken_as_the_answer() -> None:
    def handler(request: Request, connection: Connection) -> None:
        to = {"/a": "/b", "/b": "c/../d"}.get(request.target, f"http://{server.place}/e")
        connection.send(response(307, headers={"Location": to}))

    with Server(handler) as server:
        door = Door(allowing(server.place), MemoryLog())
        with door.open(
            "HEAD", server.url("/a"), Purpose.MODEL_DOWNLOAD, relative_only=True
        ) as answer:
            assert answer.status == 307
            assert answer.headers["location"].endswith("/e")
        assert [(r.method, r.target) for r in server.requests] == [
            ("HEAD", "/a"),
            ("HEAD", "/b"),
            ("HEAD", "/d"),
        ]


def test_a_redirect_that_names_a_host_without_a_scheme_names_a_host() -> None:
    with servers(saying(response(200))) as [server]:
        server.handler = pointing(f"//{server.place}/e")
        door = Door(allowing(server.place), MemoryLog())
        with door.open("HEAD", server.url(), Purpose.MODEL_DOWNLOAD, relative_only=True) as answer:
            assert answer.status == 302
        assert len(server.requests) == 1


def test_a_redirect_cannot_make_the_program_sign_in() -> None:
    with servers(saying(response(200))) as [other]:
        with servers(pointing(f"http://someone:secret@{other.place}/")) as [server]:
            door = Door(allowing(server.place, other.place), MemoryLog())
            with pytest.raises(RedirectRefused, match="a name or a password"):
                fetch(door, server.url())
        assert other.connections == []


def test_a_redirect_without_a_place_is_an_answer() -> None:
    with servers(saying(response(302, b"where?"))) as [server]:
        door = Door(allowing(server.place), MemoryLog())
        assert fetch(door, server.url()) == (302, b"where?")


# Cut, silent and missing connections


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: " + b"a" * 200_000,
        response(200, b"half", length=8),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    ],
    ids=lambda answer: repr(answer[:40]),
)
def test_an_answer_that_does_not_come_whole_is_cut(log: EgressLog, answer: bytes) -> None:
    with servers(saying(answer)) as [server], pytest.raises(Cut, match="was cut"):
        fetch(Door(allowing(server.place), log), server.url())
    assert [e.outcome for e in log.entries()] == [EgressOutcome.FAILED]


def test_a_connection_that_is_reset_is_cut() -> None:
    def handler(request: Request, connection: Connection) -> None:
        connection.send(response(200, b"half", length=8))
        connection.reset()

    with servers(handler) as [server], pytest.raises(Cut):
        fetch(Door(allowing(server.place), MemoryLog()), server.url())


def test_a_server_that_falls_silent_is_cut() -> None:
    def handler(request: Request, connection: Connection) -> None:
        connection.send(response(200, b"half", length=8))
        connection.wait_for_the_client_to_leave()

    with servers(handler) as [server], pytest.raises(Silent, match="was cut"):
        fetch(Door(allowing(server.place), MemoryLog(), silence_seconds=0.2), server.url())


def test_where_nobody_listens_is_unreachable(log: EgressLog) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"
    door = Door(allowing(place, "nowhere.invalid"), log)
    for url in (f"http://{place}/", "https://nowhere.invalid/"):
        with pytest.raises(Unreachable, match="connected to the network"):
            fetch(door, url)
    assert [(e.outcome, e.sent, e.status) for e in log.entries()] == [
        (EgressOutcome.FAILED, 0, None)
    ] * 2


def test_a_server_without_encryption_is_sent_nothing_over_https() -> None:
    with servers(saying(response(200))) as [server]:
        door = Door(allowing(server.place), MemoryLog(), connect_seconds=0.5)
        with pytest.raises(Unreachable):
            fetch(door, server.url(scheme="https"))
        assert server.requests == []


# Encryption


def encrypting() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate of these tests is trusted, as one of a known authority is."""
    trusting = ssl.create_default_context(cafile=CERTIFICATE)
    monkeypatch.setattr(httpx, "create_ssl_context", lambda **_: trusting)


def test_a_server_that_cannot_prove_who_it_is_is_sent_nothing(
    log: EgressLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with Server(saying(response(200)), tls=encrypting()) as server:
        with pytest.raises(Untrusted, match="Nothing was sent"):
            fetch(Door(allowing(server.place), log), server.url(scheme="https"))
        assert server.requests == []
    assert [(e.outcome, e.sent) for e in log.entries()] == [(EgressOutcome.FAILED, 0)]


@pytest.mark.usefixtures("trusted")
def test_an_answer_comes_encrypted(log: EgressLog) -> None:
    with Server(saying(response(200, BODY)), tls=encrypting()) as server:
        url = server.url(scheme="https")
        assert fetch(Door(allowing(server.place), log), url) == (200, BODY)
        assert log.entries()[0].received == server.connections[0].sent


@pytest.mark.usefixtures("trusted")
def test_an_encrypted_stop_does_not_wait_for_the_server() -> None:
    asked = Event()

    def handler(request: Request, connection: Connection) -> None:
        connection.send(response(200, b"half", length=8))
        asked.set()
        connection.wait_for_the_client_to_leave()

    with Server(handler, tls=encrypting()) as server:
        door = Door(allowing(server.place), MemoryLog())
        cancelled_at(door, server.url(scheme="https"), asked)


@pytest.mark.usefixtures("trusted")
def test_encryption_is_not_given_up_for_another_host() -> None:
    with Server(pointing("http://example.org/"), tls=encrypting()) as server:
        door = Door(allowing(server.place, "example.org"), MemoryLog())
        with pytest.raises(RedirectRefused, match=r"without encryption .* not followed"):
            fetch(door, server.url(scheme="https"))


# Stop


def cancelled_at(door: Door, url: str, moment: Event) -> None:
    """Ask, stop at the moment that the server names, and see that it ends."""
    cancellation = Cancellation()

    def stop() -> None:
        assert moment.wait(LONGEST_WAIT)
        cancellation.cancel()

    stopping = Thread(target=stop)
    stopping.start()
    with pytest.raises(Cancelled):
        fetch(door, url, cancellation=cancellation)
    stopping.join()


@pytest.mark.parametrize("first", [b"", response(200, b"half", length=8), b"HTTP/1.1 2"])
def test_a_stop_does_not_wait_for_the_server(log: EgressLog, first: bytes) -> None:
    asked = Event()

    def handler(request: Request, connection: Connection) -> None:
        connection.send(first)
        asked.set()
        connection.wait_for_the_client_to_leave()

    with servers(handler) as [server]:
        cancelled_at(Door(allowing(server.place), log), server.url(), asked)
        assert server.connections[0].ended.wait(LONGEST_WAIT)
    assert [e.outcome for e in log.entries()] == [EgressOutcome.CANCELLED]


def test_a_stop_does_not_wait_for_encryption_to_begin() -> None:
    connected = Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"

        def accept() -> None:
            with listener.accept()[0] as accepted:
                accepted.settimeout(LONGEST_WAIT)
                connected.set()
                while accepted.recv(4096):
                    pass

        accepting = Thread(target=accept)
        accepting.start()
        cancelled_at(Door(allowing(place), MemoryLog()), f"https://{place}/", connected)
        accepting.join()


def test_what_was_stopped_before_is_not_asked(log: EgressLog) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    with servers(saying(response(200))) as [server]:
        with pytest.raises(Cancelled):
            fetch(Door(allowing(server.place), log), server.url(), cancellation=cancellation)
        assert server.connections == []
    assert log.entries() == []


# The log


class FullLog(MemoryLog):
    def begin(self, started: datetime, host: str, purpose: Purpose) -> int:
        raise OSError("no room")


def test_what_cannot_be_logged_is_not_sent() -> None:
    with servers(saying(response(200))) as [server]:
        with pytest.raises(OSError, match="no room"):
            fetch(Door(allowing(server.place), FullLog()), server.url())
        assert server.connections == []


def test_a_request_is_in_the_log_before_it_is_sent(log: EgressLog) -> None:
    seen: list[list[EgressEntry]] = []

    def handler(request: Request, connection: Connection) -> None:
        seen.append(log.entries())
        connection.send(response(200))

    with servers(handler) as [server]:
        fetch(Door(allowing(server.place), log), server.url())
    assert [[e.outcome for e in entries] for entries in seen] == [[EgressOutcome.UNDER_WAY]]


def test_the_log_keeps_no_address_and_no_contents(home: Path) -> None:
    with servers(saying(response(200, b"inner-words"))) as [server], Store.open(home) as store:
        url = server.url("/secret-path?secret-question")
        fetch(Door(allowing(server.place), store.egress), url)
    for file in home.iterdir():
        if file.is_file():
            kept = file.read_bytes()
            assert b"secret" not in kept
            assert b"inner-words" not in kept
