"""Every way in which a worker can go wrong ends in its named error, and the next call works."""

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from core.cancellation import Cancellation, Cancelled
from models.host.errors import (
    ANSWER_TOO_LARGE,
    INTERNAL,
    UNKNOWN_METHOD,
    WorkerCrashed,
    WorkerError,
    WorkerMemoryLimit,
    WorkerRefused,
    WorkerTimeLimit,
    WorkerUnavailable,
)
from models.host.states import State
from models.host.supervisor import Supervisor

Start = Callable[..., Supervisor]
MB = 1024**2


def frame(body: bytes) -> str:
    return (len(body).to_bytes(4, "big") + body).hex()


CRASHES: dict[str, tuple[str, dict[str, Any]]] = {
    "abort": ("abort", {}),
    "bad address": ("touch_nothing", {}),
    "exit with a status": ("leave", {}),
    "exit as if all were well": ("leave_politely", {}),
    "half a frame, then gone": ("write_raw", {"bytes": "0000ffff7b22", "leave": True}),
    "half a length, then gone": ("write_raw", {"bytes": "0000", "leave": True}),
    "a frame over the limit": ("write_raw", {"bytes": "7fffffff00"}),
    "text on the pipe": ("write_raw", {"bytes": b"Segmentation warning: x\n".hex()}),
    "not JSON": ("write_raw", {"bytes": frame(b"nonsense")}),
    "JSON but no object": ("write_raw", {"bytes": frame(b"[1,2]")}),
    "an object but no reply": ("write_raw", {"bytes": frame(b'{"id":1}')}),
    "a reply of no known kind": (
        "write_raw",
        {"bytes": frame(b'{"id":1,"kind":"verdict","value":"supported"}')},
    ),
    "an error without a code": (
        "write_raw",
        {"bytes": frame(b'{"id":1,"kind":"error","value":1}')},
    ),
    "the answer to another call": (
        "write_raw",
        {"bytes": frame(b'{"id":999,"kind":"result","value":"supported"}')},
    ),
    "its end of the pipe closed": ("close_pipe", {}),
    "abort after a flood on standard error": ("flood_and_abort", {}),
}


@pytest.mark.parametrize(("method", "params"), CRASHES.values(), ids=CRASHES.keys())
def test_a_crash_is_named_and_the_next_call_works(
    start: Start, method: str, params: dict[str, Any]
) -> None:
    supervisor = start(time_limit=60)
    with pytest.raises(WorkerCrashed) as caught:
        supervisor.call(method, params)
    assert supervisor.state is State.FAILED
    assert supervisor.pid is None
    assert "exit status" in caught.value.details
    assert supervisor.call("echo", {"value": "well again"}) == "well again"


@pytest.mark.parametrize("method", ["hang", "hold_interpreter"])
def test_a_hang_is_ended_at_the_time_limit(start: Start, method: str) -> None:
    supervisor = start()
    with pytest.raises(WorkerTimeLimit, match="longer than 1 seconds"):
        supervisor.call(method, {}, time_limit=1.0)
    assert supervisor.state is State.FAILED
    assert supervisor.call("echo", {"value": 1}) == 1


def test_work_with_progress_is_ended_at_the_time_limit_too(start: Start) -> None:
    with pytest.raises(WorkerTimeLimit, match="longer than"):
        start(time_limit=1.0, silence_limit=30).call("wait", {})


def test_silence_is_ended_while_progress_is_not(start: Start) -> None:
    supervisor = start(silence_limit=1.0, time_limit=60)
    with pytest.raises(WorkerTimeLimit, match="no progress"):
        supervisor.call("wait_quietly", {})
    told = []

    def enough(done: int, total: int, note: str) -> None:
        told.append(note)
        if len(told) > 200:
            raise StopIteration

    with pytest.raises(StopIteration):
        supervisor.call("wait", {}, on_progress=enough)


def test_memory_that_grows_is_noticed(start: Start) -> None:
    supervisor = start(memory_limit=200 * MB, time_limit=60)
    with pytest.raises(WorkerMemoryLimit, match="200 MB"):
        supervisor.call("eat_slowly", {})
    assert supervisor.state is State.FAILED
    assert supervisor.call("echo", {"value": 1}) == 1


def test_memory_asked_for_at_once_is_refused(start: Start) -> None:
    supervisor = start(memory_limit=200 * MB, time_limit=60)
    first = supervisor.call("pid", {})
    with pytest.raises(WorkerMemoryLimit):
        supervisor.call("eat_at_once", {})
    assert supervisor.call("pid", {}) != first


def test_what_a_library_prints_does_not_reach_the_protocol(start: Start) -> None:
    supervisor = start(time_limit=60)
    assert supervisor.call("print_garbage", {}) == "", "the worker's standard input is empty"
    assert supervisor.call("echo", {"value": 1}) == 1


def test_a_flood_on_standard_error_blocks_nothing_and_its_end_is_kept(start: Start) -> None:
    supervisor = start(time_limit=60)
    assert supervisor.call("flood_stderr", {}) == "flooded"
    with pytest.raises(WorkerCrashed) as caught:
        supervisor.call("abort", {})
    assert "the last line" in caught.value.details
    assert len(caught.value.details) < 20_000


@pytest.mark.parametrize(
    ("method", "code"),
    [
        ("raise_unnamed", INTERNAL),
        ("recurse", INTERNAL),
        ("not_json", INTERNAL),
        ("raise_named", "named"),
        ("large_result", ANSWER_TOO_LARGE),
        ("large_piece", ANSWER_TOO_LARGE),
        ("no_such_method", UNKNOWN_METHOD),
    ],
)
def test_an_exception_becomes_an_error_and_the_process_stays(
    start: Start, method: str, code: str
) -> None:
    supervisor = start(time_limit=60)
    first = supervisor.call("pid", {})
    with pytest.raises(WorkerRefused) as caught:
        supervisor.call(method, {})
    assert caught.value.code == code
    assert supervisor.state is State.READY
    assert supervisor.call("pid", {}) == first


def test_an_unnamed_exception_tells_where_but_not_what_it_says(start: Start) -> None:
    with pytest.raises(WorkerRefused) as caught:
        start().call("raise_unnamed", {})
    error = caught.value
    assert "raise_unnamed" in error.details
    assert "KeyError" in error.details
    assert "confidential document" not in error.details.split("KeyError")[-1]
    assert "confidential" not in str(error)
    assert "Traceback" not in str(error)


STARTS = {
    "fails at import": "raise SystemExit('no library')",
    "ends at once": "",
    "prints on the pipe": "print('hello', flush=True)\nimport time\ntime.sleep(3600)",
    "speaks, but not as agreed": (
        "import sys, time\n"
        'body = b\'{"id":0,"kind":"result","value":1}\'\n'
        "sys.stdout.buffer.write(len(body).to_bytes(4, 'big') + body)\n"
        "sys.stdout.flush()\n"
        "time.sleep(3600)"
    ),
    "never speaks": "import time\ntime.sleep(3600)",
}


@pytest.mark.parametrize("source", STARTS.values(), ids=STARTS.keys())
def test_a_worker_that_does_not_start_is_unavailable(
    start: Start, modules: Callable[[str, str], str], source: str
) -> None:
    supervisor = start(modules("no_start", source), start_limit=3.0)
    with pytest.raises(WorkerUnavailable, match="could not be started") as caught:
        supervisor.call("echo", {"value": 1})
    assert "exit status" in caught.value.details
    assert supervisor.state is State.FAILED


def test_a_missing_module_is_unavailable(start: Start) -> None:
    with pytest.raises(WorkerUnavailable):
        start("no_such_module").call("echo", {})


def test_a_missing_interpreter_is_unavailable(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor = start()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "no-such-interpreter-anywhere")
        with pytest.raises(WorkerUnavailable):
            supervisor.call("echo", {"value": 1})
    assert supervisor.call("echo", {"value": 1}) == 1


def test_restarts_are_limited(start: Start) -> None:
    supervisor = start(restart_limit=2, restart_window=3600)
    for _ in range(2):
        with pytest.raises(WorkerCrashed):
            supervisor.call("abort", {})
    for _ in range(3):
        with pytest.raises(WorkerUnavailable, match="2 times in a row"):
            supervisor.call("echo", {"value": 1})
        assert supervisor.state is State.FAILED


def test_once_the_window_has_passed_the_worker_is_started_again(start: Start) -> None:
    supervisor = start(restart_limit=2, restart_window=0.5)
    for _ in range(2):
        with pytest.raises(WorkerCrashed):
            supervisor.call("abort", {})
    time.sleep(0.5)
    assert supervisor.call("echo", {"value": 1}) == 1


def test_an_answer_clears_the_count_of_faults(start: Start) -> None:
    supervisor = start(restart_limit=2)
    for _ in range(5):
        with pytest.raises(WorkerCrashed):
            supervisor.call("abort", {})
        assert supervisor.call("echo", {"value": 1}) == 1


def test_a_worker_that_died_while_idle_is_replaced_without_an_error(start: Start) -> None:
    supervisor = start(restart_limit=1)
    supervisor.call("die_later", {})
    while supervisor.pid is not None:
        pass
    assert supervisor.call("echo", {"value": 1}) == 1


def test_a_worker_that_keeps_much_memory_is_replaced_after_its_answer(start: Start) -> None:
    supervisor = start(recycle_above=150 * MB)
    assert supervisor.call("keep", {"bytes": MB}) == supervisor.call("keep", {"bytes": MB})
    large = supervisor.call("keep", {"bytes": 200 * MB})
    assert supervisor.state is State.IDLE
    assert supervisor.call("pid", {}) != large


@pytest.mark.parametrize("method", ["hang", "hold_interpreter"])
def test_a_worker_that_ignores_a_cancel_is_killed(start: Start, method: str) -> None:
    supervisor = start(time_limit=60, cancel_grace=1.0)
    cancellation = Cancellation()
    with pytest.raises(Cancelled):
        supervisor.call(
            method, {}, cancellation=cancellation, on_progress=lambda *_: cancellation.cancel()
        )
    assert supervisor.state is State.IDLE
    assert supervisor.pid is None
    assert supervisor.call("echo", {"value": 1}) == 1


@pytest.mark.parametrize("method", ["wait", "wait_quietly", "swallow_cancel", "flood_pieces"])
def test_a_worker_that_honours_a_cancel_goes_on_living(start: Start, method: str) -> None:
    supervisor = start(time_limit=60)
    first = supervisor.call("pid", {})
    cancellation = Cancellation()
    with pytest.raises(Cancelled):
        supervisor.call(
            method,
            {},
            cancellation=cancellation,
            on_progress=lambda *_: cancellation.cancel(),
            on_piece=lambda _: cancellation.cancel(),
        )
    assert supervisor.state is State.READY
    assert supervisor.call("pid", {}) == first


def test_every_error_is_a_worker_error_with_a_sentence_for_the_person(start: Start) -> None:
    supervisor = start(memory_limit=200 * MB, restart_limit=3)
    messages = []
    for method in ("abort", "hang", "eat_at_once", "echo"):
        with pytest.raises(WorkerError) as caught:
            supervisor.call(method, {"value": 1}, time_limit=1.0)
        messages.append(str(caught.value))
    assert len(set(messages)) == 4
    for message in messages:
        assert message.startswith("The tester ")
        assert message.endswith(".")
        assert "\n" not in message
