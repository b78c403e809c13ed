"""Downloads from a hub on this machine, over real connections, onto a real disk."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import models.download
import models.part_file
from core.cancellation import Cancellation, Cancelled
from core.egress import Door
from core.egress_log import EgressOutcome, MemoryLog
from core.egress_policy import Allowance, EgressPolicy, Purpose
from core.storage.locks import try_lock
from models.download import LONGEST_PAUSE, TRIES, discard, download
from models.download_errors import (
    BeingLoaded,
    DiskFull,
    DownloadError,
    Gated,
    HubBusy,
    HubRefused,
    NetworkClosed,
    NoNetwork,
    NotOnHub,
    NotWritten,
    OtherFile,
    Repacked,
    WrongHash,
    WrongSize,
)
from models.part_file import PartFile, held
from tests.loopback import LONGEST_WAIT, Connection, Request, Server, response
from tests.models.hub_server import PATH, Hub, cut_after, deliver_all, hub_of

ROOT = Path(__file__).parents[2]
CONTENT = random.Random(20261130).randbytes(300_000)
NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


class Noon:
    def now(self) -> datetime:
        return NOON


class Pauses(list[float]):
    """The pauses that were made, none of which takes time."""

    def __call__(self, seconds: float, cancellation: Cancellation | None) -> None:
        self.append(seconds)
        assert len(self) < 100


@pytest.fixture
def hub() -> Iterator[Hub]:
    with hub_of(CONTENT) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models" / "new"


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


def load(hub: Hub, folder: Path, pauses: Pauses | None = None, **options: object) -> Path:
    options = {"pause": Pauses() if pauses is None else pauses, "clock": Noon()} | options
    return download(hub.file(), folder, hub.door(), **options)  # type: ignore[arg-type]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def whole(folder: Path) -> bool:
    """Whether the file is there as it should be, and nothing else."""
    return names(folder) == ["model.gguf"] and (folder / "model.gguf").read_bytes() == CONTENT


def begin(hub: Hub, folder: Path, count: int) -> None:
    """Have a download stopped after `count` bytes."""
    with stopping(hub, folder, count) as cancellation, pytest.raises(Cancelled):
        load(hub, folder, cancellation=cancellation)
    hub.deliver = deliver_all
    hub.cdn.requests.clear()
    hub.hub.requests.clear()


@contextmanager
def stopping(hub: Hub, folder: Path, count: int) -> Iterator[Cancellation]:
    """The next delivery stalls after `count` bytes; when they are kept, the person stops."""
    cancellation = Cancellation()
    wanted = size_of_part(folder) + count
    sent = Event()

    def stall(answer: bytes, connection: Connection) -> None:
        cut_after(count)(answer, connection)
        sent.set()
        connection.wait_for_the_client_to_leave()

    def stop() -> None:
        assert sent.wait(LONGEST_WAIT)
        wait_for_part(folder, wanted)
        cancellation.cancel()

    hub.deliver = stall
    thread = Thread(target=stop)
    thread.start()
    yield cancellation
    thread.join()


def size_of_part(folder: Path) -> int:
    part = folder / "model.gguf.part"
    return part.stat().st_size if part.exists() else 0


def wait_for_part(folder: Path, size: int) -> None:
    until = time.monotonic() + LONGEST_WAIT
    while size_of_part(folder) < size and time.monotonic() < until:
        time.sleep(0.002)
    assert size_of_part(folder) == size


# The straight way


def test_a_file_is_loaded_and_nothing_else_is_left(hub: Hub, folder: Path) -> None:
    steps: list[tuple[int, int, str]] = []
    path = load(hub, folder, progress=lambda *step: steps.append(step))
    assert path == folder / "model.gguf"
    assert whole(folder)
    assert [(r.method, r.target) for r in hub.hub.requests] == [("HEAD", PATH), ("GET", PATH)]
    assert hub.loaded() == [""]
    assert {total for _, total, _ in steps} == {len(CONTENT)}
    for what in ("Loading model.gguf", "Verifying model.gguf"):
        done = [step[0] for step in steps if step[2] == what]
        assert done == sorted(done)
        assert done[-1] == len(CONTENT)
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


def test_who_is_asking_is_never_told(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGINGFACE_TOKEN"):
        monkeypatch.setenv(name, "hf_secret")
    load(hub, folder)
    for request in [*hub.hub.requests, *hub.cdn.requests]:
        assert request.headers.keys().isdisjoint({"authorization", "cookie"})
        assert "hf_secret" not in str(request)
        assert request.headers["accept-encoding"] == "identity"


def test_what_is_there_already_is_not_asked_for(hub: Hub, folder: Path) -> None:
    load(hub, folder)
    hub.hub.requests.clear()
    closed = Door(EgressPolicy(), MemoryLog())
    assert download(hub.file(), folder, closed) == folder / "model.gguf"
    assert hub.hub.requests == []


@pytest.mark.parametrize("there", [b"other", CONTENT[:-1] + b"x"], ids=["short", "one byte"])
def test_another_file_of_the_name_stays_until_the_right_one_is_whole(
    hub: Hub, folder: Path, there: bytes
) -> None:
    folder.mkdir(parents=True)
    (folder / "model.gguf").write_bytes(there)
    hub.content = bytes(len(CONTENT))
    with pytest.raises(WrongHash):
        download(hub.file(sha256=hashlib.sha256(CONTENT).hexdigest()), folder, hub.door())
    assert (folder / "model.gguf").read_bytes() == there
    hub.content = CONTENT
    load(hub, folder)
    assert whole(folder)


def test_a_hub_that_knows_no_head_is_asked_for_the_bytes(hub: Hub, folder: Path) -> None:
    hub.head = response(405)
    load(hub, folder)
    assert whole(folder)


def test_a_mirror_that_answers_itself_is_enough(hub: Hub, folder: Path) -> None:
    hub.head = response(200, length=len(CONTENT))
    hub.get = response(200, CONTENT, {"ETag": '"x"'})
    load(hub, folder)
    assert whole(folder)
    assert hub.cdn.requests == []


def test_a_renamed_repository_is_followed(hub: Hub, folder: Path) -> None:
    handler = hub.hub.handler

    def renamed(request: Request, connection: Connection) -> None:
        if request.target.startswith("/older/"):
            connection.send(response(307, headers={"Location": PATH}))
        else:
            handler(request, connection)

    hub.hub.handler = renamed
    download(hub.file(repository="older/name"), folder, hub.door())
    assert whole(folder)


# Cut and resumed


CUTS = st.lists(st.integers(0, 120_000), max_size=5)


@given(CUTS, st.booleans())
@settings(max_examples=40)
def test_a_file_that_is_cut_anywhere_is_put_together_again(cuts: list[int], reset: bool) -> None:
    with hub_of(CONTENT) as hub, tempfile.TemporaryDirectory() as name:
        hub.deliver = cut_after(*cuts, reset=reset)
        load(hub, Path(name))
        assert whole(Path(name))
        if not reset:
            # Where the line does not lose what was on its way, no byte is asked for twice.
            starts, position = [""], 0
            for cut in cuts:
                if position + cut >= len(CONTENT):
                    break
                position += cut
                starts.append(f"bytes={position}-" if position else "")
            assert hub.loaded() == starts


@given(CUTS)
@settings(max_examples=25)
def test_a_file_that_is_stopped_anywhere_goes_on_in_the_next_call(cuts: list[int]) -> None:
    with hub_of(CONTENT) as hub, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for cut in cuts:
            had = size_of_part(folder)
            if had + cut >= len(CONTENT):
                break
            begin(hub, folder, cut)
            assert size_of_part(folder) == had + cut
        had = size_of_part(folder)
        load(hub, folder)
        assert whole(folder)
        assert hub.loaded() == [f"bytes={had}-" if had else ""]


KILLED = """
import sys
from pathlib import Path
from core.egress import Door
from core.egress_log import MemoryLog
from core.egress_policy import Allowance, EgressPolicy, Purpose
from models.download import download
from models.hub import HubFile

hub, cdn, repository, revision, file, size, sha256, folder = sys.argv[1:]
places = Allowance(Purpose.MODEL_DOWNLOAD, frozenset({hub, cdn}))
door = Door(EgressPolicy(online=True, allowed=(places,)), MemoryLog())
pinned = HubFile(repository, revision, file, int(size), sha256, f"http://{hub}")
download(pinned, Path(folder), door)
"""


def in_another_process(hub: Hub, folder: Path, before: str = "") -> subprocess.Popen[str]:
    file = hub.file()
    arguments = [hub.hub.place, hub.cdn.place, file.repository, file.revision, file.file]
    return subprocess.Popen(
        [sys.executable, "-c", before + KILLED, *arguments, str(file.size), file.sha256, folder],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("count", [1, 70_000, 299_999])
def test_a_process_that_is_killed_leaves_what_the_next_one_goes_on_from(
    hub: Hub, folder: Path, count: int
) -> None:
    sent = Event()

    def stall(answer: bytes, connection: Connection) -> None:
        cut_after(count)(answer, connection)
        sent.set()
        connection.wait_for_the_client_to_leave()

    hub.deliver = stall
    process = in_another_process(hub, folder)
    assert sent.wait(LONGEST_WAIT)
    wait_for_part(folder, count)
    process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    process.communicate()
    assert names(folder) == ["model.gguf.part", "model.gguf.part.json"]
    assert (folder / "model.gguf.part").read_bytes() == CONTENT[:count]
    hub.deliver = deliver_all
    hub.cdn.requests.clear()
    load(hub, folder)
    assert hub.loaded() == [f"bytes={count}-"]
    assert whole(folder)


def test_a_part_that_is_already_whole_needs_no_network(hub: Hub, folder: Path) -> None:
    begin(hub, folder, 5)
    (folder / "model.gguf.part").write_bytes(CONTENT)
    download(hub.file(), folder, Door(EgressPolicy(), MemoryLog()))
    assert whole(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"X-Linked-Etag": '"not-a-sha-256"'},
        {"X-Repo-Commit": "f" * 40},
        {"X-Linked-Etag": "", "ETag": '"other"'},
    ],
)
def test_a_part_of_another_version_is_not_gone_on_from(
    hub: Hub, folder: Path, change: dict[str, str]
) -> None:
    begin(hub, folder, 1000)
    hub.linked |= change
    load(hub, folder)
    assert hub.loaded() == [""]
    assert whole(folder)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda part, note: note.unlink(),
        lambda part, note: note.write_text("{"),
        lambda part, note: note.write_bytes(b"\xff\xfe"),
        lambda part, note: note.write_text("[]"),
        lambda part, note: note.write_text(json.dumps(json.loads(note.read_text()) | {"size": 1})),
        lambda part, note: note.write_text(note.read_text().replace('"sha256": "', '"sha256": "0')),
        lambda part, note: part.write_bytes(CONTENT + b"x"),
    ],
    ids=["no note", "broken", "no text", "list", "other size", "other hash", "longer"],
)
def test_a_part_that_is_not_known_to_be_of_the_file_is_loaded_anew(
    hub: Hub, folder: Path, spoil: object
) -> None:
    begin(hub, folder, 1000)
    spoil(folder / "model.gguf.part", folder / "model.gguf.part.json")  # type: ignore[operator]
    with pytest.raises(NetworkClosed, match="Nothing was loaded"):
        download(hub.file(), folder, Door(EgressPolicy(), MemoryLog()))
    load(hub, folder)
    assert hub.loaded() == [""]
    assert whole(folder)


@pytest.mark.parametrize("damaged", [b"x" * 1000, bytes(len(CONTENT))], ids=["part", "whole"])
def test_a_part_that_was_damaged_on_the_disk_is_loaded_anew_once(
    hub: Hub, folder: Path, damaged: bytes
) -> None:
    begin(hub, folder, 1000)
    (folder / "model.gguf.part").write_bytes(damaged)
    load(hub, folder)
    assert hub.loaded()[-1] == ""
    assert whole(folder)


def test_a_server_that_gives_everything_starts_again(hub: Hub, folder: Path) -> None:
    begin(hub, folder, 1000)
    hub.answer = lambda request: response(200, CONTENT)
    load(hub, folder)
    assert hub.loaded() == ["bytes=1000-"]
    assert whole(folder)


@pytest.mark.parametrize(
    "wrong",
    [
        response(416),
        response(206, CONTENT[500:], {"Content-Range": f"bytes 500-299999/{len(CONTENT)}"}),
        response(206, CONTENT[500:], {"Content-Range": "bytes nonsense"}),
        response(206, CONTENT[500:]),
    ],
    ids=["416", "other part", "unreadable", "unnamed"],
)
def test_a_server_that_does_not_give_the_part_is_asked_for_everything(
    hub: Hub, folder: Path, pauses: Pauses, wrong: bytes
) -> None:
    begin(hub, folder, 1000)
    hub.answer = lambda request: wrong if "range" in request.headers else response(200, CONTENT)
    load(hub, folder, pauses)
    assert hub.loaded() == ["bytes=1000-", ""]
    assert len(pauses) == 1
    assert whole(folder)


def test_an_answer_without_a_length_that_ends_early_is_resumed(hub: Hub, folder: Path) -> None:
    def answer(request: Request) -> bytes:
        if "range" not in request.headers:
            return response(200, CONTENT[:700], length=-1)
        there = {"Content-Range": f"bytes 700-299999/{len(CONTENT)}"}
        return response(206, CONTENT[700:], there, length=-1)

    hub.answer = answer
    load(hub, folder)
    assert hub.loaded() == ["", "bytes=700-"]
    assert whole(folder)


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


# Disk


def test_a_file_that_has_no_room_is_not_asked_for(hub: Hub, folder: Path) -> None:
    with pytest.raises(DiskFull, match=r"free; model\.gguf needs .*Nothing was loaded.*Make room"):
        download(hub.file(size=1 << 60), folder, hub.door())
    assert hub.hub.connections == []


def test_what_is_there_already_needs_no_more_room(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(hub, folder, 200_000)
    usage = shutil.disk_usage(folder)
    free = 64 * 1024 * 1024 + 100_000
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free - 1))
    with pytest.raises(DiskFull, match="is kept"):
        load(hub, folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free))
    load(hub, folder)
    assert whole(folder)


LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"


@pytest.mark.skipif(os.name != "posix", reason="only POSIX limits the size of files")
def test_a_disk_that_takes_no_more_keeps_what_it_took(hub: Hub, folder: Path) -> None:
    process = in_another_process(hub, folder, before=LIMITED)
    _, errors = process.communicate(timeout=LONGEST_WAIT)
    assert "DiskFull" in errors
    assert "What was loaded is kept" in errors
    assert size_of_part(folder) == 100_000
    load(hub, folder)
    assert hub.loaded()[-1] == "bytes=100000-"
    assert whole(folder)


def test_a_folder_that_is_none_is_told(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(NotWritten, match="Check that you may write there"):
        load(hub, tmp_path / "file")
    assert hub.hub.connections == []


# Stop, and others at work


def test_a_stop_in_a_pause_ends_the_pause(hub: Hub, folder: Path) -> None:
    cancellation = Cancellation()
    hub.deliver = cut_after(1000)
    hub.head = None
    seen = Event()

    def stop() -> None:
        assert seen.wait(LONGEST_WAIT)
        cancellation.cancel()

    def on_progress(done: int, total: int, what: str) -> None:
        if done:
            hub.head = response(503, headers={"Retry-After": "290"})
            seen.set()

    thread = Thread(target=stop)
    thread.start()
    with pytest.raises(Cancelled):
        download(hub.file(), folder, hub.door(), progress=on_progress, cancellation=cancellation)
    thread.join()
    assert size_of_part(folder) == 1000


def test_a_stop_while_verifying_keeps_the_part(hub: Hub, folder: Path) -> None:
    cancellation = Cancellation()

    def on_progress(done: int, total: int, what: str) -> None:
        if done == total:
            cancellation.cancel()

    with pytest.raises(Cancelled):
        load(hub, folder, progress=on_progress, cancellation=cancellation)
    assert size_of_part(folder) == len(CONTENT)
    load(hub, folder)
    assert hub.loaded() == [""]
    assert whole(folder)


def test_what_a_stopped_download_left_can_be_removed(hub: Hub, folder: Path) -> None:
    discard(hub.file(), folder)
    begin(hub, folder, 1000)
    assert names(folder) == ["model.gguf.part", "model.gguf.part.json"]
    discard(hub.file(), folder)
    assert names(folder) == []
    load(hub, folder)
    discard(hub.file(), folder)
    assert whole(folder)


def test_a_file_that_another_is_loading_is_left_to_it(hub: Hub, folder: Path) -> None:
    folder.mkdir(parents=True)
    file = hub.file()
    with held(folder / file.name, file.size, file.sha256) as part:
        part.write(b"mine")
        for other in (lambda: load(hub, folder), lambda: discard(file, folder)):
            with pytest.raises(BeingLoaded, match="another window or command"):
                other()
        assert hub.hub.connections == []
        assert (folder / "model.gguf.part").read_bytes() == b"mine"


def test_what_another_finished_just_before_is_taken(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held_late(target: Path, size: int, sha256: str) -> AbstractContextManager[PartFile]:
        target.write_bytes(CONTENT)
        return held(target, size, sha256)

    monkeypatch.setattr(models.download, "held", held_late)
    load(hub, folder)
    assert whole(folder)
    assert hub.hub.connections == []


def test_a_part_that_was_published_before_the_lock_came_is_let_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir(parents=True)
    target = folder / "model.gguf"
    calls: list[Path] = []

    def lock_late(part: Path) -> BinaryIO | None:
        opened = try_lock(part)
        if not calls:
            part.write_bytes(b"published")
            part.rename(target)
        calls.append(part)
        return opened

    monkeypatch.setattr(models.part_file, "try_lock", lock_late)
    with held(target, len(CONTENT), "0" * 64) as part:
        part.write(b"mine")
    assert target.read_bytes() == b"published"
    assert len(calls) == 2


def test_several_at_once_end_with_one_right_file(hub: Hub, folder: Path) -> None:
    failed: list[Exception] = []
    whole_each_time: list[bool] = []

    def one() -> None:
        for _ in range(40):
            try:
                path = load(hub, folder)
                whole_each_time.append(path.read_bytes() == CONTENT)
                path.unlink()
            except (BeingLoaded, FileNotFoundError):
                # Another of us has it, or took it away since.
                continue
            except Exception as error:
                failed.append(error)

    threads = [Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert whole_each_time
    assert all(whole_each_time)
