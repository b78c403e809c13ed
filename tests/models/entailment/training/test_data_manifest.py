"""A manifest says what the data file beside it holds."""

import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from models.entailment.training.manifest import licence_classes, summary
from models.entailment.training.pairs import read_rows

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="module")
def written(
    tmp_path_factory: pytest.TempPathFactory, shared: Path, public: Path, document_cases: Path
) -> Path:
    """A folder that the command has written into."""
    folder = tmp_path_factory.mktemp("written")
    command = [
        *(sys.executable, "-m", "models.entailment.training.make_data", "--out", str(folder)),
        *("--pairs", str(public), "--papers", str(shared / "documents" / "papers")),
        *("--barred", str(document_cases), "--frames", "40", "--real", "40"),
    ]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_the_manifest_is_of_the_file(written: Path, papers: list[Path]) -> None:
    manifest = json.loads((written / "generated.manifest.json").read_text("utf-8"))
    data = gzip.decompress((written / "generated.jsonl.gz").read_bytes())
    rows = list(read_rows(written / "generated.jsonl.gz"))
    assert manifest["sha256"] == hashlib.sha256(data).hexdigest()
    assert manifest["rows"] == len(rows) > 200
    for counts in ("by_source_and_label", "by_licence", "by_licence_class"):
        assert sum(manifest[counts].values()) == len(rows)
    assert manifest["papers"] == [path.name for path in papers]
    assert manifest["seed"] == 20261130


def test_a_row_made_from_text_counts_in_the_class_of_its_licence() -> None:
    public = {"source": "set", "licence": "unstated", "licence_class": "mixed_open"}
    rows = [
        {"source": "gen_sentences", "licence": "unstated", "licence_class": "permissive"},
        {"source": "gen_policy", "licence": "generated", "licence_class": "permissive"},
    ]
    found = summary([{**row, "label": "neutral"} for row in rows], licence_classes([public, *rows]))
    assert found["by_licence_class"] == {"mixed_open": 1, "permissive": 1}


def test_each_licence_of_the_public_pairs_has_one_class(public: Path) -> None:
    seen: dict[str, set[str]] = {}
    for row in read_rows(public):
        seen.setdefault(row["licence"], set()).add(row["licence_class"])
    assert {len(classes) for classes in seen.values()} == {1}
    assert set().union(*seen.values()) == {"permissive", "mixed_open"}
