"""Pairs are chosen by a mix, reproducibly, and batched without losing or cutting any."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from models.entailment.training.manifest import jsonl
from models.entailment.training.pairs import (
    LABEL_IDS,
    LABELS,
    NOT_ENTAILMENT,
    Example,
    Mix,
    batches,
    choose,
    digest,
    load_tokenizer,
    pair_key,
    read_rows,
    tokenise,
)

ROOT = Path(__file__).resolve().parents[4]
ADAPTER = ROOT / "resources" / "entailment" / "adapter"
MIXES = sorted((ROOT / "resources" / "entailment" / "training").glob("mix*.json"))


def rows_of(source: str, count: int) -> list[dict[str, str]]:
    return [
        {
            "premise": f"{source} premise {i}",
            "hypothesis": f"hypothesis {i}",
            "label": LABELS[i % 3],
            "source": source,
        }
        for i in range(count)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [*rows_of("a", 100), *rows_of("b", 100), *rows_of("c", 100), *rows_of("a", 100)]
    (tmp_path / "rows.jsonl").write_bytes(jsonl(rows))
    return tmp_path


def mix_of(sets: dict[str, float], *files: str) -> Mix:
    return Mix(files or ("rows.jsonl",), sets, max_tokens=10, max_tokens_of={})


def test_shares_counts_and_unnamed_sets(folder: Path) -> None:
    rows = choose(mix_of({"a": 0.25, "b": 7}), [folder], [], 1)
    assert Counter(row["source"] for row in rows) == {"a": 25, "b": 7}


def test_a_pair_is_chosen_once(folder: Path) -> None:
    rows = choose(mix_of({"a": 1.0}), [folder], [], 1)
    assert len({pair_key(row) for row in rows}) == len(rows) == 100


def test_the_seed_decides_which(folder: Path) -> None:
    first, again, other = (choose(mix_of({"a": 0.5}), [folder], [], seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_set_without_rows_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="no row of nothing"):
        choose(mix_of({"a": 1.0, "nothing": 1.0}), [folder], [], 1)


def test_a_missing_file_is_refused(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"other\.jsonl is in none"):
        choose(mix_of({"a": 1.0}, "rows.jsonl", "other.jsonl"), [folder], [], 1)


def test_the_first_folder_wins(folder: Path, tmp_path: Path) -> None:
    first = tmp_path / "first"
    first.mkdir()
    (first / "rows.jsonl").write_bytes(jsonl(rows_of("a", 3)))
    assert len(choose(mix_of({"a": 1.0}), [first, folder], [], 1)) == 3


@pytest.mark.parametrize("path", MIXES, ids=lambda path: path.stem)
def test_every_mix_asks_for_what_there_is(
    path: Path,
    public: Path,
    generated: list[dict[str, str]],
    authored: list[dict[str, str]],
) -> None:
    mix = Mix.read(path)
    there = Counter(row["source"] for row in read_rows(public))
    made = {row["source"] for row in (*generated, *authored)}
    for name, amount in mix.sets.items():
        assert name in made or name in there, name
        assert amount > 0
        if name in there and amount > 1:
            assert amount <= there[name], name
    assert mix.max_tokens_of.keys() <= mix.sets.keys()
    assert mix.files[0] == public.name


def test_there_are_the_mixes_of_the_run() -> None:
    shipped = json.loads((ADAPTER / "config.json").read_text(encoding="utf-8"))
    used = {part["mix"] for part in shipped["training"]["history"]}
    assert {path.name for path in MIXES} == used


@pytest.fixture
def tokenizer(tmp_path: Path) -> Tokenizer:
    words = {"<unk>": 0, **{word: i for i, word in enumerate(["pad", "a", "b", "c"], start=1)}}
    made = Tokenizer(WordLevel(words, unk_token="<unk>"))
    made.pre_tokenizer = Whitespace()
    made.enable_truncation(4)
    made.enable_padding(length=8)
    made.save(str(tmp_path / "tokenizer.json"))
    return load_tokenizer(tmp_path / "tokenizer.json")


def test_long_pairs_are_left_out_and_none_is_cut(tokenizer: Tokenizer) -> None:
    rows = [
        {"premise": "a " * n, "hypothesis": "b", "label": "neutral", "source": source}
        for source in ("short", "long")
        for n in (2, 5, 9, 19)
    ]
    mix = Mix((), {}, max_tokens=6, max_tokens_of={"long": 10})
    found = [example.ids for example in tokenise(rows, tokenizer, mix)]
    assert found == [(2,) * n + (3,) for n in (2, 5, 2, 5, 9)]


def test_labels_are_numbered_in_the_order_of_the_head(tokenizer: Tokenizer) -> None:
    names = [*LABELS, "not_entailment"]
    rows = [{"premise": "a", "hypothesis": "b", "label": x, "source": "s"} for x in names]
    found = tokenise(rows, tokenizer, mix_of({}))
    assert [example.label for example in found] == [0, 1, 2, NOT_ENTAILMENT]
    assert LABEL_IDS["entailment"] == 0


def test_the_digest_is_of_the_order_too() -> None:
    one, two = Example((5, 6), 0), Example((5, 6), 1)
    assert len({digest([one, two]), digest([two, one]), digest([one])}) == 3
    assert digest([one, two]) == digest([Example((5, 6), 0), two])


@given(
    lengths=st.lists(st.integers(1, 60), min_size=1, max_size=300),
    tokens=st.integers(20, 200),
    most=st.integers(1, 12),
    seed=st.integers(0, 5),
)
def test_batches_hold_every_example_once_within_their_limits(
    lengths: list[int], tokens: int, most: int, seed: int
) -> None:
    examples = [Example((9,) * length, 0) for length in lengths]
    plan = batches(examples, tokens, most, seed, epoch=0)
    assert sorted(i for batch in plan for i in batch) == list(range(len(examples)))
    for batch in plan:
        assert 1 <= len(batch) <= most
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= tokens
    assert plan == batches(examples, tokens, most, seed, epoch=0)


def test_another_epoch_has_another_order() -> None:
    examples = [Example((9,) * (1 + i % 7), 0) for i in range(200)]
    assert batches(examples, 40, 8, 1, epoch=0) != batches(examples, 40, 8, 1, epoch=1)


def test_a_mix_is_read_as_written(tmp_path: Path) -> None:
    path = tmp_path / "mix.json"
    path.write_text(
        json.dumps({"files": ["x"], "sets": {"s": 0.5}, "max_tokens": 9}), encoding="utf-8"
    )
    assert Mix.read(path) == Mix(("x",), {"s": 0.5}, 9, {})
