"""Tokens: nothing that carries meaning is dropped, and equal quantities are equal."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.hygiene import clean
from core.text.tokens import Kind, bigram_coverage, number_value, quantities, tokenize


def keys(text: str) -> list[str]:
    return [token.key for token in quantities(tokenize(clean(text).text))]


EQUAL = [
    ("Twelve patients relapsed.", "12 patients relapsed."),
    ("within 3 days of", "within 72 hours of"),
    ("within three days", "within 72 h"),
    ("two weeks", "14 days"),
    ("1 year", "12 months"),
    ("1.5 years", "18 months"),
    ("0.5 kg", "500000 mg"),
    ("Half of the group", "50% of the group"),
    ("5 percent", "5 per cent"),
    ("5 percent", "5 %"),
    ("twenty-five sites", "25 sites"),
    ("1,204 patients", "1204 patients"),
    ("p <= 0.05", "p ≤ 0.05"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=[one for one, _ in EQUAL])
def test_equal_quantities_have_equal_tokens(one: str, other: str) -> None:
    assert keys(one) == keys(other)


UNEQUAL = [
    ("3 to 5 days", "3 to 120 hours"),
    ("3–5 days", "3–120 hours"),
    ("2 or 3 days", "2 or 72 hours"),
    ("3 business days", "72 hours"),
    ("1 month", "30 days"),
    ("5 percentage points", "5%"),
    ("15 mg/L", "1.5 mg/L"),
    ("3 days/week", "72 hours/week"),
    ("−15.8%", "15.8%"),
    ("CD8+ cells", "CD8- cells"),
    ("p < 0.05", "p > 0.05"),
    ("p ≤ 0.05", "p < 0.05"),
    ("10³ cells", "10^5 cells"),
    ("$5", "€5"),
    ("version 1.10", "version 1.1"),
    ("12:30", "1230"),
    ("5 mM", "5 MM"),
    ("WHO", "who"),
    ("No, treatment works", "No treatment works"),
    ("one and a half of the dose", "150% of the dose"),
    ("half-life", "50%-life"),
]


@pytest.mark.parametrize(("one", "other"), UNEQUAL, ids=[one for one, _ in UNEQUAL])
def test_unequal_quantities_stay_unequal(one: str, other: str) -> None:
    assert keys(one) != keys(other)


def test_a_broken_word_matches_both_of_its_readings() -> None:
    (broken,) = tokenize(clean("meta-\nanalysis").text)
    (hyphenated,) = tokenize("meta-analysis")
    (joined,) = tokenize("metaanalysis")
    assert broken.same(hyphenated)
    assert broken.same(joined)
    assert not hyphenated.same(joined)


def test_quotes_and_the_final_stop_are_no_tokens() -> None:
    assert keys('"Records must be kept."') == ["Records", "must", "be", "kept"]


@given(st.text(max_size=80))
def test_tokens_stand_where_they_say(text: str) -> None:
    cleaned = clean(text).text
    tokens = tokenize(cleaned)
    for token in tokens:
        assert cleaned[token.start : token.end] == token.text
    assert all(one.end <= two.start for one, two in pairwise(tokens))


@given(st.integers(min_value=0, max_value=99))
def test_number_words_have_their_value(number: int) -> None:
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    ones += "fifteen sixteen seventeen eighteen nineteen"
    tens = "twenty thirty forty fifty sixty seventy eighty ninety"
    if number < 20:
        word = ones.split()[number]
    else:
        word = tens.split()[number // 10 - 2]
        word += f"-{ones.split()[number % 10]}" if number % 10 else ""
    (token,) = tokenize(word)
    assert token.kind is Kind.WORD
    assert number_value(token) == number


def test_order_is_what_bigrams_measure() -> None:
    source = ["cancer", "causes", "smoking"]
    assert bigram_coverage(["smoking", "causes", "cancer"], source) == 0.0
    assert bigram_coverage(["cancer", "causes", "smoking"], source) == 1.0
    assert bigram_coverage(["smoking"], source) == 0.0
