"""The only door to the network.

Every request passes the policy, and so does every redirect before it is followed; each is written
into the log before it is sent. Nothing of the surroundings has a say: no proxy or credentials
from environment variables or files, no cookies, no kept connections. The HTTP library is imported
when the first request is made, and nowhere else.

    door = Door(policy, log)
    with door.open("GET", url, Purpose.MODEL_DOWNLOAD, cancellation=cancellation) as answer:
        for chunk in answer.chunks():
            file.write(chunk)
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, Full, Queue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Literal

from core.cancellation import Cancellation, Cancelled
from core.clock import SystemClock
from core.egress_log import EgressLog, EgressOutcome
from core.egress_policy import (
    Address,
    EgressError,
    EgressPolicy,
    EgressRefused,
    NotAllowed,
    Purpose,
    RedirectRefused,
)
from core.ports import Clock

if TYPE_CHECKING:
    import ssl

    import httpx

CONNECT_SECONDS = 15.0
"""How long a connection may take to come about."""

SILENCE_SECONDS = 60.0
"""How long a server may say nothing before its connection counts as cut."""

MOST_REDIRECTS = 8

_REDIRECTS = frozenset({301, 302, 303, 307, 308})

_ALWAYS = {
    "User-Agent": "Countersign",
    "Accept": "*/*",
    # What is received is what its length and hash were given for.
    "Accept-Encoding": "identity",
    "Connection": "close",
}

_FOR_ANYBODY = frozenset({"accept", "range", "if-range"})
"""What a caller sets that may also go to another host, to which a redirect pointed."""

_LOOK_EVERY = 0.05
"""Seconds between two looks at whether the person asked to stop."""

_BEFORE_SENDING = frozenset(
    {
        "connection.connect_tcp.complete",
        "connection.start_tls.complete",
        "http11.send_request_headers.started",
    }
)
"""Steps of the library at which an exchange that was stopped can still end unsent."""

_BOTH_WAYS = 2
"""`socket.SHUT_RDWR`; only the HTTP library imports sockets."""

_USUAL_PORTS = {"https": 443, "http": 80}


class Unreachable(EgressError):
    """There is no connection to the host."""


class Untrusted(EgressError):
    """The host could not prove who it is; nothing was sent to it."""


class Cut(EgressError):
    """The connection ended, or fell silent, before everything had come."""


class Silent(Cut):
    """The server said nothing for too long."""


class Answer:
    """What a server answered.

    Attributes: `status`; `headers`, names in lower case; `address`, who answered.
    """

    def __init__(self, exchange: "_Exchange", cancellation: Cancellation | None) -> None:
        """Wait for the head of the answer. Raises `EgressError` and `Cancelled`."""
        self._exchange = exchange
        self._cancellation = cancellation
        head = exchange.next(cancellation)
        assert isinstance(head, _Head)
        self.status = head.status
        self.headers: Mapping[str, str] = head.headers
        self.address = exchange.address

    def chunks(self) -> Iterator[bytes]:
        """The body as it comes, never unpacked. Raises `Cut` and `Cancelled`, at once."""
        while True:
            chunk = self._exchange.next(self._cancellation)
            if chunk is None:
                return
            assert isinstance(chunk, bytes)
            yield chunk


class Door:
    """Asks over the network what its policy allows. May be used from any thread."""

    def __init__(
        self,
        policy: EgressPolicy,
        log: EgressLog,
        *,
        clock: Clock | None = None,
        connect_seconds: float = CONNECT_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        """A door that is open as far as `policy` says; `log` learns of each request."""
        self._policy = policy
        self._log = log
        self._clock = clock or SystemClock()
        self._trusted: ssl.SSLContext | None = None
        self._trusting = Lock()
        self._timeout = {
            "connect": connect_seconds,
            "read": silence_seconds,
            "write": silence_seconds,
            "pool": None,
        }

    @contextmanager
    def open(
        self,
        method: Literal["GET", "HEAD"],
        url: str,
        purpose: Purpose,
        *,
        headers: Mapping[str, str] | None = None,
        relative_only: bool = False,
        cancellation: Cancellation | None = None,
    ) -> Iterator[Answer]:
        """Ask, follow redirects, and give the answer, whatever its status, while the block runs.

        `relative_only`: a redirect that names a host is not followed but given as the answer.
        Raises `EgressRefused` with nothing sent to the place in question, `Unreachable`,
        `Untrusted`, `Cut`, and `core.cancellation.Cancelled`.
        """
        here = _parsed(url)
        self._admit(_address(here), purpose)
        wanted = dict(headers or {})
        for _ in range(MOST_REDIRECTS + 1):
            with self._asked(method, here, purpose, wanted, cancellation) as answer:
                there = _onward(answer, here, relative_only)
                if there is None:
                    yield answer
                    return
                source = answer.address
            target = _address(there)
            self._admit(target, purpose, source)
            if target != source:
                wanted = {k: v for k, v in wanted.items() if k.lower() in _FOR_ANYBODY}
            here = there
        raise RedirectRefused(
            f"{source.place} pointed on and on to other addresses. It was not followed any further."
        )

    def _admit(self, address: Address, purpose: Purpose, source: Address | None = None) -> None:
        """Ask the policy, also about where `source` pointed; write a refusal into the log."""
        try:
            if source is None:
                self._policy.check(address, purpose)
            else:
                self._policy.check_redirect(source, address, purpose)
        except EgressRefused:
            entry = self._log.begin(self._clock.now(), address.place, purpose)
            self._log.finish(entry, EgressOutcome.REFUSED, sent=0, received=0, status=None)
            raise

    @contextmanager
    def _asked(
        self,
        method: str,
        url: "httpx.URL",
        purpose: Purpose,
        headers: Mapping[str, str],
        cancellation: Cancellation | None,
    ) -> Iterator[Answer]:
        """One request and its answer, written into the log."""
        if cancellation is not None:
            cancellation.check()
        address = _address(url)
        trusted = self._authorities() if address.scheme == "https" else None
        entry = self._log.begin(self._clock.now(), address.place, purpose)
        exchange = _Exchange(method, url, address, {**_ALWAYS, **headers}, self._timeout, trusted)
        try:
            yield Answer(exchange, cancellation)
        finally:
            exchange.stop()
            self._log.finish(
                entry,
                exchange.outcome,
                sent=exchange.sent,
                received=exchange.received,
                status=exchange.status,
            )

    def _authorities(self) -> "ssl.SSLContext":
        """Who is trusted to say who a server is; read once, since it takes a while."""
        import httpx

        with self._trusting:
            if self._trusted is None:
                self._trusted = httpx.create_ssl_context(trust_env=False)
            return self._trusted


class _Head:
    """Status and headers of an answer."""

    def __init__(self, status: int, headers: Mapping[str, str]) -> None:
        self.status = status
        self.headers = headers


class _Stopped(Exception):
    """Nobody waits for this exchange any more."""


class _Exchange:
    """One request on a thread of its own, so that no stop ever waits for a socket or a name.

    The thread gives a head, pieces of the body, and None at the end; or what went wrong.
    """

    def __init__(
        self,
        method: str,
        url: "httpx.URL",
        address: Address,
        headers: Mapping[str, str],
        timeout: Mapping[str, float | None],
        trusted: "ssl.SSLContext | None",
    ) -> None:
        self.address = address
        self.outcome = EgressOutcome.FAILED
        self.sent = 0
        self.received = 0
        self.status: int | None = None
        self._method = method
        self._url = url
        self._headers = headers
        self._timeout = timeout
        self._trusted = trusted
        self._ended = False
        self._stopped = Event()
        self._socket: Any = None
        self._given: Queue[_Head | bytes | Exception | None] = Queue(maxsize=16)
        Thread(target=self._run, name="egress", daemon=True).start()

    def next(self, cancellation: Cancellation | None) -> _Head | bytes | None:
        """What comes next; None after the end. Raises `EgressError` and `Cancelled`."""
        while not self._ended:
            try:
                if cancellation is not None:
                    cancellation.check()
                given = self._given.get(timeout=_LOOK_EVERY)
            except Cancelled:
                self.outcome = EgressOutcome.CANCELLED
                raise
            except Empty:
                continue
            if isinstance(given, Exception):
                self._ended = True
                self.outcome = EgressOutcome.FAILED
                raise given
            if isinstance(given, _Head):
                self.status = given.status
                self.outcome = EgressOutcome.ANSWERED
            self._ended = given is None
            return given
        return None

    def stop(self) -> None:
        """Let go of the connection; the thread ends by itself."""
        self._stopped.set()
        if not self._ended and self._socket is not None:
            # Wakes the thread where it waits for the server.
            with suppress(OSError):
                self._socket.shutdown(_BOTH_WAYS)

    def _run(self) -> None:
        try:
            self._ask()
            self._give(None)
        except _Stopped:
            return
        except Exception as error:
            with suppress(_Stopped):
                self._give(self._named(error))
        finally:
            if self._socket is not None:
                self._socket.close()

    def _ask(self) -> None:
        import httpx

        request = httpx.Request(
            self._method,
            self._url,
            headers=self._headers,
            extensions={"timeout": self._timeout, "trace": self._trace},
        )
        # The transport by itself: no cookies, no environment, no redirects, no logging of URLs.
        verify = False if self._trusted is None else self._trusted
        with httpx.HTTPTransport(verify=verify, trust_env=False) as transport:
            response = transport.handle_request(request)
            try:
                reason = response.extensions.get("reason_phrase", b"")
                self.received += _size(b"HTTP/1.1 200 " + reason, response.headers.raw)
                self._give(_Head(response.status_code, dict(response.headers)))
                assert isinstance(response.stream, httpx.SyncByteStream)
                for chunk in response.stream:
                    self.received += len(chunk)
                    self._give(chunk)
            finally:
                response.close()

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Called by the library at each step; the one place to stop before anything is sent."""
        if event == "connection.connect_tcp.complete":
            # A handle of its own: the library gives its one away when encryption begins.
            self._socket = info["return_value"].get_extra_info("socket").dup()
        if event in _BEFORE_SENDING and self._stopped.is_set():
            if "return_value" in info:
                info["return_value"].close()
            raise _Stopped
        if event == "http11.send_request_headers.started":
            request = info["request"]
            line = b" ".join((request.method, request.url.target, b"HTTP/1.1"))
            self.sent += _size(line, request.headers)

    def _give(self, item: _Head | bytes | Exception | None) -> None:
        while not self._stopped.is_set():
            try:
                self._given.put(item, timeout=_LOOK_EVERY)
                return
            except Full:
                continue
        raise _Stopped

    def _named(self, error: Exception) -> Exception:
        """The door's own error for one of the library."""
        import httpx

        place = self.address.place
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                named: Exception = Untrusted(
                    f"{place} could not prove who it is: its certificate is not trusted. Nothing "
                    "was sent to it. Check this computer's date, and whether something on the way "
                    "opens encrypted connections."
                )
            else:
                named = Unreachable(
                    f"{place} could not be reached. Check that this computer is connected to the "
                    "network, and try again."
                )
        elif isinstance(error, httpx.TimeoutException):
            named = Silent(f"{place} said nothing for too long. The connection was cut.")
        elif isinstance(error, httpx.TransportError):
            named = Cut(f"The connection to {place} was cut before everything had come.")
        else:
            return error
        named.__cause__ = error
        return named


def _parsed(url: str) -> "httpx.URL":
    """Raises `NotAllowed` for what is no address, or one that carries a name and password."""
    import httpx

    no_address = NotAllowed("This is not an address on a network. Nothing was sent.")
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise no_address from error
    if not parsed.scheme:
        raise no_address
    if parsed.userinfo:
        raise NotAllowed("The address carries a name or a password. Nothing was sent.")
    return parsed


def _address(url: "httpx.URL") -> Address:
    port = url.port or _USUAL_PORTS.get(url.scheme, 0)
    return Address(url.scheme, url.raw_host.decode("ascii"), port)


def _onward(answer: Answer, here: "httpx.URL", relative_only: bool) -> "httpx.URL | None":
    """Where the answer points; None where it is to be taken as it is."""
    location = answer.headers.get("location")
    if answer.status not in _REDIRECTS or location is None:
        return None
    import httpx

    try:
        pointed = httpx.URL(location)
        if relative_only and (pointed.scheme or pointed.host):
            return None
        target = here.join(location)
    except (httpx.InvalidURL, ValueError) as error:
        raise RedirectRefused(
            f"{answer.address.place} pointed to something that is not an address. It was not "
            "followed."
        ) from error
    if target.userinfo:
        raise RedirectRefused(
            f"{answer.address.place} pointed to an address with a name or a password. It was not "
            "followed."
        )
    return target


def _size(first_line: bytes, headers: Sequence[tuple[bytes, bytes]]) -> int:
    """Bytes of a head in HTTP/1.1, its empty last line included."""
    return len(first_line) + 4 + sum(len(name) + len(value) + 4 for name, value in headers)
