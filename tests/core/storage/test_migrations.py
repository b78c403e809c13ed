import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from core.clock import SystemClock
from core.storage import migrations
from core.storage.errors import StoreDamaged, StoreNewer, StoreUnwritable
from core.storage.migrations import MIGRATIONS, NEWEST, Migration, migrate
from core.storage.schema import APPLICATION_ID
from core.storage.store import Store

CLAIM = "Aspirin lowered the risk of stroke."


def fill(file: Path, version: int) -> None:
    """Rows as the program of that version could have written them."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("INSERT INTO workspaces VALUES (1, 'Review', 'review', 1, ?)", (TIME,))
        db.execute(
            "INSERT INTO documents VALUES (1, ?, 3, 'a.txt', '.txt', 'text', ?)", ("d" * 64, TIME)
        )
        db.execute("INSERT INTO workspace_documents VALUES (1, 1, 'a.txt', ?)", (TIME,))
        if version >= 2:
            db.execute(
                "INSERT INTO checks VALUES (1, 1, ?, 'document', 'a.txt', ?, NULL, ?)",
                (CLAIM, "d" * 64, TIME),
            )
            db.execute(
                "INSERT INTO verdicts VALUES (1, 1, 1, 'contradicted', 'g', 'r', '[]', '{}', '[]', "
                '\'{"text":"full_text","notices":[]}\', ?, ?, NULL, NULL, NULL, '
                "'1', '1', '1', ?, ?)",
                ("c" * 64, "d" * 64, TIME, TIME),
            )
            db.execute("INSERT INTO triage VALUES (1, 1, 'Look again.', ?)", (TIME,))
        if version >= 6:
            db.execute(
                "INSERT INTO framework_lists VALUES (1, 'Rules', '1', 'rules\n1', 0, '', '', ?)",
                (TIME,),
            )
            db.execute("INSERT INTO framework_numbers VALUES (1, 0, 'P-1', 'Access', 0, '[]')")
            db.execute("INSERT INTO framework_choices VALUES (1, '[\"Rules 1\"]', ?)", (TIME,))
        db.commit()


TIME = "2026-03-01T12:00:00.000000Z"


def everything(file: Path, tables: list[str]) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as db:
        return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def tables(version: int) -> list[str]:
    library = ["workspaces", "documents", "workspace_documents"]
    history = ["checks", "verdicts", "triage"] if version >= 2 else []
    frameworks = ["framework_lists", "framework_numbers", "framework_choices"]
    return library + history + (frameworks if version >= 6 else [])


@contextmanager
def holding(folder: Path) -> Iterator[dict[str, bytes]]:
    """The block must leave every file of the folder byte for byte as it is."""
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    yield before
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


@pytest.mark.parametrize("version", range(NEWEST + 1))
def test_every_older_database_is_brought_up_with_all_that_is_in_it(
    home: Path, version: int
) -> None:
    home.mkdir()
    file = home / "countersign.db"
    migrate(file, SystemClock(), upto=version)
    if version:
        fill(file, version)
    kept = everything(file, tables(version)) if version else {}
    with Store.open(home) as store:
        if version:
            assert store.workspaces.get(1).name == "Review"
            assert [d.name for d in store.documents.all(1)] == ["a.txt"]
        if version >= 2:
            assert [r.claim for r in store.checks.page(1)] == [CLAIM]
            assert [t.note for t in store.checks.triage(1)] == ["Look again."]
        if version >= 6:
            assert [found.key for found in store.frameworks.all()] == ["Rules 1"]
            assert store.frameworks.chosen(1) == {"Rules 1"}
        if version == 2:
            assert [r.verdict_id for r in store.checks.page(1, search="aspirin str")] == [1]
            assert store.checks.page(1, search="aspirin paracetamol") == []
    if version:
        assert everything(file, tables(version)) == kept
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (NEWEST,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_migrated_database_has_the_tables_of_a_new_one(tmp_path: Path) -> None:
    schemas = []
    for version in range(NEWEST + 1):
        file = tmp_path / f"{version}.db"
        migrate(file, SystemClock(), upto=version)
        migrate(file, SystemClock())
        with closing(sqlite3.connect(file)) as db:
            schemas.append(set(db.execute("SELECT type, name, sql FROM sqlite_master")))
    assert all(schema == schemas[0] for schema in schemas)


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_an_older_database_is_copied_before_it_is_changed(tmp_path: Path, version: int) -> None:
    file = tmp_path / "countersign.db"
    migrate(file, SystemClock(), upto=version)
    fill(file, version)
    before = everything(file, tables(version))
    backup = migrate(file, SystemClock())
    assert backup is not None
    assert backup.parent == tmp_path / "backups"
    assert list(backup.parent.iterdir()) == [backup]
    with closing(sqlite3.connect(backup)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)
    assert everything(backup, tables(version)) == before


def test_a_new_database_and_an_up_to_date_one_need_no_backup(tmp_path: Path) -> None:
    file = tmp_path / "countersign.db"
    assert migrate(file, SystemClock()) is None
    assert migrate(file, SystemClock()) is None
    assert not (tmp_path / "backups").exists()


def test_the_backup_holds_what_is_only_in_the_write_ahead_log(tmp_path: Path) -> None:
    file = tmp_path / "countersign.db"
    migrate(file, SystemClock(), upto=2)
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("INSERT INTO workspaces VALUES (5, 'Late', 'late', 0, ?)", (TIME,))
        other.commit()
        backup = migrate(file, SystemClock())
        assert backup is not None
        assert everything(backup, ["workspaces"]) == {"workspaces": [(5, "Late", "late", 0, TIME)]}


def test_a_step_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "countersign.db"
    migrate(file, SystemClock(), upto=2)
    fill(file, 2)
    before = everything(file, [*tables(2), "sqlite_master"])

    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM workspace_documents")
        raise sqlite3.OperationalError("no such function")

    broken = Migration("broken", ("CREATE TABLE half (a TEXT) STRICT",), fails)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS[:2], broken))
    with pytest.raises(sqlite3.OperationalError):
        migrate(file, SystemClock())
    assert everything(file, [*tables(2), "sqlite_master"]) == before
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_newer_database_is_refused_and_left_untouched(home: Path) -> None:
    Store.open(home).close()
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        db.execute(f"PRAGMA user_version = {NEWEST + 1}")
    shutil.rmtree(home / "documents")
    with holding(home), pytest.raises(StoreNewer, match=r"newer version .* left untouched"):
        Store.open(home)


def test_a_newer_version_that_is_only_in_the_log_is_refused_too(home: Path) -> None:
    Store.open(home).close()
    file = home / "countersign.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute(f"PRAGMA user_version = {NEWEST + 1}")
        before = file.read_bytes()
        with pytest.raises(StoreNewer):
            Store.open(home)
        assert file.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"not a database at all" * 20, b"x", b"SQLite format 3\0" + b"\xff" * 300],
    ids=["text", "one byte", "broken header"],
)
def test_a_file_that_is_no_database_is_refused_and_left_untouched(
    home: Path, content: bytes
) -> None:
    home.mkdir()
    (home / "countersign.db").write_bytes(content)
    with holding(home), pytest.raises(StoreDamaged, match=r"countersign\.db.* left as it is"):
        Store.open(home)


def test_a_database_of_another_program_is_refused(home: Path) -> None:
    home.mkdir()
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    with holding(home), pytest.raises(StoreDamaged):
        Store.open(home)


@pytest.mark.parametrize(
    "trigger",
    ["verdicts_no_update", "verdicts_no_delete", "verdicts_no_replace", "documents_of_history"],
)
def test_a_database_without_its_guards_is_refused(home: Path, trigger: str) -> None:
    Store.open(home).close()
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        db.execute(f"DROP TRIGGER {trigger}")
    with pytest.raises(StoreDamaged, match="guards"):
        Store.open(home)


def test_a_guard_that_was_weakened_is_noticed(home: Path) -> None:
    Store.open(home).close()
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        db.execute("DROP TRIGGER verdicts_no_update")
        db.execute(
            "CREATE TRIGGER verdicts_no_update BEFORE UPDATE ON verdicts BEGIN SELECT 1; END"
        )
    with pytest.raises(StoreDamaged, match="guards"):
        Store.open(home)


def test_a_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnwritable, match="COUNTERSIGN_HOME"):
        Store.open(tmp_path / "file" / "home")


def test_the_database_is_marked_and_for_its_owner_only(home: Path) -> None:
    Store.open(home).close()
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    if os.name == "posix":
        assert (home / "countersign.db").stat().st_mode & 0o077 == 0
        assert home.stat().st_mode & 0o077 == 0


def test_every_table_is_strict(home: Path) -> None:
    Store.open(home).close()
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        listed = db.execute("PRAGMA table_list").fetchall()
    ours = {row[1]: bool(row[5]) for row in listed if row[2] == "table" and row[0] == "main"}
    ours.pop("sqlite_schema")
    assert len(ours) == 15
    assert all(ours.values()), ours
