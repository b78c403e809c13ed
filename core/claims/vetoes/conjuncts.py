"""A copy of a sentence that leaves a part of a conjunction out."""

from difflib import SequenceMatcher

from core.claims.negation import negations
from core.claims.vetoes.focus import sentences_of
from core.text.reading import Reading

MOST_OUT = 4
"""Words that are left out of a copy; of more, the claim is another sentence."""


def conjunct(claim: Reading, passage: Reading) -> str | None:
    """Without "or …" a copy says more; without "and …" so does one of a number or of a name.

    "Born in Africa or of African descent" does not say "born in Africa"; "floods and landslides
    killed 3,185" does not say that landslides did; "the Fifth and Main District" is one name.
    """
    mine = claim.keys
    for sentence in sentences_of(claim, passage):
        theirs = sentence.keys
        gap = _left_out(mine, theirs)
        if gap is None or negations(theirs):
            continue
        out = theirs[gap[0] : gap[1]]
        ends = {out[0], out[-1]}
        dropped_or = "or" in ends and "or" not in mine and "without" not in out
        all_together = "and" in ends and _counts(theirs[gap[1] :]) and not _counts(out)
        if dropped_or or all_together or ("and" in ends and _name(sentence, out)):
            return f"the claim leaves out “{' '.join(out)}”"
    return None


def _left_out(mine: list[str], theirs: list[str]) -> tuple[int, int] | None:
    """The one place of the sentence that a claim lacks which is otherwise its copy; else None."""
    gaps: list[tuple[int, int]] = []
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        changed = {*mine[i1:i2], *theirs[j1:j2]} <= _AGREEING
        if kind == "insert" and not changed:
            gaps.append((j1, j2))
        elif not changed:
            return None
    if len(gaps) == 2 and theirs[slice(*gaps[0])] == ["either"]:
        gaps = gaps[1:]
    return gaps[0] if len(gaps) == 1 and gaps[0][1] - gaps[0][0] <= MOST_OUT else None


_AGREEING = frozenset({"is", "are", "was", "were", "has", "have", "a", "an", "the"})
"""Words that change with the number of the subject."""


def _counts(keys: list[str]) -> bool:
    """Whether it gives a number, which may be that of all together."""
    return any(key[0].isdigit() for key in keys)


def _name(sentence: Reading, out: list[str]) -> bool:
    """Whether what is left out is part of a name: capitals around the "and", and after."""
    tokens = [token.text for token in sentence.tokens]
    return any(
        tokens[at] == "and"
        and tokens[at - 1][:1].isupper()
        and tokens[at + 1][:1].isupper()
        and tokens[at + 2][:1].isupper()
        and not {tokens[at - 1].lower(), tokens[at + 1].lower()}.isdisjoint(out)
        for at in range(2, len(tokens) - 2)
    )
