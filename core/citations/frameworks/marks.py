"""What stands between places and around labels: joints of a list, labels in brackets."""

from core.citations.frameworks.catalogue import words
from core.citations.frameworks.places import roman
from core.citations.frameworks.tokens import Tokens


def separator(tokens: Tokens, at: int) -> tuple[str, int] | None:
    """What joins two places at the token `at`: "and" or "range", and the token after it."""
    text, low = tokens.text(at), tokens.low(at)
    if text in (",", "&", "/") or low in words("and"):
        at += 1
        if text == "," and (tokens.low(at) in words("and") or tokens.text(at) == "&"):
            at += 1
        elif low in words("and") and tokens.text(at) == "/" and tokens.low(at + 1) in words("and"):
            at += 2
        elif low == "and" and tokens.text(at) == ",":
            return None
        return "and", at
    if low == "as" and tokens.low(at + 1) == "well" and tokens.low(at + 2) == "as":
        return "and", at + 3
    if low in words("range"):
        return "range", at + 1
    if text in ("-", "–", "‑", "‐", "−", "‒"):
        at += 1
        if text == "-" and tokens.text(at) == "-" and tokens.glued(at):
            at += 1
        return "range", at
    if text == "." and tokens.text(at + 1) == "." and tokens.glued(at + 1):
        return "range", at + 2
    if text == "—" and tokens.glued(at) and tokens.glued(at + 1):
        return "range", at + 1
    return None


def group_at(tokens: Tokens, at: int) -> tuple[str, int] | None:
    """The label in brackets at the token `at`: (3), (a), (iv), (aa)."""
    if tokens.text(at) != "(" or tokens.text(at + 2) != ")":
        return None
    label = tokens.text(at + 1)
    if tokens.number(at + 1):
        return (label, at + 3) if len(label) <= 2 else None
    if not tokens.word(at + 1) or not label.isascii():
        return None
    numeral = len(label) <= 5 and roman(label) is not None
    double = (len(label) == 2 and label[0] == label[1]) or label in (
        "ae",
        "ab",
        "ac",
        "ad",
        "af",
        "ag",
        "ah",
        "ai",
        "aj",
    )
    return (label, at + 3) if len(label) == 1 or numeral or double else None
