"""What stands beside a citation and was not read: it may make it another one.

"GDPR Article 17 bis" is not Article 17, and "PCI DSS v5.0 requirement 8.3.1" is not 8.3.1 of an
edition that there is. Whoever looks a citation up in a list has to know that there is more.
"""

import re

from core.citations.model import FrameworkCitation

_CODE = r"(?:[A-Z]{1,6}(?:[.-][A-Z]{2,4})?[.-]?\d[\w.-]*|[A-Z]{2}\.[A-Z]{2,3}[\w-]*|\d+(?:\.\d+)+)"
_ATTACHED = re.compile(
    r"(?:\s?\((?:[a-z]{1,3}|\d{1,3}|[ivx]{1,5})\)(?!\s?[a-z]{4})|\s(?:bis|ter|quater)\b|[.-]\d|/[A-Z]\w+"
    r"|\s(?:enhancement|amendment|Amd)\s?\d+)"
)
_PLACE_AFTER = re.compile(
    rf"[\s,:(]{{1,3}}(?:(?:control|criterion|requirement|section)s? )?{_CODE}"
)
_EDITION_BEFORE = re.compile(
    r"(?<=\w )(?P<edition>v(?:ersion)?\.? ?\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)?|\((?:19|20)\d\d\))\s+"
    r"(?:requirements?|controls?|clauses?|criteri(?:on|a)|sections?|articles?|art\.|§)?\s*$",
    re.IGNORECASE,
)
_NEAR = 40
"""Characters before a place in which the edition of its instrument stands."""


def unread(text: str, citation: FrameworkCitation) -> str:
    """The words beside the citation in `text` that look like a part of it and were not read.

    "" where there are none. `citation` has its place in `text`.
    """
    after = text[citation.end : citation.end + _NEAR]
    found = _ATTACHED.match(after) if citation.locator else _PLACE_AFTER.match(after)
    if found:
        return " ".join(found.group().split())
    if citation.locator:
        before = _EDITION_BEFORE.search(text[max(0, citation.start - _NEAR) : citation.start])
        edition = before["edition"].strip("()v") if before else ""
        if edition and edition.lower().removeprefix("ersion").strip(" .") not in citation.canonical:
            return before["edition"] if before else ""
    return ""
