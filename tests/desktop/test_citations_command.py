"""`countersign citations`: objects, errors and exit status."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop.cli import main

TEXT = "We follow Art. 5(1)(a) and (b) GDPR."


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_batch_gives_the_canonical_strings_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = tmp_path / "texts.jsonl"
    rows = [
        {"id": "a", "text": TEXT},
        {"id": "b", "text": "Art. 6, Art. 5 and Art. 6 again.", "framework": "GDPR"},
        {"id": "c", "text": "Nothing here."},
        {"id": "d", "text": ""},
        {"text": "Clause 9.2", "framework": None},
        {"id": "cut", "text": "GDPR Articles 1 to 999"},
    ]
    batch.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert main(["citations", "--batch", str(batch), "--json"]) == 0
    answers = objects(capsys.readouterr().out)
    assert answers[:-1] == [
        {"id": "a", "citations": ["GDPR Article 5(1)(a)", "GDPR Article 5(1)(b)"]},
        {"id": "b", "citations": ["GDPR Article 6", "GDPR Article 5"]},
        {"id": "c", "citations": []},
        {"id": "d", "citations": []},
        {"id": "n4", "citations": []},
    ]
    assert answers[-1]["citations"] == ["GDPR Article 1", "GDPR Article 999"]
    assert "only the two ends" in answers[-1]["notes"][0]


def test_one_bad_line_does_not_stop_a_batch(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        "{not json",
        json.dumps(["a list"]),
        json.dumps({"id": "none"}),
        json.dumps({"id": "number", "text": 7}),
        json.dumps({"id": "framework", "text": TEXT, "framework": 7}),
        '{"id": "half", "text": "Art. 5 GDPR \\ud800"}',
        json.dumps({"id": "good", "text": TEXT}),
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(rows)))
    assert main(["citations", "--batch", "-", "--json"]) == 0
    answers = objects(capsys.readouterr().out)
    assert [a["id"] for a in answers] == [
        "n0", "n1", "none", "number", "framework", "half", "good",
    ]  # fmt: skip
    assert ["error" in a for a in answers] == [True] * 5 + [False] * 2


def test_a_text_with_places(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["citations", "--text", TEXT, "--json"]) == 0
    (answer,) = objects(capsys.readouterr().out)
    assert answer["citations"] == ["GDPR Article 5(1)(a)", "GDPR Article 5(1)(b)"]
    first = answer["found"][0]
    assert first["instrument"] == "GDPR"
    assert first["locator"] == "Article 5(1)(a)"
    assert TEXT[first["start"] : first["end"]] == first["quote"] == "Art. 5(1)(a) and (b)"


def test_a_document_and_its_framework(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.md"
    file.write_text("# Access\n\nSee A.5.15 and clause 9.2.\n", encoding="utf-8")
    arguments = ["citations", "--document", str(file), "--framework", "ISO 27001:2022"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == (
        "ISO/IEC 27001:2022 A.5.15\t“A.5.15”\nISO/IEC 27001:2022 9.2\t“clause 9.2”\n"
    )


def test_nothing_found_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["citations", "--text", "Nothing here."]) == 0
    assert capsys.readouterr().out.startswith("No citation")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--text", " "], 2, "empty"),
        (["--document", "no/such/file.md"], 3, "no file"),
        (["--batch", "no/such/file.jsonl"], 2, "cannot be opened"),
        (["--batch", "-", "--framework", "GDPR"], 2, "its own framework"),
    ],
)
def test_input_at_fault(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["citations", *arguments]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
