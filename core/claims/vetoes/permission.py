"""Who may, and on what terms: the terms of a rule may not be dropped, however it is turned.

"Records may be seen by patients in the presence of a physician" does not say "Patients may see
their records". Such claims turn the sentence round, so they are far from it in syntax; what is
compared here is only what hangs on the noun that the claim is about, and what conditions follow.
"""

import re
from functools import partial

from core.claims.negation import negations
from core.claims.vetoes.focus import ground_of, in_general, sentences_of, sweeping, terms
from core.claims.vetoes.words import contents, found, opens_with, places, words_of
from core.text.reading import Reading, stems
from core.text.tokens import Kind

_SHARED = 1 / 3
"""Share of the claim's terms that a sentence has that may make terms for it."""

_KEPT = 3
"""Content words of a term that show that the claim keeps it."""

_WIDEST = 14
"""Tokens after a noun that may narrow it."""

_LONGEST = 6
"""Content words after a term of a rule that say what it asks for."""

_PARTICIPLE = re.compile(r"\w{2,}(?:ing|ed)")


def permission(claim: Reading, passage: Reading) -> str | None:
    """A general rule is claimed with the terms that the passage makes for it."""
    if not in_general(claim) or _makes_terms(claim):
        return None
    entitling = negations(claim.keys) % 2 == 0 and found("entitling", claim.lower)
    for sentence in sentences_of(claim, passage):
        if len(terms(claim) & terms(sentence)) < _SHARED * len(terms(claim)):
            continue
        # A denial keeps the terms of a denial or a ban, not those of what is granted.
        alike = negations(claim.keys) % 2 == 0 or sweeping(sentence)
        if (reason := _only(claim, sentence)) is not None:
            return reason
        for clause in ground_of(claim, sentence, partial(opens_with, "rule_terms")):
            if alike and (reason := _terms(claim, clause)):
                return reason
            if reason := _reserved(claim, clause):
                return reason
            if entitling and (phrase := _narrowed(claim, clause)):
                return f"the passage says it of “{phrase}”"
    return None


def _makes_terms(claim: Reading) -> bool:
    lower = claim.lower
    kinds = ("condition", "exception")
    said = found("rule_terms", lower) or found("discretion", lower)
    return bool(said) or any(found("restriction", lower, k) for k in kinds)


def _terms(claim: Reading, clause: Reading) -> str | None:
    """A condition or an exception of the clause whose words the claim lacks."""
    own = terms(claim)
    for phrase, start, end in places("rule_terms", clause.lower):
        rest = re.split(r"[;.]", clause.lower[end:])[0]
        before = terms(Reading(clause.lower[:start]))
        to = [stem for stem, _ in contents(Reading(rest)) if stem not in before][:_LONGEST]
        kept = len(own.intersection(to))
        if kept < _KEPT and 2 * kept < len(to):
            return f"the passage says “{phrase}”, the claim does not"
    return None


def _reserved(claim: Reading, clause: Reading) -> str | None:
    """What the clause reserves to some, where the claim says it of others or of all."""
    if negations(claim.keys) % 2 or any(found(n, claim.lower) for n in ("exclusive", "reserved")):
        return None
    for phrase, _, end in places("reserved", clause.lower):
        rest = re.split(r"[;,.]", clause.lower[end:])[0]
        to = [stem for stem, _ in contents(Reading(rest))][:_LONGEST]
        if to and not terms(claim).intersection(to):
            return f"the passage says “{phrase}”, the claim does not"
    return None


def _only(claim: Reading, sentence: Reading) -> str | None:
    """What only others may, as the sentence says."""
    if found("exclusive", claim.lower) or negations(claim.keys) % 2:
        return None
    for match in _ONLY.finditer(sentence.lower):
        if not terms(Reading(match[1])) & terms(claim):
            return f"the passage says “{match.group()}”"
    return None


_ONLY = re.compile(r"\bonly (?:the )?((?:[\w-]+ ){1,5}?)(?:may|can|are|is|have|has|shall)\b")


def _narrowed(claim: Reading, clause: Reading) -> str | None:
    """What follows the claim's subject in the clause and narrows it, with words of its own."""
    subject = _subject(claim)
    if subject is None:
        return None
    own = {*stems(claim.keys), *claim.keys}
    tokens = clause.tokens
    for stem, at in contents(clause):
        if stem != subject:
            continue
        phrase: list[str] = []
        for token in tokens[at + 1 : at + 1 + _WIDEST]:
            key = token.key.lower()
            relative = bool(phrase) and phrase[0] in ("who", "whose", "whom")
            if token.kind not in (Kind.WORD, Kind.NUMBER) or (key in _ends() and not relative):
                break
            phrase.append(key)
        if not phrase or not _narrows(phrase):
            continue
        said = [*stems(phrase), *(key for key in phrase if key[0].isdigit())]
        said = [unit for unit in said if unit not in words_of("function_words")]
        new = [unit for unit in said if unit not in own]
        if new and 2 * len(new) >= len(said):
            return f"{tokens[at].text} {' '.join(phrase)}"
    return None


def _ends() -> frozenset[str]:
    return words_of("parting_words") | {"or", "and", "to"}


def _narrows(phrase: list[str]) -> bool:
    first = phrase[0]
    if _PARTICIPLE.fullmatch(first) or first in words_of("subject_narrowing"):
        return True
    return opens_with("narrowing_openings", " ".join(phrase))


def _subject(claim: Reading) -> str | None:
    """The noun that the claim is about, where it speaks of any such thing, not of a known one."""
    keys = claim.keys
    if keys[0] in words_of("known_things"):
        return None
    function = words_of("function_words")
    verb = next(
        (at for at, key in enumerate(keys[:5]) if at and key in words_of("parting_words")), 0
    )
    narrowing = words_of("narrowing_words")
    end = next((at for at, key in enumerate(keys[:verb]) if key in narrowing), verb)
    nouns = [stem for stem in stems(keys[:end] or keys[:verb]) if stem not in function]
    if nouns:
        return nouns[-1]
    return next((stem for stem, _ in contents(claim) if stem not in function), None)
