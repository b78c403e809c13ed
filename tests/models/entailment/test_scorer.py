"""Scoring: order, windows, cancellation, and what happens when a device fails."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cancellation import Cancellation, Cancelled
from models.entailment import manifest as manifests
from models.entailment import runtime
from models.entailment.errors import HypothesisTooLong, ScoresUnusable
from models.entailment.scorer import SHORTEST, Score, Scorer, batches
from models.entailment.tokenizer import Encoded

LENGTHS = st.lists(st.integers(1, 600), max_size=300)


@settings(deadline=None)
@given(lengths=LENGTHS, tokens=st.sampled_from([512, 1024, 16384]))
def test_batches_hold_every_sequence_once_and_stay_small(lengths: list[int], tokens: int) -> None:
    made = list(batches(lengths, tokens))
    assert sorted(at for batch in made for at in batch) == list(range(len(lengths)))
    for batch in made:
        longest = max(lengths[at] for at in batch)
        assert len(batch) * SHORTEST <= tokens
        assert len(batch) == 1 or len(batch) * longest <= tokens
    ordered = [lengths[at] for batch in made for at in batch]
    assert ordered == sorted(ordered, reverse=True)


@pytest.fixture
def scorer(installed: Callable[..., Path]) -> Scorer:
    return Scorer(installed("bert"), device="cpu", threads=1)


def near(found: Sequence[Score], expected: Sequence[Score]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


def test_scores_come_in_the_order_of_the_pairs(checkpoint, installed: Callable[..., Path]) -> None:
    scorer = Scorer(installed(checkpoint.name), device="cpu", threads=1)
    pairs = checkpoint.pairs * 8
    together = scorer.score(pairs)
    for pair, score in zip(pairs[: len(checkpoint.pairs)], together, strict=False):
        near(scorer.score([pair]), [score])
    near(together[: len(checkpoint.pairs)], together[-len(checkpoint.pairs) :])
    for entailment, contradiction in together:
        assert 0 <= entailment <= 1
        assert contradiction is None or 0 <= entailment + contradiction <= 1 + 1e-9


def test_a_long_premise_scores_the_best_of_its_windows(
    checkpoint, installed: Callable[..., Path]
) -> None:
    scorer = Scorer(installed(checkpoint.name), device="cpu", threads=1)
    sentences = [premise for premise, _ in checkpoint.pairs]
    premise, hypothesis = " ".join(sentences * 3), "Adults were followed."
    windows = scorer._encoder.windows(premise, hypothesis)
    assert len(windows) > 2
    parts = scorer.score([(window, hypothesis) for window in windows])
    whole, alone = scorer.score([(premise, hypothesis), (sentences[0], hypothesis)])
    assert whole[0] == pytest.approx(max(part[0] for part in parts), abs=1e-5)
    if whole[1] is not None:
        against = [part[1] for part in parts if part[1] is not None]
        assert whole[1] == pytest.approx(max(against), abs=1e-5)
    near([alone], scorer.score([(sentences[0], hypothesis)]))


@pytest.mark.parametrize("empty", ["", " ", "\n\t", "\u00a0"])
def test_an_empty_side_supports_nothing(scorer: Scorer, empty: str) -> None:
    assert scorer.score([(empty, "A claim."), ("A premise.", empty)]) == [(0.0, 0.0), (0.0, 0.0)]


def test_an_empty_side_of_a_model_with_two_labels(installed: Callable[..., Path]) -> None:
    scorer = Scorer(installed("bert_two_labels"), device="cpu", threads=1)
    assert scorer.score([("", "A claim.")]) == [(0.0, None)]


def test_nothing_to_score(scorer: Scorer) -> None:
    assert scorer.score([]) == []


def test_a_claim_too_long_is_an_error_not_a_score(scorer: Scorer) -> None:
    with pytest.raises(HypothesisTooLong):
        scorer.score([("A man is playing.", "adults " * 400)])


def test_cancelling_stops_between_batches(scorer: Scorer) -> None:
    cancellation = Cancellation()
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int, what: str) -> None:
        seen.append((done, total))
        cancellation.cancel()

    pairs = [(f"A man is playing {n} guitars.", "A man plays.") for n in range(200)]
    with pytest.raises(Cancelled):
        scorer.score(pairs, progress=progress, cancellation=cancellation)
    assert len(seen) == 1
    assert seen[0][0] < seen[0][1] == 200
    with pytest.raises(Cancelled):
        scorer.score([], cancellation=cancellation)


def test_progress_ends_at_the_total(scorer: Scorer) -> None:
    seen: list[tuple[int, int]] = []
    scorer.score(
        [(f"A man has {n}.", "A man.") for n in range(150)],
        progress=lambda done, total, what: seen.append((done, total)),
    )
    assert seen[-1] == (150, 150)
    assert len(seen) > 2


class Broken:
    """A runner that answers nonsense."""

    def __init__(self, answer: np.ndarray) -> None:
        self.answer = answer

    def logits(self, batch: Sequence[Encoded]) -> np.ndarray:
        return self.answer


@pytest.mark.parametrize(
    "answer",
    [
        np.array([[np.nan, 0, 0]]),
        np.array([[np.inf, 0, 0]]),
        np.array([[0.0, 0.0]]),
        np.zeros((2, 3)),
        np.zeros((0, 3)),
    ],
)
def test_nonsense_is_an_error_not_a_score(scorer: Scorer, answer: np.ndarray) -> None:
    scorer._runner = Broken(answer)
    with pytest.raises(ScoresUnusable):
        scorer.score([("A man is playing.", "A man plays.")])


@pytest.mark.parametrize("value", [80.0, -80.0, 3e38])
def test_extreme_logits_give_probabilities(scorer: Scorer, value: float) -> None:
    scorer._runner = Broken(np.array([[0.0, value, 0.0]]))
    ((entailment, contradiction),) = scorer.score([("A man is playing.", "A man plays.")])
    assert entailment == pytest.approx(1.0 if value > 0 else 0.0)
    assert contradiction == pytest.approx(0.0 if value > 0 else 0.5)


def test_what_it_runs_on_is_said(installed: Callable[..., Path]) -> None:
    one = Scorer(installed("bert", "int8"), device="cpu", threads=1)
    two = Scorer(installed("bert", "float16"), device="cpu", threads=2)
    assert one.description == "int8_float32 on the processor"
    assert two.description == "float32 on the processor, 2 threads"


def test_a_card_that_is_asked_for_and_missing_is_said(
    installed: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "graphics_card", lambda quantization: None)
    scorer = Scorer(installed("bert"), device="cuda", threads=1)
    assert "processor" in scorer.description
    assert "no graphics card" in scorer.description


CARD = runtime.Place("cuda", "float32", 0)


def test_a_card_that_cannot_be_loaded_is_replaced_with_a_message(
    installed: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that is missing shows only when the model is loaded."""
    monkeypatch.setattr(runtime, "graphics_card", lambda quantization: CARD)
    scorer = Scorer(installed("bert"), threads=1)
    assert scorer.description == ("float32 on the processor (the graphics card could not be used)")
    assert scorer.score([("A man is playing.", "A man plays.")])[0][0] > 0


def test_a_card_that_fails_in_mid_work_is_replaced_with_a_message(
    installed: Callable[..., Path], scorer: Scorer
) -> None:
    class Failing:
        def logits(self, batch: Sequence[Encoded]) -> np.ndarray:
            raise RuntimeError("CUDA failed with error out of memory")

    pairs = [("A man is playing.", "A man plays."), ("A", "B")]
    expected = scorer.score(pairs)
    scorer._place, scorer._runner = CARD, Failing()
    near(scorer.score(pairs), expected)
    assert "the graphics card has too little memory" in scorer.description


def test_a_processor_that_fails_is_not_tried_for_ever(scorer: Scorer) -> None:
    class Failing:
        def logits(self, batch: Sequence[Encoded]) -> np.ndarray:
            raise RuntimeError("broken")

    scorer._runner = Failing()
    with pytest.raises(RuntimeError):
        scorer.score([("A", "B")])


def test_its_name_and_identity_are_the_manifest_s(scorer: Scorer, installed) -> None:
    manifest = manifests.read(installed("bert"))
    written = json.loads((installed("bert") / manifests.FILE).read_text(encoding="utf-8"))
    assert (scorer.name, scorer.sha256) == (manifest.name, manifest.sha256)
    assert written["sha256"] == manifest.sha256
