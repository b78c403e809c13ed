"""Another sentence of the source may deny what one sentence says; then neither is enough."""

from functools import cache

from core.cancellation import Cancellation
from core.claims.cues import cue
from core.claims.source import Sentence, Source
from core.documents.model import SectionKind
from core.resource import load_json
from core.text.reading import Reading, stems
from core.text.tokens import bigram_coverage

CLOSE = 0.6
"""Share of the claim's words that a sentence needs before its negation counts against it."""


@cache
def negators() -> frozenset[str]:
    """Words that negate, in lower case."""
    return frozenset(load_json("gates/words.json")["negators"])


def negations(keys: list[str]) -> int:
    """How many negations there are; "neither … nor" is one, "a little" is none."""
    count = 0
    for at, key in enumerate(keys):
        if key == "nor" and "neither" in keys[:at]:
            continue
        if key in ("little", "few"):
            count += at == 0 or keys[at - 1] != "a"
        elif key in ("free", "declined"):
            count += keys[at + 1 : at + 2] in (["of"], ["from"], ["to"])
        elif key in ("stop", "stops", "stopped", "ceased"):
            count += any(following.endswith("ing") for following in keys[at + 1 : at + 2])
        else:
            count += key in negators() or key.endswith("n't")
    return count


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
        if (found := cue("erratum", sentence.lower)) and wanted & set(stems(sentence.keys)):
            return sentence, f"the source corrects itself: “{found.strip()}”"
        shared = len(wanted & set(stems(sentence.keys))) / len(wanted)
        if shared < (0.34 if reported else CLOSE):
            continue
        if shared >= CLOSE and _opposite(claim, sentence, polarity):
            return sentence, "another sentence of the source says it with the opposite sign"
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
