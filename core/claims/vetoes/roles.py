"""Who does it to whom: two things exchanged, or one put in another's place."""

import itertools
import re
from collections.abc import Iterator

from core.claims.vetoes.alignment import Alignment, Common, Gap
from core.claims.vetoes.focus import sentences_of, where_near
from core.claims.vetoes.words import contents, found, words_of
from core.text.reading import Reading

_EXCHANGED = 0.7
"""Share of the claim that runs along the sentence once two of its parts are exchanged."""

_REPLACED = 0.6
"""Share of the claim that runs along a sentence that has another thing in one place."""

_WIDEST = 3
"""Units of one place."""

_BE = re.compile(r"\b(?:is|are|was|were|be|been|being) (\w+)(?: (\w+))?")
_BY = re.compile(r"\b(?:is|are|was|were|be|been|being) (?:\w+ ){0,2}?(\w+) (?:\w+ ){0,2}?by\b")


def argument_order(claim: Reading, passage: Reading) -> str | None:
    """No two things of the claim have changed places in the passage, and none is another's place.

    Asked is not whether the order differs, as it does in many a rewording, but whether the claim
    would be closer to a sentence of the passage with two of its parts exchanged.
    """
    for sentence in sentences_of(claim, passage)[:2]:
        if sentence.keys == claim.keys:
            return None
        aligned = Alignment(claim, sentence)
        shared = set(aligned.mine) & set(aligned.theirs)
        if (_after_be(claim) ^ _after_be(sentence)) & shared:
            continue
        reason = _exchanged(claim, sentence, aligned) or _replaced(claim, passage, aligned)
        if reason:
            return reason
    return _same_order_in_passive(claim, passage)


def _exchanged(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Two parts of the claim that the sentence has in each other's place."""
    if "than" in claim.keys or found("symmetric", claim.lower):
        return None
    mine, common = aligned.mine, Common(aligned.theirs)
    # A part may move as a whole to the front or to the end: that exchanges nothing.
    moved = max((common(mine[at:] + mine[:at]) for at in range(len(mine))), default=0)
    needed = max(moved + 1, _EXCHANGED * len(mine))
    for one, other, exchanged in _exchanges(claim, aligned):
        if common(exchanged) >= needed:
            return f"the passage has “{one}” and “{other}” in each other's place"
    return None


def _after_be(text: Reading) -> set[str]:
    """The stems of what follows a form of "be": the verbs in the passive are among them."""
    followers = (Reading(word) for words in _BE.findall(text.lower) for word in words)
    return {stem for follower in followers for stem, _ in contents(follower)}


def _exchanges(claim: Reading, aligned: Alignment) -> Iterator[tuple[str, str, list[str]]]:
    """The claim with two of the words that it shares exchanged, or the two sides of one."""
    mine, theirs = aligned.mine, set(aligned.theirs)
    content = {stem for stem, _ in contents(claim)}
    shared = [at for at, unit in enumerate(mine) if unit in theirs and unit in content]
    for i, j in itertools.combinations(shared, 2):
        if mine[i] == mine[j] or _one_thing(mine[i + 1 : j]) or _listed(mine[i + 1 : j]):
            continue
        exchanged = mine.copy()
        exchanged[i], exchanged[j] = mine[j], mine[i]
        yield mine[i], mine[j], exchanged
    for at in shared:
        if 0 < at < len(mine) - 1:
            yield mine[at - 1], mine[at + 1], [*mine[at + 1 :], mine[at], *mine[:at]]


def _one_thing(between: list[str]) -> bool:
    """Whether the two are one name: "the fund's trustee", "the trustee of the fund"."""
    return between in ([], ["of"])


def _listed(between: list[str]) -> bool:
    """Whether only a joining word, or things joined with it, stand between two things."""
    function = words_of("function_words") - words_of("list_words")
    return bool({"and", "or", "nor"} & set(between)) and not function & set(between)


def _replaced(claim: Reading, passage: Reading, aligned: Alignment) -> str | None:
    """A thing of the claim in whose place the sentence has another, and it itself elsewhere."""
    if aligned.share < _REPLACED:
        return None
    everywhere = {stem for stem, _ in contents(passage)} | set(passage.keys)
    for gap in aligned.gaps:
        inner = gap.before >= 0 and not gap.closing
        if len(gap.mine) > _WIDEST or (inner and (gap.broken or len(gap.theirs) > _WIDEST)):
            continue
        near = gap.theirs[:_WIDEST] if gap.closing else gap.theirs[-_WIDEST:]
        mine = _things(gap.mine)
        theirs = [unit for unit in _things(near) if unit not in aligned.mine]
        if mine and theirs and everywhere.issuperset(mine) and not _goes_on(aligned, gap, mine[-1]):
            return f"the passage has “{' '.join(theirs)}” in the place of “{' '.join(mine)}”"
    return None


def _goes_on(aligned: Alignment, gap: Gap, thing: str) -> bool:
    """Whether more of the claim follows the thing's own place, as in a list.

    "Dams are a threat to two species and weeds to five" says of weeds what it says of dams.
    """
    here = max((j for i, j in aligned.places if i <= gap.before), default=-1)
    theirs = aligned.theirs
    for at in range(here + 1, len(theirs)):
        if theirs[at] == thing and set(theirs[at + 1 :]).difference(theirs[:at]) & set(
            aligned.mine
        ):
            return True
    return False


def _things(part: tuple[str, ...]) -> list[str]:
    """What may stand in another's place: content words; numbers have a veto of their own."""
    return [
        unit
        for unit in part
        if unit not in words_of("function_words") and not any(c.isdigit() for c in unit)
    ]


@where_near
def _same_order_in_passive(claim: Reading, sentence: Reading) -> str | None:
    """One is in the passive, yet doer and done-to stand in the same order around the verb."""
    for passive, active in ((claim, sentence), (sentence, claim)):
        for match in _BY.finditer(passive.lower):
            verb = [stem for stem, _ in contents(Reading(match[1]))]
            done_to = _content_before(passive, match.start())
            doer = _content_after(passive, match.end())
            order = [stem for stem, _ in contents(active)]
            if not verb or not {*verb, *done_to[-1:], *doer[:1]} <= set(order):
                continue
            if not done_to or not doer or re.search(rf"\b{match[1]} (?:\w+ )?by\b", active.lower):
                continue
            at = order.index(verb[0])
            if order.index(done_to[-1]) < at < order.index(doer[0]):
                return "one of claim and passage is in the passive, with the same order"
    return None


def _content_before(text: Reading, end: int) -> list[str]:
    return [stem for stem, _ in contents(Reading(text.lower[:end]))]


def _content_after(text: Reading, start: int) -> list[str]:
    return [stem for stem, _ in contents(Reading(text.lower[start:]))]
