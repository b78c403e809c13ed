"""Measure an installed entailment model: speed as ratios within one run, and memory.

    python packaging/benchmark_entailment.py MODEL --pairs PAIRS.jsonl[.gz] [--limit N] [--rounds N]
        [--torch-python PYTHON --checkpoint FOLDER] [--paper FILE --claim TEXT]

MODEL is the folder of an installed model, PAIRS has rows with `premise` and `hypothesis`. Printed
as JSON:

- `bare_ratio`: pairs per second of the scorer, with tokens and labels, over those of a loop
  that does nothing but `forward_batch` on sequences made and sorted before;
- `memory_ratio`: peak resident memory of a process that only scores, over the model file's size;
- `torch_ratio`: over the reference implementation in float32, where PYTHON has torch and
  transformers, and FOLDER is the checkpoint that the model was made from;
- `paper_ratio`: seconds of a whole check of the claim against the paper, from its text on, over
  those of the scorer alone on its 64 best-ranked sentences.

The kinds take turns, and a ratio is the median over the rounds, so that whatever else the machine
does weighs on all alike.
"""

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

REFERENCE = """
import json, sys, time, torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer
folder, threads = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(threads)
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
print("ready", flush=True)
for line in sys.stdin:
    pairs = json.loads(line)
    begun = time.perf_counter()
    with torch.inference_mode():
        for at in range(0, len(pairs), 32):
            part = pairs[at:at + 32]
            model(**tokenizer([p for p, _ in part], [h for _, h in part], padding=True,
                              truncation=False, return_tensors="pt"))
    print(time.perf_counter() - begun, flush=True)
"""

Pairs = Sequence[tuple[str, str]]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="folder of an installed model")
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--torch-python", help="an interpreter with torch and transformers")
    parser.add_argument("--checkpoint", type=Path, help="what the model was made from")
    parser.add_argument("--paper", type=Path, help="a long document")
    parser.add_argument("--claim", help="what is checked against it")
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.paper and not options.claim:
        parser.error("--paper needs a --claim")
    sys.path.insert(0, str(ROOT))
    pairs = read_pairs(options.pairs, options.limit)
    if options.memory:
        print(json.dumps(peak_memory(options.model, pairs)))
        return 0
    # First: on Linux a process starts with the peak of the one that it was forked from.
    report = memory(options)
    report |= speed(options, pairs)
    if options.paper:
        report |= paper(options)
    print(json.dumps(report, indent=1))
    return 0


def read_pairs(path: Path, limit: int) -> list[tuple[str, str]]:
    """The first `limit` pairs of a JSON Lines file, gzipped or plain."""
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(limit), strict=False)]
    return [(row["premise"], row["hypothesis"]) for row in rows]


def speed(options: argparse.Namespace, pairs: Pairs) -> dict[str, Any]:
    """Pairs per second of each kind, and their ratios."""
    from models.entailment import manifest as manifests
    from models.entailment import runtime
    from models.entailment.scorer import Scorer, batches
    from models.entailment.tokenizer import PairEncoder
    from models.entailment.tokenizer_source import SPECIAL

    scorer = Scorer(options.model, device="cpu")
    manifest = manifests.read(options.model)
    place = runtime.processor(manifest.quantization)
    runner = runtime.load(options.model, manifest, place)
    encoder = PairEncoder(
        options.model / "tokenizer.json",
        max_tokens=manifest.max_tokens,
        prompt=manifest.prompt,
        unknown=SPECIAL[manifest.family][2],
    )
    sequences = [window for windows in encoder.encode(pairs) for window in windows]
    order = [
        [sequences[at] for at in batch]
        for batch in batches([len(sequence.ids) for sequence in sequences], place.tokens)
    ]

    def bare() -> float:
        begun = time.perf_counter()
        for batch in order:
            runner.logits(batch)
        return time.perf_counter() - begun

    def scored() -> float:
        begun = time.perf_counter()
        scorer.score(pairs)
        return time.perf_counter() - begun

    kinds: dict[str, Callable[[], float]] = {"bare": bare, "scorer": scored}
    reference = None
    if options.torch_python:
        reference = _reference(options, place.threads)
        kinds["torch"] = lambda: _ask(reference, pairs)
    taken: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(options.rounds + 1):
        for kind, run in kinds.items():
            taken[kind].append(run())
    if reference is not None:
        reference.communicate()
    # The first round warms up.
    seconds = {kind: values[1:] for kind, values in taken.items()}
    report: dict[str, Any] = {
        "pairs": len(pairs),
        "mean_tokens": round(statistics.mean(len(s.ids) for s in sequences), 1),
        "runs_on": scorer.description,
        "pairs_per_second": {
            kind: round(len(pairs) / statistics.median(values), 1)
            for kind, values in seconds.items()
        },
    }
    for kind in kinds:
        if kind != "scorer":
            ratios = [a / b for a, b in zip(seconds[kind], seconds["scorer"], strict=True)]
            report[f"{kind}_ratio"] = round(statistics.median(ratios), 3)
    return report


def paper(options: argparse.Namespace) -> dict[str, Any]:
    """How long a claim against a long document takes, against the model's own work on 64 pairs."""
    from dataclasses import replace

    from core.calibration.observe import open_record
    from core.claims.check import check
    from core.claims.ranking import ranked
    from core.claims.source import SHORT_SOURCE, Source
    from core.documents.read import read
    from core.text.reading import Reading
    from models.entailment.installed import InstalledModels
    from models.entailment.scorer import Scorer
    from models.entailment.worker import EntailmentWorker

    document = read(options.paper)
    source = Source(document)
    best = ranked(Reading(options.claim), source, SHORT_SOURCE)
    pairs = [(source.sentences[block][at].cleaned, options.claim) for block, at in best]
    installed = InstalledModels(options.model.parent).get(options.model.name)
    scorer = Scorer(options.model, device="cpu")
    record = open_record(scorer.sha256, supported=0.0, contradicted=None)
    ratios = []
    with EntailmentWorker(replace(installed, record=record)) as worker:
        for _ in range(options.rounds + 1):
            begun = time.perf_counter()
            scorer.score(pairs)
            bare = time.perf_counter() - begun
            begun = time.perf_counter()
            check(options.claim, document, model=worker)
            ratios.append((time.perf_counter() - begun) / bare)
    words = len(document.text.split())
    return {"paper_words": words, "paper_ratio": round(statistics.median(ratios[1:]), 2)}


def memory(options: argparse.Namespace) -> dict[str, Any]:
    """Peak memory of a process of its own that scores the pairs, against the model file."""
    command = [sys.executable, __file__, str(options.model), "--pairs", str(options.pairs)]
    command += ["--limit", str(options.limit), "--memory"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    peak = int(json.loads(answer.stdout))
    size = max(file.stat().st_size for file in options.model.rglob("*") if file.is_file())
    return {
        "peak_megabytes": round(peak / 1e6),
        "model_megabytes": round(size / 1e6),
        "memory_ratio": round(peak / size, 2),
    }


def peak_memory(model: Path, pairs: Pairs) -> int:
    """The most resident memory, in bytes, that this process has held after scoring."""
    from models.entailment.scorer import Scorer

    Scorer(model, device="cpu").score(pairs)
    try:
        import resource
    except ImportError:
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _reference(options: argparse.Namespace, threads: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [options.torch_python, "-c", REFERENCE, str(options.checkpoint), str(threads)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    if process.stdout.readline().strip() != "ready":
        raise SystemExit("The reference implementation could not be started.")
    return process


def _ask(process: subprocess.Popen[str] | None, pairs: Pairs) -> float:
    """Seconds that the reference took; the pairs go to it sorted, as it is given its best case."""
    assert process is not None
    assert process.stdin is not None
    assert process.stdout is not None
    ordered = sorted(pairs, key=lambda pair: -len(pair[0]) - len(pair[1]))
    process.stdin.write(json.dumps(ordered) + "\n")
    process.stdin.flush()
    return float(process.stdout.readline())


if __name__ == "__main__":
    sys.exit(main())
