from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.calibration.record import CalibrationRecord
from core.claims.verdict import CheckResult, Evidence, Outcome, Scope, TraceEntry, Verdict
from core.documents.model import Notice, NoticeKind, TextScope
from core.storage.rows import Provenance
from core.storage.store import Store


class SteppingClock:
    """A clock that moves on by one second with every look at it."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def store(home: Path, clock: SteppingClock) -> Iterator[Store]:
    with Store.open(home, clock=clock) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Make a file with a text in a folder of its own."""

    def make(text: str | bytes = "One sentence.", name: str = "note.txt") -> Path:
        folder = tmp_path / f"files-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


@pytest.fixture
def result() -> CheckResult:
    return CheckResult(
        verdict=Verdict.SUPPORTED,
        gate="lexical",
        reason="The source says it nearly word for word.",
        evidence=(Evidence("One sentence.", 0, 13, 2), Evidence("Another.", 20, 28)),
        scores={"overlap": 1.0, "margin": 0.25},
        trace=(
            TraceEntry("hygiene", Outcome.PASSED, "The text is clean.", {"joined": 0}),
            TraceEntry("lexical", Outcome.DECIDED, "All word pairs.", {"pairs": [1, 2.5, None]}),
        ),
        scope=Scope(TextScope.ABSTRACT_ONLY, (Notice(NoticeKind.RETRACTED, "Retracted."),)),
    )


@pytest.fixture
def provenance() -> Provenance:
    moment = datetime(2026, 3, 2, 8, 30, 0, 125, tzinfo=UTC)
    return Provenance(
        model_name="starter-entailment",
        model_sha256="a" * 64,
        calibration=CalibrationRecord("b" * 64, "a" * 64, 700, 2, 0.0089, 0.97, None, "2026-02-28"),
        contract_version="7",
        reader_version="0.1.0+abc",
        app_version="0.1.0",
        started=moment,
        finished=moment + timedelta(milliseconds=1500),
    )
