"""A place in an instrument, and what lists and ranges of places mean.

A place is a prefix, a last number and the groups in brackets after it: "A.5.19" is ("A.5.", 19),
"28(3)(a)" is ("", 28, ("3", "a")), "PR.AA-01" is ("PR.AA-", 1) written two digits wide.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

MOST = 150
"""The longest range that is written out; a longer one is taken for a slip."""

ROMANS = tuple(
    tens + ones
    for tens in ("", "X", "XX", "XXX")
    for ones in ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
)[1:]
_ROMAN_VALUE = {numeral: value for value, numeral in enumerate(ROMANS, start=1)}


def roman(text: str) -> int | None:
    """The value of a Roman numeral up to XXXIX, None for any other text."""
    return _ROMAN_VALUE.get(text.upper())


@dataclass(frozen=True, slots=True)
class Place:
    """One place. `until` is the other end of a range that is kept as a range."""

    prefix: str
    number: int
    width: int = 1
    groups: tuple[str, ...] = ()
    style: str = "digits"
    """How the number is written: digits, roman, or a letter (1 is A)."""
    until: "Place | None" = None
    section: str = ""
    """A part of an annex that stands between its number and its points."""

    @property
    def head(self) -> str:
        """The place without its groups, padded as it was written."""
        if self.style == "roman":
            return self.prefix + ROMANS[self.number - 1]
        if self.style == "letter":
            return self.prefix + chr(ord("A") + self.number - 1)
        if self.style == "none":
            return self.prefix
        return f"{self.prefix}{self.number:0{self.width}d}"

    @property
    def bare_head(self) -> str:
        """The place without its groups and without padding."""
        return replace(self, width=1).head

    @property
    def tail(self) -> str:
        """The groups in brackets."""
        return "".join(f"({group})" for group in self.groups)


@dataclass(frozen=True, slots=True)
class Expansion:
    """What a range stands for. `whole` is false where only its ends could be given."""

    places: tuple[Place, ...]
    whole: bool = True


def expand(first: Place, last: Place) -> Expansion | None:
    """The places from `first` to `last`, None where the two do not make a range."""
    if first.head == last.head and first.groups and len(first.groups) == len(last.groups):
        if first.groups[:-1] != last.groups[:-1]:
            return None
        between = _between(first.groups[-1], last.groups[-1])
        if between is None:
            return None
        base = first.groups[:-1]
        return Expansion(tuple(replace(first, groups=(*base, label)) for label in between))
    if first.style != last.style:
        return None
    if first.prefix != last.prefix:
        return Expansion((first, last), whole=False)
    if last.number <= first.number:
        return None
    if last.number - first.number >= MOST:
        return Expansion((first, last), whole=False)
    middle = tuple(
        replace(first, number=number, groups=()) for number in range(first.number + 1, last.number)
    )
    return Expansion((first, *middle, last))


def _between(first: str, last: str) -> list[str] | None:
    """The labels from `first` to `last`: numbers, letters or small Roman numerals."""
    if first.isdigit() and last.isdigit():
        low, high = int(first), int(last)
        return [str(n) for n in range(low, high + 1)] if low < high < low + MOST else None
    before, dot, number = first.rpartition(".")
    if dot and last.startswith(f"{before}.") and number.isdigit():
        inner = _between(number, last[len(before) + 1 :])
        return [f"{before}.{label}" for label in inner] if inner else None
    letters = len(first) == len(last) == 1 and (first + last).isalpha() and (first + last).isascii()
    numerals = first in "iI" and last in "vVxX"
    if letters and not numerals and first.islower() == last.islower() and first < last:
        return [chr(code) for code in range(ord(first), ord(last) + 1)]
    low_roman, high_roman = roman(first), roman(last)
    if low_roman and high_roman and low_roman < high_roman:
        made = ROMANS[low_roman - 1 : high_roman]
        return [numeral.lower() if first.islower() else numeral for numeral in made]
    return None


def label_kind(label: str) -> str:
    """What a group in brackets holds: a number, a letter, or a longer label such as Roman."""
    if label.isdigit():
        return "digit"
    return "letter" if len(label) == 1 else "long"


def beside(place: Place, label: str) -> Place:
    """The place whose last group of the same kind is `label`: 28(7)(a) and (8) is 28(8)."""
    kind = label_kind(label)
    for index in range(len(place.groups) - 1, -1, -1):
        other = place.groups[index]
        same = label_kind(other) == kind and other.isupper() == label.isupper()
        # After (i) and before (iii), a long label and a letter that is a numeral are of one kind.
        numerals = (
            roman(other) and roman(label) and kind != "digit" and other.isupper() == label.isupper()
        )
        if same or numerals:
            return replace(place, groups=(*place.groups[:index], label))
    return replace(place, groups=(*place.groups, label))


def flatten(expansions: list[Place]) -> Iterator[Place]:
    """The places, each once, in their order."""
    seen: set[Place] = set()
    for place in expansions:
        if place not in seen:
            seen.add(place)
            yield place
