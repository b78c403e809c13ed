"""The one command that a newcomer types says what it does and how it ended."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dev
import pytest
import setup_own_model
from setup_background import InTurn
from setup_console import Console


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Put back how the process is asked to end."""
    kept = {asked: signal.getsignal(asked) for asked in dev.STOPS}
    yield
    for asked, handler in kept.items():
        signal.signal(asked, handler)


@contextmanager
def nothing_to_set_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An environment that is there, on a machine without a screen."""
    with monkeypatch.context() as patch:
        patch.setattr(dev, "ensure_venv_module", lambda console: None)
        patch.setattr(dev, "prepare", lambda console, extras: False)
        patch.setattr(dev, "has_screen", lambda: False)
        patch.setattr(setup_own_model, "make", lambda console, stopped: None)
        yield


def test_help_says_what_each_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        dev.main(["--help"])
    assert ended.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert set(dev.COMMANDS) == {"run", "test", "setup"}
    for name, what in dev.COMMANDS.items():
        assert f"{name} {what}" in said
    assert "3 to 6 minutes" in said


@pytest.mark.parametrize("status", [0, 3])
def test_run_ends_with_how_to_call_the_command_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    status: int,
) -> None:
    monkeypatch.setattr(dev, "run_in_terminal", lambda console, rest: status)
    monkeypatch.chdir(Path(dev.__file__).parent.parent)
    with nothing_to_set_up(monkeypatch):
        assert dev.main(["run", "--no-chat"]) == status
    last = capsys.readouterr().out.splitlines()[-1]
    assert (f"{dev.shown_command(Path.cwd())} check" in last) is (status == 0)


@pytest.mark.parametrize(
    ("fault", "status", "told"),
    [
        (KeyboardInterrupt(), 130, "Stopped. Finished steps are kept"),
        (OSError(28, "No space left on device"), 1, "No space left on device. Start the same"),
    ],
)
def test_an_early_end_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: BaseException,
    status: int,
    told: str,
) -> None:
    def fails(console: Console, rest: InTurn) -> int:
        raise fault

    monkeypatch.setattr(dev, "run_in_terminal", fails)
    with nothing_to_set_up(monkeypatch):
        assert dev.main(["run", "--no-chat"]) == status
    said = capsys.readouterr().out
    assert told in said
    assert "Errno" not in said


@pytest.mark.parametrize("asked", dev.STOPS, ids=lambda asked: asked.name)
def test_asked_twice_to_stop_it_still_cleans_up(
    monkeypatch: pytest.MonkeyPatch, asked: signal.Signals
) -> None:
    cleaned = []

    def stopped_twice(console: Console, rest: InTurn) -> int:
        try:
            signal.raise_signal(asked)
        finally:
            signal.raise_signal(asked)
            cleaned.append(True)
        return 0

    signal.signal(asked, signal.default_int_handler)
    monkeypatch.setattr(dev, "run_in_terminal", stopped_twice)
    with nothing_to_set_up(monkeypatch):
        assert dev.main(["run", "--no-chat"]) == 130
    assert cleaned == [True]
