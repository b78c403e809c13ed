"""Attacks that real files make: what the reader of a document sees and a claim's words do not.

Each row is a file, a claim that stands in it, and whether a careful reader of the whole file would
say that the file supports it.
"""

import importlib.util
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.claims.check import check
from core.claims.verdict import Verdict
from core.documents.read import read

HERE = Path(__file__).parent
Row = dict[str, Any]


@cache
def _files() -> Any:
    found = importlib.util.spec_from_file_location("document_files", HERE / "document_files.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


ROWS: list[Row] = [
    {"format": path.stem, **json.loads(line)}
    for path in sorted((HERE / "documents").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


def _named(rows: list[Row]) -> Any:
    return pytest.mark.parametrize("row", rows, ids=[f"{r['family']}-{r['id']}" for r in rows])


def test_the_rows_are_well_formed() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert {row["format"] for row in ROWS} == set(_files().SUFFIXES)
    assert sum(not row["supported"] for row in ROWS) >= 200
    assert sum(row["supported"] for row in ROWS) >= 50
    assert min(Counter(row["format"] for row in ROWS).values()) >= 10


@_named([row for row in ROWS if not row["supported"]])
def test_no_file_supports_what_it_does_not_say(row: Row, tmp_path: Path) -> None:
    document = read(_files().write(tmp_path, row["format"], row["file"]))
    assert check(row["claim"], document).verdict is not Verdict.SUPPORTED


@_named([row for row in ROWS if not row["supported"]])
def test_no_file_convinces_an_agreeable_model(row: Row, tmp_path: Path, agreeable: Any) -> None:
    document = read(_files().write(tmp_path, row["format"], row["file"]))
    assert check(row["claim"], document, model=agreeable).verdict is not Verdict.SUPPORTED


@_named([row for row in ROWS if row["supported"]])
def test_an_ordinary_file_supports_what_it_says(row: Row, tmp_path: Path) -> None:
    document = read(_files().write(tmp_path, row["format"], row["file"]))
    result = check(row["claim"], document)
    assert result.verdict is Verdict.SUPPORTED, result.reason
