"""What an installed model consists of, and whether it still does.

An installed model is a folder with `manifest.json`, the CTranslate2 model in `encoder/` or
`seq2seq/`, `head.npz`, `tokenizer.json`, and optionally `calibration.json`, which is made later
and names the manifest's `sha256`.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from models.entailment.errors import ModelDamaged
from models.entailment.labels import MEANINGS, Labels

FORMAT = 1
FILE = "manifest.json"
CALIBRATION = "calibration.json"
FAMILIES = ("bert", "roberta", "xlm_roberta", "mpnet", "t5")
QUANTIZATIONS = ("int8", "int8_float32", "float16", "float32")
CONFIRMED_BY = ("config", "person")

MAX_BYTES = 1024 * 1024
"""Bytes of a manifest; a larger one is not read."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Source:
    """Where the weights came from: a name, a revision if known, SHA-256 over their files."""

    name: str
    revision: str | None
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of an installed model.

    `family` is one of `FAMILIES`, `quantization` one of `QUANTIZATIONS`. `label_names` are the
    outputs' names as the model has them, `labels_confirmed_by` is "config" or "person".
    `max_tokens` bounds premise, hypothesis and separators together. `prompt` joins premise and
    hypothesis into one text where the model wants that, else None: then they are a pair of
    sequences. `adapter` describes the adapter that was folded in. `files` maps paths relative to
    the folder, with "/", to SHA-256.
    """

    name: str
    family: str
    labels: Labels
    label_names: tuple[str, ...]
    labels_confirmed_by: str
    max_tokens: int
    quantization: str
    source: Source
    licence: str | None
    prompt: str | None
    adapter: Mapping[str, Any] | None
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def sha256(self) -> str:
        """The model's identity, recorded with each verdict.

        It covers the files and everything else that changes a score: the family, the meaning of
        the labels, the length and the prompt.
        """
        scoring = {
            "family": self.family,
            "labels": self.labels.as_dict(),
            "max_tokens": self.max_tokens,
            "prompt": self.prompt,
            "files": sorted(self.files.items()),
        }
        return hashlib.sha256(_canonical(scoring)).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """The manifest as JSON holds it."""
        return {
            "format": FORMAT,
            "name": self.name,
            "family": self.family,
            "labels": self.labels.as_dict(),
            "label_names": list(self.label_names),
            "labels_confirmed_by": self.labels_confirmed_by,
            "max_tokens": self.max_tokens,
            "quantization": self.quantization,
            "source": asdict(self.source),
            "licence": self.licence,
            "prompt": self.prompt,
            "adapter": None if self.adapter is None else dict(self.adapter),
            "files": dict(sorted(self.files.items())),
            "sha256": self.sha256,
        }


def usable_name(name: str) -> bool:
    """Whether `name` can be a model's name: it is also its folder's name on every system."""
    return (
        _NAME.fullmatch(name) is not None
        and _RESERVED.fullmatch(name) is None
        and not name.endswith(".")
    )


def write(folder: Path, manifest: Manifest) -> None:
    """Write `manifest` into `folder`."""
    text = json.dumps(manifest.as_dict(), indent=1, ensure_ascii=False)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")


def read(folder: Path) -> Manifest:
    """The manifest in `folder`, without a look at the other files. Raises `ModelDamaged`."""
    try:
        if (folder / FILE).stat().st_size > MAX_BYTES:
            raise ModelDamaged(_damaged(folder, "its description is too long"))
        data = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelDamaged(_damaged(folder, "its description cannot be read")) from error
    except (ValueError, RecursionError) as error:
        raise ModelDamaged(_damaged(folder, "its description is not whole")) from error
    try:
        manifest = _parse(data)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelDamaged(_damaged(folder, "its description is not as it should be")) from error
    if manifest.sha256 != data.get("sha256"):
        raise ModelDamaged(_damaged(folder, "its description was changed"))
    return manifest


def verify(folder: Path) -> Manifest:
    """The manifest in `folder`, after every file has been compared with it.

    Raises `ModelDamaged` for a file that is missing, changed, or there without being listed.
    """
    manifest = read(folder)
    present = _present(folder)
    missing = sorted(manifest.files.keys() - present)
    if missing:
        raise ModelDamaged(_damaged(folder, f"{missing[0]} is missing"))
    unlisted = sorted(present - manifest.files.keys() - {FILE, CALIBRATION})
    if unlisted:
        raise ModelDamaged(
            _damaged(folder, f"it holds a file that is no part of it, {unlisted[0]}")
        )
    for name, expected in manifest.files.items():
        if sha256_of(folder / name) != expected:
            raise ModelDamaged(_damaged(folder, f"{name} was changed or is cut short"))
    return manifest


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal. Raises `ModelDamaged` where it cannot be read."""
    hasher = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                hasher.update(chunk)
    except OSError as error:
        raise ModelDamaged(f"{path.name} cannot be read: {error.strerror}.") from error
    return hasher.hexdigest()


def list_files(folder: Path) -> dict[str, str]:
    """Relative path to SHA-256 of every file in `folder` that a manifest lists."""
    return {
        name: sha256_of(folder / name) for name in sorted(_present(folder) - {FILE, CALIBRATION})
    }


def _present(folder: Path) -> set[str]:
    """Relative paths of the files in `folder`, without what a file manager leaves behind."""
    found: set[str] = set()
    for place, folders, files in os.walk(folder):
        here = Path(place)
        for name in folders + files:
            mode = (here / name).lstat().st_mode
            if stat.S_ISDIR(mode):
                continue
            relative = (here / name).relative_to(folder).as_posix()
            if not stat.S_ISREG(mode):
                raise ModelDamaged(_damaged(folder, f"{relative} is not a plain file"))
            if name not in (".DS_Store", "Thumbs.db", "desktop.ini"):
                found.add(relative)
    return found


def _parse(data: Any) -> Manifest:
    """The manifest in `data`. Raises `KeyError`, `TypeError` and `ValueError`."""
    if data["format"] != FORMAT:
        raise ValueError("another format")
    indices = data["labels"]
    if set(indices) != set(MEANINGS):
        raise ValueError("labels")
    labels = Labels(**{meaning: _index(at) for meaning, at in indices.items()})
    files = {_path(name): _hash(value) for name, value in data["files"].items()}
    source = data["source"]
    manifest = Manifest(
        name=_text(data["name"]),
        family=_one_of(data["family"], FAMILIES),
        labels=labels,
        label_names=tuple(_text(name) for name in data["label_names"]),
        labels_confirmed_by=_one_of(data["labels_confirmed_by"], CONFIRMED_BY),
        max_tokens=_number(data["max_tokens"]),
        quantization=_one_of(data["quantization"], QUANTIZATIONS),
        source=Source(
            _text(source["name"]), _optional_text(source["revision"]), _hash(source["sha256"])
        ),
        licence=_optional_text(data["licence"]),
        prompt=_optional_text(data["prompt"]),
        adapter=data["adapter"],
        files=files,
    )
    used = [at for at in indices.values() if at is not None]
    if indices["entailment"] is None or len(set(used)) != len(used) or not 2 <= len(used) <= 3:
        raise ValueError("labels")
    if (labels.contradiction is None) != (len(used) == 2):
        raise ValueError("labels")
    if not usable_name(manifest.name) or not files:
        raise ValueError("name or files")
    if not (manifest.adapter is None or isinstance(manifest.adapter, dict)):
        raise TypeError("adapter")
    return manifest


def _index(value: Any) -> Any:
    if value is not None and (type(value) is not int or value < 0):
        raise ValueError("a label's index")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _optional_text(value: Any) -> str | None:
    return None if value is None else _text(value)


def _number(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise ValueError("not a length")
    return value


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError("not a known name")
    return str(value)


def _hash(value: Any) -> str:
    if not isinstance(value, str) or _SHA256.fullmatch(value) is None:
        raise ValueError("not a SHA-256")
    return value


def _path(name: str) -> str:
    """A path that stays inside the folder on every system."""
    parts = PurePosixPath(name).parts
    if not parts or name != "/".join(parts) or any(c in name for c in "\\:\0") or ".." in parts:
        raise ValueError("not a path inside the folder")
    if name.startswith("/"):
        raise ValueError("not a path inside the folder")
    return name


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _damaged(folder: Path, why: str) -> str:
    return (
        f"The model {folder.name} was not loaded: {why}. Your documents and history are as they "
        f"were. Remove the model and add it again."
    )
