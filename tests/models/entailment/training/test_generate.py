"""The generator gives the rows that the adapter was trained on."""

import hashlib
import random
from collections import Counter

import pytest

from models.entailment.training.generate import language, windows
from models.entailment.training.generate.language import Item, Speaker
from models.entailment.training.manifest import jsonl
from models.entailment.training.pairs import LABEL_IDS

SEED = 20261130
ROWS = 1000

# Recorded from the program that made the training data, with this seed and these counts.
RECORDED = {
    "policy": "86623ff808be075bdc01aaafd2fd38a35936a86ad0f38c050c16050796c76b3a",
    "results": "f26f7c130f41684c81e6dd8934b0a54aaa1b2ca8b6160c6b32b80ce5fb8be5d7",
    "quantities": "1f8dee59520c764e5aeb82a29261a3aecbcd14c77713fa9af97b15ca77f016ac",
    "logic": "f75c48655a89e35f2687dde0e5b393c2627927481d23539080650e387d3a0602",
    "dense": "0bc54d349d593f9470e69c513c4da9dc6b0891809ef843a33331f83e156da15f",
}
RECORDED_WITH_REAL_TEXT = "453e9f63063b510207a5c198252642e7d50be6bd95140152bee043c25ddc4194"


def sha256(rows: list[dict[str, str]]) -> str:
    return hashlib.sha256(jsonl(rows)).hexdigest()


def test_every_family_is_recorded() -> None:
    assert set(RECORDED) == set(windows.FAMILIES)


@pytest.mark.parametrize("family", RECORDED)
def test_frames_give_the_recorded_rows(family: str) -> None:
    assert sha256(windows.rows(family, ROWS, SEED)) == RECORDED[family]


def test_all_kinds_of_data_give_the_recorded_rows(generated: list[dict[str, str]]) -> None:
    assert sha256(generated) == RECORDED_WITH_REAL_TEXT


def test_another_seed_gives_other_rows() -> None:
    first, second = (windows.rows("policy", 50, seed) for seed in (SEED, SEED + 1))
    assert first != second


@pytest.mark.parametrize("family", RECORDED)
def test_frames_are_said_in_full(family: str) -> None:
    for row in windows.rows(family, ROWS, SEED):
        for text in (row["premise"], row["hypothesis"]):
            assert not set("[]{}|") & set(text), text
            assert "  " not in text, text
            assert text[-1] in ".?!", text


@pytest.mark.parametrize("family", RECORDED)
def test_a_model_cannot_do_well_by_refusing_or_accepting_everything(family: str) -> None:
    labels = Counter(row["label"] for row in windows.rows(family, ROWS, SEED))
    assert set(labels) <= set(LABEL_IDS)
    assert 0.3 < labels["entailment"] / labels.total() < 0.6


@pytest.mark.parametrize("family", RECORDED)
def test_a_longer_draw_begins_with_the_shorter_one(family: str) -> None:
    assert windows.rows(family, ROWS, SEED)[:100] == windows.rows(family, 100, SEED)[:100]


def test_choices_nest_and_slots_are_filled() -> None:
    said = {
        Speaker(random.Random(seed)).say("the [a|[b|c]] {x}[ again|]", x="d") for seed in range(60)
    }
    assert said == {f"The {word} d{tail}." for word in "abc" for tail in ("", " again")}


def test_an_item_says_templates_with_the_slots_that_it_has_by_then() -> None:
    slots: dict[str, object] = {"x": "pump"}
    item = Item("example", "A pump.", Speaker(random.Random(1)), slots)
    slots["y"] = "valve"
    item.say(language.C, "other", "the {x} is a {y}", "no {y}")
    item.add(language.N, "told", "As it is")
    assert item.hypotheses == [
        (language.C, "other", "The pump is a valve."),
        (language.C, "other", "No valve."),
        (language.N, "told", "As it is"),
    ]


def test_another_number_is_never_the_number() -> None:
    speaker = Speaker(random.Random(5))
    for number in range(1, 200):
        for near in (False, True):
            other = speaker.other(number, low=2, near=near)
            assert other != number
            assert other >= 2


@pytest.mark.parametrize(
    ("verb", "third", "ing"),
    [
        ("notify", "notifies", "notifying"),
        ("destroy", "destroys", "destroying"),
        ("submit", "submits", "submitting"),
        ("publish", "publishes", "publishing"),
        ("store", "stores", "storing"),
    ],
)
def test_verb_forms(verb: str, third: str, ing: str) -> None:
    assert language.third_person(verb) == third
    assert language.gerund(verb) == ing
