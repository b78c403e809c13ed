"""A checkpoint of a few kilobytes with random weights: it runs as a real one and knows nothing.

Its answers depend on every word, so that a mixed-up pair or model would show.
"""

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.entailment.adding import add_model
from models.entailment.installed import InstalledModel, InstalledModels

TEXT = (
    "the pump in hall two one broke down stopped at noon staff left once item was stored room "
    "records must be kept for five ten years a claim premise it is not true that and or more "
    "less than all some no"
)

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", *TEXT.split()]

WIDTH, HEADS, DEPTH, POSITIONS = 16, 2, 1, 64


def write_checkpoint(
    folder: Path,
    *,
    labels: Sequence[str] = ("entailment", "neutral", "contradiction"),
    seed: int = 7,
    strength: float = 0.7,
) -> Path:
    """Write a BERT checkpoint whose outputs are called `labels`; returns its folder.

    `strength` is the spread of the weights: the larger, the more the answers differ.
    """
    random = np.random.default_rng(seed)
    tensors: dict[str, np.ndarray] = {}

    def add(name: str, *shape: int) -> None:
        tensors[name] = random.normal(0, strength, shape).astype(np.float32)

    def linear(name: str, outputs: int, inputs: int) -> None:
        add(f"{name}.weight", outputs, inputs)
        add(f"{name}.bias", outputs)

    def norm(name: str) -> None:
        tensors[f"{name}.weight"] = np.ones(WIDTH, np.float32)
        tensors[f"{name}.bias"] = np.zeros(WIDTH, np.float32)

    add("bert.embeddings.word_embeddings.weight", len(VOCABULARY), WIDTH)
    add("bert.embeddings.position_embeddings.weight", POSITIONS, WIDTH)
    add("bert.embeddings.token_type_embeddings.weight", 2, WIDTH)
    norm("bert.embeddings.LayerNorm")
    for layer in range(DEPTH):
        name = f"bert.encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            linear(f"{name}.attention.self.{part}", WIDTH, WIDTH)
        linear(f"{name}.attention.output.dense", WIDTH, WIDTH)
        norm(f"{name}.attention.output.LayerNorm")
        linear(f"{name}.intermediate.dense", 2 * WIDTH, WIDTH)
        linear(f"{name}.output.dense", WIDTH, 2 * WIDTH)
        norm(f"{name}.output.LayerNorm")
    linear("bert.pooler.dense", WIDTH, WIDTH)
    linear("classifier", len(labels), WIDTH)
    folder.mkdir(parents=True)
    _write_safetensors(folder / "model.safetensors", tensors)
    config = {
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "intermediate_size": 2 * WIDTH,
        "max_position_embeddings": POSITIONS,
        "num_attention_heads": HEADS,
        "num_hidden_layers": DEPTH,
        "type_vocab_size": 2,
        "vocab_size": len(VOCABULARY),
        "layer_norm_eps": 1e-12,
        "id2label": {str(at): label for at, label in enumerate(labels)},
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    return folder


def install(
    models: InstalledModels,
    scratch: Path,
    *,
    name: str = "tiny",
    labels: Sequence[str] = ("entailment", "neutral", "contradiction"),
    seed: int = 7,
) -> InstalledModel:
    """Write a checkpoint into a new folder of `scratch` and take it in under `name`."""
    folder = write_checkpoint(scratch / f"checkpoint-{name}", labels=labels, seed=seed)
    return add_model(models, folder, name=name, quantization="float32")


def _write_safetensors(file: Path, tensors: dict[str, np.ndarray]) -> None:
    header: dict[str, object] = {}
    data = b""
    for name, values in tensors.items():
        part = values.tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(values.shape),
            "data_offsets": [len(data), len(data) + len(part)],
        }
        data += part
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + data)
