"""A source as the gates read it: its sentences, cleaned and in tokens, with their surroundings."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from core.cancellation import Cancellation
from core.documents.model import ASSERTING, Block, BlockKind, Document
from core.ports import Progress
from core.text.reading import Reading
from core.text.sentences import split

T = TypeVar("T")

SHORT_SOURCE = 64
"""Sentences up to which every one is tried; of a longer source, the best-ranked this many."""


class Sentence(Reading):
    """A sentence of the source. `start` and `end` are offsets into the document's text.

    `position` says which sentence of its block this is, from 0.
    """

    def __init__(self, start: int, end: int, raw: str, block: Block, position: int) -> None:
        super().__init__(raw)
        self.start = start
        self.end = end
        self.block = block
        self.position = position


class Source:
    """A document's sentences, prepared once and used for every claim against it."""

    def __init__(
        self,
        document: Document,
        *,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> None:
        self.document = document
        self._found: dict[str, Any] = {}
        self.blocks: list[Block] = [
            b for b in document.blocks if b.kind is not BlockKind.RUNNING_HEAD
        ]
        self.sentences: list[list[Sentence]] = []
        """The sentences of each block of `blocks`, in order."""
        for number, block in enumerate(self.blocks):
            if cancellation is not None and number % 50 == 0:
                cancellation.check()
            if progress is not None and number % 50 == 0:
                progress(number, len(self.blocks), "Finding the sentences of the source")
            text = document.text[block.start : block.end]
            spans = split(text) if block.kind in ASSERTING else [(0, len(text))]
            self.sentences.append(
                [
                    Sentence(block.start + s, block.start + e, text[s:e], block, at)
                    for at, (s, e) in enumerate(spans)
                    if s < e
                ]
            )

    def once(self, what: str, find: Callable[["Source"], T]) -> T:
        """What `find` finds in this source, looked up once and kept no longer than the source."""
        if what not in self._found:
            self._found[what] = find(self)
        found: T = self._found[what]
        return found

    def let_go(self) -> None:
        """Free the sentences block by block.

        Freeing a long document's tokens in one go holds the interpreter for longer than a window
        may stand still.
        """
        while self.sentences:
            self.sentences.pop()

    def asserting(self) -> Iterator[tuple[int, int, Sentence]]:
        """(block number, sentence number, sentence) of all that may assert something."""
        for number, block in enumerate(self.blocks):
            if block.kind in ASSERTING:
                for at, sentence in enumerate(self.sentences[number]):
                    yield number, at, sentence

    @property
    def is_short(self) -> bool:
        """Whether every sentence that may assert something is tried as a premise."""
        return self.once("is short", lambda s: sum(1 for _ in s.asserting()) <= SHORT_SOURCE)

    def before(self, block: int, at: int, count: int = 1) -> Sequence[Sentence]:
        """Up to `count` sentences before this one in its block, or the last of the block before."""
        if at > 0:
            return self.sentences[block][max(0, at - count) : at]
        for number in range(block - 1, -1, -1):
            if self.sentences[number] and self.blocks[number].kind not in _BESIDE_THE_TEXT:
                return self.sentences[number][-count:]
        return ()

    def after(self, block: int, at: int, count: int = 1) -> Sequence[Sentence]:
        """Up to `count` sentences after this one, over the ends of blocks."""
        found = self.sentences[block][at + 1 : at + 1 + count]
        for number in range(block + 1, len(self.blocks)):
            if len(found) >= count:
                break
            if self.blocks[number].kind not in _BESIDE_THE_TEXT:
                found += self.sentences[number][: count - len(found)]
        return found

    def around(self, block: int) -> list[Sentence]:
        """Every sentence of this block and of the blocks on either side."""
        return [
            s
            for number in range(block - 1, block + 2)
            if 0 <= number < len(self.blocks)
            for s in self.sentences[number]
        ]


_BESIDE_THE_TEXT = frozenset(
    {BlockKind.CAPTION, BlockKind.TABLE, BlockKind.FOOTNOTE, BlockKind.FRONT_MATTER}
)
