"""The sample: a real paper and ready claims, in the window or in the terminal."""

import json
import re
import subprocess
import textwrap
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from setup_background import InTurn
from setup_console import Console, StepFailed
from setup_environment import ENVIRONMENT, ROOT, python_in, script_in

SAMPLES = ROOT / "resources" / "samples"
CLAIMS = SAMPLES / "claims.jsonl"

WINDOW_HEAD_START = 10.0
"""Seconds that the window and its first verdict have to themselves before anything is built."""

PAPER = (
    "Wiseman and others (2012), The Eyes Don't Have It: Lie Detection and Neuro-Linguistic "
    "Programming"
)
"""The sample as a person would name it."""

WIDTH = 88

VERDICTS = {
    "supported": "SUPPORTED",
    "contradicted": "CONTRADICTED",
    "not_verifiable": "NOT VERIFIABLE",
}


def models_folder() -> Path:
    """The product's own folder for models, as the product itself names it."""
    asked = subprocess.run(
        [
            str(python_in(ENVIRONMENT)),
            "-c",
            "from core.home import models_folder; print(models_folder())",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode != 0:
        raise StepFailed("The installation is damaged. Delete .venv and start the same command.")
    return Path(asked.stdout.strip())


def ready_claims() -> list[dict[str, str]]:
    """The rows of the sample's claims."""
    lines = CLAIMS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def check_command(claim: str, source: Path) -> list[str]:
    """The call of the command line that checks `claim` against the file `source`."""
    countersign = str(script_in(ENVIRONMENT, "countersign"))
    return [countersign, "check", "--claim", claim, "--source", str(source), "--json"]


def wrapped(label: str, text: str) -> str:
    """`text` in lines of bounded width behind `label`, the later ones indented under it."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=f"  {label:<9}",
        subsequent_indent=" " * 11,
        break_on_hyphens=False,
    )


def readable(claim: str, answer: dict[str, Any], note: str = "") -> str:
    """A claim, its verdict and the ready claim's note for a person to read."""
    verdict = VERDICTS.get(str(answer.get("verdict")), str(answer.get("verdict")))
    lines = [wrapped("Claim", claim), wrapped("Answer", verdict)]
    if answer.get("reason"):
        lines.append(wrapped("Why", str(answer["reason"])))
    for evidence in answer.get("evidence", [])[:1]:
        page = f" (page {evidence['page']})" if evidence.get("page") else ""
        label = "Nearest" if answer["verdict"] == "not_verifiable" else "Evidence"
        text = re.sub(r"([-–])\n", r"\1", str(evidence["text"]))
        lines.append(wrapped(label, f"“{text}”{page}"))
    if note:
        lines.append(wrapped("Note", note))
    return "\n".join(lines)


def heading(rows: Sequence[Mapping[str, str]]) -> str:
    """What the ready claims are checked against: the paper, and its files."""
    files = ", ".join(
        (SAMPLES / name).relative_to(ROOT).as_posix()
        for name in dict.fromkeys(row["source"] for row in rows)
    )
    return "\n".join([wrapped("Paper", PAPER), wrapped("File", files)])


def run_in_terminal(console: Console, rest: InTurn) -> int:
    """Check every ready claim, then again what the entailment model, once made, says otherwise.

    Nothing of `rest` but its first job, that model, is begun here.
    """
    console.say("There is no screen: the sample runs here, in the terminal.")
    rows = ready_claims()
    console.plain()
    console.plain(heading(rows))
    try:
        first = [_answered(console, row) for row in rows]
        console.plain()
        console.say(
            "These are the sample's verdicts. With a screen, the same command opens a window."
        )
        if rest.first():
            _what_the_model_adds(console, rows, first)
    except StepFailed as fault:
        console.say(str(fault))
        return 1
    return 0


def _answered(console: Console, row: Mapping[str, str], *, if_not: str = "") -> str:
    """The verdict on a ready claim, printed unless it is `if_not`. Raises `StepFailed`."""
    answer = subprocess.run(
        check_command(row["claim"], SAMPLES / row["source"]),
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if answer.returncode != 0:
        raise StepFailed(answer.stderr.strip() or answer.stdout.strip())
    given = json.loads(answer.stdout)
    if given["verdict"] != if_not:
        console.plain()
        console.plain(readable(row["claim"], given, row.get("note", "")))
    return str(given["verdict"])


def _what_the_model_adds(
    console: Console, rows: Sequence[Mapping[str, str]], before: Sequence[str]
) -> None:
    console.say("The entailment model is ready. What it says otherwise:")
    after = [_answered(console, row, if_not=old) for row, old in zip(rows, before, strict=True)]
    console.plain()
    if after == list(before):
        console.say("Nothing about these claims.")


def run_window(console: Console, rest: InTurn) -> int:
    """Open the window on the sample; begin with `rest` once its first verdict had time to show."""
    console.say("Opening the window on the sample.")
    window = subprocess.Popen(
        [str(python_in(ENVIRONMENT)), "-m", "desktop.app", "--sample"], cwd=ROOT
    )
    opened = time.monotonic()
    try:
        while window.poll() is None:
            time.sleep(0.2)
            if time.monotonic() - opened >= WINDOW_HEAD_START:
                rest.go_on()
    except BaseException:
        window.terminate()
        try:
            window.wait(timeout=5)
        except subprocess.TimeoutExpired:
            window.kill()
        raise
    if window.returncode != 0:
        console.say(f"The window ended with status {window.returncode}.")
    else:
        console.say("The window is closed. The rest goes on here; Ctrl+C stops it.")
    return window.returncode
