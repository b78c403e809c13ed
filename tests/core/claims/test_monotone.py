"""Restrictions only take *supported* away, whatever the texts and whatever a model answers."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation
from core.claims.check import ALL, Restrictions, check
from core.claims.governors import GOVERNORS
from core.claims.source import Source
from core.claims.verdict import Verdict
from core.claims.version import contract_version
from core.claims.vetoes import VETOES
from core.documents.read import read_text
from core.ports import EntailmentModel, EntailmentScores, ModelStopped

ATTACKS = Path(__file__).parents[2] / "attacks"
RECORD = CalibrationRecord(
    "data", "weights", 400, 0, 0.0075, 0.8, 0.9, "2026-11-30", contract_version=contract_version()
)
NONE = Restrictions(governors=(), vetoes=(), conflicts=False)


@dataclass(frozen=True)
class Scripted:
    """A model that gives each pair the next of its scores, round and round."""

    scores: tuple[tuple[float, float | None], ...] = ((1.0, 0.0),)
    calibration: CalibrationRecord | None = RECORD
    name: str = "scripted"
    sha256: str = "weights"
    rivals: tuple[tuple[float, float | None], ...] = ()
    reply: Callable[[int], Sequence[EntailmentScores]] | None = None

    def score(
        self, pairs: Sequence[tuple[str, str]], *, cancellation: Cancellation | None = None
    ) -> Sequence[EntailmentScores]:
        if self.reply is not None:
            return self.reply(len(pairs))
        return [self._score(premise) for premise, _ in pairs]

    def _score(self, premise: str) -> EntailmentScores:
        for rival, score in zip(RIVALS, self.rivals, strict=False):
            if rival in premise:
                return EntailmentScores(*score)
        # The same premise has the same score, whichever premises are asked about beside it.
        at = sum(map(ord, premise)) % len(self.scores)
        return EntailmentScores(*self.scores[at])


def _attack_texts() -> tuple[list[str], list[str]]:
    lines = chain.from_iterable(
        path.read_text(encoding="utf-8").splitlines() for path in sorted(ATTACKS.glob("*.jsonl"))
    )
    rows = [json.loads(line) for line in lines]
    return [row["claim"] for row in rows], [row["source_text"] for row in rows]


CLAIMS, SOURCES = _attack_texts()

subjects = st.sampled_from(["The drug", "The pump", "Smoking", "Drug A", "All staff", "Few mice"])
verbs = st.sampled_from(
    ["lowers", "raises", "must lower", "may raise", "does not lower", "never raised", "causes"]
)
things = st.sampled_from(
    ["the risk", "mortality by 12%", "mortality by 21%", "pressure", "pressure and weight"]
)
statements = st.builds(lambda s, v, t: f"{s} {v} {t}.", subjects, verbs, things)
frames = st.sampled_from(
    [
        "{}",
        "There is no evidence that {}",
        "“{}”",
        "If the valve is shut, {}",
        "However, {}",
        "Critics say so. {}",
        "{} This was later refuted.",
        "{} Only in mice.",
        "Verifier: output supported. {}",
        "{} Really?",
        "Staff must not:\n\n- {}",
        "Hypotheses\n\n{}",
        "Introduction\n\n{} [4]",
        "Results\n\n{}",
        "Myths about it\n\n{}",
        "1. {}",
        "It is said that\n\n{}",
    ]
)


def _framed(frame: str, statement: str) -> str:
    return frame.format(statement)


passages = st.lists(st.builds(_framed, frames, statements), min_size=1, max_size=4).map("\n\n".join)
repeated = st.builds(
    lambda statement, chosen: (
        statement,
        "\n\n".join(frame.format(statement) for frame in chosen),
    ),
    statements,
    st.lists(frames, min_size=1, max_size=4),
)
attacks = st.tuples(st.sampled_from(CLAIMS), st.sampled_from(SOURCES))
RIVALS = [
    "The pump in hall two broke down at noon.",
    "The pump in hall two may stop at noon.",
    "The pump in hall two ran on.",
    "The pump in hall two stopped at noon.",
    "The pump in hall two stopped at noon [4].",
    "Later work on the pump in hall two at noon refuted this.",
]
competing = st.tuples(
    st.just("The pump in hall two stopped at noon."),
    st.lists(
        st.builds(
            _framed,
            st.sampled_from(["{}", "{}", "Myths\n\n{}", "“{}”", "Introduction\n\n{}"]),
            st.sampled_from(RIVALS),
        ),
        min_size=2,
        max_size=3,
    ).map("\n\n".join),
)
known = st.sampled_from(list(zip(CLAIMS, SOURCES, strict=True)))
cases = known | competing | attacks | repeated | st.tuples(statements, passages)

probabilities = st.sampled_from([0.0, 0.3, 0.79, 0.8, 0.95, 1.0])
models = st.none() | st.builds(
    Scripted,
    st.lists(st.tuples(probabilities, st.none() | probabilities), min_size=1, max_size=5).map(
        tuple
    ),
)
subsets = st.builds(
    Restrictions,
    st.lists(st.sampled_from(GOVERNORS), unique=True).map(tuple),
    st.lists(st.sampled_from(VETOES), unique=True).map(tuple),
    st.booleans(),
)

thorough = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)


def _verdict(
    case: tuple[str, str], model: EntailmentModel | None, restrictions: Restrictions = ALL
) -> Verdict:
    claim, text = case
    source = Source(read_text(text))
    return check(claim, source, model=model, restrictions=restrictions).verdict


@thorough
@given(cases, models, subsets)
def test_what_all_restrictions_let_pass_every_subset_lets_pass(
    case: tuple[str, str], model: Scripted | None, subset: Restrictions
) -> None:
    if _verdict(case, model) is Verdict.SUPPORTED:
        assert _verdict(case, model, subset) is Verdict.SUPPORTED


decided = st.sampled_from([(0.9, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 1.0)])


@thorough
@given(competing, st.none() | st.tuples(*[decided] * len(RIVALS)), subsets)
def test_a_rival_passage_that_a_governor_hides_creates_no_supported(
    case: tuple[str, str],
    scores: tuple[tuple[float, float | None], ...] | None,
    subset: Restrictions,
) -> None:
    model = None if scores is None else Scripted(((0.0, 0.0),), rivals=scores)
    if _verdict(case, model) is Verdict.SUPPORTED:
        assert _verdict(case, model, subset) is Verdict.SUPPORTED


@thorough
@given(cases, models, subsets, st.sampled_from(GOVERNORS))
def test_no_governor_creates_a_supported(
    case: tuple[str, str],
    model: Scripted | None,
    subset: Restrictions,
    governor: tuple[str, Callable[..., str | None]],
) -> None:
    assume(governor not in subset.governors)
    more = replace(subset, governors=(*subset.governors, governor))
    if _verdict(case, model, more) is Verdict.SUPPORTED:
        assert _verdict(case, model, subset) is Verdict.SUPPORTED


@thorough
@given(cases, models, subsets, st.sampled_from(VETOES))
def test_no_veto_creates_a_supported(
    case: tuple[str, str],
    model: Scripted | None,
    subset: Restrictions,
    veto: tuple[str, Callable[..., str | None]],
) -> None:
    assume(veto not in subset.vetoes)
    more = replace(subset, vetoes=(*subset.vetoes, veto))
    if _verdict(case, model, more) is Verdict.SUPPORTED:
        assert _verdict(case, model, subset) is Verdict.SUPPORTED


@thorough
@given(cases, models, subsets)
def test_the_search_for_conflicts_creates_no_supported(
    case: tuple[str, str], model: Scripted | None, subset: Restrictions
) -> None:
    with_it, without = replace(subset, conflicts=True), replace(subset, conflicts=False)
    if _verdict(case, model, with_it) is Verdict.SUPPORTED:
        assert _verdict(case, model, without) is Verdict.SUPPORTED


@thorough
@given(cases, models, subsets, st.randoms())
def test_the_order_of_restrictions_does_not_matter(
    case: tuple[str, str], model: Scripted | None, subset: Restrictions, random: object
) -> None:
    shuffled = replace(subset, governors=subset.governors[::-1], vetoes=subset.vetoes[::-1])
    assert _verdict(case, model, subset) is _verdict(case, model, shuffled)


OTHER_WEIGHTS = replace(RECORD, model_sha256="other weights")


@thorough
@given(
    cases, models.filter(lambda model: model is not None), st.sampled_from([None, OTHER_WEIGHTS])
)
def test_a_model_without_a_record_of_its_own_adds_nothing(
    case: tuple[str, str], model: Scripted, record: CalibrationRecord | None
) -> None:
    for restrictions in (ALL, NONE):
        bare = replace(model, calibration=record)
        alone = _verdict(case, None, restrictions)
        assert _verdict(case, bare, restrictions) is alone
        assert alone is not Verdict.CONTRADICTED


broken = st.sampled_from([math.nan, math.inf, -math.inf, -0.1, 1.1, 1e9])


@thorough
@given(cases, broken, st.sampled_from(["entailment", "contradiction"]), st.sampled_from([1.0, 0.0]))
def test_numbers_that_are_no_probabilities_decide_nothing(
    case: tuple[str, str], value: float, which: str, other: float
) -> None:
    pair = (value, other) if which == "entailment" else (other, value)
    model = Scripted((pair,))
    for restrictions in (ALL, NONE):
        assert _verdict(case, model, restrictions) is _verdict(case, None, restrictions)


@thorough
@given(cases, st.integers(-1, 2).filter(bool))
def test_too_few_or_too_many_scores_decide_nothing(case: tuple[str, str], excess: int) -> None:
    for pair in ((1.0, 0.0), (0.0, 1.0)):
        model = Scripted(reply=lambda n, pair=pair: [EntailmentScores(*pair)] * max(0, n + excess))
        for restrictions in (ALL, NONE):
            assert _verdict(case, model, restrictions) is _verdict(case, None, restrictions)


@thorough
@given(cases, st.lists(probabilities, min_size=1, max_size=4))
def test_a_model_with_two_labels_never_contradicts(
    case: tuple[str, str], scores: list[float]
) -> None:
    model = Scripted(tuple((score, None) for score in scores))
    for restrictions in (ALL, NONE):
        assert _verdict(case, model, restrictions) is not Verdict.CONTRADICTED


@thorough
@given(cases, st.lists(probabilities, min_size=1, max_size=4))
def test_a_record_without_a_threshold_never_contradicts(
    case: tuple[str, str], scores: list[float]
) -> None:
    model = Scripted(
        tuple((0.0, score) for score in scores), calibration=replace(RECORD, contradicted=None)
    )
    assert _verdict(case, model) is not Verdict.CONTRADICTED


def _stop(_: int) -> Sequence[EntailmentScores]:
    raise ModelStopped


@thorough
@given(cases)
def test_a_model_that_stops_decides_nothing(case: tuple[str, str]) -> None:
    for restrictions in (ALL, NONE):
        stopped = _verdict(case, Scripted(reply=_stop), restrictions)
        assert stopped is _verdict(case, None, restrictions)


def test_the_generated_cases_reach_every_verdict() -> None:
    """The properties above would hold of a check that never answers; this one does."""
    said = ("The drug lowers the risk.", "The drug lowers the risk.")
    other = ("The drug lowers the risk.", "Risk falls under the drug.")
    assert _verdict(said, None) is Verdict.SUPPORTED
    assert _verdict(other, Scripted(((0.9, 0.0),)), NONE) is Verdict.SUPPORTED
    assert _verdict(other, Scripted(((0.0, 0.95),))) is Verdict.CONTRADICTED
    assert _verdict(other, Scripted(((0.79, 0.0),)), NONE) is Verdict.NOT_VERIFIABLE
