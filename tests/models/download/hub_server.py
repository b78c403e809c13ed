"""A hub and the server that delivers its files, as they answer a download, on this machine."""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from core.egress import Door
from core.egress_log import EgressLog, MemoryLog
from core.egress_policy import Allowance, EgressPolicy, Purpose
from models.hub import HubFile
from tests.loopback import Connection, Request, Server, response

COMMIT = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
PATH = f"/someone/Some-Model/resolve/{COMMIT}/sub/model.gguf"

Deliver = Callable[[bytes, Connection], None]


def deliver_all(answer: bytes, connection: Connection) -> None:
    """Send the whole answer."""
    connection.send(answer)


@dataclass
class Hub:
    """What the two servers have and how they behave; a test changes it as it likes.

    `linked`: the headers that the hub gives with its redirect. `head` and `get` answer instead
    of the hub, `deliver` sends what the other server has to send; `answer` answers instead of it.
    """

    content: bytes
    linked: dict[str, str] = field(default_factory=dict)
    head: bytes | None = None
    get: bytes | None = None
    answer: Callable[[Request], bytes] | None = None
    deliver: Deliver = deliver_all
    hub: Server = field(init=False)
    cdn: Server = field(init=False)

    def __post_init__(self) -> None:
        self.linked = {
            "X-Linked-Etag": f'"{hashlib.sha256(self.content).hexdigest()}"',
            "X-Linked-Size": str(len(self.content)),
            "X-Repo-Commit": COMMIT,
        } | self.linked

    def file(self, **changes: object) -> HubFile:
        """The file, pinned as it is here unless `changes` say otherwise."""
        pinned: dict[str, object] = {
            "repository": "someone/Some-Model",
            "revision": COMMIT,
            "file": "sub/model.gguf",
            "size": len(self.content),
            "sha256": hashlib.sha256(self.content).hexdigest(),
            "endpoint": self.hub.url("").rstrip("/"),
        }
        return HubFile(**(pinned | changes))  # type: ignore[arg-type]

    def policy(self) -> EgressPolicy:
        """Opens the two servers and nothing else."""
        places = frozenset({self.hub.place, self.cdn.place})
        return EgressPolicy(online=True, allowed=(Allowance(Purpose.MODEL_DOWNLOAD, places),))

    def door(self, log: EgressLog | None = None) -> Door:
        """A door to the two servers."""
        return Door(self.policy(), log or MemoryLog())

    def loaded(self) -> list[str]:
        """The Range of each request for bytes; "" where there was none."""
        return [r.headers.get("range", "") for r in self.cdn.requests if r.method == "GET"]

    def on_hub(self, request: Request, connection: Connection) -> None:
        """Answer for the hub."""
        instead = self.head if request.method == "HEAD" else self.get
        if request.target != PATH:
            instead = response(404, headers={"X-Error-Code": "EntryNotFound"})
        to = {"Location": self.cdn.url("/bytes?signed=yes")}
        connection.send(instead or response(302, headers=self.linked | to))

    def on_cdn(self, request: Request, connection: Connection) -> None:
        """Answer for the server that has the bytes."""
        if self.answer is not None:
            self.deliver(self.answer(request), connection)
            return
        # Looks like a SHA-256 and is none of the file.
        headers = {"ETag": f'"{"ab" * 32}"', "Accept-Ranges": "bytes"}
        asked = re.fullmatch(r"bytes=(\d+)-", request.headers.get("range", ""))
        size = len(self.content)
        if asked is None:
            said = response(200, self.content, headers)
        elif (first := int(asked[1])) < size:
            headers["Content-Range"] = f"bytes {first}-{size - 1}/{size}"
            said = response(206, self.content[first:], headers)
        else:
            said = response(416, headers={"Content-Range": f"bytes */{size}"})
        self.deliver(said, connection)


@contextmanager
def hub_of(content: bytes) -> Iterator[Hub]:
    """A hub with one file."""
    hub = Hub(content)
    with ExitStack() as stack:
        hub.cdn = stack.enter_context(Server(hub.on_cdn))
        hub.hub = stack.enter_context(Server(hub.on_hub))
        yield hub


def cut_after(*counts: int, then: Deliver = deliver_all, reset: bool = False) -> Deliver:
    """End the first deliveries after so many bytes of their bodies; the later ones are `then`."""
    left = list(counts)

    def deliver(answer: bytes, connection: Connection) -> None:
        if not left:
            then(answer, connection)
            return
        head, empty, body = answer.partition(b"\r\n\r\n")
        connection.send(head + empty + body[: left.pop(0)])
        if reset:
            connection.reset()

    return deliver
