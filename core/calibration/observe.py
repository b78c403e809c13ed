"""See what the check answers to labelled claims at every threshold that a model could be given.

It is `core.claims.check.check` itself that is asked, vetoes and the maximum over premises
included, and not the model's bare answers.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation
from core.claims.check import ALL, Restrictions, check
from core.claims.source import Source
from core.claims.verdict import CheckResult, Verdict
from core.claims.version import contract_version
from core.documents.model import Document
from core.ports import EntailmentModel, EntailmentScores, ModelStopped, Progress

_AT_ONCE = 128
"""Pairs whose premises go to the model together."""

_NEVER = 2.0
"""A threshold that no score reaches."""

ALWAYS = math.inf
"""The score of what is supported whatever the model says."""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A claim, a source, and every verdict on them that is right."""

    claim: str
    document: Document
    verdicts: frozenset[Verdict]


@dataclass(frozen=True, slots=True)
class Observed:
    """From which score on the check answers what; None: at no score.

    `supported` is infinite where the lexical gate decides, whatever the model says. `against`
    is the contradiction that takes *supported* away.
    """

    pair: LabelledPair
    supported: float | None
    contradicted: float | None
    against: float

    def supports(self, threshold: float, brake: float | None) -> bool:
        """Whether the check says *supported* at this threshold, and this brake on it."""
        if self.supported is None or self.supported < threshold:
            return False
        return self.supported == ALWAYS or brake is None or self.against < brake

    @property
    def negative(self) -> bool:
        """Whether *supported* would be wrong."""
        return Verdict.SUPPORTED not in self.pair.verdicts

    @property
    def agrees(self) -> bool:
        """Whether *contradicted* would be right."""
        return Verdict.CONTRADICTED in self.pair.verdicts


class Probe:
    """The model with thresholds of our choice; remembers its answers, and that it stopped."""

    def __init__(self, model: EntailmentModel) -> None:
        self._model = model
        self._answers: dict[bytes, EntailmentScores] = {}
        self.name = model.name
        self.sha256 = model.sha256
        self.calibration: CalibrationRecord | None = None
        self.stopped: ModelStopped | None = None
        self._asked: dict[bytes, tuple[str, str]] | None = None

    @contextmanager
    def in_one_batch(self, cancellation: Cancellation | None) -> Iterator[None]:
        """Only note what is asked for inside; then ask the model about all of it at once.

        A batch of one claim's premises leaves most of a processor idle.
        """
        asked: dict[bytes, tuple[str, str]] = {}
        self._asked = asked
        try:
            yield
        finally:
            self._asked = None
        self.score(list(asked.values()), cancellation=cancellation)

    def score(
        self, pairs: Sequence[tuple[str, str]], *, cancellation: Cancellation | None = None
    ) -> Sequence[EntailmentScores]:
        """What the model answers, asked once for each pair."""
        keys = [_key(pair) for pair in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._answers}
        if self._asked is not None:
            self._asked.update(new)
            return [EntailmentScores(0.0, 0.0)] * len(pairs)
        if new:
            try:
                scores = self._model.score(list(new.values()), cancellation=cancellation)
            except ModelStopped as error:
                self.stopped = error
                raise
            self._answers.update(zip(new, scores, strict=True))
        return [self._answers[key] for key in keys]


def observe(
    model: EntailmentModel,
    pairs: Sequence[LabelledPair],
    *,
    restrictions: Restrictions = ALL,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> Iterator[Observed]:
    """Check each pair once with *supported* wide open and once with *contradicted* wide open.

    Raises `core.ports.ModelStopped` and `core.cancellation.Cancelled`.
    """
    probe = model if isinstance(model, Probe) else Probe(model)
    open_to_support = open_record(probe.sha256, supported=0.0, contradicted=None)
    open_to_contradiction = open_record(probe.sha256, supported=_NEVER, contradicted=0.0)

    def checked(pair: LabelledPair, source: Source, record: CalibrationRecord) -> CheckResult:
        probe.calibration = record
        return check(
            pair.claim,
            source,
            model=probe,
            restrictions=restrictions,
            cancellation=cancellation,
        )

    for number, (pair, source) in enumerate(prepared(pairs)):
        tell(progress, number, len(pairs), "Measuring the check on each pair")
        if number % _AT_ONCE == 0:
            with probe.in_one_batch(cancellation):
                for asked, its_source in prepared(pairs[number : number + _AT_ONCE]):
                    # No vetoes are tried on *contradicted*, and they would ask for nothing more.
                    checked(asked, its_source, open_to_contradiction)
        for_it = checked(pair, source, open_to_support)
        against = checked(pair, source, open_to_contradiction)
        if probe.stopped is not None:
            raise probe.stopped
        supported = contradicted = None
        if against.verdict is Verdict.SUPPORTED:
            supported = ALWAYS
        elif for_it.verdict is Verdict.SUPPORTED:
            supported = for_it.scores.get("entailment", ALWAYS)
        if against.verdict is Verdict.CONTRADICTED:
            contradicted = against.scores.get("contradiction", ALWAYS)
        yield Observed(pair, supported, contradicted, _against(for_it))


def open_record(
    model_sha256: str, *, supported: float, contradicted: float | None
) -> CalibrationRecord:
    """A record that nobody earned, to see from which score on the check would speak."""
    return CalibrationRecord(
        data_sha256="",
        model_sha256=model_sha256,
        pairs=0,
        false_supports=0,
        bound=1.0,
        supported=supported,
        contradicted=contradicted,
        made_on="",
        contract_version=contract_version(),
    )


def _against(result: CheckResult) -> float:
    """The highest contradiction of any premise, which the entailment gate notes in its trace."""
    return max((float(entry.measured.get("against", 0.0)) for entry in result.trace), default=0.0)


def prepared(pairs: Sequence[LabelledPair]) -> Iterator[tuple[LabelledPair, Source]]:
    """Each pair with its source; one that many pairs in a row share is prepared once."""
    source: Source | None = None
    for pair in pairs:
        if source is None or source.document is not pair.document:
            source = Source(pair.document)
        yield pair, source


def _key(pair: tuple[str, str]) -> bytes:
    return hashlib.sha256(json.dumps(pair).encode()).digest()


def tell(progress: Progress | None, done: int, total: int, what: str) -> None:
    """Say how far it is, where somebody listens."""
    if progress is not None:
        progress(done, total, what)
