"""What the passage only reports, quotes, denies, doubts or aims at."""

import re
from collections.abc import Iterator

from core.claims.cues import cue_places
from core.claims.vetoes.focus import ground_of, terms, where_near
from core.claims.vetoes.words import contents, found, places, sentences_about, words_of
from core.text.reading import Reading, stems

_FAMILIES = ("denial", "report", "purpose")
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
    if phrase := _governing(claim, passage):
        return f"the passage says “{phrase}”, the claim does not"
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


def _governing(claim: Reading, sentence: Reading) -> str | None:
    """A phrase that governs words of the claim in the clauses that it rests on, or None.

    A phrase governs what follows it, and what stands before it where nothing follows; a clause of
    its own that reports ("..., said the owner") governs the one that it hangs on.
    """
    own = terms(claim) | terms(Reading(claim.lower))
    for clause in ground_of(claim, sentence, lambda lower: any(_phrases(lower))):
        for family, phrase, start, end in _phrases(clause.lower):
            mine, theirs = _found(family, claim.lower), _found(family, sentence.lower)
            if phrase in mine or mine - theirs or _answered(family, phrase, claim):
                continue
            before = terms(Reading(clause.lower[:start]))
            after = [stem for stem, _ in contents(Reading(clause.lower[end:]))]
            if phrase in words_of("instead"):
                governs = bool(own & set(after[:2]) - before)
            elif own & terms(clause):
                governs = bool(own & (set(after) - before if after else before))
            else:
                governs = not clause.lower.startswith("and ") and (family == "report" or not after)
            if governs:
                return phrase
    return None


def _answered(family: str, phrase: str, claim: Reading) -> bool:
    """Whether the claim reports as well, or states the duty or the cause that the phrase states."""
    if family == "report" and found("attitude", claim.lower):
        return True
    if phrase.startswith(("required", "needed")) and found("obligation", claim.lower):
        return True
    return phrase == "due to"


def _phrases(lower: str) -> Iterator[tuple[str, str, int, int]]:
    """(family, phrase, start, end) of what governs in lower-case text."""
    for family in _FAMILIES:
        for phrase, start, end in cue_places(family, lower):
            yield family, phrase, start, end
    for phrase, start, end in places("open", lower):
        yield "open", phrase, start, end


def _found(family: str, lower: str) -> set[str]:
    return {phrase for name, phrase, _, _ in _phrases(lower) if name == family}


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
