"""What registries say of a work's standing, in one vocabulary.

An erratum is no retraction, a retraction that is one step of a replacement is told as such, and
the same notice from two sources counts once.
"""

import re
from collections.abc import Iterable

from core.documents.model import NoticeKind
from core.documents.notices import from_title
from core.scholarly.work import Registry, Standing, WorkNotice

CROSSREF_TYPES: dict[str, Standing] = {
    "retraction": Standing.RETRACTED,
    "removal": Standing.RETRACTED,
    "withdrawal": Standing.RETRACTED,
    "retract_and_replace": Standing.RETRACTED_AND_REPLACED,
    "partial_retraction": Standing.PARTLY_RETRACTED,
    "expression_of_concern": Standing.CONCERN,
    "correction": Standing.CORRECTED,
    "corrigendum": Standing.CORRECTED,
    "erratum": Standing.CORRECTED,
    "addendum": Standing.CORRECTED,
    "clarification": Standing.CORRECTED,
}
"""Crossmark's kinds of updates
(https://www.crossref.org/documentation/crossmark/version-control-corrections-and-retractions/);
new versions and editions say nothing against the one that is cited."""

PUBMED_TYPES: dict[str, Standing] = {
    "retractionin": Standing.RETRACTED,
    "retractedandrepublishedin": Standing.RETRACTED_AND_REPLACED,
    "partialretractionin": Standing.PARTLY_RETRACTED,
    "expressionofconcernin": Standing.CONCERN,
    "erratumin": Standing.CORRECTED,
    "correctedandrepublishedin": Standing.CORRECTED,
    "retractionof": Standing.RETRACTION_NOTICE,
    "partialretractionof": Standing.RETRACTION_NOTICE,
    "erratumfor": Standing.CORRECTION_NOTICE,
    "expressionofconcernfor": Standing.CONCERN_NOTICE,
}
"""PubMed's `CommentsCorrections RefType`, and Europe PMC's words for the same without spaces
(https://www.nlm.nih.gov/bsd/policy/errata.html)."""

PUBLICATION_TYPES: dict[str, Standing] = {
    "retracted publication": Standing.RETRACTED,
    "retraction of publication": Standing.RETRACTION_NOTICE,
    "retraction": Standing.RETRACTION_NOTICE,
    "published erratum": Standing.CORRECTION_NOTICE,
    "expression of concern": Standing.CONCERN_NOTICE,
}

_OF_OTHERS = {
    Standing.RETRACTED: Standing.RETRACTION_NOTICE,
    Standing.RETRACTED_AND_REPLACED: Standing.RETRACTION_NOTICE,
    Standing.PARTLY_RETRACTED: Standing.RETRACTION_NOTICE,
    Standing.CONCERN: Standing.CONCERN_NOTICE,
    Standing.CORRECTED: Standing.CORRECTION_NOTICE,
}

_LABEL = re.compile(
    r"(?:[\[(]\s*)?(?:RETRACTED|WITHDRAWN|REMOVED|Retracted|Withdrawn|Removed)"
    r"(?:\s+(?:ARTICLE|PAPER|CHAPTER|Article|Paper|Chapter|article|paper|chapter))?"
    r"\s*(?:[\])]\s*[:.]?|:|\u2013|\u2014|-\s)\s*"
)
_LABEL_AFTER = re.compile(
    r"\s*(?:[\[(*]\s*(?:RETRACTED|WITHDRAWN|Retracted|Withdrawn|retracted|withdrawn)"
    r"(?:\s+(?:ARTICLE|PAPER|Article|Paper|article|paper))?\s*[\])*])\s*\.?\s*$"
)
_TAKEN_BACK = re.compile(r"retract|withdraw", re.IGNORECASE)
_WITHDRAWN = re.compile(
    r"this (?:paper|article|submission|manuscript|work) "
    r"(?:has been|is|was) (?:withdrawn|retracted)",
    re.IGNORECASE,
)
_REPLACED = re.compile(r"retract(?:ed|ion)? and (?:replac|republish)", re.IGNORECASE)


def update(kind: str, label: str = "") -> Standing | None:
    """The standing that one of Crossref's updates gives the updated work; None where it gives none.

    A label "Retraction and replacement" tells more than the kind "retraction".
    """
    found = CROSSREF_TYPES.get(kind.strip().casefold().replace(" ", "_").replace("-", "_"))
    if found is None and _TAKEN_BACK.search(kind):
        # A kind that nobody documented is the graver for that.
        found = Standing.RETRACTED
    if found is Standing.RETRACTED and _REPLACED.search(label):
        return Standing.RETRACTED_AND_REPLACED
    return found


def of_another(standing: Standing) -> Standing | None:
    """What a work is that gives another one this standing."""
    return _OF_OTHERS.get(standing)


def comment(kind: str) -> Standing | None:
    """The standing that a link between records of PubMed or Europe PMC gives."""
    return PUBMED_TYPES.get("".join(kind.split()).casefold())


def without_label(title: str) -> tuple[str, tuple[Standing, ...]]:
    """A title without a publisher's "RETRACTED:", and what that label says."""
    found = _LABEL.match(title)
    if found and title[found.end() :].strip():
        return title[found.end() :].strip(), (Standing.RETRACTED,)
    after = _LABEL_AFTER.search(title)
    if after and title[: after.start()].strip():
        return title[: after.start()].strip(), (Standing.RETRACTED,)
    kinds = {notice.kind for notice in from_title(title)}
    if NoticeKind.RETRACTION_NOTICE in kinds:
        return title, (Standing.RETRACTION_NOTICE,)
    return title, ()


def withdrawn(text: str) -> bool:
    """Whether a preprint's comment says that it was withdrawn."""
    return _WITHDRAWN.search(text) is not None


def settled(notices: Iterable[WorkNotice]) -> tuple[WorkNotice, ...]:
    """Each standing of each registry once, the gravest first; a replacement is no retraction more.

    Where one registry tells of a replacement, the same registry's plain "retracted" is its part.
    """
    found: dict[tuple[Standing, Registry], WorkNotice] = {}
    for notice in notices:
        known = found.get((notice.standing, notice.registry))
        if known is None or (notice.doi and not known.doi):
            found[notice.standing, notice.registry] = notice
    replaced = {r for s, r in found if s is Standing.RETRACTED_AND_REPLACED}
    order = list(Standing)
    kept = [n for (s, r), n in found.items() if s is not Standing.RETRACTED or r not in replaced]
    return tuple(sorted(kept, key=lambda n: order.index(n.standing)))
