"""Find the thresholds that a model has earned, on labelled claims and with the check as it is.

What is measured is `core.claims.check.check` itself, vetoes and the maximum over premises
included, and not the model's bare answers.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from core.calibration.bounds import (
    CONFIDENCE,
    allowed_errors,
    clopper_pearson_upper,
    trials_needed,
    within,
)
from core.calibration.record import FLOOR, TARGET, CalibrationRecord
from core.cancellation import Cancellation
from core.claims.check import check
from core.claims.source import Source
from core.claims.verdict import CheckResult, Verdict
from core.claims.version import contract_version
from core.documents.model import Document
from core.ports import Clock, EntailmentModel, EntailmentScores, ModelStopped, Progress
from core.version import app_version

CONTRADICTED_TARGET = 0.05
"""The bound on the share of wrong ones among all that are called contradicted."""

_AT_ONCE = 128
"""Pairs whose premises go to the model together."""

_NEVER = 2.0
_ALWAYS = math.inf


class CalibrationRefused(Exception):
    """The pairs do not let this model earn a threshold; the message says why and what is needed."""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A claim, a source, and every verdict on them that is right."""

    claim: str
    document: Document
    verdicts: frozenset[Verdict]


@dataclass(frozen=True, slots=True)
class _Observed:
    """From which score on the check answers what; None: at no score.

    `supported` is infinite where the lexical gate decides, whatever the model says. `against`
    is the contradiction that takes *supported* away.
    """

    pair: LabelledPair
    supported: float | None
    contradicted: float | None
    against: float

    def supports(self, threshold: float, brake: float | None) -> bool:
        if self.supported is None or self.supported < threshold:
            return False
        return self.supported == _ALWAYS or brake is None or self.against < brake

    @property
    def negative(self) -> bool:
        return Verdict.SUPPORTED not in self.pair.verdicts

    @property
    def agrees(self) -> bool:
        return Verdict.CONTRADICTED in self.pair.verdicts


class _Probe:
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


def calibrate(
    model: EntailmentModel,
    pairs: Sequence[LabelledPair],
    *,
    clock: Clock,
    target: float = TARGET,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> CalibrationRecord:
    """The record that `model` earns on `pairs`, which it must not have been trained on.

    *Supported* gets the lowest threshold at which the 95 % bound on the false-support rate is at
    or below `target`; *contradicted* gets the lowest at which the bound on the share of wrong
    ones among those called contradicted is at or below `CONTRADICTED_TARGET` and the bound on
    their rate among all that are not contradicted at or below `target`, or none. The chosen
    thresholds are then tried on all pairs once more, and the record holds what that gave.

    Raises `CalibrationRefused`, `core.ports.ModelStopped` and `core.cancellation.Cancelled`.
    """
    negatives = sum(Verdict.SUPPORTED not in pair.verdicts for pair in pairs)
    allowed = allowed_errors(negatives, target)
    if allowed is None:
        raise CalibrationRefused(
            f"{negatives} of the {len(pairs)} pairs are of claims that their source does not "
            f"support. To show a false-support rate of at most {target:.2%} at {CONFIDENCE:.0%} "
            f"confidence, at least {trials_needed(target)} of them are needed. Add more and "
            f"calibrate again."
        )
    probe = _Probe(model)
    draft = CalibrationRecord(
        data_sha256=data_sha256(pairs),
        model_sha256=model.sha256,
        pairs=len(pairs),
        false_supports=0,
        bound=1.0,
        supported=0.0,
        contradicted=None,
        made_on=clock.now().date().isoformat(),
        negatives=negatives,
        target=target,
        contract_version=contract_version(),
        app_version=app_version(),
    )
    observed = list(_observe(probe, pairs, draft, progress, cancellation))
    supported, contradicted = _choose(observed, allowed, target)
    probe.calibration = replace(draft, supported=supported, contradicted=contradicted)
    return _confirmed(probe, pairs, allowed, progress, cancellation)


def data_sha256(pairs: Sequence[LabelledPair]) -> str:
    """SHA-256 over every claim, source text and label, in order."""
    hasher = hashlib.sha256()
    for pair in pairs:
        row = [pair.claim, pair.document.text, sorted(pair.verdicts)]
        hasher.update(json.dumps(row).encode() + b"\n")
    return hasher.hexdigest()


def _observe(
    probe: _Probe,
    pairs: Sequence[LabelledPair],
    draft: CalibrationRecord,
    progress: Progress | None,
    cancellation: Cancellation | None,
) -> Iterator[_Observed]:
    """Check each pair once with *supported* wide open and once with *contradicted* wide open."""
    for number, (pair, source) in enumerate(_prepared(pairs)):
        _tell(progress, number, len(pairs), "Measuring the check on each pair")
        if number % _AT_ONCE == 0:
            with probe.in_one_batch(cancellation):
                probe.calibration = draft
                for asked, its_source in _prepared(pairs[number : number + _AT_ONCE]):
                    check(asked.claim, its_source, model=probe, cancellation=cancellation)
        probe.calibration = replace(draft, supported=0.0, contradicted=None)
        for_it = check(pair.claim, source, model=probe, cancellation=cancellation)
        probe.calibration = replace(draft, supported=_NEVER, contradicted=0.0)
        against = check(pair.claim, source, model=probe, cancellation=cancellation)
        if probe.stopped is not None:
            raise probe.stopped
        supported = contradicted = None
        if against.verdict is Verdict.SUPPORTED:
            supported = _ALWAYS
        elif for_it.verdict is Verdict.SUPPORTED:
            supported = for_it.scores.get("entailment", _ALWAYS)
        if against.verdict is Verdict.CONTRADICTED:
            contradicted = against.scores.get("contradiction", _ALWAYS)
        yield _Observed(pair, supported, contradicted, _against(for_it))


def _against(result: CheckResult) -> float:
    """The highest contradiction of any premise, which the entailment gate notes in its trace."""
    return max((float(entry.measured.get("against", 0.0)) for entry in result.trace), default=0.0)


def _choose(
    observed: Sequence[_Observed], allowed: int, target: float
) -> tuple[float, float | None]:
    """Thresholds of *supported* and *contradicted*; each depends a little on the other."""
    for contradicted in _contradicted_candidates(observed, target):
        supported = _supported(observed, allowed, contradicted)
        if supported is None:
            continue
        said = [
            one
            for one in observed
            if one.contradicted is not None
            and one.contradicted >= contradicted
            and (one.supported is None or one.supported < supported)
        ]
        if _contradictions_earn(observed, said, target):
            return supported, contradicted
    supported = _supported(observed, allowed, None)
    if supported is None:
        raise CalibrationRefused(
            f"At no threshold does the model keep its false-support rate at or below {target:.2%} "
            f"and still find a supported claim: {allowed} false supports would be allowed. It may "
            f"not confirm statements. Nothing was changed."
        )
    return supported, None


def _supported(observed: Sequence[_Observed], allowed: int, brake: float | None) -> float | None:
    """The lowest score seen, at or above the floor, with at most `allowed` false supports."""
    open_to = [one for one in observed if one.supports(FLOOR, brake)]
    false = sorted((one.supported or 0.0 for one in open_to if one.negative), reverse=True)
    # The first false support that is one too many must stay below the threshold.
    barred = false[allowed] if len(false) > allowed else -math.inf
    scores = [one.supported or 0.0 for one in open_to]
    return min((s for s in scores if barred < s < _ALWAYS), default=None)


def _contradicted_candidates(observed: Sequence[_Observed], target: float) -> list[float]:
    """Scores seen at which *contradicted* may meet its bounds, the lowest first."""
    said = [one for one in observed if one.contradicted is not None and one.contradicted >= FLOOR]
    said.sort(key=lambda one: -(one.contradicted or 0.0))
    others = sum(not one.agrees for one in observed)
    most_false = allowed_errors(others, target)
    if most_false is None:
        return []
    found: list[float] = []
    false = 0
    for one in said:
        # Where some passage may also support the claim, it depends on the other threshold.
        certain = one.supported is None or one.supported < FLOOR
        false += certain and not one.agrees
        if false > most_false:
            barred = one.contradicted or 0.0
            return [score for score in found[::-1] if score > barred]
        score = one.contradicted or 0.0
        if score <= 1.0 and (not found or score != found[-1]):
            found.append(score)
    return found[::-1]


def _contradictions_earn(
    observed: Sequence[_Observed], said: Sequence[_Observed], target: float
) -> bool:
    false = sum(not one.agrees for one in said)
    others = sum(not one.agrees for one in observed)
    return within(false, len(said), CONTRADICTED_TARGET) and within(false, others, target)


def _confirmed(
    probe: _Probe,
    pairs: Sequence[LabelledPair],
    allowed: int,
    progress: Progress | None,
    cancellation: Cancellation | None,
) -> CalibrationRecord:
    """The probe's thresholds with the figures of the check that uses them.

    Raises `CalibrationRefused` where that check answers otherwise than was measured.
    """
    record = probe.calibration
    assert record is not None
    supports = false_supports = contradictions = false_contradictions = 0
    for number, (pair, source) in enumerate(_prepared(pairs)):
        _tell(progress, number, len(pairs), "Trying the thresholds on each pair")
        verdict = check(pair.claim, source, model=probe, cancellation=cancellation).verdict
        if probe.stopped is not None:
            raise probe.stopped
        right = verdict in pair.verdicts
        if verdict is Verdict.SUPPORTED:
            supports += right
            false_supports += not right
        elif verdict is Verdict.CONTRADICTED:
            contradictions += 1
            false_contradictions += not right
    _tell(progress, len(pairs), len(pairs), "Trying the thresholds on each pair")
    record = replace(
        record,
        supports=supports,
        false_supports=false_supports,
        bound=clopper_pearson_upper(false_supports, record.negatives),
        contradictions=contradictions,
        false_contradictions=false_contradictions,
    )
    if contradictions:
        share = clopper_pearson_upper(false_contradictions, contradictions)
        record = replace(record, contradicted_bound=share)
    too_many = record.contradicted is not None and not within(
        false_contradictions, contradictions, CONTRADICTED_TARGET
    )
    if false_supports > allowed or too_many:
        raise CalibrationRefused(
            "The check answered otherwise at the thresholds that it had been measured to earn. "
            "Nothing was changed. Calibrate again; if this comes back, the model cannot be used."
        )
    return record


def _prepared(pairs: Sequence[LabelledPair]) -> Iterator[tuple[LabelledPair, Source]]:
    """Each pair with its source; one that many pairs in a row share is prepared once."""
    source: Source | None = None
    for pair in pairs:
        if source is None or source.document is not pair.document:
            source = Source(pair.document)
        yield pair, source


def _key(pair: tuple[str, str]) -> bytes:
    return hashlib.sha256(json.dumps(pair).encode()).digest()


def _tell(progress: Progress | None, done: int, total: int, what: str) -> None:
    if progress is not None:
        progress(done, total, what)
