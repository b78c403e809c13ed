"""The lists that there are: the shipped ones, read when they are first asked for, and a person's.

A shelf holds every edition of every framework, each under the names that citations give it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.citations.closed_lists.answer import ListInfo
from core.citations.closed_lists.closed_list import ClosedList
from core.citations.closed_lists.own import OwnList
from core.resource import load_json

FOLDER = "frameworks"

_MARK = re.compile(r"\A(?:revision|rev|version|ver|edition|release|v|r)\b\.?\s*|\A[rv](?=\d)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a list stands: its framework, its edition, and how citations write that edition.

    `file` is the shipped list's, empty for a person's own, which is then in `own`.
    """

    framework: str
    edition: str
    editions: frozenset[str]
    file: str = ""
    own: ClosedList | None = None

    @property
    def key(self) -> str:
        """The name of the list in the store."""
        return list_key(self.framework, self.edition)

    def read(self) -> ClosedList:
        """The list itself."""
        return self.own if self.own is not None else shipped_list(self.file)


@dataclass(frozen=True, slots=True)
class Named:
    """An instrument taken apart: its framework, and the edition as it is written after it."""

    framework: str
    edition: str


class Shelf:
    """Finds lists by the instrument of a citation."""

    def __init__(self, own: Iterable[OwnList] = ()) -> None:
        """Put a person's own lists beside the shipped ones, or in the place of one of them."""
        self._names: dict[str, str] = {}
        self._places: dict[str, list[Place]] = {}
        for row in load_json(f"{FOLDER}/index.json")["lists"]:
            editions = frozenset(row["editions"])
            place = Place(row["framework"], row["edition"], editions, file=row["file"])
            for name in (*row["names"], row["framework"]):
                self._names[_folded(name)] = row["framework"]
            self._places.setdefault(row["framework"], []).append(place)
        for added in own:
            self._add(added)
        self._longest_first = sorted(self._names, key=len, reverse=True)

    def _add(self, own: OwnList) -> None:
        framework = self._names.setdefault(_folded(own.framework), own.framework)
        places = self._places.setdefault(framework, [])
        if own.takes_place:
            taken = [p for p in self.taken(own.framework, own.edition) if p.own is None]
            places[:] = [place for place in places if place not in taken]
        editions = frozenset({edition_key(own.edition)})
        places.append(Place(framework, own.edition, editions, own=own.indexed(framework)))

    def taken(self, framework: str, edition: str) -> tuple[Place, ...]:
        """The lists that are of this edition of this framework already.

        Without an edition it is all of them, since citations could not tell them apart.
        """
        key = edition_key(edition)
        places = self._places.get(self._names.get(_folded(framework), ""), [])
        return tuple(
            place
            for place in places
            if not key or place.editions & {key, ""} or key == edition_key(place.edition)
        )

    def same(self, framework: str, edition: str) -> str:
        """A text that two names of one edition of one framework have in common."""
        name = self._names.get(_folded(framework), framework)
        return f"{_folded(name)}\n{edition_key(edition)}"

    def key(self, framework: str, edition: str) -> str:
        """The name of the list of that framework and edition, whatever it is called by."""
        return list_key(self._names.get(_folded(framework), framework), edition)

    def named(self, instrument: str) -> Named | None:
        """The framework that an instrument is of; None where no list of it is here."""
        shown = " ".join(instrument.split())
        folded = shown.casefold()
        for name in self._longest_first:
            if folded.startswith(name):
                # Folding may make a name longer: the edition is then shown as it is compared.
                rest = (shown if len(shown) == len(folded) else folded)[len(name) :]
                if not rest or rest[0] in " :,(":
                    return Named(self._names[name], rest.strip(" :,()"))
        return None

    def places(self, framework: str) -> tuple[Place, ...]:
        """The editions of a framework that are here."""
        return tuple(self._places.get(framework, ()))

    def all(self) -> tuple[Place, ...]:
        """Every list, by framework and edition."""
        places = [place for group in self._places.values() for place in group]
        return tuple(sorted(places, key=lambda place: place.key.casefold()))


def list_key(framework: str, edition: str) -> str:
    """The name of a list: its framework and its edition."""
    return f"{framework} {edition}".strip()


def edition_key(edition: str) -> str:
    """An edition as it is compared: "Rev. 5", "r5" and "5" give "5"."""
    folded = _folded(edition).strip(" :,()")
    return _MARK.sub("", folded)


@cache
def shipped_list(file: str) -> ClosedList:
    """The shipped list in that file, read and indexed once."""
    data: dict[str, Any] = load_json(f"{FOLDER}/{file}")
    ids = data["ids"]
    return ClosedList(
        ListInfo(
            key=list_key(data["framework"], data["edition"]),
            framework=data["framework"],
            edition=data["edition"],
            licence=data["licence"],
            origin=data["origin"],
            beyond=data["beyond"],
        ),
        ids if isinstance(ids, dict) else dict.fromkeys(ids, ""),
        {number: tuple(instead) for number, instead in data["withdrawn"].items()},
        unit=data["unit"],
        covers=data["covers"],
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
