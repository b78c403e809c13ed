"""What a work says of its own standing: retracted, corrected, a comment on another work."""

import re

from core.documents.model import Notice, NoticeKind

_TITLES: tuple[tuple[NoticeKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            NoticeKind.RETRACTED,
            r"[\[(]?\s*(?:retracted|withdrawn|removed)(?:\s+(?:article|paper|chapter))?\s*"
            r"(?:[\])]|:|\u2013|\u2014|-\s)",
        ),
        (
            NoticeKind.RETRACTION_NOTICE,
            r"(?:partial\s+)?(?:retraction|withdrawal)(?:\s+(?:notice|note|statement))?"
            r"\s*(?::|\u2013|\u2014|-\s|of\b|to\b|for\b|$)|notice of (?:retraction|withdrawal)\b",
        ),
        (
            NoticeKind.CONCERN,
            r"(?:editorial\s+)?expression of concern\b",
        ),
        (
            NoticeKind.CORRECTION_NOTICE,
            r"(?:(?:author|publisher)(?:'s|\u2019s)?\s+)?(?:correction|erratum|errata|corrigendum|"
            r"corrigenda|addendum)\s*(?::|\u2013|\u2014|-\s|to\b|of\b|for\b|$)",
        ),
        (
            NoticeKind.COMMENTARY,
            r"(?:comments? on|commentary(?: on|:)|reply to|response to|authors?['\u2019]? reply|"
            r"letter to the editor|editorial:|book review)",
        ),
    )
)

_LABEL_AFTER = re.compile(
    r"\S\s*[\[(*]\s*(?:retracted|withdrawn)(?:\s+(?:article|paper|chapter))?\s*[\])*]\s*\.?$",
    re.IGNORECASE,
)

ARTICLE_TYPES: dict[str, NoticeKind] = {
    "retraction": NoticeKind.RETRACTION_NOTICE,
    "partial-retraction": NoticeKind.RETRACTION_NOTICE,
    "retracted-article": NoticeKind.RETRACTED,
    "correction": NoticeKind.CORRECTION_NOTICE,
    "erratum": NoticeKind.CORRECTION_NOTICE,
    "corrigendum": NoticeKind.CORRECTION_NOTICE,
    "addendum": NoticeKind.CORRECTION_NOTICE,
    "corrected-article": NoticeKind.CORRECTED,
    "expression-of-concern": NoticeKind.CONCERN,
    "letter": NoticeKind.COMMENTARY,
    "editorial": NoticeKind.COMMENTARY,
    "article-commentary": NoticeKind.COMMENTARY,
    "commentary": NoticeKind.COMMENTARY,
    "reply": NoticeKind.COMMENTARY,
    "response": NoticeKind.COMMENTARY,
    "book-review": NoticeKind.COMMENTARY,
    "discussion-reply": NoticeKind.COMMENTARY,
}
"""JATS `article-type` values (https://jats.nlm.nih.gov/archiving/tag-library/1.3/attribute/article-type.html)."""

RELATED_TYPES: dict[str, NoticeKind] = {
    "retracted-article": NoticeKind.RETRACTION_NOTICE,
    "retraction-forward": NoticeKind.RETRACTED,
    "retraction": NoticeKind.RETRACTED,
    "corrected-article": NoticeKind.CORRECTION_NOTICE,
    "correction-forward": NoticeKind.CORRECTED,
    "correction": NoticeKind.CORRECTED,
    "erratum": NoticeKind.CORRECTED,
    "object-of-concern": NoticeKind.CONCERN,
    "expression-of-concern": NoticeKind.CONCERN,
    "concern-forward": NoticeKind.CONCERN,
    "commentary-article": NoticeKind.COMMENTARY,
}
"""JATS `related-article-type` values; the other work is what the value names."""

_BANNER = re.compile(
    r"(?:retracted|withdrawn)(?:\s+(?:article|paper|publication))?[.!]?$|"
    r"(?:(?:editors?'?s?|publisher'?s)?\s*(?:note|notice|retraction notice|important)\s*[:.]\s*)?"
    r"this (?:article|paper|study|work|publication|chapter|report|preprint|manuscript) "
    r"(?:has (?:since )?been|was|is|is being) (?:retracted|withdrawn)\b|"
    r"(?:the )?(?:editor-in-chief|editors?|publishers?|authors?)(?: and (?:the )?\w+)? "
    r"(?:have|has) (?:retracted|withdrawn) this "
    r"(?:article|paper|study|work|publication|chapter|preprint|manuscript)\b",
    re.IGNORECASE,
)
_CONCERN_BANNER = re.compile(
    r"(?:an )?(?:editorial )?expression of concern (?:has been|was|is) "
    r"(?:published|issued|raised|attached)",
    re.IGNORECASE,
)
LONGEST_BANNER = 600
"""Characters; a longer block is text of the work and no banner over it."""


def from_banner(text: str) -> tuple[Notice, ...]:
    """The notice that a line set above a work gives ("This article has been retracted …")."""
    plain = text.replace("\u2019", "'").strip()
    if len(plain) > LONGEST_BANNER:
        return ()
    if _BANNER.match(plain):
        return (Notice(NoticeKind.RETRACTED, text.strip()),)
    if _CONCERN_BANNER.match(plain):
        return (Notice(NoticeKind.CONCERN, text.strip()),)
    return ()


def from_title(title: str) -> tuple[Notice, ...]:
    """The notice that a title itself gives ("RETRACTED: …", "Correction: …"); empty if none."""
    plain = title.strip()
    if _LABEL_AFTER.search(plain):
        return (Notice(NoticeKind.RETRACTED, plain),)
    for kind, pattern in _TITLES:
        if pattern.match(plain):
            return (Notice(kind, plain),)
    return ()
