"""The virtual environment beside the project: made once, noticed to be current ever after."""

import hashlib
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from setup_console import Console, StepFailed, run_logged
from setup_lock import Lock

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
CACHE = ROOT / ".cache"
CONSTRAINTS = ROOT / "constraints.txt"
STAMP = ".countersign-setup.json"


def python_in(environment: Path, system: str = sys.platform) -> Path:
    """The interpreter of a virtual environment on `system` (a value of `sys.platform`)."""
    return environment / ("Scripts/python.exe" if system == "win32" else "bin/python")


def script_in(environment: Path, name: str, system: str = sys.platform) -> Path:
    """The command `name` of a virtual environment on `system`."""
    return environment / (f"Scripts/{name}.exe" if system == "win32" else f"bin/{name}")


def fingerprint(files: Iterable[Path], interpreter: str) -> str:
    """SHA-256 over the contents of `files` and the interpreter's description."""
    digest = hashlib.sha256(interpreter.encode())
    for file in files:
        content = file.read_bytes()
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


def interpreter_description() -> str:
    """Version and machine of the running interpreter: an environment holds for these only."""
    return f"{platform.python_implementation()} {platform.python_version()} {platform.machine()}"


def read_stamp(environment: Path) -> tuple[str, frozenset[str]]:
    """Fingerprint and extras of the last whole installation; empty where there was none."""
    try:
        stamp = json.loads((environment / STAMP).read_text(encoding="utf-8"))
        return str(stamp["fingerprint"]), frozenset(map(str, stamp["extras"]))
    except (OSError, ValueError, KeyError, TypeError):
        return "", frozenset()


def write_stamp(environment: Path, mark: str, extras: Collection[str]) -> None:
    """Remember that the environment is whole."""
    content = json.dumps({"fingerprint": mark, "extras": sorted(extras)})
    (environment / STAMP).write_text(content, encoding="utf-8")


def is_current(environment: Path, mark: str, extras: Collection[str]) -> bool:
    """Whether the environment was made from the same files and holds at least `extras`."""
    stamped, installed = read_stamp(environment)
    return stamped == mark and installed.issuperset(extras) and python_in(environment).exists()


def install_command(python: Path, constraints: Path, extras: Collection[str]) -> list[str]:
    """The pip call that installs the project, editable, with `extras`, at pinned versions."""
    named = f"[{','.join(sorted(extras))}]" if extras else ""
    return [
        *pip(python, "install"),
        "--constraint",
        str(constraints),
        "--editable",
        f".{named}",
    ]


def shown_command(folder: Path, system: str = sys.platform) -> str:
    """How to call the command line from `folder`, as a person types it."""
    script = script_in(ENVIRONMENT, "countersign", system).with_suffix("")
    shown = script.relative_to(ROOT) if folder == ROOT else script
    return str(shown).replace("/", "\\") if system == "win32" else str(shown)


def pip(python: Path, command: str) -> list[str]:
    """A pip call that asks nothing and does not look for a newer pip."""
    return [str(python), "-m", "pip", command, "--no-input", "--disable-pip-version-check"]


def make_venv(console: Console, environment: Path) -> None:
    """Make an empty virtual environment, unless one with this interpreter's version is there."""
    python = python_in(environment)
    if python.exists():
        answer = subprocess.run(
            [str(python), "-c", "import sys; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        if answer.returncode == 0 and answer.stdout.split() == [
            str(part) for part in sys.version_info[:2]
        ]:
            return
        if Path(sys.prefix) == environment:
            raise StepFailed(
                f"{environment} was made for another Python. Leave it (deactivate) and start "
                "again: it is then made anew."
            )
        console.say("The environment was made for another Python: it is made anew.")
        shutil.rmtree(environment)
    log = CACHE / "logs" / "environment.log"
    run_logged(
        console,
        [sys.executable, "-m", "venv", str(environment)],
        log,
        folder=ROOT,
        failure=f"The environment {environment} could not be made. Delete it and start again.",
    )


@contextmanager
def environment_alone(console: Console) -> Iterator[None]:
    """Only one process at a time installs into the environment; the others wait."""
    with Lock(CACHE / "environment.lock").turn(console, "is installing"):
        yield


def prepare(console: Console, extras: Collection[str]) -> bool:
    """Make the environment current. Returns whether anything had to be done."""
    mark = fingerprint([ROOT / "pyproject.toml", CONSTRAINTS], interpreter_description())
    if is_current(ENVIRONMENT, mark, extras):
        return False
    with environment_alone(console):
        if is_current(ENVIRONMENT, mark, extras):
            return False
        _install(console, mark, extras)
    return True


def _install(console: Console, mark: str, extras: Collection[str]) -> None:
    _, installed = read_stamp(ENVIRONMENT)
    wanted = installed.union(extras)
    with console.step("Making the environment .venv", "5 s"):
        make_venv(console, ENVIRONMENT)
    with console.step("Installing Countersign and what it needs", "30 to 90 s, about 100 MB"):
        log = CACHE / "logs" / "install.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
        run_logged(
            console,
            install_command(python_in(ENVIRONMENT), CONSTRAINTS, wanted),
            log,
            folder=ROOT,
            failure=(
                "The packages could not be installed. What was downloaded is kept. Check the "
                "connection to the Python package index and start the same command again."
            ),
        )
    write_stamp(ENVIRONMENT, mark, wanted)
