"""Whose work it is: what others did is not what the authors of the source did."""

import re

from core.claims.vetoes.focus import sentences_of
from core.text.reading import Reading

_OWN = re.compile(
    r"\b(?:we|our|ours)\b"
    r"|\b(?:this|the (?:present|current)) (?:study|paper|article|trial|work|survey|report)\b"
    r"|\bthe (?:authors|researchers|investigators|paper|article)\b",
    re.IGNORECASE,
)
"""A claim speaks of the work that the source reports."""

_HERE = re.compile(
    r"\b(?:we|our|ours|us|here)\b"
    r"|\b(?:this|(?:the )?(?:present|current)) (?:study|paper|article|trial|work|survey|report)\b",
    re.IGNORECASE,
)
"""A sentence that speaks of the source's own work."""

_BESIDES = re.compile(r", (?:which|whom|whose \w+|and|but|while|whereas) (?:we|ours?)\b.*")
"""What the sentence adds of the source's own work to that of others."""

_OTHERS = re.compile(
    r"\bet al\b"
    r"|\band (?:(?:his|her|their) )?(?:colleagues|co-?workers|collaborators)\b"
    r"|\b[A-Z][\w-]+(?: (?:and|&) [A-Z][\w-]+)? \((?:19|20)\d\d[a-z]?\)"
    r"|\b(?:[Pp]revious|[Ee]arlier|[Pp]rior) (?:\w+ ){0,2}"
    r"(?:trials?|stud(?:y|ies)|work|research|surveys?|reports?|groups?|authors)\b"
    r"|\b[A-Z][\w-]+'s? (?:group|team|lab|laboratory)\b"
    r"|\b(?:the )?(?:group|team|laboratory|lab) (?:of|around|led by) [A-Z]"
    r"|\b(?:run|conducted|carried out|undertaken) (?:earlier )?by [A-Z]"
    r"|\b(?:[Oo]ther|[Aa]nother) (?:groups?|teams?|authors|researchers|laborator(?:y|ies))\b"
)
"""A sentence that names others as those who did it."""


def others_work(claim: Reading, passage: Reading) -> str | None:
    """The claim gives to the source's authors only what the passage does not give to others."""
    own = _OWN.search(claim.cleaned)
    if own is None or _OTHERS.search(claim.cleaned):
        return None
    for sentence in sentences_of(claim, passage)[:1]:
        others = _OTHERS.search(sentence.cleaned)
        if others and not _HERE.search(_BESIDES.sub("", sentence.cleaned)):
            return f"the passage speaks of the work of others (“{others[0]}”)"
    return None
