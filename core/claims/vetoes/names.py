"""Names and codes of the claim must stand in the passage: TP53 is not TP63."""

import re

from core.text.reading import Reading
from core.text.tokens import Kind

_CODE = re.compile(r"(?=.*[^\W\d_])(?:.*\d|.*[A-Z].*[A-Z]|.*[^\W\d_][A-Z]|.*[^\x00-\x7f])")
_CAPITALS = re.compile(r"[A-Z]{2,}s?$")


def names(claim: Reading, passage: Reading) -> str | None:
    """Codes, acronyms and capitalised words within the claim appear in the passage as well."""
    there = {t.key for t in passage.tokens} | {t.other for t in passage.tokens}
    there |= {key.removesuffix("'s") for key in there}
    lower = {key.lower() for key in there}
    first = True
    for token in claim.tokens:
        if token.kind is Kind.WORD and not token.key.isdigit():
            code = _CODE.match(token.key) is not None
            capital = not first and token.text[:1].isupper()
            bare = token.key.removesuffix("'s")
            if code and not {token.key, bare, bare.rstrip("s")} & there:
                return f"the passage does not name {token.key}"
            if capital and not {bare.lower(), bare.lower().rstrip("s")} & lower:
                return f"the passage does not name {token.key}"
        first = token.key in (".", "?", "!")
    return _word_for_acronym(claim, passage)


def _word_for_acronym(claim: Reading, passage: Reading) -> str | None:
    """The claim's "us" is not the passage's "US"."""
    here = {t.key for t in claim.tokens}
    for token in passage.tokens:
        acronym = _CAPITALS.match(token.key) and token.key not in here
        if acronym and {token.key.lower(), token.key.capitalize()} & here:
            return f"the passage says “{token.key}”, which is another word"
    return None
