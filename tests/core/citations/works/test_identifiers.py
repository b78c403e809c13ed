import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.model import Scheme
from core.citations.works.doi import canonical_doi
from core.citations.works.identifiers import identifier_of, identifiers
from core.citations.works.numbers import isbn13, issn

CASES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("identifiers.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:60])
def test_identifiers_are_read_in_their_canonical_form(case: dict) -> None:
    assert [f.identifier.canonical for f in identifiers(case["text"])] == case["ids"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:60])
def test_what_was_found_reads_the_same_alone(case: dict) -> None:
    for found in identifiers(case["text"]):
        alone = identifiers(case["text"][found.start : found.end])
        if "PMIDs" not in case["text"]:
            assert [f.identifier for f in alone] == [found.identifier]


def test_a_label_belongs_to_the_place_of_its_identifier() -> None:
    text = "It is in (doi: 10.1000/182) and https://doi.org/10.1000/183."
    places = [text[found.start : found.end] for found in identifiers(text)]
    assert places == ["doi: 10.1000/182", "https://doi.org/10.1000/183"]


def test_a_scheme_can_be_asked_for() -> None:
    text = "www.example.org, doi:10.1000/182"
    found = identifier_of(text, Scheme.DOI)
    assert found is not None
    assert found.canonical == "doi:10.1000/182"
    assert identifier_of(text, Scheme.PMID) is None


def test_a_field_may_hold_a_doi_or_its_address() -> None:
    assert canonical_doi(" https://doi.org/10.1000/ABC ") == "10.1000/abc"
    assert canonical_doi("none") is None


@given(st.text("0123456789", min_size=12, max_size=12), st.integers(0, 9))
def test_one_check_digit_of_ten_is_right(stem: str, other: int) -> None:
    code = "978" + stem[3:]
    right = [d for d in "0123456789" if isbn13(code + d)]
    assert len(right) == 1
    assert (isbn13(code + str(other)) is None) == (str(other) != right[0])


@given(st.text("0123456789", min_size=7, max_size=7))
def test_one_check_character_of_eleven_is_right(stem: str) -> None:
    assert len([c for c in "0123456789X" if issn(stem + c)]) == 1


_SUFFIX = st.recursive(
    st.text("abcXYZ019.:;-_/", min_size=1, max_size=8),
    lambda inner: st.tuples(inner, inner).map(lambda two: f"{two[0]}({two[1]})"),
    max_leaves=4,
)


@given(_SUFFIX, st.sampled_from(["{}", "({})", "[{}].", "see {}, and", "“{}”", "{};", "{}\n"]))
def test_what_stands_around_a_doi_does_not_change_it(suffix: str, frame: str) -> None:
    alone = [f.identifier for f in identifiers(f"10.1234/a{suffix}z9")]
    assert [f.identifier for f in identifiers(frame.format(f"10.1234/a{suffix}z9"))] == alone
