"""Weights are read exactly, or refused; a file that is not whole is never read as one that is."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from models.entailment.errors import ModelRefused, PickleOnly, WeightsDamaged, WeightsUnexpected
from models.entailment.safetensors import read_entries, read_header, read_tensor


def packed(tensors: dict[str, tuple[str, list[int], bytes]], **more: object) -> bytes:
    """A safetensors file; `more` goes into its header."""
    header: dict[str, object] = dict(more)
    at = 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    head = json.dumps(header).encode()
    return len(head).to_bytes(8, "little") + head + b"".join(t[2] for t in tensors.values())


def write(folder: Path, content: bytes, name: str = "model.safetensors") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return folder / name


FLOATS = arrays.arrays(
    np.float32, st.tuples(st.integers(1, 3), st.integers(1, 4)), elements=st.floats(-4, 4, width=16)
)


@settings(deadline=None)
@given(values=FLOATS, dtype=st.sampled_from(["F32", "F16", "BF16", "F64"]))
def test_values_are_exact(
    tmp_path_factory: pytest.TempPathFactory, values: np.ndarray, dtype: str
) -> None:
    if dtype == "BF16":
        data = (values.view(np.uint32) >> 16).astype("<u2")
        values = (data.astype(np.uint32) << 16).view(np.float32)
    else:
        data = values.astype({"F32": "<f4", "F16": "<f2", "F64": "<f8"}[dtype])
    tensors = {"a": ("I64", [1], bytes(8)), "b": (dtype, list(values.shape), data.tobytes())}
    path = write(tmp_path_factory.mktemp("weights"), packed(tensors, __metadata__={"format": "pt"}))
    found = read_tensor("b", read_header(path)["b"])
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, values)


WHOLE = packed({"a": ("F32", [2, 2], bytes(16)), "b": ("F16", [3], bytes(6))})


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_every_cut_is_noticed(length: int, tmp_path: Path) -> None:
    with pytest.raises(WeightsDamaged):
        read_header(write(tmp_path, WHOLE[:length]))


def test_what_follows_the_last_tensor_is_noticed(tmp_path: Path) -> None:
    assert set(read_header(write(tmp_path, WHOLE))) == {"a", "b"}
    with pytest.raises(WeightsDamaged):
        read_header(write(tmp_path, WHOLE + b"\0"))


def entry(dtype: object = "F32", shape: object = (2,), span: object = (0, 8)) -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": span}


@pytest.mark.parametrize(
    "header",
    [
        [],
        {"a": None},
        {"a": {}},
        {"a": entry(shape=[3])},
        {"a": entry(shape=[-2])},
        {"a": entry(shape=[2.0])},
        {"a": entry(shape=[True, 2])},
        {"a": entry(shape="ab")},
        {"a": entry(dtype="F31")},
        {"a": entry(dtype=["F32"])},
        {"a": entry(span=[0, 9])},
        {"a": entry(span=[8, 0])},
        {"a": entry(span=[-8, 0])},
        {"a": entry(span=[0])},
        {"a": entry(span=[4, 12])},
        {"a": entry(), "b": entry()},
        {"a": entry(shape=[1], span=[0, 4])},
        {"a": entry(), "b": entry(shape=[0], span=[8, 8])},
        {"a": entry(shape=[2**70])},
    ],
)
def test_headers_that_do_not_describe_the_bytes(header: object, tmp_path: Path) -> None:
    text = json.dumps(header).encode()
    with pytest.raises(WeightsDamaged):
        read_header(write(tmp_path, len(text).to_bytes(8, "little") + text + bytes(8)))


@pytest.mark.parametrize(
    "head",
    [
        b'{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, '
        b'"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}',
        b"[" * 100_000,
        b"\xff\xfe{}",
    ],
)
def test_headers_that_two_programs_could_read_in_two_ways(head: bytes, tmp_path: Path) -> None:
    with pytest.raises(WeightsDamaged):
        read_header(write(tmp_path, len(head).to_bytes(8, "little") + head + bytes(8)))


@pytest.mark.parametrize("length", [0, 1, 2**40, 2**63 + 1, 2**64 - 1])
def test_a_header_longer_than_the_file(length: int, tmp_path: Path) -> None:
    with pytest.raises(WeightsDamaged):
        read_header(write(tmp_path, length.to_bytes(8, "little") + b"{}" + bytes(64)))


@settings(deadline=None)
@given(data=st.binary(max_size=200))
def test_no_bytes_bring_the_reader_down(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = write(tmp_path_factory.mktemp("weights"), data)
    try:
        found = read_header(path)
    except WeightsDamaged:
        return
    assert 8 + int.from_bytes(data[:8], "little") <= len(data)
    assert all(one.path == path for one in found.values())


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(("dtype", "kind"), [("F32", "<f4"), ("F16", "<f2"), ("F64", "<f8")])
def test_values_that_are_no_numbers(bad: float, dtype: str, kind: str, tmp_path: Path) -> None:
    data = np.array([1, bad], dtype=kind).tobytes()
    path = write(tmp_path, packed({"a": (dtype, [2], data)}))
    with pytest.raises(WeightsUnexpected):
        read_tensor("a", read_header(path)["a"])


def test_values_beyond_float32(tmp_path: Path) -> None:
    path = write(tmp_path, packed({"a": ("F64", [1], np.array([1e39]).tobytes())}))
    with pytest.raises(WeightsUnexpected):
        read_tensor("a", read_header(path)["a"])


@pytest.mark.parametrize(("dtype", "size"), [("I64", 8), ("F8_E4M3", 1), ("BOOL", 1)])
def test_tensors_that_hold_no_floats(dtype: str, size: int, tmp_path: Path) -> None:
    path = write(tmp_path, packed({"a": (dtype, [1], bytes(size))}))
    with pytest.raises(WeightsUnexpected):
        read_tensor("a", read_header(path)["a"])


PARTS = {
    "one.safetensors": packed({"a": ("F32", [1], bytes(4))}),
    "two.safetensors": packed({"b": ("F32", [1], bytes(4))}),
}
MAP = {"a": "one.safetensors", "b": "two.safetensors"}


def in_parts(folder: Path, weight_map: object, parts: dict[str, bytes] = PARTS) -> Path:
    for name, content in parts.items():
        write(folder, content, name)
    index = json.dumps({"weight_map": weight_map}).encode()
    write(folder, index, "model.safetensors.index.json")
    return folder


def test_a_checkpoint_in_parts(tmp_path: Path) -> None:
    found = read_entries(in_parts(tmp_path, MAP))
    assert {name: one.path.name for name, one in found.items()} == MAP


@pytest.mark.parametrize(
    ("weight_map", "parts"),
    [
        (MAP, {"one.safetensors": PARTS["one.safetensors"]}),
        ({**MAP, "c": "two.safetensors"}, PARTS),
        ({"a": "two.safetensors", "b": "one.safetensors"}, PARTS),
        ({**MAP, "c": "../one.safetensors"}, PARTS),
        ({**MAP, "c": "/etc/passwd"}, PARTS),
        ({**MAP, "c": "..\\one.safetensors"}, PARTS),
        ({**MAP, "c": 7}, PARTS),
        ({}, PARTS),
        (None, PARTS),
        ("ab", PARTS),
        (MAP, {**PARTS, "two.safetensors": PARTS["two.safetensors"][:-1]}),
        (MAP, dict.fromkeys(PARTS, PARTS["one.safetensors"])),
    ],
)
def test_parts_that_do_not_belong_together(
    weight_map: object, parts: dict[str, bytes], tmp_path: Path
) -> None:
    with pytest.raises(ModelRefused):
        read_entries(in_parts(tmp_path, weight_map, parts))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.ckpt", "tf_model.h5"])
def test_a_pickle_is_named_and_not_opened(name: str, tmp_path: Path) -> None:
    write(tmp_path, b"cos\nsystem\n(S'false'\ntR.", name)
    with pytest.raises(PickleOnly):
        read_entries(tmp_path)


def test_a_pickle_beside_the_weights_is_not_looked_at(tmp_path: Path) -> None:
    write(tmp_path, b"cos\nsystem\n(S'false'\ntR.", "pytorch_model.bin")
    write(tmp_path, WHOLE)
    assert set(read_entries(tmp_path)) == {"a", "b"}


def test_no_weights_at_all(tmp_path: Path) -> None:
    with pytest.raises(WeightsUnexpected):
        read_entries(tmp_path)
