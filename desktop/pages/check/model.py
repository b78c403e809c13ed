"""What the Check page knows: claim, source, the check on its way, and its answer. No widgets."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.claims.verdict import CheckResult
from core.documents.errors import PasswordNeeded
from desktop.messages import Message, explain
from desktop.pages.check.operations import OpenSource, ReadSource, RunCheck
from desktop.pages.check.reopening import OpenedCheck, RepeatCheck, RepeatedCheck, compared_words
from desktop.pages.check.source_choice import DOCUMENT, SourceChoice
from desktop.pages.check.states import BUSY, Event, State, after
from desktop.services import Services
from desktop.tasks import Task, TaskRunner

if TYPE_CHECKING:
    from core.storage.rows import CheckRecord, StoredDocument

DROPPED = Message(
    "The claim or its source was changed while it was being checked.",
    "The verdict of the earlier claim is kept in History.",
    "Check again for what is written now.",
)
STOPPED = Message("The check was stopped.", "Nothing was recorded.", "Check again when ready.")
TOO_LATE = Message(
    "The check had ended before it could be stopped.", "Its verdict is kept in History."
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict together with the claim and the source that it belongs to."""

    claim: str
    source_key: str
    source_name: str
    result: CheckResult
    check_id: int | None = None
    earlier: bool = False


class CheckModel(QObject):
    """Claim, source, check and answer.

    `choice` is the source that is chosen, `source` that source once it has been read. Signals:
    `state_changed`, `claim_changed` (set from outside the widgets),
    `progress_changed(done, total, what)`, `answer_changed`, `source_changed` (what the evidence
    pane shows), `message_changed`, `recorded` (the history has grown), `password_wanted(name)`
    (answer with `unlock`), `compared(sentence)` (what repeating a check has given).
    """

    state_changed = Signal()
    claim_changed = Signal()
    progress_changed = Signal(int, int, str)
    answer_changed = Signal()
    source_changed = Signal()
    message_changed = Signal()
    recorded = Signal()
    password_wanted = Signal(str)
    compared = Signal(str)

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._services: Services | None = None
        self._workspace_id: int | None = None
        self._task: Task | None = None
        self._reading: Task | None = None
        self._running: tuple[str, str] | None = None
        self.state = State.IDLE
        self.claim = ""
        self.progress = (0, 0, "")
        self.answer: Answer | None = None
        self.source: OpenSource | None = None
        self.message: Message | None = None
        self.choice = SourceChoice(runner, lambda: self.busy, self)
        self.choice.changed.connect(self._on_source_chosen)
        self.choice.said.connect(self.show_message)

    # what the page asks

    @property
    def busy(self) -> bool:
        """Whether a check is on its way."""
        return self.state in BUSY

    @property
    def missing(self) -> str:
        """What is still needed before a check can run, as a sentence; empty when nothing is."""
        if self._services is None or self._workspace_id is None:
            return "The workspace is being opened."
        if not self.claim.strip():
            return "Write the claim to check."
        return self.choice.missing

    @property
    def can_check(self) -> bool:
        """Whether a check can start now."""
        return not self.busy and not self.missing

    @property
    def answer_is_earlier(self) -> bool:
        """Whether the answer shown belongs to a claim other than the one written now."""
        return self.answer is not None and self.answer.claim != self.claim.strip()

    # what the person does

    def set_services(self, services: Services) -> None:
        """Begin work once the store is open."""
        self._services = services
        self.choice.set_services(services)
        self.state_changed.emit()

    def set_workspace(self, workspace_id: int) -> None:
        """Show another workspace; a check on its way there is cancelled."""
        if workspace_id == self._workspace_id:
            return
        self._abandon_check()
        self._workspace_id = workspace_id
        self.claim = ""
        self._stop_reading()
        self._set_message(None)
        self._clear_answer()
        self._show_source(None)
        self.claim_changed.emit()
        self.choice.set_workspace(workspace_id)

    def set_claim(self, claim: str) -> None:
        """The claim as it is written now."""
        if claim == self.claim:
            return
        was_earlier = self.answer_is_earlier
        self.claim = claim
        if self.answer is not None and was_earlier != self.answer_is_earlier:
            self.answer = replace(self.answer, earlier=self.answer_is_earlier)
            self.answer_changed.emit()
        self.state_changed.emit()

    def write_claim(self, claim: str) -> None:
        """Put a claim into the field, in place of what is written there."""
        self.set_claim(claim)
        self.claim_changed.emit()

    def check(self) -> None:
        """Run the check; does nothing while it cannot run."""
        if not self.can_check:
            return
        assert self._services is not None
        chosen = self.choice.chosen
        assert chosen is not None
        self._begin("Opening the source")
        self._start(ReadSource(self._services, chosen), lambda s: self._read(s, chosen))

    def cancel(self) -> None:
        """Stop the check; it ends within three seconds."""
        if self.state in (State.READING, State.CHECKING) and self._task is not None:
            self._go(Event.CANCEL)
            self._set_progress(0, 0, "Stopping")
            self._task.cancel()

    def repeat(self, check_id: int) -> None:
        """Run a check of the history again; does nothing while a check is on its way."""
        if self.busy or self._services is None:
            return
        self._begin("Checking again")
        self._go(Event.READ)
        self._start(RepeatCheck(self._services, check_id), self._repeated)

    def open(self, opened: OpenedCheck) -> None:
        """Show a check from the history: its claim, its source and its verdict."""
        self._abandon_check()
        self._go(Event.OPEN)
        self._show_opened(opened)

    def unlock(self, password: str) -> None:
        """Open the chosen document with a password, which is kept for this session only."""
        document = self.choice.document
        if self._services is not None and document is not None and not self.busy:
            self._services.passwords[document.sha256] = password
            self._set_message(None)
            self._preview(document)

    def dismiss_message(self) -> None:
        """The person has read the message."""
        self._set_message(None)

    def show_message(self, message: Message) -> None:
        """Show a message that another part of the page has."""
        self._set_message(message)

    # what comes back

    def _read(self, source: OpenSource, chosen: "StoredDocument | str") -> None:
        if self.state is State.CANCELLING:
            # Reading does not always listen: it may end well after it was asked to stop.
            self._task = None
            self._go(Event.STOPPED)
            self._set_message(STOPPED)
            return
        assert self._services is not None
        assert self._workspace_id is not None
        assert self._running is not None
        if self.choice.key == source.key:
            self._show_source(source)
        self._go(Event.READ)
        self._set_progress(0, 0, "Checking")
        operation = RunCheck(self._services, self._workspace_id, self._running[0], chosen)
        self._start(operation, lambda record: self._answered(record, source))

    def _answered(self, record: "CheckRecord", source: OpenSource) -> None:
        if self._stands():
            assert self._running is not None
            claim, key = self._running
            self.answer = Answer(claim, key, source.name, record.result, record.check_id)
            self._go(Event.VERDICT)
            self._show_source(source)
            self.answer_changed.emit()

    def _repeated(self, repeated: RepeatedCheck) -> None:
        if self._stands():
            self._go(Event.VERDICT)
            self._show_opened(repeated.opened)
            self.compared.emit(compared_words(repeated))

    def _stands(self) -> bool:
        """After a run was recorded: whether it is about what is written and chosen now."""
        self._task = None
        self.recorded.emit()
        if self.state is State.CANCELLING:
            self._go(Event.STOPPED)
            self._set_message(TOO_LATE)
            return False
        if self._running != (self.claim.strip(), self.choice.key):
            self._go(Event.DROP)
            self._set_message(DROPPED)
            return False
        return True

    def _show_opened(self, opened: OpenedCheck) -> None:
        self._stop_reading()
        self.claim = opened.claim
        self.choice.restore(opened.document, opened.pasted)
        self._set_message(Message(opened.missing) if opened.missing else None)
        self.answer = Answer(
            opened.claim.strip(),
            self.choice.key,
            opened.source_name,
            opened.result,
            opened.check_id,
        )
        self.claim_changed.emit()
        self._show_source(opened.source)
        self.answer_changed.emit()

    def _failed(self, error: BaseException) -> None:
        self._task = None
        if self.state is State.CANCELLING:
            self._go(Event.STOPPED)
            self._set_message(STOPPED)
            return
        self._go(Event.FAIL)
        self._set_message(explain(error, "The check"))
        self._ask_password(error)

    def _cancelled(self) -> None:
        self._task = None
        if self.state is State.CANCELLING:
            self._go(Event.STOPPED)
            self._set_message(STOPPED)

    # inside

    def _begin(self, what: str) -> None:
        self._running = (self.claim.strip(), self.choice.key)
        self._set_message(None)
        self._go(Event.START)
        self._clear_answer()
        self._set_progress(0, 0, what)
        self._stop_reading()

    def _start(self, operation: Any, then: Any) -> None:
        task = self._runner.start(operation)
        self._task = task

        def only_current(slot: Any) -> Any:
            return lambda *values: slot(*values) if self._task is task else None

        task.progressed.connect(only_current(self._progressed))
        task.succeeded.connect(only_current(then))
        task.failed.connect(only_current(self._failed))
        task.cancelled.connect(only_current(self._cancelled))

    def _progressed(self, done: int, total: int, what: str) -> None:
        if self.state is not State.CANCELLING:
            self._set_progress(done, total, what)

    def _on_source_chosen(self) -> None:
        """A verdict must never stand beside a source that it is not about."""
        self._clear_answer()
        self._stop_reading()
        self._show_source(None)
        self.state_changed.emit()
        document = self.choice.document
        if self.choice.kind == DOCUMENT and document is not None and not self.busy:
            self._preview(document)

    def _preview(self, document: "StoredDocument") -> None:
        if self._services is None:
            return
        task = self._runner.start(ReadSource(self._services, document))
        self._reading = task

        def read(source: OpenSource) -> None:
            if self._reading is task and self.choice.key == source.key:
                self._show_source(source)

        def failed(error: BaseException) -> None:
            if self._reading is task and not self.busy:
                self._set_message(explain(error, "Opening the document"))
                self._ask_password(error)

        task.succeeded.connect(read)
        task.failed.connect(failed)

    def _ask_password(self, error: BaseException) -> None:
        document = self.choice.document
        if isinstance(error, PasswordNeeded) and document is not None:
            self.password_wanted.emit(document.name)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            if not self._reading.over:
                self._reading.cancel()
            self._reading = None

    def _abandon_check(self) -> None:
        if self._task is not None:
            task, self._task = self._task, None
            task.cancel()
        if self.busy:
            self.state = State.IDLE
            self.state_changed.emit()

    def _clear_answer(self) -> None:
        if self.answer is not None:
            self.answer = None
            self.answer_changed.emit()
        if not self.busy:
            self._go(Event.CLEAR)

    def _show_source(self, source: OpenSource | None) -> None:
        if source is not self.source:
            self.source = source
            self.source_changed.emit()

    def _set_progress(self, done: int, total: int, what: str) -> None:
        self.progress = (done, total, what)
        self.progress_changed.emit(done, total, what)

    def _set_message(self, message: Message | None) -> None:
        if message != self.message:
            self.message = message
            self.message_changed.emit()

    def _go(self, event: Event) -> None:
        self.state = after(self.state, event)
        self.state_changed.emit()
