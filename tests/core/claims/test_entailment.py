"""Gate 5 with a scripted model: thresholds, records, faults. The state machine, not the model."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.record import FLOOR, CalibrationRecord
from core.cancellation import Cancellation, Cancelled
from core.claims.check import check
from core.claims.entailment import WIDER_BY_RANK, WIDER_BY_SCORE, agreed
from core.claims.source import SHORT_SOURCE
from core.claims.verdict import Verdict
from core.claims.version import contract_version
from core.documents.read import read_text
from core.ports import EntailmentScores, ModelStopped

SOURCE = read_text("The pump in hall two broke down at noon. Staff left the hall at once.")
CLAIM = "The pump in hall two stopped at noon."


def record(
    contradicted: float | None = 0.9,
    sha256: str = "weights",
    contract: str = contract_version(),
) -> CalibrationRecord:
    return CalibrationRecord(
        "data",
        sha256,
        400,
        0,
        0.0075,
        0.8,
        contradicted,
        "2026-11-30",
        contract_version=contract,
    )


class Scripted:
    """Answers what the test says for each premise."""

    name = "scripted"
    sha256 = "weights"

    def __init__(
        self,
        answer: Callable[[str], EntailmentScores],
        calibration: CalibrationRecord | None,
    ) -> None:
        self.answer = answer
        self.calibration = calibration
        self.asked: list[tuple[str, str]] = []

    def score(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        cancellation: Cancellation | None = None,
    ) -> Sequence[EntailmentScores]:
        self.asked += pairs
        return [self.answer(premise) for premise, _ in pairs]


def says(entailment: float, contradiction: float | None = 0.0) -> Callable[[str], EntailmentScores]:
    return lambda premise: EntailmentScores(entailment, contradiction)


def verdict_of(model: Scripted, claim: str = CLAIM) -> Verdict:
    return check(claim, SOURCE, model=model).verdict


def test_at_its_threshold_the_model_supports() -> None:
    assert verdict_of(Scripted(says(0.8), record())) is Verdict.SUPPORTED
    assert verdict_of(Scripted(says(0.7999), record())) is Verdict.NOT_VERIFIABLE


def test_contradicted_has_its_own_threshold() -> None:
    assert verdict_of(Scripted(says(0.0, 0.9), record())) is Verdict.CONTRADICTED
    assert verdict_of(Scripted(says(0.0, 0.8999), record())) is Verdict.NOT_VERIFIABLE


def test_one_premise_alone_does_not_speak_for_the_source() -> None:
    """The other premises are asked too; where none agrees, one answer may be an accident."""

    def answer(premise: str) -> EntailmentScores:
        return EntailmentScores(0.95 if premise.startswith("The pump") else 0.0, 0.0)

    def outlier(premise: str) -> EntailmentScores:
        return EntailmentScores(0.95 if premise.endswith("noon.") else 0.1, 0.0)

    assert verdict_of(Scripted(answer, record())) is Verdict.SUPPORTED
    assert verdict_of(Scripted(outlier, record())) is Verdict.NOT_VERIFIABLE


def test_a_source_of_one_sentence_speaks_alone() -> None:
    source = read_text("The pump in hall two broke down at noon.")
    assert check(CLAIM, source, model=Scripted(says(0.8), record())).verdict is Verdict.SUPPORTED


@given(st.lists(st.floats(0.0, 1.0), min_size=1), st.floats(0.0, 1.0))
def test_what_two_premises_say_lies_between_them(chances: list[float], more: float) -> None:
    two = sorted(chances, reverse=True)[:2]
    assert two[-1] <= agreed(chances) <= two[0]
    assert agreed([*chances, two[-1]]) == pytest.approx(agreed([*two, two[-1]]))
    raised = [max(chance, more) for chance in chances]
    assert agreed(raised) >= agreed(chances) - 1e-9


def test_what_a_passage_may_entail_is_not_contradicted() -> None:
    def answer(premise: str) -> EntailmentScores:
        return EntailmentScores(FLOOR, 0.0) if "pump" in premise else EntailmentScores(0.0, 0.99)

    def below(premise: str) -> EntailmentScores:
        return EntailmentScores(0.49, 0.0) if "pump" in premise else EntailmentScores(0.0, 0.99)

    assert verdict_of(Scripted(answer, record())) is Verdict.NOT_VERIFIABLE
    assert verdict_of(Scripted(below, record())) is Verdict.CONTRADICTED


def test_a_window_that_contradicts_takes_support_away() -> None:
    def answer(premise: str) -> EntailmentScores:
        return EntailmentScores(0.99, 0.0) if "pump" in premise else EntailmentScores(0.0, 0.99)

    assert verdict_of(Scripted(answer, record())) is Verdict.NOT_VERIFIABLE


REPEATED = read_text(
    "The pump in hall two broke down at noon. Staff left the hall at once. "
    "The report asks whether the pump in hall two gave out at noon. "
    "The pump in hall two halted at noon.\n\n"
    "The pump in hall two gave out at noon. "
    "The pump in hall nine gave out at noon."
)


def test_what_decides_by_itself_is_shown_and_then_where_else_it_is_said() -> None:
    """Governed and vetoed sentences are not shown as proof, and no sentence below the score is."""

    def answer(premise: str) -> EntailmentScores:
        wide = premise.startswith("The pump in hall two broke") and "Staff" in premise
        return EntailmentScores(0.99 if wide else 0.9 if "pump" in premise else 0.1, 0.0)

    result = check(CLAIM, REPEATED, model=Scripted(answer, record()))
    assert result.verdict is Verdict.SUPPORTED
    assert [evidence.text for evidence in result.evidence] == [
        "The pump in hall two broke down at noon.",
        "The pump in hall two halted at noon.",
        "The pump in hall two gave out at noon.",
    ]


def test_what_contradicts_is_shown_wherever_it_is_said() -> None:
    def answer(premise: str) -> EntailmentScores:
        against = "gave out" in premise and "asks" not in premise
        return EntailmentScores(0.1, 0.95 if against else 0.2)

    result = check("The pump in hall two ran at noon.", REPEATED, model=Scripted(answer, record()))
    assert result.verdict is Verdict.CONTRADICTED
    assert [evidence.text for evidence in result.evidence] == [
        "The pump in hall two gave out at noon.",
        "The pump in hall nine gave out at noon.",
    ]


def test_a_window_that_decides_as_a_whole_is_shown_whole() -> None:
    def answer(premise: str) -> EntailmentScores:
        return EntailmentScores(0.99 if "Staff" in premise and "pump" in premise else 0.7, 0.0)

    result = check(CLAIM, SOURCE, model=Scripted(answer, record()))
    assert result.verdict is Verdict.SUPPORTED
    assert len(result.evidence) == 2


@pytest.mark.parametrize(
    "calibration", [None, record(sha256="other weights"), record(contract="other gates")]
)
def test_without_a_record_of_its_own_the_model_decides_nothing(
    calibration: CalibrationRecord | None,
) -> None:
    assert verdict_of(Scripted(says(1.0), calibration)) is Verdict.NOT_VERIFIABLE
    model = Scripted(says(0.0, 1.0), calibration)
    assert verdict_of(model) is Verdict.NOT_VERIFIABLE
    assert model.asked == []


def test_a_model_with_two_labels_never_contradicts() -> None:
    assert verdict_of(Scripted(says(0.0, None), record())) is Verdict.NOT_VERIFIABLE
    assert verdict_of(Scripted(says(0.0, 1.0), record(None))) is Verdict.NOT_VERIFIABLE


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.1, 1.1])
def test_a_score_that_is_no_probability_says_nothing(value: float) -> None:
    assert verdict_of(Scripted(says(value), record())) is Verdict.NOT_VERIFIABLE
    assert verdict_of(Scripted(says(0.0, value), record())) is Verdict.NOT_VERIFIABLE


def test_too_few_scores_say_nothing() -> None:
    class Short(Scripted):
        def score(self, pairs, *, cancellation=None):  # type: ignore[no-untyped-def]
            return super().score(pairs, cancellation=cancellation)[:-1]

    assert verdict_of(Short(says(1.0), record())) is Verdict.NOT_VERIFIABLE


def test_a_model_that_stops_is_no_support() -> None:
    def stop(premise: str) -> EntailmentScores:
        raise ModelStopped

    result = check(CLAIM, SOURCE, model=Scripted(stop, record()))
    assert result.verdict is Verdict.NOT_VERIFIABLE
    assert "stopped" in result.reason


def test_cancel_ends_the_check() -> None:
    cancellation = Cancellation()

    def cancel(premise: str) -> EntailmentScores:
        raise Cancelled

    with pytest.raises(Cancelled):
        check(CLAIM, SOURCE, model=Scripted(cancel, record()), cancellation=cancellation)
    cancellation.cancel()
    with pytest.raises(Cancelled):
        check(CLAIM, SOURCE, cancellation=cancellation)


def test_every_sentence_and_window_of_a_short_source_is_tried() -> None:
    model = Scripted(says(0.0), record())
    check(CLAIM, SOURCE, model=model)
    premises = {premise for premise, _ in model.asked}
    assert premises == {
        "The pump in hall two broke down at noon.",
        "Staff left the hall at once.",
        "The pump in hall two broke down at noon. Staff left the hall at once.",
    }


def test_a_long_source_is_ranked_and_the_telling_sentence_is_tried() -> None:
    filler = " ".join(f"Item {n} was stored in room {n}." for n in range(500))
    source = read_text(f"{filler} The pump in hall two broke down at noon. {filler}")
    model = Scripted(says(0.0), record())
    check(CLAIM, source, model=model)
    assert any("broke down" in premise for premise, _ in model.asked)
    alone = SHORT_SOURCE
    wider = 6 * (WIDER_BY_RANK + WIDER_BY_SCORE)
    assert alone < len(model.asked) <= alone + wider


@pytest.mark.parametrize("score", [0.0, 0.6])
def test_a_sentence_that_entails_by_itself_is_tried_in_its_windows_too(score: float) -> None:
    """Also where it has none of the claim's words, so that others rank before it."""
    likely = " ".join(f"The pump of hall two at noon was item {n}." for n in range(9))
    filler = " ".join(f"Item {n} was stored in room {n}." for n in range(99))
    source = read_text(f"Out of order since midday. Nobody knows why. {filler} {likely}")

    def answer(premise: str) -> EntailmentScores:
        return EntailmentScores(score if premise.startswith("Out of order") else 0.1, 0.0)

    model = Scripted(answer, record())
    check(CLAIM, source, model=model)
    premises = {premise for premise, _ in model.asked}
    assert "Out of order since midday." in premises
    wider = "Out of order since midday. Nobody knows why."
    assert (wider in premises) is (score > 0.1)


def test_a_governed_sentence_is_no_premise() -> None:
    source = read_text("It is a myth. The pump in hall two broke down at noon. This is false.")
    model = Scripted(says(1.0), record())
    assert check(CLAIM, source, model=model).verdict is Verdict.NOT_VERIFIABLE


def test_a_governed_passage_still_counts_against_the_claim() -> None:
    source = read_text(
        "The pump in hall two broke down at noon.\n\n"
        "It was wrongly claimed as follows:\n\nThe pump in hall two ran all day long."
    )

    def answer(premise: str) -> EntailmentScores:
        return EntailmentScores(0.0, 0.95) if "all day" in premise else EntailmentScores(0.9, 0.0)

    assert check(CLAIM, source, model=Scripted(answer, record())).verdict is Verdict.NOT_VERIFIABLE


def test_a_weaker_passage_does_not_speak_for_a_governed_one() -> None:
    source = read_text(
        "The pump in hall two was old.\n\nIt is a myth.\n\n"
        "The pump in hall two broke down at noon. This is false."
    )

    def answer(premise: str) -> EntailmentScores:
        return EntailmentScores(0.99 if "broke" in premise else 0.85, 0.0)

    assert check(CLAIM, source, model=Scripted(answer, record())).verdict is Verdict.NOT_VERIFIABLE


@pytest.mark.parametrize(
    ("alone", "verdict"), [(0.85, Verdict.SUPPORTED), (0.7, Verdict.NOT_VERIFIABLE)]
)
def test_a_free_part_of_a_governed_window_speaks_for_itself(alone: float, verdict: Verdict) -> None:
    """The window may only seem to entail the claim for the governed rest of it."""
    source = read_text(
        "The pump in hall two broke down at noon. Why did none of the staff leave the hall?"
    )

    def answer(premise: str) -> EntailmentScores:
        windowed = "broke" in premise and "staff" in premise
        return EntailmentScores(0.99 if windowed else alone if "broke" in premise else 0.0, 0.0)

    assert check(CLAIM, source, model=Scripted(answer, record())).verdict is verdict


def test_a_claim_that_the_source_takes_back_is_not_supported_by_another_passage() -> None:
    source = read_text(
        "The pump in hall two stopped at noon. This was later shown to be wrong.\n\n"
        "At noon the pump of the second hall came to a stop."
    )
    model = Scripted(says(1.0), record())
    assert check(CLAIM, source, model=model).verdict is Verdict.NOT_VERIFIABLE


SELF_CONTRADICTING = [
    ("Passwords have at least 8 characters.", "Passwords have at least 12 characters."),
    ("The trial enrolled 412 adults in total.", "The trial enrolled 214 adults in total."),
    ("Mortality increased in the second year.", "Mortality decreased in the second year."),
    ("Visitors must wear badges at all times.", "Visitors may wear badges at all times."),
    ("Zinc reduced the duration of symptoms.", "Zinc did not reduce the duration of symptoms."),
]


@pytest.mark.parametrize(("claim", "other"), SELF_CONTRADICTING)
def test_a_source_that_contradicts_itself_supports_nothing(claim: str, other: str) -> None:
    source = read_text(f"{claim} Much was written on this.\n\nSome more text follows. {other}")
    result = check(claim, source)
    assert result.verdict is Verdict.NOT_VERIFIABLE
    assert result.gate == "veto: conflict"
    assert other in [evidence.text for evidence in result.evidence]


def test_two_arms_with_two_numbers_do_not_contradict_each_other() -> None:
    source = read_text("Mean age was 45 years in men. Mean age was 47 years in women.")
    assert check("Mean age was 45 years in men.", source).verdict is Verdict.SUPPORTED


def test_each_sentence_of_a_claim_may_be_contradicted_elsewhere() -> None:
    claim = "The pump in hall two failed at noon. The alarm rang in every hall of the plant."
    source = read_text(f"{claim} More follows here.\n\nThe pump in hall two did not fail at noon.")
    result = check(claim, source)
    assert (result.verdict, result.gate) == (Verdict.NOT_VERIFIABLE, "veto: conflict")
