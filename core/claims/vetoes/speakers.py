"""Whose view it is: what one party says is not another's judgment."""

import re

from core.claims.vetoes.focus import sentences_of, terms
from core.text.reading import Reading, stems
from core.text.sentences import split

_SAYS = (
    r"(?:says?|said|claim(?:s|ed)?|argue[sd]?|reckon(?:s|ed)?|believe[sd]?|thinks?|thought|holds?|"
    r"held|maintain(?:s|ed)?|contend(?:s|ed)?|submit(?:s|ted)?|insist(?:s|ed)?|estimate[sd]?|"
    r"consider(?:s|ed)?|conclude[sd]?|finds?|found|fear(?:s|ed)?|denie[sd]|accept(?:s|ed)?|"
    r"admit(?:s|ted)?|complain(?:s|ed)?|warn(?:s|ed)?|suggest(?:s|ed)?|state[sd]?|allege[sd]?|"
    r"blame[sd]?)"
)
_NOUN = r"(?:view|opinion|judge?ment|words|eyes|estimation|reckoning|account|belief|submission)"
_WHO = r"((?:[\w'-]+ ){0,4}?[\w'-]+)"
_ATTRIBUTED = (
    re.compile(rf"^{_WHO} {_SAYS}(?: that| it)\b"),
    re.compile(rf"^according to {_WHO},"),
    re.compile(rf"^in {_WHO}'s? {_NOUN}\b"),
    re.compile(rf"^(?:in|on) the {_NOUN} of {_WHO},"),
    re.compile(rf", according to {_WHO}\W*$"),
)
_POINTS_BACK = re.compile(
    r"(?:it|they|he|she|we|i|this|that|these|those|both|the (?:latter|former|two|three|others?))\b"
)


_SAME = tuple(
    frozenset(stems(words.split()))
    for words in (
        "court courts judge judges tribunal bench magistrate jury arbitrator",
        "author authors researchers paper study trial review report team investigators scientists "
        "experiments findings results survey analysis article publication book group writer "
        "evaluators auditors audit committee panel",
        "spokesman spokeswoman spokesperson officials representative manager management director "
        "company firm operator owner",
    )
)
"""Who may be one and the same speaker."""


def speaker(claim: Reading, passage: Reading) -> str | None:
    """The view that the claim gives to one is not, in the passage, the view of another.

    Pronouns and names of one kind ("the judge", "the court") may be one speaker's.
    """
    match = _attributed(claim)
    if match is None:
        return None
    who = frozenset(stems(match[1].split()))
    said = Reading(claim.lower.replace(match[0], " ", 1))
    if not who or not terms(said):
        return None
    sentences = [Reading(passage.raw[start:end]) for start, end in split(passage.raw)]
    best = sentences_of(said, passage)[0]
    at = next((n for n, s in enumerate(sentences) if s.raw == best.raw), None)
    if at is None or not terms(said) & terms(best) or who & terms(best):
        return None
    if at and _POINTS_BACK.match(best.lower) and who & terms(sentences[at - 1]):
        return None
    other = _attributed(best)
    others = (
        frozenset(stems(other[1].split())) if other and not _POINTS_BACK.match(best.lower) else None
    )
    if others and not any(who & kind and others & kind for kind in _SAME):
        return f"the claim has “{match[1]}” say it, the passage another"
    if any(who & terms(sentence) for sentence in sentences):
        return f"in the passage it is not “{match[1]}” who says it"
    return None


def _attributed(text: Reading) -> re.Match[str] | None:
    """Where the text says whose view it gives; its first group is who."""
    return next((m for pattern in _ATTRIBUTED if (m := pattern.search(text.lower))), None)
