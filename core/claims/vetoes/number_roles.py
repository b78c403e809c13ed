"""Each number of the claim belongs to what it belongs to in the passage.

Two arms of a trial stand in one sentence with two numbers. Around each number of one unit lies
its cell, up to the mark or conjunction that parts it from the next. A claim that takes the words
of one cell with the number of another has exchanged them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.claims.vetoes.focus import sentences_of, terms
from core.claims.vetoes.quantities import Measured, Quantity, measured
from core.text.reading import Reading, stems

NEAR = 0.6
"""Share of the claim's words that the passage must have before places can be compared."""

_STRONG = frozenset([".", ";", "whereas", "while", "but", "versus", "vs", "against", "compared"])
_WEAK = frozenset([",", "and", "or", "(", ")", "—", ":", "to", "then", "than"])
_PARALLEL = frozenset([";", "and", "or", "but", "whereas", "while", "versus", "vs", ","])


@dataclass(frozen=True)
class _Cell:
    """The content words before and after a number, and what parts it from the one before."""

    quantity: Quantity
    before: frozenset[str]
    after: frozenset[str]
    parted_by: str = ""

    @property
    def words(self) -> frozenset[str]:
        return self.before | self.after


def number_roles(claim: Reading, passage: Reading) -> str | None:
    """No number of the claim stands where the passage has another of its kind."""
    if claim.keys == passage.keys:
        return None
    wanted = {term for term in terms(claim) if not term[0].isdigit()}
    there = frozenset[str]().union(*map(terms, sentences_of(claim, passage)))
    if len(wanted & there) < NEAR * len(wanted):
        return None
    mine, theirs = measured(claim), measured(passage)
    for unit in dict.fromkeys(q.unit for q in mine.quantities):
        cells = _cells(theirs, unit)
        for cell in _cells(mine, unit):
            own = [c for c in cells if c.quantity.value == cell.quantity.value]
            rivals = [c for c in cells if c.quantity.value != cell.quantity.value]
            if own and any(
                all(_exchanged(cell.words, one, rival) for one in own) for rival in rivals
            ):
                number = cell.quantity.written
                return f"in the passage another number stands where the claim has {number}"
    return None


def _exchanged(words: frozenset[str], own: _Cell, rival: _Cell) -> bool:
    """Whether the claim's words are those of the rival's cell, in the place of the number's own.

    Nor may the passage give both numbers of the same thing.
    """
    apart = {own.parted_by, rival.parted_by} & _STRONG
    if apart and len(own.words) > 1 and own.words == rival.words and own.words <= words:
        return True
    for here, there in ((own.before, rival.before), (own.after, rival.after)):
        taken, kept = words & there - own.words, words & here - rival.words
        if taken and len(taken) >= len(kept) and here - words - there:
            return True
        if len(taken) > 1 and not here and {own.parted_by, rival.parted_by} & _PARALLEL:
            return True
    return False


def _cells(text: Measured, unit: str) -> list[_Cell]:
    """The cells of the quantities of one unit, in order."""
    alike = [q for q in text.quantities if q.unit == unit]
    edges = [0]
    for one, other in pairwise(alike):
        edges.append(_edge(text.words, one.end, other.at))
    edges.append(len(text.pieces))
    return [
        _Cell(
            quantity,
            _stems(text, edges[at], quantity.at) | _place(text, quantity),
            _stems(text, quantity.end, edges[at + 1]) | _part_of(text, quantity),
            text.words[edges[at]] if at and edges[at] < len(text.pieces) else "",
        )
        for at, quantity in enumerate(alike)
    ]


def _edge(words: Sequence[str], start: int, end: int) -> int:
    """Where the cell of the number that ends at `start` parts from that of the one at `end`."""
    for marks in (_STRONG, _WEAK):
        places = [at for at in range(start, end) if words[at] in marks]
        if places:
            return places[0] if marks is _STRONG else places[-1]
    return end


def _place(text: Measured, quantity: Quantity) -> frozenset[str]:
    """Whether a change starts or ends at it."""
    before = text.words[max(0, quantity.at - 1) : quantity.at]
    return frozenset(f"{word} …" for word in before if word in ("from", "to"))


def _part_of(text: Measured, quantity: Quantity) -> frozenset[str]:
    """Whether it is a part of a whole: "three of the five"."""
    part = text.words[quantity.end : quantity.end + 2] == ["of", "the"]
    return frozenset(["… of the"] if part else [])


def _stems(text: Measured, start: int, end: int) -> frozenset[str]:
    """Stems of the content words, and numbers; "arm A" and "arm B" are words of their own."""
    out = [str(q.value) for q in text.quantities if start <= q.at and q.end <= end]
    for at in range(start, end):
        key = text.pieces[at].key
        if len(key) == 1 and key.isupper() and at > 0:
            out.append(f"{text.words[at - 1]} {key}")
        elif len(key) == 2 and key.isupper():
            out.append(key)
        out += stems([key.lower().removesuffix("'s")])
    return frozenset(out)
