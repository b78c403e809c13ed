"""At whose choice, at whose cost, at whose risk."""

import re

from core.claims.vetoes.focus import sentences_of
from core.claims.vetoes.words import found
from core.text.reading import Reading, stems

_HEAD = (
    r"(?:choice|discretion|option|request|expense|cost|costs|risk|peril|initiative|instance|"
    r"instructions?|invitation|insistence|suggestion|direction|demand|behest)"
)
_WHOSE = re.compile(
    rf"\b(?:at|on|upon|under|by) (?:(?:the|an?|its|their|his|her) )?(?:[\w-]+ )?"
    rf"(?:(?P<owner>[\w-]+)'s?|(?P<own>our|my|your|their|its|his|her)) (?:\w+ )?(?P<head>{_HEAD})\b"
    rf"|\b(?:at|on|upon|under) the (?P<of>{_HEAD}) of (?:(?:the|an?|its|their) )?(?P<by>[\w-]+)"
)
_LEFT_OPEN = re.compile(
    r"\b(?:is|are|be) left to (?:the|an?|its|their|his|her|each|those|whoever)\b"
    r"|\bfree to (?:choose|decide)\b|\b(?:can|may) (?:choose|decide) whether\b"
)
_MAY = re.compile(
    r"\b(?:may|can|could|might|choice|choose|chooses|chosen|discretion|option|optional|"
    r"up to|left to|whether|if|unless|allowed|permitted|free)\b"
)
_THIRD = frozenset(["their", "its", "his", "her"])


def chooser(claim: Reading, passage: Reading) -> str | None:
    """What is at one's choice, cost or risk in the passage is not at another's in the claim."""
    if (left := _LEFT_OPEN.search(claim.lower)) and not _MAY.search(passage.lower):
        for sentence in sentences_of(claim, passage):
            if bound := found("obligation", sentence.lower):
                return f"the claim leaves it open (“{left[0]}”), the passage says “{min(bound)}”"
    theirs = _owners(passage)
    for head, owner in _owners(claim):
        others = [other for kind, other in theirs if kind == head]
        if not others or owner in _THIRD or not _THIRD.isdisjoint(others):
            continue  # Whom "their" means, only the model can tell.
        if not any(_one(owner, other) for other in others):
            return f"the claim has it at the {head} of another (“{owner}”) than the passage does"
    return None


def _one(owner: str, other: str) -> bool:
    """Whether two words name one party: "tenant", "tenants"; "our" is no "my"."""
    return owner == other or bool(stems([owner]) and stems([owner]) == stems([other]))


def _owners(text: Reading) -> list[tuple[str, str]]:
    """(choice, whose) for each such phrase."""
    return [
        ((m["head"] or m["of"]).rstrip("s"), m["owner"] or m["own"] or m["by"])
        for m in _WHOSE.finditer(text.lower)
    ]
