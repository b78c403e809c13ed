"""Labelled premise-hypothesis pairs: choose them by a mix, tokenise them, put them into batches.

A row is a JSON object with `premise`, `hypothesis`, `label` and `source` (the name of the set);
`label` is one of `LABELS`, or `not_entailment` where a set does not tell the other two apart.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

LABELS = ("entailment", "neutral", "contradiction")
PAD = 1
"""The base's id of the padding token."""
NOT_ENTAILMENT = len(LABELS)
LABEL_IDS = {name: i for i, name in enumerate(LABELS)} | {"not_entailment": NOT_ENTAILMENT}


@dataclass(frozen=True)
class Example:
    """One tokenised pair."""

    ids: tuple[int, ...]
    label: int


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a JSON Lines file, gzipped or plain."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def pair_key(row: dict[str, str]) -> tuple[str, str]:
    """Return what makes two rows the same pair: both texts without case and spacing."""
    premise, hypothesis = (" ".join(row[x].lower().split()) for x in ("premise", "hypothesis"))
    return premise, hypothesis


def barred_pairs(path: Path) -> set[tuple[str, str]]:
    """Return the pairs of a file that nothing may be trained on.

    An evaluation file has `premise` and `hypothesis`; a case file has `claim`, and `source_text` or
    `evidence` or both. Raises ValueError when no row has either, since such a file would bar
    nothing.
    """
    found: set[tuple[str, str]] = set()
    for row in read_rows(path):
        if "hypothesis" in row:
            found.add(pair_key(row))
        elif "claim" in row:
            texts = (row.get("source_text"), row.get("evidence"))
            found |= {pair_key({"premise": t, "hypothesis": row["claim"]}) for t in texts if t}
    if not found:
        raise ValueError(f"{path.name} holds no pair, so that it would bar nothing")
    return found


def load_tokenizer(path: Path) -> Tokenizer:
    """Load a tokenizer.json with its truncation and padding turned off: no text is cut here."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@dataclass(frozen=True)
class Mix:
    """Which sets to train on, and how much of each.

    A mix file has `files` (names looked for in the data folders), `sets` (set name → share of its
    rows, 0 to 1, or an absolute count above 1), `max_tokens` (longer pairs are left out, since
    cutting a premise may cut off what decides) and `max_tokens_of` (exceptions by set).
    """

    files: tuple[str, ...]
    sets: dict[str, float]
    max_tokens: int
    max_tokens_of: dict[str, int]

    @classmethod
    def read(cls, path: Path) -> Mix:
        """Read a mix file (JSON)."""
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls(
            tuple(data["files"]), data["sets"], data["max_tokens"], data.get("max_tokens_of", {})
        )


def choose(
    mix: Mix, folders: list[Path], excluded: Iterable[Path], seed: int
) -> list[dict[str, str]]:
    """Return the rows that `mix` asks for, without any pair that occurs in an `excluded` file.

    Files are looked for in `folders` in order; `excluded` are evaluation or case files.
    Raises FileNotFoundError for a file that is nowhere and ValueError for a set without rows.
    A set is cut to its share or count with its labels in their own proportions. Rows of sets that
    the mix does not name are left out.
    """
    barred = {key for path in excluded for key in barred_pairs(path)}
    by_set: dict[str, list[dict[str, str]]] = defaultdict(list)
    for name in mix.files:
        path = next((f / name for f in folders if (f / name).exists()), None)
        if path is None:
            raise FileNotFoundError(f"{name} is in none of the data folders")
        seen: set[tuple[str, str]] = set()
        for row in read_rows(path):
            key = pair_key(row)
            if row["source"] in mix.sets and key not in barred and key not in seen:
                seen.add(key)
                by_set[row["source"]].append(row)
    rows: list[dict[str, str]] = []
    for name, amount in mix.sets.items():
        found = by_set[name]
        if not found:
            raise ValueError(f"the data files hold no row of {name}")
        random.Random(f"{seed}:{name}").shuffle(found)
        rows += found[: round(amount * len(found)) if amount <= 1 else int(amount)]
    return rows


def tokenise(rows: list[dict[str, str]], tokenizer: Tokenizer, mix: Mix) -> list[Example]:
    """Return an example for each row that is short enough."""
    encodings = tokenizer.encode_batch([(r["premise"], r["hypothesis"]) for r in rows])
    return [
        Example(tuple(encoding.ids), LABEL_IDS[row["label"]])
        for row, encoding in zip(rows, encodings, strict=True)
        if len(encoding.ids) <= mix.max_tokens_of.get(row["source"], mix.max_tokens)
    ]


def digest(examples: list[Example]) -> str:
    """Return a SHA-256 over the examples in their order."""
    hasher = hashlib.sha256()
    for example in examples:
        hasher.update(repr(example).encode())
    return hasher.hexdigest()


def batches(
    examples: list[Example], tokens: int, most: int, seed: int, epoch: int
) -> list[list[int]]:
    """Return one epoch of batches as indices: the same for the same arguments.

    A batch holds at most `most` examples and, padded, at most `tokens` tokens (or one example).
    Lengths within it are near each other: examples are sorted inside shuffled pools of 4,096.
    """
    generator = random.Random(f"{seed}:{epoch}")
    order = list(range(len(examples)))
    generator.shuffle(order)
    result: list[list[int]] = []
    for start in range(0, len(order), 4096):
        pool = sorted(order[start : start + 4096], key=lambda i: len(examples[i].ids))
        batch: list[int] = []
        for i in pool:
            if batch and (len(batch) == most or (len(batch) + 1) * len(examples[i].ids) > tokens):
                result.append(batch)
                batch = []
            batch.append(i)
        if batch:
            result.append(batch)
    generator.shuffle(result)
    return result


def collate(ids: list[tuple[int, ...]]) -> Tensor:
    """Return ids padded on the right to the longest, [batch, length]."""
    import torch  # The rest of this module is used where torch is not installed.

    length = max(map(len, ids))
    return torch.tensor([list(row) + [PAD] * (length - len(row)) for row in ids])
