"""What the set-up says while it works: steps, how long they usually take, and how they ended."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

HEARTBEAT = 15.0
"""Seconds between two signs of life of a long step."""

LOG_TAIL = 15
"""Lines of a log that are shown when its step failed."""


class StepFailed(Exception):
    """A step did not work. The message says what happened, what was kept and what to do."""


def in_words(fault: Exception) -> str:
    """What went wrong, for a person: of a system's error what it means, not its number."""
    if isinstance(fault, OSError) and fault.strerror:
        where = f" ({fault.filename})" if fault.filename else ""
        return f"{fault.strerror}{where}. Start the same command again."
    return str(fault) or f"It stopped unexpectedly ({type(fault).__name__})."


def clock(seconds: float) -> str:
    """`seconds` as m:ss."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


@dataclass
class Console:
    """Prints whole lines, each with the time since the start; safe from any thread."""

    started: float = field(default_factory=time.monotonic)
    durations: list[tuple[str, float]] = field(default_factory=list)
    children: "set[Child]" = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _held: list[str] | None = None

    def say(self, text: str) -> None:
        """Print `text` behind the time since the start."""
        self.plain(f"[{clock(time.monotonic() - self.started):>5}] {text}")

    def plain(self, text: str = "") -> None:
        """Print `text` alone."""
        with self._lock:
            if self._held is None:
                print(text, flush=True)
            else:
                self._held.append(text)

    def hint(self, text: str) -> None:
        """Say `text` if lines are not held back now: a sign of life is of no use later."""
        if self._held is None:
            self.say(text)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep lines back while a child writes to the same terminal; print them afterwards."""
        with self._lock:
            self._held = []
        try:
            yield
        finally:
            with self._lock:
                lines, self._held = self._held, None
            for line in lines or ():
                self.plain(line)

    def stop_children(self) -> None:
        """End every command that is still running, also those of other threads."""
        for child in list(self.children):
            child.stop()

    @contextmanager
    def step(self, title: str, usually: str) -> Iterator[None]:
        """Say that a step begins and how long it usually takes; keep how long it took."""
        self.say(f"{title} (usually {usually}) …")
        begun = time.monotonic()
        yield
        taken = time.monotonic() - begun
        self.durations.append((title, taken))
        self.say(f"  done in {taken:.1f} s")


def tail(log: Path, lines: int = LOG_TAIL) -> str:
    """The last lines of a log, for a message."""
    if not log.exists():
        return ""
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])


class Child:
    """A child process that writes to a log and is ended with all that it started."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        *,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        low_priority: bool = False,
    ) -> None:
        log.parent.mkdir(parents=True, exist_ok=True)
        self._log = log.open("ab")
        options: dict[str, object] = {}
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP
            if low_priority:
                flags |= subprocess.BELOW_NORMAL_PRIORITY_CLASS
            options["creationflags"] = flags
        else:
            options["start_new_session"] = True
            if low_priority:
                command = ["nice", "-n", "19", *command]
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            **options,  # type: ignore[call-overload]
        )

    def wait(self, beat: Callable[[float], None] | None = None) -> int:
        """Wait for the end; call `beat` with the elapsed seconds now and then. Exit status."""
        begun = last = time.monotonic()
        try:
            while self.process.poll() is None:
                time.sleep(0.1)
                now = time.monotonic()
                if beat is not None and now - last >= HEARTBEAT:
                    last = now
                    beat(now - begun)
        except BaseException:
            self.stop()
            raise
        finally:
            self._log.close()
        return self.process.returncode

    def stop(self) -> None:
        """End the process and its children: ask, wait three seconds, kill."""
        if self.process.poll() is not None:
            return
        if sys.platform == "win32":
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(self.process.pid)],
                check=False,
                capture_output=True,
            )
            self.process.wait()
            return
        # It may end, and be waited for on another thread, at any moment.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def run_logged(
    console: Console,
    command: Sequence[str],
    log: Path,
    *,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    failure: str,
) -> None:
    """Run `command` with its output in `log`.

    Raises `StepFailed` with `failure` and the end of the log if it ends with another status than 0.
    """
    child = Child(command, log, folder=folder, environment=environment)
    console.children.add(child)
    try:
        status = child.wait(lambda elapsed: console.say(f"  still working, {clock(elapsed)}"))
    finally:
        console.children.discard(child)
    if status != 0:
        raise StepFailed(f"{failure}\nThe end of {log}:\n{tail(log)}")
