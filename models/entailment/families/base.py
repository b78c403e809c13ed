"""What every family of architectures offers to the importer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from ctranslate2.specs import common_spec, model_spec
from numpy.typing import NDArray

from models.entailment.errors import ConfigUnreadable, UnknownArchitecture
from models.entailment.safetensors import Floats
from models.entailment.weights import Weights

Step = Callable[[int, int], None]
"""Called with (layers done, layers in all); may raise to stop the work."""

ACTIVATIONS = {
    "gelu": common_spec.Activation.GELU,
    "gelu_new": common_spec.Activation.GELUTanh,
    "relu": common_spec.Activation.RELU,
}


@dataclass(frozen=True, slots=True)
class Built:
    """A model ready to be written.

    `spec` is its CTranslate2 specification, `folder` the name of the folder for it, `head` the
    arrays of head.npz, `outputs` how many labels the head tells apart (None where that is the
    verbaliser's to say), `rows` how many token ids the embeddings know, `max_tokens` the longest
    sequence.
    """

    spec: model_spec.ModelSpec
    folder: str
    head: Mapping[str, NDArray[Any]]
    outputs: int | None
    rows: int
    max_tokens: int


class Family(Protocol):
    """One family of architectures."""

    @property
    def name(self) -> str:
        """Its name in a manifest."""
        ...

    @property
    def architecture(self) -> str:
        """The class that the reference implementation loads such a checkpoint with."""
        ...

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Prefixes of tensor names that carry no meaning."""
        ...

    @property
    def ignored(self) -> tuple[str, ...]:
        """Beginnings of the names of tensors that have no part in a score."""
        ...

    def build(self, config: "Config", weights: Weights, step: Step) -> Built:
        """The model of `config` with these weights. Raises `models.entailment.errors`."""
        ...

    def register_vocabulary(self, built: Built, tokens: list[str]) -> None:
        """Give the specification its tokens, one for each row of the embeddings."""
        ...


class Config:
    """A config.json whose values are read with their types checked."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def size(self, name: str, default: int | None = None) -> int:
        """A whole number of at least 1. Raises `ConfigUnreadable`."""
        value = self._data.get(name, default)
        if type(value) is not int or not 1 <= value <= 10_000_000:
            raise self.wrong(name)
        return value

    def epsilon(self, name: str, default: float) -> float:
        """A small positive number. Raises `ConfigUnreadable`."""
        value = self._data.get(name, default)
        if not isinstance(value, int | float) or not 0 < value < 1:
            raise self.wrong(name)
        return float(value)

    def text(self, name: str, default: str) -> str:
        """A text. Raises `ConfigUnreadable`."""
        value = self._data.get(name, default)
        if not isinstance(value, str):
            raise self.wrong(name)
        return value

    def flag(self, name: str, default: bool) -> bool:
        """Yes or no. Raises `ConfigUnreadable`."""
        value = self._data.get(name, default)
        if not isinstance(value, bool):
            raise self.wrong(name)
        return value

    def activation(self, name: str, default: str) -> common_spec.Activation:
        """An activation function. Raises `UnknownArchitecture` for one that cannot be run."""
        value = self.text(name, default)
        if value not in ACTIVATIONS:
            raise UnknownArchitecture(
                f"The model uses the activation {value[:40]}, which cannot be run here. Nothing "
                f"was taken in."
            )
        return ACTIVATIONS[value]

    def demand(self, name: str, expected: object, default: object) -> None:
        """Check that a variant of the architecture is the one that can be run.

        `default` stands for a value that is missing or null. Raises `UnknownArchitecture`.
        """
        value = self._data.get(name)
        if (default if value is None else value) != expected:
            raise UnknownArchitecture(
                f"The model is of a variant that cannot be run exactly (its {name} is not "
                f"{expected}). Nothing was taken in."
            )

    def wrong(self, name: str) -> ConfigUnreadable:
        """The error that config.json has no sensible `name`."""
        return ConfigUnreadable(
            f"config.json has no usable {name}. Nothing was taken in. Get the file again."
        )


def set_linear(spec: common_spec.LinearSpec, weight: Floats, bias: Floats | None) -> None:
    """Fill a linear map: weight [outputs, inputs], bias [outputs]."""
    spec.weight = weight
    if bias is not None:
        spec.bias = bias


def joined(parts: list[Floats]) -> Floats:
    """Linear maps of the same input as one, their outputs one after another."""
    return np.ascontiguousarray(np.concatenate(parts))
