"""Tiny checkpoints of each architecture, with the answers of the reference implementation."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from models.entailment.importer import import_model

FIXTURES = Path(__file__).parent / "fixtures"

CONFIRMED = {"neutral": 0, "entailment": 1}


@dataclass(frozen=True)
class Checkpoint:
    """A tiny checkpoint: its folder, what importing it needs, and the recorded cases."""

    name: str
    folder: Path
    options: dict[str, Any]

    @property
    def cases(self) -> list[dict[str, Any]]:
        """premise, hypothesis, ids, types and logits of each recorded pair."""
        return json.loads((self.folder / "reference.json").read_text(encoding="utf-8"))["cases"]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [(case["premise"], case["hypothesis"]) for case in self.cases]


CHECKPOINTS = {
    checkpoint.name: checkpoint
    for checkpoint in (
        Checkpoint("bert", FIXTURES / "bert", {}),
        Checkpoint("bert_two_labels", FIXTURES / "bert_two_labels", {}),
        Checkpoint("roberta", FIXTURES / "roberta", {}),
        Checkpoint("xlm_roberta", FIXTURES / "xlm_roberta", {}),
        Checkpoint("mpnet", FIXTURES / "mpnet", {}),
        Checkpoint(
            "mpnet_adapted",
            FIXTURES / "mpnet" / "base",
            {"adapter": FIXTURES / "mpnet" / "adapter"},
        ),
        Checkpoint("t5", FIXTURES / "t5", {"labels": CONFIRMED}),
        Checkpoint("flan_t5", FIXTURES / "flan_t5", {"labels": CONFIRMED}),
    )
}


@pytest.fixture(params=CHECKPOINTS)
def checkpoint(request: pytest.FixtureRequest) -> Checkpoint:
    """Each tiny checkpoint in turn."""
    return CHECKPOINTS[request.param]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Gives the folder of a checkpoint, imported once; not to be written to."""
    made: dict[tuple[str, str], Path] = {}

    def install(name: str, quantization: str = "float32") -> Path:
        key = (name, quantization)
        if key not in made:
            target = tmp_path_factory.mktemp("installed") / f"{name}-{quantization}"
            checkpoint = CHECKPOINTS[name]
            import_model(
                checkpoint.folder,
                target,
                name=name,
                quantization=quantization,
                **checkpoint.options,
            )
            made[key] = target
        return made[key]

    return install


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    """Copies a folder to a place where a test may change it."""

    def copy(folder: Path) -> Path:
        return Path(shutil.copytree(folder, tmp_path / "copies" / folder.name))

    return copy
