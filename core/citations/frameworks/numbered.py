"""Instruments that are named by a number, by the word or number that they begin with."""

from collections.abc import Callable

from core.citations.frameworks.acts import ACT_KINDS, act, code_of_law
from core.citations.frameworks.catalogue import Found
from core.citations.frameworks.publications import publication
from core.citations.frameworks.standards import BODIES, bare_standard, nist, standards
from core.citations.frameworks.tokens import Kind, Tokens

_PUBLISHERS = (
    "fips", "eo", "e", "executive", "omb", "bod", "m", "far", "dfars", "eba", "esma", "eiopa",
    "jc", "edpb", "bsi", "pipeline", "eu",
)  # fmt: skip
_Reader = Callable[[Tokens, int], Found | None]
_FIRST: dict[str, _Reader] = {
    **dict.fromkeys((body.lower() for body in BODIES), standards),
    **dict.fromkeys(("nist", "sp", "nistir"), nist),
    **dict.fromkeys(_PUBLISHERS, publication),
    **dict.fromkeys(("commission", "council", "implementing", "delegated", "framework"), act),
    **dict.fromkeys(ACT_KINDS, act),
}


def numbered(tokens: Tokens, index: int) -> Found | None:
    """The instrument named by a number that begins at the token `index`."""
    if index >= len(tokens) or tokens.kinds[index] is Kind.MARK:
        return None
    reader = _FIRST.get(tokens.low(index))
    if reader is not None:
        found = reader(tokens, index)
        if found is not None:
            return found
    if tokens.number(index):
        return code_of_law(tokens, index) or bare_standard(tokens, index)
    return None
