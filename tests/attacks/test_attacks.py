"""Every attack, without a model and with a model that agrees with whatever shares its words."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.claims.check import check
from core.claims.source import Source
from core.claims.verdict import Verdict
from core.documents.read import read_text

HERE = Path(__file__).parent
FIELDS = {"id", "kind", "claim", "source_text", "verdict", "also_ok", "needs_model"}
VERDICTS = {verdict.value for verdict in Verdict}
Row = dict[str, Any]


def _rows() -> Iterator[Row]:
    for path in sorted(HERE.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


ROWS = list(_rows())


def _named(rows: list[Row]) -> Any:
    return pytest.mark.parametrize("row", rows, ids=[f"{r['kind']}-{r['id']}" for r in rows])


def _may_be_supported(row: Row) -> bool:
    return "supported" in (row["verdict"], *row["also_ok"])


@cache
def _source(text: str) -> Source:
    return Source(read_text(text))


def test_the_cases_are_well_formed() -> None:
    assert len(ROWS) >= 220
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert len({(row["claim"], row["source_text"]) for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.keys() - {"model_alone"} == FIELDS, row["id"]
        assert {row["verdict"], *row["also_ok"]} <= VERDICTS, row["id"]


@_named([row for row in ROWS if not _may_be_supported(row)])
def test_no_attack_is_supported_without_a_model(row: Row) -> None:
    result = check(row["claim"], _source(row["source_text"]))
    assert result.verdict is Verdict.NOT_VERIFIABLE


@_named([row for row in ROWS if row["verdict"] == "supported" and not row["needs_model"]])
def test_every_true_quotation_is_found_without_a_model(row: Row) -> None:
    source = _source(row["source_text"])
    result = check(row["claim"], source)
    assert result.verdict is Verdict.SUPPORTED, result.reason
    for evidence in result.evidence:
        assert source.document.text[evidence.start : evidence.end] == evidence.text


@_named([row for row in ROWS if not _may_be_supported(row) and not row.get("model_alone")])
def test_no_attack_is_supported_by_an_agreeable_model(row: Row, agreeable: Any) -> None:
    result = check(row["claim"], _source(row["source_text"]), model=agreeable)
    assert result.verdict is Verdict.NOT_VERIFIABLE


@_named([row for row in ROWS if row["verdict"] == "supported" and not row["needs_model"]])
def test_a_model_takes_no_true_quotation_away(row: Row, agreeable: Any) -> None:
    result = check(row["claim"], _source(row["source_text"]), model=agreeable)
    assert result.verdict is Verdict.SUPPORTED, result.reason


def test_the_agreeable_model_is_dangerous(agreeable: Any) -> None:
    """Without vetoes most attacks get through, so the tests above test the vetoes."""
    from core.claims.check import Restrictions

    attacks = [r for r in ROWS if r["kind"] in ("negation", "numbers", "modality", "quantifiers")]
    bare = Restrictions(governors=(), vetoes=(), conflicts=False)
    through = [
        row["id"]
        for row in attacks
        if check(
            row["claim"], _source(row["source_text"]), model=agreeable, restrictions=bare
        ).verdict
        is Verdict.SUPPORTED
    ]
    assert len(through) > 0.9 * len(attacks)


def test_the_vetoes_leave_honest_paraphrases_alone(agreeable: Any) -> None:
    rows = [row for row in ROWS if row["kind"] == "honest_paraphrase"]
    kept = [
        row["id"]
        for row in rows
        if check(row["claim"], _source(row["source_text"]), model=agreeable).verdict
        is Verdict.SUPPORTED
    ]
    assert len(kept) >= 0.9 * len(rows)
