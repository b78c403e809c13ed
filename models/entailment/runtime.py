"""Runs an installed model with CTranslate2: sequences in, logits of its outputs out.

Only the worker's process may load this: CTranslate2 brings an OpenMP runtime of its own, and two of
them in one process abort.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import ctranslate2
import numpy as np
from numpy.typing import NDArray

from models.entailment.errors import ModelDamaged
from models.entailment.manifest import Manifest
from models.entailment.tokenizer import Encoded

Logits = NDArray[np.float32]
"""Shape [sequences, outputs]."""

MOST_THREADS = 8
"""More threads than this wait for each other more than they work."""

COMPUTE = {
    "int8": ("int8_float32", "int8", "float32"),
    "int8_float32": ("int8_float32", "int8", "float32"),
    "float16": ("float16", "float32"),
    "float32": ("float32",),
}
"""Quantization to compute types, the one whose scores are nearest to the stored model first."""

NAMES = {"cpu": "the processor", "cuda": "the graphics card"}

BATCH_TOKENS = {"cpu": 1024, "cuda": 16384}
"""Tokens of a batch, with padding. A processor gains nothing from more, and memory grows by it."""

Loaded = TypeVar("Loaded")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model runs: "cpu" or "cuda", compute type, threads, and why not on another device.

    `threads` is 0 for a graphics card. `notice` is in the person's words, or empty.
    """

    device: str
    compute: str
    threads: int
    notice: str = ""

    @property
    def tokens(self) -> int:
        """Tokens that a batch may hold, with padding."""
        return BATCH_TOKENS[self.device]

    @property
    def description(self) -> str:
        """For the status line."""
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        notice = f" ({self.notice})" if self.notice else ""
        return f"{self.compute} on {NAMES[self.device]}{threads}{notice}"


class Runner(Protocol):
    """A loaded model."""

    def logits(self, batch: Sequence[Encoded]) -> Logits:
        """The logits of each sequence, in their order."""
        ...


def processor(quantization: str, threads: int = 0, notice: str = "") -> Place:
    """The processor, with `threads` threads or as many as pay."""
    return Place("cpu", _compute(quantization, "cpu"), threads or _threads(), notice)


def graphics_card(quantization: str) -> Place | None:
    """The graphics card, if CTranslate2 finds one."""
    try:
        if ctranslate2.get_cuda_device_count() < 1:
            return None
        return Place("cuda", _compute(quantization, "cuda"), 0)
    except (RuntimeError, ValueError):
        return None


def load(folder: Path, manifest: Manifest, place: Place) -> Runner:
    """The model in `folder`, on `place`.

    Raises `ModelDamaged`, and `RuntimeError` where the place cannot run it.
    """
    head = _head(folder / "head.npz")
    if manifest.family == "t5":
        return SequenceToSequenceRunner(folder / "seq2seq", head, manifest, place)
    return EncoderRunner(folder / "encoder", head, manifest, place)


class EncoderRunner:
    """An encoder whose pooler is the head's hidden layer; the last linear map is done here."""

    def __init__(
        self, folder: Path, head: dict[str, NDArray[Any]], manifest: Manifest, place: Place
    ) -> None:
        self._weight, self._bias = (_array(head, name) for name in ("weight", "bias"))
        if not self._weight.shape[:1] == self._bias.shape == (manifest.labels.count,):
            raise ModelDamaged("The model's head does not fit its labels.")
        self._types = _TYPES[manifest.family]
        self._encoder = _loaded(ctranslate2.Encoder, folder, place)

    def logits(self, batch: Sequence[Encoded]) -> Logits:
        """The logits of each sequence, in their order. Raises `RuntimeError`."""
        ids = [encoded.ids for encoded in batch]
        types = self._types
        output = self._encoder.forward_batch(
            ids, token_type_ids=None if types is None else [types(encoded) for encoded in batch]
        )
        hidden = _as_array(output.pooler_output)
        return np.asarray(hidden @ self._weight.T + self._bias)


class SequenceToSequenceRunner:
    """An encoder and decoder; the logits are those of two tokens at the decoder's first step.

    They are log probabilities over the whole vocabulary, which differ from the logits by the same
    number for both tokens, so that the softmax over the two is the same.
    """

    def __init__(
        self, folder: Path, head: dict[str, NDArray[Any]], manifest: Manifest, place: Place
    ) -> None:
        self._answers = _array(head, "tokens")
        if self._answers.shape != (manifest.labels.count,):
            raise ModelDamaged("The model's answers do not fit its labels.")
        self._translator = _loaded(ctranslate2.Translator, folder, place)
        self._tokens = _vocabulary(folder)

    def logits(self, batch: Sequence[Encoded]) -> Logits:
        """The logits of each sequence, in their order. Raises `RuntimeError`."""
        results = self._translator.translate_batch(
            [[self._tokens[at] for at in encoded.ids] for encoded in batch],
            beam_size=1,
            max_decoding_length=1,
            # The default would cut long sources.
            max_input_length=0,
            return_logits_vocab=True,
        )
        rows = [_as_array(result.logits[0][0]).reshape(-1)[self._answers] for result in results]
        return np.asarray(rows, dtype=np.float32)


def _positions(encoded: Encoded) -> list[int]:
    return list(range(len(encoded.ids)))


def _token_types(encoded: Encoded) -> list[int]:
    return encoded.types


_TYPES: dict[str, Callable[[Encoded], list[int]] | None] = {
    "bert": _token_types,
    "mpnet": _positions,
    "roberta": None,
    "xlm_roberta": None,
}
"""What a family's second embedding is looked up by."""


def _loaded(kind: Callable[..., Loaded], folder: Path, place: Place) -> Loaded:
    return kind(
        str(folder), device=place.device, compute_type=place.compute, intra_threads=place.threads
    )


def _compute(quantization: str, device: str) -> str:
    known = ctranslate2.get_supported_compute_types(device)
    return next(kind for kind in COMPUTE[quantization] if kind in known)


def _threads() -> int:
    """Physical cores that this process may use, `MOST_THREADS` at most."""
    import psutil  # type: ignore[import-untyped]

    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(psutil.cpu_count(logical=False) or 1, usable or 1, MOST_THREADS))


def _head(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError) as error:
        raise ModelDamaged("The model's head cannot be read.") from error


def _array(head: dict[str, NDArray[Any]], name: str) -> NDArray[Any]:
    if name not in head:
        raise ModelDamaged("The model's head is not whole.")
    return head[name]


def _vocabulary(folder: Path) -> list[str]:
    import json

    tokens: list[str] = json.loads((folder / "shared_vocabulary.json").read_text(encoding="utf-8"))
    return tokens


def _as_array(view: Any) -> NDArray[np.float32]:
    """A result of CTranslate2 as float32 in this process's memory."""
    if view.device != "cpu":
        view = view.to_device(ctranslate2.Device.cpu)
    return np.asarray(view.to(ctranslate2.DataType.float32))
