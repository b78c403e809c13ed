"""Lists and ranges of numeric places: "28(3)(a) to (c), 30 and 32(1), point (b)".

`read_list` reads as far as the list goes and gives the places in order.
"""

from dataclasses import dataclass, field, replace

from core.citations.frameworks.acts import code_of_law
from core.citations.frameworks.marks import group_at, separator
from core.citations.frameworks.places import Place, beside, expand, roman
from core.citations.frameworks.points import counts, points_at, says_points
from core.citations.frameworks.tokens import Tokens

_LETTERED = frozenset({"article", "clause", "bare"})
LONGEST = 400
"""The most places that one list is read for."""


@dataclass(frozen=True, slots=True)
class Style:
    """How the places of a kind are written."""

    kind: str
    keywords: frozenset[str]
    numerals: bool = False
    """Roman numerals or single letters in place of numbers."""
    spaced: bool = False
    """Whether a group in brackets may stand after a space."""
    wrapped: bool = False
    """Whether the number itself may stand in brackets, as recitals' do."""
    ranges: bool = True
    """Whether a range is a list of whole places; sections of a code are not counted through."""


@dataclass(slots=True)
class Run:
    """What a list gave: the places, the token after it, and what had to be left out."""

    places: list[Place]
    end: int
    cut: list[tuple[Place, Place]] = field(default_factory=list)
    """The ends of ranges that were not written out."""


def place_at(tokens: Tokens, at: int, style: Style) -> tuple[Place, int] | None:
    """One place at the token `at`."""
    if style.numerals:
        return _numeral(tokens, at)
    wrapped = style.wrapped and tokens.text(at) == "(" and tokens.text(at + 2) == ")"
    if wrapped and tokens.number(at + 1):
        return Place("", int(tokens.text(at + 1))), at + 3
    if not tokens.number(at) or len(tokens.text(at)) > 5:
        return None
    parts, at = [tokens.text(at)], at + 1
    while (
        tokens.text(at) == "."
        and tokens.glued(at)
        and tokens.number(at + 1)
        and tokens.glued(at + 1)
        and len(parts) < 6
    ):
        parts.append(tokens.text(at + 1))
        at += 2
    prefix = "".join(f"{part}." for part in parts[:-1])
    last = parts[-1]
    made = Place(prefix, int(last), len(last) if last.startswith("0") else 1)
    groups: list[str] = []
    hanging = tokens.word(at) and tokens.glued(at)
    if hanging:
        letter = tokens.text(at)
        if len(letter) > 1 or not letter.isascii():
            return None
        if style.kind in ("clause", "bare", "requirement") and letter.islower():
            groups.append(letter)
        else:
            # "Article 10a" and "552a" are numbers of their own.
            made = Place(made.head + letter, 0, style="none")
        at += 1
    elif tokens.glued(at) and tokens.text(at) in ("%", "°", "$", "€"):
        return None
    while len(groups) < 7:
        found = group_at(tokens, at)
        if found is None or not (tokens.glued(at) or style.spaced):
            break
        groups.append(found[0])
        at = found[1]
    dot_letter = tokens.text(at) == "." and tokens.glued(at + 1) and tokens.word(at + 1)
    if dot_letter and tokens.glued(at) and style.kind in _LETTERED and not groups:
        # "62304:5.1.1.a"
        letter = tokens.text(at + 1)
        ends = not tokens.glued(at + 2) or not tokens.text(at + 2).isalnum()
        if len(letter) == 1 and letter.isascii() and letter.islower() and letter != "x" and ends:
            groups.append(letter)
            at += 2
    if style.kind in ("clause", "bare") and not groups and prefix and _lettered(tokens, at):
        groups.append(tokens.text(at))
        at += 2
    if tokens.text(at) == "[" and tokens.text(at + 2) == "]" and tokens.glued(at):
        label = tokens.text(at + 1)
        if len(label) == 1 and label.isalpha() and style.kind in ("bare", "requirement"):
            return Place(f"{made.head}[{label}]", 0, style="none"), at + 3
    return replace(made, groups=tuple(groups)), at


def _lettered(tokens: Tokens, at: int) -> bool:
    """Whether a letter and a closing bracket follow, as in "6.1.3 d)"."""
    text = tokens.text(at)
    single = tokens.word(at) and len(text) == 1 and text.isascii() and text.islower()
    return single and tokens.text(at + 1) == ")" and tokens.glued(at + 1)


def _numeral(tokens: Tokens, at: int) -> tuple[Place, int] | None:
    text = tokens.text(at)
    if not tokens.word(at):
        return None
    value = roman(text) if text.isupper() else None
    if value is not None:
        made = Place("", value, style="roman")
    elif len(text) == 1 and "A" <= text <= "Z":
        made = Place("", ord(text) - ord("A") + 1, style="letter")
    else:
        return None
    at += 1
    if tokens.glued(at) and (tokens.word(at) or tokens.number(at)):
        return None
    groups: list[str] = []
    if (
        tokens.text(at) == "."
        and tokens.glued(at)
        and tokens.glued(at + 1)
        and tokens.number(at + 1)
    ):
        # "Annex I.1(a)"
        groups.append(tokens.text(at + 1))
        at += 2
    while (found := group_at(tokens, at)) is not None and len(groups) < 5 and tokens.glued(at):
        groups.append(found[0])
        at = found[1]
    return replace(made, groups=tuple(groups)), at


def read_list(tokens: Tokens, at: int, style: Style) -> Run | None:
    """The places that begin at the token `at`."""
    first = place_at(tokens, at, style)
    if first is None:
        return None
    run = Run([], first[1])
    _add(tokens, run, first, style)
    while len(run.places) < LONGEST:
        joint = separator(tokens, run.end)
        if joint is None:
            # "6.1.2 (Risk assessment) and 6.1.3": a title between two places of one list.
            after = _after_title(tokens, run.end)
            joint = separator(tokens, after) if after else None
            if joint is None or joint[0] == "range":
                break
        if not _further(tokens, run, joint, style):
            break
    return run


def _after_title(tokens: Tokens, at: int) -> int | None:
    """The token after a short title in brackets at `at`, None where there is none."""
    if tokens.text(at) != "(":
        return None
    for step in range(1, 12):
        text = tokens.text(at + step)
        if text == ")":
            return at + step + 1
        if not text or text in "(|;":
            break
    return None


def _add(tokens: Tokens, run: Run, found: tuple[Place, int], style: Style) -> None:
    """Add a place together with the points that follow it: "6(1), point (a)"."""
    place, run.end = found
    annex = style.kind == "annex"
    section = _annex_section(tokens, run.end) if annex else None
    if section is not None:
        place, run.end = replace(place, section=section[0]), section[1]
    below = points_at(tokens, run.end)
    if below is None:
        run.places.append(place)
        return
    labels, run.end = below
    # Each label goes below the place as it stood; a further level narrows each of them.
    run.places.extend(replace(place, groups=(*place.groups, *label)) for label in labels)


def _annex_section(tokens: Tokens, at: int) -> tuple[str, int] | None:
    """Read ", Part II" and ", Section A" of an annex."""
    bracket = tokens.text(at) == "("
    at += bracket or tokens.text(at) == ","
    word = tokens.text(at).title()
    label = tokens.text(at + 1)
    if word not in ("Part", "Section") or tokens.low(at + 2) == "of":
        return None
    simple = label.isdigit() or (label.isupper() and (len(label) == 1 or roman(label)))
    if not simple or len(label) > 4 or (bracket and tokens.text(at + 2) != ")"):
        return None
    return f" {word} {label}", at + 2 + bracket


def _further(tokens: Tokens, run: Run, joint: tuple[str, int], style: Style) -> bool:
    """Read what follows a joint; false where it is no further place."""
    how, at = joint
    last = run.places[-1]
    if how == "range" and tokens.low(at) in style.keywords and not tokens.glued(at):
        at += 1
        at += tokens.text(at) == "."
    elif (how == "range" and tokens.low(at) in style.keywords | {"§"}) or (
        how == "and" and tokens.text(at) == "§"
    ):
        at += 1
    grouped = group_at(tokens, at) if (style.spaced or last.groups or how == "range") else None
    if grouped is not None and not (style.wrapped and not last.groups):
        return _grouped(tokens, run, how, grouped, style)
    if last.section and how == "and":
        further = _annex_section(tokens, at)
        if further is not None:
            run.places.append(replace(last, section=further[0], groups=()))
            run.end = further[1]
            return True
    if how == "and" and points_at(tokens, at) is not None and says_points(tokens, at):
        return False
    found = place_at(tokens, at, style)
    if found is None or counts(tokens, found[1] - 1):
        return False
    if tokens.text(at - 1) == "/" and not tokens.glued(at):
        return False
    if code_of_law(tokens, at) is not None:
        # "5 U.S.C. 552a and 44 U.S.C. 3554": the number is another code's title.
        return False
    place = found[0]
    if how != "range":
        if len(last.prefix) > 3 and not style.ranges:
            place = _aligned(last, place)
        if style.kind == "bare" and "." not in place.head:
            return False
        _add(tokens, run, (place, found[1]), style)
        return True
    place = _aligned(last, place)
    if not style.ranges:
        if place.head <= last.head and len(place.head) <= len(last.head):
            return False
        run.places[-1] = replace(last, until=place)
        run.end = found[1]
        return True
    made = expand(last, place)
    if made is None:
        return False
    if not made.whole:
        run.cut.append((last, place))
    run.places.extend(made.places[1:-1])
    _add(tokens, run, (place, found[1]), style)
    return True


def _aligned(last: Place, place: Place) -> Place:
    """The second of two places with what it leaves out: 5.19–22, 164.400–414."""
    if place.style == "digits" and not place.prefix and last.prefix and last.style == "digits":
        parts = last.prefix.rstrip(".").split(".")
        leaves_out = place.number > last.number and (
            len(parts) > 1 or len(parts[0]) > 1 or last.number > 9
        )
        if leaves_out or len(parts[0]) >= 3:
            return replace(place, prefix=last.prefix)
    return place


def _grouped(tokens: Tokens, run: Run, how: str, grouped: tuple[str, int], style: Style) -> bool:
    label, at = grouped
    last = run.places[-1]
    place = beside(last, label)
    while (found := group_at(tokens, at)) is not None and tokens.glued(at):
        place, at = replace(place, groups=(*place.groups, found[0])), found[1]
    if how == "range":
        made = expand(last, place)
        if made is None:
            return False
        run.places.extend(made.places[1:-1])
    _add(tokens, run, (place, at), style)
    return True
