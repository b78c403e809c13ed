"""Rows from real sentences and their neighbours.

The sentences come from open-access papers (JATS XML) and from the premises of permissive public
pairs.
"""

import random
import re
from collections.abc import Sequence

from models.entailment.training.generate.edits import edits, embedded, rewordings
from models.entailment.training.generate.language import E, N, Speaker
from models.entailment.training.generate.windows import row


def _one(s: Speaker, options: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Choose a kind (the next to last field) first, then one text of it.

    Sameness is less wanted.
    """
    kinds = sorted({o[-2] for o in options})
    weights = [0.25 if kind in {"same", "names_swapped"} else 1.0 for kind in kinds]
    kind = s.rng.choices(kinds, weights)[0]
    return s.rng.choice([o for o in options if o[-2] == kind])


def _overlap(a: str, b: str) -> float:
    x, y = (set(re.findall(r"[a-z]{4,}", t.lower())) for t in (a, b))
    return len(x & y) / (1 + min(len(x), len(y)))


def rows(
    paragraphs: list[tuple[list[str], str]], count: int, seed: int, source: str
) -> list[dict[str, str]]:
    """Return about `count` rows from (paragraph, licence) pairs."""
    s = Speaker(random.Random(f"{seed}:{source}"))
    result: list[dict[str, str]] = []
    everything = [x for paragraph, _ in paragraphs for x in paragraph]
    while len(result) < count:
        place = s.rng.randrange(len(paragraphs))
        paragraph, licence = paragraphs[place]
        i = s.rng.randrange(len(paragraph))
        text = paragraph[i]
        roll = s.rng.random()
        if roll < 0.2:
            wrapped = embedded(s, text)
            if wrapped:
                premise, hypotheses = wrapped
                if s.rng.random() < 0.4 and i:
                    premise = paragraph[i - 1] + " " + premise
                label, kind, hypothesis = s.rng.choice(hypotheses)
                result.append(row(premise, hypothesis, label, source, kind, licence))
            continue
        start = max(0, i - s.rng.choice([0, 0, 0, 1, 1, 2]))
        premise = " ".join(paragraph[start : i + 1 + s.rng.choice([0, 0, 0, 1])])
        if roll < 0.36:
            # A near sentence outside the window: what retrieval brings and does not decide.
            candidates = [
                x
                for x in s.rng.sample(everything, min(len(everything), 150)) + paragraph
                if x not in premise and x != text
            ]
            if candidates:
                near = max(candidates, key=lambda x: _overlap(x, premise))
                kind, hypothesis = _one(s, rewordings(s, near))
                result.append(row(premise, hypothesis, N, source, "near_sentence", licence))
            continue
        if s.rng.random() < 0.5:
            kind, hypothesis = _one(s, rewordings(s, text))
            result.append(row(premise, hypothesis, E, source, kind, licence))
        else:
            options = edits(s, text)
            if options:
                label, kind, hypothesis = _one(s, options)
                if hypothesis != text:
                    result.append(row(premise, hypothesis, label, source, kind, licence))
    return result


def absent_rows(
    pairs: list[dict[str, str]], count: int, seed: int, source: str
) -> list[dict[str, str]]:
    """Return rows whose hypothesis follows from its own premise, but not from the near one it gets.

    Such a hypothesis is mostly true in the world, and is not said in the premise.
    """
    s = Speaker(random.Random(f"{seed}:{source}"))
    entailed = [r for r in pairs if r["label"] == E]
    result: list[dict[str, str]] = []
    while len(result) < count:
        pair = s.rng.choice(entailed)
        others = [
            r
            for r in s.rng.sample(pairs, 300)
            if r["premise"] != pair["premise"] and r["source"] == pair["source"]
        ]
        if not others:
            continue
        near = max(others, key=lambda r: _overlap(r["premise"], pair["hypothesis"]))
        names = re.findall(r"\b[A-Z][a-z]+ [A-Z][a-z]+", pair["hypothesis"])
        # The same subject might be described twice, and the hypothesis follow after all.
        if (
            not any(name in near["premise"] for name in names)
            and _overlap(near["premise"], pair["hypothesis"]) < 0.75
        ):
            result.append(
                row(near["premise"], pair["hypothesis"], N, source, "absent", pair["licence"])
            )
    return result
