"""What a text holds before it is decided what belongs to what."""

from dataclasses import dataclass

from core.citations.frameworks.catalogue import Instrument
from core.citations.frameworks.places import Place


@dataclass(slots=True)
class Mention:
    """Instruments named at the tokens `start` to `end`."""

    instruments: tuple[Instrument, ...]
    start: int
    end: int
    alone: bool = True
    """Whether naming it is a citation of the whole instrument."""


@dataclass(slots=True)
class Option:
    """One way to read a place."""

    kind: str
    places: list[Place]
    plain: bool = False


@dataclass(slots=True)
class Group:
    """Places that stand together, and the ways in which they can be read."""

    options: list[Option]
    start: int
    end: int
    explicit: tuple[Instrument, ...] = ()
    unnamed: bool = False
    """Whether no word says what it is, so that it needs an instrument named right beside it."""
    points_to: str = ""
    """Either "this" or "that" where the text says "of this Regulation", "of that Directive"."""
    cut: int = 0
    """How many ranges were too long, or crossed chapters, and stand for their ends only."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket that opens or closes."""

    start: int
    opens: bool


@dataclass(frozen=True, slots=True)
class LoneEdition:
    """An edition that stands away from the name: "→ Rev 5"."""

    start: int
    end: int
    editions: dict[str, str]


@dataclass(frozen=True, slots=True)
class Hint:
    """An instrument that an address names: what stands beside it is probably of it."""

    instrument: Instrument
    start: int


Event = Mention | Group | Bracket | LoneEdition | Hint
