"""The framed protocol: what goes in comes out, and nonsense is always a named error."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.host.protocol import (
    FRAME_LIMIT,
    FrameMalformed,
    FrameTooLarge,
    FrameTruncated,
    ProtocolError,
    Reply,
    ReplyKind,
    pack,
    parse_reply,
    read_frame,
)

TEXT = st.text(st.characters())  # lone surrogates too, as extracted text may hold them
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)  # fmt: skip
MESSAGES = st.dictionaries(TEXT, VALUES, max_size=5)


class Dribble(io.BytesIO):
    """A stream that gives a byte at a time, as a pipe may."""

    def read(self, count: int | None = -1, /) -> bytes:
        return super().read(min(count or 1, 1))


def read_all(stream: io.BytesIO) -> list[dict[str, object]]:
    messages = []
    while (message := read_frame(stream)) is not None:
        messages.append(message)
    return messages


@given(st.lists(MESSAGES, max_size=4), st.sampled_from([io.BytesIO, Dribble]))
def test_messages_survive_the_trip(
    messages: list[dict[str, object]], stream: type[io.BytesIO]
) -> None:
    assert read_all(stream(b"".join(map(pack, messages)))) == messages


@given(st.lists(MESSAGES, min_size=1, max_size=3), st.data())
def test_a_stream_cut_anywhere_gives_the_whole_frames_then_a_named_error(
    messages: list[dict[str, object]], data: st.DataObject
) -> None:
    frames = [pack(message) for message in messages]
    whole = b"".join(frames)
    cut = data.draw(st.integers(0, len(whole) - 1))
    ends = [sum(map(len, frames[:count])) for count in range(len(frames) + 1)]
    complete = sum(end <= cut for end in ends) - 1
    stream = io.BytesIO(whole[:cut])
    for message in messages[:complete]:
        assert read_frame(stream) == message
    if cut in ends:
        assert read_frame(stream) is None
    else:
        with pytest.raises(FrameTruncated):
            read_frame(stream)


@given(st.binary(max_size=200))
def test_random_bytes_end_or_raise_a_named_error(noise: bytes) -> None:
    stream = io.BytesIO(noise)
    try:
        messages = read_all(stream)
    except ProtocolError:
        return
    assert stream.read() == b""
    assert len(messages) <= len(noise) // len(pack({}))


@given(st.binary(max_size=100))
def test_random_bodies_give_an_object_or_a_named_error(body: bytes) -> None:
    frame = len(body).to_bytes(4, "big") + body
    try:
        message = read_frame(io.BytesIO(frame))
    except FrameMalformed:
        return
    assert message == json.loads(body)
    assert isinstance(message, dict)


@given(MESSAGES | st.fixed_dictionaries({"id": VALUES, "kind": TEXT, "value": VALUES})
       | st.fixed_dictionaries({"id": st.integers(), "kind": st.sampled_from(list(ReplyKind)),
                                "value": VALUES}))  # fmt: skip
def test_any_object_is_a_sound_reply_or_a_named_error(message: dict[str, object]) -> None:
    try:
        reply = parse_reply(message)
    except FrameMalformed:
        return
    assert (reply.id, reply.kind, reply.value) == (message["id"], message["kind"], message["value"])
    assert parse_reply(reply.message()) == reply


@pytest.mark.parametrize(
    ("kind", "value", "final"),
    [
        (ReplyKind.READY, None, False),
        (ReplyKind.PROGRESS, [1, 2, "Reading page 1"], False),
        (ReplyKind.PIECE, {"text": "…"}, False),
        (ReplyKind.RESULT, None, True),
        (ReplyKind.RESULT, [1, "a"], True),
        (ReplyKind.ERROR, {"code": "empty_file", "message": "It is empty.", "details": ""}, True),
    ],
)
def test_each_kind_of_reply(kind: ReplyKind, value: object, final: bool) -> None:
    reply = parse_reply({"id": 3, "kind": kind.value, "value": value})
    assert reply == Reply(3, kind, value)
    assert reply.final is final


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"id": 1, "kind": "verdict", "value": 1},
        {"id": 1, "kind": ["result"], "value": 1},
        {"id": "1", "kind": "result", "value": 1},
        {"id": True, "kind": "result", "value": 1},
        {"id": 1, "kind": "result"},
        {"id": 1, "kind": "progress", "value": [1, 2]},
        {"id": 1, "kind": "progress", "value": [1.5, 2, "x"]},
        {"id": 1, "kind": "progress", "value": "123"},
        {"id": 1, "kind": "piece", "value": [1]},
        {"id": 1, "kind": "error", "value": {"code": "x"}},
        {"id": 1, "kind": "error", "value": {"code": "x", "message": "x"}},
        {"id": 1, "kind": "error", "value": {"code": 1, "message": "x", "details": "x"}},
        {"id": 1, "kind": "error", "value": None},
    ],
)
def test_a_reply_without_its_shape_is_refused(message: dict[str, object]) -> None:
    with pytest.raises(FrameMalformed):
        parse_reply(message)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"1",
        b"null",
        b'"text"',
        b"{",
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":1}{"b":2}',
        b"\xff\xfe{\x00}\x00",
        b'{"a":"\xff"}',
        b'{"a":' * 50_000,
        b'{"a":' + b"9" * 10_000 + b"}",
    ],
)
def test_a_frame_without_an_object_is_malformed(body: bytes) -> None:
    with pytest.raises(FrameMalformed):
        read_frame(io.BytesIO(len(body).to_bytes(4, "big") + body))


def test_an_oversized_frame_is_refused_before_it_is_read() -> None:
    stream = io.BytesIO((FRAME_LIMIT + 1).to_bytes(4, "big") + b"x" * 100)
    with pytest.raises(FrameTooLarge):
        read_frame(stream)
    assert stream.tell() == 4


def test_the_limit_is_the_body_and_holds_on_both_sides() -> None:
    message = {"a": "x" * 92}
    frame = pack(message, limit=100)
    assert len(frame) == 104
    assert read_frame(io.BytesIO(frame), limit=100) == message
    with pytest.raises(FrameTooLarge):
        pack({"a": "x" * 93}, limit=100)
    with pytest.raises(FrameTooLarge):
        read_frame(io.BytesIO(frame), limit=99)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"bytes", {1, 2}])
def test_what_json_cannot_hold_is_not_packed(value: object) -> None:
    with pytest.raises(FrameMalformed):
        pack({"value": value})
