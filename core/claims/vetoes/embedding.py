"""What the passage only reports, quotes, denies, doubts, conditions or aims at."""

import re

from core.claims.cues import cue
from core.claims.vetoes.words import found, sentences_about
from core.text.reading import Reading, stems

_FAMILIES = ("denial", "report", "condition", "purpose")
_QUOTED = re.compile(r"\"([^\"]{8,})\"|(?<!\w)'([A-Z][^']{8,})'(?!\w)")
_FINDING = re.compile(
    r"\b(?:show|shows|showed|shown|demonstrat\w+|find|finds|found|confirm|confirms|confirmed|"
    r"establish|establishes|established|reveal|reveals|revealed|observed|prove|proves|proved|"
    r"proven|know|known|fact|clear|evident)\b"
)
_DOUBTED = re.compile(
    r"\b(?:no|not|never|nobody|none|cannot|hardly|if|whether|to|un\w+|fail\w*)\b|n't\b"
)


def embedding(claim: Reading, passage: Reading) -> str | None:
    """No phrase governs the passage's statement that the claim leaves out."""
    for family in _FAMILIES:
        phrase = cue(family, passage.lower)
        if phrase and not cue(family, claim.lower):
            return f"the passage says “{phrase}”, the claim does not"
    wanted = set(stems(claim.keys))
    for quoted in _QUOTED.finditer(passage.cleaned):
        inside = set(stems(Reading(quoted[1] or quoted[2]).keys))
        named = quoted.group() in claim.cleaned and len(claim.cleaned) > len(quoted.group()) + 2
        if wanted and not named and 2 * len(wanted & inside) >= len(wanted):
            return "the passage quotes it"
    for sentence in sentences_about(claim, passage):
        if main := _main_clause(claim, sentence, wanted):
            return f"the passage says it only after “{main} that”"
    return None


def _main_clause(claim: Reading, sentence: Reading, wanted: set[str]) -> str | None:
    """What the claim's words are said to depend on ("the board denied that …"), or None.

    A finding ("we found that …") takes nothing back, nor does a main clause whose hedge or
    duty the claim has as well.
    """
    main, that, clause = sentence.lower.partition(" that ")
    if not that or "that" in claim.keys:
        return None
    inside = wanted & set(stems(Reading(clause).keys))
    outside = wanted & set(stems(Reading(main).keys))
    if not main.strip() or 10 * len(inside) < 7 * len(wanted) or len(outside) > 1:
        return None
    for kind in ("possibility", "obligation"):
        if found(kind, main) and found(kind, claim.lower):
            return None
    if _FINDING.search(main) and not _DOUBTED.search(main) and not found("possibility", main):
        return None
    return " ".join(main.split()[-6:])
