"""The same words are not the same statement: a comma, a capital or a hyphen may turn it."""

import re

from core.claims.lexical import same_assertion
from core.text.hygiene import clean
from core.text.reading import Reading, without_citations

_MARKS = "\"'"
_SCARE = re.compile(r"\"[a-z][\w-]*(?: [a-z][\w-]*)?\"|(?<!\w)'[a-z][\w-]*(?: [a-z][\w-]*)?'(?!\w)")
"""One or two words in quotation marks: somebody else's words, or doubted ones."""


def wording(claim: Reading, passage: Reading) -> str | None:
    """With the same words on both sides, punctuation, case and symbols are the same as well."""
    if claim.keys == passage.keys and not same_assertion(claim, passage):
        return "the passage has the same words with other punctuation, symbols or capitals"
    cited = _markers(claim) - _markers(passage)
    if cited:
        return f"the passage does not have “{sorted(cited)[0]}”"
    distanced = _SCARE.findall(clean(passage.raw).text)
    if distanced and not _SCARE.search(clean(claim.raw).text):
        return f"the passage puts “{distanced[0].strip(_MARKS)}” in quotation marks"
    if claim.lower.startswith("no,") != passage.lower.startswith("no,"):
        return "one of claim and passage begins with “no,”"
    before = passage.keys[: len(passage.keys) - len(claim.keys)]
    tail = before and passage.keys[len(before) :] == claim.keys
    if tail and before[-1] != "that" and not same_assertion(claim, passage):
        return f"the passage has it only after “{' '.join(before[-4:])}”"
    mine, theirs = set(claim.keys), set(passage.keys)
    for one, other in ((mine, theirs), (theirs, mine)):
        for word in one - other:
            if "'s" in word and word.replace("'s", "s") in other:
                return f"“{word}” is another word on the other side"
            first, hyphen, rest = word.partition("-")
            if hyphen and (first + rest in other or {first, rest} <= other):
                return f"“{word}” is written without its hyphen on the other side"
    return None


def _markers(text: Reading) -> set[str]:
    """The citation and figure markers of the text, which comparisons otherwise leave out."""
    cleaned = clean(text.raw).text
    blank = without_citations(cleaned)
    kept = "".join(c if b != c else "\0" for c, b in zip(cleaned, blank, strict=True))
    return {" ".join(part.split()) for part in kept.split("\0") if part.strip()}
