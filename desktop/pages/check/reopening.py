"""Bring verdicts of the history back with their sources, and run their checks again."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from core.cancellation import Cancellation
from core.claims.verdict import CheckResult
from core.ports import Progress
from desktop.pages.check.operations import OpenSource, password_of, read_source
from desktop.pages.check.placing import READ_ANEW, placed
from desktop.services import Services
from desktop.tasks import Lane

if TYPE_CHECKING:
    from core.storage.rows import CheckRecord, StoredDocument


@dataclass(frozen=True, slots=True)
class OpenedCheck:
    """A check from the history, ready to be shown; `source` is None when its file is gone."""

    workspace_id: int
    check_id: int
    claim: str
    result: CheckResult
    source: OpenSource | None
    document: "StoredDocument | None"
    pasted: str | None
    source_name: str
    missing: str = ""


class OpenVerdict:
    """Brings a verdict of the history back with its source."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(self, services: Services, verdict_id: int) -> None:
        self._services = services
        self._verdict_id = verdict_id

    def run(self, progress: Progress, cancellation: Cancellation) -> OpenedCheck:
        """The verdict; its source is None, with a reason, when the copy is gone or unreadable."""
        record = self._services.store.checks.verdict(self._verdict_id)
        return opened(self._services, record, progress, cancellation)


@dataclass(frozen=True, slots=True)
class RepeatedCheck:
    """A check that was run again: what it gave, and how it compares."""

    opened: OpenedCheck
    same: bool
    changes: tuple[str, ...]


class RepeatCheck:
    """Runs an earlier check again and compares the verdicts."""

    lane: ClassVar[Lane] = Lane.WORK

    def __init__(self, services: Services, check_id: int) -> None:
        self._services = services
        self._check_id = check_id

    def run(self, progress: Progress, cancellation: Cancellation) -> RepeatedCheck:
        """The new run, which is recorded, whether the verdict is the same, and what changed."""
        services = self._services
        latest = services.store.checks.latest(self._check_id)
        services.take_up_model()
        repeated = services.workspaces.repeat(
            self._check_id,
            password=password_of(services, latest.document),
            progress=progress,
            cancellation=cancellation,
        )
        # The run is recorded by now: a late request to stop must not hide that.
        shown = opened(services, repeated.record, progress, Cancellation())
        return RepeatedCheck(shown, repeated.same, repeated.changes)


def opened(
    services: Services, record: "CheckRecord", progress: Progress, cancellation: Cancellation
) -> OpenedCheck:
    """A record with its source, as far as the source can still be had."""
    from core.documents.errors import ReadingError
    from core.storage.errors import StoreError

    pasted: str | None = None
    source: OpenSource | None = None
    missing = ""
    try:
        if record.document is not None:
            source = read_source(services, record.document, progress, cancellation)
        else:
            pasted = services.store.checks.source_text(record.check_id) or ""
            source = read_source(services, pasted, progress, cancellation)
    except (ReadingError, StoreError) as error:
        missing = str(error)
    result = record.result
    if source is not None:
        found = placed(result, source.document)
        if found is None:
            source, missing = None, READ_ANEW
        else:
            result = found
    return OpenedCheck(
        workspace_id=record.workspace_id,
        check_id=record.check_id,
        claim=record.claim,
        result=result,
        source=source,
        document=record.document,
        pasted=pasted,
        missing=missing,
        source_name=record.source_name or "Pasted text",
    )


def compared_words(repeated: RepeatedCheck) -> str:
    """How a repeated check compares, in plain sentences."""
    changes = " ".join(repeated.changes)
    if not repeated.same:
        return f"Checked again: another verdict. {changes}".strip()
    if changes:
        return f"Checked again: same verdict. {changes}"
    return "Checked again: same verdict, and nothing has changed."
