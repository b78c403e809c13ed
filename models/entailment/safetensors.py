"""Reads tensors from safetensors files with numpy; nothing in such a file can run code.

A file is 8 bytes with the length of a JSON header (little-endian), the header, and the tensors'
bytes (https://github.com/huggingface/safetensors#format).
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.entailment.errors import PickleOnly, WeightsDamaged, WeightsUnexpected

Floats = NDArray[np.float32]

SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"
MAX_HEADER_BYTES = 100 * 1024 * 1024
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")

ITEM_BYTES = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1,
    "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1,
}  # fmt: skip
READABLE = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "F64": "<f8"}


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a tensor lies: its file, type, shape, and first byte in the file."""

    path: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a checkpoint in `folder`, one or several.

    Raises `PickleOnly`, `WeightsUnexpected` and `WeightsDamaged`.
    """
    if (folder / INDEX).is_file():
        return [folder / name for name in sorted(set(_weight_map(folder).values()))]
    if (folder / SINGLE).is_file():
        return [folder / SINGLE]
    if any(next(folder.glob(pattern), None) for pattern in PICKLES):
        raise PickleOnly(
            "The weights are only there as a pickle or another format that can run code when it "
            "is opened, so they were not opened. Nothing was taken in. Get the model's "
            "safetensors file, or convert it on a machine that you trust with it."
        )
    raise WeightsUnexpected(
        f"There is no {SINGLE} in the folder {folder.name}. Nothing was taken in. Choose the "
        f"folder that holds the model's config.json and its safetensors file."
    )


def read_entries(folder: Path) -> dict[str, Entry]:
    """Every tensor of the checkpoint in `folder`, by name.

    Raises `PickleOnly`, `WeightsUnexpected` and `WeightsDamaged`.
    """
    entries: dict[str, Entry] = {}
    for path in weight_files(folder):
        _add(entries, read_header(path), path)
    if (folder / INDEX).is_file():
        for name, file in _weight_map(folder).items():
            if name not in entries or entries[name].path.name != file:
                raise WeightsUnexpected(
                    f"{file} does not hold {_short(name)}, which the index says that it holds. "
                    f"Nothing was taken in. Get all of the model's files from one place."
                )
    return entries


def read_header(path: Path) -> dict[str, Entry]:
    """The tensors of one file. Raises `WeightsDamaged` unless every byte is accounted for."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if size < 8 or not 2 <= length <= min(MAX_HEADER_BYTES, size - 8):
                raise _damaged(path)
            header = json.loads(file.read(length), object_pairs_hook=_without_repeats)
    except OSError as error:
        raise WeightsDamaged(f"{path.name} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error
    if not isinstance(header, dict):
        raise _damaged(path)
    start = 8 + length
    entries: dict[str, Entry] = {}
    spans: list[tuple[int, int]] = []
    for name, value in header.items():
        if name == "__metadata__":
            continue
        try:
            entry, end = _entry(path, value, start)
        except (KeyError, TypeError, ValueError) as error:
            raise _damaged(path) from error
        entries[name] = entry
        spans.append((entry.offset, end))
    at = start
    for first, end in sorted(spans):
        if first != at:
            raise _damaged(path)
        at = end
    if at != size:
        raise _damaged(path)
    return entries


def read_tensor(name: str, entry: Entry) -> Floats:
    """The tensor as a float32 array of its own.

    Raises `WeightsUnexpected` for a type that holds no plain floats and for values that are not
    finite, also after rounding to float32.
    """
    if entry.dtype not in READABLE:
        raise WeightsUnexpected(
            f"{_short(name)} is stored as {entry.dtype}, not as float32, float16 or bfloat16. "
            f"Nothing was taken in. Get the model in one of these."
        )
    stored = np.memmap(
        entry.path, dtype=READABLE[entry.dtype], mode="r", offset=entry.offset,
        shape=(math.prod(entry.shape),),
    )  # fmt: skip
    if entry.dtype == "BF16":
        # bfloat16 is the upper half of a float32.
        values = (stored.astype(np.uint32) << np.uint32(16)).view(np.float32)
    else:
        with np.errstate(over="ignore"):
            values = stored.astype(np.float32)
    if not np.isfinite(values).all():
        raise WeightsUnexpected(
            f"{_short(name)} holds values that are not numbers. Nothing was taken in: the model "
            f"is broken. Get it again from its source."
        )
    return np.asarray(values.reshape(entry.shape))


def _entry(path: Path, value: Mapping[str, Any], start: int) -> tuple[Entry, int]:
    """The tensor that a header's value describes, and where it ends in the file."""
    dtype, shape, (first, end) = value["dtype"], value["shape"], value["data_offsets"]
    numbers = [first, end, *shape]
    if any(type(number) is not int or number < 0 for number in numbers):
        raise ValueError("not a size")
    if math.prod(shape) * ITEM_BYTES[dtype] != end - first or math.prod(shape) == 0:
        raise ValueError("the size does not fit the shape")
    return Entry(path, dtype, tuple(shape), start + first), start + end


def _weight_map(folder: Path) -> dict[str, str]:
    """Tensor name to file name, from the index of a checkpoint in several files."""
    try:
        found = json.loads((folder / INDEX).read_text(encoding="utf-8"))["weight_map"]
        names = dict(found)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise WeightsDamaged(
            f"{INDEX} cannot be read. Nothing was taken in. Get the file again."
        ) from error
    for file in names.values():
        if not isinstance(file, str) or PurePath(file).name != file or "\\" in file:
            raise WeightsDamaged(f"{INDEX} names a file outside its folder. Nothing was taken in.")
        if not (folder / file).is_file():
            raise WeightsUnexpected(
                f"{file} is missing, which is a part of the model. Nothing was taken in. Get all "
                f"of the model's files."
            )
    if not names:
        raise WeightsDamaged(f"{INDEX} names no file. Nothing was taken in.")
    return names


def _add(entries: dict[str, Entry], more: dict[str, Entry], path: Path) -> None:
    repeated = entries.keys() & more.keys()
    if repeated:
        raise WeightsUnexpected(
            f"{path.name} holds {_short(min(repeated))}, which another part of the model holds "
            f"too. Nothing was taken in."
        )
    entries.update(more)


def _without_repeats(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; two values under one key would let two programs read two models."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError("a key twice")
        found[key] = value
    return found


def _damaged(path: Path) -> WeightsDamaged:
    return WeightsDamaged(
        f"{path.name} is cut short or damaged. Nothing was taken in. Get the file again; if it was "
        f"a download, it did not come through whole."
    )


def _short(name: str) -> str:
    return name if len(name) <= 80 else f"{name[:80]}…"
