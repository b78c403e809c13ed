"""What a person does in a workspace, without a window: add documents, check claims, check again.

The window and the command line share this; it joins the store, the reader and the check.
"""

from dataclasses import dataclass
from pathlib import Path

from core.cancellation import Cancellation
from core.claims.verdict import CheckResult, Outcome, Scope, TraceEntry, Verdict
from core.claims.version import contract_version
from core.documents.model import Document
from core.documents.version import reader_version
from core.ports import Clock, DocumentReader, EntailmentModel, Progress
from core.storage.errors import CopyChanged, CopyMissing, NotFound
from core.storage.records import require_text
from core.storage.rows import Added, CheckRecord, Provenance, StoredDocument
from core.storage.store import Store
from core.version import app_version

SOURCE_GATE = "source"
"""Names the step before all gates in a record: the source could not be had as it was."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """The outcome of checking again.

    `record` is the new run, already in the history. `same`: its verdict is the one before.
    `changes` says in plain sentences what is not as it was: verdict, gate, deciding passage,
    model, thresholds, and the versions of gates, readers and program.
    """

    record: CheckRecord
    same: bool
    changes: tuple[str, ...]


class Workspaces:
    """Adding documents and checking claims. Every method may be called from any thread.

    Attributes: `store`, `reader`, `model`, as given.
    """

    def __init__(
        self, store: Store, reader: DocumentReader, *, model: EntailmentModel | None, clock: Clock
    ) -> None:
        """Work on an open store; `model` is None where no entailment model is installed."""
        self.store = store
        self.reader = reader
        self.model = model
        self._clock = clock

    def add_document(
        self,
        workspace_id: int,
        path: Path,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Added:
        """Copy a file into the store, read it, and put it into the workspace.

        A file that cannot be read is kept out and leaves nothing behind. What was read from a
        file with a password is kept in the store, so that the password is not needed again.

        Raises `core.documents.errors.ReadingError`, `core.storage.errors.StoreError` and
        `core.cancellation.Cancelled`.
        """

        def read(copy: Path) -> Document:
            return self.reader.read(
                copy, password=password, progress=progress, cancellation=cancellation
            )

        return self.store.documents.add(
            workspace_id, path, read=read, progress=progress, cancellation=cancellation
        )

    def document(
        self,
        stored: StoredDocument,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Document:
        """What is in a stored document: as it was read before, or read again.

        The copy is hashed first. Raises `CopyMissing`, `CopyChanged`, other `StoreError`s,
        `core.documents.errors.ReadingError` and `core.cancellation.Cancelled`.
        """
        file = self.store.documents.verified(stored, cancellation=cancellation)
        kept = self.store.documents.parsed(stored.sha256)
        if kept is not None:
            return kept
        document = self.reader.read(
            file, password=password, progress=progress, cancellation=cancellation
        )
        self.store.documents.keep_parsed(stored.sha256, document)
        return document

    def check(
        self,
        workspace_id: int,
        claim: str,
        source: StoredDocument | str,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> CheckRecord:
        """Check a claim against a document of the workspace or pasted text, and record it.

        A check that was cancelled or failed is not recorded. Raises `NotFound`, `InvalidText`,
        what `document` raises, `core.ports.ModelStopped` and `core.cancellation.Cancelled`.
        """
        require_text(claim, "The claim")
        self.store.workspaces.get(workspace_id)
        if isinstance(source, str):
            require_text(source, "The pasted text")
        elif not self.store.documents.contains(workspace_id, source):
            raise NotFound(
                f"“{source.name}” is no longer in this workspace. Add it again to check against it."
            )
        result, provenance = self._run(claim, source, password, progress, cancellation)
        return self.store.checks.record(
            workspace_id=workspace_id,
            claim=claim,
            source=source,
            result=result,
            provenance=provenance,
        )

    def repeat(
        self,
        check_id: int,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Repeated:
        """Run a check of the history again, record the run, and say what has changed since.

        Where the copy of the source is missing or was altered, the run is recorded as not
        verifiable. Raises as `check` does otherwise.
        """
        earlier = self.store.checks.latest(check_id)
        source: StoredDocument | str
        if earlier.document is not None:
            source = earlier.document
        else:
            source = self.store.checks.source_text(check_id) or ""
        try:
            result, provenance = self._run(earlier.claim, source, password, progress, cancellation)
        except (CopyMissing, CopyChanged) as error:
            result, provenance = self._without_source(error)
        record = self.store.checks.record_again(check_id, result=result, provenance=provenance)
        same = record.result.verdict == earlier.result.verdict
        return Repeated(record, same, changes_between(earlier, record))

    def _run(
        self,
        claim: str,
        source: StoredDocument | str,
        password: str | None,
        progress: Progress | None,
        cancellation: Cancellation | None,
    ) -> tuple[CheckResult, Provenance]:
        from core.claims.check import check

        started = self._clock.now()
        # The model may be exchanged while this runs: the record names the one that answered.
        model = self.model
        if isinstance(source, str):
            from core.documents.read import read_text

            document = read_text(source)
        else:
            document = self.document(
                source, password=password, progress=progress, cancellation=cancellation
            )
        result = check(claim, document, model=model, progress=progress, cancellation=cancellation)
        if cancellation is not None:
            cancellation.check()
        return result, Provenance(
            model_name=None if model is None else model.name,
            model_sha256=None if model is None else model.sha256,
            calibration=None if model is None else model.calibration,
            contract_version=contract_version(),
            reader_version=reader_version(),
            app_version=app_version(),
            started=started,
            finished=self._clock.now(),
        )

    def _without_source(self, error: CopyMissing | CopyChanged) -> tuple[CheckResult, Provenance]:

        now = self._clock.now()
        reason = str(error)
        result = CheckResult(
            verdict=Verdict.NOT_VERIFIABLE,
            gate=SOURCE_GATE,
            reason=reason,
            trace=(TraceEntry(SOURCE_GATE, Outcome.REFUSED, reason),),
            scope=Scope(),
        )
        return result, Provenance(
            model_name=None,
            model_sha256=None,
            calibration=None,
            contract_version=contract_version(),
            reader_version=reader_version(),
            app_version=app_version(),
            started=now,
            finished=now,
        )


def changes_between(earlier: CheckRecord, later: CheckRecord) -> tuple[str, ...]:
    """What is different between two runs of one check, in plain sentences; empty when nothing."""
    before, after = earlier.result, later.result
    was, now = earlier.provenance, later.provenance
    changes: list[str] = []
    if before.verdict != after.verdict:
        changes.append(
            f"The verdict was “{before.verdict.words}” and is now “{after.verdict.words}”."
        )
    if after.gate == SOURCE_GATE != before.gate:
        # Nothing ran, so nothing else can be compared.
        return (*changes, f"The source could not be used: {after.reason}")
    if before.gate != after.gate:
        changes.append(f"It was decided by “{before.gate}” and is now decided by “{after.gate}”.")
    changes += _evidence_changes(before, after)
    if before.scope != after.scope:
        changes.append(
            "What the source says of its own standing, or how much of it is there, changed."
        )
    if was.model_sha256 != now.model_sha256:
        changes.append(f"The entailment model was {_model(was)} and is now {_model(now)}.")
    elif was.calibration != now.calibration:
        changes.append("The entailment model has other thresholds than before.")
    for name, old, new in (
        ("list of gates", was.contract_version, now.contract_version),
        ("document reader", was.reader_version, now.reader_version),
        ("program", was.app_version, now.app_version),
    ):
        if old != new:
            changes.append(f"The {name} was version {old} and is now version {new}.")
    return tuple(changes)


def _evidence_changes(before: CheckResult, after: CheckResult) -> list[str]:
    old = before.evidence[0] if before.evidence else None
    new = after.evidence[0] if after.evidence else None
    if old is None and new is None:
        return []
    if new is None:
        return ["There was a deciding passage and now there is none."]
    if old is None:
        return ["There is now a deciding passage; before there was none."]
    if old.text != new.text:
        return ["The deciding passage is another one."]
    if old.page != new.page:
        return ["The deciding passage is now found on another page."]
    return []


def _model(provenance: Provenance) -> str:
    if provenance.model_name is None or provenance.model_sha256 is None:
        return "none"
    return f"{provenance.model_name} ({provenance.model_sha256[:8]})"
