"""A small draw of the generated data, made once, from the real public pairs and papers."""

from pathlib import Path

import pytest

from models.entailment.training.authored import read_passages
from models.entailment.training.authored import rows as authored_rows
from models.entailment.training.make_data import generate
from models.entailment.training.sources import usable_papers

ROOT = Path(__file__).resolve().parents[4]
SEED = 20261130


@pytest.fixture(scope="session")
def public(shared: Path) -> Path:
    return shared / "nli" / "train.jsonl.gz"


@pytest.fixture(scope="session")
def evaluation_files(shared: Path) -> list[Path]:
    return sorted((shared / "nli" / "eval").glob("*.jsonl.gz"))


@pytest.fixture(scope="session")
def document_cases(shared: Path) -> Path:
    return shared / "cases" / "documents.jsonl"


@pytest.fixture(scope="session")
def papers(shared: Path, document_cases: Path) -> list[Path]:
    return usable_papers(shared / "documents" / "papers", [document_cases])


@pytest.fixture(scope="session")
def generated(public: Path, papers: list[Path]) -> list[dict[str, str]]:
    """About 1,000 rows: 150 of each family and of each kind of edited real text."""
    return generate(public, papers, seed=SEED, frames=150, edited=150)


@pytest.fixture(scope="session")
def authored() -> list[dict[str, str]]:
    """The rows of every passage that was written for training."""
    folder = ROOT / "resources" / "entailment" / "training" / "authored"
    return authored_rows(
        (p for f in sorted(folder.glob("*.jsonl")) for p in read_passages(f)), SEED
    )
