"""What a claim rests on, when it is near, and how it is laid along a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.claims.vetoes.alignment import Alignment, Common
from core.claims.vetoes.focus import clauses_of, ground_of, near, sentences_of
from core.text.reading import Reading

PASSAGE = Reading(
    "The trial enrolled 240 adults. Survival rose, while nausea was rare; the sponsor paid, "
    "unless a site withdrew. No child was enrolled."
)


def _raw(readings: list[Reading]) -> list[str]:
    return [reading.raw for reading in readings]


def test_a_claim_rests_on_the_sentence_that_holds_it() -> None:
    assert _raw(sentences_of(Reading("240 adults were enrolled."), PASSAGE)) == [
        "The trial enrolled 240 adults."
    ]


def test_a_claim_rests_on_the_clause_that_holds_it() -> None:
    assert _raw(clauses_of(Reading("Nausea was rare."), PASSAGE)) == ["while nausea was rare"]


def test_a_claim_in_other_words_rests_on_everything() -> None:
    assert len(sentences_of(Reading("Prices doubled."), PASSAGE)) == 3


@pytest.mark.parametrize(
    ("claim", "ground"),
    [
        ("The sponsor paid.", ["the sponsor paid", "unless a site withdrew."]),
        ("Nausea was rare.", ["while nausea was rare"]),
    ],
)
def test_what_hangs_on_a_clause_is_ground_of_the_claim(claim: str, ground: list[str]) -> None:
    sentence = sentences_of(Reading(claim), PASSAGE)[0]
    found = ground_of(Reading(claim), sentence, lambda lower: lower.startswith("unless"))
    assert _raw(found) == ground


@pytest.mark.parametrize(
    ("claim", "is_near"),
    [
        ("The trial enrolled 250 adults.", True),
        ("Adults enrolled the trial.", True),
        ("Two hundred and forty grown people took part.", False),
    ],
)
def test_near_is_a_claim_made_of_the_sentence_s_words(claim: str, is_near: bool) -> None:
    assert near(Reading(claim), PASSAGE) is is_near


def test_gaps_say_what_stands_in_place_of_what() -> None:
    gaps = Alignment(Reading("The owner pays the levy."), Reading("The agent pays the levy.")).gaps
    assert [(gap.mine, gap.theirs) for gap in gaps] == [(("owner",), ("agent",))]


_SEQUENCES = st.lists(st.sampled_from("abcd"), max_size=12)


@given(_SEQUENCES, _SEQUENCES)
def test_the_longest_common_run_in_bits_is_the_one_by_the_table(
    one: list[str], other: list[str]
) -> None:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
            )
    assert Common(other)(one) == table[-1][-1]
