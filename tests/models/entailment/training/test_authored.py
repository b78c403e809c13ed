"""Written passages are whole, say nothing twice, and keep away from what is measured on."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.entailment.training.authored import WIDEST, Passage, read_passages, rows
from models.entailment.training.pairs import LABELS, pair_key, read_rows

ROOT = Path(__file__).resolve().parents[4]
AUTHORED = ROOT / "resources" / "entailment" / "training" / "authored"
HELD_OUT = ROOT / "resources" / "entailment" / "calibration"
SEED = 20261130


def plain(text: str) -> str:
    return " ".join(text.lower().split())


def passages(folder: Path) -> list[Passage]:
    return [p for file in sorted(folder.glob("*.jsonl")) for p in read_passages(file)]


def texts(found: list[Passage]) -> Iterator[str]:
    for passage in found:
        yield from map(plain, passage.sentences)
        yield from (plain(claim.text) for claim in passage.claims)


@pytest.mark.parametrize("folder", [AUTHORED, HELD_OUT], ids=["authored", "held out"])
def test_every_passage_has_its_own_name_and_claims_of_every_label(folder: Path) -> None:
    found = passages(folder)
    assert len(found) > 100
    assert max(Counter(passage.id for passage in found).values()) == 1
    for passage in found:
        claims = [plain(claim.text) for claim in passage.claims]
        assert len(set(claims)) == len(claims), passage.id
        assert not set(claims) & {plain(s) for s in passage.sentences}, passage.id
        assert {claim.label for claim in passage.claims} >= {"entailment", "contradiction"}


def test_nothing_that_is_measured_on_is_among_them(
    shared: Path, evaluation_files: list[Path]
) -> None:
    trained_on = set(texts(passages(AUTHORED)))
    assert not trained_on & set(texts(passages(HELD_OUT)))
    for name in ("attacks", "passages", "documents"):
        for row in read_rows(shared / "cases" / f"{name}.jsonl"):
            assert plain(row["claim"]) not in trained_on
    measured = {pair_key(row)[1] for file in evaluation_files for row in read_rows(file)}
    assert not trained_on & measured


def test_a_claim_is_entailed_only_by_what_decides_it() -> None:
    for passage in passages(AUTHORED)[::7]:
        premises = {claim.text: claim.evidence for claim in passage.claims}
        for row in rows([passage], SEED):
            evidence = premises[row["hypothesis"]]
            held = [at for at, text in enumerate(passage.sentences) if text in row["premise"]]
            assert held == list(range(held[0], held[-1] + 1))
            if row["label"] in LABELS:
                assert set(evidence) <= set(held)
            else:
                assert row["label"] == "not_entailment"
                assert not set(evidence) & set(held)
                assert len(held) <= WIDEST


def test_the_same_seed_gives_the_same_rows() -> None:
    found = passages(AUTHORED)[:20]
    assert rows(found, SEED) == rows(found, SEED)
    assert rows(found, SEED) != rows(found, SEED + 1)


@pytest.mark.parametrize(
    "change", [{"label": "maybe"}, {"evidence": [5]}, {"evidence": [-1]}, {"evidence": []}]
)
def test_a_wrong_row_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    claim = {"claim": "C.", "label": "neutral", "kind": "k", "evidence": [0]} | change
    row = {"id": "x-1", "register": "r", "sentences": ["A.", "B."], "claims": [claim]}
    file = tmp_path / "wrong.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"wrong\.jsonl:1"):
        list(read_passages(file))
