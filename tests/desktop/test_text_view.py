"""The text view: all of the text can be read, little of it is laid out, and the mark is exact."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.model import Block, BlockKind, Document, Format
from desktop.widgets.text_view import CHUNK, TextView, pieces
from tests.desktop.conftest import wait_for


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Documents whose blocks leave gaps between them, as a careless reader might."""
    text = draw(st.text(alphabet="ab \n", min_size=1, max_size=200)) * draw(st.integers(1, 60))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    blocks = [
        Block(draw(st.sampled_from(list(BlockKind))), start, end)
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    return Document(Format.TEXT, text, tuple(blocks))


@given(documents())
def test_no_character_is_left_out_and_none_is_shown_twice(document: Document) -> None:
    found = pieces(document)
    at = 0
    for piece in found:
        assert piece.start >= at
        assert not document.text[at : piece.start].strip()
        assert piece.end - piece.start <= CHUNK
        at = piece.end
    assert not document.text[at:].strip()


def long_document() -> Document:
    lines = [f"Sentence number {number} of the text stands here." for number in range(4_000)]
    text = "\n\n".join(lines)
    blocks, at = [], 0
    for line in lines:
        blocks.append(Block(BlockKind.PARAGRAPH, at, at + len(line)))
        at += len(line) + 2
    return Document(Format.TEXT, text, tuple(blocks))


@pytest.fixture
def view(qtbot: Any) -> TextView:
    made = TextView()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def span(document: Document, words: str) -> tuple[int, int]:
    start = document.text.index(words)
    return start, start + len(words)


def test_the_mark_is_exact_and_in_sight(qtbot: Any, view: TextView) -> None:
    document = long_document()
    words = "number 2000 of the text"
    view.show_document(document, span(document, words))
    assert view.marked_text == words
    assert len(view.toPlainText()) < len(document.text) // 10
    wait_for(qtbot, lambda: view.textCursor().position() > 0)
    wait_for(qtbot, lambda: view.viewport().rect().contains(view.cursorRect().center()))


@pytest.mark.parametrize("words", ["Sentence number 0 ", "number 3999 of", "of the text"])
def test_marks_at_the_ends_are_found(view: TextView, words: str) -> None:
    document = long_document()
    view.show_document(document, span(document, words))
    assert view.marked_text == words


def test_scrolling_brings_all_of_the_text(qtbot: Any, view: TextView) -> None:
    document = long_document()
    view.show_document(document, span(document, "number 2000 of the text"))
    bar = view.verticalScrollBar()

    def at_the_end(value: int, words: str) -> bool:
        bar.setValue(value)
        return words in view.toPlainText()

    wait_for(qtbot, lambda: at_the_end(bar.maximum(), "Sentence number 3999 of"))
    wait_for(qtbot, lambda: at_the_end(bar.minimum(), "Sentence number 0 of"))
    shown = [line for line in view.toPlainText().split("\n") if line]
    assert shown == document.text.split("\n\n")
    assert view.marked_text == "number 2000 of the text"


def test_a_mark_over_two_blocks_is_whole(view: TextView) -> None:
    document = long_document()
    start, end = span(document, "text stands here.\n\nSentence number 8 of")
    view.show_document(document, (start, end))
    assert view.marked_text == "text stands here.Sentence number 8 of"


def test_without_a_document_nothing_is_shown(view: TextView) -> None:
    view.show_document(long_document(), None)
    assert view.toPlainText().startswith("Sentence number 0 ")
    assert view.marked_text == ""
    view.show_document(None, None)
    assert view.toPlainText() == ""
