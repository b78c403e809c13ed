"""Thresholds from labelled pairs: the real check, with a model whose every score is known."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.calibration.bounds import allowed_errors, clopper_pearson_upper
from core.calibration.calibrate import CalibrationRefused, calibrate, data_sha256
from core.calibration.observe import LabelledPair
from core.calibration.pairs import PairsUnreadable, read_pairs
from core.calibration.record import BRAKE, CalibrationRecord, stricter
from core.cancellation import Cancellation, Cancelled
from core.claims.check import check
from core.claims.source import Source
from core.claims.verdict import CheckResult, Verdict
from core.claims.version import contract_version
from core.documents.read import read_text
from core.ports import EntailmentScores, ModelStopped

CLAIM = "The pump in hall two stopped at noon."
SENTENCE = "The pump in hall two broke down at noon."
YES, NO, OPEN = (
    frozenset({Verdict.SUPPORTED}),
    frozenset({Verdict.CONTRADICTED}),
    frozenset({Verdict.NOT_VERIFIABLE}),
)


class FixedClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


class Known:
    """Scores a premise by the name in it; a premise without a name scores 0."""

    name = "known"
    sha256 = "a" * 64

    def __init__(self) -> None:
        self.scores: dict[str, EntailmentScores] = {}
        self.calibration: CalibrationRecord | None = None
        self.asked = 0
        self.stops_at: int | None = None

    def score(
        self, pairs: Sequence[tuple[str, str]], *, cancellation: Cancellation | None = None
    ) -> list[EntailmentScores]:
        self.asked += len(pairs)
        if self.stops_at is not None and self.asked > self.stops_at:
            raise ModelStopped("The model stopped.")
        return [self.answer(premise) for premise, _ in pairs]

    def answer(self, premise: str) -> EntailmentScores:
        for word in premise.rstrip(".").split():
            if word in self.scores:
                return self.scores[word]
        return EntailmentScores(0.0, 0.0)


def name(number: int) -> str:
    letters = ""
    for _ in range(4):
        letters += "abcdefghij"[number % 10]
        number //= 10
    return f"Keller{letters}"


Row = tuple[frozenset[Verdict], float, float]


def measured(rows: Sequence[Row]) -> tuple[Known, list[LabelledPair]]:
    """A model and pairs: (right verdicts, entailment, contradiction) of each."""
    model = Known()
    pairs = []
    for number, (verdicts, entailment, contradiction) in enumerate(rows):
        who = name(number)
        model.scores[who] = EntailmentScores(entailment, contradiction)
        document = read_text(f"{SENTENCE} {who} was there.")
        pairs.append(LabelledPair(CLAIM, document, verdicts))
    return model, pairs


def record_of(rows: Sequence[Row], target: float = 0.01) -> CalibrationRecord:
    model, pairs = measured(rows)
    return calibrate(model, pairs, clock=FixedClock(), target=target)


EASY: list[Row] = [(OPEN, 0.001 * n, 0.0) for n in range(300)]
"""300 pairs that are not supported, with scores up to 0.299."""


def test_supported_gets_the_lowest_score_that_keeps_the_bound() -> None:
    rows = [*EASY[1:], (OPEN, 0.8, 0.0), (YES, 0.7, 0.0), (YES, 0.85, 0.0), (YES, 0.9, 0.0)]
    record = record_of(rows)
    assert record.supported == 0.85, "one false support in 300 would be a bound of 1.6 %"
    assert (record.pairs, record.negatives) == (303, 300)
    assert (record.supports, record.false_supports) == (2, 0)
    assert record.bound == clopper_pearson_upper(0, 300) <= 0.01
    assert (record.contradicted, record.contradicted_bound, record.contradictions) == (
        None,
        None,
        0,
    )
    assert record.model_sha256 == Known.sha256
    assert record.made_on == "2026-11-30"
    assert record.contract_version


def test_with_more_pairs_some_errors_are_allowed() -> None:
    rows = [*EASY, *EASY[:200], (OPEN, 0.8, 0.0), (YES, 0.7, 0.0), (YES, 0.9, 0.0)]
    assert allowed_errors(501, 0.01) == 1
    record = record_of(rows)
    assert (record.supported, record.supports, record.false_supports) == (0.7, 2, 1)
    assert record.bound == clopper_pearson_upper(1, 501) <= 0.01


def test_a_tie_with_a_false_support_is_not_taken() -> None:
    rows = [*EASY[1:], (OPEN, 0.8, 0.0), (YES, 0.8, 0.0), (YES, 0.81, 0.0)]
    assert record_of(rows).supported == 0.81


def test_no_threshold_is_below_one_half() -> None:
    rows = [*EASY, (YES, 0.4, 0.0), (YES, 0.5, 0.0), (YES, 0.6, 0.0)]
    assert record_of(rows).supported == 0.5


def test_too_few_pairs_are_refused_with_the_number_that_is_needed() -> None:
    rows = [*EASY[:298], *[(YES, 0.9, 0.0)] * 50]
    with pytest.raises(CalibrationRefused, match=r"^298 of the 348 pairs .* at least 299 of them"):
        record_of(rows)
    assert record_of([*EASY[:299], (YES, 0.9, 0.0)]).supported == 0.9


def test_a_model_that_cannot_tell_them_apart_earns_nothing() -> None:
    with pytest.raises(CalibrationRefused, match="At no threshold"):
        record_of([*EASY[1:], (OPEN, 1.0, 0.0), (YES, 0.99, 0.0)])
    with pytest.raises(CalibrationRefused, match="At no threshold"):
        record_of(EASY)


def test_what_a_veto_takes_away_is_no_false_support() -> None:
    rows = [*EASY, (YES, 0.7, 0.0)]
    model, pairs = measured(rows)
    vetoed = LabelledPair(f"{CLAIM[:-1]}, in 40 seconds.", pairs[0].document, OPEN)
    model.scores[name(0)] = EntailmentScores(0.99, 0.0)
    assert check_at(model, vetoed, 0.5).gate.startswith("veto")
    pairs[0] = vetoed
    record = calibrate(model, pairs, clock=FixedClock())
    assert (record.supported, record.false_supports) == (0.7, 0)


def test_what_a_veto_takes_away_is_no_contradiction_either() -> None:
    model, pairs = measured([*EASY, *AGAINST[:58], (YES, 0.7, 0.0)])
    for number, row in enumerate([(NO, 0.99, 0.9)] * 5):
        who = name(1000 + number)
        model.scores[who] = EntailmentScores(*row[1:])
        document = read_text(f"{SENTENCE} {who} was there.")
        pairs.append(LabelledPair(f"{CLAIM[:-1]}, in 40 seconds.", document, row[0]))
    record = calibrate(model, pairs, clock=FixedClock())
    assert (record.contradicted, record.contradictions) == (None, 0)


def test_what_the_lexical_gate_says_wrongly_counts_at_every_threshold() -> None:
    rows = [*EASY, (YES, 0.7, 0.0)]
    model, pairs = measured(rows)
    pairs[0] = LabelledPair(SENTENCE, pairs[0].document, OPEN)
    with pytest.raises(CalibrationRefused, match="At no threshold"):
        calibrate(model, pairs, clock=FixedClock())


def thresholds(model: Known, supported: float) -> CalibrationRecord:
    return CalibrationRecord(
        "d" * 64,
        model.sha256,
        300,
        0,
        0.01,
        supported,
        None,
        "2026-11-30",
        contract_version=contract_version(),
    )


def check_at(model: Known, pair: LabelledPair, supported: float) -> CheckResult:
    model.calibration = thresholds(model, supported)
    return check(pair.claim, pair.document, model=model)


AGAINST: list[Row] = [(NO, 0.0, 0.6 + 0.005 * n) for n in range(70)]
"""70 contradicted pairs with contradictions from 0.6 to 0.945."""


def test_contradicted_gets_a_threshold_of_its_own() -> None:
    record = record_of([*EASY, *AGAINST, (OPEN, 0.0, 0.62), (YES, 0.7, 0.0)])
    assert record.contradicted == pytest.approx(0.625)
    assert (record.contradictions, record.false_contradictions) == (65, 0)
    assert record.contradicted_bound == clopper_pearson_upper(0, 65) < 0.05


def test_too_few_contradictions_earn_none_and_leave_supported_as_it_is() -> None:
    record = record_of([*EASY, *AGAINST[:58], (YES, 0.7, 0.0)])
    assert (record.contradicted, record.contradictions) == (None, 0)
    assert record.supported == 0.7


def test_a_contradiction_of_another_passage_takes_a_false_support_away() -> None:
    rows = [*EASY[1:], (OPEN, 0.9, BRAKE), (YES, 0.7, 0.0), *AGAINST, *AGAINST]
    assert record_of(rows).supported == 0.7
    without = [row for row in rows if row[0] != NO]
    record = record_of(without)
    assert (record.supported, record.contradicted) == (0.7, None)
    assert record.braked_at == BRAKE
    weaker = [(v, e, BRAKE - 0.01 if c == BRAKE else c) for v, e, c in without]
    with pytest.raises(CalibrationRefused, match="At no threshold"):
        record_of(weaker)


def test_a_model_that_may_not_say_contradicted_still_brakes() -> None:
    model, (pair,) = measured([(YES, 0.9, BRAKE)])
    model.calibration = replace(thresholds(model, 0.8), brake=BRAKE)
    assert model.calibration.contradicted is None
    assert check(pair.claim, pair.document, model=model).verdict is Verdict.NOT_VERIFIABLE
    model.scores[name(0)] = EntailmentScores(0.9, BRAKE - 0.01)
    assert check(pair.claim, pair.document, model=model).verdict is Verdict.SUPPORTED


def test_a_stricter_threshold_of_contradicted_frees_no_support() -> None:
    model, (pair,) = measured([(YES, 0.9, 0.7)])
    earned = replace(thresholds(model, 0.8), contradicted=0.6)
    for contradicted in (0.6, 0.71, 1.0):
        model.calibration = stricter(earned, contradicted=contradicted)
        verdict = check(pair.claim, pair.document, model=model).verdict
        assert verdict is Verdict.NOT_VERIFIABLE
    model.calibration = thresholds(model, 0.8)
    assert check(pair.claim, pair.document, model=model).verdict is Verdict.SUPPORTED


def test_a_stop_of_the_model_is_no_answer() -> None:
    model, pairs = measured([*EASY, (YES, 0.9, 0.0)])
    model.stops_at = 200
    with pytest.raises(ModelStopped):
        calibrate(model, pairs, clock=FixedClock())


def test_cancel_ends_it() -> None:
    model, pairs = measured([*EASY, (YES, 0.9, 0.0)])
    cancellation = Cancellation()

    def stop(done: int, total: int, what: str) -> None:
        if done == 20:
            cancellation.cancel()

    with pytest.raises(Cancelled):
        calibrate(model, pairs, clock=FixedClock(), progress=stop, cancellation=cancellation)


def test_each_premise_is_scored_once() -> None:
    model, pairs = measured([*EASY, (YES, 0.9, 0.0)])
    calibrate(model, pairs, clock=FixedClock())
    # Two sentences and their window, of which the first sentence is the same in all.
    assert model.asked == 1 + 2 * len(pairs)


def test_a_check_that_answers_otherwise_than_it_was_measured_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def turning(claim: str, source: Source, *, model: Known, cancellation: None) -> CheckResult:
        result = check(claim, source, model=model)
        assert model.calibration is not None
        wide_open_or_shut = model.calibration.supported in (0.0, 2.0)
        return result if wide_open_or_shut else replace(result, verdict=Verdict.SUPPORTED)

    model, pairs = measured([*EASY, (YES, 0.9, 0.0)])
    monkeypatch.setattr("core.calibration.calibrate.check", turning)
    with pytest.raises(CalibrationRefused, match="answered otherwise"):
        calibrate(model, pairs, clock=FixedClock())


ROWS = st.lists(
    st.tuples(
        st.sampled_from([YES, NO, OPEN]),
        st.floats(0, 1, allow_subnormal=False),
        st.floats(0, 1, allow_subnormal=False),
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=5, deadline=None)
@given(ROWS)
def test_the_record_holds_what_the_check_does_with_it(rows: list[Row]) -> None:
    model, pairs = measured([*EASY, *AGAINST, *rows])
    try:
        record = calibrate(model, pairs, clock=FixedClock())
    except CalibrationRefused:
        return
    model.calibration = record
    said = [check(pair.claim, pair.document, model=model).verdict for pair in pairs]
    false = sum(
        v is Verdict.SUPPORTED and v not in p.verdicts for v, p in zip(said, pairs, strict=True)
    )
    found = sum(
        v is Verdict.SUPPORTED and v in p.verdicts for v, p in zip(said, pairs, strict=True)
    )
    assert (record.false_supports, record.supports) == (false, found)
    assert clopper_pearson_upper(false, record.negatives) <= record.target
    against = [p for v, p in zip(said, pairs, strict=True) if v is Verdict.CONTRADICTED]
    wrong = sum(Verdict.CONTRADICTED not in p.verdicts for p in against)
    assert (record.contradictions, record.false_contradictions) == (len(against), wrong)
    if against:
        assert clopper_pearson_upper(wrong, len(against)) <= 0.05


def test_the_hash_covers_claims_sources_and_labels_in_order() -> None:
    _, pairs = measured([(YES, 0.9, 0.0), (OPEN, 0.1, 0.0)])
    hashes = {
        data_sha256(pairs),
        data_sha256(pairs[::-1]),
        data_sha256(pairs[:1]),
        data_sha256([pairs[0], replace(pairs[1], verdicts=NO)]),
        data_sha256([pairs[0], replace(pairs[1], claim="Another claim.")]),
        data_sha256([pairs[0], replace(pairs[1], document=read_text("Another source."))]),
    }
    assert len(hashes) == 6


GOOD_ROWS = [
    ({"premise": "P.", "hypothesis": "H.", "label": "entailment"}, YES),
    ({"premise": "P.", "hypothesis": "H.", "label": "contradiction"}, NO),
    ({"premise": "P.", "hypothesis": "H.", "label": "neutral"}, OPEN),
    ({"premise": "P.", "hypothesis": "H.", "label": "not_entailment"}, OPEN),
    ({"claim": "H.", "source_text": "P.", "verdict": "supported", "id": 1}, YES),
    ({"claim": "H.", "source": "P.", "verdict": "contradicted"}, NO),
    ({"claim": "H.", "source_text": "P.", "verdict": "contradicted", "also_ok": []}, NO),
    (
        {"claim": "H.", "source_text": "P.", "verdict": "contradicted",
         "also_ok": ["not_verifiable"]},
        NO | OPEN,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("row", "verdicts"), GOOD_ROWS)
def test_rows_are_read(row: dict[str, object], verdicts: frozenset[Verdict]) -> None:
    (pair,) = read_pairs([json.dumps(row), "\n"], read_text)
    assert (pair.claim, pair.document.text.strip(), pair.verdicts) == ("H.", "P.", verdicts)


BAD_ROWS = [
    "{",
    "[]",
    "{}",
    '"premise"',
    json.dumps({"premise": "P.", "hypothesis": "H.", "label": "supported"}),
    json.dumps({"premise": "P.", "hypothesis": "H.", "label": ["entailment"]}),
    json.dumps({"premise": "P.", "hypothesis": " ", "label": "neutral"}),
    json.dumps({"premise": 7, "hypothesis": "H.", "label": "neutral"}),
    json.dumps({"claim": "H.", "source_text": "P."}),
    json.dumps({"claim": "H.", "verdict": "supported"}),
    json.dumps({"claim": "H.", "source_text": "P.", "verdict": "true"}),
    json.dumps({"claim": "H.", "source_text": "P.", "verdict": "supported", "also_ok": ["x"]}),
]


@pytest.mark.parametrize("line", BAD_ROWS)
def test_a_row_at_fault_is_named_and_none_is_left_out(line: str) -> None:
    good = json.dumps(GOOD_ROWS[0][0])
    with pytest.raises(PairsUnreadable, match=r"^Line 2 is not"):
        read_pairs([good, line, good], read_text)


def test_rows_on_one_source_share_it() -> None:
    rows = [
        json.dumps({"premise": "P.", "hypothesis": f"H{n}.", "label": "neutral"}) for n in (1, 2)
    ]
    first, second = read_pairs(rows)
    assert first.document is second.document
