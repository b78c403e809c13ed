"""Watches one call of a worker: its messages, its time, its memory."""

import time

from models.host.errors import (
    OUT_OF_MEMORY,
    WorkerCrashed,
    WorkerError,
    WorkerMemoryLimit,
    WorkerTimeLimit,
)
from models.host.process import ProcessEnded, WorkerProcess
from models.host.protocol import ProtocolError, Reply, ReplyKind, parse_reply

POLL_SECONDS = 0.05
"""How often a waiting call looks at cancellation and limits."""


class Fault(Exception):
    """A call failed by the worker's fault, told apart from whatever a callback raises."""

    def __init__(self, error: WorkerError) -> None:
        super().__init__(str(error))
        self.error = error


class Watch:
    """Receives the messages of one call and measures it against its limits."""

    def __init__(
        self,
        name: str,
        worker: WorkerProcess,
        number: int,
        memory_limit: int | None,
        time_limit: float | None,
        silence_limit: float | None,
    ) -> None:
        self._name = name
        self._worker = worker
        self._number = number
        self._memory_limit = memory_limit
        self._time_limit = time_limit
        self._silence_limit = silence_limit
        self._began = self._heard = self._weighed = time.monotonic()
        self._most_memory = 0

    def look(self) -> Reply | None:
        """The next reply to this call, if one comes within `POLL_SECONDS`.

        Raises `Fault` once the process has ended, broken the protocol or passed a limit. A reply to
        another call breaks it: one call's answer must never be taken for another's.
        """
        try:
            message = self._worker.receive(POLL_SECONDS)
            reply = None if message is None else parse_reply(message)
        except ProcessEnded as ended:
            raise self._ended() from ended
        except ProtocolError as error:
            raise self._crashed(str(error)) from error
        now = time.monotonic()
        if reply is not None:
            if reply.id != self._number:
                raise self._crashed("A reply came that belongs to no call in flight.")
            self._heard = now
            if reply.kind is ReplyKind.ERROR and reply.value["code"] == OUT_OF_MEMORY:
                raise self._out_of_memory()
            if reply.final:
                return reply
        self._measure_time(now)
        self._measure_memory(now)
        return reply

    def _measure_time(self, now: float) -> None:
        if self._time_limit is not None and now - self._began > self._time_limit:
            why = f"took longer than {self._time_limit:.0f} seconds"
        elif self._silence_limit is not None and now - self._heard > self._silence_limit:
            why = f"made no progress for {self._silence_limit:.0f} seconds"
        else:
            return
        raise Fault(WorkerTimeLimit(f"The {self._name} {why} and was stopped."))

    def _measure_memory(self, now: float) -> None:
        if self._memory_limit is None or now - self._weighed < POLL_SECONDS:
            return
        self._weighed = now
        self._most_memory = max(self._most_memory, self._worker.memory())
        if self._most_memory > self._memory_limit:
            raise self._out_of_memory()

    def _ended(self) -> Fault:
        """Out of memory if the process was near its limit, for native libraries abort on that."""
        if self._memory_limit is not None and self._most_memory > 0.8 * self._memory_limit:
            return self._out_of_memory()
        return self._crashed()

    def _out_of_memory(self) -> Fault:
        megabytes = (self._memory_limit or 0) // 1024**2
        bound = f"than {megabytes} MB of memory" if megabytes else "memory than there is"
        return Fault(WorkerMemoryLimit(f"The {self._name} needed more {bound} and was stopped."))

    def _crashed(self, why: str = "") -> Fault:
        message = (
            f"The {self._name} stopped before it had answered. It starts again with the next task."
        )
        return Fault(WorkerCrashed(message, details=why))
