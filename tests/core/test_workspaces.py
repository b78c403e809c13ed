import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core import workspaces as service
from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation, Cancelled
from core.claims.verdict import CheckResult, Evidence, Verdict
from core.claims.version import contract_version
from core.clock import SystemClock
from core.documents.errors import EmptyFile, PasswordNeeded, ReadingError
from core.documents.model import Document, Notice, NoticeKind
from core.documents.read import read
from core.documents.version import reader_version
from core.ports import EntailmentScores, PageImage, Progress
from core.storage import documents as kept
from core.storage.errors import CopyChanged, InvalidText, NotFound
from core.storage.rows import Provenance
from core.storage.store import Store
from core.version import app_version
from core.workspaces import SOURCE_GATE, Workspaces, changes_between

CLAIM = "The median follow-up was 4.2 years in both treatment groups of the trial."
TEXT = (
    "Results\n\nThe trial enrolled 420 patients. "
    "The median follow-up was 4.2 years in both treatment groups of the trial. "
    "Every patient was seen again at the end.\n"
)
OTHER = TEXT.replace("4.2", "5.1")


class Reader:
    """The readers in this process; it counts what it reads, and knows one password."""

    def __init__(self) -> None:
        self.reads: list[Path] = []
        self.password: str | None = None

    def read(
        self,
        path: Path,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Document:
        self.reads.append(path)
        if cancellation is not None:
            cancellation.check()
        if password != self.password:
            raise PasswordNeeded("The file is encrypted. Give its password.")
        return read(path, progress=progress)

    def draw_page(
        self,
        path: Path,
        page: int,
        *,
        scale: float = 1.5,
        marks: Sequence[tuple[int, int]] = (),
        password: str | None = None,
    ) -> PageImage:
        raise ReadingError("A text has no pages to draw.")


class Model:
    """An entailment model that answers the same for every pair."""

    def __init__(self, sha256: str, threshold: float = 0.9) -> None:
        self.name = "even"
        self.sha256 = sha256
        self.calibration = CalibrationRecord(
            "d" * 64,
            sha256,
            700,
            0,
            0.004,
            threshold,
            None,
            "2026-02-28",
            contract_version=contract_version(),
        )

    def score(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        cancellation: Cancellation | None = None,
    ) -> Sequence[EntailmentScores]:
        return [EntailmentScores(0.1, 0.1) for _ in pairs]


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with Store.open(home) as opened:
        yield opened


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def workspaces(store: Store, reader: Reader) -> Workspaces:
    return Workspaces(store, reader, model=None, clock=SystemClock())


@pytest.fixture
def workspace(store: Store) -> int:
    return store.workspaces.create("Review").id


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.txt"
    path.write_text(TEXT)
    return path


def left(store: Store) -> list[Path]:
    folder = store.folder / "documents"
    return [p for p in folder.rglob("*") if p.is_file() and p.suffix != ".lock"]


def test_a_document_is_read_once_and_checked_from_what_was_kept(
    workspaces: Workspaces, workspace: int, reader: Reader, paper: Path
) -> None:
    added = workspaces.add_document(workspace, paper)
    paper.unlink()
    document = workspaces.document(added.document)
    assert document.text[:7] == "Results"
    record = workspaces.check(workspace, CLAIM, added.document)
    assert record.result.verdict is Verdict.SUPPORTED
    assert record.result.evidence[0].text == CLAIM
    assert document.text[record.result.evidence[0].start : record.result.evidence[0].end] == CLAIM
    assert len(reader.reads) == 1


def test_a_record_names_what_produced_it(
    store: Store, workspaces: Workspaces, workspace: int, paper: Path
) -> None:
    document = workspaces.add_document(workspace, paper).document
    before = datetime.now(UTC)
    bare = workspaces.check(workspace, CLAIM, document).provenance
    assert (bare.model_name, bare.model_sha256, bare.calibration) == (None, None, None)
    assert bare.contract_version == contract_version()
    assert bare.reader_version == reader_version()
    assert bare.app_version == app_version()
    assert before <= bare.started <= bare.finished <= datetime.now(UTC)
    workspaces.model = Model("a" * 64)
    record = workspaces.check(workspace, CLAIM, document)
    assert record.provenance.model_name == "even"
    assert record.provenance.model_sha256 == "a" * 64
    assert record.provenance.calibration == workspaces.model.calibration
    assert store.checks.page(workspace)[0] == record


def test_pasted_text_is_checked_and_recorded(
    store: Store, workspaces: Workspaces, workspace: int, reader: Reader
) -> None:
    record = workspaces.check(workspace, CLAIM, TEXT)
    assert record.result.verdict is Verdict.SUPPORTED
    assert record.document is None
    assert store.checks.source_text(record.check_id) == TEXT
    assert reader.reads == []
    assert workspaces.check(workspace, CLAIM, OTHER).result.verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"%PDF-1.7\n1 0 obj"])
def test_an_unreadable_file_is_kept_out_whole(
    store: Store, workspaces: Workspaces, workspace: int, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(content)
    with pytest.raises(ReadingError) as caught:
        workspaces.add_document(workspace, path)
    assert str(caught.value)
    assert store.documents.all(workspace) == []
    assert left(store) == []
    assert path.read_bytes() == content


def test_an_unreadable_copy_of_known_bytes_is_not_possible(
    store: Store, workspaces: Workspaces, workspace: int, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(EmptyFile):
            workspaces.add_document(workspace, tmp_path / name)
    assert store._database.row("SELECT count(*) AS n FROM documents") == {"n": 0}


def test_a_password_is_asked_once_and_again_by_newer_readers(
    workspaces: Workspaces,
    workspace: int,
    reader: Reader,
    paper: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader.password = "open"
    with pytest.raises(PasswordNeeded):
        workspaces.add_document(workspace, paper)
    assert left(workspaces.store) == []
    document = workspaces.add_document(workspace, paper, password="open").document
    record = workspaces.check(workspace, CLAIM, document)
    monkeypatch.setattr(kept, "reader_version", lambda: "newer")
    with pytest.raises(PasswordNeeded):
        workspaces.check(workspace, CLAIM, document)
    with pytest.raises(PasswordNeeded):
        workspaces.repeat(record.check_id)
    assert workspaces.store.checks.page(workspace) == [record]
    assert workspaces.repeat(record.check_id, password="open").same
    assert workspaces.check(workspace, CLAIM, document).result == record.result


def test_a_cancelled_check_records_nothing(
    store: Store, workspaces: Workspaces, workspace: int, paper: Path
) -> None:
    document = workspaces.add_document(workspace, paper).document
    done = workspaces.check(workspace, CLAIM, document)
    cancellation = Cancellation()
    cancellation.cancel()
    for source in (document, TEXT):
        with pytest.raises(Cancelled):
            workspaces.check(workspace, CLAIM, source, cancellation=cancellation)
    with pytest.raises(Cancelled):
        workspaces.repeat(done.check_id, cancellation=cancellation)
    with pytest.raises(Cancelled):
        workspaces.add_document(workspace, paper, cancellation=cancellation)
    assert store.checks.page(workspace) == [done]


def test_a_check_cancelled_at_its_very_end_records_nothing(
    store: Store, workspaces: Workspaces, workspace: int
) -> None:
    class Late(Model):
        def score(
            self,
            pairs: Sequence[tuple[str, str]],
            *,
            cancellation: Cancellation | None = None,
        ) -> Sequence[EntailmentScores]:
            stop.cancel()
            return super().score(pairs)

    stop = Cancellation()
    workspaces.model = Late("a" * 64)
    with pytest.raises(Cancelled):
        workspaces.check(workspace, "Many patients were never seen again.", TEXT, cancellation=stop)
    assert store.checks.page(workspace) == []


@pytest.mark.parametrize("text", ["", " \n ", "half \ud800 pair"])
def test_an_empty_claim_or_text_is_said_so(
    store: Store, workspaces: Workspaces, workspace: int, text: str
) -> None:
    with pytest.raises(InvalidText, match="claim"):
        workspaces.check(workspace, text, TEXT)
    with pytest.raises(InvalidText, match="pasted text"):
        workspaces.check(workspace, CLAIM, text)
    assert store.checks.page(workspace) == []


def test_a_document_of_another_workspace_is_not_checked_against(
    store: Store, workspaces: Workspaces, workspace: int, paper: Path
) -> None:
    document = workspaces.add_document(workspace, paper).document
    other = store.workspaces.create("Other").id
    with pytest.raises(NotFound, match=r"paper\.txt"):
        workspaces.check(other, CLAIM, document)
    with pytest.raises(NotFound):
        workspaces.check(99, CLAIM, TEXT)
    store.documents.remove(workspace, document.id)
    with pytest.raises(NotFound):
        workspaces.check(workspace, CLAIM, document)


@pytest.mark.parametrize("pasted", [False, True])
def test_repeating_an_unchanged_check_changes_nothing(
    store: Store, workspaces: Workspaces, workspace: int, paper: Path, pasted: bool
) -> None:
    source = TEXT if pasted else workspaces.add_document(workspace, paper).document
    first = workspaces.check(workspace, CLAIM, source)
    repeated = workspaces.repeat(first.check_id)
    assert (repeated.same, repeated.changes) == (True, ())
    assert repeated.record.result == first.result
    assert repeated.record.verdict_id > first.verdict_id
    assert store.checks.verdicts(first.check_id) == [first, repeated.record]


def test_repeating_works_after_the_document_was_removed(
    workspaces: Workspaces, workspace: int, paper: Path
) -> None:
    document = workspaces.add_document(workspace, paper).document
    first = workspaces.check(workspace, CLAIM, document)
    workspaces.store.documents.remove(workspace, document.id)
    assert workspaces.repeat(first.check_id).same


@pytest.mark.parametrize("what", ["missing", "changed"])
def test_repeating_without_the_source_supports_nothing(
    store: Store, workspaces: Workspaces, workspace: int, paper: Path, what: str
) -> None:
    document = workspaces.add_document(workspace, paper).document
    first = workspaces.check(workspace, CLAIM, document)
    copy = store.documents.file(document)
    copy.chmod(0o600)
    if what == "missing":
        copy.unlink()
    else:
        copy.write_text(OTHER)
        with pytest.raises(CopyChanged):
            workspaces.check(workspace, CLAIM, document)
    repeated = workspaces.repeat(first.check_id)
    assert not repeated.same
    assert repeated.record.result.verdict is Verdict.NOT_VERIFIABLE
    assert repeated.record.result.gate == SOURCE_GATE
    assert "paper.txt" in repeated.record.result.reason
    assert repeated.changes[0] == ("The verdict was “Supported” and is now “Not verifiable”.")
    assert "source could not be used" in repeated.changes[1]
    workspaces.add_document(workspace, paper)
    restored = workspaces.repeat(first.check_id)
    assert restored.record.result == first.result
    assert not restored.same


def test_repeating_says_that_the_model_and_its_thresholds_changed(
    workspaces: Workspaces, workspace: int
) -> None:
    first = workspaces.check(workspace, CLAIM, TEXT)
    workspaces.model = Model("a" * 64)
    with_model = workspaces.repeat(first.check_id)
    assert "The entailment model was none and is now even (aaaaaaaa)." in with_model.changes
    workspaces.model = Model("a" * 64, threshold=0.95)
    assert workspaces.repeat(first.check_id).changes == (
        "The entailment model has other thresholds than before.",
    )
    workspaces.model = Model("b" * 64, threshold=0.95)
    assert workspaces.repeat(first.check_id).changes == (
        "The entailment model was even (aaaaaaaa) and is now even (bbbbbbbb).",
    )


def test_repeating_says_that_the_program_changed(
    workspaces: Workspaces, workspace: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = workspaces.check(workspace, CLAIM, TEXT)
    monkeypatch.setattr(service, "app_version", lambda: "9.0")
    monkeypatch.setattr(service, "reader_version", lambda: "9.0+abc")
    monkeypatch.setattr(service, "contract_version", lambda: "9.0+def")
    repeated = workspaces.repeat(first.check_id)
    assert repeated.same
    assert repeated.changes == (
        f"The list of gates was version {contract_version()} and is now version 9.0+def.",
        f"The document reader was version {reader_version()} and is now version 9.0+abc.",
        f"The program was version {app_version()} and is now version 9.0.",
    )
    with pytest.raises(NotFound):
        workspaces.repeat(77)


MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
BASE = CheckResult(Verdict.SUPPORTED, "lexical", "r", (Evidence("One.", 0, 4, 1),))


@pytest.mark.parametrize(
    ("later", "said"),
    [
        (BASE, ()),
        (replace(BASE, reason="other words", scores={"overlap": 0.5}), ()),
        (
            replace(BASE, verdict=Verdict.CONTRADICTED),
            ("The verdict was “Supported” and is now “Contradicted”.",),
        ),
        (
            replace(BASE, gate="entailment"),
            ("It was decided by “lexical” and is now decided by “entailment”.",),
        ),
        (
            replace(BASE, evidence=(Evidence("Two.", 0, 4, 1),)),
            ("The deciding passage is another one.",),
        ),
        (
            replace(BASE, evidence=(Evidence("One.", 9, 13, 2),)),
            ("The deciding passage is now found on another page.",),
        ),
        (replace(BASE, evidence=(Evidence("One.", 9, 13, 1),)), ()),
        (
            replace(BASE, evidence=()),
            ("There was a deciding passage and now there is none.",),
        ),
        (
            replace(BASE, scope=replace(BASE.scope, notices=(Notice(NoticeKind.RETRACTED, "R."),))),
            ("What the source says of its own standing, or how much of it is there, changed.",),
        ),
    ],
)
def test_every_change_between_two_runs_is_named(
    store: Store, workspace: int, later: CheckResult, said: tuple[str, ...]
) -> None:
    provenance = Provenance(None, None, None, "1", "1", "1", MOMENT, MOMENT + timedelta(1))
    first = store.checks.record(
        workspace_id=workspace, claim="C.", source="T.", result=BASE, provenance=provenance
    )
    second = store.checks.record_again(first.check_id, result=later, provenance=provenance)
    assert changes_between(first, second) == said
    back = changes_between(second, first)
    assert len(back) == len(said)
    if not later.evidence:
        assert back == ("There is now a deciding passage; before there was none.",)


def test_progress_counts_the_copy_then_the_reading(
    workspaces: Workspaces, workspace: int, paper: Path
) -> None:
    seen: list[tuple[int, int, str]] = []
    workspaces.add_document(
        workspace, paper, progress=lambda done, total, what: seen.append((done, total, what))
    )
    size = paper.stat().st_size
    assert seen[0] == (size, size, "Copying")
    assert seen[-1][2] != "Copying"


def test_a_store_moved_to_another_folder_still_works(
    store: Store, workspaces: Workspaces, workspace: int, paper: Path, tmp_path: Path
) -> None:
    document = workspaces.add_document(workspace, paper).document
    first = workspaces.check(workspace, CLAIM, document)
    store.close()
    moved = tmp_path / "elsewhere"
    shutil.move(store.folder, moved)
    with Store.open(moved) as again:
        there = Workspaces(again, Reader(), model=None, clock=SystemClock())
        assert there.repeat(first.check_id).same
