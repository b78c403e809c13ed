"""The Check page: question on the left, answer below it, proof on the right."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from core.claims.verdict import Verdict
from desktop.messages import Message
from desktop.pages.check.documents_model import DocumentsModel
from desktop.pages.check.evidence_model import EvidenceModel
from desktop.pages.check.evidence_pane import EvidencePane
from desktop.pages.check.model import CheckModel
from desktop.pages.check.ready_claims import ReadyClaims
from desktop.pages.check.source_choice import PASTED
from desktop.pages.check.source_chooser import SourceChooser
from desktop.pages.check.states import State
from desktop.pages.check.trace_list import TraceList
from desktop.pages.check.verdict_card import VerdictCard, as_note, scope_words
from desktop.widgets.announce import announce
from desktop.widgets.buttons import push_button
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.text_field import TextField
from desktop.widgets.typography import ProgressLabel, section_label

FILE_FILTER = (
    "Documents (*.pdf *.docx *.xml *.nxml *.html *.htm *.xhtml *.md *.markdown *.txt);;"
    "All files (*)"
)

COUNTED_FROM = 3
COUNTED_UP_TO = 50_000


class CheckPage(QWidget):
    """Joins the models of a check with what is seen of them.

    Signals: `add_wanted` (choose a file), `remove_wanted` (take the chosen document out of the
    workspace), `unlock_wanted` (the page shown needs its password),
    `repeat_wanted(check id)`, `sample_wanted`, `ready_wanted(claim)`.
    """

    add_wanted = Signal()
    remove_wanted = Signal()
    unlock_wanted = Signal()
    repeat_wanted = Signal(int)
    sample_wanted = Signal()
    ready_wanted = Signal(str)

    def __init__(
        self,
        check: CheckModel,
        evidence: EvidenceModel,
        documents: DocumentsModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._check = check
        self._evidence = evidence
        self._documents = documents
        self.claim = TextField(
            "Claim to check", "The statement to check, as it is written in your text.", 3, grow_to=8
        )
        self.ready = ReadyClaims(self.ready_wanted.emit)
        self.source = SourceChooser(check.choice)
        self.run = push_button(
            "Check   Ctrl+Enter", self.start, kind="primary", name="Check the claim"
        )
        self.stop = push_button("Cancel   Esc", self.cancel, kind="stop", name="Cancel the check")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress")
        self.progress_words = ProgressLabel()
        self.message = MessageBar()
        self.card = VerdictCard(self._repeat, self.copy_note)
        self.trace = TraceList()
        self.empty = EmptyState(
            "check",
            "Countersign looks a claim up in its source and shows the passage that decides.",
            [("Open the sample", self.sample_wanted.emit)],
        )
        self.pane = EvidencePane(evidence)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self._make_column())
        self.splitter.addWidget(self.pane)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([600, 640])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.splitter)
        self._connect()
        self._on_state()
        self._on_answer()

    def start(self) -> None:
        """Check the claim; while a file is being added nothing happens, as the button shows."""
        if not self._documents.busy:
            self._check.check()

    def cancel(self) -> None:
        """Stop what is on its way: the check, else the file that is being added."""
        if self._check.busy:
            self._check.cancel()
        elif self._documents.busy:
            self._documents.cancel()

    def add_files(self, files: list[Path]) -> None:
        """Add dropped, pasted or chosen files to the workspace."""
        if not self._documents.busy:
            self._check.dismiss_message()
        self._documents.add(files)

    def copy_note(self) -> None:
        """Put the verdict with its claim, reason and passages into the clipboard."""
        answer = self._check.answer
        if answer is not None:
            QGuiApplication.clipboard().setText(as_note(answer, self._scope()))
            announce(self.card, "The note has been copied.")

    def zones(self) -> list[Callable[[], None]]:
        """What F6 goes through: the question, the answer, the proof."""

        def focus(widget: QWidget) -> Callable[[], None]:
            return lambda: widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

        zones = [focus(self.claim)]
        if self.card.isVisible():
            zones.append(focus(self.card))
        if self._evidence.source is not None:
            zones.append(focus(self.pane.view))
        return zones

    def _make_column(self) -> QScrollArea:
        column = QWidget()
        column.setObjectName("column")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.run)
        head.addWidget(self.stop)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addStretch(1)
        words.addWidget(self.progress_words)
        words.addWidget(self.progress)
        words.addStretch(1)
        head.addSpacing(4)
        head.addLayout(words, 1)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(24, 16, 24, 24)
        layout.setSpacing(0)
        layout.addWidget(section_label("Claim", self.claim))
        layout.addSpacing(4)
        layout.addWidget(self.claim)
        layout.addWidget(self.ready)
        layout.addSpacing(16)
        layout.addWidget(self.source)
        layout.addSpacing(16)
        layout.addLayout(head)
        layout.addSpacing(16)
        layout.addWidget(self.message)
        layout.addSpacing(8)
        layout.addWidget(self.card)
        layout.addSpacing(16)
        layout.addWidget(self.trace)
        layout.addWidget(self.empty, 1)
        layout.addStretch(1)
        area = QScrollArea()
        area.setObjectName("answer")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setMinimumWidth(420)
        area.setWidget(column)
        self._area = area
        return area

    def _connect(self) -> None:
        check, documents = self._check, self._documents
        self.claim.edited.connect(lambda: check.set_claim(self.claim.text()))
        self.claim.files_given.connect(self.add_files)
        self.source.files_given.connect(self.add_files)
        self.source.add_wanted.connect(self.add_wanted)
        self.source.remove_wanted.connect(self.remove_wanted)
        self.pane.unlock_wanted.connect(self.unlock_wanted)
        self.message.dismissed.connect(check.dismiss_message)
        check.state_changed.connect(self._on_state)
        check.claim_changed.connect(self._on_claim)
        check.choice.documents_changed.connect(self._on_state)
        check.choice.replaced.connect(self._on_state)
        check.answer_changed.connect(self._on_answer)
        check.source_changed.connect(self._on_source)
        check.message_changed.connect(lambda: self.message.show_message(check.message))
        check.progress_changed.connect(self._on_progress)
        check.compared.connect(self.card.show_comparison)
        documents.progress_changed.connect(self._on_progress)
        documents.busy_changed.connect(self._on_state)
        documents.said.connect(check.show_message)

    def _on_claim(self) -> None:
        if self.claim.text() != self._check.claim:
            self.claim.set_text(self._check.claim)
        self._on_state()

    def _on_state(self) -> None:
        check = self._check
        busy = check.busy or self._documents.busy
        self.run.setEnabled(check.can_check and not self._documents.busy)
        self.run.setToolTip(check.missing)
        self.stop.setEnabled(busy and check.state is not State.CANCELLING)
        self.stop.setVisible(busy)
        self.progress.setVisible(busy)
        if not busy:
            self.progress_words.show_hint("" if check.can_check else check.missing)
        self._show_empty()

    def _on_progress(self, done: int, total: int, what: str) -> None:
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        # Pages and sentences are counted; bytes, of which there are many, are a share.
        counts = f"{done:,} of {total:,}" if total >= COUNTED_FROM else ""
        if total > COUNTED_UP_TO:
            counts = f"{done * 100 // total} %"
        self.progress_words.show_progress(what, counts)

    def _on_answer(self) -> None:
        answer = self._check.answer
        self.card.show_answer(answer, self._scope())
        self.trace.show_trace(answer.result.trace if answer is not None else ())
        self._show_evidence()
        self._show_empty()
        if answer is None:
            self.card.show_comparison("")

    def _on_source(self) -> None:
        self._show_evidence()
        if self._check.answer is not None:
            self.card.show_answer(self._check.answer, self._scope())

    def _show_evidence(self) -> None:
        check, evidence = self._check, self._evidence
        answer, source = check.answer, check.source
        # Passages of one source must never be marked in another.
        its_own = answer is not None and source is not None and answer.source_key == source.key
        result = answer.result if answer is not None and its_own else None
        passages = result.evidence if result is not None else ()
        decides = result is None or result.verdict is not Verdict.NOT_VERIFIABLE
        same = evidence.source is source and evidence.decides == decides
        if not same or evidence.evidence != tuple(passages):
            evidence.show(source, passages, decides=decides)

    def _show_empty(self) -> None:
        check = self._check
        nothing = not check.claim.strip() and check.answer is None and check.message is None
        self.empty.setVisible(nothing and not check.busy)

    def _scope(self) -> str:
        answer, source = self._check.answer, self._check.source
        if answer is None:
            return ""
        pages = source.document.page_count if source is not None else 0
        return scope_words(answer, pages, self._check.choice.kind == PASTED)

    def _repeat(self) -> None:
        answer = self._check.answer
        if answer is not None and answer.check_id is not None:
            self.repeat_wanted.emit(answer.check_id)

    def say(self, message: Message) -> None:
        """Show a message that came from elsewhere in the window."""
        self._check.show_message(message)
