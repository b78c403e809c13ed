"""Raised characters: exponents are a part of the text, marks of notes and citations are not."""

from __future__ import annotations

import re

from core.documents.pdf_lines import Line, apart

SUPERSCRIPTS = str.maketrans("0123456789+-−–()=ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾⁼ⁿⁱ")
_EXPONENT = re.compile(r"^[+\-−–]?\d{1,3}$|^\d?[+\-−–]$|^[ni]$")
_MARKER = re.compile(r"^[\d,;\-–—*†‡§¶‖#∗\s\[\]()]+$|^[a-z](?:,[a-z])*$")
_YEAR = re.compile(r"(?:^|\D)(?:1[5-9]|20)\d\d$")
_NUMBER = re.compile(r"(?:^|[^\w.,]|[x×*]|[eE])[\d.,]*\d$")
_ELEMENT = re.compile(r"^[A-Z][a-z]?(?![a-z])")
_NUMBERED_THING = re.compile(
    r"^\W*(?:Fig|Tab|Eq|Ref|Sec|Chap|Ch|Box|App|Supp|Note|Art|No|Day|Step|Stud|Exp|Part|Phase|Ver"
    r"|fig|tab|eq|ref|sec|chap|box|note|art|no|day|step|stud|part|phase)\w*\.?$"
)
_UNIT = re.compile(
    r"(?:^|[^\w.,]|[./]|(?:^|[^\w.,])[\d.,]+)"
    r"(?:[kcmdnμµ]?m|ft|in|mi|yd|km|[mk]?g|[mμµ]?[lL]|dL|ml|mL|s|sec|min|h|hr|d|day|week|yr|K|C|Hz"
    r"|J|W|V|A|N|Pa|mol|[mμµnp]?M|cell|kg|ha|person|pixel|px|[A-Za-zα-ωΑ-Ω])$"
)
_NO_BASE = frozenset({"a", "A", "I"})


def exponent(line: Line, start: int, end: int) -> bool | None:
    """Whether raised words are an exponent (True), other raised text (False) or a marker (None)."""
    words = line.words[start:end]
    raised = "".join(word.text for word in words)
    base = (
        line.words[start - 1].text if start and not apart(line.words[start - 1], words[0]) else ""
    )
    follows = end < len(line.words) and not apart(words[-1], line.words[end])
    after = line.words[end].text if follows else ""
    if not base or base[-1] in "([-–—/":
        # An isotope's number stands before its symbol; a marker stands before a name or a note.
        isotope = raised.isdigit() and start > 0 and bool(_ELEMENT.match(after))
        return True if isotope else (None if _MARKER.match(raised) else False)
    if _EXPONENT.match(raised):
        named = start > 1 and bool(_NUMBERED_THING.match(line.words[start - 2].text))
        if base[-1].isdigit():
            counted = named or not _NUMBER.search(base) or bool(_YEAR.search(base))
            return None if counted and raised.isdigit() else True
        if raised[0] in "+-−–" or raised[-1] in "+-−–":
            return True
        if base[-1] in ")]}" and len(raised) == 1 and raised in "23":
            return True
        if _UNIT.search(base) and base not in _NO_BASE and not named:
            return True
    return None if _MARKER.match(raised) else False
