"""A part is not the whole: conditions, exceptions and subgroups may not be dropped."""

from functools import partial

from core.claims.negation import negations
from core.claims.vetoes.focus import ground_of, in_general, terms, where_near
from core.claims.vetoes.words import contents, found, opens_with, places, words_of
from core.text.reading import Reading

_ANSWERED_BY = {
    "condition": ("condition", "exception"),
    "exception": ("condition", "exception"),
    "part": ("part",),
    "degree": ("degree",),
}
"""Kinds of restriction of which a claim may say one in place of another."""

_LONGEST = 6
"""Content words after a restriction that say what it restricts to."""


@where_near
def restriction(claim: Reading, sentence: Reading) -> str | None:
    """What the sentence restricts its statement to is said by the claim too.

    A restriction is kept where the claim has most of its words, however it is put, or makes
    another restriction of its kind.
    """
    own = terms(claim) | terms(Reading(claim.lower))
    for clause in ground_of(claim, sentence, partial(opens_with, "hanging")):
        for kind, others in _ANSWERED_BY.items():
            mine = _all(claim, others)
            for phrase, _, end in places("restriction", clause.lower, kind):
                if phrase in words_of("circumstance") and not in_general(claim):
                    continue
                to = [stem for stem, _ in contents(Reading(clause.lower[end:]))][:_LONGEST]
                kept = len(own.intersection(to))
                if kind != "degree" and to and 2 * kept >= len(to):
                    continue
                if phrase not in mine and not mine - _all(sentence, others):
                    return f"the passage says “{phrase}”, the claim does not"
    return _turned_round(claim, sentence)


def _all(text: Reading, kinds: tuple[str, ...]) -> set[str]:
    return set().union(*(found("restriction", text.lower, kind) for kind in kinds))


def _turned_round(claim: Reading, sentence: Reading) -> str | None:
    """An exception made a condition, or the other way, with as many negations as before."""
    for one, other in (("condition", "exception"), ("exception", "condition")):
        mine = found("turning", claim.lower, one) - found("turning", sentence.lower, one)
        theirs = found("turning", sentence.lower, other) - found("turning", claim.lower, other)
        if (
            mine
            and theirs
            and not found("turning", claim.lower, other)
            and negations(claim.keys) % 2 == negations(sentence.keys) % 2
        ):
            return f"the passage says “{sorted(theirs)[0]}”, the claim “{sorted(mine)[0]}”"
    return None
