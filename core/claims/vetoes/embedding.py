"""What the passage only reports, quotes, denies, doubts, conditions or aims at."""

import re

from core.claims.cues import cues
from core.claims.vetoes.focus import where_near
from core.claims.vetoes.words import found, sentences_about, words_of
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


@where_near
def embedding(claim: Reading, passage: Reading) -> str | None:
    """No phrase governs the passage's statement that the claim leaves out."""
    for family in _FAMILIES:
        mine, theirs = cues(family, claim.lower), cues(family, passage.lower)
        if theirs - mine and not mine - theirs:
            return f"the passage says “{sorted(theirs - mine)[0]}”, the claim does not"
    wanted = set(stems(claim.keys))
    for quoted in _QUOTED.finditer(passage.cleaned):
        inside = set(stems(Reading(quoted[1] or quoted[2]).keys))
        named = quoted.group() in claim.cleaned and len(claim.cleaned) > len(quoted.group()) + 2
        if wanted and not named and 2 * len(wanted & inside) >= len(wanted):
            return "the passage quotes it"
    for sentence in sentences_about(claim, passage):
        if verb := _only_after_to(claim, sentence):
            return f"the passage says it only of “to {verb}”"
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


def _only_after_to(claim: Reading, sentence: Reading) -> str | None:
    """A word of the claim that the passage has only as "to …": what was agreed is not yet done."""
    if found("obligation", claim.lower) or found("possibility", claim.lower):
        return None
    mine = {stem for key, stem in _after(claim) if key != "to"}
    theirs = list(_after(sentence))
    for key, stem in theirs:
        if key == "to" and stem in mine and all(k == "to" for k, s in theirs if s == stem):
            return stem
    return None


def _after(text: Reading) -> list[tuple[str, str]]:
    """(key before, stem) of each content word; a carried-out verb before "to" counts as nothing."""
    keys = text.keys
    out = []
    for at, key in enumerate(keys):
        before = keys[at - 1] if at else ""
        if before == "to" and at > 1 and keys[at - 2] in words_of("carried_out"):
            before = ""
        out += [(before, stem) for stem in stems([key])]
    return out
