"""And is not or: what the claim joins is joined in the passage, and an "or" is not dropped."""

import re

from core.claims.negation import negations
from core.claims.vetoes.alignment import Alignment
from core.claims.vetoes.focus import clauses, terms, where_near
from core.claims.vetoes.words import contents, found, words_of
from core.text.reading import Reading
from core.text.tokens import Kind, Token

_WIDEST = 3
"""Content words that may stand between two things that are joined."""

_BOUND = ("more", "less", "fewer", "above", "below", "over", "under", "better", "worse", "later")


@where_near
def coordination(claim: Reading, passage: Reading) -> str | None:
    """Of two things joined by "and", the passage has both and joins them as well."""
    here = {stem for stem, _ in contents(claim)}
    there = {stem for stem, _ in contents(passage)}
    for before, after, _ in _pairs(claim, ("and", "&")):
        if (before in there) != (after in there):
            return f"the passage does not speak of “{after if before in there else before}”"
        joined = _joined(claim, before, after) and not _two_statements(claim, passage)
        if joined and before in there and not _joined(passage, before, after):
            return "the passage does not join what the claim joins with “and”"
    mine, theirs = set(claim.keys), set(passage.keys)
    if "or" in theirs - mine and _chosen(claim, passage):
        if "and" in mine - theirs:
            return "the passage says “or”, the claim “and”"
        for before, after, counted in _pairs(passage, ("or",)):
            if (before in here) != (after in here) and not counted and after not in _BOUND:
                return "the passage says “or”, the claim leaves it out"
    for before, after, counted in _pairs(passage, ("and", "&")):
        if counted and before in here and after not in here:
            return f"the passage counts “{after}” as well"
    return None


def _chosen(claim: Reading, passage: Reading) -> bool:
    """Whether the "or" leaves open which: of what is allowed, denied or a case, each holds."""
    until = passage.keys[: passage.keys.index("or")]
    before = " ".join(until)
    cases = found("restriction", before, "condition") | found("restriction", before, "exception")
    allowed = found("permission", claim.lower) or found("universal", before)
    return not (cases or allowed or negations(until))


def _two_statements(claim: Reading, passage: Reading) -> bool:
    """Whether the passage states each side of the claim's "and" in a clause of its own."""
    halves = [Reading(half) for half in re.split(r",? and ", claim.cleaned, maxsplit=1)]
    parts = clauses(passage)
    return all(any(_states(part, half) for part in parts) for half in halves)


def _states(clause: Reading, half: Reading) -> bool:
    """Whether the clause is the statement, with nothing before it and no part narrowed."""
    aligned = Alignment(half, clause)
    if len(terms(half)) < 2 or not terms(half) <= terms(clause) or not aligned.places:
        return False
    first, last = aligned.places[0][1], aligned.places[-1][1]
    leading = set(aligned.theirs[:first]) - words_of("function_words") - words_of("joining")
    return not leading and not words_of("narrowing_words") & {
        unit for unit in aligned.theirs[first:last] if unit not in aligned.mine
    }


def _pairs(text: Reading, joiners: tuple[str, ...]) -> list[tuple[str, str, bool]]:
    """(content word before, content word after, whether they are counted) of each joiner."""
    tokens, words = text.tokens, {at: stem for stem, at in contents(text)}
    out = []
    for at, token in enumerate(tokens):
        if token.key.lower() not in joiners:
            continue
        before = next((n for n in (at - 1, at - 2) if n in words), None)
        after = next((n for n in (at + 1, at + 2) if n in words), None)
        if before is not None and after is not None:
            counted = any(t.kind is Kind.NUMBER for t in tokens[max(0, before - 2) : before])
            nouns = after == at + 1 or tokens[at + 1].key.lower() in ("a", "an", "the")
            out.append((words[before], words[after], counted and nouns))
    return out


def _joined(text: Reading, before: str, after: str) -> bool:
    """Whether the two words stand in one list of the text."""
    places = contents(text)
    spans: list[list[Token]] = [
        text.tokens[min(one, other) + 1 : max(one, other)]
        for first, one in places
        for second, other in places
        if (first, second) == (before, after)
    ]
    keys = [token.key.lower() for token in min(spans, key=len)]
    return len(
        [key for key in keys if key not in words_of("list_words")]
    ) <= _WIDEST and not words_of("parting_words") & set(keys)
