"""The task runner: one way in, one end, and no thread that outlives its welcome."""

import gc
import threading
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any, ClassVar

import pytest

from core.cancellation import Cancellation
from core.ports import Progress
from desktop.tasks import Lane, Task, TaskRunner
from tests.desktop.conftest import pump, wait_for


class Work:
    """An operation made of a function."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(self, function: Callable[[Progress, Cancellation], object]) -> None:
        self.run = function


class StoreWork(Work):
    lane: ClassVar[Lane] = Lane.STORE


@pytest.fixture
def tasks(qapp: Any) -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    assert made.close(5.0)


def ends(task: Task) -> list[tuple[str, object]]:
    """How the task ended; each end is listed."""
    found: list[tuple[str, object]] = []
    task.succeeded.connect(lambda value: found.append(("succeeded", value)))
    task.failed.connect(lambda error: found.append(("failed", error)))
    task.cancelled.connect(lambda: found.append(("cancelled", None)))
    return found


def test_work_runs_elsewhere_and_its_result_comes_back_here(qtbot: Any, tasks: TaskRunner) -> None:
    here = threading.get_ident()
    there: list[int] = []
    back: list[int] = []

    def work(progress: Progress, cancellation: Cancellation) -> int:
        there.append(threading.get_ident())
        return 42

    task = tasks.start(Work(work))
    found = ends(task)
    task.succeeded.connect(lambda _: back.append(threading.get_ident()))
    wait_for(qtbot, lambda: found)
    assert found == [("succeeded", 42)]
    assert back == [here]
    assert there[0] != here
    assert task.over


def test_an_error_comes_back_as_it_is(qtbot: Any, tasks: TaskRunner) -> None:
    error = RuntimeError("broken")

    def work(progress: Progress, cancellation: Cancellation) -> None:
        raise error

    found = ends(tasks.start(Work(work)))
    wait_for(qtbot, lambda: found)
    assert found == [("failed", error)]


def test_a_flood_of_progress_reaches_the_window_as_a_trickle(qtbot: Any, tasks: TaskRunner) -> None:
    seen: list[int] = []

    def work(progress: Progress, cancellation: Cancellation) -> None:
        for at in range(20_000):
            progress(at, 20_000, "Working")

    task = tasks.start(Work(work))
    task.progressed.connect(lambda done, total, what: seen.append(done))
    found = ends(task)
    wait_for(qtbot, lambda: found)
    assert seen == sorted(seen)
    assert seen[-1] == 19_999
    assert len(seen) < 20_000


def test_cancelling_asks_the_work_to_stop(qtbot: Any, tasks: TaskRunner) -> None:
    entered = Event()

    def work(progress: Progress, cancellation: Cancellation) -> None:
        entered.set()
        while True:
            cancellation.check()

    task = tasks.start(Work(work))
    found = ends(task)
    wait_for(qtbot, entered.is_set)
    task.cancel()
    wait_for(qtbot, lambda: found)
    assert found == [("cancelled", None)]


def test_a_task_cancelled_before_its_turn_never_runs(qtbot: Any, tasks: TaskRunner) -> None:
    go = Event()
    ran: list[bool] = []
    first = tasks.start(Work(lambda progress, cancellation: go.wait(10)))
    second = tasks.start(Work(lambda progress, cancellation: ran.append(True)))
    found = ends(second)
    second.cancel()
    first_ends = ends(first)
    go.set()
    wait_for(qtbot, lambda: found and first_ends)
    assert found == [("cancelled", None)]
    assert ran == []


def test_deaf_work_is_left_to_itself_and_its_lane_goes_on(
    qtbot: Any, tasks: TaskRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.tasks.STOP_WAIT_MS", 20)
    go, entered = Event(), Event()

    def deaf(progress: Progress, cancellation: Cancellation) -> str:
        entered.set()
        go.wait(30)
        progress(1, 1, "too late")
        return "too late"

    stuck = tasks.start(Work(deaf))
    found = ends(stuck)
    waiting = ends(tasks.start(Work(lambda progress, cancellation: "next")))
    wait_for(qtbot, entered.is_set)
    stuck.cancel()
    wait_for(qtbot, lambda: found and waiting)
    assert found == [("cancelled", None)]
    assert waiting == [("succeeded", "next")]
    assert not tasks.idle
    go.set()
    wait_for(qtbot, lambda: tasks.idle)
    pump(qtbot)
    assert found == [("cancelled", None)]


def test_lanes_run_side_by_side_and_one_lane_in_order(qtbot: Any, tasks: TaskRunner) -> None:
    go = Event()
    order: list[int] = []
    blocked = ends(tasks.start(Work(lambda progress, cancellation: go.wait(30))))
    for at in range(20):
        tasks.start(StoreWork(lambda progress, cancellation, at=at: order.append(at)))
    wait_for(qtbot, lambda: len(order) == 20)
    assert order == list(range(20))
    assert blocked == []
    go.set()
    wait_for(qtbot, lambda: blocked)


def test_closing_cancels_what_is_on_its_way(qapp: Any) -> None:
    runner = TaskRunner()
    entered = Event()

    def work(progress: Progress, cancellation: Cancellation) -> None:
        entered.set()
        while True:
            cancellation.check()

    runner.start(Work(work))
    assert entered.wait(10)
    assert runner.close(10.0)
    assert not [t for t in threading.enumerate() if t.name == "countersign-work"]


def test_python_does_not_collect_on_a_worker_thread(qtbot: Any, tasks: TaskRunner) -> None:
    collected: list[int] = []

    def seen(phase: str, info: dict[str, int]) -> None:
        collected.append(threading.get_ident())

    def work(progress: Progress, cancellation: Cancellation) -> None:
        for _ in range(10_000):
            cycle: list[object] = []
            cycle.append(cycle)

    gc.callbacks.append(seen)
    try:
        found = ends(tasks.start(Work(work)))
        wait_for(qtbot, lambda: found)
        wait_for(qtbot, lambda: collected)
    finally:
        gc.callbacks.remove(seen)
    assert set(collected) == {threading.get_ident()}
    assert found == [("succeeded", None)]


def test_a_long_document_is_set_aside_instead_of_walked(qtbot: Any, tasks: TaskRunner) -> None:
    def work(progress: Progress, cancellation: Cancellation) -> list[list[int]]:
        return [[at] for at in range(60_000)]

    before = gc.get_freeze_count()
    found = ends(tasks.start(Work(work)))
    wait_for(qtbot, lambda: found)
    wait_for(qtbot, lambda: gc.get_freeze_count() > before + 60_000)
    found.clear()
    assert tasks.close(5.0)
    assert gc.get_freeze_count() == 0
    assert gc.isenabled()
