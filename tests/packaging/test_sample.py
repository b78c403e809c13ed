"""The sample gives the verdicts that it promises, through the command line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import setup_sample as sample
from setup_background import BackgroundJob, InTurn
from setup_console import Console

ROWS = sample.ready_claims()
COMMAND = [sys.executable, "-c", "import sys; from desktop.cli import main; sys.exit(main())"]


def checked(claim: str, source: Path) -> dict[str, Any]:
    """The command line's answer."""
    arguments = sample.check_command(claim, source)[1:]
    answer = subprocess.run(
        [*COMMAND, *arguments],
        cwd=sample.ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert answer.returncode == 0, answer.stderr
    return dict(json.loads(answer.stdout))


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_each_ready_claim_gets_its_verdict(row: dict[str, str]) -> None:
    answer = checked(row["claim"], sample.SAMPLES / row["source"])
    assert answer["verdict"] == row["verdict"]
    assert answer["reason"]
    if row["verdict"] == "supported":
        assert answer["evidence"][0]["page"] == 4
        joined = " ".join(answer["evidence"][0]["text"].replace("-\n", "").split())
        assert row["claim"].rstrip(".") in joined


def test_the_paper_itself_gives_the_same_verdicts_as_its_print() -> None:
    paper = sample.SAMPLES / "eyes-and-lying.xml"
    verdicts = {row["id"]: checked(row["claim"], paper)["verdict"] for row in ROWS}
    assert verdicts == {row["id"]: row["verdict"] for row in ROWS}


def test_a_window_is_opened_on_a_supported_claim_first() -> None:
    assert ROWS[0]["verdict"] == "supported"
    assert {row["verdict"] for row in ROWS[1:]} == {"not_verifiable"}


def test_the_sample_is_attributed() -> None:
    text = (sample.SAMPLES / "ATTRIBUTION.md").read_text(encoding="utf-8")
    paper = (sample.SAMPLES / "eyes-and-lying.xml").read_text(encoding="utf-8")
    for needed in ("Wiseman", "10.1371/journal.pone.0040259", "Creative Commons Attribution"):
        assert needed in text
        assert needed in paper


def test_the_shipped_print_is_what_the_script_prints(tmp_path: Path) -> None:
    import print_sample

    printed = tmp_path / "sample.pdf"
    print_sample.print_sample(printed)
    assert printed.read_bytes() == (sample.SAMPLES / "eyes-and-lying.pdf").read_bytes()


def test_a_verdict_is_printed_for_a_person() -> None:
    answer = {
        "verdict": "not_verifiable",
        "reason": "The numbers differ.",
        "evidence": [{"text": "Of 32\nparticipants, 18–\n56 years, all answered.", "page": 2}],
    }
    note = "The paper says 32."
    assert sample.readable("All 48 answered.", answer, note).splitlines() == [
        "  Claim    All 48 answered.",
        "  Answer   NOT VERIFIABLE",
        "  Why      The numbers differ.",
        "  Nearest  “Of 32 participants, 18–56 years, all answered.” (page 2)",
        "  Note     The paper says 32.",
    ]


def test_the_paper_and_its_file_are_named() -> None:
    said = " ".join(sample.heading(ROWS).split())
    assert said == f"Paper {sample.PAPER} File resources/samples/eyes-and-lying.pdf"
    title = sample.PAPER.split(", ", 1)[1]
    assert title in (sample.SAMPLES / "ATTRIBUTION.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("status", [0, 3])
def test_the_sample_in_the_terminal_tells_each_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    class Ready(BackgroundJob):
        def work(self) -> None:
            """Have it at once."""

    answer = json.dumps({"verdict": "not_verifiable", "reason": "Because.", "evidence": []})
    code = f"import sys; print({answer!r}); sys.exit({status})"
    monkeypatch.setattr(sample, "check_command", lambda *_: [sys.executable, "-c", code])
    console = Console()
    rest = InTurn([Ready(console, "own model", "It is not ready.")])
    assert sample.run_in_terminal(console, rest) == (1 if status else 0)
    said = " ".join(capsys.readouterr().out.split())
    assert sample.PAPER in said
    for row in ROWS:
        assert (f"Note {row['note']}" in said) is (status == 0)
    assert ("Nothing about these claims." in said) is (status == 0)
