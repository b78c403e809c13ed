"""The entailment models of this machine: which there are, which one answers, and how strictly.

They lie in `models_folder()/entailment`, one folder each. `settings.json` beside them holds what a
person chose: the model in use, and thresholds stricter than a model's record.
"""

import json
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.calibration import file as record_file
from core.calibration.file import RecordUnreadable
from core.calibration.record import CalibrationRecord, stricter
from core.claims.version import contract_version
from core.home import models_folder
from models.entailment import manifest as manifests
from models.entailment.errors import ModelDamaged, ModelRefused
from models.entailment.manifest import Manifest, usable_name

FOLDER = "entailment"
SETTINGS = "settings.json"


class ModelMissing(ModelRefused):
    """There is no installed model of that name, or none is chosen among several."""

    code = "model_missing"


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model folder. `manifest` is None where it cannot be used; `problem` then says why.

    `earned` is the record that calibration gave; `record` is the same with a person's stricter
    thresholds; both are None where there is none. `problem` also says why a record does not count.
    """

    name: str
    folder: Path
    manifest: Manifest | None
    earned: CalibrationRecord | None
    record: CalibrationRecord | None
    problem: str = ""


class InstalledModels:
    """The models in one folder; nothing is loaded and no file is hashed to list them."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use `folder`, or the folder of the data folder's entailment models."""
        self.folder = folder or models_folder() / FOLDER

    def all(self) -> list[InstalledModel]:
        """Every model by name, those that cannot be used included."""
        try:
            found = sorted(path for path in self.folder.iterdir() if usable_name(path.name))
        except OSError:
            return []
        return [self._read(path) for path in found if path.is_dir()]

    def get(self, name: str) -> InstalledModel:
        """The model called `name`. Raises `ModelMissing`."""
        folder = self.folder / name
        if not usable_name(name) or not folder.is_dir():
            known = ", ".join(model.name for model in self.all()) or "none"
            raise ModelMissing(
                f"There is no entailment model called “{name}”. Installed: {known}. Add one with "
                f"“countersign models add FOLDER”."
            )
        return self._read(folder)

    def in_use(self) -> InstalledModel | None:
        """The model that answers checks: the chosen one, else the only one; None without any.

        Raises `ModelMissing` where there are several and none of them is chosen.
        """
        models = self.all()
        chosen = self._settings().get("in_use")
        for model in models:
            if model.name == chosen:
                return model
        if len(models) > 1:
            names = ", ".join(model.name for model in models)
            raise ModelMissing(
                f"Several entailment models are installed ({names}) and none is chosen. Choose "
                f"one with “countersign models use NAME”."
            )
        return models[0] if models else None

    def use(self, name: str) -> None:
        """Let `name` answer checks from now on. Raises `ModelMissing` and `ModelDamaged`."""
        model = self.get(name)
        if model.manifest is None:
            raise ModelDamaged(model.problem)
        self._write_settings(self._settings() | {"in_use": name})

    def keep_in_use(self) -> None:
        """Choose the only model there is, so that adding another does not take its place."""
        models = self.all()
        if len(models) == 1 and models[0].manifest is not None:
            self.use(models[0].name)

    def verify(self, name: str) -> Manifest:
        """Hash every file of a model. Raises `ModelMissing` and `ModelDamaged`."""
        return manifests.verify(self.get(name).folder)

    def remove(self, name: str) -> None:
        """Delete a model. Raises `ModelMissing`, and `ModelRefused` where it cannot be deleted.

        The folder is renamed first, so that a half-deleted model is never taken for a whole one.
        """
        folder = self.get(name).folder
        doomed = self.folder / f".removed-{secrets.token_hex(8)}"
        try:
            folder.rename(doomed)
        except OSError as error:
            raise ModelRefused(
                f"The model {name} could not be removed: {error.strerror}. It is as it was. Close "
                f"other windows of this program and try again."
            ) from error
        shutil.rmtree(doomed, ignore_errors=True)
        settings = self._settings()
        if settings.get("in_use") == name:
            del settings["in_use"]
        settings.get("thresholds", {}).pop(name, None)
        self._write_settings(settings)

    def write_record(self, name: str, record: CalibrationRecord) -> None:
        """Keep what calibration gave; a person's thresholds that are looser than it fall away.

        Raises `ModelMissing`, and `ModelRefused` for another model's record.
        """
        model = self.get(name)
        if model.manifest is None or record.model_sha256 != model.manifest.sha256:
            raise ModelRefused(
                f"The model {name} was changed while it was calibrated. Nothing was changed. "
                f"Calibrate it again."
            )
        record_file.write(model.folder / manifests.CALIBRATION, record)

    def set_thresholds(
        self, name: str, *, supported: float | None, contradicted: float | None
    ) -> CalibrationRecord:
        """Raise thresholds above what the model earned; None and None goes back to the record.

        Raises `ModelMissing`, and `ModelRefused` for a model without a record and for thresholds
        that are looser than it.
        """
        model = self.get(name)
        if model.earned is None:
            raise ModelRefused(
                model.problem
                or f"The model {name} has no calibration record, so it has no thresholds yet. "
                f"Calibrate it first."
            )
        try:
            record = stricter(model.earned, supported=supported, contradicted=contradicted)
        except ValueError as error:
            raise ModelRefused(str(error)) from error
        settings = self._settings()
        thresholds = settings.setdefault("thresholds", {})
        given = {"supported": supported, "contradicted": contradicted}
        thresholds[name] = {what: at for what, at in given.items() if at is not None}
        self._write_settings(settings)
        return record

    def _read(self, folder: Path) -> InstalledModel:
        name = folder.name
        try:
            manifest = manifests.read(folder)
        except ModelDamaged as error:
            return InstalledModel(name, folder, None, None, None, str(error))
        if manifest.name != name:
            problem = (
                f"The folder {name} holds a model that is called {manifest.name}. It was not "
                f"loaded. Give the folder back its name, or remove the model and add it again."
            )
            return InstalledModel(name, folder, None, None, None, problem)
        try:
            earned = record_file.read(folder / manifests.CALIBRATION)
        except RecordUnreadable as error:
            return InstalledModel(name, folder, manifest, None, None, str(error))
        if earned is not None and earned.model_sha256 != manifest.sha256:
            problem = (
                f"The calibration record of {name} was made for other weights, so the model may "
                f"not confirm statements. Calibrate it again."
            )
            return InstalledModel(name, folder, manifest, None, None, problem)
        record = None if earned is None else self._raised(name, earned)
        problem = ""
        if record is not None and record.contract_version != contract_version():
            problem = (
                "calibrated for other gates than this program has, so it may not decide: "
                "calibrate it again"
            )
        return InstalledModel(name, folder, manifest, earned, record, problem)

    def _raised(self, name: str, earned: CalibrationRecord) -> CalibrationRecord:
        """The record with the person's thresholds; one that is looser counts for nothing."""
        given = self._settings().get("thresholds", {}).get(name, {})
        record = earned
        for what in ("supported", "contradicted"):
            try:
                record = stricter(record, **{what: float(given[what])})
            except (KeyError, TypeError, ValueError):
                continue
        return record

    def _settings(self) -> dict[str, Any]:
        """What a person chose; nothing where that cannot be read, which is never looser."""
        try:
            data = json.loads((self.folder / SETTINGS).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(data, dict):
            return {}
        if not isinstance(data.get("thresholds", {}), dict):
            del data["thresholds"]
        return data

    def _write_settings(self, settings: dict[str, Any]) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = self.folder / f"{SETTINGS}.partial"
        partial.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
        partial.replace(self.folder / SETTINGS)
