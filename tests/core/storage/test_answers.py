"""The kept answers of registries: what comes back, what goes, and that no question is told."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.scholarly.asking import Question
from core.scholarly.reply import Reply
from core.scholarly.work import Registry
from core.storage.answers import SWEEP_EVERY, AnswerRepository
from core.storage.database import Database
from core.storage.store import Store

ROOT = Path(__file__).parents[3]
MOMENT = datetime(2026, 3, 1, 12, 0, 0, 250, tzinfo=UTC)


def key(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def reply(body: bytes = b"{}", status: int = 200, asked: datetime = MOMENT) -> Reply:
    return Reply(status, "application/json", body, asked)


def test_an_answer_outlives_the_program(home: Path) -> None:
    with Store.open(home) as store:
        store.answers.put("crossref", key("a"), reply(b"\x00\xff" * 500, 404))
    with Store.open(home) as store:
        assert store.answers.get("crossref", key("a")) == reply(b"\x00\xff" * 500, 404)
        assert store.answers.get("openalex", key("a")) is None
        assert store.answers.get("crossref", key("b")) is None


def test_a_newer_answer_takes_the_place_of_an_older_one(store: Store) -> None:
    store.answers.put("crossref", key("a"), reply(b"old"))
    later = reply(b"new", asked=MOMENT + timedelta(days=1))
    store.answers.put("crossref", key("a"), later)
    assert store.answers.get("crossref", key("a")) == later


@settings(max_examples=20)
@given(st.binary(max_size=2000), st.sampled_from([200, 404, 410]), st.text(max_size=20))
def test_any_body_comes_back(
    tmp_path_factory: pytest.TempPathFactory, body: bytes, status: int, media_type: str
) -> None:
    given_reply = Reply(status, media_type, body, MOMENT)
    with Store.open(tmp_path_factory.mktemp("store")) as store:
        store.answers.put("arxiv", key("q"), given_reply)
        assert store.answers.get("arxiv", key("q")) == given_reply


def test_the_oldest_go_where_there_is_no_room(home: Path, store: Store) -> None:
    database = Database(home / "countersign.db")
    answers = AnswerRepository(database, most_bytes=10_000)
    bodies = [sha256(str(n).encode()).digest() * 30 for n in range(SWEEP_EVERY * 5 + 1)]
    for n, body in enumerate(bodies):
        answers.put("crossref", key(str(n)), reply(body, asked=MOMENT + timedelta(seconds=n)))
    kept = [n for n in range(len(bodies)) if answers.get("crossref", key(str(n))) is not None]
    assert kept
    assert kept == list(range(kept[0], len(bodies)))
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        (size,) = db.execute("SELECT sum(size) FROM registry_answers").fetchone()
    assert size <= 10_000
    database.close()


def test_answers_can_be_forgotten(store: Store) -> None:
    for n in range(4):
        store.answers.put("crossref", key(str(n)), reply(asked=MOMENT + timedelta(days=n)))
    assert store.answers.forget(MOMENT + timedelta(days=2)) == 2
    assert store.answers.get("crossref", key("1")) is None
    assert store.answers.get("crossref", key("2")) is not None
    assert store.answers.forget() == 2
    assert store.answers.get("crossref", key("3")) is None


@pytest.mark.parametrize("damage", [lambda b: b[:-3], lambda b: b"\x00" * len(b), lambda b: b""])
def test_a_damaged_body_counts_as_none(
    home: Path, store: Store, damage: Callable[[bytes], bytes]
) -> None:
    store.answers.put("crossref", key("a"), reply(b"some words"))
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        (body,) = db.execute("SELECT body FROM registry_answers").fetchone()
        spoilt = damage(body)
        db.execute("UPDATE registry_answers SET body = ?, size = ?", (spoilt, len(spoilt)))
        db.commit()
    assert store.answers.get("crossref", key("a")) is None


def test_no_question_is_in_the_file(home: Path, store: Store) -> None:
    question = Question("https://api.crossref.org/works/10.1000%2Fsecret-doi", Registry.CROSSREF)
    store.answers.put(question.place, question.key, reply())
    store.close()
    for file in home.iterdir():
        if file.is_file():
            assert b"secret-doi" not in file.read_bytes()


def test_a_store_opens_without_what_reads_answers() -> None:
    """The window opens a store before it shows, and these take a tenth of a second each."""
    script = "import sys, core.storage.store\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT, text=True)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()).isdisjoint({"pydantic", "lxml", "httpx", "email"})
