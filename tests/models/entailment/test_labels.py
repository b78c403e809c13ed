"""The meaning of outputs is read from their names, or confirmed by a person; never assumed."""

import itertools

import pytest

from models.entailment import labels
from models.entailment.errors import LabelsUnclear
from models.entailment.labels import Labels

RECOGNISED = [
    (("contradiction", "entailment", "neutral"), Labels(1, 0, 2)),
    (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), Labels(2, 0, 1)),
    (("entailment", "neutral", "contradiction"), Labels(0, 2, 1)),
    (("contradiction", "neutral", "entailment"), Labels(2, 0, 1)),
    (("Entailment ", "not_entailment"), Labels(0, None, 1)),
    (("unsupported", "supported"), Labels(1, None, 0)),
    (("Not-Supported", "SUPPORTED"), Labels(1, None, 0)),
    # With two labels a model cannot tell "against" from "not for".
    (("contradiction", "entailment"), Labels(1, None, 0)),
]

UNCLEAR = [
    ("LABEL_0", "LABEL_1", "LABEL_2"),
    ("0", "1"),
    ("yes", "no"),
    ("entailment", "neutral", "LABEL_2"),
    ("entailment", "entailment", "contradiction"),
    ("neutral", "not_entailment", "entailment"),
    ("entailment", "supported"),
    ("entailment", "entailed"),
    ("contradiction", "neutral"),
    ("entailment",),
    (),
    ("entailment", "neutral", "contradiction", "other"),
    ("non-entailment", "entailment"),
    ("entailment", "neutral", ""),
]


@pytest.mark.parametrize(("names", "expected"), RECOGNISED)
def test_names_that_are_recognised(names: tuple[str, ...], expected: Labels) -> None:
    assert labels.read(names) == expected


@pytest.mark.parametrize("names", UNCLEAR)
def test_names_that_refuse_the_model(names: tuple[str, ...]) -> None:
    with pytest.raises(LabelsUnclear) as refusal:
        labels.read(names)
    assert refusal.value.names == names


@pytest.mark.parametrize("order", list(itertools.permutations(labels.MEANINGS)))
def test_a_person_confirms_any_order_of_unclear_names(order: tuple[str, ...]) -> None:
    found = labels.confirmed(labels.in_order(order), ("LABEL_0", "LABEL_1", "LABEL_2"))
    assert [order[at] for at in (found.entailment, found.contradiction, found.neutral)] == [
        "entailment",
        "contradiction",
        "neutral",
    ]


@pytest.mark.parametrize(
    ("mapping", "names"),
    [
        ({"entailment": 0}, ("0", "1")),
        ({"entailment": 0, "neutral": 0}, ("0", "1")),
        ({"entailment": 2, "neutral": 1}, ("0", "1")),
        ({"contradiction": 0, "neutral": 1}, ("0", "1")),
        ({"entailment": 0, "neutral": 1}, ("a", "b", "c")),
        ({"entailment": 0, "neutral": 1, "else": 2}, ("a", "b", "c")),
        ({"entailment": -1, "neutral": 0}, ("0", "1")),
        ({}, ()),
    ],
)
def test_a_mapping_must_cover_the_outputs(mapping: dict[str, int], names: tuple[str, ...]) -> None:
    with pytest.raises(LabelsUnclear):
        labels.confirmed(mapping, names)


def test_two_outputs_never_contradict_whatever_a_person_says() -> None:
    found = labels.confirmed({"entailment": 1, "contradiction": 0}, ("0", "1"))
    assert found == Labels(1, None, 0)


@pytest.mark.parametrize(("names", "expected"), RECOGNISED)
def test_a_mapping_may_not_contradict_clear_names(names: tuple[str, ...], expected: Labels) -> None:
    assert labels.confirmed(expected.as_dict(), names) == expected
    turned = {name: (at + 1) % len(names) for at, name in enumerate(labels.MEANINGS[: len(names)])}
    for shift in range(len(names)):
        mapping = {name: (at + shift) % len(names) for name, at in turned.items()}
        if mapping["entailment"] != expected.entailment:
            with pytest.raises(LabelsUnclear):
                labels.confirmed(mapping, names)


@pytest.mark.parametrize("order", [["entailment", "entailment"], ["entailment", "maybe"]])
def test_an_order_names_each_meaning_once(order: list[str]) -> None:
    with pytest.raises(LabelsUnclear):
        labels.in_order(order)


def test_an_order_in_the_words_of_two_labels() -> None:
    assert labels.in_order(["unsupported", "supported"]) == {"neutral": 0, "entailment": 1}
