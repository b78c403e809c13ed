"""Edits of real sentences change what they say, and rewordings do not."""

import random

import pytest

from models.entailment.training.generate.edits import edits, embedded, rewordings
from models.entailment.training.generate.language import Speaker
from models.entailment.training.generate.sentences import split_sentences, usable_sentence

TEXT = "However, 48 patients (mean age 61) were treated before surgery in Rotterdam and in Lyon."


def all_edits(text: str) -> dict[str, set[tuple[str, str]]]:
    """Every (label, text) of each kind, over several draws."""
    found: dict[str, set[tuple[str, str]]] = {}
    for seed in range(40):
        for label, kind, edited in edits(Speaker(random.Random(seed)), text):
            found.setdefault(kind, set()).add((label, edited))
    return found


def test_rewordings_keep_the_numbers_or_weaken_them() -> None:
    kinds = set()
    for seed in range(40):
        for kind, text in rewordings(Speaker(random.Random(seed)), TEXT):
            kinds.add(kind)
            if kind == "bound":
                bound = int(text.split("more than ")[1].split()[0])
                assert bound < 48
            else:
                assert "48" in text
    assert {"same", "no_parenthesis", "no_lead", "bound"} <= kinds


@pytest.mark.parametrize(
    ("text", "kind", "label", "edited"),
    [
        (
            "The dose was not changed during the trial.",
            "negation_dropped",
            "contradiction",
            "The dose was changed during the trial.",
        ),
        (
            "The dose was changed during the trial.",
            "negation_added",
            "contradiction",
            "The dose was not changed during the trial.",
        ),
        (
            "Infection was more frequent in mice after the dose.",
            "population",
            "neutral",
            "Infection was more frequent in humans after the dose.",
        ),
        (
            "Poverty was associated with illness in both years.",
            "strength",
            "neutral",
            "Poverty caused illness in both years.",
        ),
        (
            "At least one of the samples held at least two grams.",
            "bound",
            "not_entailment",
            "At least one of the samples held at most two grams.",
        ),
        (
            "Our results suggest that the protein binds iron.",
            "hedge_dropped",
            "neutral",
            "The protein binds iron.",
        ),
    ],
)
def test_one_thing_is_changed(text: str, kind: str, label: str, edited: str) -> None:
    assert (label, edited) in all_edits(text)[kind]


def test_a_number_is_changed_to_another() -> None:
    for label, text in all_edits("In all, 48 patients were treated.")["number"]:
        assert label == "contradiction"
        assert "48 " not in text


def test_an_embedded_sentence_follows_only_where_its_truth_is_kept() -> None:
    labels: dict[str, set[str]] = {}
    for seed in range(200):
        wrapped = embedded(Speaker(random.Random(seed)), "The protein binds iron in the cell.")
        assert wrapped is not None
        for label, kind, text in wrapped[1]:
            if text == "The protein binds iron in the cell.":
                labels.setdefault(kind, set()).add(label)
    assert labels == {
        "embedded_open": {"neutral"},
        "embedded_kept": {"entailment"},
        "embedded_denied": {"contradiction"},
    }


def test_abbreviations_do_not_end_a_sentence() -> None:
    text = "As Smith et al. Showed, it holds (Fig. 2). Dr. Jones agreed. It is so."
    assert split_sentences(text) == [
        "As Smith et al. Showed, it holds (Fig. 2).",
        "Dr. Jones agreed.",
        "It is so.",
    ]


@pytest.mark.parametrize(
    ("text", "usable"),
    [
        ("The protein binds iron in the cell.", True),
        ("the protein binds iron in the cell.", False),
        ("The protein binds iron in the cell", False),
        ("It is so.", False),
        ("As shown before in Eq. 3 the protein binds.", False),
        ("A 1 2 3 4 5 6 7 8 9 10 11 12.", False),
    ],
)
def test_only_whole_sentences_are_usable(text: str, usable: bool) -> None:
    assert usable_sentence(text) is usable
