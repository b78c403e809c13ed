"""A later sentence of the source may change what an earlier one says: then it no longer holds.

Two kinds are told apart. A correction changes the text ("'40' is replaced by '55'"), and no
claim may rest on the old one. A development changes what was so ("it was raised to 12 in 2022"),
which takes nothing from a claim about the past.
"""

import re
from collections.abc import Sequence

from core.claims.cues import cue, opening_cue
from core.claims.source import Sentence, Source
from core.claims.vetoes.focus import terms
from core.claims.vetoes.words import words_of
from core.documents.model import BlockKind
from core.text.reading import Reading

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NUMERAL = re.compile(
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|"
    r"fifty|sixty|hundred|thousand|half|third|quarter|fifth|weekly|monthly|yearly|annually)"
)
_CLAUSE = re.compile(
    r"(?<!\w)(?:clause|section|paragraph|article|rule|regulation|item|schedule|§+) ?"
    r"(\d{1,3}(?:\.\d{1,3})*)"
)
_PRESENT = frozenset({"is", "are", "be", "has", "have", "must", "shall", "may", "can", "will"})
_PAST = frozenset({"was", "were", "had", "did", "used"})
HELD = 0.5
"""Share of the claim's terms from which on a correction is about the claim."""


def superseded(
    claim: Reading, evidence: Sequence[Sentence], source: Source
) -> tuple[Sentence, str] | None:
    """A sentence that changes what the evidence says, and the reason; None if there is none."""
    wanted = terms(claim)
    if not wanted or opening_cue("change_label", claim.lower):
        return None
    main = max(evidence, key=lambda sentence: len(wanted & terms(sentence)))
    if cue("correction", main.lower) or cue("correction", claim.lower):
        return None
    for sentence, found in source.once("corrections", _corrections):
        if sentence is not main and _about(claim, main, sentence, wanted):
            return sentence, f"the source changes it: “{found.strip(' (')}”"
    if (following := _following(main, source)) and (change := _changed(claim, following)):
        return following, f"the sentence after it changes it: “{change.strip(' (')}”"
    return None


def _corrections(source: Source) -> tuple[tuple[Sentence, str], ...]:
    return tuple(
        (sentence, found)
        for _, _, sentence in source.asserting()
        if (found := cue("correction", sentence.lower))
    )


def _about(claim: Reading, main: Sentence, sentence: Sentence, wanted: frozenset[str]) -> bool:
    """Whether a correction names a figure of the claim, its clause, or most of what it says."""
    named = set(_CLAUSE.findall(sentence.lower))
    if named & set(_CLAUSE.findall(main.lower)):
        return True
    figures = _figures(claim) & _figures(sentence)
    if figures and (named or any(f"'{f}" in sentence.lower.replace('"', "'") for f in figures)):
        return True
    differs = bool(_figures(sentence) - _figures(claim))
    labelled = opening_cue("change_label", sentence.lower) is not None
    return (
        (labelled or bool(named))
        and differs
        and len(wanted & terms(sentence)) >= HELD * len(wanted)
    )


def _following(main: Sentence, source: Source) -> Sentence | None:
    for number, sentences in enumerate(source.sentences):
        if source.blocks[number] is main.block:
            after = source.after(number, sentences.index(main))
            stands = after and after[0].block.kind not in (
                BlockKind.HEADING,
                BlockKind.TITLE,
                BlockKind.REFERENCE,
            )
            return after[0] if stands else None
    return None


def _changed(claim: Reading, following: Sentence) -> str | None:
    """The words with which the next sentence changes the one before it, or None."""
    lower = following.lower
    if found := opening_cue("deleted", lower):
        return found
    other = _figures(following) - _figures(claim)
    changed = cue("changed", lower)
    if opening_cue("change_label", lower) and (changed or (_figures(claim) and other)):
        return lower.split(":")[0]
    if _in_the_past(claim):
        return None
    if found := opening_cue("ended", lower):
        return found
    if found := opening_cue("since_then", lower):
        return found
    if found := _anew(claim, lower):
        return found
    if not (other and _figures(claim)):
        return None
    if found := opening_cue("renewing", lower):
        return found
    return changed if changed and opening_cue("changing", lower) else None


def _anew(claim: Reading, lower: str) -> str | None:
    """The claim's own verb, said again from a time on: "As of July, it costs …"."""
    opening = opening_cue("from_then", lower)
    if opening is None:
        return None
    rest = Reading(lower[lower.index(opening) + len(opening) :])
    words = [key for key in rest.keys[:4] if key not in ("now", "then", "will", "only")]
    if not words or words[0] not in claim.keys or words[1:2] == ["been"]:
        return None
    if words[0] in _EMPTY_VERBS and (
        not _figures(claim) or any(word.endswith("ed") for word in words[1:2])
    ):
        return None
    if bool(_figures(claim)) != bool(_figures(rest)):
        return None
    renewed = not _figures(claim) or _figures(claim) != _figures(rest)
    return f"{opening} {words[0]}" if renewed else None


_EMPTY_VERBS = frozenset({"is", "are", "has", "have"})


def _figures(text: Reading) -> set[str]:
    return {
        key
        for key in text.keys
        if (key[0].isdigit() and not _YEAR.fullmatch(key)) or _NUMERAL.fullmatch(key)
    }


def _in_the_past(claim: Reading) -> bool:
    """Whether the claim tells what was, which a later change leaves true."""
    keys = claim.keys
    if _PAST.intersection(keys):
        return True
    past = any(re.search(r"[^e]ed$", key) or key in words_of("past_verbs") for key in keys)
    return past and not _PRESENT.intersection(keys)
