"""Publications of authorities that are named by a number: FIPS, OMB, EBA, BSI and the like."""

from dataclasses import replace

from core.citations.frameworks.catalogue import Found, Instrument, catalogue
from core.citations.frameworks.codes import code_at
from core.citations.frameworks.editions import YEAR, dotted
from core.citations.frameworks.tokens import Tokens


def publication(tokens: Tokens, index: int) -> Found | None:
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
    elif head == "Pipeline":
        year, number = tokens.text(at + 1), tokens.text(at + 3)
        if tokens.text(at) == tokens.text(at + 2) == "-" and YEAR.match(year) and number.isdigit():
            at += 4
            letter = tokens.text(at) if tokens.glued(at) and tokens.word(at) else ""
            made = Instrument(f"TSA SD Pipeline-{year}-{number}{letter}", "none")
            return Found((made,), at + bool(letter))
    elif head == "EU":
        at += tokens.text(at) == ")"
        number = f"{tokens.text(at)}/{tokens.text(at + 2)}"
        known = catalogue().by_number.get(number) if tokens.text(at + 1) == "/" else None
        return Found((replace(known, official=True),), at + 3) if known is not None else None
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
