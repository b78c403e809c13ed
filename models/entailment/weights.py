"""The tensors of a checkpoint while a model is built from them, with an adapter folded in."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.entailment.errors import (
    AdapterMismatch,
    ConfigUnreadable,
    HashMismatch,
    ModelRefused,
    WeightsUnexpected,
)
from models.entailment.manifest import sha256_of
from models.entailment.safetensors import (
    Entry,
    Floats,
    read_entries,
    read_header,
    read_tensor,
)

ADAPTER = "adapter.safetensors"
HEAD = "head.safetensors"
CONFIG = "config.json"

DOWN = ".lora_A.weight"
UP = ".lora_B.weight"


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in the file. Raises `ConfigUnreadable`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigUnreadable(
            f"There is no {path.name} in the folder {path.parent.name}. Nothing was taken in. "
            f"Choose the folder that holds the model's config.json and its weights."
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigUnreadable(
            f"{path.name} cannot be read. Nothing was taken in. Get the file again."
        ) from error
    if not isinstance(data, dict):
        raise ConfigUnreadable(f"{path.name} is not what it should be. Nothing was taken in.")
    return data


@dataclass(frozen=True, slots=True)
class Adapter:
    """A low-rank adapter: W becomes W + scale · B · A for each module; with a head of its own.

    `tensors` are those of the adapter and of the head, `config` is its description.
    """

    config: Mapping[str, Any]
    scale: float
    tensors: Mapping[str, Entry]

    @property
    def modules(self) -> set[str]:
        """Names of the matrices that it changes, without ".weight"."""
        return {name.removesuffix(DOWN) for name in self.tensors if name.endswith(DOWN)}

    @property
    def head(self) -> dict[str, Entry]:
        """The tensors that take the place of the base's head."""
        return {name: entry for name, entry in self.tensors.items() if ".lora_" not in name}


def read_adapter(folder: Path) -> Adapter:
    """The adapter in `folder`: adapter.safetensors, head.safetensors and config.json.

    config.json has `rank`, `alpha` (the scale is alpha / rank), `base` with the SHA-256 of the
    weights that it was made for, `id2label`, and `sha256` of the two files.
    Raises `ModelRefused`.
    """
    config = read_json(folder / CONFIG)
    try:
        rank, alpha = int(config["rank"]), float(config["alpha"])
        hashes = {name: str(config["sha256"][name]) for name in (ADAPTER, HEAD)}
        base = str(config["base"]["sha256"])
    except (KeyError, TypeError, ValueError) as error:
        raise _unusable("its config.json lacks rank, alpha, sha256 or base") from error
    if not (rank >= 1 and np.isfinite(alpha) and len(base) == 64):
        raise _unusable("its rank, alpha or base is not what it should be")
    for name, expected in hashes.items():
        if not (folder / name).is_file():
            raise _unusable(f"{name} is missing")
        if sha256_of(folder / name) != expected:
            raise HashMismatch(
                f"{name} of the adapter is not the file that its config.json names. Nothing was "
                f"taken in. Get the adapter again."
            )
    low_rank, head = read_header(folder / ADAPTER), read_header(folder / HEAD)
    if low_rank.keys() & head.keys() or any(".lora_" in name for name in head):
        raise _unusable("the head holds tensors of the adapter")
    adapter = Adapter(config, alpha / rank, low_rank | head)
    wanted = {module + end for module in adapter.modules for end in (DOWN, UP)}
    if not wanted or wanted != low_rank.keys():
        raise _unusable("its tensors do not come in pairs")
    for module in adapter.modules:
        down, up = low_rank[module + DOWN].shape, low_rank[module + UP].shape
        if len(down) != 2 or len(up) != 2 or down[0] != rank or up[1] != rank:
            raise _unusable(f"{module} is not of rank {rank}")
    return adapter


class Weights:
    """Tensors of a checkpoint by their names without a prefix, each taken once and checked.

    An adapter's head replaces the base's; its low-rank parts are added when a matrix is taken.
    """

    def __init__(self, folder: Path, prefixes: tuple[str, ...], adapter: Adapter | None) -> None:
        self._adapter = adapter
        self._entries: dict[str, Entry] = {}
        for name, entry in read_entries(folder).items():
            plain = _without_prefix(name, prefixes)
            if plain in self._entries:
                raise WeightsUnexpected(
                    f"The weights hold {plain} twice, with and without a prefix. Nothing was taken "
                    f"in."
                )
            self._entries[plain] = entry
        if adapter is not None:
            replaced = {name.partition(".")[0] for name in adapter.head}
            for name in [n for n in self._entries if n.partition(".")[0] in replaced]:
                del self._entries[name]
            self._entries.update(adapter.head)
        self._unfolded = adapter.modules if adapter is not None else set()
        self._taken: set[str] = set()

    def __contains__(self, name: str) -> bool:
        """Whether there is a tensor of this name."""
        return name in self._entries

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of the tensor. Raises `WeightsUnexpected` if there is none."""
        if name not in self._entries:
            raise WeightsUnexpected(
                f"The weights lack {name}, which this architecture has. Nothing was taken in. Get "
                f"a complete checkpoint with a classification head."
            )
        return self._entries[name].shape

    def take(self, name: str, *shape: int) -> Floats:
        """The tensor, of exactly this shape, in float32. Raises `WeightsUnexpected`."""
        found = self.shape(name)
        if found != shape:
            raise WeightsUnexpected(
                f"{name} is of shape {found}, and the model's config.json calls for {shape}. "
                f"Nothing was taken in: the weights and the config do not belong together."
            )
        self._taken.add(name)
        values = read_tensor(name, self._entries[name])
        module = name.removesuffix(".weight")
        if module in self._unfolded and name.endswith(".weight"):
            values = self._fold(module, values)
        return values

    def _fold(self, module: str, values: Floats) -> Floats:
        assert self._adapter is not None
        down, up = (
            read_tensor(module + end, self._adapter.tensors[module + end]) for end in (DOWN, UP)
        )
        if (up.shape[0], down.shape[1]) != values.shape:
            raise AdapterMismatch(
                f"The adapter does not fit the shape of {module}. Nothing was taken in. It belongs "
                f"to another base model."
            )
        self._unfolded.discard(module)
        with np.errstate(all="ignore"):
            folded = values + np.float32(self._adapter.scale) * _product(up, down)
        if not np.isfinite(folded).all():
            raise AdapterMismatch(
                f"With the adapter, {module} holds values that are not numbers. Nothing was taken "
                f"in."
            )
        return np.asarray(folded, dtype=np.float32)

    def finish(self, ignored: tuple[str, ...]) -> None:
        """Check that nothing is left over but tensors whose names begin with one of `ignored`.

        What is left over belongs to another architecture than the config says, or to a deeper
        model. Raises `WeightsUnexpected` and `AdapterMismatch`.
        """
        if self._unfolded:
            raise AdapterMismatch(
                f"The adapter changes {min(self._unfolded)}, which the model does not have. "
                f"Nothing was taken in."
            )
        left = [n for n in self._entries if n not in self._taken and not n.startswith(ignored)]
        if left:
            raise WeightsUnexpected(
                f"The weights hold {min(left)[:80]}, which the architecture that config.json names "
                f"does not have. Nothing was taken in: it could not be run exactly."
            )


def _product(up: Floats, down: Floats) -> Floats:
    """The matrix product, with the same bits on every machine.

    A model's identity is the hash of its files, and a linear algebra library sums in an order that
    depends on the processor.
    """
    total = np.zeros((up.shape[0], down.shape[1]), dtype=np.float32)
    term = np.empty_like(total)
    for at in range(down.shape[0]):
        total += np.multiply(up[:, at, None], down[None, at, :], out=term)
    return total


def _without_prefix(name: str, prefixes: tuple[str, ...]) -> str:
    for prefix in prefixes:
        if name.startswith(prefix):
            name = name[len(prefix) :]
            break
    # Checkpoints that were first made with TensorFlow keep its names.
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace(
        "LayerNorm.beta", "LayerNorm.bias"
    )


def _unusable(why: str) -> ModelRefused:
    return AdapterMismatch(
        f"The adapter cannot be used: {why}. Nothing was taken in. Get the adapter again."
    )
