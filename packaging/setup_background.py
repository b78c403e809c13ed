"""Work that goes on while the program is already of use: started, waited for, stopped."""

import threading
import time
from collections.abc import Callable, Sequence

from setup_console import Console, in_words


class BackgroundJob:
    """A piece of work on a thread of its own; subclasses say what in `work`.

    `outcome` is None while it works, then "" when it is done, or what went wrong. Whatever goes
    wrong, the program can be used, with less; `without` says what is missing then.
    """

    def __init__(self, console: Console, name: str, without: str) -> None:
        self.console = console
        self.outcome: str | None = None
        self.begun = time.monotonic()
        self.stopped = threading.Event()
        self._without = without
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        # Waited for instead of joining: in Python up to 3.12, a thread counts as ended once Ctrl+C
        # has interrupted a join, and its clean-up would be cut short.
        self._idle = threading.Event()
        self._idle.set()

    def work(self) -> None:
        """Do it, on the job's thread. Raises `StepFailed` or any other exception."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin."""
        self.begun = time.monotonic()
        self._idle.clear()
        self._thread.start()

    @property
    def idle(self) -> bool:
        """Whether it has not begun, or has ended."""
        return self._idle.is_set()

    def stop(self) -> None:
        """End the work; nothing happens if it never started or has ended."""
        self.stopped.set()
        patience = time.monotonic() + 30
        while not self._idle.is_set() and time.monotonic() < patience:
            self.console.stop_children()
            self._idle.wait(0.2)

    def wait(self) -> bool:
        """Wait to the end. Returns whether the work succeeded."""
        while not self._idle.wait(0.5):
            pass
        return self.outcome == ""

    def guarded(self, work: Callable[[], None]) -> None:
        """Do `work` and keep how it ended."""
        try:
            work()
        except Exception as fault:  # Whatever goes wrong here, checking goes on.
            self.outcome = in_words(fault)
            if not self.stopped.is_set():
                self.console.say(f"{self._without} {self.outcome}")
        else:
            self.outcome = ""

    def _run(self) -> None:
        try:
            self.guarded(self.work)
        finally:
            self._idle.set()


class InTurn:
    """Jobs one after the other, each begun when the one before has ended in whatever way."""

    def __init__(self, jobs: Sequence[BackgroundJob]) -> None:
        self._jobs = jobs
        self._begun: list[BackgroundJob] = []

    def go_on(self) -> None:
        """Begin the next job if none is at work; called now and then."""
        if len(self._begun) < len(self._jobs) and all(job.idle for job in self._begun):
            job = self._jobs[len(self._begun)]
            self._begun.append(job)
            job.start()

    def first(self) -> bool:
        """Do the first job, to its end. Returns whether it succeeded."""
        self.go_on()
        return self._begun[0].wait()

    def wait(self) -> bool:
        """Do what is left, to the end. Returns whether every job succeeded."""
        while len(self._begun) < len(self._jobs):
            for job in self._begun:
                job.wait()
            self.go_on()
        for job in self._begun:
            job.wait()
        return all(job.outcome == "" for job in self._begun)

    def stop(self) -> None:
        """End the job at work; the others do not begin."""
        for job in self._jobs:
            job.stop()
