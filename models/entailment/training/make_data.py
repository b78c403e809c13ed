"""Write the generated training pairs: frames in the product's register, and edited real text.

    python -m models.entailment.training.make_data --out FOLDER --pairs train.jsonl.gz
        --papers FOLDER --barred documents.jsonl
    python -m models.entailment.training.make_data --out FOLDER --pairs train.jsonl.gz
        --name authored --authored resources/entailment/training/authored

The second form writes the pairs of the passages that were written for training, and no others.
Papers that any row of a `--barred` file names as its source are left out. The same seed and the
same inputs give the same file; the manifest beside it has counts, inputs and hashes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from models.entailment.training.authored import read_passages
from models.entailment.training.authored import rows as authored_rows
from models.entailment.training.generate import real, windows
from models.entailment.training.manifest import jsonl, licence_classes, summary
from models.entailment.training.pairs import pair_key, read_rows
from models.entailment.training.sources import (
    REAL_PREMISES,
    paper_paragraphs,
    premise_paragraphs,
    usable_papers,
)


def generate(
    pairs: Path,
    papers: list[Path],
    *,
    seed: int,
    frames: int,
    edited: int,
    families: Iterable[str] = windows.FAMILIES,
) -> list[dict[str, str]]:
    """Return the generated rows, each pair once.

    `pairs` is the file of public pairs; `papers` are JATS articles. There are about `frames` rows
    of each family, about `edited` of each kind of real text, and a quarter as many of absent facts.
    """
    rows: list[dict[str, str]] = []
    for family in families:
        rows += windows.rows(family, frames, seed)
    rows += real.rows(paper_paragraphs(papers), edited, seed, "gen_papers")
    rows += real.rows(premise_paragraphs(pairs), edited, seed, "gen_sentences")
    chosen = [row for row in read_rows(pairs) if row["source"] in REAL_PREMISES]
    rows += real.absent_rows(chosen, edited // 4, seed, "gen_absent")
    return list({pair_key(row): row for row in rows}.values())


def write(
    folder: Path, name: str, rows: list[dict[str, str]], description: dict[str, object]
) -> None:
    """Write `NAME.jsonl.gz` and `NAME.manifest.json`, the description, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(jsonl(rows), mtime=0))
    (folder / f"{name}.manifest.json").write_text(
        json.dumps(description, indent=1), encoding="utf-8"
    )


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="generated", help="of the file, without its ending")
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--papers", type=Path)
    parser.add_argument("--barred", type=Path, nargs="+", default=[], help="case files")
    parser.add_argument("--authored", type=Path, help="folder of passages with claims")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--frames", type=int, default=12000, help="rows of each family of frames")
    parser.add_argument("--real", type=int, default=12000, help="rows of each kind of real text")
    parser.add_argument(
        "--families", nargs="+", choices=list(windows.FAMILIES), default=list(windows.FAMILIES)
    )
    options = parser.parse_args()
    if options.authored is not None:
        passages = [p for f in sorted(options.authored.glob("*.jsonl")) for p in read_passages(f)]
        rows = authored_rows(passages, options.seed)
        classes = licence_classes(read_rows(options.pairs))
        write(options.out, options.name, rows, {"seed": options.seed, **summary(rows, classes)})
        return 0
    if options.papers is None or not options.barred:
        parser.error("--papers and --barred are needed, or --authored")
    papers = usable_papers(options.papers, options.barred)
    rows = generate(
        options.pairs,
        papers,
        seed=options.seed,
        frames=options.frames,
        edited=options.real,
        families=options.families,
    )
    description = {
        "seed": options.seed,
        **summary(rows, licence_classes(read_rows(options.pairs))),
        "papers": [path.name for path in papers],
    }
    write(options.out, options.name, rows, description)
    return 0


if __name__ == "__main__":
    sys.exit(main())
