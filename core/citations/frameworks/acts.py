"""Acts and codes of law: of the Union by number, of parliaments by title and year, of the US."""

from dataclasses import replace

from core.citations.frameworks.catalogue import Found, Instrument, catalogue
from core.citations.frameworks.editions import YEAR
from core.citations.frameworks.tokens import Kind, Tokens

ACT_KINDS = {
    "regulation": "Regulation", "regulations": "Regulation", "directive": "Directive",
    "directives": "Directive", "decision": "Decision", "decisions": "Decision",
    "recommendation": "Recommendation", "cir": "Implementing Regulation",
    "cdr": "Delegated Regulation", "verordnung": "Regulation", "richtlinie": "Directive",
}  # fmt: skip
_BLOCS = frozenset({"EU", "EC", "EEC", "Euratom", "JHA", "CE", "EG", "UE", "CFSP"})
_INSTITUTIONS = frozenset({"Commission", "Council"})


def act(tokens: Tokens, index: int) -> Found | None:
    """Regulation (EU) No 1093/2010, Commission Decision 2010/227/EU, Directives 98/79/EC and …"""
    at, institution = index, ""
    if tokens.text(at) in _INSTITUTIONS:
        institution, at = tokens.text(at), at + 1
    manner = ""
    if tokens.text(at).title() in ("Implementing", "Delegated", "Framework"):
        manner, at = tokens.text(at).title() + " ", at + 1
    kind = ACT_KINDS.get(tokens.low(at))
    if kind is None or not tokens.word(at):
        return None
    at += 1
    made, at = _act_number(tokens, at, institution, manner + kind)
    if made is None:
        return None
    found = [made]
    while len(found) < 50:
        step = 1 if tokens.text(at) in (",", ";", "&") or tokens.low(at) in ("and", "or") else 0
        if step and tokens.low(at + 1) in ("and", "or"):
            step = 2
        if not step:
            break
        more, after = _act_number(tokens, at + step, institution, manner + kind)
        if more is None:
            break
        found.append(more)
        at = after
    return Found(tuple(found), at)


def _act_number(
    tokens: Tokens, at: int, institution: str, kind: str
) -> tuple[Instrument | None, int]:
    bloc = ""
    if tokens.text(at) == "(" and tokens.text(at + 1) in _BLOCS and tokens.text(at + 2) == ")":
        bloc, at = tokens.text(at + 1), at + 3
        bloc = {"CE": "EC", "EG": "EC", "UE": "EU"}.get(bloc, bloc)
    elif tokens.text(at) in _BLOCS and not tokens.glued(at):
        bloc, at = tokens.text(at), at + 1
    no = tokens.low(at) in ("no", "nr", "n")
    if no:
        at += 1
        at += tokens.text(at) in (".", "°", "º")
    if not (
        tokens.number(at)
        and tokens.text(at + 1) == "/"
        and tokens.glued(at + 1)
        and tokens.number(at + 2)
        and tokens.glued(at + 2)
    ):
        return None, at
    first, second = tokens.text(at), tokens.text(at + 2)
    if len(first) > 4 or len(second) > 4:
        return None, at
    at += 3
    suffix = ""
    if tokens.text(at) == "/" and tokens.text(at + 1) in _BLOCS and tokens.glued(at + 1):
        suffix, at = f"/{tokens.text(at + 1)}", at + 2
    number = f"{first}/{second}"
    if not (bloc or suffix or no or (YEAR.match(first) or YEAR.match(second))):
        return None, at
    known = catalogue().by_number.get(number)
    if known is not None:
        return replace(known, official=True), at
    if not bloc and not suffix:
        # A year first with no suffix is the numbering in use since 2015.
        bloc = "EU"
    keeps = institution and kind.split()[-1] in ("Decision", "Recommendation") and " " not in kind
    name = f"{institution} {kind}" if keeps else kind
    shown = f"{name} ({bloc}) " if bloc else f"{name} "
    shown += f"{'No ' if no else ''}{number}{suffix}"
    return Instrument(shown, "eu", official=True), at


def code_of_law(tokens: Tokens, index: int) -> Found | None:
    """45 CFR, 5 U.S.C., 11 CCR."""
    title, at = tokens.text(index), index + 1
    if (
        len(title) > 2
        or tokens.glued(at)
        or (tokens.glued(index) and tokens.text(index - 1) in ".-/:")
    ):
        return None
    for letters, name, family in (
        ("CFR", "CFR", "cfr"), ("USC", "U.S.C.", "usc"), ("CCR", "CCR", "usc"),
    ):  # fmt: skip
        end = _initials(tokens, at, letters)
        if end is not None:
            return Found((Instrument(f"{title} {name}", family),), end)
    return None


def _initials(tokens: Tokens, at: int, letters: str) -> int | None:
    """The token after "CFR" or "C.F.R." at `at`, None where it is not there."""
    if tokens.text(at) == letters:
        return at + 1
    for letter in letters:
        if tokens.text(at) != letter:
            return None
        at += 1
        if tokens.text(at) == ".":
            at += 1
    return at


def dated_act(tokens: Tokens, index: int) -> tuple[Instrument, int, int] | None:
    """An Act that is named by its title and year, which ends at "Act" in the token `index`.

    Returns the instrument and where it begins and ends, in tokens.
    """
    if tokens.text(index) not in ("Act", "Regulations", "Order") or index == 0:
        return None
    at = index + 1
    of = tokens.text(at) == "of"
    at += of
    at += tokens.text(at) == "," and not of
    if not (tokens.number(at) and YEAR.match(tokens.text(at))) or (
        tokens.text(index) != "Act" and of
    ):
        return None
    start = index
    low = max(0, index - 12)
    small = {"of", "and", "the", "for", "to", "in", "on", "&", "-", ","}
    while start > low:
        text = tokens.text(start - 1)
        if (tokens.kinds[start - 1] is Kind.WORD and text[0].isupper()) or (
            text in small and tokens.block_of[start - 1] == tokens.block_of[index]
        ):
            start -= 1
        else:
            break
    while start < index and (
        not tokens.word(start)
        or tokens.text(start) in ("The", "Under", "An", "This")
        or tokens.text(start) in small
    ):
        start += 1
    if start >= index:
        return None
    text = ""
    for position in range(start, at + 1):
        glue = tokens.glued(position) or position == start
        text += ("" if glue else " ") + tokens.text(position)
    return Instrument(text.replace(", ", " ") if not of else text, "act"), start, at + 1
