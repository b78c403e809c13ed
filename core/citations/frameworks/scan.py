"""What a text holds, in order: names of instruments, places, brackets and lone editions.

Nothing is decided here about what belongs to what; `bind` does that.
"""

from dataclasses import replace

from core.citations.frameworks.acts import dated_act
from core.citations.frameworks.catalogue import Found, Instrument, Unsure, catalogue, words
from core.citations.frameworks.codes import CODE_KINDS
from core.citations.frameworks.editions import edition_at
from core.citations.frameworks.events import Bracket, Event, Group, Hint, LoneEdition, Mention
from core.citations.frameworks.groups import GroupReader
from core.citations.frameworks.marks import separator
from core.citations.frameworks.numbered import numbered
from core.citations.frameworks.tokens import Kind, Tokens

_OF_LAW = frozenset({"article", "recital", "annex_roman"})
DEEPEST = 8
"""How many brackets inside one another are followed."""

MOST_PLACES = 50_000
"""After so many places in one text, a list or range stands for its ends only."""

REACH = 14
"""How many tokens before and after a name are looked at to tell what it means."""


def scan(tokens: Tokens, document: Instrument | None) -> list[Event]:
    """The events of a text. One step forward at a time; each looks ahead a bounded way."""
    return _Scanner(tokens, document).run()


class _Scanner:
    def __init__(self, tokens: Tokens, document: Instrument | None) -> None:
        self.tokens = tokens
        self.document = document
        self.events: list[Event] = []
        self.places = GroupReader(tokens, self.events)
        self.open: list[tuple[int, bool]] = []
        """The brackets that are open, and whether their event was made."""
        self.expanded = 0

    def run(self) -> list[Event]:
        at, size = 0, len(self.tokens)
        while at < size:
            at = max(at + 1, self._step(at))
        return self.events

    def _step(self, at: int) -> int:
        tokens = self.tokens
        if tokens.kinds[at] is Kind.OPAQUE:
            self._address(at)
            return at + 1
        if tokens.texts[at] in "()[]":
            self._bracket(at)
            return at + 1
        named = self._mention(at)
        if named is not None:
            return named
        group = self.places.read(at)
        if group is not None:
            if group.options[0].kind in CODE_KINDS or not self.places.own(group):
                self._within_budget(group)
                self.events.append(group)
            return group.end
        return self._lone_edition(at)

    def _within_budget(self, group: Group) -> None:
        """Leave lists at their ends once a text has had more places than any real one has."""
        for option in group.options:
            self.expanded += len(option.places)
            if self.expanded > MOST_PLACES and len(option.places) > 2:
                option.places = [option.places[0], option.places[-1]]
                group.cut += 1

    def _bracket(self, at: int) -> None:
        """Open or close a bracket; it matters only where an instrument is named inside."""
        tokens = self.tokens
        if self.open and tokens.block_of[self.open[-1][0]] != tokens.block_of[at]:
            self.open.clear()
        if tokens.texts[at] in "([":
            if len(self.open) < DEEPEST:
                self.open.append((at, False))
        elif self.open and self.open.pop()[1]:
            self.events.append(Bracket(at, False))

    def _within(self, at: int) -> None:
        """Make the events of the brackets that are open around a name at `at`."""
        tokens = self.tokens
        for index, (start, made) in enumerate(self.open):
            if not made and tokens.block_of[start] == tokens.block_of[at]:
                self.open[index] = (start, True)
                self.events.append(Bracket(start, True))

    # Names

    def _mention(self, at: int) -> int | None:
        tokens = self.tokens
        if tokens.kinds[at] is Kind.MARK:
            return None
        before = tokens.text(at - 1)
        if tokens.glued(at) and (before.isalnum() or before in ("@", "#", "$")):
            return None
        named = catalogue().find(tokens, at)
        coded = numbered(tokens, at)
        if named is not None and named.unsure is not None:
            sure = self._meant(at, named.end, named.instrument, named.unsure)
            named = named if sure else None
        if named is not None and tokens.word(named.end) and tokens.glued(named.end):
            # "NIS2D", "SOC2a": letters that hang on make it another name.
            named = None
        if named is not None and tokens.low(named.end - 1) in words("control"):
            # "CIS Controls 4 and 5": the word belongs to the places.
            named = replace(named, end=named.end - tokens.number(named.end))
        if named is None and coded is None:
            return self._dated(at)
        if coded is not None and (named is None or coded.end > named.end):
            found = coded
        else:
            assert named is not None
            found = Found((named.instrument,), named.end)
        self._edition(found, at)
        return self._last_end

    def _edition(self, found: Found, at: int) -> None:
        """Add the mention, with its edition, and with others that follow: "v3.2.1 to v4.0"."""
        tokens, made, end = self.tokens, list(found.instruments), found.end
        last = made[-1]
        if last.editions and not last.edition:
            edition = edition_at(last.editions, tokens, end)
            if edition is not None:
                made[-1], end = replace(last, edition=edition[0]), edition[1]
                while len(made) < 9:
                    joint = separator(tokens, end)
                    after = joint[1] if joint else end + (tokens.text(end) in ("→", ">"))
                    level = tokens.low(end) == "level"
                    further = edition_at(last.editions, tokens, after, alone=True)
                    if (after == end and not level) or further is None:
                        break
                    made.append(replace(last, edition=further[0]))
                    end = further[1]
        self._last_end = end
        self._within(at)
        self.events.append(Mention(tuple(made), at, end))

    def _dated(self, at: int) -> int | None:
        found = dated_act(self.tokens, at)
        if found is None:
            return None
        instrument, start, end = found
        while self.events and self.events[-1].start >= start:
            self.events.pop()
        self._within(start)
        self.events.append(Mention((instrument,), start, end))
        return end

    def _meant(self, start: int, end: int, instrument: Instrument, unsure: Unsure) -> bool:
        """Whether a name that means several things means the instrument here."""
        tokens = self.tokens
        if self.document is not None and self.document.name == instrument.name:
            return True
        if tokens.low(end) in words("article") | words("annex") | words("recital"):
            return True
        last = self.events[-1] if self.events else None
        if isinstance(last, Group) and start - last.end <= 3 and last.options[0].kind in _OF_LAW:
            return True
        block = tokens.block_of[start]
        around: set[str] = set()
        for index in (*range(start - REACH, start), *range(end, end + REACH)):
            if 0 <= index < len(tokens) and tokens.block_of[index] == block:
                if tokens.kinds[index] is Kind.OPAQUE:
                    name = tokens.texts[index][:200].lower()
                    around.update("".join(c if c.isalnum() else " " for c in name).split())
                else:
                    around.add(tokens.low(index))
        if around & unsure.against:
            return False
        return unsure.alone or bool(around & unsure.favour)

    def _address(self, at: int) -> None:
        """What an address says of the instrument: ".../800-53/Rev4/control/...", "eli/reg/…"."""
        pieces = self.tokens.text(at)[:300].replace("-", "/").split("/")
        for index in range(len(pieces) - 1):
            if pieces[index] == "800" and pieces[index + 1] == "53":
                instrument = Instrument("NIST SP 800-53", "nist53", editions="nist")
                after = pieces[index + 2].lower() if index + 2 < len(pieces) else ""
                if after[:3] == "rev" and after[3:4].isdigit():
                    instrument = replace(instrument, edition=f" Rev. {after[3]}")
                elif after[:1] == "r" and after[1:2].isdigit():
                    instrument = replace(instrument, edition=f" Rev. {after[1]}")
                self._within(at)
                self.events.append(Hint(instrument, at))
                return
            known = catalogue().by_number.get(f"{pieces[index]}/{pieces[index + 1]}")
            if known is not None:
                self._within(at)
                self.events.append(Hint(known, at))
                return

    def _lone_edition(self, at: int) -> int:
        tokens = self.tokens
        if tokens.low(at) not in ("v", "version", "rev", "revision"):
            return at + 1
        found: dict[str, str] = {}
        end = at + 1
        for form in ("nist", "fedramp", "pci", "csf", "cis", "cmmc"):
            edition = edition_at(form, tokens, at, alone=True)
            if edition is not None:
                found[form], end = edition[0], max(end, edition[1])
        if found:
            self.events.append(LoneEdition(at, end, found))
        return end
