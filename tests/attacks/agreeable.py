"""Entailment models for tests: one that agrees with whatever shares words, and a scripted one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation
from core.claims.version import contract_version
from core.ports import EntailmentScores
from core.text.reading import Reading, stems

WEIGHTS = "a" * 64

RECORD = CalibrationRecord(
    data_sha256="d" * 64,
    model_sha256=WEIGHTS,
    pairs=1000,
    false_supports=0,
    bound=0.003,
    supported=0.9,
    contradicted=0.9,
    made_on="2026-01-01",
    contract_version=contract_version(),
)


@dataclass(frozen=True)
class ScriptedModel:
    """Answers with `answer(premise, hypothesis)` for each pair, or with `reply(pairs)` as it is."""

    answer: Callable[[str, str], EntailmentScores]
    reply: Callable[[Sequence[tuple[str, str]]], Sequence[EntailmentScores]] | None = None
    calibration: CalibrationRecord | None = RECORD
    name: str = "scripted"
    sha256: str = WEIGHTS

    def score(
        self, pairs: Sequence[tuple[str, str]], *, cancellation: Cancellation | None = None
    ) -> Sequence[EntailmentScores]:
        if self.reply is not None:
            return self.reply(pairs)
        return [self.answer(premise, hypothesis) for premise, hypothesis in pairs]

    def with_record(self, record: CalibrationRecord | None) -> "ScriptedModel":
        return replace(self, calibration=record)


def overlap(premise: str, hypothesis: str) -> EntailmentScores:
    """Entailment of nearly 1 once two fifths of the hypothesis's words stand in the premise."""
    wanted, held = set(_words(hypothesis)), set(_words(premise))
    share = len(wanted & held) / max(1, len(wanted))
    return EntailmentScores(0.95 + 0.05 * share if share >= 0.4 else share, 0.0)


def _words(text: str) -> list[str]:
    keys = Reading(text).keys
    return stems(keys) or keys


AGREEABLE = ScriptedModel(overlap, name="agreeable")
"""Has no idea of polarity, order, number or scope: everything is left to the vetoes."""
