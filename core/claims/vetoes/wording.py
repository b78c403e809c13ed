"""The same words are not the same statement: a comma, a capital or a hyphen may turn it."""

import re

from core.claims.lexical import same_assertion
from core.claims.vetoes.focus import where_near
from core.claims.vetoes.words import words_of
from core.text.hygiene import clean
from core.text.reading import Reading, without_citations

_MARKS = "\"'"
_SCARE = re.compile(r"\"[a-z][\w-]*(?: [a-z][\w-]*)?\"|(?<!\w)'[a-z][\w-]*(?: [a-z][\w-]*)?'(?!\w)")
"""One or two words in quotation marks: somebody else's words, or doubted ones."""


def wording(claim: Reading, passage: Reading) -> str | None:
    """What comparisons of words leave out is the same on both sides."""
    return _another_word(claim, passage) or _as_written(claim, passage)


@where_near
def _as_written(claim: Reading, passage: Reading) -> str | None:
    return _marks(claim, passage) or _order(claim, passage) or _apart(claim, passage)


def _marks(claim: Reading, passage: Reading) -> str | None:
    """Citation and figure markers of the claim are the passage's; quotation marks are kept."""
    cited = _markers(claim) - _markers(passage)
    if cited:
        return f"the passage does not have “{sorted(cited)[0]}”"
    if _SCARE.search(clean(claim.raw).text):
        return None
    for distanced in _SCARE.findall(clean(passage.raw).text):
        if (words := distanced.strip(_MARKS)) in claim.lower:
            return f"the passage puts “{words}” in quotation marks"
    return None


def _order(claim: Reading, passage: Reading) -> str | None:
    """The same words have the same punctuation and capitals, and none before them."""
    if claim.lower.startswith("no,") != passage.lower.startswith("no,"):
        return "one of claim and passage begins with “no,”"
    # A passage may have been cleaned before; then so is the claim, to compare like with like.
    again = Reading(clean(claim.raw).text)
    if any(same_assertion(c, passage) or _alike(c, passage) for c in (claim, again)):
        return None
    if claim.keys == passage.keys:
        return "the passage has the same words with other punctuation, symbols or capitals"
    before = passage.keys[: len(passage.keys) - len(claim.keys)]
    follows = before and passage.keys[len(before) :] == claim.keys
    if follows and before[-1] != "that" and before[-1] not in words_of("joining"):
        return f"the passage has it only after “{' '.join(before[-4:])}”"
    return None


def _alike(claim: Reading, passage: Reading) -> bool:
    """Whether the tokens are the same, however few."""
    mine, theirs = claim.tokens, passage.tokens
    return len(mine) == len(theirs) and all(a.same(b) for a, b in zip(mine, theirs, strict=True))


def _another_word(claim: Reading, passage: Reading) -> str | None:
    """A word without its hyphen may be another word: "re-signed", "resigned"."""
    mine, theirs = set(claim.keys), set(passage.keys)
    for one, other in ((mine, theirs), (theirs, mine)):
        for word in one - other:
            if "-" in word and word.replace("-", "", 1) in other:
                return f"“{word}” is written without its hyphen on the other side"
    return None


def _apart(claim: Reading, passage: Reading) -> str | None:
    """A hyphen or apostrophe may turn a phrase: "a small-business owner", "the trustees' vote"."""
    mine, theirs = set(claim.keys), set(passage.keys)
    for one, other in ((mine, theirs), (theirs, mine)):
        for word in one - other:
            first, hyphen, rest = word.partition("-")
            if hyphen and {first, rest} <= other:
                return f"“{word}” is written without its hyphen on the other side"
            if "'s" in word and word.replace("'s", "s") in other:
                return f"“{word}” is another word on the other side"
    return None


def _markers(text: Reading) -> set[str]:
    """The citation and figure markers of the text."""
    cleaned = clean(text.raw).text
    blank = without_citations(cleaned)
    kept = "".join(c if b != c else "\0" for c, b in zip(cleaned, blank, strict=True))
    return {" ".join(part.split()) for part in kept.split("\0") if part.strip()}
