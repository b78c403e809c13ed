"""A desk on parts that wait for the test, so that each state can be looked at."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest

from core.cancellation import Cancellation
from core.claims.verdict import CheckResult, Evidence, Outcome, TraceEntry, Verdict
from core.documents.model import Block, BlockKind, Document, Format
from core.storage.rows import CheckRecord, Provenance, SourceKind, StoredDocument, Workspace
from core.workspaces import Repeated
from desktop.services import Services
from desktop.tasks import TaskRunner

NOW = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
SENTENCE = "The trial enrolled 48 participants."
TEXT = f"Background is given first.\n\n{SENTENCE} It ended early."


def stored(sha256: str = "a" * 64, name: str = "trial.txt") -> StoredDocument:
    return StoredDocument(1, sha256, len(TEXT), name, ".txt", Format.TEXT, NOW)


def document(text: str = TEXT) -> Document:
    return Document(Format.TEXT, text, (Block(BlockKind.PARAGRAPH, 0, len(text)),))


def result(verdict: Verdict = Verdict.SUPPORTED, text: str = TEXT) -> CheckResult:
    start = max(0, text.find(SENTENCE))
    return CheckResult(
        verdict,
        "lexical",
        "The source says this word for word.",
        (Evidence(SENTENCE, start, start + len(SENTENCE)),),
        {},
        (
            TraceEntry("hygiene", Outcome.PASSED, "The claim is plain text."),
            TraceEntry("lexical", Outcome.DECIDED, "All words are there, in order."),
        ),
    )


def record(claim: str, source: StoredDocument | str, verdict: CheckResult) -> CheckRecord:
    pasted = isinstance(source, str)
    provenance = Provenance(None, None, None, "1", "1", "0", NOW, NOW)
    return CheckRecord(
        check_id=7,
        verdict_id=9,
        workspace_id=1,
        claim=claim,
        claim_sha256="c" * 64,
        source_kind=SourceKind.TEXT if pasted else SourceKind.DOCUMENT,
        source_name="" if pasted else source.name,
        source_sha256="d" * 64,
        document=None if pasted else source,
        result=verdict,
        provenance=provenance,
    )


@dataclass
class Step:
    """A point at which the work waits until the test lets it go on, or fail."""

    entered: Event = field(default_factory=Event)
    go: Event = field(default_factory=Event)
    error: Exception | None = None
    deaf: bool = False

    def pause(self, cancellation: Cancellation | None) -> None:
        self.entered.set()
        while not self.go.wait(0.005):
            if cancellation is not None and not self.deaf:
                cancellation.check()
        if self.error is not None:
            raise self.error


class WaitingWorkspaces:
    """Stands where `core.workspaces.Workspaces` does; every step waits for the test."""

    def __init__(self) -> None:
        self.reading = Step()
        self.checking = Step()
        self.answer = result()
        self.claims: list[str] = []
        self.passwords: list[str | None] = []
        self.same = True

    def document(
        self,
        source: StoredDocument,
        *,
        password: str | None = None,
        progress: Callable[[int, int, str], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> Document:
        self.passwords.append(password)
        if progress is not None:
            progress(1, 4, "Reading page 1")
        self.reading.pause(cancellation)
        return document()

    def check(
        self,
        workspace_id: int,
        claim: str,
        source: StoredDocument | str,
        *,
        password: str | None = None,
        progress: Callable[[int, int, str], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> CheckRecord:
        self.claims.append(claim)
        if progress is not None:
            progress(3, 9, "Comparing sentences")
        self.checking.pause(cancellation)
        return record(claim, source, self.answer)

    def repeat(
        self,
        check_id: int,
        *,
        password: str | None = None,
        progress: Callable[[int, int, str], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> Repeated:
        self.checking.pause(cancellation)
        changes = () if self.same else ("The program was version 0 and is now version 1.",)
        return Repeated(record("The earlier claim.", stored(), self.answer), self.same, changes)


class SmallStore:
    """The few questions that the models ask a store."""

    def __init__(self) -> None:
        self.rows = [stored()]
        self.documents = self
        self.workspaces = self
        self.checks = self

    def all(self, workspace_id: int | None = None) -> list[Any]:
        return self.rows if workspace_id is not None else [Workspace(1, "First", False, NOW)]

    def file(self, row: StoredDocument) -> Path:
        return Path("unused")

    def latest(self, check_id: int) -> CheckRecord:
        return record("The earlier claim.", stored(), result())

    def page(self, workspace_id: int, **_: Any) -> list[CheckRecord]:
        return []

    def close(self) -> None:
        return None


@pytest.fixture
def waiting() -> WaitingWorkspaces:
    return WaitingWorkspaces()


@pytest.fixture
def services(waiting: WaitingWorkspaces) -> Services:
    store = SmallStore()
    return Services(store, waiting, store)  # type: ignore[arg-type]


@pytest.fixture
def runner(qapp: Any, waiting: WaitingWorkspaces) -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    waiting.reading.go.set()
    waiting.checking.go.set()
    assert made.close(5.0), "a worker thread did not end"


def wait_for(qtbot: Any, condition: Callable[[], object], timeout: int = 10_000) -> None:
    """Run the event loop until the condition holds."""

    def holds() -> None:
        assert condition()

    qtbot.waitUntil(holds, timeout=timeout)


def pump(qtbot: Any, seconds: float = 0.1) -> None:
    """Let the event loop run for a while, for what must not happen."""
    qtbot.wait(int(seconds * 1000))
    sleep(0)
