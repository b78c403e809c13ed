"""Two programs at once, and programs that are killed in the middle."""

import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Thread

import pytest

from core.storage import content, database
from core.storage.errors import StoreBusy
from core.storage.store import Store

ROOT = Path(__file__).resolve().parents[3]

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from core.claims.verdict import CheckResult, Evidence, Verdict
from core.documents.model import Block, BlockKind, Document, Format
from core.storage.errors import NameTaken
from core.storage.rows import Provenance
from core.storage.store import Store

home, name, count, size = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
moment = datetime(2026, 3, 1, tzinfo=UTC)
provenance = Provenance(None, None, None, "1", "1", "1", moment, moment)
source = home.parent / f"{name}.txt"
with Store.open(home) as store:
    try:
        workspace = store.workspaces.create("Shared").id
    except NameTaken:
        workspace = store.workspaces.all()[0].id
    for number in range(count):
        text = f"{name} says {number}. " * size
        source.write_text(text)
        read = Document(Format.TEXT, text, (Block(BlockKind.PARAGRAPH, 0, len(text)),))
        document = store.documents.add(workspace, source, read=lambda _: read).document
        result = CheckResult(
            Verdict.SUPPORTED, "lexical", "Reason.", (Evidence(text[:40], 0, 40),)
        )
        record = store.checks.record(
            workspace_id=workspace,
            claim=f"{name} {number}",
            source=document,
            result=result,
            provenance=provenance,
        )
        again = store.checks.record_again(
            record.check_id, result=result, provenance=provenance
        )
        if number % 4 == 3:
            store.documents.remove(workspace, document.id)
        print(f"{name} {number} {record.verdict_id} {again.verdict_id}", flush=True)
"""


def start(home: Path, name: str, count: int, size: int = 1) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(home), name, str(count), str(size)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def told(output: str) -> dict[int, str]:
    """Verdict → claim, of every line that was printed whole."""
    verdicts: dict[int, str] = {}
    for line in output.split("\n")[:-1]:
        name, number, first, again = line.split()
        verdicts[int(first)] = verdicts[int(again)] = f"{name} {number}"
    return verdicts


def require_sound(home: Path) -> dict[int, str]:
    """Everything in the store agrees with everything else. Verdict → claim."""
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        documents = dict(db.execute("SELECT sha256, suffix FROM documents").fetchall())
        pieces = db.execute(
            "SELECT sha256 FROM parsed_documents GROUP BY sha256 HAVING count(*) <> max(pieces)"
        ).fetchall()
        assert pieces == []
        claims = dict(
            db.execute(
                "SELECT v.id, c.claim FROM verdicts v JOIN checks c ON c.id = v.check_id"
            ).fetchall()
        )
        lonely = db.execute(
            "SELECT count(*) FROM checks WHERE id NOT IN (SELECT check_id FROM verdicts)"
        ).fetchone()
        assert lonely == (0,)
        indexed = [row[0] for row in db.execute("SELECT rowid FROM claim_search").fetchall()]
        assert sorted(indexed) == sorted(claims)
    copies = {p for p in (home / "documents").rglob("*") if p.is_file()}
    expected = {home / "documents" / s[:2] / (s + suffix) for s, suffix in documents.items()}
    assert copies == expected
    for copy in copies:
        assert sha256(copy.read_bytes()).hexdigest() == copy.stem
    return claims


def test_two_programs_write_at_once_and_nothing_is_lost(home: Path) -> None:
    writers = [start(home, name, 40) for name in ("window", "line")]
    outputs = [writer.communicate(timeout=120)[0] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    verdicts = [told(output) for output in outputs]
    assert [len(v) for v in verdicts] == [80, 80]
    assert not verdicts[0].keys() & verdicts[1].keys()
    assert require_sound(home) == verdicts[0] | verdicts[1]
    with Store.open(home) as store:
        assert [w.name for w in store.workspaces.all()] == ["Shared"]
        assert len(store.documents.all(1)) == 60


def test_many_programs_make_one_new_store(home: Path) -> None:
    writers = [start(home, f"p{number}", 1) for number in range(4)]
    for writer in writers:
        writer.communicate(timeout=120)
    assert [writer.returncode for writer in writers] == [0] * 4
    assert len(require_sound(home)) == 8


def test_two_programs_add_the_same_file_at_once(home: Path) -> None:
    writers = [start(home, "same", 15) for _ in range(2)]
    for writer in writers:
        writer.communicate(timeout=120)
    # Both write the same source file, so one may be refused a file that changes under it.
    require_sound(home)


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_program_that_is_killed_loses_nothing_that_it_had_told(home: Path) -> None:
    chance = random.Random(20260301)
    known: dict[int, str] = {}
    killed = 0
    for round_ in range(10):
        writer = start(home, f"round{round_}", 10_000, size=4_000)
        assert writer.stdout is not None
        lines = ""
        for _ in range(chance.randint(1, 6)):
            lines += writer.stdout.readline()
        try:
            writer.wait(timeout=chance.random() * 0.05)
        except subprocess.TimeoutExpired:
            writer.send_signal(signal.SIGKILL)
        lines += writer.communicate(timeout=60)[0]
        killed += writer.returncode == -signal.SIGKILL
        known |= told(lines)
        Store.open(home).close()
        claims = require_sound(home)
        assert known.items() <= claims.items()
        # At most the work of one turn was done and not yet told.
        assert len(claims) - len(known) <= 2 * (round_ + 1)
    assert killed == 10


CRASH = """
import os, sys
from pathlib import Path
from core.storage import content, database
from core.storage.errors import StoreBusy
from core.storage.store import Store

home, source, point = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]


def end(*arguments, **named):
    os._exit(7)


with Store.open(home) as store:
    workspace = store.workspaces.all()[0].id
    keep = store.documents._content.keep

    def kept_then_end(*arguments):
        keep(*arguments)
        os._exit(7)

    if point == "copying":
        store.documents.add(workspace, source, progress=end)
    elif point == "reading":
        store.documents.add(workspace, source, read=end)
    elif point == "before renaming":
        store.documents._content.keep = end
        store.documents.add(workspace, source)
    elif point == "before committing":
        store.documents._content.keep = kept_then_end
        store.documents.add(workspace, source)
    elif point == "before deleting":
        store.documents._content.remove = end
        store.documents.remove(workspace, store.documents.all(workspace)[0].id)
"""


@pytest.mark.parametrize(
    "point", ["copying", "reading", "before renaming", "before committing", "before deleting"]
)
def test_what_a_program_left_when_it_died_is_cleared_away(
    home: Path, tmp_path: Path, point: str
) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("Old.")
    new.write_text("New.")
    with Store.open(home) as store:
        workspace = store.workspaces.create("Review").id
        store.documents.add(workspace, old)
    died = subprocess.run(
        [sys.executable, "-c", CRASH, str(home), str(new), point], cwd=ROOT, timeout=60
    )
    assert died.returncode == 7
    left = [p for p in (home / "documents").rglob("*") if p.is_file()]
    assert len(left) > 1
    with Store.open(home) as store:
        names = [] if point == "before deleting" else ["old.txt"]
        assert [d.name for d in store.documents.all(workspace)] == names
        assert store.documents.add(workspace, new).already_there is False
    require_sound(home)
    copies = [p.read_text() for p in (home / "documents").rglob("*") if p.is_file()]
    assert sorted(copies) == (["New."] if point == "before deleting" else ["New.", "Old."])


def test_a_database_that_another_program_holds_is_said_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.05)
    with (
        Store.open(home) as store,
        closing(sqlite3.connect(home / "countersign.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="Nothing was changed"):
            store.workspaces.create("Review")
        assert store.workspaces.all() == []
        other.execute("ROLLBACK")
        assert store.workspaces.create("Review").name == "Review"


def test_a_living_program_keeps_its_unfinished_copy(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "source.txt"
    source.write_bytes(b"x" * content.BLOCK_BYTES)
    with Store.open(home) as store:
        workspace = store.workspaces.create("Review").id

        def another_program_starts(done: int, total: int, what: str) -> None:
            subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "import sys; from pathlib import Path; from core.storage.store import Store; "
                    "Store.open(Path(sys.argv[1])).close()",
                    str(home),
                ],
                cwd=ROOT,
                check=True,
                timeout=60,
            )

        document = store.documents.add(workspace, source, progress=another_program_starts).document
        assert store.documents.verified(document).stat().st_size == content.BLOCK_BYTES
    require_sound(home)


def test_many_threads_read_and_write_one_store(home: Path, tmp_path: Path) -> None:
    errors: list[BaseException] = []
    with Store.open(home) as store:
        workspace = store.workspaces.create("Review").id

        def work(number: int) -> None:
            try:
                for turn in range(10):
                    source = tmp_path / f"{number}.txt"
                    source.write_text(f"{turn % 5}")
                    document = store.documents.add(workspace, source).document
                    assert store.documents.verified(document).read_text() == f"{turn % 5}"
                    assert document in [
                        d for d in store.documents.all(workspace) if d.id == document.id
                    ]
            except BaseException as error:
                errors.append(error)

        threads = [Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert len(store.documents.all(workspace)) == 5
    require_sound(home)
