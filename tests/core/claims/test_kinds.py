"""Of which kind a bare noun speaks: attacks through the whole check, and honest claims."""

import pytest

from core.claims.kinds import other_kind
from core.claims.source import Source
from core.documents.read import read_text
from core.text.reading import Reading

SHARKS = (
    "Pelagic threshers hunt sardines near the island. Pelagic threshers live in warm seas. Dives "
    "with pelagic threshers are offered daily. Bigeye threshers live deeper. The threshers were "
    "filmed stunning their prey. The pelagic threshers were counted at dawn."
)
LOANS = (
    "Student loans are paid out in March. Student loans bear no interest. Student loans may be "
    "split. Business loans are paid out in June. Loans are repaid within ten years."
)


def reason(text: str, sentence: int, claim: str) -> str | None:
    source = Source(read_text(text))
    found = other_kind(Reading(claim), [source.sentences[0][sentence]], source)
    return found[1] if found else None


@pytest.mark.parametrize(
    ("text", "sentence", "claim"),
    [
        (SHARKS, 4, "Bigeye threshers were filmed stunning their prey."),
        (SHARKS, 4, "It was bigeye threshers that were filmed as they stunned prey."),
        (LOANS, 4, "Business loans have to be repaid within ten years."),
    ],
)
def test_a_kind_named_in_passing_is_not_meant(text: str, sentence: int, claim: str) -> None:
    assert reason(text, sentence, claim)


@pytest.mark.parametrize(
    ("text", "sentence", "claim"),
    [
        (SHARKS, 4, "Pelagic threshers were filmed stunning their prey."),
        (SHARKS, 4, "Threshers were filmed stunning their prey."),
        (SHARKS, 3, "Bigeye threshers are found at greater depths."),
        (SHARKS, 4, "Large threshers were filmed stunning their prey."),
        (LOANS, 4, "Student loans have to be repaid within ten years."),
        (LOANS, 3, "Business loans are paid in June."),
    ],
)
def test_the_kind_that_the_source_is_about_may_be_meant(
    text: str, sentence: int, claim: str
) -> None:
    assert reason(text, sentence, claim) is None
