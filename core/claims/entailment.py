"""Gate 5: does a passage of the source entail the claim, and does none contradict it?

A model says *supported* or *contradicted* only at the thresholds that its calibration record
earned for exactly this model. Premises are sentences, windows of two and three, and a heading
with its sentence; none of them may be governed by its surroundings.

A single answer of a model may be an accident of how the words stand. What a source says is also
said by a window around the sentence that says it, so two premises speak together (`agreed`).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.calibration.record import FLOOR, CalibrationRecord
from core.cancellation import Cancellation
from core.claims.governors import GOVERNORS, Governor, governed
from core.claims.ranking import telling
from core.claims.source import Sentence, Source
from core.claims.version import contract_version
from core.ports import EntailmentModel, EntailmentScores
from core.text.hygiene import clean, readable
from core.text.reading import Reading

WIDEST_WINDOW = 3

WIDER_BY_RANK, WIDER_BY_SCORE = 5, 3
"""Sentences of a long source that are also tried in windows and under their heading: so many of the
best-ranked, and so many of those that entail the claim best by themselves."""


TINY = 1e-6
"""No model is surer than this: the log-odds of what is certain would drown every doubt."""


@dataclass(frozen=True)
class Premise:
    """Consecutive sentences of one block, and the text that the model is given."""

    block: int
    first: int
    last: int
    sentences: tuple[Sentence, ...]
    text: str


@dataclass(frozen=True)
class Reply:
    """The strongest premise for and against the claim, with their scores, all in 0..1."""

    supporting: Premise | None
    entailment: float
    """What the two strongest premises say together; see `agreed`."""
    strongest: float
    """The highest entailment of any premise."""
    governed: bool
    """Whether something around the supporting premise keeps it from deciding."""
    contradicting: Premise | None
    contradiction: float
    against: float
    """The highest contradiction of any premise, free or governed."""
    premises: int
    alone: tuple[tuple[Premise, float], ...] = ()
    """The single sentences that are more likely than not to entail the claim, best first, each
    with its own entailment; what governs them has not been looked at."""
    against_alone: tuple[tuple[Premise, float], ...] = ()
    """The same for what contradicts the claim."""


NOTHING = Reply(None, 0.0, 0.0, False, None, 0.0, 0.0, 0)


def earned(model: EntailmentModel) -> tuple[CalibrationRecord | None, str]:
    """The record that lets `model` decide; where there is none, None and why, for the person.

    The record has to be made for exactly these weights and exactly these gates: what was
    measured is the check as a whole.
    """
    record = model.calibration
    if record is None:
        return None, f"{model.name} has no calibration record, so it may not decide."
    if record.model_sha256 != model.sha256:
        return None, f"{model.name} has the record of other weights, so it may not decide."
    if record.contract_version != contract_version():
        return None, f"{model.name} was calibrated under other gates; calibrate it again."
    return record, ""


def ask(
    claim: Reading,
    source: Source,
    model: EntailmentModel,
    governors: Sequence[tuple[str, Governor]] = GOVERNORS,
    cancellation: Cancellation | None = None,
) -> Reply:
    """Score the claim against the source's best premises.

    Every premise is scored, also those that their surroundings govern. The strongest of all has
    to be free for *supported*, or a part of it that entails the claim by itself: passing over a
    governed one to the next best would let a weaker passage speak. What contradicts the claim
    anywhere counts against *supported*.

    Of a long source every sentence is scored alone, and only the most promising in windows too.

    Raises `core.ports.ModelStopped` and `core.cancellation.Cancelled`.
    """
    hypothesis = readable(claim.cleaned)
    places = telling(claim, source)
    premises = _premises(source, places, WIDEST_WINDOW if source.is_short else 1)
    scores = _scored(model, premises, hypothesis, cancellation)
    if not source.is_short and scores:
        likely = sorted(range(len(premises)), key=lambda at: -scores[at].entailment)
        around = [*places[:WIDER_BY_RANK], *(places[at] for at in likely[:WIDER_BY_SCORE])]
        asked = {premise.text for premise in premises}
        wider = [p for p in _premises(source, around, WIDEST_WINDOW) if p.text not in asked]
        premises += wider
        scores += _scored(model, wider, hypothesis, cancellation)
    if not scores or len(scores) != len(premises):
        return NOTHING
    free = _Free(source, governors, cancellation)
    best = max(range(len(premises)), key=lambda at: scores[at].entailment)
    together = agreed(score.entailment for score in scores)
    supporting = _freed(premises, [score.entailment for score in scores], best, free)
    contradictions = [s.contradiction or 0.0 for s in scores]
    contradicting = _strongest(premises, contradictions, free)
    return Reply(
        supporting=premises[supporting],
        # A part that is free speaks for itself: the window's answer may rest on the rest of it.
        entailment=together if supporting == best else min(together, scores[supporting].entailment),
        strongest=scores[best].entailment,
        governed=not free(premises[supporting]),
        contradicting=None if contradicting is None else premises[contradicting],
        contradiction=0.0 if contradicting is None else contradictions[contradicting],
        against=max(contradictions),
        premises=len(premises),
        alone=_alone(premises, [score.entailment for score in scores]),
        against_alone=_alone(premises, contradictions),
    )


def agreed(chances: Iterable[float]) -> float:
    """What the two highest of some probabilities say together, 0..1: the mean of their log-odds.

    A single one stands for itself. Measured on claims about passages, it finds half as many true
    ones again as the highest alone does, at the same number of false ones.
    """
    two = sorted(chances, reverse=True)[:2]
    odds = [math.log(p / (1.0 - p)) for p in (min(max(p, TINY), 1.0 - TINY) for p in two)]
    together = 1.0 / (1.0 + math.exp(-sum(odds) / len(odds)))
    return min(max(together, two[-1]), two[0])  # Rounding must not carry it over a threshold.


class _Free:
    """Whether nothing governs a premise; each sentence is looked at once."""

    def __init__(
        self,
        source: Source,
        governors: Sequence[tuple[str, Governor]],
        cancellation: Cancellation | None,
    ) -> None:
        self._source = source
        self._governors = governors
        self._cancellation = cancellation
        self._known: dict[tuple[int, int], bool] = {}

    def __call__(self, premise: Premise) -> bool:
        return all(self._free(premise.block, at) for at in range(premise.first, premise.last + 1))

    def _free(self, block: int, at: int) -> bool:
        if (block, at) not in self._known:
            if self._cancellation is not None:
                self._cancellation.check()
            found = governed(self._source, block, at, self._governors)
            self._known[block, at] = found is None
        return self._known[block, at]


def _strongest(premises: Sequence[Premise], scores: Sequence[float], free: _Free) -> int | None:
    """The index of the best-scored free premise; the governed are only looked at on the way."""
    for at in sorted(range(len(premises)), key=lambda at: -scores[at]):
        if free(premises[at]):
            return at
    return None


def _freed(premises: Sequence[Premise], scores: Sequence[float], best: int, free: _Free) -> int:
    """The index of the best premise, or where it is governed, of its strongest free part."""
    if free(premises[best]):
        return best
    window = premises[best]
    parts = [
        at
        for at, premise in enumerate(premises)
        if premise.block == window.block
        and window.first <= premise.first
        and premise.last <= window.last
        and free(premise)
    ]
    return max(parts, key=lambda at: scores[at], default=best)


def _alone(
    premises: Sequence[Premise], chances: Sequence[float]
) -> tuple[tuple[Premise, float], ...]:
    """The sentences that are likely to decide by themselves, best first; see `Reply.alone`."""
    best: dict[tuple[int, int], tuple[Premise, float]] = {}
    for premise, chance in zip(premises, chances, strict=True):
        place = premise.block, premise.first
        if premise.first == premise.last and chance > max(FLOOR, best.get(place, (None, 0.0))[1]):
            best[place] = premise, chance
    return tuple(sorted(best.values(), key=lambda found: -found[1]))


def _sane(score: EntailmentScores) -> bool:
    """Whether the numbers are probabilities; a model that answers otherwise says nothing."""
    values = (score.entailment, score.contradiction or 0.0)
    return all(math.isfinite(value) and 0.0 <= value <= 1.0 for value in values)


def _scored(
    model: EntailmentModel,
    premises: Sequence[Premise],
    hypothesis: str,
    cancellation: Cancellation | None,
) -> list[EntailmentScores]:
    """The model's scores, one for each premise; none where it does not answer as it should."""
    scores = model.score([(p.text, hypothesis) for p in premises], cancellation=cancellation)
    if len(scores) != len(premises) or not all(_sane(score) for score in scores):
        return []
    return list(scores)


def _premises(source: Source, places: Iterable[tuple[int, int]], widest: int) -> list[Premise]:
    """Windows of up to `widest` sentences around each place.

    Where windows are asked for, the sentence under its heading is one more premise.
    """
    found: dict[tuple[int, int, int, bool], Premise] = {}
    for block, at in places:
        sentences = source.sentences[block]
        for width in range(1, widest + 1):
            for first in range(max(0, at - width + 1), min(at, len(sentences) - width) + 1):
                last = first + width - 1
                window = tuple(sentences[first : last + 1])
                text = " ".join(readable(s.cleaned) for s in window)
                found[block, first, last, False] = Premise(block, first, last, window, text)
        headings = source.blocks[block].headings
        if headings and widest > 1:
            text = f"{readable(clean(headings[-1]).text)}: {readable(sentences[at].cleaned)}"
            found[block, at, at, True] = Premise(block, at, at, (sentences[at],), text)
    return list(found.values())
