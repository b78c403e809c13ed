"""One worker process and its three pipes, none of which can block the thread that calls.

A thread writes, a thread reads, a thread keeps the last lines of standard error. The reading
thread also waits for the process, so that it never stays behind as a zombie.
"""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

from models.host.protocol import ProtocolError, pack, read_frame

ROOT = Path(__file__).resolve().parents[2]
"""The folder from which `core` and `models` are imported."""

INBOX_MESSAGES = 32
"""Messages read ahead; a worker that sends faster waits, so that memory stays bounded."""

KEPT_STDERR_BYTES = 8192

LAST_WORDS_SECONDS = 0.5
"""How long to wait for the rest of standard error, which a grandchild might hold open."""

EXIT_GRACE = 2.0
"""Seconds between one way of ending a process and the next, harder one."""


def worker_command(module: str) -> list[str]:
    """The command line of a worker: the one place that knows it.

    `-P` keeps the folder that the person happens to work in off the import path.
    """
    return [sys.executable, "-P", "-m", module]


class ProcessEnded(Exception):
    """The process is gone and everything that it said has been received.

    `fault` is the break of the protocol for which it was killed, if that is why.
    """

    def __init__(self, fault: ProtocolError | None) -> None:
        super().__init__("The process ended.")
        self.fault = fault


class WorkerProcess:
    """A running worker. Messages go out with `send` and come in with `receive`.

    Raises `OSError` where the process cannot be started.
    """

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(
            worker_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue(INBOX_MESSAGES)
        self._abandoned = threading.Event()
        self._ended = threading.Event()
        self._fault: ProtocolError | None = None
        self._stderr = b""
        self._thread(self._write, self._process.stdin)
        self._listener = self._thread(self._keep_stderr, self._process.stderr)
        self._thread(self._read, self._process.stdout)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return not self._ended.is_set() and self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """The exit status; negative for a signal; None while the process runs."""
        return self._process.returncode

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message. Raises `ProtocolError` for one that fits no frame, else never fails."""
        self._outbox.put(pack(message))

    def receive(self, timeout: float) -> dict[str, Any] | None:
        """The next message, or None after `timeout` seconds. Raises `ProcessEnded`."""
        with suppress(queue.Empty):
            message = self._inbox.get(timeout=timeout)
            if message is not None:
                return message
        if self._ended.is_set():
            with suppress(queue.Empty):
                while (message := self._inbox.get_nowait()) is None:
                    continue
                return message
            raise ProcessEnded(self._fault)
        return None

    def memory(self) -> int:
        """Resident memory in bytes; 0 where it cannot be told."""
        import psutil  # type: ignore[import-untyped]

        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def details(self) -> str:
        """How the process ended and the last lines of its standard error, for a bug report."""
        ended = "running" if self.exit_code is None else f"exit status {self.exit_code}"
        fault = f", {self._fault}" if self._fault else ""
        return f"{ended}{fault}\n{self._stderr.decode('utf-8', 'replace')}".strip()

    def end(self) -> None:
        """Close the pipe, which ends a healthy worker; then terminate, then kill."""
        self._abandoned.set()
        self._outbox.put(None)
        if not self._ended.wait(EXIT_GRACE):
            self._process.terminate()
            if not self._ended.wait(EXIT_GRACE):
                self.kill()

    def kill(self) -> None:
        """End the process now and wait until it is gone."""
        self._abandoned.set()
        self._process.kill()
        self._outbox.put(None)
        self._ended.wait(EXIT_GRACE)

    def _thread(self, work: Callable[[BinaryIO], None], pipe: IO[bytes] | None) -> threading.Thread:
        thread = threading.Thread(target=work, args=(pipe,), daemon=True)
        thread.start()
        return thread

    def _write(self, pipe: BinaryIO) -> None:
        with suppress(OSError):
            while (frame := self._outbox.get()) is not None:
                pipe.write(frame)
                pipe.flush()
        with suppress(OSError):
            pipe.close()

    def _read(self, pipe: BinaryIO) -> None:
        try:
            while (message := read_frame(pipe)) is not None and self._offer(message):
                continue
        except ProtocolError as error:
            self._fault = error
            if not self._abandoned.is_set():
                self._process.kill()
        except OSError:
            pass
        try:
            self._process.wait(EXIT_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        pipe.close()
        self._outbox.put(None)
        self._listener.join(LAST_WORDS_SECONDS)
        self._ended.set()
        with suppress(queue.Full):
            self._inbox.put_nowait(None)

    def _offer(self, message: dict[str, Any]) -> bool:
        while not self._abandoned.is_set():
            with suppress(queue.Full):
                self._inbox.put(message, timeout=0.1)
                return True
        return False

    def _keep_stderr(self, pipe: BinaryIO) -> None:
        with suppress(OSError):
            while chunk := pipe.read1(65536):  # type: ignore[attr-defined]
                self._stderr = (self._stderr + chunk)[-KEPT_STDERR_BYTES:]
        pipe.close()


def _environment() -> dict[str, str]:
    environment = dict(os.environ)
    added = [p for p in environment.get("PYTHONPATH", "").split(os.pathsep) if p]
    paths = [ROOT, *(Path(p).absolute() for p in added)]
    environment["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    return environment
