"""`countersign models`: the entailment models of this machine."""

import argparse
import gzip
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.calibration.record import CalibrationRecord
from core.ports import Progress
from desktop.commands.errors import DONE, MISSING, CommandError
from models.entailment.errors import LabelsUnclear, ModelRefused
from models.entailment.installed import InstalledModel, InstalledModels, ModelMissing
from models.entailment.worker import EntailmentWorker, describe

if TYPE_CHECKING:
    from models.hub import HubFile

LOOSEST_TARGET = 0.01
"""The highest false-support rate that a person may ask a calibration to show."""


def run_models(arguments: argparse.Namespace) -> int:
    """Do what the arguments say, print, and return the exit status."""
    try:
        return _ACTIONS[arguments.action](InstalledModels(), arguments)
    except ModelMissing as error:
        raise CommandError(str(error), MISSING) from error
    except LabelsUnclear as error:
        hint = "The option is --labels, such as --labels entailment,neutral,contradiction."
        raise CommandError(f"{error} {hint}") from error
    except ModelRefused as error:
        raise CommandError(str(error)) from error


def _list(models: InstalledModels, arguments: argparse.Namespace) -> int:
    found = models.all()
    in_use = _in_use(models)
    if not found and not arguments.json:
        print("No entailment model is installed. Add one with “countersign models add FOLDER”.")
    for model in found:
        _show(model, arguments, in_use)
    return DONE


def _add(models: InstalledModels, arguments: argparse.Namespace) -> int:
    from models.entailment.adding import add_model
    from models.entailment.labels import in_order

    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise CommandError(f"There is no folder “{folder}”.")
    labels = None
    if arguments.labels is not None:
        labels = in_order([name.strip() for name in arguments.labels.split(",")])
    with _progress() as progress:
        model = add_model(
            models,
            folder,
            name=arguments.name or folder.absolute().name,
            quantization=arguments.quantization,
            adapter=None if arguments.adapter is None else Path(arguments.adapter),
            labels=labels,
            prompt=arguments.prompt,
            source_sha256=arguments.sha256,
            progress=progress,
        )
    in_use = _in_use(models)
    _show(model, arguments, in_use)
    if not arguments.json and in_use != model.name:
        print(f"Checks go on asking {in_use}; to ask this one: countersign models use {model.name}")
    return DONE


def _own(models: InstalledModels, arguments: argparse.Namespace) -> int:
    from models.entailment import own

    if own.current(models) is not None:
        model = own.bring_record(models)
        if arguments.weights is not None or arguments.download:
            print("It is already made from the adapter of this version.", file=sys.stderr)
    elif arguments.weights is not None:
        with _progress() as progress:
            model = own.install(models, Path(arguments.weights), progress=progress)
    elif arguments.download:
        with _progress() as progress:
            base = _downloaded(own.BASE, models.folder / ".downloads", progress)
            model = own.install(models, base, progress=progress)
        base.unlink()
    else:
        raise CommandError(
            "The program's own entailment model is not made yet. Give the weights of its base with "
            f"“countersign models own --weights {own.WEIGHTS}”, or load them from the hub with "
            f"--download ({own.WEIGHTS_BYTES // 1_000_000} MB); set-up does so by itself.",
            MISSING,
        )
    _show(model, arguments, _in_use(models))
    return DONE


def _downloaded(file: "HubFile", folder: Path, progress: Progress) -> Path:
    """Load a file from the hub: the option is the person's leave to go to the network for it."""
    from core.egress import Door
    from core.egress_policy import EgressError, EgressPolicy
    from core.home import home
    from core.storage.errors import StoreError
    from core.storage.store import Store
    from models.download import download
    from models.download_errors import DownloadError
    from models.hub import endpoint, hub_allowance

    try:
        policy = EgressPolicy(online=True, allowed=(hub_allowance(endpoint()),))
        with Store.open(home()) as store:
            return download(file, folder, Door(policy, store.egress), progress=progress)
    except (DownloadError, EgressError, StoreError) as error:
        raise CommandError(str(error), MISSING) from error


def _remove(models: InstalledModels, arguments: argparse.Namespace) -> int:
    models.remove(arguments.name)
    _say(arguments, {"name": arguments.name, "removed": True}, f"{arguments.name} was removed.")
    return DONE


def _use(models: InstalledModels, arguments: argparse.Namespace) -> int:
    models.use(arguments.name)
    _show(models.get(arguments.name), arguments, arguments.name)
    return DONE


def _verify(models: InstalledModels, arguments: argparse.Namespace) -> int:
    names = [arguments.name] if arguments.name else [model.name for model in models.all()]
    status = DONE
    for name in names:
        problem = ""
        try:
            models.verify(name)
        except ModelMissing:
            raise
        except ModelRefused as error:
            problem, status = str(error), MISSING
        text = problem or f"{name}: every file is as it was written."
        _say(arguments, {"name": name, "ok": not problem, "problem": problem}, text)
    return status


def _calibrate(models: InstalledModels, arguments: argparse.Namespace) -> int:
    from core.calibration.calibrate import CalibrationRefused, calibrate
    from core.clock import SystemClock
    from core.home import home
    from core.ports import ModelStopped
    from core.storage.scores import FILE, ScoreCache

    if not 0.0 < arguments.target <= LOOSEST_TARGET:
        raise CommandError(f"--target is above 0 and at most {LOOSEST_TARGET}.")
    model = models.get(arguments.name)
    pairs = _pairs(arguments)
    with ScoreCache(home() / FILE) as cache, EntailmentWorker(model, cache=cache) as worker:
        try:
            with _progress() as progress:
                record = calibrate(
                    worker,
                    pairs,
                    clock=SystemClock(),
                    target=arguments.target,
                    progress=progress,
                )
        except CalibrationRefused as error:
            raise CommandError(str(error)) from error
        except ModelStopped as error:
            raise CommandError(f"{error} The model's record was not changed.", MISSING) from error
    models.write_record(arguments.name, record)
    _say(arguments, {"name": arguments.name, "calibration": asdict(record)}, _figures(record))
    return DONE


def _thresholds(models: InstalledModels, arguments: argparse.Namespace) -> int:
    record = models.set_thresholds(
        arguments.name, supported=arguments.supported, contradicted=arguments.contradicted
    )
    thresholds = {"supported": record.supported, "contradicted": record.contradicted}
    against = "never" if record.contradicted is None else f"{record.contradicted:.4f}"
    text = f"{arguments.name}: supported at {record.supported:.4f}, contradicted at {against}."
    _say(arguments, {"name": arguments.name, "thresholds": thresholds}, text)
    return DONE


_ACTIONS: dict[str, Callable[[InstalledModels, argparse.Namespace], int]] = {
    "list": _list,
    "add": _add,
    "own": _own,
    "remove": _remove,
    "use": _use,
    "verify": _verify,
    "calibrate": _calibrate,
    "thresholds": _thresholds,
}


def _pairs(arguments: argparse.Namespace) -> list[Any]:
    from core.calibration.pairs import read_pairs
    from core.documents.errors import ReadingError
    from desktop.commands.sources import BESIDE, Sources

    path = Path(arguments.pairs)
    folders = [(path.resolve().parent / beside).resolve() for beside in BESIDE]
    if arguments.sources:
        folders.insert(0, Path(arguments.sources))
        if not folders[0].is_dir():
            raise CommandError(f"There is no folder “{arguments.sources}”.")
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with (
            Sources(tuple(folders)) as sources,
            opened(path, "rt", encoding="utf-8-sig") as lines,
        ):
            return read_pairs(lines, lambda name: sources.file(name).document)
    except (OSError, EOFError) as error:
        raise CommandError(f"The file “{path}” cannot be read.") from error
    except (ReadingError, ValueError) as error:
        raise CommandError(str(error)) from error


def _in_use(models: InstalledModels) -> str | None:
    try:
        model = models.in_use()
    except ModelRefused:
        return None
    return None if model is None else model.name


def _show(model: InstalledModel, arguments: argparse.Namespace, in_use: str | None) -> None:
    mark = "* " if model.name == in_use else "  "
    _say(arguments, _object(model) | {"in_use": model.name == in_use}, mark + describe(model))


def _object(model: InstalledModel) -> dict[str, Any]:
    manifest, record = model.manifest, model.record
    return {
        "name": model.name,
        "usable": manifest is not None,
        "problem": model.problem,
        "sha256": None if manifest is None else manifest.sha256,
        "family": None if manifest is None else manifest.family,
        "quantization": None if manifest is None else manifest.quantization,
        "labels": None if manifest is None else manifest.labels.as_dict(),
        "labels_confirmed_by": None if manifest is None else manifest.labels_confirmed_by,
        "licence": None if manifest is None else manifest.licence,
        "calibration": None if record is None else asdict(record),
    }


def _figures(record: CalibrationRecord) -> str:
    entailed = record.pairs - record.negatives
    lines = [
        f"supported at {record.supported:.4f}: {record.supports} of {entailed} found, "
        f"{record.false_supports} of {record.negatives} false (at most {record.bound:.2%} at 95 % "
        f"confidence)"
    ]
    if record.contradicted is None or record.contradicted_bound is None:
        lines.append("contradicted: never; the pairs do not show that it would be right")
    else:
        lines.append(
            f"contradicted at {record.contradicted:.4f}: said {record.contradictions} times, "
            f"{record.false_contradictions} false (at most {record.contradicted_bound:.2%})"
        )
    return "\n".join(lines)


def _say(arguments: argparse.Namespace, data: dict[str, Any], text: str) -> None:
    print(json.dumps(data, ensure_ascii=False) if arguments.json else text, flush=True)


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """Shows how far the work is on a terminal, and nothing elsewhere."""
    show = sys.stderr.isatty()

    def tell(done: int, total: int, what: str) -> None:
        if show:
            count = f" {done}/{total}" if total else ""
            print(f"\r\033[K{what}{count}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if show:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
