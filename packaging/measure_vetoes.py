"""Measure what each veto costs in honest claims, and what it saves.

    python packaging/measure_vetoes.py FILE... [--show VETO] [--of honest|false] [--most N]

A file holds passages with claims, as for training (`sentences`, `claims` with `evidence`), or
labelled pairs whose rows have their passage (`premise`, `evidence` or `source_text`). Each veto is
asked about each claim and the sentences that decide it, without a model: *cost* is the share of
honest claims that it stops, *saved* the share of the others; *alone* counts those that no other
veto stops. `--show` prints the claims that a veto stops alone, so that one sees what it should have
let pass.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.claims.vetoes import VETOES  # noqa: E402
from core.text.reading import Reading, as_read_in  # noqa: E402


@dataclass(frozen=True)
class Pair:
    """A claim, the passage that decides it, and whether the passage says it."""

    claim: str
    passage: str
    honest: bool
    kind: str


def pairs_of(path: Path) -> Iterator[Pair]:
    """Yield the pairs of a file of either shape."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "sentences" in row:
            for claim in row["claims"]:
                places = claim["evidence"]
                passage = " ".join(row["sentences"][min(places) : max(places) + 1])
                honest = claim["label"] == "entailment"
                yield Pair(claim["claim"], passage, honest, claim["kind"])
        elif "premise" in row:
            honest = row["label"] == "entailment"
            yield Pair(row["hypothesis"], row["premise"], honest, row.get("kind", ""))
        else:
            passage = row.get("evidence") or row["source_text"]
            kind = row.get("category", "")
            yield Pair(row["claim"], passage, row["verdict"] == "supported", kind)


def fired(pair: Pair) -> dict[str, str]:
    """The vetoes that speak against the pair, with their reasons."""
    claim = Reading(pair.claim)
    passage = as_read_in(pair.passage, claim)
    return {name: reason for name, veto in VETOES if (reason := veto(claim, passage))}


def table(found: list[tuple[Pair, dict[str, str]]]) -> str:
    """A line for each veto, and how many claims pass them all."""
    totals = Counter(pair.honest for pair, _ in found)
    stops, alone = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    for pair, reasons in found:
        stops.update((name, pair.honest) for name in reasons)
        if len(reasons) == 1:
            alone[next(iter(reasons)), pair.honest] += 1
    lines = [f"{'veto':16} {'cost':>13} {'alone':>6} {'saved':>13} {'alone':>6}"]
    for name, _ in VETOES:
        cells = [f"{name:16}"]
        for honest in (True, False):
            count = stops[name, honest]
            cells.append(f"{count:6} {count / max(1, totals[honest]):6.1%}")
            cells.append(f"{alone[name, honest]:6}")
        lines.append(" ".join(cells))
    for honest, word in ((True, "honest"), (False, "other")):
        passed = sum(not reasons for pair, reasons in found if pair.honest is honest)
        lines.append(f"{passed} of {totals[honest]} {word} claims pass every veto")
    return "\n".join(lines)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", choices=[name for name, _ in VETOES])
    parser.add_argument("--of", choices=["honest", "false"], default="honest")
    parser.add_argument("--most", type=int, default=30)
    options = parser.parse_args()
    found = [(pair, fired(pair)) for path in options.files for pair in pairs_of(path)]
    print(table(found))
    shown = [
        (pair, reasons[options.show])
        for pair, reasons in found
        if list(reasons) == [options.show] and pair.honest is (options.of == "honest")
    ]
    for pair, reason in shown[: options.most]:
        print(f"\n[{pair.kind}] {pair.claim}\n  < {pair.passage}\n  {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
