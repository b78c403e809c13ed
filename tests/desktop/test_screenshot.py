"""The script that takes the pictures says how it is called."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "packaging" / "screenshot.py"


def test_help_is_shown_and_nothing_is_written(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("usage: screenshot.py")
    assert list(tmp_path.iterdir()) == []
