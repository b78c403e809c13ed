"""Association is not cause."""

import re
from itertools import pairwise

from core.claims.negation import negations
from core.claims.vetoes.focus import near, sentences_of
from core.claims.vetoes.marks import held
from core.claims.vetoes.words import dropped, found, words_of
from core.text.reading import Reading
from core.text.tokens import Kind

_CAUSED_BY = re.compile(r"[\w-]+ed by (?![\d.,]|about|almost|nearly|up to|half|one|two)")

_MADE = re.compile(
    r"(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )"
    r"\b(?:makes?|made|keeps?|kept|renders?|rendered) (?!it |up |out |sure |use |way )"
    r"(?:(?!(?:to|by|in|on|if|for|up|out|at|of|with|that|who)\b)[\w'-]+ ){1,3}?"
    r"(?:more|less|better|worse|fit|prone|ill|free|safe|healthy|sick|happy"
    r"|(?!never|ever|either|neither|rather|whether|other|under|over|after|water|paper|order|number)"
    r"\w{3,}(?<![aeiouh]v)(?<!mb)er)\b(?! than \d)"
)
"""What makes somebody or something more, less or otherwise so."""


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
    made = _MADE.search(claim.lower)
    if made and not negations(claim.keys) and not _causes(ground) | found("reason", ground.lower):
        return f"the claim gives a cause (“{made[0]}”), the passage does not"
    if tied and (near(claim, passage) or not _causes(ground)):
        return f"the passage says “{sorted(tied)[0]}”, the claim “{sorted(causal)[0]}”"
    if held(claim, passage) and not _causes(passage) | found("reason", passage.lower):
        return f"the claim gives a cause (“{sorted(causal)[0]}”), the passage does not"
    return None


def _causes(text: Reading) -> set[str]:
    """The causal phrases: "because", "leads to", and verbs of change that have an object.

    "Pressure increased in the group" and "an increase in pressure" give no cause.
    """
    causes = found("causation", text.lower) | {made[0] for made in _MADE.finditer(text.lower)}
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
