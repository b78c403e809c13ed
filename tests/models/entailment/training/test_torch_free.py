"""Data is made, chosen and described where torch is not installed."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
TRAINING = ROOT / "models" / "entailment" / "training"
WITH_TORCH = {"encoder", "evaluate", "export", "train"}
WITHOUT_TORCH = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in TRAINING.rglob("*.py")
    if path.stem not in {*WITH_TORCH, "__init__"}
)


def imported_without_torch(module: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.modules['torch'] = None; import {module}"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_modules_without_torch_import_without_it() -> None:
    done = imported_without_torch(", ".join(WITHOUT_TORCH))
    assert done.returncode == 0, done.stderr
    assert len(WITHOUT_TORCH) > 15


@pytest.mark.parametrize("name", sorted(WITH_TORCH))
def test_the_check_notices_torch(name: str) -> None:
    assert imported_without_torch(f"models.entailment.training.{name}").returncode != 0
