"""What a text holds, in order: names of instruments, places, brackets and lone editions.

Nothing is decided here about what belongs to what; `bind` does that.
"""

from dataclasses import dataclass, replace

from core.citations.frameworks.catalogue import Instrument, Unsure, catalogue, words
from core.citations.frameworks.codes import CODE_KINDS, Code, code_at, statement
from core.citations.frameworks.editions import edition_at
from core.citations.frameworks.lists import (
    Style,
    group_at,
    labels_after,
    place_at,
    read_list,
    refers_on,
    separator,
)
from core.citations.frameworks.numbered import Found, dated_act, numbered
from core.citations.frameworks.places import Place, beside, expand
from core.citations.frameworks.tokens import Kind, Tokens

DEEPEST = 8
"""How many brackets inside one another are followed."""

MOST_PLACES = 50_000
"""After so many places in one text, a list or range stands for its ends only."""

REACH = 14
"""How many tokens before and after a name are looked at to tell what it means."""


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

_STYLES = (
    Style("article", words("article"), spaced=True),
    Style("recital", words("recital"), wrapped=True),
    Style("annex", words("annex"), numerals=True),
    Style("chapter", words("chapter"), numerals=True),
    Style("clause", words("clause")),
    Style("requirement", words("requirement")),
    Style("control", words("control")),
    Style("section", words("section"), spaced=False),
    Style("part", words("part")),
)
_BY_WORD = {word: style for style in _STYLES for word in style.keywords}
_BARE = Style("bare", frozenset({"§"}))
_CODES_OF_LAW = replace(_BARE, ranges=False)


def scan(tokens: Tokens, document: Instrument | None) -> list[Event]:
    """The events of a text. One step forward at a time; each looks ahead a bounded way."""
    return _Scanner(tokens, document).run()


class _Scanner:
    def __init__(self, tokens: Tokens, document: Instrument | None) -> None:
        self.tokens = tokens
        self.document = document
        self.events: list[Event] = []
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
        group = self._group(at)
        if group is not None:
            if group.options[0].kind in CODE_KINDS or not self._own(group):
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
                    further = edition_at(last.editions, tokens, after, alone=True)
                    if after == end or further is None:
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

    # Places

    def _group(self, at: int) -> Group | None:
        tokens = self.tokens
        if tokens.kinds[at] is Kind.NUMBER:
            return self._bare(at)
        low = tokens.low(at)
        if tokens.kinds[at] is Kind.MARK:
            return self._section_sign(at) if low == "§" else None
        if (
            tokens.glued(at)
            and tokens.text(at - 1) in ("-", ".", "/", "@", "#")
            and low not in ("art", "article")
        ):
            return self._codes(at)
        if low in _POINTS:
            return self._reversed(at)
        style = _BY_WORD.get(low)
        if style is not None:
            found = self._keyword(at, style)
            if found is not None:
                return found
        if low in words("subpart"):
            return self._subpart(at)
        if low == "cis":
            return self._keyword(at, _BY_WORD["control"])
        return self._codes(at)

    def _keyword(self, at: int, style: Style) -> Group | None:
        """A word such as "Articles" and the places after it."""
        tokens = self.tokens
        start, single = at, len(tokens.text(at)) == 1
        at += 1
        if tokens.text(at) == "." and tokens.glued(at):
            at += 1
        elif single:
            # "s 12" is a section only with its dot or glued: a lone letter is anything.
            return None
        hyphen = tokens.text(at) == "-" and tokens.glued(at) and tokens.glued(at + 1)
        if (tokens.text(at) in (":", "#") or hyphen) and style.kind in (
            "requirement",
            "clause",
            "control",
        ):
            at += 1
        if style.kind == "section" and tokens.text(at) == "§":
            at += 1
        if style.kind == "annex":
            return self._annex(start, at)
        if style.kind == "control" and code_at(tokens, at):
            return None
        if style.kind in ("section", "part"):
            style = self._in_code_of_law(at, style)
        run = read_list(tokens, at, style)
        if run is None:
            return None
        if style.kind == "chapter" and tokens.text(start)[0].islower():
            return None
        if style.kind == "article" and tokens.low(run.end) == "working":
            return None
        option = Option(style.kind, run.places)
        return Group([option], start, run.end, cut=len(run.cut))

    def _in_code_of_law(self, at: int, style: Style) -> Style:
        """Sections with their part before the point ("164.308") are not counted through."""
        dotted = self.tokens.text(at + 1) == "." and self.tokens.number(at + 2)
        return replace(style, ranges=False) if dotted and style.kind == "section" else style

    def _section_sign(self, at: int) -> Group | None:
        start = at
        at += 1
        at += self.tokens.text(at) == "§"
        style = self._in_code_of_law(at, _BY_WORD["section"])
        run = read_list(self.tokens, at, style)
        if run is None:
            return None
        sure = Option("section", run.places, plain=True)
        return Group([sure], start, run.end, cut=len(run.cut))

    def _annex(self, start: int, at: int) -> Group | None:
        tokens = self.tokens
        code = next((code for code in code_at(tokens, at) if code.kind == "annex"), None)
        if code is not None:
            return self._code_list(start, code)
        if tokens.text(at) == "A":
            # "Annex A control 5.19", "Annex A – 8.1"
            further = at + 1
            if tokens.text(further) in ("-", "–", ",", ":"):
                further += 1
            if tokens.low(further) in words("control"):
                further += 1
            number = place_at(tokens, further, _BARE)
            if further > at + 1 and number is not None and number[0].prefix:
                run = read_list(tokens, further, _BARE)
                if run is not None:
                    places = [replace(p, prefix=f"A.{p.prefix}") for p in run.places]
                    return Group([Option("annex", places)], start, run.end, cut=len(run.cut))
        run = read_list(tokens, at, _BY_WORD["annex"])
        if run is None:
            return None
        if tokens.text(run.end - 1) == "A":
            # "Annex A controls A.5.15 and …" names the controls, not the whole annex.
            further = run.end + (tokens.low(run.end) in words("control"))
            further += tokens.text(further) in (":", "(")
            if any(code.kind == "annex" for code in code_at(tokens, further)):
                return None
        options = []
        if all(place.style == "roman" for place in run.places):
            options.append(Option("annex_roman", run.places))
        letters = [_as_letter(place) for place in run.places]
        if all(letter is not None for letter in letters):
            options.append(Option("annex_letter", [p for p in letters if p is not None]))
        return Group(options, start, run.end, cut=len(run.cut)) if options else None

    def _subpart(self, at: int) -> Group | None:
        """Read "Subpart C of 45 CFR Part 164", "subparts A and E of part 164"."""
        tokens, start = self.tokens, at
        letters: list[str] = []
        at += 1
        while len(tokens.text(at)) == 1 and tokens.text(at).isupper() and len(letters) < 20:
            letters.append(tokens.text(at))
            at += 1
            joint = separator(tokens, at)
            if (
                joint is None
                or len(tokens.text(joint[1])) != 1
                or not tokens.text(joint[1]).isupper()
            ):
                break
            at = joint[1]
        if not letters:
            return None
        after = at + (tokens.low(at) == "of")
        after += tokens.low(after) == "the"
        code = numbered(tokens, after)
        explicit: tuple[Instrument, ...] = ()
        if code is not None and code.instruments[0].family == "cfr":
            explicit, after = code.instruments, code.end
        part = ""
        if tokens.low(after) in words("part") and tokens.number(after + 1):
            part, at = tokens.text(after + 1), after + 2
        elif self.events and isinstance(last := self.events[-1], Group):
            # "45 CFR Part 164, Subpart E": the part stood before, and goes into this place.
            option = last.options[0]
            if option.kind == "part" and start - last.end <= 1 and len(option.places) == 1:
                part, explicit = option.places[0].head, last.explicit
                self.events.pop()
                start = last.start
        if not part:
            return None
        places = [Place(letter, 0, style="none", section=part) for letter in letters]
        return Group([Option("subpart", places)], start, at, explicit)

    def _bare(self, at: int) -> Group | None:
        """A number with no word before it. Only its position tells whether it is a place."""
        tokens = self.tokens
        before = tokens.low(at - 1)
        if tokens.glued(at) and (
            before.isalnum()
            or before in ("-", ".", "$", "€", "£", "#", "=", "/", "~", "–", "+", "<", ">", "@", "_")
        ):
            return None
        if not tokens.glued(at) and before in ("$", "€", "£", "≥", "≤", "<", ">", "~", "="):
            return None
        article = self._unnamed_article(at)
        if article is not None:
            return article
        law = tokens.text(at + 1) == "." and len(tokens.text(at)) >= 3
        run = read_list(tokens, at, _CODES_OF_LAW if law else _BARE)
        if run is None or before in words("version"):
            return None
        return Group([Option("bare", run.places)], at, run.end, cut=len(run.cut))

    def _unnamed_article(self, at: int) -> Group | None:
        """Read "14(4), point (e)" and "5(2) GDPR", where the word "Article" is left out."""
        tokens = self.tokens
        if len(tokens.text(at)) > 3 or tokens.text(at + 1) != "(" or not tokens.glued(at + 1):
            return None
        run = read_list(tokens, at, _BY_WORD["article"])
        if run is None or not run.places[0].groups or run.places[0].prefix:
            return None
        pointed = any(tokens.low(index) in _POINTS for index in range(at, run.end))
        option = Option("article", run.places)
        return Group([option], at, run.end, unnamed=not pointed, cut=len(run.cut))

    def _reversed(self, at: int) -> Group | None:
        """Read "points (a) and (b) of Article 6(1)", "paragraph 1 of Article 5"."""
        tokens, start = self.tokens, at
        levels: list[list[tuple[str, ...]]] = []
        for _ in range(4):
            found = labels_after(tokens, at) if tokens.low(at) in _POINTS else None
            if found is None:
                break
            levels.append(found[0])
            at = found[1]
            if tokens.low(at) not in ("of", "in") or not refers_on(tokens, at + 1):
                return None
            at += 1
            while tokens.low(at) in words("ordinals") | _SUBPARAGRAPH | {"the", "of", "in"}:
                if at - start > 400:
                    return None
                at += 1
        style = _BY_WORD.get(tokens.low(at))
        if not levels or style is None or style.kind not in ("article", "annex"):
            return None
        at += 1
        at += tokens.text(at) == "." and tokens.glued(at)
        run = read_list(tokens, at, style)
        if run is None:
            return None
        first = [run.places[0]]
        for labels in reversed(levels):
            first = [replace(p, groups=(*p.groups, *label)) for p in first for label in labels]
            if len(first) > 100:
                return None
        kind = style.kind
        if kind == "annex":
            kind = "annex_roman" if run.places[0].style == "roman" else "annex_letter"
        option = Option(kind, [*first, *run.places[1:]])
        return Group([option], start, run.end, cut=len(run.cut))

    def _codes(self, at: int) -> Group | None:
        found = code_at(self.tokens, at)
        groups = [self._code_list(at, code) for code in found]
        if not groups:
            return None
        options = [option for group in groups for option in group.options]
        return Group(options, at, max(g.end for g in groups), cut=max(g.cut for g in groups))

    def _code_list(self, start: int, code: Code) -> Group:
        """A code with what is listed after it: "AC-2(1), (3)", "A.5.19–5.22", "CC6.1–CC6.8"."""
        tokens = self.tokens
        places, end, cut = [code.place], code.end, 0
        while len(places) < 400:
            joint = separator(tokens, end)
            if joint is None:
                break
            how, at = joint
            last = places[-1]
            following = self._next_code(code.kind, last, how, at)
            if following is None:
                break
            place, after = following
            if how == "range":
                made = expand(last, place)
                if made is None:
                    break
                cut += not made.whole
                places.extend(made.places[1:])
            else:
                places.append(place)
            end = after
        return Group([Option(code.kind, places, code.plain)], start, end, cut=cut)

    def _next_code(self, kind: str, last: Place, how: str, at: int) -> tuple[Place, int] | None:
        tokens = self.tokens
        if tokens.low(at) in words("annex") | words("control"):
            at += 1
        # Codes of the kind that are glued to a range's dash begin here too.
        for reader in (code_at(tokens, at), _glued_code(tokens, at)):
            for code in reader:
                if code.kind == kind:
                    return (code.place, code.end)
        grouped = group_at(tokens, at)
        if grouped is not None and last.groups:
            return beside(last, _plain_label(grouped[0])), grouped[1]
        if not tokens.number(at) or last.style != "digits":
            return None
        tail = place_at(tokens, at, _BARE)
        if tail is None or tail[0].groups:
            return None
        number, end = tail
        if number.prefix and last.prefix.endswith(number.prefix) and "." in last.prefix:
            return replace(number, prefix=last.prefix), end
        narrow = len(tokens.text(at)) <= 2 and not number.prefix and number.number > last.number
        if how == "range" and narrow and not last.groups:
            if kind == "control53":
                place, end = statement(tokens, at + 1, replace(number, prefix=last.prefix, width=1))
                return place, end
            return replace(number, prefix=last.prefix), end
        return None

    # What is the document's own

    def _own(self, group: Group) -> bool:
        """Whether the text says that the place is in the document itself; notes "of this Act"."""
        tokens, at = self.tokens, group.end
        if tokens.text(at) == ",":
            at += 1
        if tokens.low(at) in words("after_own"):
            return True
        if tokens.low(at) not in ("of", "to", "in"):
            return False
        pointer = tokens.low(at + 1)
        noun_at = at + 2 if pointer in _POINTERS else at + 1
        for step in range(3):
            noun = tokens.low(noun_at + step)
            if noun in words("own"):
                return True
            if pointer in ("this", "that", "those", "these") and noun in words("this"):
                group.points_to = "this" if pointer in ("this", "these") else "that"
                return False
            if not noun.isalpha() or noun in ("of", "and", "or", "the"):
                break
        return False


_POINTERS = words("pointers")
_POINTS = words("reversed")
_SUBPARAGRAPH = frozenset({"subparagraph", "subparagraphs", "sentence", "indent"})


def _plain_label(label: str) -> str:
    return str(int(label)) if label.isdigit() else label


def _glued_code(tokens: Tokens, at: int) -> list[Code]:
    """Codes after a dash that joins two of them without spaces, "AC-2–AC-6"."""
    if not tokens.glued(at) or not tokens.word(at):
        return []
    tokens.glues[at] = False
    try:
        return code_at(tokens, at)
    finally:
        tokens.glues[at] = True


def _as_letter(place: Place) -> Place | None:
    if place.style == "letter":
        return place
    if place.style == "roman" and len(place.head) == 1:
        return replace(place, style="letter", number=ord(place.head) - ord("A") + 1)
    return None
