"""The adapter in the repository is whole, small, and made for the base that is pinned."""

import hashlib
import json
from typing import Any

from models.entailment.own import WEIGHTS_SHA256
from resources import path

FOLDER = path("entailment/adapter")
LARGEST = 30_000_000


def config() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / "config.json").read_text(encoding="utf-8"))
    return loaded


def test_its_files_are_those_that_it_names() -> None:
    for name, sha256 in config()["sha256"].items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == sha256


def test_it_is_for_the_pinned_base() -> None:
    assert config()["base"]["sha256"] == WEIGHTS_SHA256


def test_it_is_small_and_has_a_card() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < LARGEST
    card = (FOLDER.parent / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert f"{config()['training']['examples']:,} examples" in card
