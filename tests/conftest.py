"""Fixtures that every test may use."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PREPARED = Path(os.environ.get("COUNTERSIGN_HOME", ROOT / ".cache" / "test-home"))
"""The data folder in which `packaging/dev.py test` has made the program's own model."""

# The same examples on every machine, so that a change is what turns a test red. To look for new
# ones: pytest --hypothesis-profile=search
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("fixed")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of case data beside the repository."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        raise FileNotFoundError(
            f"The case data are missing: expected a folder named 'shared' beside {ROOT.name}/."
        )
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A COUNTERSIGN_HOME of the test's own, so that no test touches the person's data."""
    folder = tmp_path / "countersign-home"
    monkeypatch.setenv("COUNTERSIGN_HOME", str(folder))
    return folder


@pytest.fixture
def own_model(home: Path) -> str:
    """The name of the program's own entailment model, installed in the test's data folder."""
    from models.entailment.own import NAME

    made = PREPARED / "models" / "entailment" / NAME
    assert made.is_dir(), "packaging/dev.py test makes the entailment model before the tests"
    shutil.copytree(
        made, home / "models" / "entailment" / NAME, copy_function=os.link, dirs_exist_ok=True
    )
    return NAME
