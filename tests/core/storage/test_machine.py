"""Random sequences of everything that a person can do, against a model of it in plain Python."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)

from core.cancellation import Cancellation
from core.claims.verdict import Verdict
from core.clock import SystemClock
from core.documents.errors import ReadingError
from core.documents.model import Document
from core.documents.read import read
from core.ports import PageImage, Progress
from core.storage.errors import CopyChanged, CopyMissing, NameTaken, NotFound
from core.storage.records import text_sha256
from core.storage.rows import CheckRecord, StoredDocument, Triage
from core.storage.store import Store
from core.workspaces import Workspaces

TEXTS = [
    f"The trial enrolled {number} patients in both treatment groups of the study."
    for number in (120, 340, 560)
]
BROKEN = "\0\x01\x02 no text"
NAMES = ["review", "Review", "Audit", "AUDIT ", "Third"]


class Reader:
    """The readers, in this process."""

    def read(
        self,
        path: Path,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Document:
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


@dataclass
class Shelf:
    """What a workspace should hold."""

    name: str
    documents: dict[str, str] = field(default_factory=dict)
    """Content → name."""
    history: list[CheckRecord] = field(default_factory=list)


class StoreMachine(RuleBasedStateMachine):
    workspaces = Bundle("workspaces")
    documents = Bundle("documents")
    checks = Bundle("checks")

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.shelves: dict[int, Shelf] = {}
        self.notes: dict[int, list[Triage]] = {}
        self.damaged: set[str] = set()
        self.open()

    def open(self) -> None:
        self.store = Store.open(self.folder / "home")
        self.service = Workspaces(self.store, Reader(), model=None, clock=SystemClock())

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.open()

    @rule(target=workspaces, name=st.sampled_from(NAMES))
    def create(self, name: str) -> int:
        taken = {s.name.casefold(): key for key, s in self.shelves.items()}
        key = name.strip().casefold()
        if key in taken:
            with pytest.raises(NameTaken):
                self.store.workspaces.create(name)
            return taken[key]
        made = self.store.workspaces.create(name)
        self.shelves[made.id] = Shelf(name.strip())
        return made.id

    @rule(workspace=workspaces, name=st.sampled_from(NAMES))
    def rename(self, workspace: int, name: str) -> None:
        others = {s.name.casefold() for key, s in self.shelves.items() if key != workspace}
        if name.strip().casefold() in others:
            with pytest.raises(NameTaken):
                self.store.workspaces.rename(workspace, name)
        else:
            self.store.workspaces.rename(workspace, name)
            self.shelves[workspace].name = name.strip()

    @rule(
        target=documents,
        workspace=workspaces,
        text=st.sampled_from(TEXTS),
        name=st.sampled_from(["one.txt", "two.md", "three"]),
    )
    def add(self, workspace: int, text: str, name: str) -> tuple[int, str, StoredDocument]:
        path = self.folder / name
        path.write_text(text)
        shelf = self.shelves[workspace]
        added = self.service.add_document(workspace, path)
        assert added.already_there == (text in shelf.documents)
        shelf.documents.setdefault(text, name)
        assert added.document.name == shelf.documents[text]
        self.damaged.discard(text)
        return workspace, text, added.document

    @rule(workspace=workspaces)
    def add_unreadable(self, workspace: int) -> None:
        path = self.folder / "broken.bin"
        path.write_text(BROKEN)
        with pytest.raises(ReadingError):
            self.service.add_document(workspace, path)

    @rule(document=consumes(documents))
    def remove(self, document: tuple[int, str, StoredDocument]) -> None:
        workspace, text, stored = document
        shelf = self.shelves[workspace]
        if text in shelf.documents and self.has(text):
            held = next(d for d in self.store.documents.all(workspace) if d.sha256 == stored.sha256)
            self.store.documents.remove(workspace, held.id)
            del shelf.documents[text]
            if not self.has(text):
                self.damaged.discard(text)
        else:
            with pytest.raises(NotFound):
                self.store.documents.remove(workspace, -1)

    @rule(document=documents, missing=st.booleans())
    def damage(self, document: tuple[int, str, StoredDocument], missing: bool) -> None:
        _, text, stored = document
        if self.has(text) and text not in self.damaged:
            copy = self.kept_file(text)
            copy.chmod(0o600)
            if missing:
                copy.unlink()
            else:
                copy.write_text(TEXTS[TEXTS.index(text) - 1])
            self.damaged.add(text)
        assert self.has(text) or not self.store.documents.file(stored).exists()

    @rule(target=checks, document=documents, claim=st.sampled_from(TEXTS))
    def check(self, document: tuple[int, str, StoredDocument], claim: str) -> int:
        workspace, text, stored = document
        shelf = self.shelves[workspace]
        if text not in shelf.documents:
            with pytest.raises(NotFound):
                self.service.check(workspace, claim, stored)
            return -1
        current = next(d for d in self.store.documents.all(workspace) if d.sha256 == stored.sha256)
        if text in self.damaged:
            with pytest.raises((CopyMissing, CopyChanged)):
                self.service.check(workspace, claim, current)
            return -1
        record = self.service.check(workspace, claim, current)
        assert (record.result.verdict is Verdict.SUPPORTED) == (claim == text)
        shelf.history.append(record)
        return record.check_id

    @rule(
        target=checks,
        workspace=workspaces,
        text=st.sampled_from(TEXTS),
        claim=st.sampled_from(TEXTS),
    )
    def check_pasted(self, workspace: int, text: str, claim: str) -> int:
        record = self.service.check(workspace, claim, text)
        assert (record.result.verdict is Verdict.SUPPORTED) == (claim == text)
        self.shelves[workspace].history.append(record)
        return record.check_id

    @rule(check=checks)
    def repeat(self, check: int) -> None:
        if check < 0:
            with pytest.raises(NotFound):
                self.service.repeat(check)
            return
        shelf = next(s for s in self.shelves.values() if check in {r.check_id for r in s.history})
        earlier = [r for r in shelf.history if r.check_id == check]
        repeated = self.service.repeat(check)
        gone = earlier[0].document is not None and self.text_of(earlier[0]) in self.damaged
        if gone:
            assert repeated.record.result.verdict is Verdict.NOT_VERIFIABLE
        else:
            assert repeated.record.result == earlier[0].result
        assert repeated.same == (earlier[-1].result.verdict is repeated.record.result.verdict)
        assert (repeated.changes == ()) == (
            earlier[-1].result.verdict is repeated.record.result.verdict
            and earlier[-1].result.gate == repeated.record.result.gate
            and not gone
        )
        shelf.history.append(repeated.record)

    @rule(check=checks, note=st.text(st.characters(codec="utf-8"), min_size=1))
    def add_note(self, check: int, note: str) -> None:
        if check >= 0 and note.strip():
            verdict = self.store.checks.latest(check).verdict_id
            added = self.store.checks.add_triage(verdict, note)
            self.notes.setdefault(verdict, []).append(added)

    @invariant()
    def the_store_holds_what_the_model_holds(self) -> None:
        if not hasattr(self, "store"):
            return
        assert {w.id: w.name for w in self.store.workspaces.all()} == {
            key: shelf.name for key, shelf in self.shelves.items()
        }
        for key, shelf in self.shelves.items():
            assert {d.name for d in self.store.documents.all(key)} == set(shelf.documents.values())
            assert len(self.store.documents.all(key)) == len(shelf.documents)
            assert [r.verdict_id for r in self.store.checks.page(key, limit=1000)] == [
                r.verdict_id for r in reversed(shelf.history)
            ]
            for record in shelf.history:
                again = self.store.checks.verdict(record.verdict_id)
                assert (again.result, again.claim) == (record.result, record.claim)
                assert again.source_sha256 == record.source_sha256
        for verdict, notes in self.notes.items():
            assert self.store.checks.triage(verdict) == notes

    @invariant()
    def exactly_the_copies_that_something_rests_on_are_there(self) -> None:
        if not hasattr(self, "store"):
            return
        copies = {
            p.read_text()
            for p in (self.folder / "home" / "documents").rglob("*")
            if p.is_file() and p.suffix != ".lock" and p not in self.damaged_files()
        }
        assert copies == {t for t in TEXTS if self.has(t)} - self.damaged

    def has(self, text: str) -> bool:
        """Whether a workspace or the history rests on the content."""
        return any(
            text in shelf.documents
            or any(r.document and self.text_of(r) == text for r in shelf.history)
            for shelf in self.shelves.values()
        )

    def text_of(self, record: CheckRecord) -> str:
        return next(t for t in TEXTS if text_sha256(t) == record.source_sha256)

    def kept_file(self, text: str) -> Path:
        key = text_sha256(text)
        row = self.store._database.row("SELECT id FROM documents WHERE sha256 = ?", (key,))
        assert row is not None
        return self.store.documents.file(self.store.documents.get(row["id"]))

    def damaged_files(self) -> set[Path]:
        return {self.kept_file(text) for text in self.damaged if self.has(text)}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.folder)


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
