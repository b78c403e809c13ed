"""Measure a checkpoint on labelled pairs and, as the product would ask, on claims about passages.

    python -m models.entailment.training.evaluate --base base
        --weights run/checkpoint/average.st --eval FOLDER --per-set 300

For each set: accuracy (three-way; where a set does not tell the two kinds of not-entailed apart,
two-way), and the recall of entailment at the threshold that lets 1 % of the others through. For
passages: claims are scored against every window of one to three sentences and the highest
probability counts. Nothing here is trained on.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import unicodedata
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from models.entailment.training.encoder import AdapterShape, EntailmentEncoder
from models.entailment.training.generate.sentences import split_sentences
from models.entailment.training.pairs import (
    LABEL_IDS,
    LABELS,
    NOT_ENTAILMENT,
    collate,
    load_tokenizer,
    read_rows,
)

ENTAILMENT, CONTRADICTION = LABELS.index("entailment"), LABELS.index("contradiction")
LONGEST = 400  # Tokens; a longer premise is cut here, which the product's windows never are.


@torch.no_grad()
def probabilities(
    model: EntailmentEncoder, tokenizer: Tokenizer, pairs: list[tuple[str, str]]
) -> Tensor:
    """Return [pairs, 3] probabilities, computed in batches of about the same length."""
    ids = [tuple(e.ids[:LONGEST]) for e in tokenizer.encode_batch(pairs)]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    result = torch.empty(len(ids), len(LABELS))
    for start in range(0, len(order), 24):
        part = order[start : start + 24]
        result[part] = torch.softmax(model(collate([ids[i] for i in part])).float(), dim=-1)
    return result


def recall_at(scores: Tensor, entailed: Tensor, rate: float) -> tuple[float, float]:
    """Return (recall, threshold) where at most `rate` of the pairs that are not entailed pass."""
    others = scores[~entailed].sort(descending=True).values
    allowed = int(rate * len(others))
    threshold = others[allowed].item() if allowed < len(others) else 0.0
    return (scores[entailed] > threshold).float().mean().item(), threshold


def measure_set(
    model: EntailmentEncoder, tokenizer: Tokenizer, rows: list[dict[str, str]]
) -> dict[str, float]:
    """Return the measures of one labelled set."""
    p = probabilities(model, tokenizer, [(r["premise"], r["hypothesis"]) for r in rows])
    labels = torch.tensor([LABEL_IDS[r["label"]] for r in rows])
    found = p.argmax(-1)
    right = (found == labels) | ((labels == NOT_ENTAILMENT) & (found != ENTAILMENT))
    entailed = labels == ENTAILMENT
    recall, threshold = recall_at(p[:, ENTAILMENT], entailed, 0.01)
    two_way = ((p[:, ENTAILMENT] > 0.5) == entailed).float().mean().item()
    return {
        "pairs": len(rows),
        "accuracy": round(right.float().mean().item(), 4),
        "two_way": round(two_way, 4),
        "recall_at_1%": round(recall, 4),
        "threshold": round(threshold, 4),
    }


def windows_of(text: str) -> list[str]:
    """Return every window of one to three neighbouring sentences of `text`."""
    sentences = split_sentences(unicodedata.normalize("NFKC", text))
    return [
        " ".join(sentences[i : i + n]) for n in (1, 2, 3) for i in range(len(sentences) - n + 1)
    ]


def measure_passages(
    model: EntailmentEncoder, tokenizer: Tokenizer, cases: list[dict[str, str]]
) -> dict[str, object]:
    """Return how many honest claims are found before the first false ones, at best."""
    pairs, owners = [], []
    for i, case in enumerate(cases):
        for text in windows_of(case["source_text"]):
            pairs.append((text, unicodedata.normalize("NFKC", case["claim"])))
            owners.append(i)
    p = probabilities(model, tokenizer, pairs)
    owner = torch.tensor(owners)
    best = torch.zeros(len(cases)).scatter_reduce(0, owner, p[:, ENTAILMENT], "amax")
    against = torch.zeros(len(cases)).scatter_reduce(0, owner, p[:, CONTRADICTION], "amax")
    honest = torch.tensor(
        [c["verdict"] == "supported" or "supported" in c["also_ok"] for c in cases]
    )
    result: dict[str, object] = {"cases": len(cases), "honest": int(honest.sum())}
    for name, score in (("entailment", best), ("entailment_less_contradiction", best - against)):
        others = score[~honest].sort(descending=True).values
        found: dict[str, object] = {
            f"found_at_{k}_false": int((score[honest] > others[k]).sum()) for k in (0, 1, 3, 6)
        }
        worst = (score.masked_fill(honest, -2)).topk(8).indices.tolist()
        found["worst"] = [cases[i].get("category", cases[i].get("id")) for i in worst]
        result[name] = found
    contradicted = torch.tensor(
        [c["verdict"] == "contradicted" or "contradicted" in c["also_ok"] for c in cases]
    )
    result["auc"] = round((best[honest][:, None] > best[~honest][None, :]).float().mean().item(), 4)
    wrong = against[~contradicted].sort(descending=True).values
    result["contradicted_found_at_2_wrong"] = int((against[contradicted] > wrong[2]).sum())
    return result


def main() -> int:
    """Run the command line; print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True, help="trained.st or average.st")
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", help="names of sets; all when not given")
    parser.add_argument("--per-set", type=int, default=0, help="rows of each set; 0 = all")
    parser.add_argument("--passages", type=Path, nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    tensors = load_file(options.weights)
    rank = next(t.shape[0] for name, t in tensors.items() if name.endswith("lora_A.weight"))
    model = EntailmentEncoder(options.base / "model.safetensors", AdapterShape(rank, 2.0 * rank))
    model.load_trained(tensors)
    tokenizer = load_tokenizer(options.base / "tokenizer.json")
    report: dict[str, object] = {"time": time.strftime("%H:%M:%S"), "weights": options.weights.name}
    for path in sorted(options.eval.glob("*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        if options.sets and name not in options.sets:
            continue
        rows = list(read_rows(path))
        if options.per_set and len(rows) > options.per_set:
            rows = random.Random(options.seed).sample(rows, options.per_set)
        report[name] = measure_set(model, tokenizer, rows)
        print(name, json.dumps(report[name]), file=sys.stderr, flush=True)
    for path in options.passages:
        report[path.stem] = measure_passages(model, tokenizer, list(read_rows(path)))
        print(path.stem, json.dumps(report[path.stem]), file=sys.stderr, flush=True)
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
