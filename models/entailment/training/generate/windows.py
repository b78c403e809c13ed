"""From items to rows: choose hypotheses, put premises into windows as the product forms them."""

from __future__ import annotations

import random
from collections import defaultdict

from models.entailment.training.generate.families import FAMILIES
from models.entailment.training.generate.language import (
    MONTHS,
    WEEKDAYS,
    E,
    Item,
    N,
    Speaker,
    in_words,
    vocabulary,
)

_PREFIXES = (
    "according to the text, {}",
    "the document states that {}",
    "the source says that {}",
    "it is stated that {}",
    "as the text puts it, {}",
    "the text makes clear that {}",
)


def lower_first(text: str) -> str:
    """Return `text` with a small first letter, unless the first word is a name or an acronym."""
    first = text.split(" ", 1)[0].strip(",;:")
    names = vocabulary()["surnames"] + vocabulary()["places"] + MONTHS
    if first in names or first == "I" or any(c.isupper() for c in first[1:]):
        return text
    return text[0].lower() + text[1:]


def filler(s: Speaker) -> str:
    """Return a sentence that bears on nothing."""
    topic = s.word("topics")
    place = s.word("places")
    return s.say(
        s.word("filler"),
        month=s.rng.choice(MONTHS),
        letter=s.rng.choice("ABCDEFG"),
        topic_bare=topic.removeprefix("the "),
        weekday=s.rng.choice(WEEKDAYS),
        actor=s.word("actors"),
        number=in_words(s.rng.randint(3, 90)),
        place=place,
        Place=place,
        surname=s.word("surnames"),
    )


def window(s: Speaker, premise: str, neighbours: list[str]) -> str:
    """Return the premise alone, or among other sentences, or under a heading."""
    roll = s.rng.random()
    parts = [premise]
    if roll < 0.45:
        for _ in range(s.rng.choice([1, 1, 2])):
            extra = s.rng.choice(neighbours) if neighbours and s.rng.random() < 0.6 else filler(s)
            parts.insert(s.rng.choice([0, len(parts)]), extra)
    text = " ".join(parts)
    if s.rng.random() < 0.1:
        text = f"{s.word('headings')}{s.rng.choice(['. ', ': ', ' – '])}{text}"
    return text


def choose_hypotheses(s: Speaker, item: Item, count: int) -> list[tuple[str, str, str]]:
    """Choose up to `count` hypotheses, entailed or not with about even chances, over all kinds."""
    groups: dict[bool, dict[str, list[tuple[str, str, str]]]] = {
        True: defaultdict(list),
        False: defaultdict(list),
    }
    for label, kind, text in item.hypotheses:
        if text.lower() != item.premise.lower() or label == E:
            groups[label == E][label + kind].append((label, kind, text))
    chosen: list[tuple[str, str, str]] = []
    for _ in range(count):
        side = s.rng.random() < 0.48
        pools = groups[side] or groups[not side]
        if not pools:
            break
        key = s.rng.choice(sorted(pools))
        choice = pools[key].pop(s.rng.randrange(len(pools[key])))
        if not pools[key]:
            del pools[key]
        chosen.append(choice)
    return chosen


def rows(family: str, count: int, seed: int) -> list[dict[str, str]]:
    """Return about `count` rows (at most two more) of one family of `FAMILIES`.

    The same arguments give the same rows.
    """
    s = Speaker(random.Random(f"{seed}:{family}"))
    frames = FAMILIES[family]
    result: list[dict[str, str]] = []
    earlier: list[Item] = []
    while len(result) < count:
        item = s.rng.choice(frames)(s)
        neighbours = [other.premise for other in earlier[-60:] if other.family == item.family]
        premise = window(s, item.premise, neighbours)
        for label, kind, text in choose_hypotheses(s, item, 2):
            if s.rng.random() < 0.08 and not text.endswith("?"):
                text = s.say(s.rng.choice(_PREFIXES).replace("{}", "{x}"), x=lower_first(text))
            result.append(row(premise, text, label, f"gen_{family}", f"{item.family}/{kind}"))
        if earlier and s.rng.random() < 0.12:
            other = s.rng.choice(earlier[-400:])
            texts = [t for label, _, t in other.hypotheses if label == E]
            # A shared name could make it follow after all.
            if texts and other.premise != item.premise:
                text = s.rng.choice(texts)
                result.append(row(premise, text, N, f"gen_{family}", "other_source"))
        earlier.append(item)
        del earlier[:-400]
    return result


def row(
    premise: str, hypothesis: str, label: str, source: str, kind: str, licence: str = "generated"
) -> dict[str, str]:
    """Return a row in the form that `models.entailment.training.pairs` reads."""
    return {
        "premise": premise,
        "hypothesis": hypothesis,
        "label": label,
        "source": source,
        "group": kind,
        "licence": licence,
        "licence_class": "permissive",
    }
