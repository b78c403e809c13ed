"""Which instrument each place belongs to.

A place is bound, in this order, to what the text says itself ("of the GDPR", "Art. 6 GDPR"), to
the instrument named last in the same sentence or table row, to the document's framework, to an
instrument that stands above it as a heading or label or that the text is already citing, and at
last to one that follows in the same sentence or row. A place that none of these claims is no
citation.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from core.citations.frameworks.catalogue import Instrument, words
from core.citations.frameworks.codes import CODE_KINDS
from core.citations.frameworks.events import (
    Bracket,
    Event,
    Group,
    Hint,
    LoneEdition,
    Mention,
    Option,
)
from core.citations.frameworks.families import accepts, kinds_of, write
from core.citations.frameworks.tokens import Kind, Tokens

_OF = words("of")
_FILL = words("of_fill")
_PLAIN = {
    "csf": Instrument("NIST CSF", "csf"),
    "cmmc": Instrument("CMMC", "cmmc"),
    "soc2": Instrument("SOC 2", "soc2"),
    "privacy": Instrument("NIST Privacy Framework", "privacy"),
}
_WEAK = frozenset({"fedramp", "hipaa"})
"""Families whose places belong to another instrument, which is preferred where it is known."""
_CLAUSED = frozenset({"iso", "iso_guide", "pci", "r171"})
"""Families whose places are seldom called sections; a document's own sections are."""
_LAW = frozenset({"article", "recital", "annex_roman", "chapter"})


@dataclass(frozen=True, slots=True)
class Bound:
    """A citation: the instrument, the canonical place, and the tokens it was read from."""

    instrument: Instrument
    locator: str
    start: int
    end: int
    carried: bool


@dataclass(slots=True)
class _Entry:
    instrument: Instrument
    index: int
    end: int
    label: bool
    active: bool = False


@dataclass(slots=True)
class Binding:
    """What `bind` gives: the citations in the order of the text, and how many ranges were cut."""

    citations: list[Bound] = field(default_factory=list)
    cut: int = 0


def bind(tokens: Tokens, events: list[Event], document: Instrument | None) -> Binding:
    """Bind every place to an instrument. Linear in the number of events."""
    binder = _Binder(tokens, events, document)
    binder.run()
    return binder.result


class _Binder:
    def __init__(self, tokens: Tokens, events: list[Event], document: Instrument | None) -> None:
        self.tokens = tokens
        self.events = events
        self.document = document
        self.result = Binding()
        self.context: dict[str, _Entry] = {}
        self.brackets: list[tuple[int, dict[str, _Entry]]] = []
        self.chain: list[Group] = []
        self.pending: list[Group] = []
        self.official: tuple[Instrument, ...] = ()
        self.last: Mention | None = None
        self.block = -1

    def run(self) -> None:
        for index, event in enumerate(self.events):
            block = self.tokens.block_of[event.start]
            if block != self.block:
                self._flush()
                self.block = block
                self.pending.clear()
                self.brackets.clear()
            if isinstance(event, Group):
                if self.chain and not self._linked(self.chain[-1], event):
                    self._flush()
                self.chain.append(event)
                continue
            if isinstance(event, Mention):
                explicit = self._follows_chain(event, index)
                self._flush()
                self._mention(event, explicit)
            else:
                self._flush_unless_bound(index)
                self._other(event)
        self._flush()

    # Chains of places

    def _linked(self, first: Group, second: Group) -> bool:
        """Whether only "and", a comma or the like stands between two groups."""
        between = range(first.end, second.start)
        joints = words("and") | words("range") | {",", ";", "+", "/", "&"}
        return len(between) <= 3 and all(self.tokens.low(index) in joints for index in between)

    def _follows_chain(self, mention: Mention, index: int) -> bool:
        """Whether the mention says which instrument the chain before it is of."""
        if not self.chain:
            return False
        group = self.chain[-1]
        gap = [self.tokens.low(at) for at in range(group.end, mention.start)]
        if len(gap) > 5 or self._sentence(group.start) != self._sentence(mention.start):
            return False
        words_between = [text for text in gap if text != ","]
        of = bool(words_between) and words_between[0] in _OF
        if of and len(words_between) <= 3 and all(w in _OF | _FILL for w in words_between):
            return self._explicit(mention)
        following = self.events[index + 1] if index + 1 < len(self.events) else None
        takes_next = (
            isinstance(following, Group)
            and following.start <= mention.end + 1
            and any(accepts(mention.instruments[-1], option.kind) for option in following.options)
        )
        if not gap and not takes_next:
            return self._explicit(mention)
        closed = self.tokens.text(mention.end) == ")"
        if gap in (["("], ["(", "eu"]) and closed and not self._named_before(group):
            return self._explicit(mention)
        return False

    def _explicit(self, mention: Mention) -> bool:
        bound = False
        for group in reversed(self.chain):
            if group.explicit:
                break
            if not any(accepts(mention.instruments[-1], o.kind) for o in group.options):
                break
            if bound and self._named_before(group):
                break
            group.explicit = mention.instruments
            bound = True
        return bound

    def _named_before(self, group: Group) -> bool:
        """Whether an instrument stands right before the group: "DORA Article 9 and …"."""
        return self.last is not None and 0 <= group.start - self.last.end <= 1

    def _flush_unless_bound(self, index: int) -> None:
        following = self.events[index + 1] if index + 1 < len(self.events) else None
        near = self.events[index].start + 3
        if isinstance(following, Mention) and following.start <= near and self.chain:
            return
        self._flush()

    def _flush(self) -> None:
        for group in self.chain:
            self._resolve(group)
        self.chain.clear()

    # Names

    def _mention(self, mention: Mention, explicit: bool) -> None:
        for instrument in mention.instruments:
            if not instrument.silent and instrument.family != "civil":
                self._add(instrument, "", mention.start, mention.end, False)
        self.last = mention
        official = tuple(i for i in mention.instruments if i.official)
        if official:
            self.official = official
        if explicit and official:
            # Drafters of law name another act only for the place at hand.
            return
        self._enter(mention.instruments[-1], mention.start, mention.end)
        if self.pending:
            self._resolve_pending(mention)

    def _enter(self, instrument: Instrument, start: int, end: int) -> None:
        entry = _Entry(instrument, start, end, self._labels(start, end))
        for kind in kinds_of(instrument):
            weak = instrument.silent or instrument.family in _WEAK
            if weak and (kind in self.context or self._document_takes(kind)):
                known = self.context.get(kind)
                if known is None or (
                    known.instrument.family not in _WEAK and not known.instrument.silent
                ):
                    continue
            self.context[kind] = entry

    def _labels(self, start: int, end: int) -> bool:
        """Whether the name stands as a heading, as a label before a colon or as a row's first."""
        block = self.tokens.block(start)
        if block.heading or block.row:
            return True
        return self.tokens.text(end) in (":", "—", "–") or (
            self._block_ends(end) and (self.tokens.firsts[start] == 1 or block.item)
        )

    def _block_ends(self, at: int) -> bool:
        return at >= len(self.tokens) or self.tokens.firsts[at] == 1

    def _resolve_pending(self, mention: Mention) -> None:
        kept = []
        for group in self.pending:
            row = self.tokens.blocks[self.block].row
            near = row or self._sentence(group.start) == self._sentence(mention.start)
            options = [o for o in group.options if accepts(mention.instruments[-1], o.kind)]
            if near and options and options[0].kind != "bare":
                self._write(group, options[0], (mention.instruments[-1],), carried=False)
            else:
                kept.append(group)
        self.pending = kept

    # Other events

    def _other(self, event: Bracket | LoneEdition | Hint) -> None:
        if isinstance(event, Hint):
            self._enter(event.instrument, event.start, event.start + 1)
            self._resolve_hinted(event)
        elif isinstance(event, LoneEdition):
            self._lone_edition(event)
        elif event.opens:
            self.brackets.append((event.start, dict(self.context)))
        elif self.brackets:
            start, before = self.brackets.pop()
            for kind, entry in list(self.context.items()):
                # What a bracket names ends with it, where something else goes on outside.
                if entry.index > start and (kind in before or self._document_takes(kind)):
                    if kind in before:
                        self.context[kind] = before[kind]
                    else:
                        del self.context[kind]

    def _resolve_hinted(self, hint: Hint) -> None:
        kept = []
        for group in self.pending:
            options = [o for o in group.options if accepts(hint.instrument, o.kind)]
            if options and hint.start - group.end <= 3:
                self._write(group, options[0], (hint.instrument,), carried=False)
            else:
                kept.append(group)
        self.pending = kept

    def _lone_edition(self, event: LoneEdition) -> None:
        mention = self.last
        if mention is not None and self._sentence(mention.start) == self._sentence(event.start):
            for instrument in reversed(mention.instruments):
                if instrument.editions in event.editions:
                    edition = event.editions[instrument.editions]
                    self._add(
                        replace(instrument, edition=edition), "", event.start, event.end, True
                    )
                    return
        document = self.document
        if document is not None and document.editions in ("pci", "nist", "fedramp"):
            edition = event.editions.get(document.editions, "")
            if edition:
                self._add(replace(document, edition=edition), "", event.start, event.end, True)

    # Places

    def _resolve(self, group: Group) -> None:
        self.result.cut += group.cut
        if group.points_to:
            self._pointed(group)
            return
        if group.explicit:
            for option in group.options:
                if accepts(group.explicit[-1], option.kind):
                    self._write(group, option, group.explicit, carried=False)
                    return
        law = self.context.get("article")
        if group.unnamed and (law is None or not 0 <= group.start - law.end <= 1):
            return
        best: tuple[int, int, Option, Instrument, _Entry | None] | None = None
        for order, option in enumerate(group.options):
            for rank, instrument, entry in self._candidates(group, option):
                if best is None or (rank, order) < best[:2]:
                    best = (rank, order, option, instrument, entry)
        if best is None:
            if group.options[0].kind != "bare":
                self.pending.append(group)
            return
        _, _, option, instrument, entry = best
        if entry is not None:
            entry.active = True
        near = entry is not None and group.start - entry.end <= 2
        self._write(group, option, (instrument,), carried=not near)

    def _pointed(self, group: Group) -> None:
        """Bind "of this Regulation" to the document's own act, "of that Directive" to the last."""
        if group.points_to == "that":
            found = self.official or ((self.last.instruments[-1],) if self.last is not None else ())
        else:
            found = (self.document,) if self.document is not None else ()
        for option in group.options:
            if found and accepts(found[-1], option.kind):
                self._write(group, option, found[-1:], carried=True)
                return

    def _candidates(
        self, group: Group, option: Option
    ) -> Iterator[tuple[int, Instrument, _Entry | None]]:
        kind = option.kind
        entry = self.context.get(kind)
        placed = kind != "bare" or self._placed(group, option)
        if entry is not None:
            rank = self._rank(group, option, entry)
            if rank is not None:
                yield rank, entry.instrument, entry
        document = self.document
        if document is not None and accepts(document, kind) and placed:
            own = kind == "section" and document.family in _CLAUSED
            if not own:
                yield 1, document, None
        if option.plain and kind in _PLAIN:
            yield 3, _PLAIN[kind], None
        if kind in ("section", "bare"):
            yield from self._recognised(option)

    def _recognised(self, option: Option) -> Iterator[tuple[int, Instrument, _Entry | None]]:
        """Sections that no other code has: 164.308(a)(1) of 45 CFR, § 1798.100 of the CCPA."""
        place = option.places[0]
        marked = option.plain or bool(place.groups)
        hipaa = Instrument("HIPAA", "hipaa")
        if marked and len(place.bare_head) == 7 and write(hipaa, option.kind, place):
            yield 3, Instrument("45 CFR", "cfr"), None
        ccpa = Instrument("Cal. Civ. Code", "civil")
        if marked and place.head.startswith("1798.1") and write(ccpa, option.kind, place):
            yield 3, ccpa, None

    def _rank(self, group: Group, option: Option, entry: _Entry) -> int | None:
        """How well the instrument named before claims the place: 0 near, 2 from afar."""
        kind, at, named = option.kind, group.start, entry.index
        tokens = self.tokens
        same_block = tokens.block_of[at] == tokens.block_of[named]
        row = same_block and tokens.block(at).row
        gap = self._gap(entry.end, group.start)
        if kind == "bare":
            if gap:
                return 0
            if row and self._cell_starts(group.start):
                return 0
            active = entry.active or entry.label
            return 2 if active and self._placed(group, option) else None
        if kind == "schedule" or (kind == "section" and entry.instrument.family in _CLAUSED):
            return 0 if gap else None
        if row:
            return 0
        if self._sentence(at) == self._sentence(named):
            return 0
        if same_block and entry.active and not self._document_takes(kind):
            return 0
        if kind in CODE_KINDS:
            return 2
        if entry.label or entry.active:
            # A contract has articles of its own; they begin its paragraphs and headings.
            opens = tokens.firsts[at] and not tokens.block(at).item
            return 2 if entry.label or not opens else None
        return 2 if kind in _LAW and same_block else None

    def _gap(self, end: int, start: int) -> bool:
        """Whether only marks, or one bracket, stand between an instrument and a place."""
        if not 0 <= start - end <= 4:
            return False
        tokens = self.tokens
        return all(
            tokens.kinds[at] is Kind.MARK and tokens.texts[at] not in ".;?!)"
            for at in range(end, start)
        )

    def _document_takes(self, kind: str) -> bool:
        return self.document is not None and accepts(self.document, kind)

    def _cell_starts(self, at: int) -> bool:
        return self.tokens.text(at - 1) == "|" or self.tokens.firsts[at] == 1

    def _placed(self, group: Group, option: Option) -> bool:
        """Whether a number with no word before it stands as a place would."""
        tokens, at, end = self.tokens, group.start, group.end
        place = option.places[0]
        parts = place.head.split(".")
        if "." not in place.head or any(len(part) > 4 or part == "0" for part in parts):
            return False
        block = tokens.block(at)
        deep = len(parts) >= 3 or bool(place.groups) or len(parts[0]) >= 3
        if block.heading:
            return (
                deep
                and len(parts) >= 3
                and self.document is not None
                and self.document.family == "pci"
            )
        before, after = tokens.text(at - 1), tokens.text(end)
        if self._cell_starts(at) and block.row:
            return deep or after == "|" or after in ("—", "–", "-", ":")
        if before == "(" and after in (")", ",", ";", "—"):
            return True
        opens = tokens.firsts[at] or (tokens.firsts[at - 1] and not before.isalnum())
        if opens:
            return deep or after in (":", "—")
        return (deep and len(parts[0]) >= 3) or (deep and before in ("|", ",", ";", ":", "/"))

    def _sentence(self, at: int) -> int:
        return self.tokens.sentence_of[at]

    # Results

    def _write(
        self, group: Group, option: Option, instruments: tuple[Instrument, ...], carried: bool
    ) -> None:
        for instrument in instruments:
            for place in option.places:
                written = write(instrument, option.kind, place)
                if written is not None:
                    self._add(written[0], written[1], group.start, group.end, carried)

    def _add(
        self, instrument: Instrument, locator: str, start: int, end: int, carried: bool
    ) -> None:
        self.result.citations.append(Bound(instrument, locator, start, end, carried))
