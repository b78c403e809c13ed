"""Who may speak to a network, where import contracts cannot tell."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_nothing_of_the_network_is_imported_before_a_request() -> None:
    script = "import sys, core.egress\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT, text=True)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()).isdisjoint({"httpx", "httpcore", "socket", "ssl", "http"})


def test_nothing_else_opens_addresses() -> None:
    """`urllib` is used for its quoting only, which import contracts cannot tell apart."""
    for folder in ("core", "models", "desktop"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    names = [f"{node.module}.{alias.name}" for alias in node.names]
                bad = [n for n in names if n.startswith("urllib") and "parse" not in n]
                assert bad == [], file
