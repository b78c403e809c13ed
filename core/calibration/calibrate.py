"""Find the thresholds that a model has earned, on labelled claims and with the check as it is."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import replace

from core.calibration.bounds import (
    CONFIDENCE,
    allowed_errors,
    clopper_pearson_upper,
    trials_needed,
    within,
)
from core.calibration.observe import ALWAYS, LabelledPair, Observed, Probe, observe, prepared, tell
from core.calibration.record import BRAKE, FLOOR, TARGET, CalibrationRecord
from core.cancellation import Cancellation
from core.claims.check import check
from core.claims.verdict import Verdict
from core.claims.version import contract_version
from core.ports import Clock, EntailmentModel, Progress
from core.version import app_version

CONTRADICTED_TARGET = 0.05
"""The bound on the share of wrong ones among all that are called contradicted."""


class CalibrationRefused(Exception):
    """The pairs do not let this model earn a threshold; the message says why and what is needed."""


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
    probe = Probe(model)
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
        brake=BRAKE,
        contract_version=contract_version(),
        app_version=app_version(),
    )
    observed = list(observe(probe, pairs, progress=progress, cancellation=cancellation))
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


def _choose(
    observed: Sequence[Observed], allowed: int, target: float
) -> tuple[float, float | None]:
    """Thresholds of *supported* and *contradicted*; a contradiction takes *supported* away."""
    contradicted = _contradicted(observed, target)
    brake = BRAKE if contradicted is None else min(contradicted, BRAKE)
    supported = _supported(observed, allowed, brake)
    if supported is None:
        raise CalibrationRefused(
            f"At no threshold does the model keep its false-support rate at or below {target:.2%} "
            f"and still find a supported claim: {allowed} false supports would be allowed. It may "
            f"not confirm statements. Nothing was changed."
        )
    return supported, contradicted


def _supported(observed: Sequence[Observed], allowed: int, brake: float) -> float | None:
    """The lowest score seen, at or above the floor, with at most `allowed` false supports."""
    open_to = [one for one in observed if one.supports(FLOOR, brake)]
    false = sorted((one.supported or 0.0 for one in open_to if one.negative), reverse=True)
    # The first false support that is one too many must stay below the threshold.
    barred = false[allowed] if len(false) > allowed else -math.inf
    scores = [one.supported or 0.0 for one in open_to]
    return min((s for s in scores if barred < s < ALWAYS), default=None)


def _contradicted(observed: Sequence[Observed], target: float) -> float | None:
    """The lowest score seen, at or above the floor, at which *contradicted* meets its bounds."""
    others = sum(not one.agrees for one in observed)
    said = [(one.contradicted or 0.0, one.agrees) for one in observed]
    said = sorted(((score, agrees) for score, agrees in said if score >= FLOOR), reverse=True)
    lowest = None
    false = 0
    for number, (score, agrees) in enumerate(said, start=1):
        false += not agrees
        last_of_its_score = number == len(said) or said[number][0] < score
        earns = within(false, number, CONTRADICTED_TARGET) and within(false, others, target)
        if last_of_its_score and earns and score <= 1.0:
            lowest = score
    return lowest


def _confirmed(
    probe: Probe,
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
    for number, (pair, source) in enumerate(prepared(pairs)):
        tell(progress, number, len(pairs), "Trying the thresholds on each pair")
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
    tell(progress, len(pairs), len(pairs), "Trying the thresholds on each pair")
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
