"""Starting: what is loaded before the window shows, and the smoke run."""

import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from desktop.app import NO_SCREEN, NO_SCREEN_WORDS, has_screen

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = (
    "sqlite3",
    "sqlite_utils",
    "lxml",
    "pypdfium2",
    "PIL",
    "docx",
    "html5lib",
    "markdown_it",
    "pydantic",
    "psutil",
    "platformdirs",
    "numpy",
    "llama_cpp",
    "ctranslate2",
    "httpx",
)
IMPORTED = re.compile(r"^import time: +\d+ \| +\d+ \| +(\S+)$", re.MULTILINE)
ALLOWED = {"PySide6", "shiboken6", "desktop", "core", "resources"}


def smoke(home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-m", "desktop.app", "--smoke"],
        cwd=ROOT,
        env={**os.environ, "COUNTERSIGN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Modules imported before the window was shown, and after."""
    done = smoke(tmp_path_factory.mktemp("home"), "-X", "importtime")
    assert done.returncode == 0, done.stderr[-2000:]
    before, shown, after = done.stderr.partition("window shown")
    assert shown
    return set(IMPORTED.findall(before)), set(IMPORTED.findall(after))


def test_nothing_heavy_is_imported_before_the_window_shows(
    imported: tuple[set[str], set[str]],
) -> None:
    before, _ = imported
    assert "desktop.main_window" in before
    for name in before:
        assert name.partition(".")[0] not in HEAVY, name


def test_only_qt_and_the_standard_library_come_before(imported: tuple[set[str], set[str]]) -> None:
    before, _ = imported
    bare = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", ""], capture_output=True, text=True, check=True
    )
    outside = {name.partition(".")[0] for name in packages_distributions()} - ALLOWED
    foreign = {name for name in before if name.partition(".")[0] in outside}
    assert not foreign - set(IMPORTED.findall(bare.stderr))


def test_the_store_is_opened_after(imported: tuple[set[str], set[str]]) -> None:
    _, after = imported
    assert "core.storage.store" in after
    assert "sqlite3" in after


def test_a_store_that_cannot_be_opened_ends_the_smoke_run_with_1(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file stands where the folder should be")
    done = smoke(home)
    assert done.returncode == 1
    assert "window not usable" in done.stderr


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": "", "WAYLAND_DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"QT_QPA_PLATFORM": "offscreen"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_screen_is_known_by_the_environment(
    platform: str, environment: dict[str, str], expected: bool
) -> None:
    assert has_screen(platform, environment) is expected


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack a screen")
@pytest.mark.parametrize("options", [[], ["--smoke"]], ids=["window", "smoke"])
def test_without_a_screen_one_sentence_says_what_to_do(tmp_path: Path, options: list[str]) -> None:
    hidden = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [sys.executable, "-m", "desktop.cli", *options],
        cwd=ROOT,
        env={**environment, "COUNTERSIGN_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == NO_SCREEN == 3
    assert done.stderr == NO_SCREEN_WORDS + "\n"
