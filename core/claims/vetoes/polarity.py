"""What one of claim and passage denies, the other may not say."""

import re
from fractions import Fraction
from itertools import product

from core.claims.negation import negation_places, negations
from core.claims.vetoes.derivation import follows
from core.claims.vetoes.focus import clauses, near, sentences_of
from core.claims.vetoes.quantities import measured
from core.claims.vetoes.words import found, words_of
from core.resource import load_json
from core.text.reading import Reading, stems

_DENIED = re.compile(r"\b(?:not|no|non|without|lost)\W+(?:\w+\W+){0,2}significan|insignifican")
_UNTICKED = re.compile(r"\[ ?\]|[☐□]|○(?=.*●)|●(?=.*○)")
_NO_DENIAL = re.compile(r"(?:only|just|merely|least)\b|\w+ than \d")

WHOLE = Fraction(100)
"""Of which a percentage is a part."""

_BARE = (["no"], ["nope"])
_BARE_NOT = frozenset({"not", "and not", "but not"})

ALIKE, MORE_ALIKE = 0.5, 0.7
"""Share of words that two clauses have in common, for the first and the second word denied."""


def polarity(claim: Reading, passage: Reading) -> str | None:
    """What one denies the other does not state, and no prefix turns a word round."""
    if claim.keys == passage.keys:
        return None
    if _UNTICKED.search(passage.cleaned):
        return "a box in the passage is not ticked"
    if _answers_no(passage):
        return "the passage answers no"
    sentences = sentences_of(claim, passage)
    theirs = [clause for sentence in sentences for clause in _joined(clauses(sentence))]
    mine = _joined(clauses(claim))
    if _counts_the_rest(claim, passage):
        both = [sum(map(_negative, clauses_)) for clauses_ in (mine, theirs)]
        if all(both):
            return "the number is of those of whom the passage says the contrary"
    elif denied := _denied(mine, theirs) or _denied(theirs, mine):
        return f"only one of claim and passage denies “{denied}”"
    if _called_significant(claim) and not _called_significant(passage):
        return "the passage does not call it significant"
    if turned := _prefixes(mine, theirs):
        return turned
    return _widened(claim, passage) if near(claim, passage) else None


def _answers_no(passage: Reading) -> bool:
    """Whether the passage ends in a bare no, as a reply does."""
    return passage.keys[-1:] in _BARE and passage.keys[-2:-1] != ["or"]


def _counts_the_rest(claim: Reading, passage: Reading) -> bool:
    """Whether the claim has what is left of a number: "8 of 11 had" is "3 had not"."""
    there = measured(passage).quantities
    known = [q.value for q in there if not isinstance(q.value, str)]
    left = {whole - part for whole in (*known, WHOLE) for part in known}
    return any(
        q.value in left and not any(follows(q, other) for other in there)
        for q in measured(claim).quantities
    )


def _denied(denying: list[Reading], stating: list[Reading]) -> str:
    """A word that a clause of the one text denies and the clauses of the other state; or ""."""
    for clause in denying:
        if not _negative(clause):
            continue
        own = set(stems(clause.keys))
        for core in _cores(clause.keys):
            for word in core:
                having = [c for c in stating if _has(c, stems([word])[0])]
                if not having:
                    continue
                if any(_negative(other) for other in having):
                    break
                shared = max(_shared(own, set(stems(other.keys))) for other in having)
                if shared >= (ALIKE if word == core[0] else MORE_ALIKE):
                    return word
    return ""


def _shared(one: set[str], other: set[str]) -> float:
    """The share of the smaller clause's words that the other has, 0..1."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _has(clause: Reading, stem: str) -> bool:
    """Whether the clause has the word, or one that is made of it ("contaminated", "-ation")."""
    return any(
        own == stem or (min(len(own), len(stem)) > 3 and own[: len(stem)] == stem[: len(own)])
        for own in stems(clause.keys)
    )


def _negative(clause: Reading) -> bool:
    """Whether the clause denies, once or an odd number of times."""
    return (len(_denials(clause.keys)) + len(found("denying", clause.lower))) % 2 == 1


def _denials(keys: list[str]) -> list[int]:
    """Where the negations stand, without those that deny nothing: "not only", "no more than 5"."""
    return [at for at in negation_places(keys) if not _NO_DENIAL.match(" ".join(keys[at + 1 :]))]


def _cores(keys: list[str]) -> list[list[str]]:
    """For each negation the two content words that follow it, or, at the end, that precede it."""
    out = []
    telling = [bool(stems([key])) and key not in words_of("joining") for key in keys]
    for at in _denials(keys):
        following = [keys[n] for n in range(at + 1, len(keys)) if telling[n]][:2]
        preceding = [keys[n] for n in range(at - 1, -1, -1) if telling[n]][:2]
        out.append(following or preceding)
    return out


def _joined(parts: list[Reading]) -> list[Reading]:
    """The clauses, with one that has no words of its own joined to that which it denies.

    "Required, not" denies what stands before, "not because it rained" what follows.
    """
    out: list[Reading] = []
    for at, part in enumerate(parts):
        after = parts[at + 1].lower if at + 1 < len(parts) else ""
        if out and out[-1].lower in _BARE_NOT and part.lower.startswith("because"):
            out[-1] = Reading(f"{out[-1].cleaned} {part.cleaned}")
        elif part.lower in _BARE_NOT and after.startswith("because"):
            out.append(part)
        elif out and not stems(part.keys):
            out[-1] = Reading(f"{out[-1].cleaned} {part.cleaned}")
        else:
            out.append(part)
    return out


def _called_significant(text: Reading) -> bool:
    return "significan" in text.lower and not _DENIED.search(text.lower)


def _widened(claim: Reading, passage: Reading) -> str | None:
    """Under a negation less is more: "no serious harm" is not "no harm"."""
    if not negations(claim.keys):
        return None
    here = set(stems(claim.keys))
    for at, key in enumerate(passage.keys):
        if key in ("no", "any"):
            following = stems(passage.keys[at + 1 : at + 4])
            shared = [n for n, stem in enumerate(following) if stem in here]
            if shared and any(stem not in here for stem in following[: shared[0]]):
                return f"the passage denies it only of “{' '.join(passage.keys[at + 1 : at + 4])}”"
    return None


def _prefixes(mine: list[Reading], theirs: list[Reading]) -> str | None:
    """A word of one that stands with a negating prefix in the other, said of the same things."""
    prefixes = load_json("gates/words.json")["negative_prefixes"]
    for one, other in ((mine, theirs), (theirs, mine)):
        for clause, counterpart in product(one, other):
            if len(_denials(clause.keys)) % 2 != len(_denials(counterpart.keys)) % 2:
                continue
            for word in set(clause.keys) - set(counterpart.keys):
                bare = {word.removeprefix(prefix) for prefix in prefixes} - {word}
                met = next((b for b in bare if len(b) > 3 and b in counterpart.keys), "")
                rest = set(stems(clause.keys)) - set(stems([word]))
                shared = rest.intersection(stems(counterpart.keys))
                if met and met not in clause.keys and 2 * len(shared) >= len(rest):
                    return f"“{word}” stands against “{met}”"
    return None
