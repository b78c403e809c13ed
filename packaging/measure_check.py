"""Measure the whole check with an installed model on labelled pairs: what it finds, what is false.

    python packaging/measure_check.py MODEL FILE... [--curve] [--bare]

A file is what `countersign models calibrate` reads: claims on sources or passages, or pairs of
premise and hypothesis. Prints a line of a table for each file, at the model's own record: how many
of the pairs that are not entailed were called supported, how many of the entailed were found, and
how often *contradicted* was said and right. With `--curve` the record is put aside: how many would
be found if 0, 1, 3 … false ones were let pass. `--bare` is the curve of the model without vetoes
and governors.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.calibration.observe import LabelledPair, Observed, observe  # noqa: E402
from core.calibration.pairs import read_pairs  # noqa: E402
from core.calibration.record import FLOOR  # noqa: E402
from core.claims.check import ALL, Restrictions  # noqa: E402
from core.home import home  # noqa: E402
from core.storage.scores import FILE, ScoreCache  # noqa: E402
from models.entailment.installed import InstalledModels  # noqa: E402
from models.entailment.worker import EntailmentWorker  # noqa: E402

FALSE = (0, 1, 3, 6)


def pairs_of(path: Path, most: int) -> list[LabelledPair]:
    """The labelled pairs of a file; passages with claims are read too, each passage whole."""
    from desktop.commands.sources import Sources

    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        rows = [line for given in lines for line in _rows(json.loads(given))][: most or None]
    folders = (path.resolve().parent, path.resolve().parent.parent)
    with Sources(folders) as sources:
        return read_pairs(rows, lambda name: sources.file(name).document)


def _rows(row: dict[str, Any]) -> Iterator[str]:
    if "sentences" not in row:
        yield json.dumps(row)
        return
    for claim in row["claims"]:
        pair = {"premise": " ".join(row["sentences"]), "hypothesis": claim["claim"]}
        yield json.dumps(pair | {"label": claim["label"]})


@contextmanager
def worker_of(name: str) -> Iterator[EntailmentWorker]:
    """The installed model with the cache of scores."""
    with (
        ScoreCache(home() / FILE) as cache,
        EntailmentWorker(InstalledModels().get(name), cache=cache) as worker,
    ):
        yield worker


def curve(observed: Sequence[Observed]) -> str:
    """How many are found, and rightly contradicted, where so many wrong ones are let pass."""
    supported = [(o.supported, not o.negative) for o in observed if o.supported is not None]
    contradicted = [(o.contradicted, o.agrees) for o in observed if o.contradicted is not None]
    return f"found {_right(supported)} | contradicted rightly {_right(contradicted)}"


def _right(scored: Sequence[tuple[float, bool]]) -> str:
    """Of (score, right): the right ones above the first wrong one that is one too many."""
    wrong = sorted((score for score, right in scored if not right), reverse=True)
    cells = []
    for allowed in FALSE:
        bar = max([FLOOR, *wrong[allowed : allowed + 1]])
        found = sum(right and score > bar for score, right in scored)
        cells.append(f"{found} at {allowed} (>{bar:.3f})")
    return ", ".join(cells)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--most", type=int, default=0, help="rows of each file; 0 for all")
    options = parser.parse_args()
    if not (options.curve or options.bare):
        print("| set | not entailed | false support | entailed | found | contradicted, right |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
    restrictions = Restrictions(governors=(), vetoes=(), conflicts=False) if options.bare else ALL
    with worker_of(options.model) as worker:
        for path in options.files:
            pairs = pairs_of(path, options.most)
            observed = list(observe(worker, pairs, restrictions=restrictions))
            negatives = [o for o in observed if o.negative]
            name = path.name.partition(".")[0]
            if options.curve or options.bare:
                print(f"{name}: {len(observed) - len(negatives)} honest, {len(negatives)} others")
                print(f"  {curve(observed)}", flush=True)
            else:
                print(_line(name, observed, worker), flush=True)
    return 0


def _line(name: str, observed: Sequence[Observed], worker: EntailmentWorker) -> str:
    record = worker.calibration
    if record is None:
        raise SystemExit(f"{worker.name} has no record: use --curve.")
    supported = [o for o in observed if o.supports(record.supported, record.braked_at)]
    false = sum(o.negative for o in supported)
    negatives = sum(o.negative for o in observed)
    entailed = len(observed) - negatives
    at = 2.0 if record.contradicted is None else record.contradicted
    said = [o for o in observed if (o.contradicted or 0.0) >= at]
    return (
        f"| `{name}` | {negatives} | {false} ({false / max(1, negatives):.2%}) | {entailed} "
        f"| {len(supported) - false} ({(len(supported) - false) / max(1, entailed):.1%}) "
        f"| {len(said)}, {sum(o.agrees for o in said)} |"
    )


if __name__ == "__main__":
    sys.exit(main())
