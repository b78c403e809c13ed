"""Places as they stand in a text: after a word such as "Articles", as codes, or bare."""

from dataclasses import replace

from core.citations.frameworks.catalogue import Instrument, catalogue, words
from core.citations.frameworks.codes import Code, code_at, statement
from core.citations.frameworks.events import Event, Group, Mention, Option
from core.citations.frameworks.lists import Style, place_at, read_list
from core.citations.frameworks.marks import group_at, separator
from core.citations.frameworks.numbered import numbered
from core.citations.frameworks.places import Place, beside, expand
from core.citations.frameworks.points import labels_after, refers_on
from core.citations.frameworks.tokens import Kind, Tokens

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
    Style("rule", words("rule")),
    Style("schedule", words("schedule")),
)
_BY_WORD = {word: style for style in _STYLES for word in style.keywords}
_BARE = Style("bare", frozenset({"§"}))
_CODES_OF_LAW = replace(_BARE, ranges=False)


_POINTERS = words("pointers")
_POINTS = words("reversed")
_SUBPARAGRAPH = frozenset({"subparagraph", "subparagraphs", "sentence", "indent"})


class GroupReader:
    """Reads the places that begin at a token; `events` are those before it."""

    def __init__(self, tokens: Tokens, events: list[Event]) -> None:
        self.tokens = tokens
        self.events = events

    def read(self, at: int) -> Group | None:
        """The places that begin at the token `at`, None where none do."""
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
        last = self.events[-1] if self.events else None
        code = (
            isinstance(last, Mention)
            and at - last.end <= 3
            and last.instruments[-1].family in ("usc", "cfr", "civil", "ccpa")
        )
        uncounted = style.kind != "part" and (code or (dotted and style.kind == "section"))
        return replace(style, ranges=False) if uncounted else style

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
            whole = option.kind == "part" or (
                option.kind == "bare" and "." not in option.places[0].head
            )
            if whole and start - last.end <= 1 and len(option.places) == 1:
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
        style = _CODES_OF_LAW if law else self._in_code_of_law(at, _BARE)
        run = read_list(tokens, at, style)
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

    def own(self, group: Group) -> bool:
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
        if catalogue().find(tokens, noun_at) or numbered(tokens, noun_at):
            return False
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
