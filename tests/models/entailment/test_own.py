"""The program's own model: made from the right weights only, and never lost to a failed attempt."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.calibration import file as record_file
from core.claims.version import contract_version
from models.entailment import own
from models.entailment.errors import HashMismatch, ModelRefused
from models.entailment.installed import InstalledModel, InstalledModels
from tests.models.tiny_model import install


@pytest.fixture
def models(tmp_path: Path) -> InstalledModels:
    return InstalledModels(tmp_path / "entailment")


def test_another_model_of_that_name_is_not_taken_for_it(
    models: InstalledModels, tmp_path: Path
) -> None:
    assert own.current(models) is None
    install(models, tmp_path, name=own.NAME)
    assert own.current(models) is None


def test_other_weights_are_refused_and_the_model_before_stays(
    models: InstalledModels, tmp_path: Path
) -> None:
    install(models, tmp_path, name=own.NAME)
    before = models.get(own.NAME)
    wrong = tmp_path / "model.safetensors"
    wrong.write_bytes(b"other weights")
    with pytest.raises(HashMismatch):
        own.install(models, wrong)
    assert models.get(own.NAME) == before
    assert [path.name for path in models.folder.iterdir()] == [own.NAME]


def test_a_new_one_takes_the_place_of_the_old_and_stays_in_use(
    models: InstalledModels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(models, tmp_path, name="another")
    install(models, tmp_path, name=own.NAME)
    models.use(own.NAME)
    (models.folder / own.NAME / "old").touch()
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"weights")
    (tmp_path / "new").mkdir()

    def fold(into: InstalledModels, base: Path, *, name: str, **_: object) -> InstalledModel:
        assert (base / own.WEIGHTS).read_bytes() == b"weights"
        assert models.get(own.NAME).manifest, "the old one answers until the new one is whole"
        install(into, tmp_path / "new", name=name)
        return into.get(name)

    monkeypatch.setattr(own, "add_model", fold)
    own.install(models, weights)
    assert not (models.folder / own.NAME / "old").exists()
    in_use = models.in_use()
    assert in_use is not None
    assert (in_use.name, in_use.problem) == (own.NAME, "")
    assert {path.name for path in models.folder.iterdir()} == {
        own.NAME,
        "another",
        "settings.json",
    }


def test_missing_weights_are_named(models: InstalledModels, tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match="There is no file"):
        own.install(models, tmp_path / "nothing.safetensors")
    assert not models.folder.exists()


def test_the_shipped_record_is_for_these_gates() -> None:
    """Whoever changes a gate calibrates again: a record for other gates would not count."""
    record = record_file.read(Path("resources/entailment/record.json"))
    assert record is not None
    assert record.contract_version == contract_version()


def test_set_up_has_made_it_with_its_record(own_model: str) -> None:
    model = own.current(InstalledModels())
    assert model is not None
    assert (model.name, model.problem) == (own_model, "")
    assert model.record == record_file.read(Path("resources/entailment/record.json"))


def test_a_record_of_ones_own_stays_and_an_older_shipped_one_does_not(own_model: str) -> None:
    models = InstalledModels()
    shipped = models.get(own_model).earned
    assert shipped is not None
    models.write_record(own_model, replace(shipped, supported=0.6))
    assert own.bring_record(models).earned == shipped
    mine = replace(shipped, supported=0.995, data_sha256="e" * 64)
    models.write_record(own_model, mine)
    assert own.bring_record(models).earned == mine
    models.write_record(own_model, replace(mine, contract_version="other gates"))
    assert own.bring_record(models).earned == shipped
