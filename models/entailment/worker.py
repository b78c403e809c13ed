"""`core.ports.EntailmentModel` over a worker process, with a cache in front of it."""

import math
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Protocol, Self

from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation
from core.ports import EntailmentModel, EntailmentScores, ModelStopped, Progress
from models.entailment.errors import ModelDamaged
from models.entailment.installed import InstalledModel
from models.host.errors import (
    INTERNAL,
    WorkerError,
    WorkerMemoryLimit,
    WorkerRefused,
    WorkerTimeLimit,
    WorkerUnavailable,
)
from models.host.protocol import ProtocolError
from models.host.supervisor import Supervisor

MODULE = "models.entailment_child"

SCORING = 1
"""Raised whenever the program could score the same pair with the same model differently."""

PAIRS_AT_ONCE = 128
"""Pairs in one request: what is lost when the worker ends, and how long a cancel waits."""

CHARACTERS_AT_ONCE = 400_000
"""Characters in one request; in JSON a character takes up to 12 bytes of a frame."""

SILENCE_LIMIT = 600.0
"""Seconds for loading a model from a slow disk and scoring one request with it."""

Pair = tuple[str, str]

AS_IT_WAS = "The claim was not decided, and nothing else was lost. Run the check again."
STOPPED = f"The entailment model stopped before it answered. {AS_IT_WAS}"
TOO_LONG = f"The entailment model took too long and was stopped. {AS_IT_WAS}"
TOO_MUCH_MEMORY = (
    f"The entailment model needed more memory than there is and was stopped. {AS_IT_WAS} If it "
    "stops again, close other programs or use a smaller model."
)
UNHANDLED = (
    "The entailment model stopped at something that it cannot handle. The claim was not decided, "
    "and nothing else was lost. Verify the model, or use another one."
)
TOO_LARGE = (
    "The claim or a sentence of the source is too long for the entailment model, which stopped. "
    "The claim was not decided, and nothing else was lost."
)
NONSENSE = f"The entailment model stopped making sense and was not believed. {AS_IT_WAS}"


class Cache(Protocol):
    """Scores from before, such as `core.storage.scores.ScoreCache`."""

    def get(self, model: str, pairs: Sequence[Pair]) -> Sequence[EntailmentScores | None]:
        """The known scores, None for each pair that is not known."""
        ...

    def put(self, model: str, pairs: Sequence[Pair], scores: Sequence[EntailmentScores]) -> None:
        """Keep scores."""
        ...


class EntailmentWorker(EntailmentModel):
    """An installed model, in a process that is started by the first pair that is not known yet.

    Safe to use from any thread. Close it, or use it in a `with` statement. Raises `ModelDamaged`
    for a model that cannot be used.
    """

    def __init__(
        self,
        model: InstalledModel,
        *,
        cache: Cache | None = None,
        supervisor: Supervisor | None = None,
    ) -> None:
        if model.manifest is None:
            raise ModelDamaged(model.problem)
        self._model = model
        self._manifest = model.manifest
        self._sha256 = model.manifest.sha256
        self._cache = cache
        self._cache_key = f"{self._sha256}/{SCORING}"
        self._supervisor = supervisor or Supervisor(
            MODULE, name="entailment model", silence_limit=SILENCE_LIMIT
        )
        self._runs_on = ""

    def __enter__(self) -> Self:
        """Nothing starts here."""
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
    def name(self) -> str:
        """The name under which the model is installed."""
        return self._manifest.name

    @property
    def sha256(self) -> str:
        """The identity in the model's manifest."""
        return self._sha256

    @property
    def calibration(self) -> CalibrationRecord | None:
        """What the model earned, with a person's stricter thresholds; None: it decides nothing."""
        return self._model.record

    @property
    def description(self) -> str:
        """One line: name, quantization, what it runs on once that is known, what it earned."""
        return describe(self._model, self._runs_on)

    @property
    def pid(self) -> int | None:
        """The number of the worker process; None where none runs."""
        return self._supervisor.pid

    def score(
        self,
        pairs: Sequence[Pair],
        *,
        cancellation: Cancellation | None = None,
        progress: Progress | None = None,
    ) -> list[EntailmentScores]:
        """Scores of (premise, hypothesis) pairs, in their order.

        What was scored before an error is in the cache. Raises `core.ports.ModelStopped` and
        `core.cancellation.Cancelled`.
        """
        if cancellation is not None:
            cancellation.check()
        pairs = [(_plain(premise), _plain(hypothesis)) for premise, hypothesis in pairs]
        known = self._known(pairs)
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        done = 0
        for part in _parts(missing):
            if progress is not None:
                progress(done, len(missing), "Asking the entailment model")
            scores = self._ask(part, cancellation)
            known.update(zip(part, scores, strict=True))
            if self._cache is not None:
                self._cache.put(self._cache_key, part, scores)
            done += len(part)
        return [known[pair] for pair in pairs]

    def close(self) -> None:
        """End the process."""
        self._supervisor.close()

    def _known(self, pairs: Sequence[Pair]) -> dict[Pair, EntailmentScores]:
        if self._cache is None:
            return {}
        found = zip(pairs, self._cache.get(self._cache_key, pairs), strict=True)
        return {pair: scores for pair, scores in found if scores and self._sane(scores)}

    def _ask(
        self, pairs: Sequence[Pair], cancellation: Cancellation | None
    ) -> list[EntailmentScores]:
        params = {
            "folder": str(self._model.folder.absolute()),
            "sha256": self._sha256,
            "pairs": [list(pair) for pair in pairs],
        }
        try:
            answer = self._supervisor.call("score", params, cancellation=cancellation)
        except WorkerError as error:
            raise ModelStopped(_reason(error)) from error
        except ProtocolError as error:
            raise ModelStopped(TOO_LARGE) from error
        try:
            scores = [EntailmentScores(entails, against) for entails, against in answer["scores"]]
            runs_on = str(answer["description"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelStopped(NONSENSE) from error
        if len(scores) != len(pairs) or not all(self._sane(one) for one in scores):
            raise ModelStopped(NONSENSE)
        self._runs_on = runs_on
        return scores

    def _sane(self, scores: EntailmentScores) -> bool:
        """Whether these are probabilities, and of as many labels as the model has."""
        if (scores.contradiction is None) != (self._manifest.labels.contradiction is None):
            return False
        given = [scores.entailment]
        if scores.contradiction is not None:
            given.append(scores.contradiction)
        return all(
            type(value) in (int, float) and math.isfinite(value) and 0.0 <= value <= 1.0
            for value in given
        )


def _plain(text: str) -> str:
    """The text without halves of surrogate pairs, which documents hold and no tokenizer reads."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _parts(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """The pairs in requests, pairs of similar length together: padding is work for nothing."""
    part: list[Pair] = []
    characters = 0
    for pair in sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1])):
        length = len(pair[0]) + len(pair[1])
        if part and (len(part) == PAIRS_AT_ONCE or characters + length > CHARACTERS_AT_ONCE):
            yield part
            part, characters = [], 0
        part.append(pair)
        characters += length
    if part:
        yield part


def _reason(error: WorkerError) -> str:
    match error:
        case WorkerRefused(code=code) if code == INTERNAL:
            return UNHANDLED
        case WorkerRefused():
            return str(error)
        case WorkerUnavailable():
            return f"The entailment model stopped and did not answer. {error}"
        case WorkerTimeLimit():
            return TOO_LONG
        case WorkerMemoryLimit():
            return TOO_MUCH_MEMORY
    return STOPPED


def describe(model: InstalledModel, runs_on: str = "") -> str:
    """One line on a model: name, how it is stored, what it runs on, and what it has earned."""
    parts = [model.name]
    if model.manifest is not None:
        parts[0] += f" {model.manifest.quantization}"
    if runs_on:
        parts.append(runs_on)
    if model.problem:
        parts.append(model.problem)
    elif model.record is not None:
        parts.append(f"calibrated at {model.record.target * 100:g} %")
    else:
        parts.append("not calibrated: it may not confirm statements")
    return " · ".join(parts)
