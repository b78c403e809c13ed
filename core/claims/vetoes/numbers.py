"""Every number of the claim is one that the passage gives, or follows from those it gives."""

from core.claims.negation import negations
from core.claims.vetoes.derivation import follows, is_share, reckoned, satisfies
from core.claims.vetoes.focus import denies, sentences_of, terms
from core.claims.vetoes.quantities import Measured, Quantity, counted, measured
from core.claims.vetoes.words import found
from core.resource import load_json
from core.text.reading import Reading
from core.text.tokens import bigram_coverage

SMALL = 12
"""Counts up to this one are made by counting what a passage lists."""

IN_ORDER = 0.4
"""Share of the claim's word pairs that a copy shares with its original."""


def numbers(claim: Reading, passage: Reading) -> str | None:
    """Every quantity of the claim stands in the passage, or comes out of those that stand there.

    Where claim and passage are the same words, a figure that the passage does not have was put
    in the place of another. In other words, it may be reckoned: what is left of a whole, a
    share, the time between two dates, or the length of a list.
    """
    mine, there = measured(claim), measured(passage)
    same_words = _same_words(claim, passage)
    reckons = (
        not same_words
        or bool(found("reckoning", claim.lower))
        or "all but" in passage.lower
        or _turned(claim, passage)
    )
    for quantity in mine.quantities:
        equal = [q for q in there.quantities if follows(quantity, q, same_words)]
        if equal:
            if same_words and not any(_same_thing(quantity, q, mine, there) for q in equal):
                return f"the passage does not give {quantity.written} of the same thing"
        elif any(quantity.value == q.value and quantity.unit == q.unit for q in there.quantities):
            if same_words:
                return f"the number {quantity.written} is bounded differently in the passage"
        elif not (
            reckoned(quantity, there.quantities)
            or any(satisfies(quantity, q) for q in there.quantities)
            or _counts_a_list(quantity, mine, there)
            if reckons
            else is_share(quantity, there.quantities)
        ):
            return f"the passage does not give the number {quantity.written}"
    return _ordinals(mine, there, same_words) or _other_side(claim, passage, mine, there)


def _other_side(claim: Reading, passage: Reading, mine: Measured, there: Measured) -> str | None:
    """A limit from above where the passage only has limits from below, or the reverse.

    "It lasts at least forty days" does not say that it is used up in under sixty. Where one denies
    and the other does not, the limit may have been turned with it.
    """
    if denies(claim) != any(denies(s) for s in sentences_of(claim, passage)):
        return None
    for quantity in mine.quantities:
        for one, other in ((_FROM_BELOW, _FROM_ABOVE), (_FROM_ABOVE, _FROM_BELOW)):
            same = [q for q in there.quantities if q.unit == quantity.unit]
            if quantity.unit in ("year", "clock") or not quantity.bounds & one:
                continue
            if same and all(q.bounds & other for q in same):
                return f"the passage limits {same[0].written} from the other side"
    return None


_FROM_BELOW, _FROM_ABOVE = frozenset(["lower", "above"]), frozenset(["upper", "below"])


def _turned(claim: Reading, passage: Reading) -> bool:
    """Whether one is negated and the other is not, so that what is left may be counted."""
    sentences = sentences_of(claim, passage)
    return negations(claim.keys) % 2 != sum(negations(s.keys) for s in sentences) % 2


def _same_words(claim: Reading, passage: Reading) -> bool:
    """Whether the claim is a copy of the passage but for its numbers and a word or two."""
    wanted = {term for term in terms(claim) if not term[0].isdigit()}
    missing = wanted.difference(*map(terms, sentences_of(claim, passage)))
    if len(missing) > max(1, 0.15 * len(wanted)):
        return False
    return bigram_coverage(_unnumbered(claim), _unnumbered(passage)) >= IN_ORDER


def _unnumbered(text: Reading) -> list[str]:
    return [key for key in text.keys if not key[0].isdigit()]


def _same_thing(mine: Quantity, theirs: Quantity, here: Measured, there: Measured) -> bool:
    """Whether both are counted per the same, and are of the same thing."""
    if mine.per != theirs.per:
        for rate, words in ((mine.per, there.words), (theirs.per, here.words)):
            if rate and not any(word.startswith(rate[:4]) for word in words):
                return False
    thing, other = counted(here, mine), counted(there, theirs)
    return not thing or not other or thing == other or thing in there.stems


def _counts_a_list(mine: Quantity, here: Measured, there: Measured) -> bool:
    """Whether a small count may be that of things which the passage names one by one."""
    if not mine.plain or isinstance(mine.value, str) or mine.value > SMALL:
        return False
    thing = counted(here, mine)
    rivals = [q for q in there.quantities if q.plain and thing and counted(there, q) == thing]
    return not rivals


def _ordinals(mine: Measured, there: Measured, same_words: bool) -> str | None:
    """An ordinal that the passage does not have, and has another one of the same thing."""
    ordinals = set(load_json("gates/measures.json")["ordinals"])
    taken = {at for q in mine.quantities for at in range(q.at, q.end)}
    others = ordinals.intersection(there.words)
    for at, word in enumerate(mine.words):
        if word not in ordinals or at in taken or word in there.words:
            continue
        following = mine.words[at + 1 : at + 2]
        rival = any(
            there.words[n + 1 : n + 2] == following
            for n, other in enumerate(there.words)
            if other in others
        )
        if rival or same_words:
            return f"the passage does not say “{word}”"
    return None
