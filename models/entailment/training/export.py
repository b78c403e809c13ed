"""Write what is shipped: adapter, head, their description and the measures.

    python -m models.entailment.training.export --run run --out best --metrics report.json

`adapter.safetensors` holds for each adapted matrix `<module>.lora_A.weight` [rank, inputs] and
`<module>.lora_B.weight` [outputs, rank]; `<module>.weight` of the base becomes
`weight + alpha / rank * B @ A`. `head.safetensors` holds `classifier.dense` (Tanh after it) and
`classifier.out_proj`, applied to the first token's last hidden state. Modules are named as in the
base's own file. Everything is float16.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from models.entailment.own import WEIGHTS_SHA256
from models.entailment.training.pairs import LABELS


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", default="average.st", help="average.st or trained.st")
    parser.add_argument("--metrics", type=Path, help="report of evaluate.py to keep beside it")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint = options.run / "checkpoint"
    state = json.loads((checkpoint / "state.json").read_text(encoding="utf-8"))
    tensors = {n: t.to(torch.float16) for n, t in load_file(checkpoint / options.weights).items()}
    parts = {
        "adapter.safetensors": {n: t for n, t in tensors.items() if ".lora_" in n},
        "head.safetensors": {n: t for n, t in tensors.items() if n.startswith("classifier.")},
    }
    hashes: dict[str, str] = {}
    for name, part in parts.items():
        save_file(part, options.out / name, metadata={"format": "pt"})
        hashes[name] = hashlib.sha256((options.out / name).read_bytes()).hexdigest()
    config = {
        "base": {
            "name": "sentence-transformers/all-mpnet-base-v2",
            "file": "model.safetensors",
            "sha256": WEIGHTS_SHA256,
        },
        "architecture": "MPNetForSequenceClassification",
        "rank": state["rank"],
        "alpha": state["alpha"],
        "id2label": {str(i): name for i, name in enumerate(LABELS)},
        "input": "<s> premise </s> </s> hypothesis </s>",
        "sha256": hashes,
        "training": {k: state[k] for k in ("examples", "step", "seconds", "seed", "history")},
    }
    (options.out / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    if options.metrics:
        (options.out / "metrics.json").write_text(
            options.metrics.read_text(encoding="utf-8"), encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
