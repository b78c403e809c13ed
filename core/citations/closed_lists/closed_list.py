"""One closed list, indexed, and what it says of one place."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.citations.closed_lists.answer import Alteration, Entry, ListInfo, Standing
from core.citations.closed_lists.numbers import (
    LONGEST,
    ancestors,
    notation,
    roman,
    steps,
    tidy,
    unpadded,
)

MOST_NEAREST = 3
"""True places that are offered instead of one that is not in the list."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one list says of one place; the fields are those of `Answer`.

    `entry` is the place itself, the one that was withdrawn, or the one that has no such part.
    """

    standing: Standing
    alteration: Alteration | None = None
    entry: Entry | None = None
    nearest: tuple[Entry, ...] = ()
    replaced_by: tuple[str, ...] = ()


class ClosedList:
    """The places of one edition of one framework.

    Attributes: `info`.
    """

    def __init__(
        self,
        info: ListInfo,
        titles: Mapping[str, str],
        withdrawn: Mapping[str, tuple[str, ...]],
        *,
        unit: str = "",
        covers: str = "",
    ) -> None:
        """Index a list.

        `titles` gives each number its title, or an empty one. `withdrawn` gives each retired
        number, which is in `titles` too, what took its place. `unit` is the pattern of a number's
        part that names a whole of its own, so that what follows lies below it; `covers` that of
        the numbers that the list has all of. Without them, a list covers what has the depth that
        its own numbers have.
        """
        self.info = info
        self._titles = dict(titles)
        self._withdrawn = dict(withdrawn)
        self._unit = re.compile(unit) if unit else None
        self._covers = re.compile(covers) if covers else None
        self._unpadded = _index((unpadded(number), number) for number in titles)
        self._notation = _index((notation(number), number) for number in titles)
        self._longer = _index((number.partition(".")[2], number) for number in titles)
        self._below: dict[str, list[str]] = {}
        for number in titles:
            chain = ancestors(number)
            self._below.setdefault(chain[0] if chain else "", []).append(number)

    def __len__(self) -> int:
        """How many places the list has, withdrawn ones among them."""
        return len(self._titles)

    def __iter__(self) -> Iterator[str]:
        """The numbers, in the list's order."""
        return iter(self._titles)

    def entry(self, number: str) -> Entry:
        """The place of that number. Raises KeyError where there is none."""
        title = self._titles[number]
        heading = ""
        if not title:
            heading = next((t for up in ancestors(number) if (t := self._titles.get(up))), "")
        return Entry(
            framework=self.info.framework,
            edition=self.info.edition,
            number=number,
            title=title,
            heading=heading,
        )

    def withdrawn(self, number: str) -> bool:
        """Whether the number is in the list as a retired one."""
        return number in self._withdrawn

    def find(self, number: str) -> Finding:
        """What the list says of a place."""
        if len(number) > LONGEST:
            return Finding(Standing.NOT_IN_LIST)
        number = tidy(number)
        if number in self._titles:
            return self._listed(number, Finding(Standing.IN_LIST, entry=self.entry(number)))
        for index, key, alteration in (
            (self._unpadded, unpadded(number), Alteration.PADDING),
            (self._notation, notation(number), Alteration.FORM),
        ):
            meant = index.get(key, ())
            if len(meant) == 1:
                there = self._altered(alteration, (meant[0],))
                return self._listed(meant[0], there)
        return self._missing(number)

    def _listed(self, number: str, otherwise: Finding) -> Finding:
        """The finding for a number that the list has, which may be retired."""
        if number not in self._withdrawn:
            return otherwise
        instead = self._withdrawn[number]
        return Finding(
            Standing.ALTERED,
            Alteration.WITHDRAWN,
            entry=self.entry(number),
            nearest=tuple(self.entry(other) for other in instead),
            replaced_by=instead,
        )

    def _altered(
        self, alteration: Alteration, nearest: Iterable[str], parent: str | None = None
    ) -> Finding:
        offered = tuple(self.entry(number) for number in nearest)[:MOST_NEAREST]
        entry = None if parent is None else self.entry(parent)
        return Finding(Standing.ALTERED, alteration, entry, offered)

    def _missing(self, number: str) -> Finding:
        """The finding for a number that the list does not have in any notation."""
        chain = ancestors(number)
        held = next((up for up in chain if up in self._titles), None)
        if held is not None and held in self._withdrawn:
            return self._listed(held, Finding(Standing.NOT_IN_LIST))
        if not self._covered(number, held):
            return self._beyond(number, chain, held)
        # What ends alike and begins with more: 5.19 may be meant for A.5.19.
        longer = [other for other in self._longer.get(number, ()) if other not in self._withdrawn]
        longer = longer if len(longer) == 1 else []
        if held is not None and self._is_below_unit(held, number):
            meant = longer + self._meant_below(number, held)
            return self._altered(Alteration.NESTING, meant, held)
        if longer:
            return self._altered(Alteration.NESTING, longer)
        return Finding(Standing.NOT_IN_LIST, nearest=self._beside(number, chain))

    def _covered(self, number: str, held: str | None) -> bool:
        """Whether the list would have the number if there were such a place."""
        if self._covers is not None:
            return self._covers.fullmatch(number) is not None
        # A list of no stated depth says nothing of parts of what it lists without parts.
        return held is None or bool(self._below.get(held))

    def _beyond(self, number: str, chain: tuple[str, ...], held: str | None) -> Finding:
        """The finding for a number of a form that the list does not hold.

        What is above it may be of a form that it does hold, and be altered or missing itself.
        """
        for up in chain:
            if up == held:
                break
            if self._covers is not None and self._covers.fullmatch(up):
                found = self.find(up)
                if found.standing is not Standing.IN_LIST:
                    return found
                break
        nearest = (self.entry(held),) if held is not None else ()
        return Finding(Standing.NOT_AVAILABLE, nearest=nearest)

    def _is_below_unit(self, held: str, number: str) -> bool:
        """Whether a number is below a listed whole, and not merely below a heading."""
        if self._unit is None:
            return number.startswith(held + "(")
        unit = self._unit.match(number)
        return unit is not None and len(held) >= len(unit[0])

    def _meant_below(self, number: str, held: str) -> list[str]:
        """The places under the same unit that the number may have been meant for, best first."""
        if not number.endswith(")"):
            return [held]
        unit = held
        if self._unit is not None and (match := self._unit.match(held)):
            unit = match[0]
        written = steps(number)
        candidates = [
            other
            for other in self._titles
            if other.startswith(unit)
            and other.endswith(written[-1])
            and unit in (other, *ancestors(other))
            and other not in self._withdrawn
        ]
        # A level left out or put in comes before another branch: 6(f) is 6(1)(f).
        close = [other for other in candidates if _within(written, steps(other))]
        close = close or [other for other in candidates if _within(steps(other), written)]
        if close:
            return close
        shared = [other for other in candidates if len(steps(other)) == len(written)]
        return shared if len(shared) == 1 else [held]

    def _beside(self, number: str, chain: tuple[str, ...]) -> tuple[Entry, ...]:
        """The last place before the number in its group: A.5.37 for A.5.38."""
        group = [
            other for other in self._below.get(chain[0] if chain else "", ())
            if other not in self._withdrawn and _kind(other) == _kind(number)
        ]  # fmt: skip
        if not group:
            return ()
        value = _value(number)
        best = min(group, key=lambda other: (abs(_value(other) - value), other))
        return (self.entry(best),)


def _index(
    pairs: Iterable[tuple[str, str]] | Iterable[tuple[tuple[str, ...], str]],
) -> dict[object, tuple[str, ...]]:
    made: dict[object, tuple[str, ...]] = {}
    for key, number in pairs:
        made[key] = (*made.get(key, ()), number)
    return made


def _within(shorter: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    """Whether the steps are all among the others, in their order."""
    rest = iter(longer)
    return all(step in rest for step in shorter)


def _kind(number: str) -> str:
    return re.sub(r"\d+|\b[IVXLC]+\Z", "#", number)


def _value(number: str) -> int:
    last = re.findall(r"\d+|[IVXLC]+\Z", number)[-1:]
    if not last:
        return 0
    return int(last[0][:6]) if last[0].isdecimal() else roman(last[0])
