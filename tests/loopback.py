"""A server on this machine that answers as a test tells it to, down to single bytes."""

import socket
import ssl
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Self

LONGEST_WAIT = 30.0
"""Seconds after which a test that waits for the other side has failed."""


@dataclass(frozen=True)
class Request:
    """A request as it arrived; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    size: int


def response(
    status: int = 200,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    *,
    length: int | None = None,
) -> bytes:
    """An answer with its Content-Length; `length` tells another one, -1 none at all."""
    lines = [f"HTTP/1.1 {status} Said"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if length != -1:
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@contextmanager
def watched() -> Iterator[list[str]]:
    """What is tried on sockets, by any library, while the block runs."""
    seen: list[str] = []
    watching = [True]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if watching[0] and event.startswith("socket.") and event != "socket.__new__":
            seen.append(event)

    sys.addaudithook(hook)
    try:
        yield seen
    finally:
        watching[0] = False


@dataclass
class Connection:
    """The server's end of one connection."""

    socket: socket.socket
    sent: int = 0
    ended: Event = field(default_factory=Event)

    def send(self, data: bytes) -> None:
        """Send; a client that has left is no error.

        Counted before, since the client may have it all, and the test look, before this returns.
        """
        self.sent += len(data)
        try:
            self.socket.sendall(data)
        except OSError:
            self.sent -= len(data)

    def reset(self) -> None:
        """End the connection at once, as a broken line does."""
        with suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def wait_for_the_client_to_leave(self) -> None:
        """Return when the client closes its end; fail when it never does."""
        self.socket.settimeout(LONGEST_WAIT)
        with suppress(ConnectionError):
            while self.socket.recv(4096):
                pass
        self.ended.set()


Handler = Callable[[Request, Connection], None]


class Server:
    """Listens on 127.0.0.1; every connection carries one request, which `handler` answers.

    Attributes: `requests` and `connections`, in their order; `failures`, what handlers raised.
    """

    def __init__(self, handler: Handler, *, tls: ssl.SSLContext | None = None) -> None:
        self.handler = handler
        self.requests: list[Request] = []
        self.connections: list[Connection] = []
        self.failures: list[Exception] = []
        self._tls = tls
        self._lock = Lock()
        self._threads: list[Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.place = f"127.0.0.1:{self.port}"
        self._accepting = Thread(target=self._accept)
        self._accepting.start()

    def url(self, path: str = "/", scheme: str = "http") -> str:
        """The address of a path here."""
        return f"{scheme}://{self.place}{path}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()
        for connection in self.connections:
            with suppress(OSError):
                connection.socket.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        assert self.failures == []

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._listener.accept()
            except OSError:
                return
            thread = Thread(target=self._serve, args=(accepted,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, accepted: socket.socket) -> None:
        try:
            if self._tls is not None:
                accepted = self._tls.wrap_socket(accepted, server_side=True)
            connection = Connection(accepted)
            with self._lock:
                self.connections.append(connection)
            request = _read(accepted)
            if request is not None:
                with self._lock:
                    self.requests.append(request)
                self.handler(request, connection)
        except OSError:
            pass
        except Exception as error:
            self.failures.append(error)
        finally:
            with suppress(OSError):
                accepted.shutdown(socket.SHUT_WR)
            accepted.close()


def _read(connection: socket.socket) -> Request | None:
    connection.settimeout(LONGEST_WAIT)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = connection.recv(4096)
        if not piece:
            return None
        head += piece
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ")
    headers = dict(line.split(": ", 1) for line in lines[1:] if line)
    return Request(method, target, {k.lower(): v for k, v in headers.items()}, len(head))
