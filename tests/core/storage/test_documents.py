import os
import stat
import subprocess
import sys
from collections.abc import Callable
from errno import EIO
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cancellation import Cancellation, Cancelled
from core.documents.errors import DamagedFile, FileMissing
from core.documents.model import (
    Block,
    BlockKind,
    Document,
    Format,
    Fragment,
    Notice,
    NoticeKind,
    SectionKind,
    TextScope,
)
from core.storage import content, documents
from core.storage.errors import (
    CopyChanged,
    CopyMissing,
    NotFound,
    SourceChanged,
    StoreFull,
    StoreUnwritable,
)
from core.storage.store import Store

Files = Callable[..., Path]

NT = sys.platform == "win32"

DOCUMENT = Document(
    Format.PDF,
    "A title\nOne sentence.\n",
    (
        Block(BlockKind.TITLE, 0, 7),
        Block(BlockKind.PARAGRAPH, 8, 21, SectionKind.RESULTS, ("Results", "Main"), True),
    ),
    title="A title",
    fragments=(Fragment(0, 7, 1, 0), Fragment(8, 21, 2, 40)),
    page_count=2,
    scope=TextScope.ABSTRACT_ONLY,
    notices=(Notice(NoticeKind.RETRACTED, "This article was retracted."),),
    warnings=("Page 2 is a picture.",),
)


@pytest.fixture
def workspace(store: Store) -> int:
    return store.workspaces.create("Review").id


def copies(store: Store) -> list[Path]:
    """Every file under the folder of copies."""
    return sorted(p for p in (store.folder / "documents").rglob("*") if p.is_file())


def only_copies(store: Store) -> list[Path]:
    return [p for p in copies(store) if p.suffix != ".lock"]


def test_a_copy_stands_under_its_hash_read_only(store: Store, workspace: int, file: Files) -> None:
    path = file("One sentence.", "My Note.TXT")
    added = store.documents.add(workspace, path)
    document = added.document
    assert not added.already_there
    assert document.sha256 == sha256(b"One sentence.").hexdigest()
    assert (document.name, document.size, document.suffix) == ("My Note.TXT", 13, ".txt")
    copy = store.documents.file(document)
    assert copy.name == document.sha256 + ".txt"
    assert copy.read_bytes() == b"One sentence."
    assert not copy.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    assert path.read_bytes() == b"One sentence."
    assert store.documents.verified(document) == copy
    assert store.documents.all(workspace) == [document] == [store.documents.get(document.id)]


def test_the_same_content_is_noticed_under_any_name(
    store: Store, workspace: int, file: Files
) -> None:
    first = store.documents.add(workspace, file("Same.", "one.txt"))
    again = store.documents.add(workspace, file("Same.", "one.txt"))
    renamed = store.documents.add(workspace, file("Same.", "two.md"))
    assert [first.already_there, again.already_there, renamed.already_there] == [False, True, True]
    assert first.document == again.document == renamed.document
    assert len(store.documents.all(workspace)) == 1
    assert len(only_copies(store)) == 1


def test_another_workspace_shares_the_copy_under_its_own_name(
    store: Store, workspace: int, file: Files
) -> None:
    other = store.workspaces.create("Other").id
    first = store.documents.add(workspace, file("Same.", "one.txt")).document
    second = store.documents.add(other, file("Same.", "two.txt"))
    assert not second.already_there
    assert second.document.id == first.id
    assert [d.name for d in store.documents.all(workspace)] == ["one.txt"]
    assert [d.name for d in store.documents.all(other)] == ["two.txt"]
    assert len(only_copies(store)) == 1
    store.documents.remove(workspace, first.id)
    assert store.documents.all(workspace) == []
    assert store.documents.verified(second.document).exists()
    assert not store.documents.contains(workspace, first)
    assert store.documents.contains(other, first)


def test_what_nothing_rests_on_is_deleted_and_can_come_back(
    store: Store, workspace: int, file: Files
) -> None:
    path = file("Secret.")
    document = store.documents.add(workspace, path, read=lambda _: DOCUMENT).document
    store.documents.remove(workspace, document.id)
    assert only_copies(store) == []
    assert store.documents.parsed(document.sha256) is None
    with pytest.raises(NotFound):
        store.documents.get(document.id)
    with pytest.raises(NotFound):
        store.documents.remove(workspace, document.id)
    again = store.documents.add(workspace, path)
    assert not again.already_there
    assert store.documents.verified(again.document).read_bytes() == b"Secret."


def test_the_history_keeps_a_removed_document(
    store: Store, workspace: int, file: Files, result, provenance
) -> None:
    document = store.documents.add(workspace, file("Kept."), read=lambda _: DOCUMENT).document
    record = store.checks.record(
        workspace_id=workspace,
        claim="Kept.",
        source=document,
        result=result,
        provenance=provenance,
    )
    store.documents.remove(workspace, document.id)
    assert store.documents.all(workspace) == []
    kept = store.checks.verdict(record.verdict_id).document
    assert kept is not None
    assert store.documents.verified(kept).read_bytes() == b"Kept."
    assert store.documents.parsed(document.sha256) == DOCUMENT


def test_a_changed_copy_is_refused_and_put_right_by_adding_again(
    store: Store, workspace: int, file: Files
) -> None:
    path = file("The risk was 65.")
    document = store.documents.add(workspace, path).document
    copy = store.documents.file(document)
    copy.chmod(0o600)
    copy.write_bytes(b"The risk was 35.")
    with pytest.raises(CopyChanged, match=r"note\.txt.*Add the original file again"):
        store.documents.verified(document)
    assert store.documents.add(workspace, path).already_there
    assert store.documents.verified(document).read_bytes() == b"The risk was 65."


def test_a_missing_copy_is_refused_and_put_back_by_adding_again(
    store: Store, workspace: int, file: Files
) -> None:
    path = file("Here.")
    document = store.documents.add(workspace, path).document
    store.documents.file(document).unlink()
    with pytest.raises(CopyMissing, match=r"note\.txt.*Add the same file again"):
        store.documents.verified(document)
    store.documents.add(workspace, path)
    assert store.documents.verified(document).read_bytes() == b"Here."


@pytest.mark.parametrize(
    "kind",
    [
        "missing",
        "folder",
        pytest.param("pipe", marks=pytest.mark.skipif(NT, reason="needs named pipes")),
        "nul",
        pytest.param("loop", marks=pytest.mark.skipif(NT, reason="needs links")),
    ],
)
def test_what_is_no_file_is_said_so(
    store: Store, workspace: int, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "source"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "nul":
        path = tmp_path / "a\0b"
    elif kind == "loop":
        path.symlink_to(path)
    with pytest.raises(FileMissing):
        store.documents.add(workspace, path)
    assert store.documents.all(workspace) == []
    assert only_copies(store) == []


def test_an_unknown_workspace_takes_no_document(store: Store, file: Files) -> None:
    with pytest.raises(NotFound):
        store.documents.add(99, file())
    assert copies(store) == []


def test_a_file_that_cannot_be_read_leaves_nothing(
    store: Store, workspace: int, file: Files
) -> None:
    def read(copy: Path) -> Document:
        assert copy.read_bytes() == b"%PDF-broken"
        raise DamagedFile("The file is cut short.")

    with pytest.raises(DamagedFile):
        store.documents.add(workspace, file(b"%PDF-broken"), read=read)
    assert store.documents.all(workspace) == []
    assert only_copies(store) == []


def test_a_cancelled_copy_leaves_nothing(store: Store, workspace: int, file: Files) -> None:
    cancellation = Cancellation()
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int, what: str) -> None:
        seen.append((done, total))
        cancellation.cancel()

    path = file(b"x" * (3 * content.BLOCK_BYTES))
    with pytest.raises(Cancelled):
        store.documents.add(workspace, path, progress=progress, cancellation=cancellation)
    assert seen == [(content.BLOCK_BYTES, 3 * content.BLOCK_BYTES)]
    assert store.documents.all(workspace) == []
    assert only_copies(store) == []


def test_cancelling_after_the_reading_leaves_nothing(
    store: Store, workspace: int, file: Files
) -> None:
    cancellation = Cancellation()

    def read(copy: Path) -> Document:
        cancellation.cancel()
        return DOCUMENT

    with pytest.raises(Cancelled):
        store.documents.add(workspace, file(), read=read, cancellation=cancellation)
    assert store.documents.all(workspace) == []
    assert only_copies(store) == []


def test_a_file_that_grows_while_it_is_copied_is_refused(
    store: Store, workspace: int, file: Files
) -> None:
    path = file(b"x" * 10)

    def progress(done: int, total: int, what: str) -> None:
        with path.open("ab") as growing:
            growing.write(b"more")

    with pytest.raises(SourceChanged, match="add it again"):
        store.documents.add(workspace, path, progress=progress)
    assert only_copies(store) == []


def test_a_disk_without_room_is_refused_before_copying(
    store: Store, workspace: int, file: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "SPARE_BYTES", 1 << 62)
    with pytest.raises(StoreFull, match="Make room"):
        store.documents.add(workspace, file())
    assert only_copies(store) == []


FULL = """
import resource, signal, sys
from pathlib import Path
from core.documents.errors import ReadingError
from core.storage.errors import StoreFull
from core.storage.store import Store

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Store.open(Path(sys.argv[1])) as store:
    workspace = store.workspaces.create("Review").id
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    try:
        store.documents.add(workspace, Path(sys.argv[2]))
    except StoreFull as error:
        print("full:", error)
    print(store.documents.all(workspace))
    small = Path(sys.argv[2]).with_name("small.txt")
    small.write_text("Small.")
    print(store.documents.add(workspace, small).document.name)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_disk_that_fills_up_while_copying_leaves_nothing(home: Path, file: Files) -> None:
    path = file(b"x" * (2 << 20))
    ran = subprocess.run(
        [sys.executable, "-c", FULL, str(home), str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[3],
    )
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("full: The disk that holds")
    assert lines[1:] == ["[]", "small.txt"]
    kept = [p for p in (home / "documents").rglob("*") if p.is_file()]
    assert [p.read_text() for p in kept] == ["Small."]


def test_a_database_that_is_full_leaves_no_copy(store: Store, workspace: int, file: Files) -> None:
    database = store.documents._database
    database.write(lambda db: db.execute("PRAGMA max_page_count = 1").fetchone())
    large = Document(Format.TEXT, "".join(map(chr, range(0x4E00, 0x9000))) * 20, ())
    with pytest.raises(StoreFull, match="Nothing was changed"):
        store.documents.add(workspace, file("No room.", "large.txt"), read=lambda _: large)
    assert only_copies(store) == []
    assert store.documents.all(workspace) == []
    database.write(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
    assert not store.documents.add(workspace, file("Room again.")).already_there


@pytest.mark.skipif(NT, reason="folders are not flushed there")
def test_a_disk_that_fails_after_the_renaming_leaves_no_copy(
    store: Store, workspace: int, file: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = store.documents.add(workspace, file("Old.")).document

    def fails(folder: Path) -> None:
        raise OSError(EIO, "the disk does not answer")

    monkeypatch.setattr(content, "_flush_folder", fails)
    with pytest.raises(StoreUnwritable, match="Nothing was added"):
        store.documents.add(workspace, file("New."))
    with pytest.raises(StoreUnwritable):
        store.documents.add(workspace, file("Old."))
    assert store.documents.all(workspace) == [old]
    assert [p.read_text() for p in only_copies(store)] == ["Old."]


def test_what_was_read_is_kept_and_not_read_twice(
    store: Store, workspace: int, file: Files, home: Path
) -> None:
    calls: list[Path] = []

    def read(copy: Path) -> Document:
        calls.append(copy)
        return DOCUMENT

    added = store.documents.add(workspace, file("Same."), read=read)
    assert added.document.format is Format.PDF
    other = store.workspaces.create("Other").id
    store.documents.add(other, file("Same.", "other.txt"), read=read)
    assert len(calls) == 1
    assert store.documents.parsed(added.document.sha256) == DOCUMENT
    with Store.open(home) as second:
        assert second.documents.parsed(added.document.sha256) == DOCUMENT


def test_what_older_readers_read_is_not_used(
    store: Store, workspace: int, file: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = store.documents.add(workspace, file(), read=lambda _: DOCUMENT).document
    monkeypatch.setattr(documents, "reader_version", lambda: "9.9.9")
    assert store.documents.parsed(document.sha256) is None
    newer = Document(Format.TEXT, "Newer.", (Block(BlockKind.PARAGRAPH, 0, 6),))
    store.documents.keep_parsed(document.sha256, newer)
    assert store.documents.parsed(document.sha256) == newer
    versions = store.documents._database.rows("SELECT reader_version FROM parsed_documents")
    assert {row["reader_version"] for row in versions} == {"9.9.9"}
    assert store.documents.get(document.id).format is Format.TEXT


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM parsed_documents WHERE piece = 2",
        "DELETE FROM parsed_documents WHERE piece = 0",
        "UPDATE parsed_documents SET data = x'00'",
        "UPDATE parsed_documents SET data = substr(data, 1, length(data) - 6)",
    ],
)
def test_a_damaged_reading_is_none(store: Store, workspace: int, file: Files, damage: str) -> None:
    document = store.documents.add(workspace, file(), read=lambda _: DOCUMENT).document
    store.documents._database.write(lambda db: db.execute(damage))
    assert store.documents.parsed(document.sha256) is None


def test_a_reading_of_an_unknown_document_is_not_kept(store: Store) -> None:
    with pytest.raises(NotFound):
        store.documents.keep_parsed("e" * 64, DOCUMENT)
    assert store.documents.parsed("e" * 64) is None


@settings(max_examples=25, deadline=None)
@given(text=st.text(st.characters(codec=None)), count=st.integers(0, 900))
def test_any_document_comes_back_equal(tmp_path_factory, text: str, count: int) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "a.txt").write_text("x")
    blocks = tuple(Block(BlockKind.PARAGRAPH, n, n + 1, headings=(text,)) for n in range(count))
    fragments = tuple(Fragment(n, n + 1, 1, n) for n in range(count))
    document = Document(Format.TEXT, text * 50, blocks, text, fragments, 1, warnings=(text,))
    with Store.open(folder / "home") as store:
        workspace = store.workspaces.create("Any").id
        added = store.documents.add(workspace, folder / "a.txt", read=lambda _: document)
        assert store.documents.parsed(added.document.sha256) == document


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.PDF", ".pdf"),
        ("a.tar.gz", ".gz"),
        ("plain", ""),
        (".hidden", ""),
        ("a.very-long-ending", ""),
        ("a.p df", ""),
        ("a.ü", ""),
    ],
)
def test_a_copy_keeps_a_plain_ending_only(
    store: Store, workspace: int, file: Files, name: str, suffix: str
) -> None:
    document = store.documents.add(workspace, file("Text.", name)).document
    assert (document.name, document.suffix) == (name, suffix)
    assert store.documents.verified(document).suffix == suffix


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_of_undecodable_bytes_is_kept_readably(
    store: Store, workspace: int, tmp_path: Path
) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("Coffee.")
    assert store.documents.add(workspace, path).document.name == "caf?.txt"


def test_an_open_source_may_be_read_only(store: Store, workspace: int, file: Files) -> None:
    path = file("Read only.")
    path.chmod(0o400)
    document = store.documents.add(workspace, path).document
    store.documents.remove(workspace, document.id)
    assert only_copies(store) == []
    assert path.read_text() == "Read only."
