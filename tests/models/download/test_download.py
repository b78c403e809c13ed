"""Downloads from a hub on this machine, over real connections, onto a real disk."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager
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
from core.egress_log import MemoryLog
from core.egress_policy import EgressPolicy
from core.storage.locks import try_lock
from models.download import discard, download
from models.download_errors import (
    BeingLoaded,
    DiskFull,
    NetworkClosed,
    NotWritten,
    WrongHash,
)
from models.part_file import PartFile, held
from tests.loopback import LONGEST_WAIT, Connection, Request, response
from tests.models.download.hub_server import PATH, Hub, cut_after, deliver_all, hub_of
from tests.models.download.steps import (
    CONTENT,
    Pauses,
    begin,
    load,
    names,
    size_of_part,
    wait_for_part,
    whole,
)

ROOT = Path(__file__).parents[3]


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
