"""Families of instruments: which kinds of places each has, and how such a place is written.

The kinds: article, recital, annex_roman, annex_letter, appendix, chapter, clause, requirement,
control, section, part, subpart, bare (a dotted number with no word before it), and the codes of
`codes`.
"""

from collections.abc import Callable

from core.citations.frameworks.catalogue import Instrument, numbers
from core.citations.frameworks.places import Place

_Writer = Callable[[Place, str], str | None]
"""The place in its canonical form, given the kind, or None where the family has no such place."""


def accepts(instrument: Instrument, kind: str) -> bool:
    """Whether the instrument has places of that kind at all."""
    return (kind in _WRITERS[instrument.family]) if instrument.family in _WRITERS else False


def kinds_of(instrument: Instrument) -> tuple[str, ...]:
    """Every kind of place that the instrument has."""
    return tuple(_WRITERS.get(instrument.family, ()))


def write(instrument: Instrument, kind: str, place: Place) -> tuple[Instrument, str] | None:
    """The instrument and the canonical place in it, None where it has no such place.

    The instrument may differ from the one given: a section of HIPAA is one of 45 CFR, and a
    control that FedRAMP asks for is one of NIST SP 800-53.
    """
    writer = _WRITERS.get(instrument.family, {}).get(kind)
    text = writer(place, kind) if writer else None
    if text is None:
        return None
    if instrument.family == "cmmc":
        # A practice says its level itself.
        return Instrument(instrument.name, "cmmc"), text
    if instrument.family == "airmf" and instrument.name != "NIST AI RMF":
        return Instrument("NIST AI RMF", "airmf"), text
    if instrument.family == "hipaa":
        return Instrument("45 CFR", "cfr"), text
    if instrument.family == "fedramp":
        return Instrument("NIST SP 800-53", "nist53"), text
    if instrument.family == "civil":
        title, low, high = numbers()["civil"]["CCPA"]
        if place.prefix == f"{title}." and low <= place.number <= high:
            return Instrument("CCPA", "ccpa"), text
    return instrument, text


def _article(place: Place, kind: str) -> str | None:
    head, groups = place.bare_head, place.groups
    first, *rest = head.split(".")
    if len(first) > 3 or first == "0" or len(rest) > 2:
        return None
    # "Article 6.1(f)" is 6(1)(f).
    return f"Article {first}" + "".join(f"({group})" for group in (*rest, *groups))


def _numbered(word: str, most: int) -> _Writer:
    def writer(place: Place, kind: str) -> str | None:
        if "." in place.head or len(place.head) > most or place.number == 0:
            return None
        return f"{word} {place.bare_head}{place.tail}"

    return writer


def _annex(place: Place, kind: str) -> str | None:
    return f"Annex {place.head}{place.section}{place.tail}"


def _clause(place: Place, kind: str) -> str | None:
    first, *rest = place.head.split(".")
    if len(first) > 2 or len(rest) > 4 or any(len(part) > 2 for part in rest):
        return None
    if kind == "bare" and not rest:
        return None
    return place.head + place.tail


def _iso_control(place: Place, kind: str) -> str | None:
    first = place.head.split(".")[0]
    if "." not in place.head or len(first) > 2:
        return None
    return f"A.{place.head}{place.tail}" if first in ("5", "6", "7", "8") else None


def _dotted(most_first: int, most_parts: int, *, bare_whole: bool = False) -> _Writer:
    def writer(place: Place, kind: str) -> str | None:
        first, *rest = place.head.split(".")
        if len(rest) >= most_parts or not first.isdigit() or not 1 <= int(first) <= most_first:
            return None
        if kind == "bare" and not rest and not bare_whole:
            return None
        return place.head + place.tail

    return writer


def _171(place: Place, kind: str) -> str | None:
    if place.head.split(".")[0] not in ("3", "03") or place.head.count(".") > 3:
        return None
    if "." not in place.head:
        return None
    # Parts of a requirement are letters; the objectives of 800-171A stand in square brackets.
    return place.head + place.tail


def _cfr(place: Place, kind: str) -> str | None:
    if kind == "part":
        return f"Part {place.head}" if "." not in place.head and len(place.head) <= 4 else None
    if kind == "subpart":
        return f"Part {place.section} Subpart {place.prefix}" if place.section else None
    if "." not in place.head:
        # "45 CFR 164" is the part: a section's number has the part's before it.
        return f"Part {place.head}" if kind == "bare" and len(place.head) <= 4 else None
    if place.head.count(".") > 1:
        return None
    if place.until is not None:
        return f"{place.head}{place.tail}-{place.until.head}{place.until.tail}"
    return place.head + place.tail


def _hipaa(place: Place, kind: str) -> str | None:
    part = place.section if kind == "subpart" else place.head.split(".")[0]
    return _cfr(place, kind) if part in numbers()["cfr"]["45"] else None


def _usc(place: Place, kind: str) -> str | None:
    if place.until is not None:
        return f"{place.head}{place.tail}-{place.until.head}"
    return place.head + place.tail if "." not in place.head else None


def _act(place: Place, kind: str) -> str | None:
    if "." in place.head or len(place.head.rstrip("ABCDEFG")) > 4:
        return None
    return f"Section {place.head}{place.tail}"


def _civil(place: Place, kind: str) -> str | None:
    if len(place.head.split(".")[0]) != 4 or place.head.count(".") > 1:
        return None
    if place.until is not None:
        return f"{place.head}{place.tail}-{place.until.head}{place.until.tail}"
    return place.head + place.tail


def _ccpa(place: Place, kind: str) -> str | None:
    return _civil(place, kind) if place.head.startswith("1798.") else None


def _code(place: Place, kind: str) -> str | None:
    return place.head + place.tail


def _control53(place: Place, kind: str) -> str | None:
    # A part of the statement is written without brackets after the control, with them after an
    # enhancement: AC-2a, AC-2(1)(a).
    out, enhanced = place.bare_head, False
    for group in place.groups:
        if group.isdigit():
            out, enhanced = f"{out}({group})", True
        elif group.startswith("."):
            out += group
        else:
            out += f"({group})" if enhanced else group
    return out


_EU: dict[str, _Writer] = {
    "article": _article,
    "recital": _numbered("Recital", 3),
    "annex_roman": _annex,
    "chapter": lambda place, kind: f"Chapter {place.head}",
}
_SECTIONS: dict[str, _Writer] = {"section": _cfr, "bare": _cfr, "part": _cfr, "subpart": _cfr}
_WRITERS: dict[str, dict[str, _Writer]] = {
    "eu": _EU,
    "iso": {
        "clause": _clause,
        "requirement": _clause,
        "bare": _clause,
        "section": _clause,
        "control": _iso_control,
        "annex": _code,
        "annex_letter": _annex,
        "foundational": _code,
    },
    "iso_guide": dict.fromkeys(("clause", "requirement", "bare", "section", "control"), _clause),
    "nist53": {"control53": _control53},
    "fedramp": {"control53": _control53},
    "r171": {"requirement": _171, "bare": _171, "section": _171, "control": _171},
    "pci": {
        "requirement": _dotted(12, 5),
        "bare": _dotted(12, 5),
        "control": _dotted(12, 5),
        "section": _dotted(12, 5),
    },
    "soc2": {"soc2": _code},
    "cis": {"control": _dotted(20, 2), "bare": _dotted(20, 2)},
    "cmmc": {"cmmc": _code},
    "csf": {"csf": _code},
    "privacy": {"privacy": _code},
    "airmf": {"airmf": _code},
    "ssdf": {"ssdf": _code},
    "bsi": {"bsi": _code},
    "ccm": {"ccm": _code},
    "cobit": {"cobit": _code},
    "asvs": {"asvs": _code, "bare": _dotted(14, 3)},
    "isa": {"control": _dotted(9, 3), "bare": _dotted(9, 3)},
    "cfr": _SECTIONS,
    "hipaa": {"section": _hipaa, "bare": _hipaa, "part": _hipaa, "subpart": _hipaa},
    "usc": {"section": _usc, "bare": _usc},
    "act": {"section": _act, "schedule": _numbered("Schedule", 2)},
    "rules": {"rule": _numbered("Rule", 3)},
    "ccpa": {"section": _ccpa, "bare": _ccpa},
    "civil": {"section": _civil, "bare": _civil},
    "other": {
        **_EU,
        "annex_letter": _annex,
        "clause": _clause,
        "requirement": _clause,
        "section": _act,
    },
    "none": {},
}
