"""And is not or: what the claim joins is joined in the passage, and an "or" is not dropped."""

from core.claims.vetoes.focus import where_near
from core.claims.vetoes.words import contents, words_of
from core.text.reading import Reading
from core.text.tokens import Kind, Token

_WIDEST = 3
"""Content words that may stand between two things that are joined."""


@where_near
def coordination(claim: Reading, passage: Reading) -> str | None:
    """Of two things joined by "and", the passage has both and joins them as well."""
    here = {stem for stem, _ in contents(claim)}
    there = {stem for stem, _ in contents(passage)}
    for before, after, _ in _pairs(claim, ("and", "&")):
        if (before in there) != (after in there):
            return f"the passage does not speak of “{after if before in there else before}”"
        joined = _joined(claim, before, after)
        if joined and before in there and not _joined(passage, before, after):
            return "the passage does not join what the claim joins with “and”"
    mine, theirs = set(claim.keys), set(passage.keys)
    if "or" in theirs - mine and "and" in mine - theirs:
        return "the passage says “or”, the claim “and”"
    for before, after, counted in _pairs(passage, ("or",)):
        if (before in here) != (after in here) and "or" not in mine and not counted:
            return "the passage says “or”, the claim leaves it out"
    for before, after, counted in _pairs(passage, ("and", "&")):
        if counted and before in here and after not in here:
            return f"the passage counts “{after}” as well"
    return None


def _pairs(text: Reading, joiners: tuple[str, ...]) -> list[tuple[str, str, bool]]:
    """(content word before, content word after, whether a number stands before) of each joiner."""
    tokens, words = text.tokens, {at: stem for stem, at in contents(text)}
    out = []
    for at, token in enumerate(tokens):
        if token.key.lower() not in joiners:
            continue
        before = next((n for n in (at - 1, at - 2) if n in words), None)
        after = next((n for n in (at + 1, at + 2) if n in words), None)
        if before is not None and after is not None:
            counted = any(t.kind is Kind.NUMBER for t in tokens[max(0, before - 2) : before])
            out.append((words[before], words[after], counted))
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
