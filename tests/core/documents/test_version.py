import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.documents.version import READER_SOURCES
from core.version import UNINSTALLED, app_version, digest_of

ROOT = Path(__file__).resolve().parents[3]


def version_in(root: Path) -> str:
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            "from core.documents.version import reader_version; print(reader_version())",
        ],
        cwd=root,
        env={"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout.strip()


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for folder in ("core", "resources/text"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


def test_the_readers_version_is_a_digest(sources: Path) -> None:
    version = version_in(sources)
    assert re.fullmatch("[0-9a-f]{12}", version)
    assert version_in(sources) == version


def test_every_folder_of_the_readers_is_there() -> None:
    for folder in READER_SOURCES:
        assert any((ROOT / folder).iterdir())


@pytest.mark.parametrize("folder", READER_SOURCES)
def test_another_line_in_a_reader_is_another_version(sources: Path, folder: str) -> None:
    before = version_in(sources)
    changed = next(p for p in sorted((sources / folder).rglob("*")) if p.suffix in (".py", ".json"))
    changed.write_text(changed.read_text() + "\n")
    assert version_in(sources) != before


def test_line_ends_are_no_change(sources: Path) -> None:
    before = version_in(sources)
    for changed in sorted((sources / "core" / "documents").glob("*.py")):
        changed.write_bytes(changed.read_bytes().replace(b"\n", b"\r\n"))
    assert version_in(sources) == before


def test_a_change_elsewhere_is_not(sources: Path) -> None:
    before = version_in(sources)
    changed = sources / "core" / "ports.py"
    changed.write_text(changed.read_text() + "\n")
    assert version_in(sources) == before


def test_a_program_without_its_sources_has_the_programs_version_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import core.version

    monkeypatch.setattr(core.version, "__file__", str(tmp_path / "a" / "version.py"))
    assert digest_of.__wrapped__(*READER_SOURCES) == app_version()


def test_an_uninstalled_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import core.version

    monkeypatch.setattr(core.version, "DISTRIBUTION", "no-such-distribution")
    assert app_version.__wrapped__() == UNINSTALLED
