"""Pair the marks of a text with the entries of its list of references.

Nothing is guessed: a mark without an entry and a mark that fits several are said to be so.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.citations.works.markers import Marker, Target
from core.citations.works.references import Reference
from core.scholarly.titles import name_forms, name_words


class Pairing(StrEnum):
    """What became of a target."""

    PAIRED = "paired"
    ABSENT = "absent"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Pair:
    """A target of a mark and its entry.

    `reference` is there exactly when it is paired; `candidates` are the entries that may be meant
    when it is ambiguous; `why` is a sentence for the person.
    """

    marker: Marker
    target: Target
    pairing: Pairing
    reference: Reference | None = None
    candidates: tuple[Reference, ...] = ()
    why: str = ""


def pair(markers: Iterable[Marker], references: Sequence[Reference]) -> tuple[Pair, ...]:
    """One pair for each target of each mark, in the order of the marks."""
    marks = list(markers)
    shelf = _Shelf(references, marks)
    return tuple(
        shelf.labelled(marker, target) if target.label else shelf.named(marker, target)
        for marker in marks
        for target in marker.targets
    )


class _Shelf:
    """The entries, by label and by year."""

    def __init__(self, references: Sequence[Reference], marks: Sequence[Marker]) -> None:
        self._by_label: dict[str, list[Reference]] = defaultdict(list)
        self._by_year: dict[int | None, list[Reference]] = defaultdict(list)
        self._by_place = False
        for reference in references:
            if reference.label:
                self._by_label[reference.label].append(reference)
            self._by_year[reference.work.year].append(reference)
        self._firsts = {id(reference): _first_forms(reference) for reference in references}
        self._all = list(references)
        if not self._by_label and references:
            labels = {t.label for mark in marks for t in mark.targets if t.label}
            # An automatic list has lost its numbers; they are its places where all are cited.
            if labels == {str(n + 1) for n in range(len(references))}:
                self._by_place = True
                for n, reference in enumerate(references):
                    self._by_label[str(n + 1)].append(reference)

    def labelled(self, marker: Marker, target: Target) -> Pair:
        found = self._by_label.get(target.label, [])
        if len(found) == 1:
            why = (
                "The list shows no numbers; the entry is the one in this place."
                if self._by_place
                else f"The entry has the label {target.label}."
            )
            return Pair(marker, target, Pairing.PAIRED, found[0], (), why)
        if found:
            why = f"{len(found)} entries of the list have the label {target.label}."
            return Pair(marker, target, Pairing.AMBIGUOUS, None, tuple(found), why)
        if self._all and not self._by_label:
            why = "The entries of the list have no numbers, so none can be told to be meant."
        else:
            why = f"The list of references has no entry {target.label}."
        return Pair(marker, target, Pairing.ABSENT, None, (), why)

    def named(self, marker: Marker, target: Target) -> Pair:
        found = self._named(marker, target)
        # "In Norway, Lee and Ng (1999)": a place before the names looks like one of them.
        for at in range(1, len(target.names) - 1):
            if found.pairing is Pairing.PAIRED:
                break
            shorter = self._named(marker, replace(target, names=target.names[at:]))
            if shorter.pairing is Pairing.PAIRED:
                found = replace(shorter, target=target)
        return found

    def _named(self, marker: Marker, target: Target) -> Pair:
        who = _shown(target)
        of_year = [r for r in self._by_year.get(target.year, []) if self._first(r, target)]
        exact = [r for r in of_year if _authors_fit(r, target)]
        fitting = [r for r in exact if not target.suffix or r.suffix == target.suffix]
        if len(fitting) == 1:
            return Pair(
                marker, target, Pairing.PAIRED, fitting[0], (), "Authors and year are the entry's."
            )
        if fitting:
            why = f"{len(fitting)} entries are by {who} and of this year."
            return Pair(marker, target, Pairing.AMBIGUOUS, None, tuple(fitting), why)
        if exact:
            why = f"No entry by {who} has the letter {target.suffix!r} behind its year."
            return Pair(marker, target, Pairing.AMBIGUOUS, None, tuple(exact), why)
        if of_year:
            why = f"An entry of this year begins with {target.names[0]}, but has other authors."
            return Pair(marker, target, Pairing.AMBIGUOUS, None, tuple(of_year), why)
        other = [r for r in self._all if self._first(r, target)]
        years = sorted({r.work.year for r in other if r.work.year is not None})
        why = f"The list of references has no entry by {who} of this year"
        why += f"; it has one of {years[0]}." if len(years) == 1 else "."
        return Pair(marker, target, Pairing.ABSENT, None, (), why)

    def _first(self, reference: Reference, target: Target) -> bool:
        """Whether the entry's first author is the first name of the mark."""
        return bool(self._firsts[id(reference)] & _mark_forms(target.names[0]))


def _shown(target: Target) -> str:
    if target.others or len(target.names) > 2:
        return f"{target.names[0]} and others"
    return " and ".join(target.names)


def _first_forms(reference: Reference) -> frozenset[str]:
    """The forms in which a mark may name the entry's first author."""
    if reference.work.authors:
        first = reference.work.authors[0]
        forms = set(name_forms(first.family))
        if not first.given:
            forms |= {initials for initials in (_initials(first.family),) if len(initials) > 1}
        return frozenset(forms - {""})
    # The entry's authors could not be read: its first word, if a comma or a bracket follows it.
    head = reference.text.lstrip("[]().0123456789 ")
    cut = min((at for at in map(head.find, (",", "(", ".")) if at > 0), default=0)
    return frozenset(name_forms(head[:cut]) - {""}) if 0 < cut <= 80 else frozenset()


def _mark_forms(name: str) -> frozenset[str]:
    """The forms of a name as a mark has it; with a given name or an opening word before it."""
    words = name.split()
    forms = set(name_forms(name))
    if len(words) == 1 and name.isupper():
        forms.add(name.casefold())
    return frozenset(forms - {""})


def _initials(name: str) -> str:
    """Of a body's name the first letters: "who" for the World Health Organization."""
    return "".join(word[0] for word in name.split() if word[:1].isupper()).casefold()


def _authors_fit(reference: Reference, target: Target) -> bool:
    authors = reference.work.authors
    if not authors:
        return len(target.names) == 1 and not target.others
    if target.others:
        return len(authors) > len(target.names) or reference.work.others
    if len(target.names) == 1:
        return len(authors) == 1 and not reference.work.others
    if len(authors) != len(target.names) or reference.work.others:
        return False
    return all(
        bool(name_forms(author.family) & name_forms(name))
        or name_words(author.family)[-1:] == name_words(name)[-1:]
        for author, name in zip(authors, target.names, strict=True)
    )
