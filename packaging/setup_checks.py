"""Every check of the project, in order, with a table of how they ended."""

import os
import subprocess
import time
from dataclasses import dataclass

from setup_chat import ChatBuild
from setup_console import Console, clock
from setup_environment import CACHE, ENVIRONMENT, ROOT, python_in, script_in


@dataclass(frozen=True)
class Check:
    """A command of the environment, and what it holds."""

    title: str
    command: tuple[str, ...]


def checks(pytest_arguments: list[str]) -> list[Check]:
    """The checks in the order in which they run: the quick ones first."""
    python = str(python_in(ENVIRONMENT))
    return [
        Check("ruff check", (python, "-m", "ruff", "check", ".")),
        Check("ruff format", (python, "-m", "ruff", "format", "--check", ".")),
        Check("mypy --strict core", (python, "-m", "mypy", "--strict", "core")),
        Check("import contracts", (str(script_in(ENVIRONMENT, "lint-imports")),)),
        Check("pytest", (python, "-m", "pytest", *pytest_arguments)),
    ]


def run_checks(console: Console, build: ChatBuild | None, pytest_arguments: list[str]) -> int:
    """Run all checks, whatever the earlier ones said. Exit status 0 if every one passed."""
    results: list[tuple[str, bool, float]] = []
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        "COUNTERSIGN_HOME": str(CACHE / "test-home"),
    }
    if build is not None:
        build.start()
    try:
        for check in checks(pytest_arguments):
            console.say(check.title)
            begun = time.monotonic()
            with console.held():
                status = subprocess.run(
                    check.command, cwd=ROOT, env=environment, check=False
                ).returncode
            results.append((check.title, status == 0, time.monotonic() - begun))
        if build is not None:
            begun = time.monotonic()
            passed = build.finish()
            results.append(("language-model runtime", passed, time.monotonic() - begun))
    finally:
        if build is not None:
            build.stop()
    console.plain()
    for title, taken in console.durations:
        console.plain(f"  set-up   {clock(taken):>6}  {title}")
    for title, passed, taken in results:
        console.plain(f"  {'passed' if passed else 'FAILED'}   {clock(taken):>6}  {title}")
    failed = [title for title, passed, _ in results if not passed]
    console.say(f"Failed: {', '.join(failed)}." if failed else "Every check passed.")
    return 1 if failed else 0
