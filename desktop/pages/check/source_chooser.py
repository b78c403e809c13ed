"""Where the claim is looked up: a document of the workspace, or pasted text."""

from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.pages.check.source_choice import DOCUMENT, PASTED, SourceChoice
from desktop.widgets.buttons import MenuButton, push_button
from desktop.widgets.text_field import TextField
from desktop.widgets.typography import Type, label, section_label


class SourceChooser(QWidget):
    """Shows and changes a `SourceChoice`.

    Signals: `add_wanted` (choose a file), `remove_wanted` (take the chosen document out of the
    workspace), `files_given(list[Path])`.
    """

    add_wanted = Signal()
    remove_wanted = Signal()
    files_given = Signal(list)

    def __init__(self, model: SourceChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._filling = False
        self.document_choice = self._choice("Document", "Source is a document of the workspace")
        self.text_choice = self._choice("Pasted text", "Source is pasted text")
        self.documents = QComboBox()
        self.documents.setAccessibleName("Document to check against")
        self.documents.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.documents.setMinimumContentsLength(12)
        self.documents.setIconSize(QSize(16, 16))
        self.add = push_button(
            "Add …", self.add_wanted.emit, name="Add a document", tooltip="Add a document (Ctrl+O)"
        )
        self.remove = QAction("Remove from this workspace …", self)
        self.remove.triggered.connect(lambda: self.remove_wanted.emit())
        self.documents.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.documents.addAction(self.remove)
        self.more = MenuButton("more", "Document actions", [self.remove])
        self.hint = label(
            "Or drop files here: PDF, DOCX, JATS, HTML, Markdown, text.",
            Type.SMALL,
            "hint",
        )
        self.pasted = TextField("Text of the source", "Paste the text of the source here.", 6)
        self.shortened = label("", Type.SMALL, "hint", wrap=True)
        self.shortened.setVisible(False)
        self.empty_text = push_button("Empty the field", lambda: self.pasted.set_text(""))
        self.empty_text.setVisible(False)

        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(section_label("Source"))
        head.addStretch(1)
        head.addWidget(self.document_choice)
        head.addWidget(self.text_choice)
        by_document = QWidget()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.documents, 1)
        row.addWidget(self.add)
        row.addWidget(self.more)
        column = QVBoxLayout(by_document)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.hint)
        column.addStretch(1)
        by_text = QWidget()
        column = QVBoxLayout(by_text)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.pasted)
        column.addWidget(self.shortened)
        column.addWidget(self.empty_text, alignment=Qt.AlignmentFlag.AlignLeft)
        self._stack = QStackedWidget()
        self._stack.addWidget(by_document)
        self._stack.addWidget(by_text)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addLayout(head)
        whole.addWidget(self._stack)

        self.document_choice.clicked.connect(lambda: self._choose(True))
        self.text_choice.clicked.connect(lambda: self._choose(False))
        self.documents.currentIndexChanged.connect(self._on_document)
        self.pasted.edited.connect(self._on_pasted)
        self.pasted.files_given.connect(self.files_given)
        model.documents_changed.connect(self._fill)
        model.replaced.connect(self._show_inputs)
        self._fill()
        self._show_inputs()

    def give_files(self, files: list[Path]) -> None:
        """Hand on files that were dropped or pasted."""
        self.files_given.emit(files)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icons again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._fill()
        super().changeEvent(event)

    def _choice(self, text: str, name: str) -> QPushButton:
        made = push_button(text, lambda: None, kind="choice", name=name)
        made.setCheckable(True)
        return made

    def _fill(self) -> None:
        self._filling = True
        self.documents.clear()
        icon = theme.icon("document", theme.current_theme().quiet, 16)
        for document in self._model.documents:
            self.documents.addItem(icon, document.name, document.sha256)
        empty = not self._model.documents
        if empty:
            self.documents.addItem("No document in this workspace yet")
        self.documents.setEnabled(not empty)
        self._filling = False
        self._show_inputs()

    def _show_inputs(self) -> None:
        self._filling = True
        by_text = self._model.kind == PASTED
        self.text_choice.setChecked(by_text)
        self.document_choice.setChecked(not by_text)
        self._show_kind(by_text)
        if self._model.document is not None:
            at = self.documents.findData(self._model.document.sha256)
            if at < 0:
                # A check of the history may be about a document that has left the workspace.
                self.documents.addItem(
                    f"{self._model.document.name} (no longer in this workspace)",
                    self._model.document.sha256,
                )
                at = self.documents.count() - 1
            self.documents.setCurrentIndex(at)
        here = {document.sha256 for document in self._model.documents}
        chosen = self._model.document
        self.remove.setEnabled(chosen is not None and chosen.sha256 in here)
        self.more.setEnabled(self.remove.isEnabled())
        if self.pasted.text() != self._model.pasted:
            self.pasted.set_text(self._model.pasted)
        self._filling = False

    def _show_kind(self, by_text: bool) -> None:
        self._stack.setCurrentIndex(1 if by_text else 0)
        page = self._stack.widget(1 if by_text else 0)
        if page is not None:
            self._stack.setFixedHeight(page.sizeHint().height())

    def _choose(self, by_document: bool) -> None:
        # A group of Qt's would take the choice that is not made out of the Tab order.
        self.document_choice.setChecked(by_document)
        self.text_choice.setChecked(not by_document)
        self._show_kind(not by_document)
        self._model.set_kind(DOCUMENT if by_document else PASTED)

    def _on_document(self, index: int) -> None:
        chosen = self.documents.itemData(index)
        if self._filling or chosen is None:
            return
        for document in self._model.documents:
            if document.sha256 == chosen:
                self._model.set_document(document)
                self._show_inputs()

    def _on_pasted(self) -> None:
        text = self.pasted.text()
        shortened = self.pasted.shortened
        self.shortened.setText(f"{len(text):,} characters are kept; the beginning is shown.")
        self.shortened.setVisible(shortened)
        self.empty_text.setVisible(shortened)
        self._show_kind(self._stack.currentIndex() == 1)
        if not self._filling:
            self._model.set_pasted(text)
