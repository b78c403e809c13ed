"""Hubs that have another file, refuse, are busy, or cannot be reached."""

import hashlib
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.egress import Door
from core.egress_log import EgressOutcome, MemoryLog
from core.egress_policy import Allowance, EgressPolicy, Purpose
from models.download import LONGEST_PAUSE, TRIES, download
from models.download_errors import (
    DownloadError,
    Gated,
    HubBusy,
    HubRefused,
    NetworkClosed,
    NoNetwork,
    NotOnHub,
    OtherFile,
    Repacked,
    WrongHash,
    WrongSize,
)
from tests.loopback import Connection, Request, Server, response
from tests.models.download.hub_server import Hub, cut_after, hub_of
from tests.models.download.steps import (
    CONTENT,
    Pauses,
    begin,
    load,
    names,
    size_of_part,
    whole,
)

# Not the pinned file


@pytest.mark.parametrize(
    "change",
    [
        {"X-Linked-Etag": f'"{"0" * 64}"'},
        {"X-Linked-Etag": f'W/"{"AB" * 32}"'},
        {"X-Linked-Size": "299999"},
        {"X-Linked-Size": "3000000"},
    ],
)
def test_another_file_on_the_hub_is_refused_before_it_is_loaded(
    hub: Hub, folder: Path, change: dict[str, str]
) -> None:
    begin(hub, folder, 1000)
    hub.linked |= change
    with pytest.raises(OtherFile, match=r"another model\.gguf .* was not loaded"):
        load(hub, folder)
    assert hub.cdn.requests == []
    assert size_of_part(folder) == 1000


def test_a_file_of_another_size_on_a_mirror_is_refused_before_it_is_loaded(
    hub: Hub, folder: Path
) -> None:
    hub.head = response(200, length=len(CONTENT) + 1)
    with pytest.raises(OtherFile):
        load(hub, folder)
    assert [r.method for r in hub.hub.requests] == ["HEAD"]


@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
@settings(max_examples=15)
def test_one_wrong_byte_is_enough(at: int, change: int) -> None:
    wrong = bytearray(CONTENT)
    wrong[at] ^= change
    with hub_of(CONTENT) as hub, tempfile.TemporaryDirectory() as name:
        hub.answer = lambda request: response(200, bytes(wrong))
        with pytest.raises(WrongHash, match="was removed"):
            load(hub, Path(name))
        assert hub.loaded() == [""]
        assert names(Path(name)) == []


def test_a_resumed_file_that_is_wrong_is_loaded_anew_once_and_then_refused(
    hub: Hub, folder: Path
) -> None:
    begin(hub, folder, 1000)
    hub.content = bytes(len(CONTENT))
    file = hub.file(sha256=hashlib.sha256(CONTENT).hexdigest())
    with pytest.raises(WrongHash):
        download(file, folder, hub.door())
    assert hub.loaded() == ["bytes=1000-", ""]
    assert names(folder) == []


@pytest.mark.parametrize("more", [1, 500_000])
def test_a_body_longer_than_the_file_is_removed(hub: Hub, folder: Path, more: int) -> None:
    hub.answer = lambda request: response(200, CONTENT + b"x" * more, length=-1)
    with pytest.raises(WrongSize, match=r"longer than it should be\. It was removed"):
        load(hub, folder)
    assert names(folder) == []


@pytest.mark.parametrize("body", [b"<html>Sign in to use this network</html>", CONTENT + b"x"])
def test_a_body_of_another_length_is_refused_and_the_part_kept(
    hub: Hub, folder: Path, body: bytes
) -> None:
    begin(hub, folder, 1000)
    hub.answer = lambda request: response(200, body)
    with pytest.raises(WrongSize, match=r"1\.0 kB of 300\.0 kB\) is kept"):
        load(hub, folder)
    assert size_of_part(folder) == 1000


@pytest.mark.parametrize("encoding", ["gzip", "br", "x-unknown"])
def test_a_body_that_was_compressed_on_the_way_is_refused(
    hub: Hub, folder: Path, encoding: str
) -> None:
    hub.answer = lambda request: response(200, CONTENT, {"Content-Encoding": encoding})
    with pytest.raises(Repacked, match=r"compressed.*Nothing was loaded"):
        load(hub, folder)
    assert size_of_part(folder) == 0


def test_a_body_that_is_marked_as_itself_is_taken(hub: Hub, folder: Path) -> None:
    hub.answer = lambda request: response(200, CONTENT, {"Content-Encoding": "identity"})
    load(hub, folder)
    assert whole(folder)


# What the hub refuses


@pytest.mark.parametrize(
    ("status", "code", "error", "said"),
    [
        (401, "GatedRepo", Gated, "accepted its terms"),
        (403, "GatedRepo", Gated, "never signs in"),
        (401, "RepoNotFound", NotOnHub, "or it is private"),
        (401, "", NotOnHub, "or it is private"),
        (404, "RepoNotFound", NotOnHub, "or it is private"),
        (404, "EntryNotFound", NotOnHub, r"sub/model\.gguf is not in someone/Some-Model"),
        (404, "RevisionNotFound", NotOnHub, "no longer has this version"),
        (404, "", NotOnHub, "or it is private"),
        (410, "", NotOnHub, "or it is private"),
        (400, "", HubRefused, "status 400"),
        (403, "", HubRefused, "status 403"),
        (418, "", HubRefused, "status 418"),
        (451, "", HubRefused, "status 451"),
    ],
)
@pytest.mark.parametrize("method", ["head", "get"])
def test_a_refusal_is_told_as_what_it_is_and_asked_once(
    hub: Hub,
    folder: Path,
    pauses: Pauses,
    method: str,
    status: int,
    code: str,
    error: type[DownloadError],
    said: str,
) -> None:
    begin(hub, folder, 1000)
    setattr(hub, method, response(status, headers={"X-Error-Code": code} if code else {}))
    with pytest.raises(error, match=said) as raised:
        load(hub, folder, pauses)
    assert "is kept" in str(raised.value)
    assert [r.method.lower() for r in hub.hub.requests][-1] == method
    assert pauses == []
    assert size_of_part(folder) == 1000


@pytest.mark.parametrize("status", [204, 205, 300, 304])
def test_an_answer_without_the_file_is_refused(hub: Hub, folder: Path, status: int) -> None:
    hub.get = response(status)
    with pytest.raises(HubRefused, match=f"status {status}"):
        load(hub, folder)


# Busy hubs


class Turns:
    """Fails so many times with an answer, then lets the usual one through."""

    def __init__(self, hub: Hub, method: str, answer: bytes, times: int) -> None:
        self.left = times
        usual = hub.hub.handler

        def handler(request: Request, connection: Connection) -> None:
            if request.method == method and self.left:
                self.left -= 1
                connection.send(answer)
            else:
                usual(request, connection)

        hub.hub.handler = handler


@pytest.mark.parametrize("method", ["HEAD", "GET"])
@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 520])
def test_a_busy_hub_is_asked_again_ever_more_slowly(
    hub: Hub, folder: Path, pauses: Pauses, method: str, status: int
) -> None:
    Turns(hub, method, response(status), TRIES - 1)
    load(hub, folder, pauses)
    assert whole(folder)
    assert len(pauses) == TRIES - 1
    for number, seconds in enumerate(pauses):
        assert 0.5 * 2**number <= seconds <= 2**number


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"RateLimit": '"resolvers";r=0;t=45', "RateLimit-Policy": '"fixed";w=300'}, 45.0),
        ({"Retry-After": "9", "RateLimit": '"resolvers";r=0;t=45'}, 9.0),
    ],
)
def test_a_hub_that_names_a_pause_is_obeyed(
    hub: Hub, folder: Path, pauses: Pauses, headers: dict[str, str], seconds: float
) -> None:
    Turns(hub, "HEAD", response(429, headers=headers), 1)
    load(hub, folder, pauses)
    assert pauses == [seconds]
    assert whole(folder)


@pytest.mark.parametrize("after", ["soon", "-5", "1e3", "Sun, 99 Mar 2026", "٣"])
def test_a_pause_that_cannot_be_read_is_a_usual_one(
    hub: Hub, folder: Path, pauses: Pauses, after: str
) -> None:
    # As the bytes of UTF-8, whatever is in it.
    answer = response(429).replace(b"\r\n", f"\r\nRetry-After: {after}\r\n".encode(), 1)
    Turns(hub, "HEAD", answer, 1)
    load(hub, folder, pauses)
    assert len(pauses) == 1
    assert 0.5 <= pauses[0] <= 1.0


def test_a_hub_that_asks_for_a_long_pause_is_not_waited_for(
    hub: Hub, folder: Path, pauses: Pauses
) -> None:
    Turns(hub, "HEAD", response(429, headers={"Retry-After": str(int(LONGEST_PAUSE) + 1)}), 1)
    with pytest.raises(HubBusy, match="Try again in 6 minutes"):
        load(hub, folder, pauses)
    assert pauses == []


@pytest.mark.parametrize(("status", "said"), [(429, "asks to wait"), (503, "status 503")])
def test_a_hub_that_stays_busy_is_left(
    hub: Hub, folder: Path, pauses: Pauses, status: int, said: str
) -> None:
    hub.head = response(status)
    with pytest.raises(HubBusy, match=f"{said}.*Nothing was loaded.*Try again later"):
        load(hub, folder, pauses)
    assert len(hub.hub.requests) == TRIES
    assert len(pauses) == TRIES - 1


def test_a_hub_that_is_always_cut_at_the_same_place_is_left_with_the_part_kept(
    hub: Hub, folder: Path, pauses: Pauses
) -> None:
    hub.deliver = cut_after(1000, *[0] * 50)
    with pytest.raises(NoNetwork, match=r"was cut .* is kept"):
        load(hub, folder, pauses)
    assert hub.loaded() == [""] + ["bytes=1000-"] * (TRIES - 1)
    assert size_of_part(folder) == 1000


def test_a_hub_that_starts_from_nothing_each_time_is_left(
    hub: Hub, folder: Path, pauses: Pauses
) -> None:
    hub.answer = lambda request: response(200, CONTENT)
    hub.deliver = cut_after(*[1000] * 50)
    with pytest.raises(NoNetwork):
        load(hub, folder, pauses)
    assert len(hub.loaded()) == TRIES


# No network, closed network


def test_where_nobody_answers_is_told_at_once(folder: Path, pauses: Pauses) -> None:
    with hub_of(CONTENT) as hub:
        file, door = hub.file(), hub.door()
    with pytest.raises(NoNetwork, match=r"could not be reached.*Nothing was loaded"):
        download(file, folder, door, pause=pauses)
    assert pauses == []


def test_a_network_that_goes_away_is_waited_for(folder: Path, pauses: Pauses) -> None:
    with ExitStack() as stack:
        hub = Hub(CONTENT)
        hub.hub = stack.enter_context(Server(hub.on_hub))
        with Server(hub.on_cdn) as gone:
            hub.cdn = gone
        with pytest.raises(NoNetwork, match="could not be reached"):
            load(hub, folder, pauses)
    assert len(pauses) == TRIES - 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"online": False}, "works offline"),
        ({"confidential": True}, "confidential"),
        ({"allowed": ()}, "not among the places"),
    ],
)
def test_a_closed_door_is_told_in_its_words(
    hub: Hub, folder: Path, pauses: Pauses, change: dict[str, object], said: str
) -> None:
    door = Door(replace(hub.policy(), **change), MemoryLog())  # type: ignore[arg-type]
    with pytest.raises(NetworkClosed, match=f"{said}.*Nothing was loaded"):
        download(hub.file(), folder, door, pause=pauses)
    assert hub.hub.connections == []
    assert pauses == []


def test_the_hub_cannot_send_the_download_anywhere(hub: Hub, folder: Path, pauses: Pauses) -> None:
    only = Allowance(Purpose.MODEL_DOWNLOAD, frozenset({hub.hub.place}))
    door = Door(EgressPolicy(online=True, allowed=(only,)), MemoryLog())
    with pytest.raises(NetworkClosed, match="was not followed"):
        download(hub.file(), folder, door, pause=pauses)
    assert hub.cdn.connections == []
    assert pauses == []


def test_every_request_of_a_download_is_logged(hub: Hub, folder: Path) -> None:
    log = MemoryLog()
    hub.deliver = cut_after(1000)
    download(hub.file(), folder, hub.door(log), pause=Pauses())
    done, failed = EgressOutcome.ANSWERED, EgressOutcome.FAILED
    here, there = hub.hub.place, hub.cdn.place
    assert [(e.host, e.outcome) for e in log.entries()] == [
        *((here, done), (here, done), (there, failed)),
        *((here, done), (here, done), (there, done)),
    ]
    served = [*hub.hub.connections, *hub.cdn.connections]
    assert sum(e.received for e in log.entries()) == sum(c.sent for c in served)
