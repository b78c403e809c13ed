"""A worker never outlives the program, however the program ends."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from models.host.supervisor import Supervisor

ROOT = Path(__file__).parents[2]

PARENT = """
import sys
from models.host.supervisor import Supervisor

supervisor = Supervisor("fault_child")
supervisor.call("echo", {"value": 1})
print(supervisor.pid, flush=True)
method = sys.argv[1]
if method == "return":
    sys.exit(0)
supervisor.call(method, {}, on_progress=lambda *_: print("working", flush=True))
"""


def gone(pid: int, seconds: float) -> bool:
    """Whether the process ends within the time; there may be nobody to reap it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("method", "end"),
    [
        ("hang", "kill"),
        ("hold_interpreter", "kill"),
        ("flood_pieces", "kill"),
        ("wait", "kill"),
        ("hang", "terminate"),
        ("return", "wait"),
    ],
)
def test_the_worker_ends_with_the_program(
    modules: Callable[[str, str], str], method: str, end: str
) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, method],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        if method not in ("return", "flood_pieces"):
            assert parent.stdout.readline() == "working\n"
            time.sleep(0.3)  # the worker is deep in its work by then
        assert end == "wait" or psutil.pid_exists(worker)
        getattr(parent, end)()
        parent.wait(30)
    assert gone(worker, seconds=30)


def test_ctrl_c_is_for_the_program_and_not_for_its_worker(
    start: Callable[..., Supervisor],
) -> None:
    supervisor = start()
    supervisor.call("echo", {"value": 1})
    pid = supervisor.pid
    assert pid is not None
    psutil.Process(pid).send_signal(signal.SIGINT)
    assert supervisor.call("pid", {}) == pid
