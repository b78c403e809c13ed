import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.claims.serial import from_json, to_json
from core.claims.verdict import CheckResult, Evidence, Outcome, Scope, TraceEntry, Verdict
from core.documents.model import Notice, NoticeKind, TextScope

numbers = st.integers(0, 2**31)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
results = st.builds(
    CheckResult,
    verdict=st.sampled_from(Verdict),
    gate=st.text(),
    reason=st.text(),
    evidence=st.lists(
        st.builds(Evidence, st.text(), numbers, numbers, st.none() | numbers), max_size=3
    ).map(tuple),
    scores=st.dictionaries(st.text(), st.floats(0, 1), max_size=3),
    trace=st.lists(
        st.builds(
            TraceEntry,
            st.text(),
            st.sampled_from(Outcome),
            st.text(),
            st.dictionaries(st.text(), plain, max_size=3),
        ),
        max_size=3,
    ).map(tuple),
    scope=st.builds(
        Scope,
        st.sampled_from(TextScope),
        st.lists(st.builds(Notice, st.sampled_from(NoticeKind), st.text()), max_size=2).map(tuple),
    ),
)


@given(results)
def test_a_result_comes_back_equal_through_json_text(result: CheckResult) -> None:
    assert from_json(json.loads(json.dumps(to_json(result), allow_nan=False))) == result


def test_the_object_is_the_one_of_the_command_line() -> None:
    result = CheckResult(
        Verdict.NOT_VERIFIABLE,
        "numbers",
        "The numbers differ.",
        evidence=(Evidence("It was 65.", 4, 14, 7),),
        scores={"overlap": 0.5},
        trace=(TraceEntry("numbers", Outcome.REFUSED, "65 is not 35.", {"claim": ["35"]}),),
        scope=Scope(TextScope.FULL_TEXT, (Notice(NoticeKind.CORRECTED, "Corrected."),)),
    )
    assert to_json(result) == {
        "verdict": "not_verifiable",
        "gate": "numbers",
        "reason": "The numbers differ.",
        "evidence": [{"text": "It was 65.", "start": 4, "end": 14, "page": 7}],
        "scores": {"overlap": 0.5},
        "trace": [
            {
                "gate": "numbers",
                "outcome": "refused",
                "note": "65 is not 35.",
                "measured": {"claim": ["35"]},
            }
        ],
        "scope": {
            "text": "full_text",
            "notices": [{"kind": "corrected", "text": "Corrected."}],
        },
    }


@pytest.mark.parametrize(
    ("measured", "written"),
    [
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({3}), [3]),
        (Verdict.SUPPORTED, "supported"),
        ({Verdict.SUPPORTED: 1}, {"supported": 1}),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (True, True),
        (object, str(object)),
    ],
)
def test_what_a_gate_measured_is_written_in_plain_values(measured: Any, written: Any) -> None:
    trace = (TraceEntry("g", Outcome.PASSED, "n", {"value": measured}),)
    data = to_json(CheckResult(Verdict.CONTRADICTED, "g", "r", trace=trace))
    assert data["trace"][0]["measured"]["value"] == written
    json.dumps(data, allow_nan=False)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_is_no_number_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        to_json(CheckResult(Verdict.SUPPORTED, "g", "r", scores={"entailment": score}))


def whole() -> dict[str, Any]:
    return to_json(
        CheckResult(
            Verdict.SUPPORTED,
            "g",
            "r",
            evidence=(Evidence("t", 0, 1, 1),),
            scores={"s": 0.5},
            trace=(TraceEntry("g", Outcome.PASSED, "n"),),
            scope=Scope(notices=(Notice(NoticeKind.CONCERN, "t"),)),
        )
    )


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in items:
        found.append((*path, key))
        if isinstance(item, dict | list):
            found += paths(item, (*path, key))
    return found


KEYS = [path for path in paths(whole()) if isinstance(path[-1], str) and path != ("scores", "s")]


@pytest.mark.parametrize("path", KEYS, ids=str)
def test_a_result_with_a_part_missing_is_no_result(path: tuple[Any, ...]) -> None:
    data = copy.deepcopy(whole())
    at = data
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    with pytest.raises(ValueError, match=r".+"):
        from_json(data)


@pytest.mark.parametrize("wrong", [None, 3.5, "Supported", ["supported"], {}], ids=repr)
@pytest.mark.parametrize("path", KEYS, ids=str)
def test_a_part_of_another_type_is_refused_or_kept_as_it_is(
    path: tuple[Any, ...], wrong: Any
) -> None:
    data = copy.deepcopy(whole())
    at = data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = wrong
    try:
        read = from_json(data)
    except ValueError:
        return
    assert path != ("verdict",)
    assert to_json(read) == data
