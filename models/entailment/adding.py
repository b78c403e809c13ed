"""Take in a checkpoint in a worker process: the window neither waits nor loads a runtime."""

from collections.abc import Mapping
from pathlib import Path

from core.cancellation import Cancellation
from core.ports import Progress
from models.entailment.errors import ModelRefused, by_code
from models.entailment.installed import InstalledModel, InstalledModels
from models.entailment.worker import MODULE
from models.host.errors import INTERNAL, WorkerError, WorkerRefused
from models.host.supervisor import Supervisor

SILENCE_LIMIT = 1800.0
"""Seconds without progress; a large matrix is quantised, and gigabytes are hashed, in silence."""

FAILED = (
    "The model could not be taken in: the process that reads it stopped. Nothing was changed. "
    "Close other programs and try again; if it stops again, there may be too little memory for "
    "this model."
)
UNHANDLED = (
    "The model could not be taken in: its folder holds something that cannot be handled. Nothing "
    "was changed. Download the model again, or use another one."
)


def add_model(
    models: InstalledModels,
    folder: Path,
    *,
    name: str,
    quantization: str = "int8",
    adapter: Path | None = None,
    labels: Mapping[str, int | None] | None = None,
    prompt: str | None = None,
    source_sha256: str | None = None,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> InstalledModel:
    """Take in the checkpoint in `folder` under `name`; the model in use stays the one in use.

    The options are those of `models.entailment.importer.import_model`. Raises
    `models.entailment.errors.ModelRefused` and `core.cancellation.Cancelled`; then nothing has
    changed.
    """
    models.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    models.keep_in_use()
    params = {
        "folder": str(folder.absolute()),
        "target": str((models.folder / name).absolute()),
        "name": name,
        "quantization": quantization,
        "adapter": None if adapter is None else str(adapter.absolute()),
        "labels": None if labels is None else dict(labels),
        "prompt": prompt,
        "source_sha256": source_sha256,
    }
    with Supervisor(MODULE, name="entailment model", silence_limit=SILENCE_LIMIT) as worker:
        try:
            worker.call("add", params, on_progress=progress, cancellation=cancellation)
        except WorkerRefused as error:
            if error.code == INTERNAL:
                raise ModelRefused(UNHANDLED) from error
            raise by_code(error.code, str(error)) from error
        except WorkerError as error:
            raise ModelRefused(FAILED) from error
    return models.get(name)
