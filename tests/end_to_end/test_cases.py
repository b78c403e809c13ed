"""The labelled cases through the command line, without an entailment model."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.cli import main


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def run(path: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[dict[str, Any], Any]]:
    """(case, answer) of every case, in order; a case without an answer fails here."""
    assert main(["check", "--batch", str(path), "--json"]) == 0
    cases = lines(path.read_text(encoding="utf-8"))
    answers = lines(capsys.readouterr().out)
    assert [case["id"] for case in cases] == [answer["id"] for answer in answers]
    assert not [answer for answer in answers if "error" in answer]
    return list(zip(cases, answers, strict=True))


@pytest.mark.parametrize("name", ["attacks", "passages", "documents"])
def test_no_false_support_and_no_contradiction(
    name: str, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for case, answer in run(shared / "cases" / f"{name}.jsonl", capsys):
        honest = case["verdict"] == "supported" or "supported" in case["also_ok"]
        assert honest or answer["verdict"] != "supported", case["claim"]
        assert answer["verdict"] != "contradicted", "only a model may contradict"


def test_the_lexical_gate_alone_finds_a_third_of_the_honest_attacks(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = run(shared / "cases" / "attacks.jsonl", capsys)
    found = [case["id"] for case, answer in rows if answer["verdict"] == "supported"]
    assert len(found) >= 7


def test_every_verbatim_claim_on_a_whole_document_is_found_with_its_sentence(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = run(shared / "cases" / "documents.jsonl", capsys)
    verbatim = [row for row in rows if row[0]["category"] == "supported_verbatim"]
    assert len(verbatim) == 14
    for case, answer in verbatim:
        assert answer["verdict"] == "supported", case["claim"]
        shown = " ".join(answer["evidence"][0]["text"].split())
        assert case["evidence"].split()[0] in shown
        assert len(shown) >= 0.8 * len(case["evidence"])
