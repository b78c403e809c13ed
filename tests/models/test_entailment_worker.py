"""The entailment worker with a real process and a real, tiny model."""

import math
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation, Cancelled
from core.claims.verdict import Verdict
from core.claims.version import contract_version
from core.clock import SystemClock
from core.ports import DocumentReader, EntailmentScores, ModelStopped
from core.storage.scores import ScoreCache
from core.storage.store import Store
from core.workspaces import Workspaces
from models.entailment.errors import ModelDamaged
from models.entailment.installed import InstalledModel, InstalledModels
from models.entailment.worker import MODULE, PAIRS_AT_ONCE, EntailmentWorker, describe
from models.host.supervisor import Supervisor
from tests.models.tiny_model import install

SEED = 79
"""With it the claims of `test_killing_the_worker_at_any_moment` have the verdicts given there."""

PAIRS = [
    ("The pump in hall two broke down at noon.", "The pump stopped."),
    ("Staff left the hall at once.", "No staff left."),
    ("Records must be kept for five years.", "Records are kept."),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> InstalledModels:
    """A model with three labels and one with two."""
    folder = tmp_path_factory.mktemp("models")
    models = InstalledModels(folder / "entailment")
    install(models, folder, name="tiny", seed=SEED)
    install(models, folder, name="pair", labels=("supported", "unsupported"))
    return models


@pytest.fixture
def start(models: InstalledModels) -> Iterator[Callable[..., EntailmentWorker]]:
    """Makes workers on an installed model; closed after the test."""
    made: list[EntailmentWorker] = []

    def make(name: str = "tiny", **options: object) -> EntailmentWorker:
        made.append(EntailmentWorker(models.get(name), **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for worker in made:
        worker.close()


class Counted(ScoreCache):
    """A cache that counts the pairs that had to be asked for."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.asked = 0

    def put(
        self, model: str, pairs: Sequence[tuple[str, str]], scores: Sequence[EntailmentScores]
    ) -> None:
        self.asked += len(pairs)
        super().put(model, pairs, scores)


def test_what_it_is_is_known_before_the_process_starts(
    start: Callable[..., EntailmentWorker], models: InstalledModels
) -> None:
    worker = start()
    manifest = models.get("tiny").manifest
    assert manifest is not None
    assert (worker.name, worker.sha256, worker.calibration) == ("tiny", manifest.sha256, None)
    assert "float32" in worker.description
    assert "not calibrated" in worker.description
    assert worker.score([]) == []
    assert worker.pid is None


def test_scores_come_in_the_order_of_the_pairs(start: Callable[..., EntailmentWorker]) -> None:
    worker = start()
    together = worker.score([*PAIRS, PAIRS[0]])
    assert worker.pid is not None
    assert together[0] == together[3]
    assert len({scores.entailment for scores in together}) == 3
    alone = [worker.score([pair])[0] for pair in PAIRS]
    for one, other in zip(together, alone, strict=False):
        assert one.entailment == pytest.approx(other.entailment, abs=1e-5)
        assert one.contradiction == pytest.approx(other.contradiction, abs=1e-5)
        assert 0.0 <= one.entailment <= 1.0
    assert "processor" in worker.description or "card" in worker.description


def test_a_model_with_two_labels_has_no_contradiction(
    start: Callable[..., EntailmentWorker],
) -> None:
    assert {scores.contradiction for scores in start("pair").score(PAIRS)} == {None}


def test_many_pairs_go_in_several_requests_with_progress(
    start: Callable[..., EntailmentWorker],
) -> None:
    pairs = [(f"Item {'two ' * n}was stored.", "Some item is stored.") for n in range(300)]
    told: list[tuple[int, int]] = []
    scores = start().score(pairs, progress=lambda done, total, what: told.append((done, total)))
    assert len(scores) == 300
    assert told == [(n, 300) for n in range(0, 300, PAIRS_AT_ONCE)]


def test_text_that_no_tokenizer_reads_is_scored_without_it(
    start: Callable[..., EntailmentWorker],
) -> None:
    (scores,) = start().score([("The pump \ud800 broke\0 down.", "The \udfff pump.")])
    assert math.isfinite(scores.entailment)


def test_what_is_known_is_not_asked_again(
    start: Callable[..., EntailmentWorker], tmp_path: Path
) -> None:
    with Counted(tmp_path / "scores.db") as cache:
        first = start(cache=cache).score([*PAIRS, *PAIRS])
        assert cache.asked == 3
        worker = start(cache=cache)
        assert worker.score([*PAIRS, *PAIRS]) == first
        assert cache.asked == 3
        assert worker.pid is None
        start("pair", cache=cache).score(PAIRS)
        assert cache.asked == 6


def test_cached_scores_that_do_not_fit_the_model_are_not_believed(
    start: Callable[..., EntailmentWorker],
) -> None:
    class Lying:
        def get(
            self, model: str, pairs: Sequence[tuple[str, str]]
        ) -> list[EntailmentScores | None]:
            wrong = [
                EntailmentScores(1.5, 0.0), EntailmentScores(1.0, None),
                EntailmentScores(math.nan, 0.0),
            ]  # fmt: skip
            return wrong[: len(pairs)]

        def put(
            self,
            model: str,
            pairs: Sequence[tuple[str, str]],
            scores: Sequence[EntailmentScores],
        ) -> None:
            return None

    assert start(cache=Lying()).score(PAIRS) == start().score(PAIRS)


def test_a_cancel_ends_the_call_and_the_next_one_works(
    start: Callable[..., EntailmentWorker],
) -> None:
    worker = start()
    cancellation = Cancellation()

    def cancel(done: int, total: int, what: str) -> None:
        if done:
            cancellation.cancel()

    pairs = [(f"Item {'two ' * n}was stored.", "Some item is stored.") for n in range(300)]
    with pytest.raises(Cancelled):
        worker.score(pairs, progress=cancel, cancellation=cancellation)
    with pytest.raises(Cancelled):
        worker.score(PAIRS, cancellation=cancellation)
    assert len(worker.score(PAIRS)) == 3


def test_a_killed_worker_is_named_and_replaced(start: Callable[..., EntailmentWorker]) -> None:
    worker = start()
    before = worker.score(PAIRS)

    def kill(done: int, total: int, what: str) -> None:
        assert worker.pid is not None
        psutil.Process(worker.pid).kill()
        time.sleep(0.2)

    replaced = worker.score([("One premise.", "A claim.")], progress=kill)
    assert len(replaced) == 1, "a process that ended between two requests costs nothing"
    assert worker.score(PAIRS) == before


FAULTY = """
import os, sys, time
from models.host.child import serve

def score(params, call):
    {body}

serve({{"score": score}})
"""

FAULTS = {
    "exits": ("os._exit(1)", "stopped before it answered"),
    "raises": ("raise RuntimeError('secret text of a document')", "cannot handle"),
    "no object": ("return []", "making sense"),
    "too few": ("return {'scores': [[0.9, 0.0]], 'description': 'x'}", "making sense"),
    "no numbers": ("return {'scores': [['0.9', 0.0]] * 3, 'description': 'x'}", "making sense"),
    "above one": ("return {'scores': [[1.1, 0.0]] * 3, 'description': 'x'}", "making sense"),
    "true": ("return {'scores': [[True, 0.0]] * 3, 'description': 'x'}", "making sense"),
    "a label short": ("return {'scores': [[0.9, None]] * 3, 'description': 'x'}", "making sense"),
    "a label more": ("return {'scores': [[0.9, 0, 0]] * 3, 'description': 'x'}", "making sense"),
    "hangs": ("time.sleep(60)", "took too long"),
    "out of memory": ("raise MemoryError", "more memory"),
    "prints": ("print('x' * 100); os.write(1, b'y'); os._exit(0)", "stopped before it answered"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_of_the_process_is_that_the_model_stopped(
    name: str,
    start: Callable[..., EntailmentWorker],
    modules: Callable[[str, str], str],
) -> None:
    body, words = FAULTS[name]
    module = modules("faulty_entailment", FAULTY.format(body=body))
    limit = 0.5 if name == "hangs" else 30.0
    supervisor = Supervisor(module, name="entailment model", silence_limit=limit, cancel_grace=0.1)
    worker = start(supervisor=supervisor)
    with pytest.raises(ModelStopped, match=words) as caught:
        worker.score(PAIRS)
    assert "stopped" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_worker_that_keeps_failing_is_not_started_again_and_again(
    start: Callable[..., EntailmentWorker], modules: Callable[[str, str], str]
) -> None:
    module = modules("exits", FAULTY.format(body="os._exit(1)"))
    worker = start(supervisor=Supervisor(module, name="entailment model", restart_limit=2))
    messages = []
    for _ in range(3):
        with pytest.raises(ModelStopped) as caught:
            worker.score(PAIRS)
        messages.append(str(caught.value))
    assert "2 times in a row" in messages[-1]


def test_a_damaged_model_is_refused_in_its_own_words(
    start: Callable[..., EntailmentWorker], tmp_path: Path
) -> None:
    models = InstalledModels(tmp_path / "entailment")
    model = install(models, tmp_path, name="doomed")
    with EntailmentWorker(model) as worker:
        head = model.folder / "head.npz"
        content = bytearray(head.read_bytes())
        content[len(content) // 2] ^= 1
        head.write_bytes(content)
        with pytest.raises(ModelStopped, match=r"head\.npz was changed"):
            worker.score(PAIRS)


def test_a_model_that_was_exchanged_under_its_name_is_not_asked(tmp_path: Path) -> None:
    models = InstalledModels(tmp_path / "entailment")
    model = install(models, tmp_path, name="tiny", seed=1)
    with EntailmentWorker(model) as worker:
        models.remove("tiny")
        install(models, tmp_path / "other", name="tiny", seed=2)
        with pytest.raises(ModelStopped, match="exchanged"):
            worker.score(PAIRS)


def test_a_model_that_cannot_be_used_makes_no_worker(tmp_path: Path) -> None:
    model = InstalledModel("broken", tmp_path, None, None, None, "It is damaged.")
    with pytest.raises(ModelDamaged, match="damaged"):
        EntailmentWorker(model)
    assert describe(model) == "broken · It is damaged."


class NoReader(DocumentReader):
    """No document is read in these tests."""


SUPPORTED, CONTRADICTED, NOT_VERIFIABLE = (
    "The pump in hall two stopped at noon.",
    "No staff left.",
    "No pump broke down.",
)
SOURCE = "The pump in hall two broke down at noon. Staff left the hall at once."
KILLS = 50


def test_killing_the_worker_at_any_moment(models: InstalledModels, tmp_path: Path) -> None:
    model = models.get("tiny")
    assert model.manifest is not None
    record = CalibrationRecord(
        "d" * 64,
        model.manifest.sha256,
        400,
        0,
        0.0075,
        0.65,
        0.8,
        "2026-11-30",
        contract_version=contract_version(),
    )
    supervisor = Supervisor(MODULE, name="entailment model", restart_limit=1000)
    random_moment = random.Random(50)
    expected = {
        SUPPORTED: Verdict.SUPPORTED,
        CONTRADICTED: Verdict.CONTRADICTED,
        NOT_VERIFIABLE: Verdict.NOT_VERIFIABLE,
    }
    given: list[tuple[str, Verdict, str]] = []
    with (
        Store.open(tmp_path / "data") as store,
        EntailmentWorker(replace(model, record=record), supervisor=supervisor) as worker,
    ):
        workspaces = Workspaces(store, NoReader(), model=worker, clock=SystemClock())
        workspace = store.workspaces.create("Kills")

        def run(claim: str) -> None:
            result = workspaces.check(workspace.id, claim, SOURCE).result
            given.append((claim, result.verdict, result.reason))

        for claim, verdict in expected.items():
            run(claim)
            assert given[-1][1] is verdict, given[-1]
        killed = 0
        while killed < KILLS:
            claim = list(expected)[killed % 3]
            thread = threading.Thread(target=run, args=(claim,))
            thread.start()
            time.sleep(random_moment.choice((0.0, 0.01, 0.05, 0.6)) * random_moment.random())
            pid = _some_pid(worker, thread)
            if pid is not None and _kill(pid):
                killed += 1
            thread.join(60)
            assert not thread.is_alive(), "the check hangs"
        # A process that is still dying would take the next check with it, as it should.
        _until_gone(worker, pid)
        for claim, verdict in expected.items():
            run(claim)
            assert given[-1][1] is verdict, given[-1]

        stopped = 0
        for claim, verdict, reason in given:
            if verdict is not expected[claim]:
                assert verdict is Verdict.NOT_VERIFIABLE
                assert "stopped" in reason
                stopped += 1
        kept = store.checks.page(workspace.id, limit=1000)
        history = [(r.claim, r.result.verdict, r.result.reason) for r in reversed(kept)]
        assert history == given
        assert stopped > 0, "no kill fell into a check"


def _kill(pid: int) -> bool:
    """Kill the process; False where the last kill had already ended it."""
    try:
        psutil.Process(pid).kill()
    except psutil.NoSuchProcess:
        return False
    return True


def _until_gone(worker: EntailmentWorker, pid: int | None) -> None:
    deadline = time.monotonic() + 60
    while pid is not None and worker.pid == pid and time.monotonic() < deadline:
        time.sleep(0.001)


def _some_pid(worker: EntailmentWorker, thread: threading.Thread) -> int | None:
    """The worker's process, waited for while the check may still start it."""
    while (pid := worker.pid) is None and thread.is_alive():
        time.sleep(0.001)
    return pid
