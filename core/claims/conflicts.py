"""Another sentence of the source may deny what one sentence says; then neither is enough."""

from core.cancellation import Cancellation
from core.claims.cues import cue
from core.claims.negation import negations, negators
from core.claims.source import Sentence, Source
from core.claims.vetoes.comparatives import contrary
from core.claims.vetoes.modality import modality
from core.claims.vetoes.numbers import numbers
from core.documents.model import SectionKind
from core.text.reading import Reading, stems
from core.text.tokens import bigram_coverage

CLOSE = 0.6
"""Share of the claim's words that a sentence needs before its negation counts against it."""


def conflicting(
    claim: Reading,
    evidence: Sentence,
    source: Source,
    cancellation: Cancellation | None = None,
) -> tuple[Sentence, str] | None:
    """A sentence that denies the claim, and why it is read so; None when there is none."""
    wanted = set(stems(claim.keys))
    if not wanted:
        return None
    reported = evidence.block.section is SectionKind.PRIOR_WORK or evidence.cites
    polarity = negations(claim.keys) % 2
    for _, at, sentence in source.asserting():
        if cancellation is not None and at == 0:
            cancellation.check()
        if sentence is evidence:
            continue
        if (found := cue("erratum", sentence.lower)) and (
            wanted & set(stems(sentence.keys)) or _figures(claim) & _figures(sentence)
        ):
            return sentence, f"the source corrects itself: “{found.strip()}”"
        shared = len(wanted & set(stems(sentence.keys))) / len(wanted)
        if shared < (0.34 if reported else CLOSE):
            continue
        if shared >= CLOSE and _opposite(claim, sentence, polarity):
            return sentence, "another sentence of the source says it with the opposite sign"
        if shared >= CLOSE and (reason := _otherwise(claim, sentence, reported)):
            return sentence, f"another sentence of the source says it otherwise: {reason}"
        if (
            shared >= 0.9
            and (found := cue("denial", sentence.lower))
            and not cue("denial", claim.lower)
        ):
            return sentence, f"another sentence of the source says “{found}” of it"
        null = shared >= CLOSE and polarity == 0 and cue("null", sentence.lower)
        if reported and (found := null or cue("refutation", sentence.lower)):
            return sentence, f"the source reports it, and says “{found}” elsewhere"
    return None


def _opposite(claim: Reading, sentence: Sentence, polarity: int) -> bool:
    """The same words in the same order, and a negation more or less."""
    if negations(sentence.keys) % 2 == polarity:
        return False
    bare = [key for key in sentence.keys if key not in negators()]
    mine = [key for key in claim.keys if key not in negators()]
    return bigram_coverage(mine, bare) >= 0.5 or bigram_coverage(stems(mine), stems(bare)) > 0.7


def _figures(text: Reading) -> set[str]:
    return {key for key in text.keys if key[0].isdigit()}


def _otherwise(claim: Reading, sentence: Sentence, reported: bool) -> str | None:
    """Why a sentence that is the claim but for one place says something else; None if it does not.

    Numbers are compared only where every other content word is the same: two arms of a trial
    have the same sentence with another name and another number, and both are true. What is
    only `reported` of others also gives way to a sentence that adds a word ("in our villages").
    """
    mine, theirs = (
        {s for s in stems(text.keys) if not s[0].isdigit()} for text in (claim, sentence)
    )
    if len(mine & theirs) < 2 or len(mine - theirs) > 1 or len(theirs - mine) > 1:
        return None
    if (mine == theirs or (reported and mine < theirs)) and (reason := numbers(claim, sentence)):
        return reason
    return contrary(claim, sentence, "opposites") or modality(claim, sentence)
