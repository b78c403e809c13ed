"""The models of a machine: listing, choosing, removing, and what a person may set."""

import json
import shutil
from pathlib import Path

import pytest

from core.calibration import file as record_file
from core.calibration.record import CalibrationRecord
from core.claims.version import contract_version
from models.entailment.errors import ModelDamaged, ModelRefused
from models.entailment.installed import SETTINGS, InstalledModels, ModelMissing
from models.entailment.worker import EntailmentWorker, describe
from tests.models.tiny_model import install, write_checkpoint


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that tests copy: taking one in starts a process."""
    folder = tmp_path_factory.mktemp("made")
    return install(InstalledModels(folder / "entailment"), folder, name="one").folder


@pytest.fixture
def models(tmp_path: Path, made: Path) -> InstalledModels:
    """One installed model, called "one"."""
    folder = tmp_path / "entailment"
    shutil.copytree(made, folder / "one")
    return InstalledModels(folder)


def add_second(models: InstalledModels) -> None:
    """A copy of the model under the name "two", with a manifest that says so."""
    shutil.copytree(models.folder / "one", models.folder / "two")
    manifest = models.folder / "two" / "manifest.json"
    data = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(data | {"name": "two"}), encoding="utf-8")


def record(models: InstalledModels, **values: object) -> CalibrationRecord:
    manifest = models.get("one").manifest
    assert manifest is not None
    given: dict[str, object] = {
        "data_sha256": "d" * 64,
        "model_sha256": manifest.sha256,
        "pairs": 700,
        "false_supports": 0,
        "bound": 0.0075,
        "supported": 0.8,
        "contradicted": 0.9,
        "made_on": "2026-11-30",
        "negatives": 400,
        "contract_version": contract_version(),
    }
    return CalibrationRecord(**(given | values))  # type: ignore[arg-type]


def test_without_a_folder_there_are_none(tmp_path: Path) -> None:
    models = InstalledModels(tmp_path / "nowhere")
    assert models.all() == []
    assert models.in_use() is None
    with pytest.raises(ModelMissing, match="Installed: none"):
        models.get("one")


def test_half_written_and_foreign_things_are_no_models(models: InstalledModels) -> None:
    (models.folder / ".one.123.partial").mkdir()
    (models.folder / "notes.txt").write_text("x", encoding="utf-8")
    assert [model.name for model in models.all()] == ["one"]


@pytest.mark.parametrize("name", ["../one", ".", "", "one/encoder", "/", "con", "a" * 65])
def test_a_name_never_leaves_the_folder(models: InstalledModels, name: str) -> None:
    for action in (models.get, models.remove, models.use, models.verify):
        with pytest.raises(ModelMissing):
            action(name)
    assert models.get("one").manifest is not None


def test_the_only_model_is_in_use_and_adding_another_does_not_change_that(
    models: InstalledModels, tmp_path: Path
) -> None:
    assert models.in_use() == models.get("one")
    install(models, tmp_path, name="another")
    assert [model.name for model in models.all()] == ["another", "one"]
    assert models.in_use() == models.get("one")
    models.use("another")
    assert models.in_use() == models.get("another")
    models.remove("another")
    assert models.in_use() == models.get("one")


def test_between_several_none_is_guessed(models: InstalledModels) -> None:
    add_second(models)
    with pytest.raises(ModelMissing, match=r"one, two.*countersign models use"):
        models.in_use()
    models.use("two")
    models.remove("two")
    add_second(models)
    with pytest.raises(ModelMissing, match="none is chosen"):
        models.in_use()


@pytest.mark.parametrize("settings", ["", "{", "[]", '{"in_use": 7}', '{"thresholds": []}'])
def test_unreadable_settings_choose_nothing(models: InstalledModels, settings: str) -> None:
    models.write_record("one", record(models))
    (models.folder / SETTINGS).write_text(settings, encoding="utf-8")
    model = models.in_use()
    assert model is not None
    assert model.record == record(models)
    models.use("one")
    assert models.in_use() == model


def test_a_damaged_model_is_listed_with_its_problem_and_cannot_be_used(
    models: InstalledModels,
) -> None:
    (models.folder / "one" / "manifest.json").write_text("{", encoding="utf-8")
    (model,) = models.all()
    assert (model.manifest, model.record) == (None, None)
    assert "one" in model.problem
    with pytest.raises(ModelDamaged):
        models.use("one")
    models.remove("one")
    assert models.all() == []


def test_a_renamed_folder_is_not_taken_for_another_model(models: InstalledModels) -> None:
    (models.folder / "one").rename(models.folder / "three")
    (model,) = models.all()
    assert model.manifest is None
    assert "called one" in model.problem


def test_verify_hashes_every_file(models: InstalledModels) -> None:
    assert models.verify("one") == models.get("one").manifest
    weights = models.folder / "one" / "encoder" / "model.bin"
    content = bytearray(weights.read_bytes())
    content[len(content) // 2] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ModelDamaged, match=r"encoder/model\.bin"):
        models.verify("one")


def test_remove_leaves_nothing(models: InstalledModels) -> None:
    models.write_record("one", record(models))
    models.set_thresholds("one", supported=0.9, contradicted=None)
    models.use("one")
    models.remove("one")
    assert [path.name for path in models.folder.iterdir()] == [SETTINGS]
    assert json.loads((models.folder / SETTINGS).read_text()) == {"thresholds": {}}


def test_a_record_is_kept_with_its_model(models: InstalledModels) -> None:
    assert models.get("one").record is None
    assert "not calibrated" in describe(models.get("one"))
    models.write_record("one", record(models))
    model = models.get("one")
    assert (model.record, model.earned, model.problem) == (record(models), record(models), "")
    assert "calibrated at 1 %" in describe(model)
    assert models.verify("one") == model.manifest
    with EntailmentWorker(model) as worker:
        assert worker.calibration == record(models)


def test_a_record_of_other_weights_is_not_written_and_not_believed(
    models: InstalledModels,
) -> None:
    other = record(models, model_sha256="b" * 64)
    with pytest.raises(ModelRefused, match="Calibrate it again"):
        models.write_record("one", other)
    record_file.write(models.folder / "one" / "calibration.json", other)
    model = models.get("one")
    assert (model.record, model.earned) == (None, None)
    assert "other weights" in model.problem


def test_a_damaged_record_is_none(models: InstalledModels) -> None:
    models.write_record("one", record(models))
    file = models.folder / "one" / "calibration.json"
    file.write_text(file.read_text(encoding="utf-8").replace("0.8", "0.5"), encoding="utf-8")
    model = models.get("one")
    assert model.record is None
    assert model.manifest is not None
    assert "damaged" in model.problem


def test_a_record_for_other_gates_says_so(models: InstalledModels) -> None:
    models.write_record("one", record(models, contract_version="0.0.1"))
    assert "other gates" in describe(models.get("one"))


def test_thresholds_can_be_raised_and_given_back(models: InstalledModels) -> None:
    with pytest.raises(ModelRefused, match="Calibrate it first"):
        models.set_thresholds("one", supported=0.99, contradicted=None)
    models.write_record("one", record(models))
    models.set_thresholds("one", supported=0.95, contradicted=0.97)
    stricter = models.get("one").record
    assert stricter is not None
    assert (stricter.supported, stricter.contradicted, stricter.braked_at) == (0.95, 0.97, 0.9)
    assert models.get("one").earned == record(models)
    models.set_thresholds("one", supported=None, contradicted=None)
    assert models.get("one").record == record(models)


@pytest.mark.parametrize(
    "given",
    [(0.79, None), (None, 0.89), (1.01, None), (float("nan"), None)],
)
def test_thresholds_are_never_lowered(
    models: InstalledModels, given: tuple[float | None, float | None]
) -> None:
    models.write_record("one", record(models))
    with pytest.raises(ModelRefused, match="never lowered"):
        models.set_thresholds("one", supported=given[0], contradicted=given[1])
    assert models.get("one").record == record(models)


@pytest.mark.parametrize("value", [0.1, "0.1", None, "x", [], float("nan"), 1.5])
def test_looser_thresholds_in_the_settings_count_for_nothing(
    models: InstalledModels, value: object
) -> None:
    models.write_record("one", record(models))
    settings = {"thresholds": {"one": {"supported": value, "contradicted": value}}}
    (models.folder / SETTINGS).write_text(json.dumps(settings), encoding="utf-8")
    assert models.get("one").record == record(models)


def test_a_refused_checkpoint_leaves_nothing(models: InstalledModels, tmp_path: Path) -> None:
    from models.entailment.adding import add_model
    from models.entailment.errors import LabelsUnclear, WeightsDamaged

    folder = write_checkpoint(tmp_path / "unclear", labels=("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(LabelsUnclear):
        add_model(models, folder, name="unclear")
    whole = write_checkpoint(tmp_path / "cut")
    weights = whole / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(WeightsDamaged):
        add_model(models, whole, name="cut")
    assert {path.name for path in models.folder.iterdir()} <= {"one", SETTINGS}
    confirmed = {"entailment": 0, "neutral": 1, "contradiction": 2}
    model = add_model(models, folder, name="unclear", labels=confirmed)
    assert model.manifest is not None
    assert model.manifest.labels_confirmed_by == "person"
