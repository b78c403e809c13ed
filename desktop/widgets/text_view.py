"""Shows a source without pages: its text around a passage, with the passage marked."""

import re
from bisect import bisect_left, bisect_right

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from core.documents.model import Block, BlockKind, Document
from desktop import theme

AROUND = 3_000
"""Characters laid out before and after the passage at first."""

CHUNK = 6_000
"""Characters added when the reader scrolls to an end; a laid-out chunk takes a few milliseconds."""

AFTER_DASH = re.compile(r"(?<=\w[-\u2010-\u2013])[^\S\r\n]*[\r\n]\s*(?=\w)")
LINE_BREAK = re.compile(r"[^\S\r\n]*[\r\n]\s*")

_LARGE = {BlockKind.TITLE: 1.5, BlockKind.HEADING: 1.15}
_QUIET = {
    BlockKind.REFERENCE,
    BlockKind.FOOTNOTE,
    BlockKind.RUNNING_HEAD,
    BlockKind.CAPTION,
    BlockKind.FRONT_MATTER,
}


class TextView(QTextEdit):
    """The document's own text, block by block, laid out only around what is being read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textView")
        self.setAccessibleName("Text of the source")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(24)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._source: Document | None = None
        self._pieces: list[Block] = []
        self._starts: list[int] = []
        self._first = self._last = 0
        self._mark: tuple[int, int] | None = None
        self._growing = False
        self._decides = True
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def marked_text(self) -> str:
        """The characters that are marked on the screen, without line breaks."""
        found = []
        block = self.document().begin()
        while block.isValid():
            for run in block.textFormats():
                if run.format.property(QTextCharFormat.Property.UserProperty) is True:
                    found.append(block.text()[run.start : run.start + run.length])
            block = block.next()
        return "".join(found)

    def show_document(
        self, document: Document | None, mark: tuple[int, int] | None, *, decides: bool = True
    ) -> None:
        """Show the document around the characters `mark`, or from its beginning.

        The mark of a passage that does not decide is of a quieter colour.
        """
        self._decides = decides
        if document is not self._source:
            self._source = document
            self._pieces = pieces(document) if document is not None else []
            self._starts = [piece.start for piece in self._pieces]
        self._mark = mark
        self.clear()
        if document is None:
            return
        start, end = mark if mark is not None else (0, 0)
        self._first = max(0, bisect_right(self._starts, max(0, start - AROUND)) - 1)
        self._last = max(self._first + 1, bisect_left(self._starts, end + AROUND))
        self._last = min(self._last, len(self._pieces))
        self._growing = True
        cursor = QTextCursor(self.document())
        place = self._insert(cursor, self._first, self._last, fresh=True)
        self._growing = False
        if place is None:
            self.moveCursor(QTextCursor.MoveOperation.Start)
            return
        # The layout follows in the event loop; only then the place on the screen is known.
        QTimer.singleShot(0, self, lambda: self._scroll_to(place))

    def _scroll_to(self, place: int) -> None:
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(place, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect().top() - self.viewport().height() // 3)

    def _on_scrolled(self, value: int) -> None:
        if self._growing or self._source is None:
            return
        bar = self.verticalScrollBar()
        if value >= bar.maximum() - 40 and self._last < len(self._pieces):
            self._growing = True
            last = self._last
            self._last = bisect_left(self._starts, self._starts[last] + CHUNK, lo=last + 1)
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            self._insert(cursor, last, self._last, fresh=False)
            self._growing = False
        elif value <= 40 and self._first > 0:
            self._growing = True
            first = self._first
            self._first = max(0, bisect_right(self._starts, self._starts[first] - CHUNK) - 1)
            before = self.document().size().height()
            cursor = QTextCursor(self.document())
            self._insert(cursor, self._first, first, fresh=True)
            cursor.insertBlock()
            bar.setValue(value + int(self.document().size().height() - before))
            self._growing = False

    def _insert(self, cursor: QTextCursor, first: int, last: int, *, fresh: bool) -> int | None:
        assert self._source is not None
        place = None
        cursor.beginEditBlock()
        for at, piece in enumerate(self._pieces[first:last]):
            if at or not fresh:
                cursor.insertBlock()
            cursor.setBlockFormat(_spacing(piece))
            plain = _characters(self, piece)
            start, end = self._mark if self._mark is not None else (0, 0)
            low, high = max(piece.start, start), min(piece.end, end)
            text = self._source.text
            if low < high:
                cursor.insertText(_line(text[piece.start : low]), plain)
                place = cursor.position() if place is None else place
                cursor.insertText(_line(text[low:high]), _marked(plain, self._decides))
                cursor.insertText(_line(text[high : piece.end]), plain)
            else:
                cursor.insertText(_line(text[piece.start : piece.end]), plain)
        cursor.endEditBlock()
        return place


def pieces(document: Document) -> list[Block]:
    """The document's blocks with what lies between them, cut to at most `CHUNK` characters.

    No character but white space is left out: a reader may look for what the blocks do not hold.
    """
    whole: list[Block] = []
    at = 0
    for block in document.blocks:
        if block.start > at and document.text[at : block.start].strip():
            whole.append(Block(BlockKind.PARAGRAPH, at, block.start))
        if block.end > at:
            whole.append(block)
            at = block.end
    if document.text[at:].strip():
        whole.append(Block(BlockKind.PARAGRAPH, at, len(document.text)))
    cut: list[Block] = []
    for block in whole:
        for start in range(block.start, block.end, CHUNK):
            end = min(block.end, start + CHUNK)
            cut.append(Block(block.kind, start, end, block.section, block.headings))
    return cut


def _line(text: str) -> str:
    return LINE_BREAK.sub(" ", AFTER_DASH.sub("", text))


def _spacing(block: Block) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(135, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    made.setBottomMargin(8)
    if block.kind in _LARGE:
        made.setTopMargin(16)
    if block.kind in (BlockKind.LIST_ITEM, BlockKind.QUOTATION):
        made.setLeftMargin(20)
    return made


def _characters(view: TextView, block: Block) -> QTextCharFormat:
    colours = theme.current_theme()
    made = QTextCharFormat()
    font = QFont(view.font())
    font.setPointSizeF(font.pointSizeF() * _LARGE.get(block.kind, 1.0))
    if block.kind in _LARGE:
        font.setWeight(QFont.Weight.DemiBold)
    made.setFont(font)
    made.setForeground(QColor(colours.quiet if block.kind in _QUIET else colours.text))
    return made


def _marked(plain: QTextCharFormat, decides: bool) -> QTextCharFormat:
    colours = theme.current_theme()
    made = QTextCharFormat(plain)
    made.setBackground(QColor(colours.marker if decides else colours.closest))
    made.setForeground(QColor(colours.marker_text if decides else colours.closest_text))
    made.setProperty(QTextCharFormat.Property.UserProperty, True)
    return made
