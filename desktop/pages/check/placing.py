"""Put the passages of an earlier verdict back onto its source."""

from dataclasses import replace

from core.claims.verdict import CheckResult, Evidence
from core.documents.model import Document

READ_ANEW = (
    "This document is read differently now than when it was checked, so the passage cannot be "
    "marked. Repeat the check to see where it stands."
)


def placed(result: CheckResult, document: Document) -> CheckResult | None:
    """The result with passages that stand in `document` where they say; None when one does not.

    A later version of a reader may cut or order a file's text otherwise. A mark on another
    sentence than the one that decided would be a false proof.
    """
    found: list[Evidence] = []
    for passage in result.evidence:
        if document.text[passage.start : passage.end] == passage.text:
            found.append(passage)
            continue
        start = document.text.find(passage.text) if passage.text else -1
        if start < 0 or document.text.find(passage.text, start + 1) >= 0:
            return None
        page = document.page_of(start)
        found.append(Evidence(passage.text, start, start + len(passage.text), page))
    return replace(result, evidence=tuple(found))
