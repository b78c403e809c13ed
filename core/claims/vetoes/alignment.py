"""A claim laid along a sentence: which of its words stand there in the same order, and the gaps.

Where most of a claim runs along a sentence, what differs is concrete: something is exchanged,
replaced, or left out at a known place.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.claims.vetoes.words import contents
from core.text.reading import Reading
from core.text.tokens import Kind

_ARTICLES = ("a", "an", "the")


def units(text: Reading) -> list[str]:
    """What is laid along: content words as stems ("drug A" is one), all others as keys.

    Articles and punctuation are left out.
    """
    return _units_and_breaks(text)[0]


def _units_and_breaks(text: Reading) -> tuple[list[str], set[int]]:
    """The units, and the places of those before which a mark stands."""
    stems = {at: stem for stem, at in contents(text)}
    out: list[str] = []
    breaks: set[int] = set()
    for at, token in enumerate(text.tokens):
        key = token.key.lower()
        if at in stems:
            out.append(stems[at])
        elif token.kind is Kind.PUNCTUATION:
            breaks.add(len(out))
        elif token.kind not in (Kind.WORD, Kind.NUMBER) or key in _ARTICLES:
            continue
        elif not (len(token.text) == 1 and token.text.isupper() and at - 1 in stems):
            out.append(key)
    return out, breaks


@dataclass(frozen=True)
class Gap:
    """What stands between two units that are laid on each other, on either side.

    Of the sentence before the first and after the last of them, only what no mark parts from
    them; `broken` says that a mark parts what stands between two.
    """

    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    before: int
    """Place in the claim of the unit before the gap, -1 at its start."""
    closing: bool
    """Whether it is after the last of the common units."""
    broken: bool


class Alignment:
    """The longest common run of units of a claim and a sentence, in order, not contiguous."""

    def __init__(self, claim: Reading, sentence: Reading) -> None:
        self.mine = units(claim)
        self.theirs, self._breaks = _units_and_breaks(sentence)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """(place in the claim, place in the sentence) of each common unit."""
        mine, theirs = self.mine, self.theirs
        best = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
        for i in reversed(range(len(mine))):
            for j in reversed(range(len(theirs))):
                skipped = max(best[i + 1][j], best[i][j + 1])
                best[i][j] = best[i + 1][j + 1] + 1 if mine[i] == theirs[j] else skipped
        found, i, j = [], 0, 0
        while i < len(mine) and j < len(theirs):
            if mine[i] == theirs[j]:
                found.append((i, j))
                i, j = i + 1, j + 1
            elif best[i + 1][j] >= best[i][j + 1]:
                i += 1
            else:
                j += 1
        return found

    @property
    def share(self) -> float:
        """The share of the claim's units that are laid on the sentence, 0..1."""
        return len(self.places) / max(1, len(self.mine))

    @cached_property
    def gaps(self) -> list[Gap]:
        """What stands before, between and after the common units, where anything does."""
        ends = [(-1, -1), *self.places, (len(self.mine), len(self.theirs))]
        found = []
        for (i, j), (k, m) in itertools.pairwise(ends):
            closing = k == len(self.mine)
            marks = sorted(at for at in self._breaks if j < at <= m)
            first = marks[-1] if i < 0 and marks else j + 1
            last = marks[0] if closing and marks and i >= 0 else m
            mine, theirs = tuple(self.mine[i + 1 : k]), tuple(self.theirs[first:last])
            if mine or theirs:
                inside = any(j + 1 < at < m for at in marks)
                found.append(Gap(mine, theirs, i, closing, inside))
        return found


class Common:
    """How many units of a sequence stand in a fixed one in the same order."""

    def __init__(self, fixed: Sequence[str]) -> None:
        self._size = len(fixed)
        self._masks: dict[str, int] = {}
        for at, unit in enumerate(fixed):
            self._masks[unit] = self._masks.get(unit, 0) | 1 << at

    def __call__(self, sequence: Sequence[str]) -> int:
        """The length of the longest common subsequence, one bit for each unit of the fixed one."""
        full = (1 << self._size) - 1
        free = full
        for unit in sequence:
            taken = free & self._masks.get(unit, 0)
            free = (free + taken | free - taken) & full
        return self._size - free.bit_count()
