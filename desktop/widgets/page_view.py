"""Shows a drawn page and the passages marked on it, sharp on any screen."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop import theme

MARGIN = 16
"""Desk around the page, in device-independent pixels."""


class PageView(QAbstractScrollArea):
    """A page on a desk, scrolled to what is marked.

    Signals: `width_changed` (the pane or the screen changed: ask for a drawing that fits),
    `page_turned(+1 or -1)`, `zoomed(+1 or -1)`.
    """

    width_changed = Signal()
    page_turned = Signal(int)
    zoomed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageView")
        self.setAccessibleName("Page of the source")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._image: QImage | None = None
        self._boxes: tuple[QRectF, ...] = ()
        self._zoom = 1.0
        self._decides = True

    @property
    def marked(self) -> int:
        """How many boxes are marked on the page shown."""
        return len(self._boxes)

    @property
    def has_page(self) -> bool:
        """Whether a page is shown, and not the empty desk."""
        return self._image is not None

    @property
    def page_width(self) -> float:
        """Width of the page on the screen, in device-independent pixels."""
        return max(80.0, (self.viewport().width() - 2 * MARGIN) * self._zoom)

    def set_zoom(self, zoom: float) -> None:
        """1.0 fits the page into the width of the view."""
        self._zoom = zoom
        self._lay_out()

    def show_page(
        self,
        image: QImage | None,
        boxes: tuple[tuple[float, float, float, float], ...],
        description: str = "",
        *,
        decides: bool = True,
    ) -> None:
        """Show a page with boxes in pixels of the image; None shows the empty desk.

        The marks of a passage that does not decide are of a quieter colour.
        """
        self._decides = decides
        self._image = image
        self._boxes = tuple(QRectF(*box) for box in boxes)
        self.setAccessibleDescription(description)
        self._lay_out()
        self.show_marks()

    def drop_marks(self, description: str = "") -> None:
        """Keep the page as it stands, without its marks."""
        self._boxes = ()
        self.setAccessibleDescription(description)
        self.viewport().update()

    def show_marks(self) -> None:
        """Scroll so that what is marked stands in the upper half; without marks, to the top."""
        if self._image is None or not self._boxes:
            self.verticalScrollBar().setValue(0)
            return
        first = self._on_screen(self._boxes[0])
        for box in self._boxes[1:]:
            first = first.united(self._on_screen(box))
        height = self.viewport().height()
        # A third from the top: the lines before the sentence stay readable.
        above = max(24.0, min(height / 3, height - first.height() - 24))
        self.verticalScrollBar().setValue(int(first.top() - above))
        self.horizontalScrollBar().setValue(int(first.left() - 48))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw the desk, the page and the marks."""
        colours = theme.current_theme()
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(colours.desk))
        if self._image is None:
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(self._origin())
        page = QRectF(QPointF(0, 0), self._page_size())
        painter.drawImage(page, self._image)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawRect(page)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Multiplied, so that a marker darkens the paper and never the letters: pages are light in
        # both themes.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.setPen(Qt.PenStyle.NoPen)
        paper = theme.LIGHT
        painter.setBrush(QColor(paper.marker if self._decides else paper.closest))
        for box in self._boxes:
            scaled = self._on_page(box).adjusted(-2, -1, 2, 1)
            painter.drawRoundedRect(scaled, 2, 2)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keep the marked passage in sight at the new width."""
        super().resizeEvent(event)
        self._lay_out()
        if event.size().width() != event.oldSize().width():
            self.show_marks()
            self.width_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Page keys turn pages at the ends; plus and minus zoom."""
        bar = self.verticalScrollBar()
        key = event.key()
        if key == Qt.Key.Key_PageDown and bar.value() == bar.maximum():
            self.page_turned.emit(1)
        elif key == Qt.Key.Key_PageUp and bar.value() == bar.minimum():
            self.page_turned.emit(-1)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoomed.emit(1)
        elif key == Qt.Key.Key_Minus:
            self.zoomed.emit(-1)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """With Ctrl the wheel zooms."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.angleDelta().y():
            self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Repaint at the new place."""
        self.viewport().update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """A page beside the answer."""
        return QSize(560, 640)

    def _page_size(self) -> QSize:
        if self._image is None or not self._image.width():
            return QSize(0, 0)
        width = self.page_width
        return QSize(round(width), round(width * self._image.height() / self._image.width()))

    def _origin(self) -> QPointF:
        size = self._page_size()
        left = max(MARGIN, (self.viewport().width() - size.width()) // 2)
        return QPointF(
            left - self.horizontalScrollBar().value(), MARGIN - self.verticalScrollBar().value()
        )

    def _on_page(self, box: QRectF) -> QRectF:
        assert self._image is not None
        factor = self._page_size().width() / self._image.width()
        return QRectF(
            box.x() * factor, box.y() * factor, box.width() * factor, box.height() * factor
        )

    def _on_screen(self, box: QRectF) -> QRectF:
        return self._on_page(box).translated(MARGIN, MARGIN)

    def _lay_out(self) -> None:
        size, view = self._page_size(), self.viewport().size()
        for bar, whole, seen in (
            (self.verticalScrollBar(), size.height() + 2 * MARGIN, view.height()),
            (self.horizontalScrollBar(), size.width() + 2 * MARGIN, view.width()),
        ):
            bar.setRange(0, max(0, whole - seen))
            bar.setPageStep(seen)
            bar.setSingleStep(40)
        self.viewport().update()
