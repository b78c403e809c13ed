"""The one way in which the window does long work.

An operation runs on a worker thread of its lane; its progress and its result come back on the main
thread. A thread cannot be ended from outside, so Stop asks, waits three seconds, and then leaves
the thread to itself: its result is never shown and the lane goes on with a fresh thread.
"""

from collections import deque
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Any, ClassVar, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from core.cancellation import Cancellation, Cancelled
from core.ports import Progress
from desktop.garbage import IdleCollector

STOP_WAIT_MS = 3000
"""How long a cancelled task may take to stop before it is left to itself, in milliseconds."""


class Lane(StrEnum):
    """Operations of one lane run one after another; lanes run side by side."""

    WORK = "work"
    STORE = "store"
    DRAW = "draw"


class Operation(Protocol):
    """A piece of long work. It holds no widget and touches none."""

    lane: ClassVar[Lane]

    def run(self, progress: Progress, cancellation: Cancellation) -> Any:
        """Do the work on a worker thread; raise `Cancelled` soon after a request to stop."""
        ...


class Task(QObject):
    """An operation on its way. All signals are emitted on the main thread.

    Signals: `progressed(done, total, what)`, then exactly one of `succeeded(result)`,
    `failed(exception)` and `cancelled()`.
    """

    progressed = Signal(int, int, str)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, operation: Operation, runner: "TaskRunner") -> None:
        super().__init__(runner)
        self.operation = operation
        self.cancellation = Cancellation()
        self._runner = runner
        self._over = False
        self._lock = Lock()
        self._latest: tuple[int, int, str] | None = None

    @property
    def over(self) -> bool:
        """Whether the task has succeeded, failed or been cancelled."""
        return self._over

    def cancel(self) -> None:
        """Ask the operation to stop; after three seconds the task counts as cancelled anyway."""
        if self._over or self.cancellation.requested:
            return
        self.cancellation.cancel()
        QTimer.singleShot(STOP_WAIT_MS, self, self._give_up)

    def work(self) -> None:
        """Run the operation; called by the lane's thread, which touches nothing of Qt's here."""
        try:
            self.cancellation.check()
            result = self.operation.run(self._report, self.cancellation)
        except Cancelled:
            self._runner.post(self._end_cancelled)
        except Exception as error:
            self._runner.post(partial(self._end_failed, error))
        else:
            self._runner.post(partial(self._end_succeeded, result))

    def _report(self, done: int, total: int, what: str) -> None:
        # Only the latest progress crosses over: hundreds of pages a second must not flood the
        # main thread's queue.
        with self._lock:
            waiting = self._latest is not None
            self._latest = (done, total, what)
        if not waiting:
            self._runner.post(self._show_progress)

    def _show_progress(self) -> None:
        with self._lock:
            latest, self._latest = self._latest, None
        if latest is not None and not self._over:
            self.progressed.emit(*latest)

    def _give_up(self) -> None:
        if not self._over:
            self._runner.abandon(self)
            self._end_cancelled()

    def _end_succeeded(self, result: object) -> None:
        if self._end():
            self.succeeded.emit(result)

    def _end_failed(self, error: Exception) -> None:
        if self._end():
            self.failed.emit(error)

    def _end_cancelled(self) -> None:
        if self._end():
            self.cancelled.emit()

    def _end(self) -> bool:
        if self._over:
            return False
        self._over = True
        self._runner.forget(self)
        return True


class _Worker:
    """One thread with a queue of tasks."""

    def __init__(self, name: str) -> None:
        self._queue: deque[Task] = deque()
        self._change = Condition()
        self._closed = False
        self.current: Task | None = None
        self.thread = Thread(target=self._loop, name=f"countersign-{name}", daemon=True)
        self.thread.start()

    def add(self, task: Task) -> None:
        with self._change:
            self._queue.append(task)
            self._change.notify()

    def take_waiting(self) -> list[Task]:
        with self._change:
            waiting = list(self._queue)
            self._queue.clear()
            return waiting

    def close(self) -> None:
        with self._change:
            self._closed = True
            self._change.notify()

    def _loop(self) -> None:
        while True:
            with self._change:
                while not self._queue and not self._closed:
                    self._change.wait()
                if not self._queue:
                    return
                self.current = self._queue.popleft()
            self.current.work()
            self.current = None


class TaskRunner(QObject):
    """Starts tasks, one thread for each lane."""

    _posted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workers: dict[Lane, _Worker] = {}
        self._tasks: set[Task] = set()
        self._abandoned: list[_Worker] = []
        self._mail: deque[Callable[[], None]] = deque()
        self._posted.connect(self._open_mail, Qt.ConnectionType.QueuedConnection)
        self._collector = IdleCollector(lambda: self.idle, self)

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way, threads that were left to themselves included."""
        self._abandoned = [worker for worker in self._abandoned if worker.thread.is_alive()]
        return not self._tasks and not self._abandoned

    def post(self, call: Callable[[], None]) -> None:
        """Have `call` made on the main thread; may be called from any thread.

        Workers speak through this one object, which outlives them: a task may be deleted on the
        main thread while its own thread is still on the way out of an emission.
        """
        self._mail.append(call)
        self._posted.emit()

    @Slot()
    def _open_mail(self) -> None:
        while self._mail:
            self._mail.popleft()()

    def start(self, operation: Operation) -> Task:
        """Queue the operation in its lane. Connect to the task before returning to Qt."""
        task = Task(operation, self)
        self._tasks.add(task)
        if operation.lane not in self._workers:
            self._workers[operation.lane] = _Worker(operation.lane)
        self._workers[operation.lane].add(task)
        return task

    def abandon(self, task: Task) -> None:
        """Leave the thread that works on `task` to itself and give its lane a fresh one."""
        lane = task.operation.lane
        stuck = self._workers[lane]
        if stuck.current is not task:
            return
        fresh = _Worker(lane)
        for waiting in stuck.take_waiting():
            fresh.add(waiting)
        stuck.close()
        self._abandoned.append(stuck)
        self._workers[lane] = fresh

    def forget(self, task: Task) -> None:
        """Drop a task whose thread is done with it."""
        self._tasks.discard(task)
        task.deleteLater()

    def close(self, wait_s: float = 3.0) -> bool:
        """Cancel everything and wait at most `wait_s` seconds; whether all threads ended."""
        for task in self._tasks:
            task.cancellation.cancel()
        for worker in self._workers.values():
            worker.close()
        until = monotonic() + wait_s
        for worker in self._workers.values():
            worker.thread.join(max(0.0, until - monotonic()))
        self._collector.stop()
        workers = [*self._workers.values(), *self._abandoned]
        return not any(worker.thread.is_alive() for worker in workers)
