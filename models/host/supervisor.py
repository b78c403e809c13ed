"""Starts a worker process, gives it calls one at a time, watches it, and replaces it.

Whatever a worker does (crash, hang, ignore a cancel, eat memory, write nonsense), the call ends
with a named error and the next call gets a fresh process.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NoReturn, Self

from core.cancellation import Cancellation
from core.ports import Progress
from models.host.errors import WorkerError, WorkerRefused, WorkerUnavailable
from models.host.process import ProcessEnded, WorkerProcess
from models.host.protocol import ProtocolError, Reply, ReplyKind, parse_reply
from models.host.states import TRANSITIONS, Event, State
from models.host.watch import POLL_SECONDS, Fault, Watch

CANCEL_GRACE = 3.0
"""Seconds between asking a worker to stop a call and killing it."""

CLOSE_GRACE = 5.0
"""Seconds that `close` waits for a call in flight to let go before it ends the process anyway."""

Piece = Callable[[dict[str, Any]], None]
Observer = Callable[[State, Event, State], None]


class Supervisor:
    """One worker process behind `call`, started at first use; safe to use from any thread.

    `module` is run with ``-m`` and calls `models.host.child.serve`. `name` is what a person calls
    the worker in messages, such as "reader". Limits: `memory_limit` and `recycle_above` in bytes of
    resident memory, the rest in seconds; None is no limit. `silence_limit` is the longest time
    without any message during a call; `cancel_grace` is how long a worker that was asked to stop is
    waited for before it is killed. After an answer, a process that holds more than
    `recycle_above` is replaced, so that what one call leaves behind is not held against the next.
    After `restart_limit` faults within `restart_window`, with no answer between them, calls are
    refused until the window has passed. `on_transition` is told every change of state,
    from whichever thread makes it, and must return at once.
    """

    def __init__(
        self,
        module: str,
        *,
        name: str = "worker",
        memory_limit: int | None = None,
        recycle_above: int | None = None,
        time_limit: float | None = None,
        silence_limit: float | None = None,
        start_limit: float = 60.0,
        cancel_grace: float = CANCEL_GRACE,
        restart_limit: int = 5,
        restart_window: float = 60.0,
        niceness: int = 0,
        on_transition: Observer | None = None,
    ) -> None:
        self._module = module
        self._name = name
        self._memory_limit = memory_limit
        self._recycle_above = recycle_above
        self._time_limit = time_limit
        self._silence_limit = silence_limit
        self._start_limit = start_limit
        self._cancel_grace = cancel_grace
        self._restart_window = restart_window
        self._niceness = niceness
        self._on_transition = on_transition
        self._changed = threading.Condition()
        self._turns: deque[int] = deque()
        self._state = State.IDLE
        self._closing = False
        self._worker: WorkerProcess | None = None
        self._faults: deque[float] = deque(maxlen=restart_limit)
        self._calls = 0

    def __enter__(self) -> Self:
        """Nothing starts here: a process is started by the first call."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    @property
    def state(self) -> State:
        """Where the worker stands now."""
        return self._state

    @property
    def pid(self) -> int | None:
        """The number of the running process; None where none runs."""
        worker = self._worker
        return worker.pid if worker is not None and worker.alive else None

    def call(
        self,
        method: str,
        params: dict[str, Any],
        *,
        on_progress: Progress | None = None,
        on_piece: Piece | None = None,
        cancellation: Cancellation | None = None,
        time_limit: float | None = None,
        silence_limit: float | None = None,
    ) -> Any:
        """The worker's result; progress and pieces come first, in order, in the caller's thread.

        Calls wait for their turn in the order in which they were made. The limits, in seconds from
        when the worker gets the request, take the place of the supervisor's own. What a callback
        raises cancels the call and is raised again.

        Raises `core.cancellation.Cancelled`, the errors of `models.host.errors`, and
        `models.host.protocol.ProtocolError` for params that fit no frame.
        """
        cancellation = cancellation or Cancellation()
        time_limit = self._time_limit if time_limit is None else time_limit
        silence_limit = self._silence_limit if silence_limit is None else silence_limit
        with self._turn(cancellation):
            worker = self._running(cancellation)
            self._calls += 1
            number = self._calls
            watch = Watch(self._name, worker, number, self._memory_limit, time_limit, silence_limit)
            worker.send({"kind": "request", "id": number, "method": method, "params": params})
            self._move(Event.CALL)
            try:
                final = self._exchange(watch, on_progress, on_piece, cancellation)
            except Fault as fault:
                self._fail(worker, fault.error)
            except BaseException:
                self._stop(worker, number)
                raise
            self._answered(worker)
        if final.kind is ReplyKind.ERROR:
            error = final.value
            raise WorkerRefused(error["message"], code=error["code"], details=error["details"])
        return final.value

    def close(self, *, grace: float = CLOSE_GRACE) -> None:
        """End the worker and refuse every call, waiting or to come. May be called twice.

        A call in flight is given up; `grace` is how many seconds its thread may take to let go
        before the process is ended anyway.
        """
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._turns, grace)
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
        self._move(Event.CLOSE)

    @contextmanager
    def _turn(self, cancellation: Cancellation) -> Iterator[None]:
        """Wait until every earlier call is over. One thread holds one turn at most."""
        me = threading.get_ident()
        with self._changed:
            if me in self._turns:
                raise RuntimeError("A callback of a call may not call the same worker.")
            self._turns.append(me)
        try:
            with self._changed:
                while True:
                    self._refuse_if_closing()
                    cancellation.check()
                    if self._turns[0] == me:
                        break
                    self._changed.wait(POLL_SECONDS)
            yield
        finally:
            with self._changed:
                self._turns.remove(me)
                self._changed.notify_all()

    def _running(self, cancellation: Cancellation) -> WorkerProcess:
        """The process, started if need be and ready for a request."""
        if self._worker is not None:
            if self._worker.alive:
                return self._worker
            self._drop(Event.END)
        self._refuse_if_failing()
        self._move(Event.START)
        try:
            self._worker = worker = WorkerProcess(self._module)
        except OSError as error:
            self._fail(None, self._not_started(str(error.strerror)))
        worker.send(
            {
                "kind": "configure",
                "id": 0,
                "memory_limit": self._memory_limit,
                "niceness": self._niceness,
            }
        )
        try:
            self._await_ready(worker, cancellation)
            self._refuse_if_closing()
        except (ProcessEnded, ProtocolError, TimeoutError):
            self._fail(worker, self._not_started())
        except BaseException:
            worker.kill()
            self._drop(Event.END)
            raise
        self._move(Event.STARTED)
        return worker

    def _await_ready(self, worker: WorkerProcess, cancellation: Cancellation) -> None:
        deadline = time.monotonic() + self._start_limit
        message = None
        while message is None:
            cancellation.check()
            self._refuse_if_closing()
            if time.monotonic() > deadline:
                raise TimeoutError("The worker gave no sign of life within the start limit.")
            message = worker.receive(POLL_SECONDS)
        if parse_reply(message).kind is not ReplyKind.READY:
            raise ProtocolError("The worker's first message is not that it is ready.")

    def _exchange(
        self,
        watch: Watch,
        on_progress: Progress | None,
        on_piece: Piece | None,
        cancellation: Cancellation,
    ) -> Reply:
        """Pass messages on until the final one."""
        while True:
            reply = watch.look()
            if reply is not None:
                if reply.final:
                    return reply
                if reply.kind is ReplyKind.PROGRESS and on_progress is not None:
                    on_progress(*reply.value)
                elif reply.kind is ReplyKind.PIECE and on_piece is not None:
                    on_piece(reply.value)
            cancellation.check()
            self._refuse_if_closing()

    def _answered(self, worker: WorkerProcess) -> None:
        self._faults.clear()
        self._move(Event.ANSWER)
        if self._recycle_above is not None and worker.memory() > self._recycle_above:
            worker.end()
            self._drop(Event.END)

    def _stop(self, worker: WorkerProcess, number: int) -> None:
        """Ask the worker to stop the call; kill it if it does not answer within the grace."""
        self._move(Event.CANCEL)
        worker.send({"kind": "cancel", "id": number})
        deadline = time.monotonic() + self._cancel_grace
        try:
            while time.monotonic() < deadline and not self._closing:
                message = worker.receive(POLL_SECONDS)
                if message is not None:
                    reply = parse_reply(message)
                    if reply.id == number and reply.final:
                        self._move(Event.ANSWER)
                        return
        except (ProcessEnded, ProtocolError):
            pass
        worker.kill()
        self._drop(Event.END)

    def _fail(self, worker: WorkerProcess | None, error: WorkerError) -> NoReturn:
        if worker is not None:
            worker.kill()
            error.details = "\n".join(filter(None, [error.details, worker.details()]))
        self._faults.append(time.monotonic())
        self._drop(Event.FAULT)
        raise error

    def _drop(self, event: Event) -> None:
        self._worker = None
        self._move(event)

    def _move(self, event: Event) -> None:
        """Follow the table. A closed worker stays stopped, whatever a late thread reports."""
        with self._changed:
            before = self._state
            if before is State.STOPPED:
                return
            after = self._state = TRANSITIONS[before, event]
        if self._on_transition is not None:
            self._on_transition(before, event, after)

    def _refuse_if_closing(self) -> None:
        if self._closing:
            raise WorkerUnavailable(f"The {self._name} is being closed, so this was not done.")

    def _refuse_if_failing(self) -> None:
        faults, limit = self._faults, self._faults.maxlen
        if faults and len(faults) == limit and time.monotonic() - faults[0] < self._restart_window:
            raise WorkerUnavailable(
                f"The {self._name} failed {len(faults)} times in a row and was not started "
                f"again. Nothing else was lost. Wait a minute and try again; if it keeps failing, "
                f"restart the program."
            )

    def _not_started(self, details: str = "") -> WorkerUnavailable:
        return WorkerUnavailable(
            f"The {self._name} could not be started. Nothing was lost. Close other programs and "
            f"try again; if it keeps failing, install the program anew.",
            details=details,
        )
