"""What the evidence pane knows: source, deciding passages, the page shown. No widgets."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from core.claims.verdict import Evidence
from core.documents.errors import PasswordNeeded
from desktop.messages import Message, explain
from desktop.pages.check.operations import DrawnPage, DrawPage, OpenSource
from desktop.services import Services
from desktop.tasks import Task, TaskRunner

MIN_ZOOM = 0.5
MAX_ZOOM = 4.0
ZOOM_STEP = 1.2
MAX_SCALE = 6.0
"""Pixels per point at most: a page of A4 then has 18 million pixels."""


class EvidenceModel(QObject):
    """The source on the right of the window.

    `decides` tells whether the passages decide the verdict, or are only the closest that the
    source comes. `zoom` is relative to the width of the pane; 1.0 fits the page into it. Signals:
    `source_changed`, `evidence_changed` (another passage, or other passages), `page_changed`
    (`page` or what is marked on it moved; `drawn` is None until it is drawn), `drawn_changed`,
    `zoom_changed`, `message_changed`, `password_needed`.
    """

    source_changed = Signal()
    evidence_changed = Signal()
    page_changed = Signal()
    drawn_changed = Signal()
    zoom_changed = Signal()
    message_changed = Signal()
    password_needed = Signal()

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._services: Services | None = None
        self._task: Task | None = None
        self._asked: tuple[str, int, float, tuple[tuple[int, int], ...]] | None = None
        self._points_to_pixels = 1.5
        self.source: OpenSource | None = None
        self.evidence: tuple[Evidence, ...] = ()
        self.decides = True
        self.index = 0
        self.page = 0
        self.zoom = 1.0
        self.drawn: DrawnPage | None = None
        self.message: Message | None = None

    @property
    def current(self) -> Evidence | None:
        """The passage that is shown, or None."""
        return self.evidence[self.index] if self.evidence else None

    @property
    def page_count(self) -> int:
        """Pages of the source; 0 for a source without pages."""
        if self.source is None or not self.source.has_pages:
            return 0
        return max(self.source.document.page_count, self.page)

    def set_services(self, services: Services) -> None:
        """Begin to draw once the reader is there."""
        self._services = services

    def show(
        self, source: OpenSource | None, evidence: Sequence[Evidence] = (), *, decides: bool = True
    ) -> None:
        """Show the source at its first passage, or at its beginning."""
        new_source = source is not self.source
        self.decides = decides
        self.source = source
        self.evidence = tuple(evidence) if source is not None else ()
        self.index = 0
        if new_source:
            self._forget_drawing()
            self._set_message(None)
            self.page = 1 if source is not None and source.has_pages else 0
            self.source_changed.emit()
        self._go_to_current()

    def next(self) -> None:
        """Show the next passage, after the last one the first."""
        self._step(1)

    def previous(self) -> None:
        """Show the passage before, before the first one the last."""
        self._step(-1)

    def go_to_page(self, page: int) -> None:
        """Show a page, counted from 1; outside of the document nothing happens."""
        if 1 <= page <= self.page_count and page != self.page:
            self.page = page
            self.drawn = None
            self.page_changed.emit()
            self.draw()

    def set_zoom(self, zoom: float) -> None:
        """Zoom relative to the width of the pane, kept within `MIN_ZOOM`..`MAX_ZOOM`."""
        zoom = min(MAX_ZOOM, max(MIN_ZOOM, zoom))
        if zoom != self.zoom:
            self.zoom = zoom
            self.zoom_changed.emit()

    def set_scale(self, scale: float) -> None:
        """Device pixels per point that the pane needs; a page in a far scale is drawn again."""
        scale = min(MAX_SCALE, round(scale, 2))
        if scale > 0 and scale != self._points_to_pixels:
            self._points_to_pixels = scale
            self.draw()

    def draw(self) -> None:
        """Have the page drawn, unless it is drawn or on its way already."""
        source = self.source
        if self._services is None or source is None or not source.has_pages or not self.page:
            return
        asked = (source.key, self.page, self._points_to_pixels, tuple(self.marks(self.page)))
        if asked == self._asked:
            return
        if self._task is not None and not self._task.over:
            self._task.cancel()
        self._asked = asked
        operation = DrawPage(self._services, source, self.page, self._points_to_pixels, asked[3])
        task = self._runner.start(operation)
        self._task = task

        def drawn(page: DrawnPage) -> None:
            if self._asked == asked:
                self.drawn = page
                self._set_message(None)
                self.drawn_changed.emit()

        def failed(error: BaseException) -> None:
            if self._asked == asked:
                self._asked = None
                self._set_message(explain(error, "Drawing the page", "The verdict stands."))
                if isinstance(error, PasswordNeeded):
                    self.password_needed.emit()

        task.succeeded.connect(drawn)
        task.failed.connect(failed)

    def marks(self, page: int) -> list[tuple[int, int]]:
        """The current passage on a page, as (first, end) of PDFium's character indices."""
        if self.source is None or self.current is None:
            return []
        spans = self.source.document.page_spans(self.current.start, self.current.end)
        return [
            (span.page_start, span.page_start + span.end - span.start)
            for span in spans
            if span.page == page
        ]

    def _step(self, by: int) -> None:
        if len(self.evidence) > 1:
            self.index = (self.index + by) % len(self.evidence)
            self._go_to_current()

    def _go_to_current(self) -> None:
        self._asked = None
        if self.source is not None and self.source.has_pages and self.current is not None:
            # A passage may begin in a column's last line and run on; its first page is shown.
            spans = self.source.document.page_spans(self.current.start, self.current.end)
            page = spans[0].page if spans else self.current.page
            if page is not None:
                self.page = page
        if self.drawn is not None:
            kept = (self.drawn.page, self.drawn.marks)
            if kept != (self.page, tuple(self.marks(self.page))):
                self.drawn = None
        self.evidence_changed.emit()
        self.page_changed.emit()
        self.draw()

    def _forget_drawing(self) -> None:
        if self._task is not None and not self._task.over:
            self._task.cancel()
        self._task, self._asked, self.drawn = None, None, None

    def _set_message(self, message: Message | None) -> None:
        if message != self.message:
            self.message = message
            self.message_changed.emit()
