"""The proof: the source's page, or its text, with the deciding passage marked."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.pages.check.evidence_model import ZOOM_STEP, EvidenceModel
from desktop.pages.check.operations import OpenSource
from desktop.pages.check.verdict_card import passage_title, plain_passage
from desktop.widgets.buttons import IconButton, push_button
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.page_view import PageView
from desktop.widgets.text_view import TextView
from desktop.widgets.typography import Type, label, section_label

PASSAGE_LINES = 6
"""A longer passage scrolls: the page above it needs the room."""

REDRAW_AFTER_MS = 150
"""A page is drawn anew once the splitter has been still for so long."""


class EvidencePane(QWidget):
    """The right zone of the Check page. Signal: `unlock_wanted` (the page needs its password)."""

    unlock_wanted = Signal()

    def __init__(self, model: EvidenceModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._model = model
        self._shown: tuple[OpenSource | None, int] | None = None
        self.page_view = PageView()
        self.text_view = TextView()
        self.empty = EmptyState(
            "document", "The passage that decides a check is shown here, on its page."
        )
        self._views = QStackedWidget()
        for view in (self.empty, self.page_view, self.text_view):
            self._views.addWidget(view)
        self.warnings = label("", Type.SMALL, "warnings", wrap=True)
        self.warnings.setTextFormat(Qt.TextFormat.PlainText)
        self.warnings.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.message = MessageBar()
        self.message.dismissed.connect(lambda: self.message.show_message(None))
        self._unlock = push_button("Enter the password …", self.unlock_wanted.emit)
        self._unlock.setVisible(False)
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(REDRAW_AFTER_MS)
        self._redraw.timeout.connect(self._ask_for_scale)

        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_bar())
        column.addWidget(self.warnings)
        column.addWidget(self.message)
        column.addWidget(self._unlock)
        column.addWidget(self._views, 1)
        column.addWidget(self._make_passage())

        model.source_changed.connect(self._on_source)
        model.evidence_changed.connect(self._on_evidence)
        model.page_changed.connect(self._on_page)
        model.drawn_changed.connect(self._on_drawn)
        model.zoom_changed.connect(self._on_zoom)
        model.message_changed.connect(lambda: self.message.show_message(model.message))
        model.password_needed.connect(lambda: self._unlock.setVisible(True))
        self.page_view.width_changed.connect(self._redraw.start)
        self.page_view.page_turned.connect(lambda by: model.go_to_page(model.page + by))
        self.page_view.zoomed.connect(lambda by: model.set_zoom(model.zoom * ZOOM_STEP**by))
        self._on_source()
        self._on_evidence()

    @property
    def view(self) -> QWidget:
        """The view on top: the page, the text, or the empty state."""
        current = self._views.currentWidget()
        assert current is not None
        return current

    def _make_bar(self) -> QFrame:
        model = self._model
        bar = QFrame()
        bar.setObjectName("evidenceBar")
        self._name = label("", Type.STRONG, "title")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setMinimumWidth(40)
        self._page_words = label("", Type.BODY, "quiet")
        self._page_words.setAccessibleName("Page shown")
        self.previous_page = IconButton(
            "up", "Previous page", lambda: model.go_to_page(model.page - 1)
        )
        self.next_page = IconButton("down", "Next page", lambda: model.go_to_page(model.page + 1))
        self.zoom_out = IconButton(
            "zoom_out", "Zoom out (Ctrl+−)", lambda: model.set_zoom(model.zoom / ZOOM_STEP)
        )
        self.zoom_in = IconButton(
            "zoom_in", "Zoom in (Ctrl++)", lambda: model.set_zoom(model.zoom * ZOOM_STEP)
        )
        self.fit = IconButton("fit", "Fit to width (Ctrl+0)", lambda: model.set_zoom(1.0))
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 4, 8, 4)
        row.setSpacing(4)
        row.addWidget(self._name, 1)
        row.addWidget(self.previous_page)
        row.addWidget(self._page_words)
        row.addWidget(self.next_page)
        row.addSpacing(8)
        for button in (self.zoom_out, self.fit, self.zoom_in):
            row.addWidget(button)
        bar.setFixedHeight(44)
        return bar

    def _make_passage(self) -> QFrame:
        self._passage_frame = QFrame()
        self._passage_frame.setObjectName("passage")
        self.passage = QPlainTextEdit()
        self.passage.setReadOnly(True)
        self.passage.setTabChangesFocus(True)
        self.passage.setAccessibleName("Passage")
        self.passage.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.passage.document().setDocumentMargin(0)
        self.passage.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._which = label("", Type.SMALL, "quiet")
        self.previous_passage = IconButton(
            "previous", "Previous passage (Shift+F3)", self._model.previous
        )
        self.next_passage = IconButton("next", "Next passage (F3)", self._model.next)
        head = QHBoxLayout()
        head.setSpacing(4)
        self._passage_title = section_label("Passage", self.passage)
        head.addWidget(self._passage_title)
        head.addStretch(1)
        head.addWidget(self.previous_passage)
        head.addWidget(self._which)
        head.addWidget(self.next_passage)
        column = QVBoxLayout(self._passage_frame)
        column.setContentsMargins(16, 8, 8, 12)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.passage)
        return self._passage_frame

    def _on_source(self) -> None:
        source = self._model.source
        self._unlock.setVisible(False)
        if source is None:
            self._views.setCurrentWidget(self.empty)
            self._name.setText("Source")
            self._name.setToolTip("")
            self._shown = None
            self.page_view.show_page(None, ())
            self.text_view.show_document(None, None)
        else:
            paged = source.has_pages
            self._views.setCurrentWidget(self.page_view if paged else self.text_view)
            self._name.setToolTip(source.name)
            self._fit_name()
            if paged:
                self._ask_for_scale()
        warnings = source.document.warnings if source is not None else ()
        self.warnings.setText("\n".join(warnings))
        self.warnings.setVisible(bool(warnings))
        for tool in (self.zoom_out, self.fit, self.zoom_in, self.previous_page, self.next_page):
            tool.setVisible(source is not None and source.has_pages)
        self._page_words.setVisible(source is not None and source.has_pages)

    def _on_evidence(self) -> None:
        model = self._model
        passage = model.current
        self._passage_frame.setVisible(passage is not None)
        if passage is not None:
            title = passage_title(model.decides)
            self._passage_title.setText(title.upper())
            self._passage_title.setAccessibleName(title)
            self.passage.setAccessibleName(title)
            self.passage.setPlainText(plain_passage(passage.text))
            self._fit_passage()
        many = len(model.evidence) > 1
        self._which.setText(f"{model.index + 1} of {len(model.evidence)}")
        for widget in (self._which, self.previous_passage, self.next_passage):
            widget.setVisible(many)
        if model.source is not None and not model.source.has_pages:
            mark = (passage.start, passage.end) if passage is not None else None
            self.text_view.show_document(model.source.document, mark, decides=model.decides)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """The passage may need more or fewer lines."""
        super().resizeEvent(event)
        self._fit_name()
        self._fit_passage()

    def _fit_name(self) -> None:
        source = self._model.source
        if source is not None:
            room = max(120, self._name.width())
            metrics = self._name.fontMetrics()
            elided = metrics.elidedText(source.name, Qt.TextElideMode.ElideMiddle, room)
            self._name.setText(elided)

    def _fit_passage(self) -> None:
        # The layout of plain text counts its height in lines.
        lines = min(PASSAGE_LINES, max(1, round(self.passage.document().size().height())))
        self.passage.setFixedHeight(lines * self.passage.fontMetrics().lineSpacing() + 8)

    def _on_page(self) -> None:
        model = self._model
        self._page_words.setText(f"page {model.page} of {model.page_count}")
        self.previous_page.setEnabled(model.page > 1)
        self.next_page.setEnabled(model.page < model.page_count)
        if model.drawn is None:
            # The same page stays in sight while only its marks are drawn anew.
            if self._shown == (model.source, model.page):
                self.page_view.drop_marks(self._page_said())
            else:
                self.page_view.show_page(None, ())

    def _on_drawn(self) -> None:
        model = self._model
        drawn = model.drawn
        image: QImage | None = drawn.image if drawn is not None else None
        boxes = drawn.boxes if drawn is not None else ()
        self._shown = (model.source, model.page) if drawn is not None else None
        words = self._page_said()
        if boxes and model.current is not None:
            words += f", marked: {plain_passage(model.current.text)}"
        self._unlock.setVisible(False)
        self.page_view.show_page(image, boxes, words, decides=model.decides)

    def _page_said(self) -> str:
        return f"Page {self._model.page} of {self._model.page_count}"

    def _on_zoom(self) -> None:
        self.page_view.set_zoom(self._model.zoom)
        self.page_view.show_marks()
        self._redraw.start()

    def _ask_for_scale(self) -> None:
        """One pixel of the drawing for each pixel of the screen."""
        drawn = self._model.drawn
        source = self._model.source
        if source is None or not source.has_pages:
            return
        points = _page_points(drawn.image, drawn.scale) if drawn is not None else 595.0
        pixels = self.page_view.page_width * self.devicePixelRatioF()
        self._model.set_scale(pixels / points)


def _page_points(image: QImage, scale: float) -> float:
    return image.width() / scale if image.width() else 595.0
