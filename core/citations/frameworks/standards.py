"""Standards and NIST publications, which are named by a number."""

from core.citations.frameworks.catalogue import Found, Instrument, numbers
from core.citations.frameworks.editions import YEAR
from core.citations.frameworks.tokens import Tokens

BODIES = frozenset({"ISO", "IEC", "ISA", "EN", "BS", "DIN", "IEEE", "ANSI", "AAMI", "SAE", "ASTM"})
_NATIONAL = frozenset({"EN", "BS", "DIN", "ANSI", "AAMI", "ISA"})
_REPORTS = frozenset({"TR", "TS", "PAS", "GUIDE"})


def standard(number: str, prefix: str, part: str = "", edition: str = "") -> Instrument:
    """The standard of that number, under its publisher's own prefix where that is known."""
    prefix = numbers()["standards"].get(number, prefix)
    name = f"{prefix} {number}{part}"
    family = "iso_guide" if number in numbers()["guides"] else "iso"
    return Instrument(name, family, edition, editions="year")


def standards(tokens: Tokens, index: int) -> Found | None:
    """ISO/IEC 27001:2022, EN ISO 13485:2016, IEC 62443-3-3, ISO/TR 24971."""
    at = index
    bodies: list[tuple[str, bool]] = []
    while True:
        text = tokens.text(at).upper()
        if text in BODIES or (text in _REPORTS and bodies):
            bodies.append((text, at > index and tokens.text(at - 1) == "/"))
            at += 1
        elif text in ("/", "-") and tokens.text(at + 1).upper() in BODIES | _REPORTS:
            at += 1
        else:
            break
        if len(bodies) > 5:
            return None
    # National and regional bodies adopt a standard; it stays the publisher's.
    own = [(body, slash) for body, slash in bodies if body not in _NATIONAL]
    if not bodies:
        return None
    if tokens.text(at) == "-" and tokens.glued(at):
        at += 1
    if tokens.low(at) in ("standard", "norm"):
        at += 1
    if not own and tokens.text(at) not in numbers()["standards"]:
        return None
    own = own or bodies
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
        if YEAR.match(text) and not edition and tokens.glued(at):
            edition = f":{text}"
        elif mark == "-" and not edition and len(text) <= 3 and tokens.glued(at):
            part += f"-{text}"
        else:
            break
        at += 2
    if not edition and tokens.text(at) == "(" and YEAR.match(tokens.text(at + 1)):
        if tokens.text(at + 2) == ")":
            edition, at = f":{tokens.text(at + 1)}", at + 3
    elif not edition and tokens.text(at) == ":" and YEAR.match(tokens.text(at + 1)):
        edition, at = f":{tokens.text(at + 1)}", at + 2
    if tokens.text(at) == "/" and tokens.low(at + 1) == "amd" and tokens.number(at + 2):
        at += 3
        if tokens.text(at) == ":" and tokens.number(at + 1):
            at += 2
    if len(number) == 3 and not edition:
        # Three digits are a film's speed more often than a standard.
        return None, start
    return standard(number, prefix, part, edition), at


def bare_standard(tokens: Tokens, index: int) -> Found | None:
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
    if tokens.text(at) == ":" and YEAR.match(tokens.text(at + 1)) and tokens.glued(at + 1):
        edition, at = f":{tokens.text(at + 1)}", at + 2
    colon = tokens.text(at) == ":" and tokens.glued(at) and tokens.number(at + 1)
    dotted = tokens.text(at + 2) == "." and tokens.number(at + 3) and tokens.glued(at + 3)
    if edition or (colon and dotted and tokens.glued(at + 1)):
        return Found((standard(number, "ISO", part, edition),), at)
    return None


def nist(tokens: Tokens, index: int) -> Found | None:
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
