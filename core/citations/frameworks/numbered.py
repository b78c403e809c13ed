"""Instruments that are named by a number: standards, publications, acts of the Union, codes."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.citations.frameworks.catalogue import Instrument, catalogue, numbers
from core.citations.frameworks.codes import code_at
from core.citations.frameworks.editions import dotted
from core.citations.frameworks.tokens import Kind, Tokens

_YEAR = re.compile(r"(?:19[4-9]|20[0-4])[0-9]\Z")
_BODIES = frozenset({"ISO", "IEC", "ISA", "EN", "BS", "DIN", "IEEE", "ANSI", "AAMI", "SAE", "ASTM"})
_NATIONAL = frozenset({"EN", "BS", "DIN", "ANSI", "AAMI", "ISA"})
_REPORTS = frozenset({"TR", "TS", "PAS", "GUIDE"})
_ACT_KINDS = {
    "regulation": "Regulation", "regulations": "Regulation", "directive": "Directive",
    "directives": "Directive", "decision": "Decision", "decisions": "Decision",
    "recommendation": "Recommendation", "cir": "Implementing Regulation",
    "cdr": "Delegated Regulation", "verordnung": "Regulation", "richtlinie": "Directive",
}  # fmt: skip
_BLOCS = frozenset({"EU", "EC", "EEC", "Euratom", "JHA", "CE", "EG", "UE", "CFSP"})
_INSTITUTIONS = frozenset({"Commission", "Council"})


@dataclass(frozen=True, slots=True)
class Found:
    """Instruments that begin at a token; several where one noun names a list of them."""

    instruments: tuple[Instrument, ...]
    end: int
    """The token after the last one."""


def numbered(tokens: Tokens, index: int) -> Found | None:
    """The instrument named by a number that begins at the token `index`."""
    if tokens.kinds[index] is Kind.MARK:
        return None
    reader = _FIRST.get(tokens.low(index))
    if reader is not None:
        found = reader(tokens, index)
        if found is not None:
            return found
    if tokens.number(index):
        return code_of_law(tokens, index) or _bare_standard(tokens, index)
    return None


def standard(number: str, prefix: str, part: str = "", edition: str = "") -> Instrument:
    """The standard of that number, under its publisher's own prefix where that is known."""
    prefix = numbers()["standards"].get(number, prefix)
    name = f"{prefix} {number}{part}"
    family = "iso_guide" if number in numbers()["guides"] else "iso"
    return Instrument(name, family, edition, editions="year")


def _standard(tokens: Tokens, index: int) -> Found | None:
    """ISO/IEC 27001:2022, EN ISO 13485:2016, IEC 62443-3-3, ISO/TR 24971."""
    at = index
    bodies: list[tuple[str, bool]] = []
    while True:
        text = tokens.text(at).upper()
        if text in _BODIES or (text in _REPORTS and bodies):
            bodies.append((text, at > index and tokens.text(at - 1) == "/"))
            at += 1
        elif text in ("/", "-") and tokens.text(at + 1).upper() in _BODIES | _REPORTS:
            at += 1
        else:
            break
        if len(bodies) > 5:
            return None
    # National and regional bodies adopt a standard; it stays the publisher's.
    own = [(body, slash) for body, slash in bodies if body not in _NATIONAL]
    if not own:
        return None
    if tokens.text(at) == "-" and tokens.glued(at):
        at += 1
    if tokens.low(at) in ("standard", "norm"):
        at += 1
    prefix = own[0][0] + "".join(("/" if slash else " ") + body for body, slash in own[1:])
    made, end = _standard_number(tokens, at, prefix)
    if made is None:
        return None
    found = [made]
    while True:
        # "ISO/IEC 27001, 27002 and 27701": a further number only where it is a known standard's.
        step = 1 if tokens.text(end) in ("/", ",", "&") or tokens.low(end) in ("and", "or") else 0
        if step and tokens.low(end + 1) in ("and", "or"):
            step = 2
        known = tokens.text(end + step) in numbers()["standards"]
        if not step or not known:
            return Found(tuple(found), end)
        more, end = _standard_number(tokens, end + step, prefix)
        if more is not None:
            found.append(more)


def _standard_number(tokens: Tokens, at: int, prefix: str) -> tuple[Instrument | None, int]:
    number = tokens.text(at)
    if not tokens.number(at) or not 3 <= len(number) <= 6:
        return None, at
    if tokens.word(at + 1) and tokens.glued(at + 1):
        return None, at
    start, at = at, at + 1
    part = edition = ""
    while tokens.text(at) in ("-", "–", ":") and tokens.number(at + 1) and tokens.glued(at + 1):
        mark, text = tokens.text(at), tokens.text(at + 1)
        if _YEAR.match(text) and not edition and tokens.glued(at):
            edition = f":{text}"
        elif mark == "-" and not edition and len(text) <= 3 and tokens.glued(at):
            part += f"-{text}"
        else:
            break
        at += 2
    if not edition and tokens.text(at) == "(" and _YEAR.match(tokens.text(at + 1)):
        if tokens.text(at + 2) == ")":
            edition, at = f":{tokens.text(at + 1)}", at + 3
    elif not edition and tokens.text(at) == ":" and _YEAR.match(tokens.text(at + 1)):
        edition, at = f":{tokens.text(at + 1)}", at + 2
    if tokens.text(at) == "/" and tokens.low(at + 1) == "amd" and tokens.number(at + 2):
        at += 3
        if tokens.text(at) == ":" and tokens.number(at + 1):
            at += 2
    if len(number) == 3 and not edition:
        # Three digits are a film's speed more often than a standard.
        return None, start
    return standard(number, prefix, part, edition), at


def _bare_standard(tokens: Tokens, index: int) -> Found | None:
    """62304:7.1.2 and 14971:4.3: a known number, a colon and a clause."""
    number = tokens.text(index)
    before = tokens.text(index - 1)
    if number not in numbers()["bare"] or (
        tokens.glued(index) and (before.isalnum() or before in "./-:")
    ):
        return None
    at = index + 1
    part = edition = ""
    if tokens.text(at) == "-" and tokens.glued(at) and len(tokens.text(at + 1)) == 1:
        part, at = f"-{tokens.text(at + 1)}", at + 2
    if tokens.text(at) == ":" and _YEAR.match(tokens.text(at + 1)) and tokens.glued(at + 1):
        edition, at = f":{tokens.text(at + 1)}", at + 2
    colon = tokens.text(at) == ":" and tokens.glued(at) and tokens.number(at + 1)
    dotted = tokens.text(at + 2) == "." and tokens.number(at + 3) and tokens.glued(at + 3)
    if edition or (colon and dotted and tokens.glued(at + 1)):
        return Found((standard(number, "ISO", part, edition),), at)
    return None


def _nist(tokens: Tokens, index: int) -> Found | None:
    """NIST SP 800-53 Rev. 5, NIST 800-171r2, SP 800-30."""
    at = index
    if tokens.text(at).upper() == "NIST":
        at += 1
        if tokens.text(at) == "-" and tokens.glued(at):
            at += 1
    series = ""
    if tokens.text(at).upper() == "SP" or tokens.low(at) == "special":
        at += 2 if tokens.low(at) == "special" else 1
        if tokens.text(at) == "-" and tokens.glued(at):
            at += 1
        series = "SP"
    elif tokens.text(at).upper() in ("IR", "NISTIR"):
        series, at = "IR", at + 1
    elif tokens.text(at).upper() == "AI" and tokens.text(at + 1) in ("100", "600"):
        series, at = "AI", at + 1
    elif at == index:
        return None
    if series == "IR" and tokens.number(at) and len(tokens.text(at)) == 4:
        return Found((Instrument(f"NIST IR {tokens.text(at)}", "none"),), at + 1)
    volume = tokens.text(at)
    volumes = ("100", "600") if series == "AI" else ("500", "800", "1800")
    if volume not in volumes or tokens.text(at + 1) not in ("-", "–") or not tokens.number(at + 2):
        return None
    number = f"{volume}-{tokens.text(at + 2)}"
    at += 3
    if tokens.word(at) and tokens.glued(at) and tokens.text(at) in ("A", "B", "C"):
        number, at = number + tokens.text(at), at + 1
    name = f"NIST {series or 'SP'} {number}"
    family = numbers()["nist"].get(number, "none")
    if number == "800-218":
        name, family = "NIST SSDF", "ssdf"
    elif series == "AI":
        name, family = "NIST AI RMF" if number == "100-1" else name, "airmf"
    return Found((Instrument(name, family, editions="nist"),), at)


def _publication(tokens: Tokens, index: int) -> Found | None:
    """FIPS 140-3, EO 14028, OMB M-22-09, BOD 22-01, BSI-Standard 200-1, EBA/GL/2019/04."""
    head, at = tokens.text(index), index + 1
    if head == "FIPS":
        at += tokens.low(at) in ("pub", "publication")
        at += tokens.text(at) == "-"
        if tokens.number(at) and len(tokens.text(at)) == 3:
            number, at = tokens.text(at), at + 1
            if tokens.text(at) == "-" and tokens.number(at + 1) and tokens.glued(at):
                number, at = f"{number}-{tokens.text(at + 1)}", at + 2
            return Found((Instrument(f"FIPS {number}", "none"),), at)
    elif head == "EO" or (head == "Executive" and tokens.text(at) == "Order"):
        at += head == "Executive"
        if tokens.number(at) and len(tokens.text(at)) == 5:
            return Found((Instrument(f"EO {tokens.text(at)}", "none"),), at + 1)
    elif head == "E" and tokens.text(at) == "." and tokens.text(at + 1) == "O":
        at += 2 + (tokens.text(at + 2) == ".")
        if tokens.number(at) and len(tokens.text(at)) == 5:
            return Found((Instrument(f"EO {tokens.text(at)}", "none"),), at + 1)
    elif head in ("FAR", "DFARS"):
        return _acquisition(tokens, index)
    elif head == "EDPB":
        at += tokens.low(at) in ("guidelines", "recommendations", "guideline")
        if at > index + 1 and tokens.text(at + 1) == "/" and tokens.number(at + 2):
            name = f"EDPB {tokens.text(at - 1)} {tokens.text(at)}/{tokens.text(at + 2)}"
            return Found((Instrument(name, "none"),), at + 3)
    elif head in ("OMB", "BOD", "M"):
        at += tokens.low(at) in ("memorandum", "memo")
        body = "BOD " if head == "BOD" else "OMB M-"
        if head == "OMB" and tokens.low(at) == "circular" and tokens.text(at + 1) == "A":
            if tokens.text(at + 2) == "-" and tokens.number(at + 3):
                name = f"OMB Circular A-{tokens.text(at + 3)}"
                return Found((Instrument(name, "none"),), at + 4)
            return None
        if head == "OMB" and tokens.text(at) == "M" and tokens.text(at + 1) == "-":
            at += 2
        elif head == "OMB":
            return None
        elif head == "M":
            two = len(tokens.text(at + 1)) == 2 and len(tokens.text(at + 3)) == 2
            if tokens.text(at) != "-" or not two or tokens.glued(index):
                return None
            at += 1
        if tokens.number(at) and tokens.text(at + 1) == "-" and tokens.number(at + 2):
            made = Instrument(f"{body}{tokens.text(at)}-{tokens.text(at + 2)}", "none")
            return Found((made,), at + 3)
    elif head in ("EBA", "ESMA", "EIOPA", "JC"):
        return _guidelines(tokens, index)
    elif head == "BSI":
        return _bsi(tokens, at)
    return None


def _acquisition(tokens: Tokens, index: int) -> Found | None:
    """DFARS 252.204-7012, FAR 52.204-21, FAR 8.4."""
    number, at = dotted(tokens, index + 1)
    if "." not in number:
        return None
    if tokens.text(at) == "-" and tokens.glued(at) and tokens.number(at + 1):
        number, at = f"{number}-{tokens.text(at + 1)}", at + 2
    return Found((Instrument(f"{tokens.text(index)} {number}", "none"),), at)


def _bsi(tokens: Tokens, at: int) -> Found | None:
    at += tokens.text(at) == "-"
    if tokens.text(at) == "Standard" and tokens.number(at + 1) and tokens.text(at + 2) == "-":
        made = Instrument(f"BSI-Standard {tokens.text(at + 1)}-{tokens.text(at + 3)}", "none")
        return Found((made,), at + 4) if tokens.number(at + 3) else None
    module = any(code.kind == "bsi" for code in code_at(tokens, at))
    return Found((Instrument("BSI", "bsi"),), at) if module else None


def _guidelines(tokens: Tokens, index: int) -> Found | None:
    at, name = index + 1, tokens.text(index)
    while tokens.text(at) in ("/", "-") and tokens.glued(at) and len(name) < 24:
        piece = tokens.text(at + 1)
        if not (tokens.glued(at + 1) and (tokens.number(at + 1) or piece.isupper())):
            break
        name, at = f"{name}{tokens.text(at)}{piece}", at + 2
    return (
        Found((Instrument(name, "none"),), at)
        if name.count("/") >= 2 and name[-1].isdigit()
        else None
    )


def _act(tokens: Tokens, index: int) -> Found | None:
    """Regulation (EU) No 1093/2010, Commission Decision 2010/227/EU, Directives 98/79/EC and …"""
    at, institution = index, ""
    if tokens.text(at) in _INSTITUTIONS:
        institution, at = tokens.text(at), at + 1
    manner = ""
    if tokens.text(at).title() in ("Implementing", "Delegated", "Framework"):
        manner, at = tokens.text(at).title() + " ", at + 1
    kind = _ACT_KINDS.get(tokens.low(at))
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
    if not (bloc or suffix or no or (_YEAR.match(first) or _YEAR.match(second))):
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
    if not (tokens.number(at) and _YEAR.match(tokens.text(at))) or (
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


_Reader = Callable[[Tokens, int], Found | None]
_FIRST: dict[str, _Reader] = {
    **dict.fromkeys((body.lower() for body in _BODIES), _standard),
    **dict.fromkeys(("nist", "sp", "nistir"), _nist),
    **dict.fromkeys(
        (
            "fips",
            "eo",
            "executive",
            "omb",
            "bod",
            "eba",
            "esma",
            "eiopa",
            "jc",
            "bsi",
            "e",
            "far",
            "dfars",
            "edpb",
            "m",
        ),
        _publication,
    ),
    **dict.fromkeys(("commission", "council", "implementing", "delegated", "framework"), _act),
    **dict.fromkeys(_ACT_KINDS, _act),
}
