"""Each architecture answers what the reference implementation recorded."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models.entailment import manifest as manifests
from models.entailment import runtime
from models.entailment.importer import import_model
from models.entailment.manifest import Manifest
from models.entailment.scorer import Scorer
from models.entailment.tokenizer import Encoded

TOLERANCE = {"float32": 1e-4, "float16": 0.01, "int8_float32": 0.15, "int8": 0.15}
"""Largest difference of a logit. In int8 the random matrices of the fixtures cost up to 0.10."""


def loaded(folder: Path) -> tuple[Manifest, runtime.Runner]:
    manifest = manifests.read(folder)
    place = runtime.processor(manifest.quantization, 1)
    return manifest, runtime.load(folder, manifest, place)


def recorded(checkpoint) -> tuple[list[Encoded], np.ndarray]:
    """The reference's own sequences, so that the runtime is tested without our tokenizer."""
    cases = checkpoint.cases
    sequences = [Encoded(c["ids"], c["types"] or [0] * len(c["ids"])) for c in cases]
    return sequences, np.array([case["logits"] for case in cases])


def comparable(logits: np.ndarray, family: str) -> np.ndarray:
    """T5's are known up to a number that is the same for both answers."""
    return logits - logits.mean(axis=1, keepdims=True) if family == "t5" else logits


@pytest.mark.parametrize("quantization", TOLERANCE)
def test_logits(checkpoint, quantization: str, installed: Callable[..., Path]) -> None:
    manifest, runner = loaded(installed(checkpoint.name, quantization))
    sequences, expected = recorded(checkpoint)
    found = comparable(runner.logits(sequences), manifest.family)
    expected = comparable(expected, manifest.family)
    assert np.abs(found - expected).max() < TOLERANCE[quantization]
    assert np.ptp(expected, axis=0).max() > 4 * TOLERANCE["float32"], "the pairs must differ"


@pytest.mark.parametrize("quantization", ["float32", "int8"])
def test_padding_changes_nothing(
    checkpoint, quantization: str, installed: Callable[..., Path]
) -> None:
    manifest, runner = loaded(installed(checkpoint.name, quantization))
    sequences, _ = recorded(checkpoint)
    together = comparable(runner.logits(sequences), manifest.family)
    alone = np.concatenate([runner.logits([sequence]) for sequence in sequences])
    assert len({len(sequence.ids) for sequence in sequences}) > 5
    np.testing.assert_allclose(together, comparable(alone, manifest.family), atol=1e-5)


def test_scores_are_the_softmax_at_the_labels_own_places(
    checkpoint, installed: Callable[..., Path]
) -> None:
    folder = installed(checkpoint.name)
    labels = manifests.read(folder).labels
    _, logits = recorded(checkpoint)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances = powers / powers.sum(axis=1, keepdims=True)
    scores = Scorer(folder, device="cpu", threads=1).score(checkpoint.pairs)
    for score, chance in zip(scores, chances, strict=True):
        assert score[0] == pytest.approx(chance[labels.entailment], abs=1e-4)
        if labels.contradiction is None:
            assert score[1] is None
        else:
            assert score[1] == pytest.approx(chance[labels.contradiction], abs=1e-4)


@pytest.mark.parametrize("quantization", ["int8", "float16"])
def test_the_same_files_give_the_same_model(
    checkpoint, quantization: str, installed: Callable[..., Path], tmp_path: Path
) -> None:
    again = import_model(
        checkpoint.folder,
        tmp_path / "again",
        name="another-name",
        quantization=quantization,
        **checkpoint.options,
    )
    assert again.sha256 == manifests.read(installed(checkpoint.name, quantization)).sha256


def test_quantization_makes_another_model(installed: Callable[..., Path]) -> None:
    kinds = ("float32", "float16", "int8")
    identities = {manifests.read(installed("bert", kind)).sha256 for kind in kinds}
    assert len(identities) == len(kinds)
    sizes = [(installed("bert", k) / "encoder" / "model.bin").stat().st_size for k in kinds]
    assert sizes == sorted(sizes, reverse=True)
