"""Attacks on the history with SQL of one's own, on a connection without any of our settings."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.claims.verdict import CheckResult, Verdict
from core.storage.rows import Provenance
from core.storage.store import Store

HISTORY = ("source_texts", "checks", "verdicts", "triage")

ATTACKS = [
    "UPDATE verdicts SET verdict = 'contradicted'",
    "UPDATE verdicts SET verdict = 'contradicted' WHERE id = 1",
    "UPDATE verdicts SET verdict = verdict",
    "UPDATE OR REPLACE verdicts SET id = 2 WHERE id = 1",
    "UPDATE OR IGNORE verdicts SET reason = ''",
    "UPDATE OR FAIL verdicts SET evidence = '[]'",
    "UPDATE OR ROLLBACK verdicts SET trace = '[]'",
    "UPDATE verdicts SET rowid = 99 WHERE id = 1",
    "UPDATE verdicts SET verdict = c.claim FROM checks c",
    "DELETE FROM verdicts",
    "DELETE FROM verdicts WHERE id = 2",
    "INSERT OR REPLACE INTO verdicts SELECT * FROM verdicts",
    "REPLACE INTO verdicts SELECT * FROM verdicts WHERE id = 1",
    "INSERT OR IGNORE INTO verdicts SELECT * FROM verdicts",
    "INSERT INTO verdicts SELECT * FROM verdicts WHERE true "
    "ON CONFLICT (id) DO UPDATE SET verdict = 'contradicted'",
    "INSERT INTO verdicts SELECT * FROM verdicts WHERE true ON CONFLICT DO NOTHING",
    "UPDATE checks SET claim = 'Another claim.'",
    "UPDATE checks SET workspace_id = 2",
    "UPDATE OR IGNORE checks SET source_name = ''",
    "DELETE FROM checks",
    "INSERT OR REPLACE INTO checks SELECT * FROM checks",
    "INSERT OR REPLACE INTO checks (rowid, workspace_id, claim, source_kind, source_name, "
    "text_sha256, created) SELECT id, workspace_id, 'Another.', source_kind, source_name, "
    "text_sha256, created FROM checks WHERE source_kind = 'text'",
    "UPDATE triage SET note = ''",
    "DELETE FROM triage",
    "REPLACE INTO triage SELECT id, verdict_id, 'Other.', added FROM triage",
    "UPDATE source_texts SET text = ''",
    "DELETE FROM source_texts",
    "INSERT OR REPLACE INTO source_texts (sha256, text) SELECT sha256, '' FROM source_texts",
    "INSERT OR REPLACE INTO source_texts (id, sha256, text) "
    "SELECT id, printf('%064d', id), '' FROM source_texts",
    "INSERT OR REPLACE INTO source_texts (_rowid_, sha256, text) "
    "SELECT id, printf('%064d', id), '' FROM source_texts",
    "DELETE FROM workspaces",
    "REPLACE INTO workspaces SELECT id, 'Other', 'other', 0, created FROM workspaces",
    "DELETE FROM documents",
    "UPDATE documents SET sha256 = printf('%064d', 1)",
    "UPDATE OR REPLACE documents SET size = 0",
    "REPLACE INTO documents SELECT * FROM documents",
    "INSERT OR REPLACE INTO documents (sha256, size, name, suffix, added) "
    "SELECT sha256, 0, 'other.txt', '', added FROM documents",
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a check against a document, one against a pasted text, and a note."""
    folder = tmp_path_factory.mktemp("template")
    (folder / "note.txt").write_text("One sentence.")
    moment = datetime(2026, 3, 2, tzinfo=UTC)
    with Store.open(folder / "home") as store:
        workspace = store.workspaces.create("Review").id
        document = store.documents.add(workspace, folder / "note.txt").document
        for source in (document, "Pasted text."):
            record = store.checks.record(
                workspace_id=workspace,
                claim="One sentence.",
                source=source,
                result=CheckResult(Verdict.SUPPORTED, "lexical", "It says so."),
                provenance=Provenance("m", "a" * 64, None, "1", "1", "1", moment, moment),
            )
        store.checks.add_triage(record.verdict_id, "Seen.")
    return folder / "home"


@pytest.fixture
def database(template: Path, home: Path) -> Path:
    shutil.copytree(template, home)
    return home / "countersign.db"


def contents(file: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as db:
        return {
            table: db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in (*HISTORY, "documents", "workspaces")
        }


@pytest.mark.parametrize("recursive", [False, True], ids=["plain", "recursive triggers"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_statement_changes_what_is_in_the_history(
    database: Path, attack: str, recursive: bool
) -> None:
    before = contents(database)
    assert all(before.values())
    with closing(sqlite3.connect(database)) as db:
        db.execute(f"PRAGMA recursive_triggers = {int(recursive)}")
        with pytest.raises(sqlite3.IntegrityError, match=r"append-only|keeps its content"):
            db.execute(attack)
        db.commit()
    assert contents(database) == before


@pytest.mark.parametrize("table", HISTORY)
def test_every_column_of_the_history_is_guarded(database: Path, table: str) -> None:
    before = contents(database)
    with closing(sqlite3.connect(database)) as db:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        assert len(columns) >= 3
        for column in columns:
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(f"UPDATE {table} SET {column} = {column}")
        db.commit()
    assert contents(database) == before


@pytest.mark.parametrize("table", HISTORY)
@pytest.mark.parametrize("key", [-1, 0])
def test_no_row_can_stand_where_it_would_block_new_ones(
    database: Path, table: str, key: int
) -> None:
    with closing(sqlite3.connect(database)) as db:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")][1:]
        copied = ", ".join(columns)
        other = copied
        if table == "source_texts":
            other = "printf('%064d', 7), text"
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            db.execute(
                f"INSERT INTO {table} (id, {copied}) SELECT {key}, {other} FROM {table} LIMIT 1"
            )


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("verdict", "'Supported'"),
        ("verdict", "'maybe'"),
        ("verdict", "NULL"),
        ("trace", "NULL"),
        ("claim_sha256", "'short'"),
        ("model_sha256", "NULL"),
        ("started", "NULL"),
        ("check_id", "99"),
        ("workspace_id", "99"),
    ],
)
def test_no_incomplete_verdict_can_be_added(database: Path, column: str, value: str) -> None:
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        columns = [row[1] for row in db.execute("PRAGMA table_info(verdicts)")][1:]
        chosen = [value if name == column else name for name in columns]
        with pytest.raises(sqlite3.IntegrityError, match=r"NOT NULL|CHECK|FOREIGN KEY"):
            db.execute(
                f"INSERT INTO verdicts ({', '.join(columns)}) "
                f"SELECT {', '.join(chosen)} FROM verdicts WHERE id = 1"
            )


def test_the_program_can_still_add_after_all_attacks(
    database: Path, home: Path, result: CheckResult, provenance: Provenance
) -> None:
    with closing(sqlite3.connect(database)) as db:
        for attack in ATTACKS:
            with pytest.raises(sqlite3.IntegrityError):
                db.execute(attack)
    with Store.open(home) as store:
        again = store.checks.record_again(1, result=result, provenance=provenance)
        assert [r.verdict_id for r in store.checks.verdicts(1)] == [1, again.verdict_id]
