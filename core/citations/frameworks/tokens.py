"""Text as tokens: words, numbers, single marks and opaque names, in one linear pass.

It is also known how a token stands: after a space or glued to the one before, in which sentence and
in which block. A block is a paragraph, a list item, a heading or a row of a table.
"""

import re
from array import array
from dataclasses import dataclass
from enum import Enum, auto

from core.citations.frameworks.plain import Plain
from core.resource import load_json


class Kind(Enum):
    """What a token is made of."""

    WORD = auto()
    NUMBER = auto()
    MARK = auto()
    OPAQUE = auto()
    """An address, a file name or an identifier of a program: nothing inside it is read as text."""


@dataclass(slots=True)
class Block:
    """A paragraph, list item, heading or table row."""

    row: bool = False
    heading: bool = False
    item: bool = False


class Tokens:
    """The tokens of a text, one list for each thing known of them, and the text's blocks.

    Arrays of plain values in place of an object for each token: a long text has hundreds of
    thousands, and the collector of garbage would go through them again and again.

    Attributes: `kinds`, `texts`; `starts` and `ends`, places in the plain text; `glues`, whether
    no space stands before it; `firsts`, whether it is the first of its block; `block_of` and
    `sentence_of`, the numbers of what it stands in; `blocks`.
    """

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.texts: list[str] = []
        self.starts = array("L")
        self.ends = array("L")
        self.glues = bytearray()
        self.firsts = bytearray()
        self.block_of = array("L")
        self.sentence_of = array("L")
        self.blocks: list[Block] = []

    def text(self, index: int) -> str:
        """The text of the token at `index`, empty beyond either end."""
        return self.texts[index] if 0 <= index < len(self.texts) else ""

    def low(self, index: int) -> str:
        """The same in lower case."""
        return self.texts[index].lower() if 0 <= index < len(self.texts) else ""

    def glued(self, index: int) -> bool:
        """Whether a token is there and no space stands before it."""
        return 0 <= index < len(self.texts) and self.glues[index] == 1

    def number(self, index: int) -> bool:
        """Whether a number of a sensible length is there."""
        return (
            0 <= index < len(self.texts)
            and self.kinds[index] is Kind.NUMBER
            and len(self.texts[index]) <= 6
        )

    def word(self, index: int) -> bool:
        """Whether a word is there."""
        return 0 <= index < len(self.texts) and self.kinds[index] is Kind.WORD

    def block(self, index: int) -> Block:
        """The block that the token stands in."""
        return self.blocks[self.block_of[index]]

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.texts)


_EXTENSIONS = frozenset(load_json("citations/words.json")["extensions"])
_PIECE = re.compile(
    r"""
      (?P<line>\n[ \t]*(?:\n[ \t]*)*)
    | (?P<space>[^\S\n]+)
    | (?P<address>(?:https?|ftp)://[^\s<>()\[\]|"']*|www\.[^\s<>()\[\]|"']+)
    | (?P<name>\w+(?:[-./:@]+\w+)*)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_INNER = re.compile(r"[0-9]+|[^\W\d_]+|.", re.DOTALL)
_LINE_KIND = re.compile(
    r"[ \t>]*(?:(?P<row>\|)|(?P<heading>\#{1,6}\s)|(?P<item>[-+*•☐└─►]+\s|[0-9]{1,3}[.)]\s"
    r"|\([a-z0-9]{1,4}\)\s))"
)
_ABBREVIATIONS = frozenset(load_json("citations/words.json")["abbreviations"])
_OPENS = frozenset("([{“‘\"'`/~ \t\n|=,:;")


def tokenize(plain: Plain) -> Tokens:
    """The tokens of a plain text; each character is read once."""
    return _Tokenizer(plain.text).run()


class _Tokenizer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.made = Tokens()
        self.blocks = self.made.blocks
        self.sentence = 0
        self.glued = False
        self.first = True
        self.previous_word = ""

    def run(self) -> Tokens:
        self._start_block(0)
        for found in _PIECE.finditer(self.text):
            kind = found.lastgroup
            if kind == "line":
                self._line(found)
            elif kind == "space":
                self.glued = False
            elif kind == "address":
                self._put(Kind.OPAQUE, found.group(), found.start())
            elif kind == "name":
                self._name(found.group(), found.start())
            else:
                self._mark(found.group(), found.start())
        return self.made

    def _start_block(self, at: int) -> None:
        found = _LINE_KIND.match(self.text, at)
        kind = found.lastgroup if found else None
        self.blocks.append(Block(kind == "row", kind == "heading", kind == "item"))
        self.sentence += 1
        self.first = True

    def _line(self, found: "re.Match[str]") -> None:
        self.glued = False
        after = found.end()
        blank = found.group().count("\n") > 1
        last = self.blocks[-1]
        # A line's own leading blanks were taken with the break; its kind is read without them.
        starts = _LINE_KIND.match(self.text, after) is not None
        if blank or starts or last.row or last.heading:
            self._start_block(after)

    def _name(self, name: str, at: int) -> None:
        before = self.text[at - 1] if at else "\n"
        # A path begins with a slash that itself follows nothing.
        path = before in "/~\\" and (at < 2 or self.text[at - 2] in _OPENS or at < 3)
        if path or _opaque(name):
            self._put(Kind.OPAQUE, name, at)
            return
        for inner in _INNER.finditer(name):
            piece = inner.group()
            if piece[0].isascii() and piece[0].isdigit():
                self._put(Kind.NUMBER, piece, at + inner.start())
            elif piece[0].isalpha():
                self.previous_word = piece.lower()
                self._put(Kind.WORD, piece, at + inner.start())
            else:
                self._put(Kind.MARK, piece, at + inner.start())

    def _mark(self, mark: str, at: int) -> None:
        self._put(Kind.MARK, mark, at)
        if mark == "|":
            self.blocks[-1].row = True
        if mark not in ".?!" or self.blocks[-1].row:
            return
        after = self.text[at + 1 : at + 3]
        ends = not after or (after[0].isspace() and (len(after) < 2 or not after[1].islower()))
        kinds = self.made.kinds
        last_word = mark == "." and len(kinds) > 1 and kinds[-2] is Kind.WORD
        short = len(self.previous_word) == 1 or self.previous_word in _ABBREVIATIONS
        if ends and not (last_word and short):
            self.sentence += 1

    def _put(self, kind: Kind, text: str, at: int) -> None:
        made = self.made
        made.kinds.append(kind)
        made.texts.append(text)
        made.starts.append(at)
        made.ends.append(at + len(text))
        made.glues.append(self.glued)
        made.firsts.append(self.first)
        made.block_of.append(len(self.blocks) - 1)
        made.sentence_of.append(self.sentence)
        self.glued = True
        self.first = False


def _opaque(name: str) -> bool:
    """Whether it is a name in a program or of a file, as against words joined by marks."""
    if "_" in name or "@" in name:
        return True
    stem, dot, extension = name.rpartition(".")
    return bool(dot and stem) and extension.lower() in _EXTENSIONS
