"""The table of states: sound in itself, and walked whole by a real worker."""

import threading
from collections.abc import Callable
from itertools import pairwise

import pytest

from core.cancellation import Cancellation, Cancelled
from models.host.errors import WorkerCrashed, WorkerUnavailable
from models.host.states import TRANSITIONS, Event, State
from models.host.supervisor import Observer, Supervisor

Start = Callable[..., Supervisor]
Transition = tuple[State, Event, State]
Walk = Callable[[Start, Observer], None]


def test_the_table_reaches_every_state_and_leaves_all_but_the_last() -> None:
    reached = {State.IDLE}
    while (
        more := {after for (before, _), after in TRANSITIONS.items() if before in reached} - reached
    ):
        reached |= more
    assert reached == set(State)
    assert {before for before, _ in TRANSITIONS} == set(State) - {State.STOPPED}
    assert {before for before, event in TRANSITIONS if event is Event.CLOSE} == set(State) - {
        State.STOPPED
    }
    assert {event for _, event in TRANSITIONS} == set(Event)


def answer_cancel_and_close(start: Start, seen: Observer) -> None:
    supervisor = start(on_transition=seen)
    supervisor.call("echo", {"value": 1})
    cancellation = Cancellation()
    with pytest.raises(Cancelled):
        supervisor.call(
            "wait", {}, cancellation=cancellation, on_progress=lambda *_: cancellation.cancel()
        )
    supervisor.close()


def ignore_a_cancel(start: Start, seen: Observer) -> None:
    supervisor = start(on_transition=seen)
    cancellation = Cancellation()
    with pytest.raises(Cancelled):
        supervisor.call(
            "hang", {}, cancellation=cancellation, on_progress=lambda *_: cancellation.cancel()
        )
    supervisor.close()


def crash_and_start_again(start: Start, seen: Observer) -> None:
    supervisor = start(on_transition=seen)
    with pytest.raises(WorkerCrashed):
        supervisor.call("abort", {})
    supervisor.call("echo", {"value": 1})
    with pytest.raises(WorkerCrashed):
        supervisor.call("abort", {})
    supervisor.close()


def replace_a_large_process(start: Start, seen: Observer) -> None:
    start(on_transition=seen, recycle_above=1).call("echo", {"value": 1})


def fail_to_start(start: Start, seen: Observer) -> None:
    with pytest.raises(WorkerUnavailable):
        start("no_such_module", on_transition=seen).call("echo", {})


def cancel_while_starting(start: Start, seen: Observer) -> None:
    cancellation = Cancellation()

    def observe(before: State, event: Event, after: State) -> None:
        seen(before, event, after)
        cancellation.cancel()

    with pytest.raises(Cancelled):
        start(on_transition=observe).call("echo", {}, cancellation=cancellation)


def close_in(state: State, method: str) -> Walk:
    """Close while a call's thread is held up in a state."""

    def walk(start: Start, seen: Observer) -> None:
        there, closed = threading.Event(), threading.Event()

        def observe(before: State, event: Event, after: State) -> None:
            seen(before, event, after)
            if after is state:
                there.set()
                assert closed.wait(30)

        supervisor = start(on_transition=observe)
        cancellation = Cancellation()
        outcome: list[BaseException] = []

        def call() -> None:
            try:
                supervisor.call(
                    method,
                    {},
                    cancellation=cancellation,
                    on_progress=lambda *_: cancellation.cancel(),
                )
            except (Cancelled, WorkerUnavailable, WorkerCrashed) as error:
                outcome.append(error)

        thread = threading.Thread(target=call)
        thread.start()
        assert there.wait(30)
        supervisor.close(grace=0.1)
        closed.set()
        thread.join(30)
        assert not thread.is_alive()
        assert len(outcome) == 1
        assert supervisor.state is State.STOPPED
        assert supervisor.pid is None

    walk.__name__ = f"close_while_{state}"
    return walk


WALKS: list[Walk] = [
    answer_cancel_and_close,
    ignore_a_cancel,
    crash_and_start_again,
    replace_a_large_process,
    fail_to_start,
    cancel_while_starting,
    close_in(State.STARTING, "wait"),
    close_in(State.BUSY, "wait"),
    close_in(State.CANCELLING, "wait"),
]


def test_the_walks_take_every_transition_of_the_table_and_no_other(start: Start) -> None:
    taken: set[Transition] = set()
    start(on_transition=lambda *t: taken.add(t)).close()
    for walk in WALKS:
        path: list[Transition] = []

        walk(start, lambda *transition, path=path: path.append(transition))
        assert path[0][0] is State.IDLE, walk.__name__
        for (_, _, after), (before, _, _) in pairwise(path):
            assert after is before, walk.__name__
        taken |= set(path)
    assert taken == {(before, event, after) for (before, event), after in TRANSITIONS.items()}


def test_nothing_runs_before_the_first_call(start: Start) -> None:
    supervisor = start()
    assert supervisor.state is State.IDLE
    assert supervisor.pid is None


def test_a_closed_supervisor_refuses_and_may_be_closed_again(start: Start) -> None:
    supervisor = start()
    supervisor.call("echo", {"value": 1})
    supervisor.close()
    supervisor.close()
    assert supervisor.state is State.STOPPED
    with pytest.raises(WorkerUnavailable, match="being closed"):
        supervisor.call("echo", {"value": 1})


def test_it_closes_at_the_end_of_a_with_statement(start: Start) -> None:
    with start() as supervisor:
        supervisor.call("echo", {"value": 1})
    assert supervisor.state is State.STOPPED
    assert supervisor.pid is None
