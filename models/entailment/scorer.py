"""Scores pairs with an installed model: what the worker's process runs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.cancellation import Cancellation
from core.ports import Progress
from models.entailment import manifest as manifests
from models.entailment import runtime
from models.entailment.errors import ModelDamaged, ScoresUnusable
from models.entailment.tokenizer import Encoded, PairEncoder
from models.entailment.tokenizer_source import SPECIAL

SHORTEST = 32
"""Tokens that a sequence counts for at least when batches are made."""

Score = tuple[float, float | None]
"""Probabilities of entailment and of contradiction, 0..1; None for a model with two labels."""


class Scorer:
    """An installed model, compared with its manifest and loaded.

    `device` is "auto", "cpu" or "cuda"; a graphics card that cannot be used is replaced by the
    processor, and `description` says so. `threads` is how many the processor uses, 0 for as many as
    pay. Raises `models.entailment.errors.ModelRefused`.
    """

    def __init__(self, folder: Path, *, device: str = "auto", threads: int = 0) -> None:
        self._folder = folder
        self._manifest = manifests.verify(folder)
        self._threads = threads
        self._encoder = PairEncoder(
            folder / "tokenizer.json",
            max_tokens=self._manifest.max_tokens,
            prompt=self._manifest.prompt,
            unknown=SPECIAL[self._manifest.family][2],
        )
        self._place, self._runner = self._load(device)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._manifest.name

    @property
    def sha256(self) -> str:
        """The model's identity."""
        return self._manifest.sha256

    @property
    def description(self) -> str:
        """Compute type and device, and why it is not another device, in the person's words."""
        return self._place.description

    def score(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> list[Score]:
        """Scores of (premise, hypothesis) pairs, in their order.

        A premise that is too long is scored in windows that overlap; entailment and contradiction
        are each the highest of the windows. A pair with an empty side scores 0.

        Raises `HypothesisTooLong`, `ScoresUnusable` and `core.cancellation.Cancelled`.
        """
        cancellation = cancellation or Cancellation()
        cancellation.check()
        filled = [at for at, pair in enumerate(pairs) if pair[0].strip() and pair[1].strip()]
        encoded = self._encoder.encode([pairs[at] for at in filled])
        owners = [at for at, windows in zip(filled, encoded, strict=True) for _ in windows]
        sequences = [window for windows in encoded for window in windows]
        best = np.zeros((len(pairs), 2))
        done = 0
        for batch in batches([len(sequence.ids) for sequence in sequences], self._place.tokens):
            cancellation.check()
            chances = self._chances([sequences[at] for at in batch])
            for row, at in enumerate(batch):
                owner = owners[at]
                best[owner] = np.maximum(best[owner], chances[row])
            done += len(batch)
            if progress is not None:
                progress(done, len(sequences), "scoring")
        two = self._manifest.labels.contradiction is None
        return [
            (float(entailment), None if two else float(contradiction))
            for entailment, contradiction in best
        ]

    def _chances(self, batch: Sequence[Encoded]) -> NDArray[np.float64]:
        """Probabilities of (entailment, contradiction) for each sequence, shape [sequences, 2]."""
        try:
            logits = self._runner.logits(batch)
        except RuntimeError as error:
            if self._place.device == "cpu":
                raise
            self._fall_back(error)
            logits = self._runner.logits(batch)
        labels = self._manifest.labels
        if logits.shape != (len(batch), labels.count) or not np.isfinite(logits).all():
            raise ScoresUnusable(
                "The model answered with something that is no number, so nothing was decided by "
                "it. Remove the model and add it again."
            )
        shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
        powers = np.exp(shifted)
        chances = powers / powers.sum(axis=1, keepdims=True)
        against = (
            np.zeros(len(batch))
            if labels.contradiction is None
            else chances[:, labels.contradiction]
        )
        return np.stack([chances[:, labels.entailment], against], axis=1)

    def _load(self, device: str) -> tuple[runtime.Place, runtime.Runner]:
        """Load on the graphics card where there is one and it may be used, else the processor."""
        notice = ""
        if device in ("auto", "cuda"):
            card = runtime.graphics_card(self._manifest.quantization)
            if card is not None:
                try:
                    return card, runtime.load(self._folder, self._manifest, card)
                except (RuntimeError, ValueError) as error:
                    notice = _notice(error)
            elif device == "cuda":
                notice = "no graphics card that can be used was found"
        return self._load_on_processor(notice)

    def _load_on_processor(self, notice: str) -> tuple[runtime.Place, runtime.Runner]:
        place = runtime.processor(self._manifest.quantization, self._threads, notice)
        try:
            return place, runtime.load(self._folder, self._manifest, place)
        except (RuntimeError, ValueError) as error:
            raise ModelDamaged(
                f"The model {self._manifest.name} cannot be loaded. Remove it and add it again."
            ) from error

    def _fall_back(self, error: RuntimeError) -> None:
        """Go on with the processor after the graphics card failed in mid-work."""
        self._place, self._runner = self._load_on_processor(_notice(error))


def batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Indices in batches of near lengths, the longest first.

    A batch holds, padded, at most `tokens` tokens, or one sequence; a sequence counts as at least
    `SHORTEST` tokens, so that short ones make no endless batches.
    """
    order = sorted(range(len(lengths)), key=lambda at: -lengths[at])
    batch: list[int] = []
    for at in order:
        if batch and (len(batch) + 1) * max(lengths[batch[0]], SHORTEST) > tokens:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _notice(error: Exception) -> str:
    """Why the graphics card is not used, without paths or other details."""
    memory = "out of memory" in str(error).lower()
    return f"the graphics card {'has too little memory' if memory else 'could not be used'}"
