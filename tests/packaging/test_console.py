"""Steps are told with their times; a child is ended together with what it started."""

import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from setup_console import Child, Console, StepFailed, clock, run_logged, tail


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (9.9, "0:09"), (65, "1:05"), (3600, "60:00")]
)
def test_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text


def test_a_step_says_what_it_does_and_how_long_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    with console.step("Installing", "30 s"):
        pass
    said = capsys.readouterr().out
    assert "Installing (usually 30 s)" in said
    assert "done in" in said
    assert [title for title, _ in console.durations] == ["Installing"]


def test_lines_are_held_back_while_a_child_writes(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    with console.held():
        teller = threading.Thread(target=console.say, args=("building",))
        teller.start()
        teller.join()
        console.hint("step 2 of 140")
        assert capsys.readouterr().out == ""
    told = capsys.readouterr().out
    assert "building" in told
    assert "step 2 of 140" not in told
    console.hint("step 3 of 140")
    assert "step 3 of 140" in capsys.readouterr().out


def test_a_failed_command_shows_the_end_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "step.log"
    command = [sys.executable, "-c", "print('all the detail'); raise SystemExit(3)"]
    with pytest.raises(StepFailed, match="Start again") as failed:
        run_logged(Console(), command, log, folder=tmp_path, failure="It broke. Start again.")
    assert "all the detail" in str(failed.value)


def test_tail_is_short(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert tail(log) == ""
    log.write_text("\n".join(map(str, range(100))), encoding="utf-8")
    assert tail(log, 2) == "98\n99"


def test_stopping_a_child_ends_what_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys; "
        "subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    )
    child = Child([sys.executable, "-c", code], tmp_path / "log", folder=tmp_path)
    process = psutil.Process(child.process.pid)
    deadline = time.monotonic() + 30
    while not (family := process.children(recursive=True)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert family
    waiting = threading.Thread(target=child.wait)
    waiting.start()
    child.stop()
    waiting.join(timeout=30)
    assert not waiting.is_alive()
    gone, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []
    assert gone
