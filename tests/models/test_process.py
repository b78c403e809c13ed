"""One worker process by itself: its pipes are bounded and never block the caller."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from models.host.process import INBOX_MESSAGES, ProcessEnded, WorkerProcess

CONFIGURE = {"kind": "configure", "id": 0, "memory_limit": None, "niceness": 0}
Request = Callable[[str], dict[str, object]]


@pytest.fixture
def process(modules: Callable[[str, str], str]) -> Iterator[WorkerProcess]:
    started = WorkerProcess("fault_child")
    started.send(CONFIGURE)
    yield started
    started.end()
    assert not started.alive


def request(method: str) -> dict[str, object]:
    return {"kind": "request", "id": 1, "method": method, "params": {}}


def await_message(process: WorkerProcess) -> dict[str, object]:
    while (message := process.receive(0.1)) is None:
        continue
    return message


def test_a_worker_that_sends_without_end_is_read_ahead_only_so_far(process: WorkerProcess) -> None:
    process.send(request("flood_pieces"))
    while process._inbox.qsize() < INBOX_MESSAGES:
        time.sleep(0.01)
    time.sleep(0.3)
    assert process._inbox.qsize() == INBOX_MESSAGES
    kinds = [await_message(process)["kind"] for _ in range(INBOX_MESSAGES * 2)]
    assert kinds == ["ready"] + ["piece"] * (INBOX_MESSAGES * 2 - 1)


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be frozen there")
def test_sending_to_a_frozen_worker_returns_and_the_worker_can_be_ended(
    process: WorkerProcess,
) -> None:
    assert await_message(process)["kind"] == "ready"
    os.kill(process.pid, signal.SIGSTOP)
    for _ in range(20):
        process.send({**request("echo"), "params": {"value": "x" * 1_000_000}})
    process.end()
    assert not process.alive


def test_what_was_said_before_the_end_is_received_then_the_end_again_and_again(
    process: WorkerProcess,
) -> None:
    process.send(request("leave"))
    assert await_message(process)["kind"] == "ready"
    for _ in range(3):
        with pytest.raises(ProcessEnded):
            await_message(process)
    assert process.exit_code == 3
    assert process.details().startswith("exit status 3")


def test_memory_is_told_while_it_runs_and_is_nothing_after(process: WorkerProcess) -> None:
    assert await_message(process)["kind"] == "ready"
    assert process.memory() > 1024**2
    process.kill()
    assert process.memory() == 0


@pytest.mark.parametrize(
    "first",
    [
        {"kind": "request", "id": 1, "method": "echo", "params": {}},
        {},
    ],
)
def test_a_worker_that_is_not_configured_first_ends(
    modules: Callable[[str, str], str], first: dict[str, object]
) -> None:
    process = WorkerProcess("fault_child")
    process.send(first)
    with pytest.raises(ProcessEnded):
        await_message(process)
    assert process.exit_code == 70


@pytest.mark.parametrize(
    "nonsense",
    [
        {},
        {"kind": "request", "id": 1, "method": "echo"},
        {"kind": "request", "id": "1", "method": "echo", "params": {}},
        {"kind": "cancel"},
        {"kind": "configure", "id": 0},
    ],
)
def test_a_worker_that_gets_nonsense_ends(
    process: WorkerProcess, nonsense: dict[str, object]
) -> None:
    assert await_message(process)["kind"] == "ready"
    process.send(nonsense)
    with pytest.raises(ProcessEnded):
        await_message(process)
    assert process.exit_code == 70


def test_a_cancel_of_a_call_that_is_over_is_no_matter(process: WorkerProcess) -> None:
    assert await_message(process)["kind"] == "ready"
    process.send({"kind": "cancel", "id": 77})
    process.send(request("pid"))
    assert await_message(process)["value"] == process.pid
