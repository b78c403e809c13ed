"""A source may define a word more narrowly than the claim uses it: "'gift' means more than …".

A claim that keeps the word and leaves the definition out says more than the source does. A
capitalised term that the claim keeps in capitals still points to its definition.
"""

import re
from collections.abc import Sequence

from core.claims.source import Sentence, Source
from core.claims.vetoes.words import contents
from core.text.reading import Reading, stems

_TERM = r"[A-Za-z][a-z]+(?:[ -][a-z]+){0,2}"
_QUOTED = rf"[\"'“‘](?P<term>{_TERM})[\"'”’]"
_MEANS = (
    r"(?:shall |will |is to |here )?(?:means?|denotes?|refers? (?:only )?to|stands? for|"
    r"is (?:defined|understood) as|are (?:defined|understood) as|is taken to mean|"
    r"covers? only|includes? only)"
)
_DEFINITIONS = (
    re.compile(rf"{_QUOTED},? {_MEANS} (?P<meaning>[^.;]+)"),
    re.compile(
        rf"\b[Tt]he (?:term|word|expression) [\"'“‘]?(?P<term>{_TERM}?)[\"'”’]? {_MEANS} "
        r"(?P<meaning>[^.;]+)"
    ),
    re.compile(
        rf"\b(?:[Ww]e|[Tt]he authors|[Ww]e have) (?:define|defined) (?:an? |the )?[\"'“‘]?"
        rf"(?P<term>{_TERM}?)[\"'”’]? as (?P<meaning>(?:one|an?|any|those|the)\b[^.;]+)"
    ),
    re.compile(
        rf"{_QUOTED} (?:is|are) (?:one|those|any|anyone|persons|people) (?P<meaning>[^.;]+)"
    ),
    re.compile(
        rf"\b(?:counted|classed|classified|regarded|treated) as (?P<term>{_TERM}?) "
        r"(?:those|anyone|persons|people|patients) (?P<meaning>(?:who|whose|that|with)\b[^.;]+)"
    ),
    re.compile(
        r"^(?P<term>[A-Z][a-z]+(?: [a-z]+)?) (?:was|were|are|is) (?:those|anyone|persons|people|"
        r"patients|participants|all those) (?P<meaning>(?:who|whose|that)\b[^.;]+)"
    ),
)
_POINTS_TO_IT = re.compile(r"as defined|within the meaning|so defined|defined as|in the sense")
KEPT = 0.5
"""Share of a definition's words from which on a claim counts as having it."""


def narrowed(
    claim: Reading, evidence: Sequence[Sentence], source: Source
) -> tuple[Sentence, str] | None:
    """The sentence that defines a word of the claim more narrowly, and the reason; else None."""
    if _POINTS_TO_IT.search(claim.lower):
        return None
    words = {stem for stem, _ in contents(claim)} | set(stems(claim.keys))
    used = {_singular(key) for key in claim.keys}
    main = max(evidence, key=lambda sentence: len(words & set(stems(sentence.keys))))
    for sentence, term, meaning in source.once("definitions", _definitions):
        if sentence is main or not {_singular(key) for key in Reading(term).keys} <= used:
            continue
        if term[0].isupper() and _in_capitals(term, claim.cleaned, source.document.text):
            continue
        content = {stem for stem, _ in contents(Reading(meaning))} - set(stems(Reading(term).keys))
        if content and len(content & words) < KEPT * len(content):
            return sentence, f"the source means something narrower by “{term}”"
    return None


def _in_capitals(term: str, claim: str, text: str) -> bool:
    """Whether the claim keeps a term that the source writes with a capital in mid-sentence."""
    inside = re.compile(rf"[a-z,;] {re.escape(term)}")
    return bool(re.search(rf"\b{re.escape(term)}", claim) and inside.search(f"{claim}\n{text}"))


def _singular(key: str) -> str:
    if key.endswith("ies") and len(key) > 4:
        return f"{key[:-3]}y"
    if re.search(r"(?:x|ch|sh|ss)es$", key):
        return key[:-2]
    return key[:-1] if key.endswith("s") and not key.endswith("ss") else key


def _definitions(source: Source) -> tuple[tuple[Sentence, str, str], ...]:
    """(sentence, term, meaning) of each definition in the source."""
    return tuple(
        (sentence, found["term"], found["meaning"])
        for _, _, sentence in source.asserting()
        for pattern in _DEFINITIONS
        for found in pattern.finditer(sentence.cleaned)
        if contents(Reading(found["term"]))
    )
