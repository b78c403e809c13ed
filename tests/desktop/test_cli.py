"""The command line's contract: objects, offsets, errors and exit status."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop.cli import main

TEXT = "Records must be kept for five years. Backups follow within 30 days."


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_single_check_prints_the_object(capsys: pytest.CaptureFixture[str]) -> None:
    claim = "Records must be kept for five years."
    assert main(["check", "--claim", claim, "--source-text", TEXT, "--json"]) == 0
    (answer,) = objects(capsys.readouterr().out)
    assert answer["verdict"] == "supported"
    assert answer["gate"] == "lexical"
    (evidence,) = answer["evidence"]
    assert TEXT[evidence["start"] : evidence["end"]] == evidence["text"] == claim
    assert evidence["page"] is None
    assert [entry["gate"] for entry in answer["trace"]] == [
        "hygiene", "scope", "lexical", "vetoes",
    ]  # fmt: skip


def test_without_json_a_person_can_read_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--claim", "Records are kept for ten years.", "--source-text", TEXT]) == 0
    out = capsys.readouterr().out
    assert out.startswith("NOT VERIFIABLE  ")
    assert "entailment" in out


def test_a_file_is_read_in_the_reader_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "policy.md"
    file.write_text(f"# Retention\n\n{TEXT}\n", encoding="utf-8")
    arguments = ["check", "--claim", "Backups follow within 30 days.", "--source", str(file)]
    assert main([*arguments, "--json"]) == 0
    assert objects(capsys.readouterr().out)[0]["verdict"] == "supported"


ARGUMENTS_AT_FAULT = [
    (["check", "--claim", "  ", "--source-text", TEXT], 2, "claim is empty"),
    (["check", "--claim", "Some claim here."], 2, "one source"),
    (["check", "--claim", "Some claim here.", "--source-text", ""], 2, "empty"),
    (["check", "--claim", "Some claim here.", "--source", "no/such/file.pdf"], 3, "no file"),
    (["check", "--batch", "no/such/file.jsonl", "--json"], 2, "cannot be opened"),
    (["check", "--claim", "Some claim here.", "--source", "tests"], 2, "is a folder"),
    (["check", "--claim", "Some claim here.", "--citation", "Smith 2010"], 2, "names a work"),
    (["check", "--claim", "Some claim here.", "--source-text", TEXT, "--workspace", ""], 2, "name"),
    (["history", "--workspace", "Nowhere"], 2, "no workspace"),
    (["history", "--limit", "0"], 2, "at least 1"),
]


@pytest.mark.parametrize(("arguments", "status", "words"), ARGUMENTS_AT_FAULT)
def test_input_at_fault(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err


def test_an_unreadable_source_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "empty.pdf"
    file.write_bytes(b"")
    assert main(["check", "--claim", "Some claim here.", "--source", str(file)]) == 2
    assert "empty" in capsys.readouterr().err


def test_one_bad_line_does_not_stop_a_batch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "policy.md").write_text(TEXT, encoding="utf-8")
    good = {"claim": "Backups follow within 30 days.", "source_text": TEXT}
    rows = [
        json.dumps({"id": "a", **good}),
        "{not json",
        json.dumps(["a list"]),
        json.dumps({"id": "no source", "claim": "Some claim."}),
        json.dumps({"id": "two sources", **good, "source": "policy.md"}),
        json.dumps({"id": "number", "claim": 7, "source_text": TEXT}),
        json.dumps({"id": "missing", "claim": "Some claim.", "source": "absent.md"}),
        json.dumps({"id": "nobody", "claim": "Some claim.", "source": "~nobody-at-all/x.md"}),
        json.dumps({"id": "long", "claim": "Some claim.", "source": "x" * 5000}),
        json.dumps({"id": "pattern", "claim": "Some claim.", "source": "*.md"}),
        '{"id": NaN, "claim": "Some claim.", "source_text": "Some text."}',
        '{"id": ' + "[" * 50000 + "]" * 50000 + "}",
        '{"id": ' + "9" * 5000 + "}",
        json.dumps({"id": "beside", "claim": good["claim"], "source": "policy.md"}),
        json.dumps({"id": "citation", "claim": good["claim"], "citation": "doi:10.1000/1"}),
        "",
        json.dumps({"id": "z", **good}),
    ]
    batch = tmp_path / "cases.jsonl"
    batch.write_text("\n".join(rows), encoding="utf-8")
    assert main(["check", "--batch", str(batch), "--json"]) == 0
    answers = objects(capsys.readouterr().out)
    assert [a["id"] for a in answers] == [
        "a", "n1", "n2", "no source", "two sources", "number", "missing", "nobody", "long",
        "pattern", "n10", "n11", "n12", "beside", "citation", "z",
    ]  # fmt: skip
    assert [a.get("verdict", "error") for a in answers] == [
        "supported", *["error"] * 12, "supported", "not_verifiable", "supported",
    ]  # fmt: skip


def test_two_files_of_one_name_are_not_guessed_between(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("documents/one", "documents/two"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "policy.md").write_text(TEXT, encoding="utf-8")
    batch = tmp_path / "cases.jsonl"
    batch.write_text(json.dumps({"id": "a", "claim": "Some claim.", "source": "policy.md"}))
    assert main(["check", "--batch", str(batch), "--json"]) == 0
    (answer,) = objects(capsys.readouterr().out)
    assert "2 files named" in answer["error"]


def test_a_batch_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"claim": "Backups follow within 30 days.", "source_text": TEXT}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(row)))
    assert main(["check", "--batch", "-", "--json"]) == 0
    (answer,) = objects(capsys.readouterr().out)
    assert (answer["id"], answer["verdict"]) == ("n0", "supported")


def test_a_check_in_a_workspace_is_kept_and_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "policy.md"
    file.write_text(TEXT, encoding="utf-8")
    claim = "Backups follow within 30 days."
    check = ["check", "--claim", claim, "--source", str(file), "--workspace", "Audit", "--json"]
    assert main(check) == 0
    capsys.readouterr()
    assert main(["history", "--workspace", "audit", "--json"]) == 0
    (kept,) = objects(capsys.readouterr().out)
    assert (kept["claim"], kept["verdict"], kept["source"]) == (claim, "supported", "policy.md")
    assert main(["history", "--repeat", str(kept["id"]), "--json"]) == 0
    (again,) = objects(capsys.readouterr().out)
    assert again["same"] is True
    assert again["changes"] == []


def test_it_runs_as_a_program_and_ends_quietly_when_its_reader_leaves(tmp_path: Path) -> None:
    row = json.dumps({"claim": "Backups follow within 30 days.", "source_text": TEXT})
    batch = tmp_path / "cases.jsonl"
    batch.write_text("\n".join([row] * 400), encoding="utf-8")
    command = [sys.executable, "-m", "desktop.cli", "check", "--batch", str(batch), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        first = json.loads(program.stdout.readline())
        program.stdout.close()
        assert program.stderr.read() == b""
    assert first["verdict"] == "supported"
    assert program.returncode == 0


def test_nothing_heavy_is_imported_for_help() -> None:
    code = (
        "import sys, desktop.cli\n"
        "desktop.cli.parser()\n"
        "heavy = {'PySide6', 'sqlite_utils', 'lxml', 'pypdfium2', 'pydantic', 'psutil', 'docx'}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode == 0, done.stderr
