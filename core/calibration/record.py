"""The record that lets an entailment model say *supported*."""

from dataclasses import dataclass, replace

TARGET = 0.01
"""The highest bound on the false-support rate that lets a model speak, as a share of the pairs
that are not supported."""

FLOOR = 0.5
"""No threshold is lower: what a model says must at least be likelier than not to itself."""


BRAKE = 0.97
"""A contradiction this sure, by any passage, takes *supported* away, whether or not the model has
earned to say *contradicted*. It can only make a model more careful, so it needs no bound. Below
this, models often take a sentence about something else for a contradiction: on claims about
passages a brake at 0.9 took away one honest claim in eight and no false one."""


@dataclass(frozen=True, slots=True)
class CalibrationRecord:
    """Thresholds that a model earned on labelled cases, and the cases' figures.

    `supported` and `contradicted` are thresholds on probabilities, in 0..1; `contradicted` is None
    for a model that may never say it. `bound` is the one-sided 95 % Clopper-Pearson upper bound
    on the false-support rate, as a share of the pairs that are not entailed, of which there are
    `negatives`; it is at or below `target`. `supports` are the true ones found, of the
    `pairs - negatives` that are entailed. `contradictions` is how often *contradicted* was said,
    `false_contradictions` how often wrongly, `contradicted_bound` the bound on that share.

    A contradiction at or above `brake` takes *supported* away, and so does one at or above
    `contradicted`.
    `contract_version` is that of the gates that were measured.
    """

    data_sha256: str
    model_sha256: str
    pairs: int
    false_supports: int
    bound: float
    supported: float
    contradicted: float | None
    made_on: str
    negatives: int = 0
    supports: int = 0
    target: float = 0.01
    contradictions: int = 0
    false_contradictions: int = 0
    contradicted_bound: float | None = None
    brake: float | None = None
    contract_version: str = ""
    app_version: str = ""

    @property
    def braked_at(self) -> float | None:
        """The contradiction from which on *supported* is taken away; None for never."""
        given = [at for at in (self.brake, self.contradicted) if at is not None]
        return min(given, default=None)


def stricter(
    record: CalibrationRecord, *, supported: float | None = None, contradicted: float | None = None
) -> CalibrationRecord:
    """The record with thresholds that a person raised; None leaves a threshold as it is.

    What the contradictions of a source take away from *supported* stays as it was measured.
    Raises ValueError for a threshold that is looser than the record's, or above 1.
    """
    new = record
    if supported is not None:
        _require_stricter("supported", supported, record.supported)
        new = replace(new, supported=supported)
    if contradicted is not None:
        if record.contradicted is None:
            raise ValueError("This model may not say contradicted, so it has no threshold for it.")
        _require_stricter("contradicted", contradicted, record.contradicted)
        new = replace(new, contradicted=contradicted, brake=record.braked_at)
    return new


def _require_stricter(what: str, given: float, earned: float) -> None:
    if not earned <= given <= 1.0:
        raise ValueError(
            f"The threshold for {what} can be raised from the {earned:.4f} that the model earned "
            f"up to 1, never lowered. Nothing was changed."
        )
