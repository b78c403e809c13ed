"""Who gives, pays or tells it, and whom."""

import re
from collections.abc import Iterator

from core.claims.vetoes.focus import sentences_of
from core.text.reading import Reading, stems

_VERB = (
    r"(?:giv(?:e|es|en|ing)|gave|pa(?:y|ys|id|ying)|sen(?:d|ds|t|ding)|hand(?:s|ed|ing)?|"
    r"tell(?:s|ing)?|told|inform(?:s|ed|ing)?|notif(?:y|ies|ied|ying)|pass(?:es|ed|ing)?|"
    r"deliver(?:s|ed|ing)?|suppl(?:y|ies|ied|ying)|provid(?:e|es|ed|ing)|offer(?:s|ed|ing)?|"
    r"report(?:s|ed|ing)?|show(?:s|n|ed|ing)?|submit(?:s|ted|ting)?|return(?:s|ed|ing)?|"
    r"lend(?:s|ing)?|lent|sell(?:s|ing)?|sold|leas(?:e|es|ed|ing)|licens(?:e|es|ed|ing)|"
    r"grant(?:s|ed|ing)?|transfer(?:s|red|ring)?|assign(?:s|ed|ing)?|refund(?:s|ed|ing)?|"
    r"ow(?:e|es|ed|ing)|award(?:s|ed|ing)?|disclos(?:e|es|ed|ing)|instruct(?:s|ed|ing)?)"
)
_TO_ONE = (
    r"(?:compensat(?:e|es|ed)|reimburs(?:e|es|ed)|repa(?:y|ys|id)|refund(?:s|ed)?|reward(?:s|ed)?|"
    r"indemnif(?:y|ies|ied)|insur(?:e|es|ed)|sue[sd]?|fine[sd]?|serv(?:e|es|ed))"
)
_THE = r"(?:the|an?|each|every|any|its|their|his|her|our) "
_NOUN = r"(?:[a-z-]+ ){0,2}?[a-z-]+"
_MODAL = (
    r"(?:(?:may|shall|must|should|can|will|would|(?:has |have )?agreed to|has to|have to|is to|"
    r"are to)(?: not)? )?"
)
_WHO = r"(?:,? (?:who|which|that))? "
_BY = r"(?P<by>(?:[a-z-]+ )?[a-z-]+)"

_PATTERNS = (
    # the carrier shall give the owner a receipt; the owner pays the agent 4%
    rf"{_BY}{_WHO}{_MODAL}{_VERB} {_THE}(?P<to>[a-z-]+)"
    rf"(?= (?:{_THE}|\W?\d|of any|of the))",
    # Bexmoor will pay Harrow Council £2 million; the firm has to compensate the council
    rf"{_BY}{_WHO}{_MODAL}{_VERB} (?P<to>(?:[a-z-]+ ){{0,2}}?[a-z-]+)(?= [£$€]|\W\d)",
    rf"{_BY}{_WHO}{_MODAL}(?:\w+ to )?{_TO_ONE} (?:{_THE})?(?P<to>{_NOUN})\b",
    # the carrier shall give a receipt to the owner
    rf"{_BY}{_WHO}{_MODAL}{_VERB} (?:[\w-]+ ){{1,6}}?to {_THE}(?P<to>{_NOUN})\b",
    # a receipt shall be given to the carrier by the owner
    rf"\b{_VERB} to {_THE}(?P<to>{_NOUN}) by {_THE}(?P<by>{_NOUN})\b",
    # a receipt is given by the owner to the carrier
    rf"\b{_VERB} by {_THE}(?P<by>{_NOUN}) to {_THE}(?P<to>{_NOUN})\b",
    # the carrier is given a receipt by the owner; the cook shall be told by the parents
    rf"(?P<to>[a-z-]+){_WHO}(?:is|are|was|were|shall be|must be|may be|will be) {_VERB} "
    rf"(?:[\w-]+ ){{0,6}}?by {_THE}(?P<by>{_NOUN})\b",
)
_ALL = tuple(re.compile(pattern) for pattern in _PATTERNS)


def recipient(claim: Reading, passage: Reading) -> str | None:
    """The claim has it go from the one to the other as the passage does, not back."""
    mine = list(_transfers(claim))
    if not mine:
        return None
    for sentence in sentences_of(claim, passage):
        theirs = list(_transfers(sentence))
        for by, to in mine:
            crossed = any(by & other_to and to & other_by for other_by, other_to in theirs)
            kept = any(by & other_by and to & other_to for other_by, other_to in theirs)
            if crossed and not kept:
                return "the passage has it go the other way"
    return None


def _transfers(text: Reading) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """(who gives, who receives), each as stems, where they are two."""
    for pattern in _ALL:
        for match in pattern.finditer(text.lower):
            by, to = (frozenset(stems(match[name].split())) for name in ("by", "to"))
            if by and to and not by & to:
                yield by, to
