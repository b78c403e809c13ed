"""Association is not cause."""

import re
from itertools import pairwise

from core.claims.vetoes.focus import near, sentences_of
from core.claims.vetoes.marks import held
from core.claims.vetoes.words import dropped, found, words_of
from core.text.reading import Reading
from core.text.tokens import Kind

_CAUSED_BY = re.compile(r"[\w-]+ed by (?![\d.,]|about|almost|nearly|up to|half|one|two)")


def association_as_cause(claim: Reading, passage: Reading) -> str | None:
    """A claim of cause needs a passage of cause: not an association, not a coincidence.

    A passage in other words gives its causes in other words too; then only an association that
    it speaks of is a reason.
    """
    causal = _causes(claim)
    if not causal:
        return None
    ground = Reading(" ".join(sentence.cleaned for sentence in sentences_of(claim, passage)))
    tied = dropped("association", claim, ground)
    if tied and (near(claim, passage) or not _causes(ground)):
        return f"the passage says “{sorted(tied)[0]}”, the claim “{sorted(causal)[0]}”"
    if held(claim, passage) and not _causes(passage) | found("reason", passage.lower):
        return f"the claim gives a cause (“{sorted(causal)[0]}”), the passage does not"
    return None


def _causes(text: Reading) -> set[str]:
    """The causal phrases: "because", "leads to", and verbs of change that have an object.

    "Pressure increased in the group" and "an increase in pressure" give no cause.
    """
    causes = found("causation", text.lower)
    if _CAUSED_BY.search(text.lower):
        causes |= found("change", text.lower)
    tokens = text.tokens
    glue = words_of("function_words") - words_of("determiners")
    for token, following in pairwise(tokens):
        changes = token.kind is Kind.WORD and found("change", token.key.lower())
        objects = following.kind is Kind.WORD and following.key.lower() not in glue
        if changes and objects and not following.key.lower().endswith("ly"):
            causes.add(token.key.lower())
    return causes
