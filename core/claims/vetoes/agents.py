"""Who does it, where the passage says by whom it is done."""

import re

from core.claims.vetoes.focus import sentences_of, terms
from core.claims.vetoes.verbs import BE, active_forms, finite
from core.claims.vetoes.words import words_of
from core.text.reading import Reading, stems

_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being) (?:\w+ly )?([\w-]+)(?: [\w-]+){0,4}? by (?!\d)"
    r"([\w'’-]+(?: [\w'’-]+){0,4})",
    re.IGNORECASE,
)
_NO_AGENT = re.compile(
    r"(?:[\w-]+ing|far|hand|law|post|name|default|means|way|virtue|up|about|more|less|half|mail|"
    r"itself|it|them|him|her|us|me|you|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)\b",
    re.IGNORECASE,
)


def agent(claim: Reading, passage: Reading) -> str | None:
    """The claim lets do it whoever the passage has it done by.

    Asked is only of one that the passage names in the same sentence, in another part: "the loan
    to the parent company is guaranteed by its subsidiary".
    """
    if "by" in claim.keys:
        return None
    for sentence in sentences_of(claim, passage)[:1]:
        for match in _PASSIVE.finditer(sentence.cleaned):
            doer = _until_function_word(match[2])
            subject = _subject(claim, match[1].lower())
            if not subject or not doer or _NO_AGENT.match(match[2]):
                continue
            before = terms(Reading(sentence.cleaned[: match.start()]))
            if not subject & terms(Reading(match[2])) and subject <= before:
                return f"in the passage it is done by another (“by {doer}”)"
    return None


def _until_function_word(words: str) -> str:
    """The noun phrase that opens the words."""
    ends = words_of("function_words") - words_of("determiners") - {"of"}
    out: list[str] = []
    for word in words.split():
        if word.lower() in ends and out:
            break
        out.append(word)
    return " ".join(out)


def _subject(claim: Reading, participle: str) -> frozenset[str]:
    """The terms before the active verb of which the participle is a form; none for a passive."""
    keys = claim.keys
    forms = active_forms(participle)
    for at, key in enumerate(keys):
        if key in forms and finite(keys, at) and not BE & set(keys[max(0, at - 3) : at]):
            return frozenset(stems(keys[:at]))
    return frozenset()
