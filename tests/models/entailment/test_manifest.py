"""An installed model is what its manifest lists, or it is not loaded."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models.entailment import manifest as manifests
from models.entailment.errors import ModelDamaged
from models.entailment.scorer import Scorer


@pytest.fixture
def folder(installed: Callable[..., Path], tmp_path: Path) -> Path:
    """An installed model that a test may damage."""
    return Path(shutil.copytree(installed("bert", "int8"), tmp_path / "model"))


def test_what_is_written_is_read(folder: Path, tmp_path: Path) -> None:
    manifest = manifests.verify(folder)
    manifests.write(tmp_path, manifest)
    assert manifests.read(tmp_path) == manifest
    assert set(manifest.files) == {
        "encoder/config.json",
        "encoder/model.bin",
        "encoder/vocabulary.json",
        "head.npz",
        "tokenizer.json",
    }


@pytest.mark.parametrize("name", ["encoder/model.bin", "head.npz", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["cut", "flip", "remove", "replace by a link", "empty"])
def test_every_change_of_a_file_is_noticed(folder: Path, name: str, damage: str) -> None:
    file = folder / name
    whole = file.read_bytes()
    match damage:
        case "cut":
            file.write_bytes(whole[:-1])
        case "flip":
            file.write_bytes(whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:])
        case "remove":
            file.unlink()
        case "empty":
            file.write_bytes(b"")
        case _:
            moved = file.rename(folder.parent / "elsewhere")
            file.symlink_to(moved)
    with pytest.raises(ModelDamaged):
        manifests.verify(folder)
    with pytest.raises(ModelDamaged):
        Scorer(folder, device="cpu", threads=1)


@pytest.mark.parametrize(
    "name", ["encoder/vocabulary.txt", "model.py", "encoder/deep/er.so", "head.npz.bak"]
)
def test_a_file_that_is_not_listed_is_noticed(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"")
    with pytest.raises(ModelDamaged):
        manifests.verify(folder)


@pytest.mark.parametrize("name", ["calibration.json", ".DS_Store", "encoder/Thumbs.db"])
def test_what_is_no_part_of_the_model_does_no_harm(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")
    assert name not in manifests.verify(folder).files


CHANGES: list[tuple[str, Any]] = [
    ("format", 2),
    ("family", "deberta"),
    ("family", "roberta"),
    ("labels", {"entailment": 0, "contradiction": 1, "neutral": 2}),
    ("labels", {"entailment": 1, "contradiction": None, "neutral": 0}),
    ("labels", {"entailment": None, "contradiction": 0, "neutral": 2}),
    ("labels", {"entailment": 1, "contradiction": 1, "neutral": 2}),
    ("labels", {"entailment": True, "contradiction": 0, "neutral": 2}),
    ("labels", {"entailment": -1, "contradiction": 0, "neutral": 2}),
    ("labels", {"entailment": 1}),
    ("labels", [1, 0, 2]),
    ("max_tokens", 0),
    ("max_tokens", 10_000),
    ("max_tokens", "256"),
    ("prompt", "{premise} {hypothesis}"),
    ("files", {}),
    ("files", {"../outside": "0" * 64}),
    ("files", {"/etc/passwd": "0" * 64}),
    ("files", {"C:\\windows": "0" * 64}),
    ("files", {"a/./b": "0" * 64}),
    ("files", {"a": "abc"}),
    ("sha256", "0" * 64),
    ("sha256", None),
    ("name", "../other"),
    ("name", "con"),
    ("quantization", "int4"),
    ("labels_confirmed_by", "nobody"),
    ("source", {}),
    ("adapter", "none"),
    ("label_names", 3),
]


@pytest.mark.parametrize(("key", "value"), CHANGES)
def test_every_change_that_matters_to_a_score_is_noticed(
    folder: Path, key: str, value: object
) -> None:
    data = json.loads((folder / manifests.FILE).read_text(encoding="utf-8"))
    data[key] = value
    (folder / manifests.FILE).write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ModelDamaged):
        manifests.verify(folder)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"null", b"[]", b"7", b"\xff", b"[" * 100_000, b" " * 2_000_000]
)
def test_a_manifest_that_is_none(folder: Path, content: bytes) -> None:
    (folder / manifests.FILE).write_bytes(content)
    with pytest.raises(ModelDamaged):
        manifests.read(folder)


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged):
        manifests.read(tmp_path)


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("mpnet-own.v2_int8", True),
        ("A", True),
        ("", False),
        (".hidden", False),
        ("a/b", False),
        ("a\\b", False),
        ("..", False),
        ("end.", False),
        ("space d", False),
        ("NUL", False),
        ("com1.txt", False),
        ("ü", False),
        ("x" * 65, False),
    ],
)
def test_names_that_are_folders_on_every_system(name: str, usable: bool) -> None:
    assert manifests.usable_name(name) is usable
