"""Train the adapter and the head; stop cleanly on SIGTERM; go on from the last checkpoint.

The run folder holds `checkpoint/` (trained tensors, their moving average, optimiser state, place in
the data), which is replaced as a whole, and `train.log`. Starting the same command again goes
on where the checkpoint is. When the mix gives other data than the checkpoint was at, the weights,
the optimiser and the counts are kept and the new data starts at its first epoch.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from models.entailment.training.encoder import AdapterShape, EntailmentEncoder
from models.entailment.training.pairs import (
    LABELS,
    NOT_ENTAILMENT,
    Example,
    Mix,
    batches,
    choose,
    collate,
    digest,
    load_tokenizer,
    tokenise,
)


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean negative log-likelihood; `not_entailment` is either of the other labels."""
    log_probabilities = torch.log_softmax(logits.float(), dim=-1)
    entailment = LABELS.index("entailment")
    others = [i for i in range(len(LABELS)) if i != entailment]
    joint = torch.logsumexp(log_probabilities[:, others], dim=-1, keepdim=True)
    table = torch.cat([log_probabilities, joint], dim=-1)
    return -table.gather(1, labels[:, None]).mean()


def rate_at(step: int, examples: int, options: argparse.Namespace) -> float:
    """Return the learning rate: linear warm-up, constant, then linear decay over the last part."""
    rate = options.rate * min(1.0, (step + 1) / options.warmup)
    if options.stop_at and options.decay:
        rate *= min(1.0, max(0.0, (options.stop_at - examples) / options.decay))
    return rate


class Run:
    """The state of a run: model, moving average, optimiser and place in the data."""

    def __init__(self, options: argparse.Namespace) -> None:
        torch.manual_seed(options.seed)
        shape = AdapterShape(options.rank, options.alpha)
        self.model = EntailmentEncoder(
            options.base / "model.safetensors", shape, options.kept, options.dropout
        )
        self.named = self.model.trained()
        self.average = {name: p.detach().clone() for name, p in self.named.items()}
        self.optimiser = torch.optim.AdamW(
            list(self.named.values()), lr=options.rate, weight_decay=0.01, fused=True
        )
        self.state = {
            "step": 0,
            "examples": 0,
            "seconds": 0.0,
            "epoch": 0,
            "batch": 0,
            "data": "",
            "rank": shape.rank,
            "alpha": shape.alpha,
            "seed": options.seed,
            "history": [],
        }
        self.folder: Path = options.run

    def save(self) -> None:
        """Write a checkpoint; a kill at any moment leaves the last whole one or this one."""
        new, old, kept = (self.folder / name for name in ("new", "old", "checkpoint"))
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        save_file({n: p.detach().contiguous() for n, p in self.named.items()}, new / "trained.st")
        save_file(self.average, new / "average.st")
        moments: dict[str, Tensor] = {}
        for name, parameter in self.named.items():
            for key, value in self.optimiser.state.get(parameter, {}).items():
                moments[f"{key}:{name}"] = value.detach().clone()
        save_file(moments, new / "optimiser.st")
        (new / "state.json").write_text(json.dumps(self.state, indent=1), encoding="utf-8")
        if kept.exists():  # Else a kill came between the two steps, and `old` is the whole one.
            shutil.rmtree(old, ignore_errors=True)
            kept.replace(old)
        new.replace(kept)

    def load(self) -> bool:
        """Take up the last whole checkpoint; return whether there was one."""
        kept = self.folder / "checkpoint"
        if not kept.exists():
            kept = self.folder / "old"
        if not kept.exists():
            return False
        state = json.loads((kept / "state.json").read_text(encoding="utf-8"))
        if (state["rank"], state["alpha"]) != (self.state["rank"], self.state["alpha"]):
            raise ValueError("the checkpoint has another adapter rank or scale")
        self.state = state
        self.model.load_trained(load_file(kept / "trained.st"))
        self.average = load_file(kept / "average.st")
        moments = load_file(kept / "optimiser.st")
        for name, parameter in self.named.items():
            if f"step:{name}" in moments:
                self.optimiser.state[parameter] = {
                    key: moments[f"{key}:{name}"] for key in ("step", "exp_avg", "exp_avg_sq")
                }
        return True

    def step(self, batch: list[Example], options: argparse.Namespace) -> tuple[float, float]:
        """Take one optimiser step; return the loss and the share of labels found."""
        labels = torch.tensor([example.label for example in batch])
        logits = self.model(collate([example.ids for example in batch]))
        loss = loss_of(logits, labels)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.named.values(), 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.state["step"], self.state["examples"], options)
        self.optimiser.step()
        # Early on the average would only hold the start; let it follow the weights.
        decay = min(options.average, (1 + self.state["step"]) / (10 + self.state["step"]))
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.average.values()),
                [self.named[name] for name in self.average],
                1 - decay,
            )
        found = logits.argmax(-1)
        right = (found == labels) | (
            (labels == NOT_ENTAILMENT) & (found != LABELS.index("entailment"))
        )
        return loss.item(), right.float().mean().item()


def train(run: Run, examples: list[Example], options: argparse.Namespace) -> None:
    """Train until the number of examples, or a signal, says stop."""
    stop = False

    def ask_stop(*_: object) -> None:
        nonlocal stop
        stop = True

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, ask_stop)
    log = (run.folder / "train.log").open("a", encoding="utf-8", buffering=1)
    state, saved, window = run.state, time.monotonic(), []
    data = digest(examples)
    if state["data"] != data:
        state.update(data=data, epoch=0, batch=0)
        state["history"].append(
            {"from_example": state["examples"], "mix": options.mix.name, "pairs": len(examples)}
        )
    print(json.dumps({"start": state | {"pairs": len(examples)}}), file=log)
    while not stop:
        plan = batches(examples, options.tokens, options.most, options.seed, state["epoch"])
        while state["batch"] < len(plan) and not stop:
            began = time.monotonic()
            batch = [examples[i] for i in plan[state["batch"]]]
            window.append((*run.step(batch, options), len(batch)))
            state["step"] += 1
            state["batch"] += 1
            state["examples"] += len(batch)
            state["seconds"] += time.monotonic() - began
            if state["step"] % 25 == 0:
                count = sum(n for *_, n in window)
                line = {
                    "time": time.strftime("%H:%M:%S"),
                    "step": state["step"],
                    "examples": state["examples"],
                    "epoch": round(state["epoch"] + state["batch"] / len(plan), 3),
                    "loss": round(sum(a * n for a, _, n in window) / count, 4),
                    "accuracy": round(sum(a * n for _, a, n in window) / count, 4),
                    "rate": rate_at(state["step"], state["examples"], options),
                    "seconds": round(state["seconds"]),
                }
                print(json.dumps(line), file=log)
                window = []
            if options.stop_at and state["examples"] >= options.stop_at:
                stop = True
            if time.monotonic() - saved > options.save_every:
                run.save()
                saved = time.monotonic()
        if not stop:
            state.update(epoch=state["epoch"] + 1, batch=0)
    run.save()
    print(json.dumps({"stopped": state["examples"]}), file=log)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path, required=True, help="folder of fetch_base.py")
    parser.add_argument("--data", type=Path, action="append", required=True, help="data folders")
    parser.add_argument(
        "--exclude", type=Path, nargs="*", default=[], help="evaluation and case files"
    )
    parser.add_argument("--mix", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True, help="folder for checkpoint and log")
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--alpha", type=float, default=64.0)
    parser.add_argument("--kept", type=int, default=0, help="lowest layers left as they are")
    parser.add_argument("--dropout", type=float, default=0.1, help="of residual branches, 0 to 1")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--warmup", type=int, default=150, help="steps")
    parser.add_argument("--average", type=float, default=0.998, help="decay of the moving average")
    parser.add_argument("--tokens", type=int, default=2048, help="padded tokens in a batch")
    parser.add_argument("--most", type=int, default=40, help="examples in a batch")
    parser.add_argument("--stop-at", type=int, default=0, help="examples in all; 0 = until stopped")
    parser.add_argument("--decay", type=int, default=0, help="examples over which the rate falls")
    parser.add_argument("--save-every", type=float, default=300.0, help="seconds")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.run.mkdir(parents=True, exist_ok=True)
    mix = Mix.read(options.mix)
    rows = choose(mix, options.data, options.exclude, options.seed)
    examples = tokenise(rows, load_tokenizer(options.base / "tokenizer.json"), mix)
    run = Run(options)
    run.load()
    train(run, examples, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
