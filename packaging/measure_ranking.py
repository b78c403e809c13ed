"""Measure what is lost where a long source is ranked before the model is asked.

    python packaging/measure_ranking.py CASES.jsonl [--sources FOLDER ...]

For each claim whose deciding sentence is known (`evidence`) and whose source is longer than is
scored whole: whether that sentence is among the best-ranked ones. Prints the share for several
numbers of sentences; the gate takes `core.claims.source.SHORT_SOURCE`.
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.claims.ranking import ranked  # noqa: E402
from core.claims.source import SHORT_SOURCE, Source  # noqa: E402
from core.text.reading import Reading  # noqa: E402

SHORTEST = 20
"""Letters of a part that counts as the sentence, which a page may have torn."""

AT = (8, 16, 32, SHORT_SOURCE, 128, 256)


def plain(text: str) -> str:
    """Letters and digits only, so that what a page does to a sentence makes no difference."""
    return "".join(character for character in text.lower() if character.isalnum())


def _holds(sentence: str, wanted: str) -> bool:
    """Whether it is the sentence, more than it, or a part that is no mere page number or label."""
    return wanted in sentence or (len(sentence) >= SHORTEST and sentence in wanted)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=Path)
    parser.add_argument("--sources", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    from desktop.commands.sources import BESIDE, Sources

    beside = [(options.cases.resolve().parent / name).resolve() for name in BESIDE]
    places: list[int | None] = []
    lengths: list[int] = []
    prepared: dict[str, Source] = {}
    with Sources((*options.sources, *beside)) as sources:
        for line in options.cases.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if not row.get("evidence"):
                continue
            name = row["source"]
            if name not in prepared:
                prepared = {name: Source(sources.file(name).document)}
            source = prepared[name]
            everything = list(source.asserting())
            if len(everything) <= SHORT_SOURCE:
                continue
            order = ranked(Reading(row["claim"]), source, len(everything))
            wanted = plain(row["evidence"])
            found = [
                place
                for place, (block, at) in enumerate(order)
                if _holds(plain(source.sentences[block][at].raw), wanted)
            ]
            places.append(min(found, default=None))
            lengths.append(len(everything))
    if not places:
        print(f"No claim has a deciding sentence and a source of more than {SHORT_SOURCE}.")
        return 0
    known = [place for place in places if place is not None]
    print(f"{len(places)} claims, sources of {min(lengths)} to {max(lengths)} sentences")
    print(f"deciding sentence not found in the source as read: {len(places) - len(known)}")
    for count in AT:
        kept = sum(place < count for place in known)
        share = kept / max(1, len(known))
        print(f"  among the best {count:3}: {kept} of {len(known)} ({share:.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
