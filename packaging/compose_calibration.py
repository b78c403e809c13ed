"""Write the pairs that the program's own model is calibrated on.

    python packaging/compose_calibration.py OUT.jsonl.gz

From the passages of `resources/entailment/calibration/`, which nothing is trained or tuned on:
every claim on its own passage, as it is, or for some on nothing but the sentences that decide it,
as people paste them; and some of them on long documents made of ten passages with headings each,
where more sentences have the chance to be taken for proof. The same files give the same pairs.
"""

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PASSAGES = ROOT / "resources" / "entailment" / "calibration"

TOGETHER = 10
"""Passages in a document."""

DOCUMENTS = 3
"""How many documents; a claim on one costs as much as seven claims on passages."""

OF_EACH = 2
"""Claims of each passage that are asked of its document too."""

PASTED = 0.25
"""Share of the claims whose source is only the sentences that decide them."""

VERDICTS = {
    "entailment": "supported",
    "contradiction": "contradicted",
    "neutral": "not_verifiable",
}


def passages() -> list[dict[str, Any]]:
    """Every passage, in the order of files and lines."""
    return [
        json.loads(line)
        for path in sorted(PASSAGES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def pairs(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The pairs on passages, then those on documents; pairs on one source follow each other."""
    generator = random.Random(0)
    for row in rows:
        pasted = generator.sample(row["claims"], round(PASTED * len(row["claims"])))
        for claim in row["claims"]:
            if claim not in pasted:
                yield _pair(claim, " ".join(row["sentences"]))
        for claim in pasted:
            first, last = min(claim["evidence"]), max(claim["evidence"])
            yield _pair(claim, " ".join(row["sentences"][first : last + 1]))
    mixed = generator.sample(rows, len(rows))  # The files go by subject; a document should not.
    for start in range(0, DOCUMENTS * TOGETHER, TOGETHER):
        part = mixed[start : start + TOGETHER]
        text = "\n\n".join(f"{_heading(row)}\n\n{' '.join(row['sentences'])}" for row in part)
        for row in part:
            for claim in generator.sample(row["claims"], OF_EACH):
                yield _pair(claim, text)


def _heading(row: dict[str, Any]) -> str:
    return str(row["register"])[:1].upper() + str(row["register"])[1:]


def _pair(claim: dict[str, Any], text: str) -> dict[str, Any]:
    return {
        "claim": claim["claim"],
        "source_text": text,
        "verdict": VERDICTS[claim["label"]],
        "also_ok": [VERDICTS[label] for label in claim.get("also_ok", ())],
    }


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    lines = "".join(json.dumps(p, ensure_ascii=False) + "\n" for p in pairs(passages()))
    options.out.write_bytes(gzip.compress(lines.encode(), mtime=0))
    print(f"{lines.count(chr(10))} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
