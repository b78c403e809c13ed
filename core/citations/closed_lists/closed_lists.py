"""Check citations of frameworks against closed lists.

ClosedLists().check(citation).sentence
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from core.citations.closed_lists import sentences
from core.citations.closed_lists.answer import Alteration, Answer, Entry, ListInfo, Standing
from core.citations.closed_lists.closed_list import ClosedList, Finding
from core.citations.closed_lists.numbers import tidy, unpadded
from core.citations.closed_lists.own import OwnList
from core.citations.closed_lists.shelf import Place, Shelf, edition_key
from core.citations.model import FrameworkCitation

MOST_WRITTEN = 1000
"""Characters of a text that are looked at for how it writes a place."""

_RANGE = re.compile(r"(\d+\.\d[^\s-]*)-(\d+\.\d[^\s-]*)\Z")
_ORDER = (Alteration.WITHDRAWN, Alteration.PADDING, Alteration.FORM, Alteration.NESTING)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What one list says."""

    info: ListInfo
    finding: Finding


class ClosedLists:
    """The lists against which citations are checked. May be used from any thread.

    An answer is never "not in the list" where there is no list, or one that does not go so far.
    """

    def __init__(self, own: Iterable[OwnList] = (), chosen: Collection[str] | None = None) -> None:
        """Use the shipped lists and a person's `own`.

        `chosen` are the keys (`ListInfo.key`) of the lists that a workspace works with; None where
        it has not chosen. What is not chosen is still answered, and marked as such; but a citation
        that names no edition is taken to be of the chosen editions of its framework.
        """
        self._shelf = Shelf(own)
        self._chosen = None if chosen is None else frozenset(chosen)

    def lists(self) -> tuple[ListInfo, ...]:
        """Every list that there is, with its licence and where it is from."""
        return tuple(place.read().info for place in self._shelf.all())

    def numbers(self, key: str) -> tuple[Entry, ...]:
        """The places of a list that are not withdrawn. Raises KeyError for a key of none."""
        for place in self._shelf.all():
            if place.key == key:
                found = place.read()
                return tuple(found.entry(n) for n in found if not found.withdrawn(n))
        raise KeyError(key)

    def check(self, citation: FrameworkCitation, written: str = "") -> Answer:
        """What the lists say of a citation. Never raises for what the citation holds.

        `written` is how the text writes it, where that is known: reading a citation makes its
        zeros those of the framework, so that "AC-02" is seen to be altered here alone.
        """
        answer = self._check(citation)
        if answer.standing is Standing.IN_LIST and len(answer.entries) and written:
            return _as_written(answer, written[:MOST_WRITTEN])
        return answer

    def _check(self, citation: FrameworkCitation) -> Answer:
        named = self._shelf.named(citation.instrument)
        if named is None:
            return Answer(
                citation=citation.canonical,
                standing=Standing.NOT_AVAILABLE,
                sentence=sentences.no_framework(citation.instrument),
                chosen=self._chosen is None,
            )
        places = self._shelf.places(named.framework)
        asked = self._asked(places, named.edition)
        if not asked:
            held = [place.edition for place in places]
            return Answer(
                citation=citation.canonical,
                standing=Standing.NOT_AVAILABLE,
                sentence=sentences.no_edition(named.framework, named.edition, held),
                chosen=self._is_chosen(places),
            )
        others = [place for place in places if place not in asked]
        number = tidy(citation.locator)
        chosen = self._is_chosen(asked)
        ends = _RANGE.match(number)
        if ends is None:
            return self._answer(citation, number, asked, others, chosen)
        # A range is as good as the worse of its ends.
        low, high = (self._answer(citation, end, asked, others, chosen) for end in ends.groups())
        if Standing.IN_LIST not in (low.standing, high.standing) or low.standing != high.standing:
            return low if low.standing is not Standing.IN_LIST else high
        both = [place.read().info for place in asked]
        return low.model_copy(
            update={
                "entries": low.entries + high.entries,
                "sentence": sentences.in_range(number, both),
                "edition_decides": low.edition_decides or high.edition_decides,
            }
        )

    def _asked(self, places: Sequence[Place], edition: str) -> list[Place]:
        """The editions that a citation is checked against."""
        if edition:
            key = edition_key(edition)
            return [place for place in places if key in place.editions]
        chosen = [place for place in places if self._chosen and place.key in self._chosen]
        return chosen or list(places)

    def _is_chosen(self, places: Sequence[Place]) -> bool:
        return self._chosen is None or any(place.key in self._chosen for place in places)

    def _answer(
        self,
        citation: FrameworkCitation,
        number: str,
        asked: Sequence[Place],
        others: Sequence[Place],
        chosen: bool,
    ) -> Answer:
        read = [place.read() for place in asked]
        infos = [found.info for found in read]

        def answer(standing: Standing, sentence: str, **fields: object) -> Answer:
            values = {
                "citation": citation.canonical,
                "standing": standing,
                "sentence": sentence,
                "editions": tuple(info.edition for info in infos),
                "chosen": chosen,
                **fields,
            }
            return Answer.model_validate(values)

        if not number:
            return answer(Standing.IN_LIST, sentences.whole(infos))
        looked = [_Looked(found.info, found.find(number)) for found in read]
        there = [one for one in looked if one.finding.standing is Standing.IN_LIST]
        if there:
            entries = tuple(one.finding.entry for one in there if one.finding.entry is not None)
            rest = [one.info for one in looked if one not in there]
            return answer(
                Standing.IN_LIST,
                sentences.in_list([one.info for one in there], entries[0], rest),
                entries=entries,
                edition_decides=bool(rest),
            )
        return _not_there(number, looked, [place.read() for place in others], infos, answer)


def _as_written(answer: Answer, written: str) -> Answer:
    """The answer, altered where the text writes the place with other zeros than the lists."""
    shown = tidy(written)
    number = answer.entries[0].number
    if number in shown or _alone(number).search(unpadded(shown)) is None:
        return answer
    there = sentences.joined(list(dict.fromkeys(
        sentences.called(entry) for entry in answer.entries
    )), "or")  # fmt: skip
    return answer.model_copy(
        update={
            "standing": Standing.ALTERED,
            "alteration": Alteration.PADDING,
            "entries": (),
            "nearest": answer.entries,
            "edition_decides": False,
            "sentence": f"The text writes {answer.citation} with other zeros than the list, "
            f"which has {there}.",
        }
    )


def _alone(number: str) -> re.Pattern[str]:
    """A number that is not a part of a longer one."""
    return re.compile(rf"(?<![\w.]){re.escape(number)}(?![\w(]|\.\d)")


def _not_there(
    number: str,
    looked: Sequence[_Looked],
    others: Sequence[ClosedList],
    infos: Sequence[ListInfo],
    answer: Callable[..., Answer],
) -> Answer:
    """The answer for a place that none of the lists that were asked has as it is written."""
    elsewhere = tuple(
        found.entry
        for other in others
        if (found := other.find(number)).standing is Standing.IN_LIST and found.entry is not None
    )
    altered = [one for one in looked if one.finding.standing is Standing.ALTERED]
    altered.sort(key=lambda one: _ORDER.index(one.finding.alteration or Alteration.NESTING))
    if altered and altered[0].finding.alteration is not Alteration.NESTING:
        return _as_altered(number, altered, elsewhere, answer)
    if elsewhere:
        return answer(
            Standing.ALTERED,
            sentences.altered(Alteration.EDITION, number, infos, elsewhere),
            alteration=Alteration.EDITION,
            nearest=elsewhere,
        )
    beyond = [one for one in looked if one.finding.standing is Standing.NOT_AVAILABLE]
    if beyond:
        nearest = beyond[0].finding.nearest
        return answer(
            Standing.NOT_AVAILABLE,
            sentences.beyond(number, [one.info for one in beyond], nearest),
            nearest=nearest,
        )
    if altered:
        return _as_altered(number, altered, (), answer)
    nearest = tuple(entry for one in looked for entry in one.finding.nearest)
    return answer(Standing.NOT_IN_LIST, sentences.missing(number, infos, nearest), nearest=nearest)


def _as_altered(
    number: str,
    altered: Sequence[_Looked],
    elsewhere: tuple[Entry, ...],
    answer: Callable[..., Answer],
) -> Answer:
    first = altered[0].finding
    alike = [one for one in altered if one.finding.alteration is first.alteration]
    alteration = first.alteration or Alteration.NESTING
    nearest = tuple(dict.fromkeys(entry for one in alike for entry in one.finding.nearest))
    infos = [one.info for one in alike]
    text = sentences.altered(
        alteration, number, infos, nearest, first.entry, first.replaced_by
    ) + sentences.also(number, elsewhere)
    return answer(
        Standing.ALTERED,
        text,
        alteration=alteration,
        nearest=nearest + elsewhere,
        replaced_by=first.replaced_by,
    )
