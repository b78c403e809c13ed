"""The framed JSON protocol that a supervisor and its worker process speak over pipes.

A frame is a length, four bytes, big-endian, and that many bytes of UTF-8 JSON: one object.

From the supervisor, by `kind`:

- ``{"kind": "configure", "id": 0, "memory_limit": bytes or null, "niceness": n}``, once, first
- ``{"kind": "request", "id": n, "method": name, "params": {…}}``
- ``{"kind": "cancel", "id": n}``

From the worker, always ``{"id": n, "kind": …, "value": …}``:

- ``ready``: the worker has started (id 0, value null)
- ``progress``: ``[done, total, what is being done]``; total is 0 while it is unknown
- ``piece``: a part of the answer, an object
- ``result``: the answer or the rest of it; the call is over
- ``error``: ``{"code": …, "message": …, "details": …}``; the message is in the person's words, the
  details are for a bug report; the call is over
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, BinaryIO

FRAME_LIMIT = 16 * 1024 * 1024
"""Bytes of JSON in one frame, at most."""

HEADER_BYTES = 4


class ProtocolError(Exception):
    """The other side does not keep to the protocol. The message holds no content of the frame."""


class FrameTooLarge(ProtocolError):
    """A frame is over `FRAME_LIMIT`."""


class FrameTruncated(ProtocolError):
    """The stream ended inside a frame."""


class FrameMalformed(ProtocolError):
    """A frame is not a JSON object, or not one that the protocol knows."""


class ReplyKind(StrEnum):
    """What a worker's message is."""

    READY = "ready"
    PROGRESS = "progress"
    PIECE = "piece"
    RESULT = "result"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Reply:
    """One message of a worker, checked to have the shape that its kind asks for."""

    id: int
    kind: ReplyKind
    value: Any

    @property
    def final(self) -> bool:
        """Whether the call is over with this message."""
        return self.kind in (ReplyKind.RESULT, ReplyKind.ERROR)

    def message(self) -> dict[str, Any]:
        """The reply as the JSON object that goes into a frame."""
        return {"id": self.id, "kind": self.kind.value, "value": self.value}


def pack(message: dict[str, Any], *, limit: int = FRAME_LIMIT) -> bytes:
    """The frame of a message.

    Text is escaped to ASCII, so that lone surrogates, which documents do hold, survive the trip.
    Raises `FrameTooLarge`, and `FrameMalformed` for a value that JSON cannot hold.
    """
    try:
        body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise FrameMalformed("A message holds a value that JSON cannot carry.") from error
    if len(body) > limit:
        raise FrameTooLarge(f"A message of {len(body)} bytes is over the limit of {limit}.")
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def read_frame(stream: BinaryIO, *, limit: int = FRAME_LIMIT) -> dict[str, Any] | None:
    """The next message of a blocking stream; None where the stream ends between two frames.

    Raises `FrameTooLarge`, `FrameTruncated` or `FrameMalformed`. After an error the stream has
    lost its place and must be closed.
    """
    header = _read(stream, HEADER_BYTES)
    if not header:
        return None
    if len(header) < HEADER_BYTES:
        raise FrameTruncated("The stream ended inside a frame's length.")
    length = int.from_bytes(header, "big")
    if length > limit:
        raise FrameTooLarge(f"A frame of {length} bytes is over the limit of {limit}.")
    body = _read(stream, length)
    if len(body) < length:
        raise FrameTruncated(f"The stream ended after {len(body)} of {length} bytes of a frame.")
    try:
        message = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise FrameMalformed("A frame does not hold JSON.") from error
    if not isinstance(message, dict):
        raise FrameMalformed("A frame holds JSON, but not an object.")
    return message


def parse_reply(message: dict[str, Any]) -> Reply:
    """The reply in a worker's message. Raises `FrameMalformed`."""
    number, value = message.get("id"), message.get("value")
    try:
        kind = ReplyKind(message.get("kind", ""))
    except ValueError as error:
        raise FrameMalformed("A reply is of no known kind.") from error
    if not isinstance(number, int) or isinstance(number, bool) or "value" not in message:
        raise FrameMalformed("A reply lacks its number or its value.")
    if not _has_shape(kind, value):
        raise FrameMalformed(f"A reply of kind {kind.value} does not have that kind's shape.")
    return Reply(number, kind, value)


def _has_shape(kind: ReplyKind, value: object) -> bool:
    match kind, value:
        case ReplyKind.PROGRESS, [done, total, str()]:
            return _is_integer(done) and _is_integer(total)
        case ReplyKind.ERROR, {"code": str(), "message": str(), "details": str()}:
            return True
        case ReplyKind.PIECE, dict():
            return True
        case ReplyKind.READY | ReplyKind.RESULT, _:
            return True
    return False


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _read(stream: BinaryIO, count: int) -> bytes:
    """`count` bytes, or fewer where the stream ends; asks again after a short read."""
    parts: list[bytes] = []
    while count > 0:
        part = stream.read(count)
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
