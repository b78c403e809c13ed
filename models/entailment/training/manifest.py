"""Say what data holds: how many rows of which set, label and licence, and its hash.

    python -m models.entailment.training.manifest --mix MIX --data FOLDER --exclude FILE ...

prints the manifest of the rows that a mix chooses, before pairs that are too long are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from models.entailment.training.pairs import Mix, choose

GENERATED = "gen_"
"""How the names of generated sets begin."""


def jsonl(rows: list[dict[str, str]]) -> bytes:
    """Return rows as JSON Lines in UTF-8, the form in which they are stored and hashed."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def licence_classes(rows: Iterable[dict[str, str]]) -> dict[str, str]:
    """Return the class of each licence of public rows, "permissive" or "mixed_open"."""
    return {
        row["licence"]: row["licence_class"]
        for row in rows
        if not row["source"].startswith(GENERATED)
    }


def summary(rows: list[dict[str, str]], classes: Mapping[str, str]) -> dict[str, object]:
    """Return counts of `rows` by set and label and by licence, and the SHA-256 of `jsonl(rows)`.

    A generated row carries the licence of the text that it was made from, and counts in the class
    that `classes` gives this licence, whatever the row says.
    """
    by_set = Counter((row["source"], row["label"]) for row in rows)
    return {
        "rows": len(rows),
        "by_source_and_label": {f"{a} {b}": n for (a, b), n in sorted(by_set.items())},
        "by_licence": dict(Counter(row["licence"] for row in rows)),
        "by_licence_class": dict(
            Counter(classes.get(r["licence"], r["licence_class"]) for r in rows)
        ),
        "sha256": hashlib.sha256(jsonl(rows)).hexdigest(),
    }


def main() -> int:
    """Run the command line; print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mix", type=Path, required=True)
    parser.add_argument("--data", type=Path, action="append", required=True, help="data folders")
    parser.add_argument("--exclude", type=Path, nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=20261130)
    options = parser.parse_args()
    rows = choose(Mix.read(options.mix), options.data, options.exclude, options.seed)
    found = summary(rows, licence_classes(rows))
    print(json.dumps({"mix": options.mix.name, "seed": options.seed, **found}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
