"""The loop of a worker process: reads requests, runs handlers, answers.

The process lives exactly as long as the pipe from its supervisor. A thread reads that pipe, so
that a cancel is seen while a handler works and the end of the pipe ends the process in mid-work.
Nothing else can reach the protocol: the real standard output is kept aside, and what a library
prints goes to standard error.
"""

import faulthandler
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NoReturn, TextIO

from core.cancellation import Cancellation, Cancelled
from models.host.errors import (
    ANSWER_TOO_LARGE,
    CANCELLED,
    INTERNAL,
    OUT_OF_MEMORY,
    UNKNOWN_METHOD,
)
from models.host.protocol import (
    FrameMalformed,
    FrameTooLarge,
    ProtocolError,
    Reply,
    ReplyKind,
    pack,
    read_frame,
)

STALL_LIMIT = 60.0
"""Seconds that a handler may hold the interpreter without letting any thread run.

A regular expression that backtracks without end would otherwise keep the process alive after its
supervisor is gone, since the thread that sees the pipe close could not run.
"""

ADDRESS_SPACE_HEADROOM = 512 * 1024 * 1024
"""Bytes of address space over the memory limit: libraries, stacks and reserves that hold nothing.

The supervisor watches resident memory; this only stops an allocation too large or too fast for
that.
"""

EXIT_PROTOCOL = 70


@dataclass(slots=True)
class Call:
    """One request while it is worked on; what a handler answers through."""

    id: int
    method: str
    params: dict[str, Any]
    _send: Callable[[Reply], None]
    cancellation: Cancellation = field(default_factory=Cancellation)

    def progress(self, done: int, total: int, note: str) -> None:
        """Say how far the work is. Raises `Cancelled` if the call was cancelled."""
        self.cancellation.check()
        self._send(Reply(self.id, ReplyKind.PROGRESS, [done, total, note]))

    def piece(self, value: dict[str, Any]) -> None:
        """Send a part of the answer. Raises `Cancelled`, and `FrameTooLarge` for a large part."""
        self.cancellation.check()
        self._send(Reply(self.id, ReplyKind.PIECE, value))


Handler = Callable[[dict[str, Any], Call], Any]
"""Takes a request's params and its `Call`; returns the result, as JSON can hold it."""


def serve(
    handlers: Mapping[str, Handler],
    *,
    errors: tuple[type[Exception], ...] = (),
    stall_limit: float = STALL_LIMIT,
) -> NoReturn:
    """Answer requests until the supervisor closes the pipe; ends the process.

    `errors` are exception types that have a `code` and a message in the person's words: these cross
    to the supervisor. Of any other exception only its type and where it was raised cross, since its
    message may quote a document.
    """
    incoming, outgoing = _take_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable(file=sys.stderr)
    _Server(handlers, errors, incoming, outgoing).run(stall_limit)


class _Server:
    def __init__(
        self,
        handlers: Mapping[str, Handler],
        errors: tuple[type[Exception], ...],
        incoming: BinaryIO,
        outgoing: BinaryIO,
    ) -> None:
        self._handlers = handlers
        self._errors = errors
        self._incoming = incoming
        self._outgoing = outgoing
        self._calls: queue.SimpleQueue[Call] = queue.SimpleQueue()
        self._open: dict[int, Call] = {}

    def run(self, stall_limit: float) -> NoReturn:
        """Take the configuration, then answer calls one after another."""
        self._configure()
        threading.Thread(target=_beat, args=(stall_limit, sys.stderr), daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()
        self._send(Reply(0, ReplyKind.READY, None))
        while True:
            self._answer(self._calls.get())

    def _configure(self) -> None:
        try:
            message = read_frame(self._incoming)
            if message is None:
                _exit(0)
            if message.get("kind") != "configure":
                raise FrameMalformed("The first message does not configure the worker.")
        except ProtocolError as error:
            _say(str(error))
            _exit(EXIT_PROTOCOL)
        _limit_memory(message.get("memory_limit"))
        if hasattr(os, "nice"):
            os.nice(int(message.get("niceness", 0)))

    def _listen(self) -> None:
        """Read requests and cancels; the end of the pipe, or nonsense in it, ends the process."""
        try:
            while (message := read_frame(self._incoming)) is not None:
                self._take(message)
        except ProtocolError as error:
            _say(str(error))
            _exit(EXIT_PROTOCOL)
        except OSError:
            pass
        _exit(0)

    def _take(self, message: dict[str, Any]) -> None:
        match message:
            case {"kind": "request", "id": int(number), "method": str(method), "params": dict(p)}:
                call = Call(number, method, p, self._send)
                self._open[number] = call
                self._calls.put(call)
            case {"kind": "cancel", "id": int(number)}:
                if (open_call := self._open.get(number)) is not None:
                    open_call.cancellation.cancel()
            case _:
                raise FrameMalformed("A message is neither a request nor a cancel.")

    def _answer(self, call: Call) -> None:
        reply = self._work(call)
        del self._open[call.id]
        try:
            self._send(reply)
        except FrameTooLarge:
            self._send(_error(call, ANSWER_TOO_LARGE, "The answer is too large to pass on."))
        except FrameMalformed:
            self._send(_error(call, INTERNAL, "The answer cannot be passed on."))

    def _work(self, call: Call) -> Reply:
        handler = self._handlers.get(call.method)
        if handler is None:
            return _error(call, UNKNOWN_METHOD, "This part of the program does not know the task.")
        try:
            call.cancellation.check()
            return Reply(call.id, ReplyKind.RESULT, handler(call.params, call))
        except Exception as error:
            if isinstance(error, Cancelled):
                return _error(call, CANCELLED, "Stopped as asked.")
            if isinstance(error, MemoryError):
                return _error(call, OUT_OF_MEMORY, "There was not enough memory.")
            if isinstance(error, self._errors):
                return _error(call, str(getattr(error, "code", INTERNAL)), str(error))
            if isinstance(error, FrameTooLarge):
                return _error(call, ANSWER_TOO_LARGE, "The answer is too large to pass on.")
            where = "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__
        return _error(call, INTERNAL, "The task met something that it could not handle.", where)

    def _send(self, reply: Reply) -> None:
        frame = pack(reply.message())
        try:
            self._outgoing.write(frame)
            self._outgoing.flush()
        except OSError:
            _exit(0)


def _error(call: Call, code: str, message: str, details: str = "") -> Reply:
    value = {"code": code, "message": message, "details": details}
    return Reply(call.id, ReplyKind.ERROR, value)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The protocol's two pipes, under numbers that no library knows."""
    incoming, outgoing = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(incoming, os.O_BINARY)
        msvcrt.setmode(outgoing, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")


def _limit_memory(limit: object) -> None:
    """Bound the address space where the system can; elsewhere the supervisor's watch must do."""
    if not isinstance(limit, int):
        return
    try:
        import resource
    except ImportError:
        return
    bound = limit + ADDRESS_SPACE_HEADROOM
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        bound = min(bound, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))


def _beat(stall_limit: float, errors: TextIO) -> None:
    """Keep postponing an exit that a thread outside the interpreter would carry out."""
    while True:
        faulthandler.dump_traceback_later(stall_limit, exit=True, file=errors)
        time.sleep(stall_limit / 4)


def _say(text: str) -> None:
    with suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def _exit(status: int) -> NoReturn:
    """End at once: a handler in mid-work must not hold the process."""
    os._exit(status)
