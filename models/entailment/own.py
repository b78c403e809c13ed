"""The program's own entailment model: its adapter, folded into the base that it was trained on.

The repository ships the adapter, the base's description and tokenizer, and the record that the
whole check earned with the folded model. What is missing is one file, the base's weights, taken by
their hash from wherever they are. Folding gives the same bytes on every machine, so the shipped
record belongs to the folded model, and nobody has to calibrate before the first check.
"""

import os
import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from core.calibration import file as record_file
from core.cancellation import Cancellation
from core.claims.version import contract_version
from core.ports import Progress
from models.entailment.adding import add_model
from models.entailment.errors import ModelRefused, NotWritten
from models.entailment.installed import InstalledModel, InstalledModels, ModelMissing
from models.entailment.weights import CONFIG, read_json
from models.hub import HubFile

NAME = "countersign"

REPOSITORY = "sentence-transformers/all-mpnet-base-v2"
WEIGHTS = "model.safetensors"
WEIGHTS_BYTES = 437_971_872
WEIGHTS_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"

BASE = HubFile(REPOSITORY, "main", WEIGHTS, WEIGHTS_BYTES, WEIGHTS_SHA256)
"""The file on the hub. What the branch holds may change; the size and the hash decide."""

_SHIPPED = files("resources") / "entailment"


def current(models: InstalledModels) -> InstalledModel | None:
    """The installed model, if it is made from the adapter that this program ships; else None."""
    try:
        model = models.get(NAME)
    except ModelMissing:
        return None
    if model.manifest is None or model.manifest.adapter is None:
        return None
    with as_file(_SHIPPED / "adapter") as adapter:
        shipped = read_json(adapter / CONFIG)["sha256"]
    return model if model.manifest.adapter.get("sha256") == shipped else None


def install(
    models: InstalledModels,
    weights: Path,
    *,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> InstalledModel:
    """Fold the adapter into the base's `weights`, a safetensors file, and keep the result.

    An older model of the program's own answers until the new one is whole and takes its place,
    and stays if anything fails. The model in use stays the one in use. Raises
    `models.entailment.errors.ModelRefused`, also for weights with another hash, and
    `core.cancellation.Cancelled`.
    """
    if not weights.is_file():
        raise ModelRefused(f"There is no file “{weights}” with the base's weights.")
    try:
        models.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            as_file(_SHIPPED / "adapter") as adapter,
            as_file(_SHIPPED / "base") as described,
            tempfile.TemporaryDirectory(
                prefix=".own-", dir=models.folder, ignore_cleanup_errors=True
            ) as folder,
        ):
            work = Path(folder)
            shutil.copytree(described, work / "base")
            _link(weights, work / "base" / WEIGHTS)
            made = add_model(
                InstalledModels(work / "made"),
                work / "base",
                name=NAME,
                adapter=adapter,
                source_sha256=WEIGHTS_SHA256,
                progress=progress,
                cancellation=cancellation,
            )
            models.keep_in_use()
            _exchange(made.folder, models.folder / NAME, work / "before")
    except OSError as error:
        raise NotWritten(
            f"The entailment model could not be put in its place: {error.strerror}. What was there "
            "before is as it was. Close other windows of this program, make room on the disk, and "
            "try again."
        ) from error
    return bring_record(models)


def bring_record(models: InstalledModels) -> InstalledModel:
    """Give the installed model the shipped record, unless a person calibrated it on other pairs.

    A shipped record takes the place of an older one on the same pairs, which it may correct, and
    of one that was earned under other gates, which lets the model decide nothing any more.
    Raises `ModelMissing`, and `core.calibration.file.RecordUnreadable` for a damaged shipped file.
    """
    model = models.get(NAME)
    with as_file(_SHIPPED / "record.json") as path:
        record = record_file.read(path)
    if record is None or model.manifest is None:
        return model
    earned = model.earned if not model.problem else None
    decides = earned is not None and earned.contract_version == contract_version()
    if decides and earned is not None and earned.data_sha256 != record.data_sha256:
        return model
    if record.model_sha256 == model.manifest.sha256:
        models.write_record(NAME, record)
    return models.get(NAME)


def _exchange(new: Path, place: Path, aside: Path) -> None:
    """Put `new` in its place; what was there goes `aside`, and comes back if that fails."""
    if place.exists():
        place.rename(aside)
    try:
        new.rename(place)
    except BaseException:
        if aside.exists():
            aside.rename(place)
        raise


def _link(source: Path, target: Path) -> None:
    """The same file under another name, or a copy where the file systems differ."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
