"""Takes in a checkpoint in the form of a Hugging Face folder and writes a CTranslate2 model.

Nothing but numpy and `ctranslate2.specs` is needed, and nothing in the folder can run code. A
checkpoint that cannot be run exactly as it was trained is refused with the reason. The same files
give the same bytes on every machine, so that a calibration record travels with its model.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.cancellation import Cancellation
from core.ports import Progress
from models.entailment import labels as label_names
from models.entailment import manifest as manifests
from models.entailment import tokenizer_source
from models.entailment.errors import (
    AdapterMismatch,
    AlreadyInstalled,
    ConfigUnreadable,
    HashMismatch,
    LabelsUnclear,
    TokenizerUnusable,
    UnknownArchitecture,
    WeightsUnexpected,
)
from models.entailment.families import FAMILIES, Built, Family
from models.entailment.families.base import Config
from models.entailment.families.t5 import PROMPT, VERBALISER
from models.entailment.labels import Labels
from models.entailment.manifest import QUANTIZATIONS, Manifest, Source, sha256_of
from models.entailment.new_folder import new_folder
from models.entailment.safetensors import weight_files
from models.entailment.tokenizer import HYPOTHESIS, PREMISE
from models.entailment.weights import CONFIG, Adapter, Weights, read_adapter, read_json

HEAD = "head.npz"
TOKENIZER = tokenizer_source.FILE
LONGEST_MAX_LENGTH = 1_000_000
"""A `model_max_length` from here on stands for "not known"."""

_LICENCE = re.compile(r"(?im)^license:\s*[\"']?([\w.+ -]{1,60}?)[\"']?\s*$")


def import_model(
    folder: Path,
    target: Path,
    *,
    name: str,
    quantization: str = "int8",
    adapter: Path | None = None,
    labels: Mapping[str, int | None] | None = None,
    prompt: str | None = None,
    licence: str | None = None,
    revision: str | None = None,
    source_sha256: str | None = None,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> Manifest:
    """Write the checkpoint in `folder` as an installed model to `target`, which must not exist.

    `quantization` is one of `manifest.QUANTIZATIONS`. `adapter` is a folder for
    `weights.read_adapter`. `labels` is a mapping that a person confirms, from "entailment",
    "contradiction" and "neutral" to the indices of the outputs; without it the model's own names
    decide. For T5 the outputs are 0, the answer "0", and 1, the answer "1". `prompt` is a text with
    {premise} and {hypothesis}, for models that take one text instead of a pair. `source_sha256` is
    the hash that the weights must have: that of the file, or over "name sha256" lines of several.

    Raises `models.entailment.errors.ModelRefused` and `core.cancellation.Cancelled`; then `target`
    is as it was.
    """
    cancellation = cancellation or Cancellation()
    report: Progress = progress or _silent
    _check_options(name, quantization, prompt)
    if target.exists():
        raise AlreadyInstalled(
            f"There is a model of the name {target.name} already, and it was left as it is. Choose "
            f"another name, or remove that model first."
        )
    report(0, 0, "reading the description")
    config = read_json(folder / CONFIG)
    fold = read_adapter(adapter) if adapter is not None else None
    family = _family(config, fold)
    names = _label_names(family, config if fold is None else fold.config)
    meaning, confirmed_by = _labels(names, labels)
    report(0, 0, "comparing the weights' hash")
    source = _source(folder, config, revision, source_sha256, fold, cancellation)
    weights = Weights(folder, family.prefixes, fold)

    def step(done: int, total: int) -> None:
        cancellation.check()
        report(done, total + 1, "reading the weights")

    built = family.build(Config(config), weights, step)
    weights.finish(family.ignored)
    if built.outputs is not None and built.outputs != len(names):
        raise WeightsUnexpected(
            f"The model has {built.outputs} outputs, and its config.json names {len(names)}. "
            f"Nothing was taken in."
        )
    cancellation.check()
    tokenizer = tokenizer_source.load(folder, family.name)
    family.register_vocabulary(built, tokenizer_source.tokens(tokenizer, built.rows))
    head = dict(built.head)
    if built.outputs is None:
        ids = [tokenizer.token_to_id(token) for token in VERBALISER]
        if None in ids:
            raise TokenizerUnusable(
                "The tokenizer lacks the tokens of the answers 0 and 1. Nothing was taken in."
            )
        head["tokens"] = np.array(ids, dtype=np.int64)
        prompt = prompt or PROMPT
    lengths = [built.max_tokens, tokenizer_source.settings(folder).get("model_max_length")]
    if fold is not None:
        lengths.append(fold.config.get("max_tokens"))
    known = [n for n in lengths if type(n) is int and 0 < n < LONGEST_MAX_LENGTH]
    with new_folder(target) as partial:
        report(0, 0, "writing the model")
        _write(built, partial, quantization)
        np.savez(partial / HEAD, allow_pickle=False, **head)
        tokenizer.save(str(partial / TOKENIZER))
        manifest = Manifest(
            name=name,
            family=family.name,
            labels=meaning,
            label_names=names,
            labels_confirmed_by=confirmed_by,
            max_tokens=min(known),
            quantization=quantization,
            source=source,
            licence=licence or _licence(folder),
            prompt=prompt,
            adapter=None if fold is None else _description(fold),
            files=manifests.list_files(partial),
        )
        manifests.write(partial, manifest)
        cancellation.check()
    report(1, 1, "done")
    return manifest


def _check_options(name: str, quantization: str, prompt: str | None) -> None:
    """Check what can be checked before anything is read. Raises `ModelRefused`."""
    if not manifests.usable_name(name):
        raise ConfigUnreadable(
            f"{name[:80]} cannot be a model's name. Use letters, digits, dots, dashes and "
            f"underscores, 64 at most."
        )
    if quantization not in QUANTIZATIONS:
        raise UnknownArchitecture(
            f"{quantization[:40]} is no quantization that is known here. Use one of "
            f"{', '.join(QUANTIZATIONS)}."
        )
    if prompt is not None and (prompt.count(PREMISE), prompt.count(HYPOTHESIS)) != (1, 1):
        raise ConfigUnreadable(f"The prompt must hold {PREMISE} and {HYPOTHESIS}, each once.")
    if prompt is not None and prompt.index(PREMISE) > prompt.index(HYPOTHESIS):
        raise ConfigUnreadable(f"In the prompt, {PREMISE} must stand before {HYPOTHESIS}.")


def _family(config: Mapping[str, Any], adapter: Adapter | None) -> Family:
    """The family that config.json names. An adapter brings the head that its base may lack."""
    kind = config.get("model_type")
    family = FAMILIES.get(kind) if isinstance(kind, str) else None
    if family is None:
        raise UnknownArchitecture(
            f"The model is of the architecture {str(kind)[:40]}, which cannot be run here. Nothing "
            f"was taken in. These can: {', '.join(sorted(FAMILIES))}."
        )
    named = adapter.config.get("architecture") if adapter is not None else None
    architectures = [named] if adapter is not None else config.get("architectures")
    if architectures not in (None, [family.architecture]):
        raise UnknownArchitecture(
            f"The model is a {str(architectures)[:80]}, and only {family.architecture} is a "
            f"classifier of this architecture. Nothing was taken in."
        )
    if adapter is not None and not adapter.head:
        raise AdapterMismatch("The adapter has no head. Nothing was taken in.")
    return family


def _label_names(family: Family, config: Mapping[str, Any]) -> tuple[str, ...]:
    """The outputs' names in their order. Raises `ConfigUnreadable`."""
    if family.name == "t5":
        return VERBALISER
    found = config.get("id2label")
    try:
        by_index = {int(at): str(name) for at, name in dict(found or {}).items()}
        back = {str(name): int(at) for name, at in dict(config.get("label2id") or {}).items()}
    except (TypeError, ValueError) as error:
        raise ConfigUnreadable(
            "The label names in config.json cannot be read. Nothing was taken in."
        ) from error
    names = tuple(by_index.get(at, "") for at in range(len(by_index)))
    if set(by_index) != set(range(len(by_index))):
        raise ConfigUnreadable(
            "config.json does not number its labels from 0. Nothing was taken in."
        )
    if back and back != {name: at for at, name in enumerate(names)}:
        raise LabelsUnclear(
            "config.json gives its labels in two different orders. Nothing was taken in, since "
            "one of them is wrong.",
            names,
        )
    return names


def _labels(names: tuple[str, ...], given: Mapping[str, int | None] | None) -> tuple[Labels, str]:
    """The meaning of the outputs, and who says so."""
    if given is None and names == VERBALISER:
        raise LabelsUnclear(
            "This model answers with 0 or 1, and nothing in its files says which of the two means "
            "that a claim is supported. Nothing was taken in. If its own page says that 1 does, as "
            "with MiniCheck, give the labels unsupported,supported.",
            names,
        )
    if given is None:
        return label_names.read(names), "config"
    return label_names.confirmed(given, names), "person"


def _source(
    folder: Path,
    config: Mapping[str, Any],
    revision: str | None,
    expected: str | None,
    adapter: Adapter | None,
    cancellation: Cancellation,
) -> Source:
    """Where the weights came from, once their hash is the one that is called for."""
    hashes: list[tuple[str, str]] = []
    for path in weight_files(folder):
        cancellation.check()
        hashes.append((path.name, sha256_of(path)))
    if len(hashes) == 1:
        found = hashes[0][1]
    else:
        lines = "".join(f"{name} {value}\n" for name, value in sorted(hashes))
        found = hashlib.sha256(lines.encode()).hexdigest()
    if expected is not None and found != expected.lower():
        raise HashMismatch(
            "The weights are not the ones that were asked for: their SHA-256 is another. Nothing "
            "was taken in. Get the file again from its source."
        )
    if adapter is not None and found != adapter.config["base"]["sha256"]:
        raise HashMismatch(
            "The adapter was made for other weights: their SHA-256 is another. Nothing was taken "
            "in. Choose the base model that the adapter names."
        )
    given = adapter.config["base"].get("name") if adapter is not None else None
    named = given or config.get("_name_or_path") or folder.name
    # A path of the machine on which the model was trained says nothing here.
    name = str(named).replace("\\", "/").rstrip("/")
    return Source(name if name.count("/") <= 1 else name.rpartition("/")[2], revision, found)


def _description(adapter: Adapter) -> dict[str, Any]:
    config = adapter.config
    return {key: config[key] for key in ("base", "rank", "alpha", "sha256")}


def _licence(folder: Path) -> str | None:
    """The licence that the model's own page, README.md, names in its head."""
    try:
        text = (folder / "README.md").read_text(encoding="utf-8", errors="replace")[:20_000]
    except OSError:
        return None
    if not text.startswith("---"):
        return None
    found = _LICENCE.search(text.partition("\n---")[0])
    return found.group(1) if found else None


def _write(built: Built, folder: Path, quantization: str) -> None:
    """Write the CTranslate2 model. Raises `WeightsUnexpected` for an incomplete one."""
    try:
        built.spec.validate()
    except ValueError as error:
        raise WeightsUnexpected(
            "The weights do not make a whole model. Nothing was taken in."
        ) from error
    built.spec.optimize(quantization)
    place = folder / built.folder
    place.mkdir()
    built.spec.save(str(place))


def _silent(done: int, total: int, what: str) -> None:
    """Report to nobody."""
