"""Gate 4 finds a claim that is a sentence of the source, and nothing looser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.claims.check import check
from core.claims.lexical import same_assertion
from core.claims.verdict import Verdict
from core.documents.read import read_text
from core.text.reading import Reading

SAID = [
    ("The drug lowered mortality.", "However, the drug lowered mortality."),
    ("The drug lowered mortality.", "In addition, the drug lowered mortality [3, 7–9]."),
    ("The drug lowered mortality.", "Results: The drug lowered mortality (Smith et al., 2010)."),
    ("The drug lowered mortality", "12.3 The drug lowered mortality (Fig. 2A)."),
    ("Records shall be kept.", "Section 12.1 Records shall be kept."),
    ("firms must keep records", "Firms must keep records."),
    ("Access is logged for two days.", "Access is logged for 48 hours."),
]


@pytest.mark.parametrize(("claim", "sentence"), SAID)
def test_what_may_differ(claim: str, sentence: str) -> None:
    assert same_assertion(Reading(claim), Reading(sentence))


NOT_SAID = [
    ("The drug lowered mortality.", "The drug lowered mortality in mice."),
    ("The drug lowered mortality.", "Perhaps, the drug lowered mortality."),
    ("The drug lowered mortality.", "Hypothesis: The drug lowered mortality."),
    ("The drug lowered mortality.", "The drug lowered mortality (p = 0.21)."),
    ("The drug lowered mortality.", "The drug lowered, mortality."),
    ("The drug lowered mortality.", "The drug has lowered mortality."),
    ("Who approved the plan.", "WHO approved the plan."),
    ("The dose was 5 mM daily.", "The dose was 5 MM daily."),
    ("Yes indeed.", "Yes indeed."),
    ("No, treatment works well.", "No treatment works well."),
]


@pytest.mark.parametrize(("claim", "sentence"), NOT_SAID)
def test_what_may_not_differ(claim: str, sentence: str) -> None:
    assert not same_assertion(Reading(claim), Reading(sentence))


def test_the_evidence_is_the_sentence_in_the_persons_own_text() -> None:
    text = "Intro here.\n\nOn day two, the re-\nactor was   shut down.  More follows here."
    result = check("On day two, the reactor was shut down.", read_text(text))
    assert result.verdict is Verdict.SUPPORTED
    (evidence,) = result.evidence
    assert text[evidence.start : evidence.end] == evidence.text
    assert evidence.text.startswith("On day two")


def test_two_sentences_must_follow_each_other() -> None:
    source = read_text("The pump failed. The valve held. The alarm rang.")
    assert check("The pump failed. The valve held.", source).verdict is Verdict.SUPPORTED
    assert check("The pump failed. The alarm rang.", source).verdict is Verdict.NOT_VERIFIABLE


def test_nothing_decided_shows_the_closest_sentence() -> None:
    source = read_text("The sky was grey that day. The pump in hall two failed at noon.")
    result = check("The pump in hall two failed at midnight.", source)
    assert result.verdict is Verdict.NOT_VERIFIABLE
    assert result.evidence[0].text == "The pump in hall two failed at noon."
    assert 0 < result.scores["lexical"] < 1


@pytest.mark.parametrize("claim", ["", "   ", "\n"])
def test_an_empty_claim_is_an_error(claim: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        check(claim, read_text("A sentence stands here."))


WORDS = st.lists(
    st.sampled_from(
        [
            "dose",
            "pump",
            "valve",
            "trial",
            "policy",
            "not",
            "no",
            "all",
            "some",
            "12",
            "5%",
            "must",
            "may",
            "failed",
        ]
    ),
    min_size=3,
    max_size=9,
)


@given(WORDS, WORDS)
def test_different_words_are_never_the_same_assertion(one: list[str], other: list[str]) -> None:
    said = same_assertion(Reading(" ".join(one)), Reading(" ".join(other)))
    assert said == (one == other)
