"""Calls from many threads, cancelled, closed and killed at any moment."""

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.cancellation import Cancellation, Cancelled
from models.host.errors import WorkerCrashed, WorkerUnavailable
from models.host.protocol import FrameTooLarge
from models.host.states import State
from models.host.supervisor import Supervisor

Start = Callable[..., Supervisor]


def test_progress_and_pieces_come_in_order_in_the_callers_thread(start: Start) -> None:
    told: list[object] = []

    def progress(done: int, total: int, note: str) -> None:
        told.append((done, total, note, threading.get_ident()))

    def piece(value: dict[str, Any]) -> None:
        told.append((value["at"], threading.get_ident()))

    me = threading.get_ident()
    result = start().call("steps", {"count": 100}, on_progress=progress, on_piece=piece)
    assert result == "counted"
    assert told == [item for at in range(100) for item in ((at + 1, 100, "Counting", me), (at, me))]


def test_a_slow_caller_gets_every_piece(start: Start) -> None:
    got: list[int] = []

    def piece(value: dict[str, Any]) -> None:
        time.sleep(0.002)
        got.append(value["at"])

    start().call("steps", {"count": 200}, on_piece=piece)
    assert got == list(range(200))


@given(
    value=st.recursive(
        st.none() | st.integers() | st.text(st.characters()),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_values_survive_two_pipes(shared_worker: Supervisor, value: object) -> None:
    assert shared_worker.call("echo", {"value": value}) == value


@pytest.fixture
def shared_worker(start: Start) -> Supervisor:
    return start()


def test_one_call_at_a_time_from_eight_threads_and_one_process(start: Start) -> None:
    seen: list[State] = []
    supervisor = start(on_transition=lambda before, event, after: seen.append(after))

    def work(number: int) -> list[Any]:
        pieces: list[int] = []
        answers = [supervisor.call("echo", {"value": [number, turn]}) for turn in range(10)]
        supervisor.call("steps", {"count": 20}, on_piece=lambda piece: pieces.append(piece["at"]))
        assert pieces == list(range(20))
        return answers

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert results == [[[number, turn] for turn in range(10)] for number in range(8)]
    assert seen[:2] == [State.STARTING, State.READY]
    assert seen[2:] == [State.BUSY, State.READY] * 88


def test_calls_take_turns_in_the_order_in_which_they_came(start: Start) -> None:
    supervisor = start()
    order: list[int] = []
    release = Cancellation()
    began = threading.Event()

    def first() -> None:
        with suppress(Cancelled):
            supervisor.call("wait", {}, cancellation=release, on_progress=lambda *_: began.set())

    def later(number: int) -> None:
        supervisor.call("steps", {"count": 1}, on_piece=lambda _: order.append(number))

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert began.wait(30)
    for number in range(6):
        threads.append(threading.Thread(target=later, args=(number,)))
        threads[-1].start()
        while len(supervisor._turns) < number + 2:
            time.sleep(0.001)
    release.cancel()
    for thread in threads:
        thread.join(30)
    assert order == list(range(6))


def test_a_call_that_waits_for_its_turn_can_be_cancelled(start: Start) -> None:
    supervisor = start()
    busy, waiting = Cancellation(), Cancellation()
    began = threading.Event()

    def occupy() -> None:
        with suppress(Cancelled):
            supervisor.call("wait", {}, cancellation=busy, on_progress=lambda *_: began.set())

    thread = threading.Thread(target=occupy)
    thread.start()
    assert began.wait(30)
    threading.Timer(0.1, waiting.cancel).start()
    with pytest.raises(Cancelled):
        supervisor.call("echo", {"value": 1}, cancellation=waiting)
    assert supervisor.state is State.BUSY, "the call in flight goes on"
    busy.cancel()
    thread.join(30)
    assert supervisor.call("echo", {"value": 2}) == 2


def test_a_call_cancelled_beforehand_starts_nothing(start: Start) -> None:
    supervisor = start()
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(Cancelled):
        supervisor.call("echo", {"value": 1}, cancellation=cancellation)
    assert supervisor.state is State.IDLE


def test_closing_gives_up_the_call_in_flight_and_those_that_wait(start: Start) -> None:
    supervisor = start()
    began = threading.Event()
    outcomes: list[type[BaseException]] = []

    def call() -> None:
        try:
            supervisor.call("hang", {}, on_progress=lambda *_: began.set())
        except WorkerUnavailable as error:
            outcomes.append(type(error))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert began.wait(30)
    supervisor.close()
    for thread in threads:
        thread.join(30)
    assert outcomes == [WorkerUnavailable] * 4
    assert supervisor.pid is None


class OfTheCaller(Exception):
    pass


@pytest.mark.parametrize(
    "error", [OfTheCaller(), KeyboardInterrupt(), WorkerCrashed("another worker's crash")]
)
def test_what_a_callback_raises_stops_the_call_and_comes_out(
    start: Start, error: BaseException
) -> None:
    supervisor = start()
    first = supervisor.call("pid", {})

    def fail(*_: object) -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        supervisor.call("wait", {}, on_progress=fail)
    assert caught.value is error
    assert supervisor.state is State.READY
    assert supervisor.call("pid", {}) == first


def test_a_callback_may_not_wait_for_its_own_worker(start: Start) -> None:
    supervisor = start()
    with pytest.raises(RuntimeError, match="callback"):
        supervisor.call("wait", {}, on_progress=lambda *_: supervisor.call("echo", {"value": 1}))
    assert supervisor.call("echo", {"value": 1}) == 1


def test_params_too_large_for_a_frame_are_refused_and_the_worker_is_well(start: Start) -> None:
    supervisor = start()
    with pytest.raises(FrameTooLarge):
        supervisor.call("echo", {"value": "x" * (17 * 1024 * 1024)})
    assert supervisor.state is State.READY
    assert supervisor.call("echo", {"value": 1}) == 1


def test_killed_at_any_moment_a_call_answers_or_fails_by_name(start: Start) -> None:
    supervisor = start(restart_limit=1000, time_limit=30)
    chance = random.Random(17)
    outcomes: list[str] = []
    for turn in range(50):
        count = (20, 3000)[turn % 2]
        pieces: list[int] = []
        supervisor.call("echo", {"value": "warm"})
        killed = supervisor.pid
        assert killed is not None
        killer = threading.Timer(chance.uniform(0, 0.02), _kill, (killed,))
        killer.start()
        try:
            supervisor.call(
                "steps", {"count": count}, on_piece=lambda piece, p=pieces: p.append(piece["at"])
            )
            outcomes.append("answered")
            assert pieces == list(range(count))
        except WorkerCrashed:
            outcomes.append("crashed")
            assert pieces == list(range(len(pieces)))
        killer.join()
        while supervisor.pid == killed:
            time.sleep(0.001)
    assert len(outcomes) == 50
    assert outcomes.count("crashed") >= 5
    assert supervisor.call("echo", {"value": 1}) == 1


def _kill(pid: int) -> None:
    with suppress(psutil.NoSuchProcess):
        psutil.Process(pid).kill()


def test_killed_while_starting_a_call_answers_or_fails_by_name(start: Start) -> None:
    chance = random.Random(18)
    supervisor = start(restart_limit=1000, time_limit=30, recycle_above=1)
    outcomes: list[str] = []
    # At once for a third of them: a worker on a quiet machine may have answered after that.
    waits = [0.0] * 5 + [chance.uniform(0, 0.04) for _ in range(10)]
    for moment in waits:
        done = threading.Event()

        def kill_soon(done: threading.Event = done, wait: float = moment) -> None:
            while not done.is_set():
                if (pid := supervisor.pid) is not None:
                    time.sleep(wait)
                    _kill(pid)
                    return

        killer = threading.Thread(target=kill_soon)
        killer.start()
        try:
            assert supervisor.call("echo", {"value": 1}) == 1
            outcomes.append("answered")
        except (WorkerCrashed, WorkerUnavailable):
            outcomes.append("failed")
        done.set()
        killer.join()
    assert len(outcomes) == 15
    assert "failed" in outcomes


def test_cancelled_at_any_moment_the_next_call_gets_its_own_answer(start: Start) -> None:
    supervisor = start()
    chance = random.Random(19)
    for turn in range(60):
        cancellation = Cancellation()
        timer = threading.Timer(chance.uniform(0, 0.01), cancellation.cancel)
        timer.start()
        with suppress(Cancelled):
            supervisor.call("steps", {"count": 100}, cancellation=cancellation)
        assert supervisor.call("echo", {"value": turn}) == turn
        timer.join()
