"""Passages that were written for training, each with claims and the sentences that decide them.

One passage is many pairs: the check asks a model about windows of up to three sentences, and takes
the best of them. So a claim is paired with the sentences that decide it, with windows around them,
and with windows that leave them out, which do not entail it whatever words they share with it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from models.entailment.training.pairs import LABELS

WIDEST = 3
"""Sentences in the widest window that a check asks about."""

WHOLE = 0.25
"""Share of the claims that are paired with their whole passage as well, which is long."""


@dataclass(frozen=True)
class AuthoredClaim:
    """A claim about a passage: `label` of `LABELS`, `evidence` the sentences that decide it."""

    text: str
    label: str
    kind: str
    evidence: tuple[int, ...]


@dataclass(frozen=True)
class Passage:
    """Sentences in order, and what is claimed about them."""

    id: str
    register: str
    sentences: tuple[str, ...]
    claims: tuple[AuthoredClaim, ...]

    def window(self, first: int, last: int) -> str:
        """The sentences from `first` to `last`, both included, as one text."""
        return " ".join(self.sentences[first : last + 1])

    def deciding(self, claim: AuthoredClaim) -> str:
        """The shortest run of sentences that holds all that decides `claim`."""
        return self.window(min(claim.evidence), max(claim.evidence))


def read_passages(path: Path) -> Iterator[Passage]:
    """Yield the passages of a JSON Lines file.

    Raises ValueError for a label that is not of `LABELS` and for evidence outside the passage.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        row = json.loads(line)
        sentences = tuple(row["sentences"])
        claims = tuple(
            AuthoredClaim(c["claim"], c["label"], c["kind"], tuple(c["evidence"]))
            for c in row["claims"]
        )
        for claim in claims:
            places = set(claim.evidence)
            if claim.label not in LABELS or not places or not places <= set(range(len(sentences))):
                raise ValueError(f"{path.name}:{number} has a claim with a wrong label or evidence")
        yield Passage(row["id"], row["register"], sentences, claims)


def rows(passages: Iterable[Passage], seed: int) -> list[dict[str, str]]:
    """Return the training rows of the passages, each pair once within its passage."""
    out: list[dict[str, str]] = []
    for passage in passages:
        generator = random.Random(f"{seed}:{passage.id}")
        for claim in passage.claims:
            premises = dict.fromkeys(
                [passage.deciding(claim), *_around(passage, claim, generator)], claim.label
            )
            for text in _elsewhere(passage, claim, generator):
                premises.setdefault(text, "not_entailment")
            out += [
                {
                    "premise": premise,
                    "hypothesis": claim.text,
                    "label": label,
                    "source": f"authored_{passage.id.partition('-')[0]}",
                    "kind": claim.kind,
                    "licence": "own",
                    "licence_class": "permissive",
                }
                for premise, label in premises.items()
            ]
    return out


def _around(passage: Passage, claim: AuthoredClaim, generator: random.Random) -> list[str]:
    """One window that holds the evidence and more, and now and then the whole passage."""
    first, last = min(claim.evidence), max(claim.evidence)
    end = len(passage.sentences) - 1
    wider = [
        (a, b)
        for a in range(max(0, last - WIDEST + 1), first + 1)
        for b in range(last, min(end, a + WIDEST - 1) + 1)
        if (a, b) != (first, last)
    ]
    chosen = [passage.window(*generator.choice(wider))] if wider else []
    whole = [passage.window(0, end)] if generator.random() < WHOLE else []
    return [*chosen, *whole]


def _elsewhere(passage: Passage, claim: AuthoredClaim, generator: random.Random) -> list[str]:
    """One window without the evidence.

    It does not entail the claim; it may contradict it, so the label for it leaves that open.
    """
    places = set(claim.evidence)
    outside = [
        (a, b)
        for a in range(len(passage.sentences))
        for b in range(a, min(len(passage.sentences), a + WIDEST))
        if not places & set(range(a, b + 1))
    ]
    return [passage.window(*generator.choice(outside))] if outside else []
