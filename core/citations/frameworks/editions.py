"""How the edition of an instrument is written after its name, and alone."""

import re

from core.citations.frameworks.tokens import Tokens

YEAR = re.compile(r"(?:19[0-9]|20[0-4])[0-9]\Z")
_KNOWN = {
    "pci": frozenset({"1.0", "1.1", "1.2", "2.0", "3.0", "3.1", "3.2", "3.2.1", "4.0", "4.0.1"}),
    "csf": frozenset({"1.0", "1.1", "2.0"}),
    "cmmc": frozenset({"1.0", "2.0"}),
    "cis": frozenset({"6", "6.1", "7", "7.1", "8", "8.1"}),
}


def edition_at(
    form: str, tokens: Tokens, at: int, *, alone: bool = False
) -> tuple[str, int] | None:
    """The edition at the token `at`, as it is appended to a name, and the token after it.

    `alone` asks for a mark of its own ("v4.0", "Rev 5"), as where no name stands before it.
    """
    start = at
    bracket = not alone and tokens.text(at) == "("
    if not alone and (bracket or tokens.text(at) == ","):
        at += 1
    found = _marked(form, tokens, at, alone=alone)
    if found is None:
        return None
    edition, end = found
    if bracket:
        if tokens.text(end) != ")":
            return None
        end += 1
    elif at > start and not tokens.word(at):
        # "PCI DSS, 3.2.1": after a comma a bare number is a place.
        return None
    return edition, end


def _marked(form: str, tokens: Tokens, at: int, *, alone: bool) -> tuple[str, int] | None:
    word = tokens.low(at)
    if form in ("nist", "fedramp"):
        return _revision(form, tokens, at)
    if form in ("act", "dated"):
        of = word == "of"
        at += of
        if not alone and tokens.number(at) and YEAR.match(tokens.text(at)):
            return f"{' of' if of and form == 'dated' else ''} {tokens.text(at)}", at + 1
        return None
    if form == "cmmc" and word == "level" and tokens.text(at + 1) in ("1", "2", "3"):
        return f" Level {tokens.text(at + 1)}", at + 2
    if form not in _KNOWN:
        return None
    marked = word in ("v", "version", "ver")
    if marked:
        at += 1
        at += tokens.text(at) == "."
    elif alone or form == "cis" or tokens.glued(at):
        return None
    number, end = dotted(tokens, at)
    if number in _KNOWN[form] and (form == "cis" or "." in number):
        return f" v{number}" if form == "cis" else f" {number}", end
    if form == "pci" and marked and f"{number}.0" in _KNOWN[form]:
        return f" {number}.0", end
    return None


def _revision(form: str, tokens: Tokens, at: int) -> tuple[str, int] | None:
    word = tokens.low(at)
    if word not in ("rev", "revision", "r", "revisions"):
        return None
    at += 1
    at += tokens.text(at) in (".", "-")
    number = tokens.text(at)
    if not tokens.number(at) or len(number) > 1 or (word == "r" and not tokens.glued(at)):
        return None
    return f" Rev. {number}" if form == "nist" else f" Rev {number}", at + 1


def dotted(tokens: Tokens, at: int) -> tuple[str, int]:
    """The dotted number at the token `at` ("4.0.1"), empty where there is none."""
    if not tokens.number(at):
        return "", at
    text = tokens.text(at)
    at += 1
    while (
        tokens.text(at) == "."
        and tokens.glued(at)
        and tokens.number(at + 1)
        and tokens.glued(at + 1)
        and len(text) < 30
    ):
        text, at = f"{text}.{tokens.text(at + 1)}", at + 2
    return text, at
