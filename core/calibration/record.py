"""The record that lets an entailment model say *supported*."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CalibrationRecord:
    """Thresholds that a model earned on labelled cases, and the cases' figures.

    `supported` and `contradicted` are thresholds on probabilities, in 0..1; `contradicted` is None
    for a model that may never say it. `bound` is the one-sided 95 % Clopper-Pearson upper bound
    on the false-support rate, as a share of the pairs that are not entailed.
    """

    data_sha256: str
    model_sha256: str
    pairs: int
    false_supports: int
    bound: float
    supported: float
    contradicted: float | None
    made_on: str
