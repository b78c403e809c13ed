"""Supervisors over real child processes, each of which must be gone when its test is over."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from models.host.supervisor import Supervisor

Start = Callable[..., Supervisor]


@pytest.fixture(autouse=True)
def _no_process_left() -> Iterator[None]:
    """After each test this process has no child, not even a zombie."""
    before = set(psutil.Process().children(recursive=True))
    yield
    left = set(psutil.Process().children(recursive=True)) - before
    gone, alive = psutil.wait_procs(left, timeout=10)
    assert not gone, f"left behind, though ended later: {gone}"
    assert not alive, f"left behind: {alive}"


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Makes a module of the given source that a worker can be started from."""
    folders = [tmp_path, Path(__file__).parent]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, folders)))

    def make(name: str, source: str) -> str:
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        return name

    return make


@pytest.fixture
def start(modules: Callable[[str, str], str]) -> Iterator[Start]:
    """Makes a supervisor of the faulty worker, or of another module; closed after the test."""
    made: list[Supervisor] = []

    def make(module: str = "fault_child", **options: Any) -> Supervisor:
        made.append(Supervisor(module, name="tester", **options))
        return made[-1]

    yield make
    for supervisor in made:
        supervisor.close()
