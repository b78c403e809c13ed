"""Two set-ups never hold one lock, and a holder that died holds nothing."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import setup_lock
from setup_console import Console
from setup_lock import Lock

HOLDS = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from setup_lock import Lock
lock = Lock(Path(sys.argv[1]))
assert lock.take()
print("held", flush=True)
time.sleep(600)
"""


def holding(path: Path) -> subprocess.Popen[str]:
    """Another process that holds the lock."""
    folder = str(Path(setup_lock.__file__).parent)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path), folder], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_only_one_holds_it_and_a_killed_holder_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "build.lock"
    process = holding(path)
    lock = Lock(path)
    assert lock.take() is False
    assert lock.holder() == f"process {process.pid}"
    process.kill()
    process.communicate()
    assert path.read_text(encoding="utf-8") == str(process.pid)
    assert lock.take() is True
    assert lock.holder() == f"process {os.getpid()}"
    assert Lock(path).take() is False
    lock.release()
    assert Lock(path).take() is True


@pytest.mark.parametrize("content", [b"", b"no number", b"\xff\xfe", b"-1"])
def test_a_file_that_was_left_behind_locks_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "build.lock"
    path.write_bytes(content)
    lock = Lock(path)
    assert lock.holder() == "a process"
    assert lock.take() is True


def test_releasing_what_is_not_held_does_nothing(tmp_path: Path) -> None:
    path = tmp_path / "build.lock"
    held, other = Lock(path), Lock(path)
    assert held.take()
    other.release()
    assert Lock(path).take() is False


def test_a_turn_waits_for_the_holder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "environment.lock"
    process = holding(path)
    turns: list[bool] = []

    def work() -> None:
        with Lock(path).turn(Console(), "is installing") as held:
            turns.append(held)

    waiting = threading.Thread(target=work)
    waiting.start()
    waiting.join(timeout=1)
    assert turns == []
    process.kill()
    process.communicate()
    waiting.join(timeout=30)
    assert turns == [True]
    assert f"(process {process.pid}) is installing: waiting for it" in capsys.readouterr().out
    assert Lock(path).take() is True


def test_waiting_can_be_stopped(tmp_path: Path) -> None:
    path = tmp_path / "environment.lock"
    first = Lock(path)
    assert first.take()
    with Lock(path).turn(Console(), "is building", lambda: True) as held:
        assert held is False
    assert Lock(path).take() is False
