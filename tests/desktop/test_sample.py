"""The sample that comes with the program, as its folder gives it."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

import resources
from desktop.pages.check.sample import ReadyClaim, read_sample


def sample(folder: Path, *rows: dict[str, str]) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "claims.jsonl").write_text(lines, encoding="utf-8")


def test_every_ready_claim_of_the_program_is_read() -> None:
    found = read_sample(resources.path("samples"))
    assert found is not None
    lines = resources.path("samples/claims.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [one.claim for one in found.claims] == [row["claim"] for row in rows]
    assert [one.note for one in found.claims] == [row["note"] for row in rows]
    assert len({one.label for one in found.claims}) == len(rows)
    assert all(one.note for one in found.claims)


def test_claims_of_another_paper_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "paper.txt").write_text("Words.", encoding="utf-8")
    sample(
        tmp_path,
        {"id": "gone", "claim": "A.", "source": "gone.txt", "note": ""},
        {"id": "two-words", "claim": "B.", "source": "paper.txt", "note": "Why."},
    )
    found = read_sample(tmp_path)
    assert found is not None
    assert found.claims == (ReadyClaim("Two words", "B.", "Why."),)
    assert found.sha256 == sha256(b"Words.").hexdigest()


@pytest.mark.parametrize("rows", [[], [{"id": "a", "claim": "A.", "source": "gone.txt"}]])
def test_without_a_paper_there_is_no_sample(tmp_path: Path, rows: list[dict[str, str]]) -> None:
    assert read_sample(tmp_path) is None
    sample(tmp_path, *rows)
    assert read_sample(tmp_path) is None
