"""An adapter is folded into exactly the base that it was made for, or refused."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.entailment import errors
from models.entailment.importer import import_model
from models.entailment.safetensors import read_header, read_tensor
from models.entailment.weights import Weights, read_adapter

FIXTURES = Path(__file__).parent / "fixtures"
BASE = FIXTURES / "mpnet" / "base"
MATRIX = "encoder.layer.0.attention.attn.q"


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """An adapter that a test may change."""
    return Path(shutil.copytree(FIXTURES / "mpnet" / "adapter", tmp_path / "adapter"))


def configure(adapter: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    config = json.loads((adapter / "config.json").read_text(encoding="utf-8"))
    edit(config)
    (adapter / "config.json").write_text(json.dumps(config), encoding="utf-8")


def rewrite(adapter: Path, file: str, arrays: dict[str, np.ndarray]) -> None:
    """Write a file of the adapter anew, in float16, and name its hash in the config."""
    header, at = {}, 0
    for name, array in arrays.items():
        size = array.size * 2
        header[name] = {"dtype": "F16", "shape": array.shape, "data_offsets": [at, at + size]}
        at += size
    head = json.dumps(header).encode()
    body = b"".join(array.astype("<f2").tobytes() for array in arrays.values())
    (adapter / file).write_bytes(len(head).to_bytes(8, "little") + head + body)
    found = hashlib.sha256((adapter / file).read_bytes()).hexdigest()
    configure(adapter, lambda config: config["sha256"].update({file: found}))


def arrays_of(file: Path) -> dict[str, np.ndarray]:
    return {name: read_tensor(name, entry) for name, entry in read_header(file).items()}


def refused(error: type[Exception], adapter: Path, target: Path) -> None:
    with pytest.raises(error) as refusal:
        import_model(BASE, target, name="tiny", adapter=adapter)
    assert type(refusal.value) is error
    assert not target.parent.exists() or list(target.parent.iterdir()) == []


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "models" / "tiny"


def test_a_matrix_is_its_base_and_scale_times_b_a(adapter: Path) -> None:
    base = arrays_of(BASE / "model.safetensors")
    low = arrays_of(adapter / "adapter.safetensors")
    weights = Weights(BASE, ("mpnet.",), read_adapter(adapter))
    product = low[f"{MATRIX}.lora_B.weight"] @ low[f"{MATRIX}.lora_A.weight"]
    np.testing.assert_allclose(
        weights.take(f"{MATRIX}.weight", 32, 32),
        base[f"{MATRIX}.weight"] + 6.0 / 4 * product,
        atol=1e-6,
    )
    np.testing.assert_array_equal(weights.take(f"{MATRIX}.bias", 32), base[f"{MATRIX}.bias"])


def test_what_was_folded_in_is_in_the_manifest(adapter: Path, target: Path) -> None:
    manifest = import_model(BASE, target, name="tiny", adapter=adapter)
    assert manifest.adapter is not None
    assert manifest.adapter["rank"] == 4
    assert manifest.source.name == "tiny/mpnet"
    assert manifest.source.sha256 == manifest.adapter["base"]["sha256"]


def test_without_the_adapter_the_base_has_no_head(target: Path) -> None:
    with pytest.raises(errors.UnknownArchitecture):
        import_model(BASE, target, name="tiny")


def test_the_adapter_may_shorten_the_sequences(adapter: Path, target: Path) -> None:
    configure(adapter, lambda config: config.update(max_tokens=96))
    assert import_model(BASE, target, name="tiny", adapter=adapter).max_tokens == 96


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (lambda c: c["base"].update(sha256="0" * 64), errors.HashMismatch),
        (lambda c: c["base"].update(sha256="short"), errors.AdapterMismatch),
        (lambda c: c["sha256"].update({"head.safetensors": "0" * 64}), errors.HashMismatch),
        (lambda c: c.update(rank=8), errors.AdapterMismatch),
        (lambda c: c.update(rank=0), errors.AdapterMismatch),
        (lambda c: c.update(rank="many"), errors.AdapterMismatch),
        (lambda c: c.update(alpha=float("inf")), errors.AdapterMismatch),
        (lambda c: c.pop("alpha"), errors.AdapterMismatch),
        (lambda c: c.pop("base"), errors.AdapterMismatch),
        (lambda c: c.pop("sha256"), errors.AdapterMismatch),
        (lambda c: c.pop("id2label"), errors.LabelsUnclear),
        (lambda c: c.update(architecture="RobertaForX"), errors.UnknownArchitecture),
        (lambda c: c["id2label"].pop("0"), errors.ConfigUnreadable),
        (lambda c: c["id2label"].pop("2"), errors.WeightsUnexpected),
        (lambda c: c["id2label"].update({"0": "yes"}), errors.LabelsUnclear),
    ],
)
def test_descriptions(
    edit: Callable[[dict[str, Any]], object],
    error: type[Exception],
    adapter: Path,
    target: Path,
) -> None:
    configure(adapter, edit)
    refused(error, adapter, target)


@pytest.mark.parametrize("file", ["adapter.safetensors", "head.safetensors", "config.json"])
def test_a_file_that_is_missing(file: str, adapter: Path, target: Path) -> None:
    (adapter / file).unlink()
    kind = errors.ConfigUnreadable if file == "config.json" else errors.AdapterMismatch
    refused(kind, adapter, target)


@pytest.mark.parametrize("file", ["adapter.safetensors", "head.safetensors"])
def test_a_file_that_was_changed(file: str, adapter: Path, target: Path) -> None:
    whole = (adapter / file).read_bytes()
    (adapter / file).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    refused(errors.HashMismatch, adapter, target)


def without_a(arrays: dict[str, np.ndarray]) -> None:
    del arrays[f"{MATRIX}.lora_A.weight"]


def of_no_module(arrays: dict[str, np.ndarray]) -> None:
    arrays["encoder.layer.9.attention.attn.q.lora_A.weight"] = np.zeros((4, 32))
    arrays["encoder.layer.9.attention.attn.q.lora_B.weight"] = np.zeros((32, 4))


def of_another_width(arrays: dict[str, np.ndarray]) -> None:
    arrays[f"{MATRIX}.lora_A.weight"] = np.zeros((4, 16))


def of_another_rank(arrays: dict[str, np.ndarray]) -> None:
    arrays[f"{MATRIX}.lora_B.weight"] = np.zeros((32, 5))


def of_no_numbers(arrays: dict[str, np.ndarray]) -> None:
    arrays[f"{MATRIX}.lora_B.weight"][0, 0] = np.nan


def with_a_whole_matrix(arrays: dict[str, np.ndarray]) -> None:
    arrays[f"{MATRIX}.weight"] = np.zeros((32, 32))


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (without_a, errors.AdapterMismatch),
        (of_no_module, errors.AdapterMismatch),
        (of_another_width, errors.AdapterMismatch),
        (of_another_rank, errors.AdapterMismatch),
        (of_no_numbers, errors.WeightsUnexpected),
        (with_a_whole_matrix, errors.AdapterMismatch),
        (dict.clear, errors.AdapterMismatch),
    ],
)
def test_low_rank_tensors(
    edit: Callable[[dict[str, np.ndarray]], None],
    error: type[Exception],
    adapter: Path,
    target: Path,
) -> None:
    arrays = arrays_of(adapter / "adapter.safetensors")
    edit(arrays)
    rewrite(adapter, "adapter.safetensors", arrays)
    refused(error, adapter, target)


def without_output(arrays: dict[str, np.ndarray]) -> None:
    del arrays["classifier.out_proj.weight"]


def with_two_outputs(arrays: dict[str, np.ndarray]) -> None:
    arrays["classifier.out_proj.weight"] = np.zeros((2, 32))
    arrays["classifier.out_proj.bias"] = np.zeros(2)


def with_low_rank(arrays: dict[str, np.ndarray]) -> None:
    arrays["classifier.dense.lora_A.weight"] = np.zeros((4, 32))


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (without_output, errors.WeightsUnexpected),
        (with_two_outputs, errors.WeightsUnexpected),
        (with_low_rank, errors.AdapterMismatch),
        (dict.clear, errors.AdapterMismatch),
    ],
)
def test_heads(
    edit: Callable[[dict[str, np.ndarray]], None],
    error: type[Exception],
    adapter: Path,
    target: Path,
) -> None:
    arrays = arrays_of(adapter / "head.safetensors")
    edit(arrays)
    rewrite(adapter, "head.safetensors", arrays)
    refused(error, adapter, target)


def test_an_adapter_of_another_architecture(adapter: Path, target: Path) -> None:
    with pytest.raises(errors.ModelRefused):
        import_model(FIXTURES / "bert", target, name="tiny", adapter=adapter)
    assert not target.parent.exists()
