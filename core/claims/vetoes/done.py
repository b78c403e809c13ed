"""What may or shall be done is not told as done."""

import re
from itertools import pairwise

from core.claims.vetoes.focus import sentences_of
from core.claims.vetoes.verbs import BE, BE_THEN, active_forms, finite, present_forms, verbs
from core.claims.vetoes.words import found
from core.resource import load_json
from core.text.reading import Reading

_RULE = re.compile(
    r"\b(?:may|shall|must|should|can|will)\b(?: (?:not|also|only|then|now|\w+ly)){0,2}"
    r"(?P<be> be)?(?: \w+ly)? (?P<verb>[a-z]+)\b"
)

_PROMISED = re.compile(
    r"\b(?:promised|pledged|vowed|undertook|undertakes|promises|pledges|vows) "
    r"(?:\w+ ){0,3}?(?:that|to)\b"
)
_PROMISE_WORDS = frozenset(
    {"promised", "promises", "promise", "pledged", "pledges", "pledge", "vowed", "vows", "vow",
     "undertook", "undertakes", "undertaking", "committed", "commitment", "word", "assured",
     "said", "announced", "intended", "planned", "meant", "supposed", "guaranteed"}
)  # fmt: skip

_NO_DEED = frozenset({"has", "have", "having", "not", "if", "that"})
"""After these a past form tells no deed of the past."""


def told_as_done(claim: Reading, passage: Reading) -> str | None:
    """A claim in the past says that something happened, and so must the passage.

    "The Society may print more" does not say that it printed more.
    """
    keys = claim.keys
    if found("planned", claim.lower) or _RULE.search(claim.lower) or BE & set(keys) - BE_THEN:
        return None
    for sentence in sentences_of(claim, passage):
        promised = _PROMISED.search(sentence.lower)
        if promised and _past(keys) and not set(keys) & _PROMISE_WORDS:
            return f"the passage says “{promised[0]}”, the claim tells it as done"
        for match in _RULE.finditer(sentence.lower):
            told = _was(keys, match["verb"]) if match["be"] else _did(keys, match["verb"])
            if told and not _says(passage.lower, told):
                return f"the passage says “{match[0]}”, the claim “{told}”"
    return None


def _past(keys: list[str]) -> bool:
    """Whether a verb of the claim stands in the past."""
    irregular = load_json("gates/verbs.json")["past"].keys() | BE_THEN | {"could", "did"}
    return any(
        key in irregular or (key.endswith("ed") and finite(keys, at)) for at, key in enumerate(keys)
    )


def _did(keys: list[str], verb: str) -> str:
    """The past form of the verb that the claim has for what someone did."""
    present = present_forms(verb)
    for at, key in enumerate(keys[1:], start=1):
        if key in present or verb in verbs("telling") or keys[at - 1] in _NO_DEED:
            continue
        if present & active_forms(key):
            return key
    return ""


def _was(keys: list[str], participle: str) -> str:
    """The participle with "was" or "were", where the claim says that it was done to something."""
    for one, other in pairwise(keys):
        if one in BE_THEN and other == participle:
            return f"{one} {other}"
    return ""


def _says(lower: str, told: str) -> bool:
    return re.search(rf"\b{re.escape(told)}\b", lower) is not None
