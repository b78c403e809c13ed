"""The cache of scores: what it keeps, what it lets go, and that nothing about it costs a check."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ports import EntailmentScores
from core.storage.scores import ScoreCache

PAIR = ("The pump broke down at noon.", "The pump stopped.")
SCORES = EntailmentScores(0.25, 0.125)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "scores.db"


def pairs(count: int, start: int = 0) -> list[tuple[str, str]]:
    return [(f"Premise {n}.", "A claim.") for n in range(start, start + count)]


def same(count: int) -> list[EntailmentScores]:
    return [SCORES] * count


def test_scores_come_back_in_order_and_after_a_restart(file: Path) -> None:
    other = ("Another premise.", "The pump stopped.")
    two_labels = EntailmentScores(1.0, None)
    with ScoreCache(file) as cache:
        cache.put("model", [PAIR, other], [SCORES, two_labels])
    with ScoreCache(file) as cache:
        assert cache.get("model", [other, ("x", "y"), PAIR, PAIR]) == [
            two_labels, None, SCORES, SCORES,
        ]  # fmt: skip


def test_each_part_of_the_key_counts(file: Path) -> None:
    with ScoreCache(file) as cache:
        cache.put("model", [("a", "bc")], [SCORES])
        assert cache.get("other", [("a", "bc")]) == [None]
        assert cache.get("model", [("ab", "c"), ("bc", "a"), ("a", "b")]) == [None] * 3


def test_a_newer_score_replaces_an_older_one(file: Path) -> None:
    newer = EntailmentScores(0.5, 0.5)
    with ScoreCache(file) as cache:
        cache.put("model", [PAIR], [SCORES])
        cache.put("model", [PAIR], [newer])
        assert cache.get("model", [PAIR]) == [newer]


@given(st.text(), st.text(), st.floats(0, 1), st.one_of(st.none(), st.floats(0, 1)))
def test_any_text_and_any_probability_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    premise: str,
    hypothesis: str,
    entailment: float,
    contradiction: float | None,
) -> None:
    scores = EntailmentScores(entailment, contradiction)
    with ScoreCache(tmp_path_factory.mktemp("cache") / "scores.db") as cache:
        cache.put("model", [(premise, hypothesis)], [scores])
        assert cache.get("model", [(premise, hypothesis)]) == [scores]


def test_half_a_surrogate_pair_is_no_fault(file: Path) -> None:
    with ScoreCache(file) as cache:
        cache.put("model", [("\ud800", "a")], [SCORES])
        assert cache.get("model", [("\ud800", "a")]) == [SCORES]


def test_what_was_not_used_for_longest_goes_first(file: Path) -> None:
    with ScoreCache(file, most_rows=100) as cache:
        cache.put("model", pairs(90), same(90))
        cache.get("model", pairs(10))
        cache.put("model", pairs(60, start=90), same(60))
        held = cache.get("model", pairs(150))
        assert held[:10] == same(10), "what was asked for again stays"
        assert held[90:] == same(60), "what is new stays"
        assert sum(scores is not None for scores in held) <= 100


def test_it_stays_within_its_bound(file: Path) -> None:
    with ScoreCache(file, most_rows=50) as cache:
        for start in range(0, 1000, 25):
            cache.put("model", pairs(25, start), same(25))
    with closing(sqlite3.connect(file)) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM scores").fetchone()
    assert rows <= 100


def test_no_text_is_in_the_file(file: Path) -> None:
    with ScoreCache(file) as cache:
        cache.put("model", [PAIR], [SCORES])
    stored = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert b"pump" not in stored
    assert b"noon" not in stored


def test_a_changed_number_is_not_believed(file: Path) -> None:
    with ScoreCache(file) as cache:
        cache.put("model", [PAIR], [SCORES])
    with closing(sqlite3.connect(file)) as connection, connection:
        (value,) = connection.execute("SELECT value FROM scores").fetchone()
        for at in range(len(value)):
            flipped = value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
            connection.execute("UPDATE scores SET value = ?", (flipped,))
            connection.commit()
            with ScoreCache(file) as cache:
                assert cache.get("model", [PAIR]) == [None], f"byte {at}"


def test_a_value_moved_to_another_key_is_not_believed(file: Path) -> None:
    with ScoreCache(file) as cache:
        cache.put("model", pairs(2), [SCORES, EntailmentScores(1.0, 0.0)])
    with closing(sqlite3.connect(file)) as connection, connection:
        (first, one), (second, other) = connection.execute("SELECT key, value FROM scores")
        connection.execute("UPDATE scores SET value = ? WHERE key = ?", (other, first))
        connection.execute("UPDATE scores SET value = ? WHERE key = ?", (one, second))
    with ScoreCache(file) as cache:
        assert cache.get("model", pairs(2)) == [None, None]


@pytest.mark.parametrize("content", [b"not a database at all", b"SQLite format 3\0" + b"x" * 4096])
def test_a_damaged_file_is_replaced(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with ScoreCache(file) as cache:
        assert cache.get("model", [PAIR]) == [None]
        cache.put("model", [PAIR], [SCORES])
        assert cache.get("model", [PAIR]) == [SCORES]


def test_damage_in_mid_use_costs_only_the_scores(file: Path) -> None:
    with ScoreCache(file) as cache:
        cache.put("model", pairs(5000), same(5000))
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * (size - 4096))
    with ScoreCache(file) as cache:
        assert set(cache.get("model", pairs(5000))) <= {None}
        cache.put("model", [PAIR], [SCORES])
        assert cache.get("model", [PAIR]) == [SCORES]


def test_a_table_of_another_shape_is_replaced(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE scores (something TEXT)")
        connection.execute("PRAGMA user_version = 1")
    with ScoreCache(file) as cache:
        cache.put("model", [PAIR], [SCORES])
        cache.put("model", [PAIR], [SCORES])
        assert cache.get("model", [PAIR]) == [SCORES]


def test_a_file_that_cannot_be_made_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "in the way").write_bytes(b"")
    for file in (tmp_path / "in the way" / "scores.db", tmp_path):
        with ScoreCache(file) as cache:
            cache.put("model", [PAIR], [SCORES])
            assert cache.get("model", [PAIR]) == [None]


def test_it_may_be_deleted_while_it_is_used(file: Path) -> None:
    with ScoreCache(file) as cache:
        cache.put("model", [PAIR], [SCORES])
    file.unlink()
    with ScoreCache(file) as cache:
        assert cache.get("model", [PAIR]) == [None]


def test_two_programs_and_many_threads_at_once(file: Path) -> None:
    caches = [ScoreCache(file), ScoreCache(file)]
    wrong: list[object] = []

    def work(number: int) -> None:
        cache = caches[number % 2]
        mine = pairs(40, start=100 * number)
        scores = [EntailmentScores(n / 100, None) for n in range(40)]
        cache.put("model", mine, scores)
        got = cache.get("model", mine)
        wrong.extend(g for g, s in zip(got, scores, strict=True) if g not in (None, s))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for cache in caches:
        cache.close()
    assert wrong == []
