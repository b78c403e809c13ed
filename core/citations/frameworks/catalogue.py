"""The names of instruments, from `resources/citations/`, in a tree that is walked by tokens."""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from core.citations.frameworks.tokens import Kind, Tokens
from core.resource import load_json

_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Unsure:
    """When a name that means other things too is the instrument's."""

    favour: frozenset[str]
    against: frozenset[str]
    alone: bool = False
    """Whether it is read where nothing speaks for it, as long as nothing speaks against it."""


@dataclass(frozen=True, slots=True)
class Instrument:
    """An instrument as it is cited: its name, its edition, and which places it has."""

    name: str
    family: str
    edition: str = ""
    """As it is appended to the name: ":2022", " Rev. 5"."""
    editions: str = ""
    """How its editions are written; empty where it has none."""
    silent: bool = False
    """Whether it only says what is meant, and is no citation by itself."""
    official: bool = False
    """Whether it was cited by its official number, as drafters of law do."""

    @property
    def canonical(self) -> str:
        """The name with the edition."""
        return self.name + self.edition


@dataclass(slots=True)
class _Node:
    children: dict[str, "_Node"] = field(default_factory=dict)
    ends: list[tuple[tuple[str, ...], bool, Instrument, Unsure | None]] = field(
        default_factory=list
    )


@dataclass(frozen=True, slots=True)
class Named:
    """A name found: the instrument, the token after it, and when it counts."""

    instrument: Instrument
    end: int
    unsure: Unsure | None


@dataclass(frozen=True, slots=True)
class Found:
    """Instruments that begin at a token; several where one noun names a list of them."""

    instruments: tuple[Instrument, ...]
    end: int
    """The token after the last one."""


class Catalogue:
    """Looks up instruments by name and by official number."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._root = _Node()
        self.by_number: dict[str, Instrument] = {}
        for entry in data["instruments"]:
            made = Instrument(
                entry.get("silent", entry["name"]),
                entry["family"],
                editions=entry.get("edition", ""),
                silent="silent" in entry,
            )
            for name in entry["names"]:
                self._add(name, made, None)
            if "unsure" in entry:
                unsure = entry["unsure"]
                when = Unsure(
                    frozenset(unsure["for"]),
                    frozenset(unsure["against"]),
                    unsure.get("alone", False),
                )
                for name in unsure["names"]:
                    self._add(name, made, when)
            for number in entry.get("numbers", ()):
                self.by_number[number] = made

    def _add(self, name: str, instrument: Instrument, unsure: Unsure | None) -> None:
        pieces = tuple(_TOKEN.findall(name))
        # A title may be written in any case; a short name only as it is, or all in capitals.
        words = [piece for piece in pieces if piece.isalpha()]
        title = len(words) > 1 and all(len(word) > 3 or word.islower() for word in words)
        node = self._root
        for piece in pieces:
            if piece == "-":
                continue
            node = node.children.setdefault(piece.lower(), _Node())
        exact = tuple(piece for piece in pieces if piece != "-")
        node.ends.append((exact, title, instrument, unsure))

    def find(self, tokens: Tokens, index: int) -> Named | None:
        """The longest name that begins at the token `index`."""
        node, at, found = self._root, index, None
        seen: list[str] = []
        while True:
            text = tokens.text(at)
            if text == "-" and seen and "-" not in node.children and tokens.glued(at):
                at += 1
                text = tokens.text(at)
            if text in ("’", "‘", "´"):
                text = "'"
            following = node.children.get(text.lower())
            if not text or following is None or tokens.kinds[at] is Kind.OPAQUE:
                return found
            seen.append(text)
            node, at = following, at + 1
            for exact, title, instrument, unsure in node.ends:
                if title or _same_case(seen, exact):
                    found = Named(instrument, at, unsure)


def _same_case(seen: list[str], exact: tuple[str, ...]) -> bool:
    """Whether each word is written as in the name, in capitals or, a plain word, in any case."""
    for got, want in zip(seen, exact, strict=True):
        if got == want or (got.isupper() and got == want.upper() and len(want) > 1):
            continue
        plain_word = want[1:].islower() and len(want) > 3 and len(exact) > 1
        if not (plain_word and got.lower() == want.lower()):
            return False
    return True


@cache
def catalogue() -> Catalogue:
    """The shipped catalogue."""
    return Catalogue(load_json("citations/instruments.json"))


@cache
def words(name: str) -> frozenset[str]:
    """A list of the grammar's words."""
    return frozenset(load_json("citations/words.json")[name])


@cache
def numbers() -> dict[str, Any]:
    """What is known of standards by their number."""
    found: dict[str, Any] = load_json("citations/numbers.json")
    return found
