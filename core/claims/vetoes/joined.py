"""What a claim joins of one subject may be said of two: "The Kiel plant, which …, was sold."."""

import re
from collections.abc import Sequence

from core.claims.vetoes.focus import terms
from core.claims.vetoes.words import words_of
from core.text.reading import Reading
from core.text.sentences import split
from core.text.tokens import Kind, Token

_APPOSITIVE = re.compile(
    r"^(?P<subject>[^,;:]{3,60}), "
    r"(?P<first>(?:(?:which|who|that)\b|\w+(?:ed|ing|en|und|ilt|ade|eld)\b)[^;:]{3,}?), "
    r"(?!and\b|or\b)(?P<second>[^;:]{3,})$"
)
_AND = re.compile(r"^(?P<first>[^;:]{8,}?),? and (?:also )?(?P<second>[^;:]{3,})$")
_DETERMINERS = frozenset({"the", "a", "an", "this", "that", "these", "those", "its", "their"})
_POINTING = frozenset({"the", "this", "that", "these", "those"})
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof", "professor", "sir", "judge", "justice"})
_PRONOUNS = frozenset(
    {"it", "he", "she", "they", "we", "i", "this", "these", "that", "those", "both", "who"}
)
_AUXILIARIES = frozenset(
    {"is", "are", "was", "were", "has", "have", "had", "can", "may", "must", "will", "shall"}
    | {"also", "could", "would", "should", "did", "does", "do", "then", "later", "now"}
)
OPENING = 8
"""Words within which a sentence names its subject."""
HELD = 0.5
"""Share of a predicate's terms that a sentence needs to be the one that says it."""


def joined(claim: Reading, passage: Reading) -> str | None:
    """Each predicate that the claim joins stands in a sentence about the claim's subject."""
    sentences = [Reading(passage.raw[start:end]) for start, end in split(passage.raw)]
    if len(sentences) < 2:
        return None
    plain = claim.cleaned.strip().rstrip(".!")
    if found := _APPOSITIVE.match(plain):
        subject = _subject(found["subject"])
        own = _distinguishing(subject)
        if not own:
            return None
        says = [_best(found[part], own, sentences) for part in ("first", "second")]
        if None in says or says[0] is says[1]:
            return None
        said = terms(Reading(f"{found['first']} {found['second']}"))
        if any(s is not None and not _names(s, own, subject, said) for s in says):
            return "the passage says the two things of different subjects"
        return None
    if found := _AND.match(plain):
        subject = _subject(" ".join(found["first"].split()[:3]))
        first, second = (_best(found[part], set(), sentences) for part in ("first", "second"))
        if first is None or second is None or first is second:
            return None
        if other := _another(subject, claim, second):
            return f"the passage says a part of it of “{other}”"
    return None


def _subject(text: str) -> list[Token]:
    tokens = [t for t in Reading(text).tokens if t.kind in (Kind.WORD, Kind.NUMBER)]
    while tokens and tokens[0].key.lower() in _DETERMINERS:
        tokens = tokens[1:]
    return tokens


def _is_name(token: Token) -> bool:
    return token.text[:1].isupper() or token.kind is Kind.NUMBER


def _distinguishing(subject: Sequence[Token]) -> set[str]:
    """The words that tell the subject from others of its kind; empty where nothing does."""
    if not subject or len(subject) > 5:
        return set()
    keys = [token.key.lower() for token in subject]
    if not _is_name(subject[-1]):
        rest = [k for k in keys[:-1] if k not in words_of("function_words")]
        return set(rest)
    named = {k for t, k in zip(subject, keys, strict=True) if _is_name(t) and k not in _TITLES}
    label = len(subject[-1].text) == 1 or subject[-1].kind is Kind.NUMBER
    return {keys[-1]} if label else named


def _best(predicate: str, own: set[str], sentences: Sequence[Reading]) -> Reading | None:
    """The sentence that holds most of the predicate; of equal ones, one that has a word of `own`.

    None where none holds half of it.
    """
    wanted = terms(Reading(predicate)) - terms(Reading(" ".join(own)))
    if not wanted:
        return None
    best = max(sentences, key=lambda s: (len(wanted & terms(s)), bool(own & set(s.keys))))
    return best if len(wanted & terms(best)) >= HELD * len(wanted) else None


def _names(
    sentence: Reading, own: set[str], subject: Sequence[Token], said: frozenset[str]
) -> bool:
    """Whether a sentence may be about the subject: it has its name, or points back.

    What it points to with an article is not among the things that are `said` of the subject.
    """
    words = [t for t in sentence.tokens if t.kind in (Kind.WORD, Kind.NUMBER)]
    keys = [token.key.lower().removesuffix("'s") for token in words]
    known = {token.key.lower() for token in subject} | words_of("function_words")
    for at, key in enumerate(keys):
        if any(_alike(key, word) for word in own):
            following = words[at + 1] if at + 1 < len(words) else None
            foreign = following and _is_name(following) and keys[at + 1] not in known
            if len(own) == 1 or not foreign:
                return True
    if _PRONOUNS.intersection(keys[:OPENING]):
        return True
    initials = "".join(t.text[0] for t in subject if t.text[:1].isupper()).lower()
    if len(initials) > 1 and initials in keys:
        return True
    return any(
        keys[at] in _POINTING
        and not said & terms(Reading(keys[at + 1]))
        and (keys[at + 2] in _AUXILIARIES or _is_verb(keys[at + 2]))
        for at in range(min(OPENING, len(keys) - 2))
    )


def _is_verb(key: str) -> bool:
    return key in words_of("past_verbs") or bool(re.search(r"[^e]ed$", key))


def _alike(one: str, other: str) -> bool:
    """Whether two words are one but for their endings ("north", "northern")."""
    if len(one) < 5 or len(other) < 5:
        return one == other
    return one[:5] == other[:5]


def _another(subject: Sequence[Token], claim: Reading, sentence: Reading) -> str | None:
    """What a sentence names instead: the subject's noun or title with another word beside it."""
    if len(subject) < 2:
        return None
    one, two = subject[0], subject[1]
    before = not _is_name(two) and one.key.lower() not in words_of("function_words")
    kept, told = (two, one) if before else (one, two)
    empty = words_of("function_words") | _AUXILIARIES
    if (not before and not _is_name(two)) or kept.key.lower() in empty:
        return None
    mine = {key.removesuffix("'s") for key in claim.keys}
    theirs = [t for t in sentence.tokens if t.kind in (Kind.WORD, Kind.NUMBER)]
    keys = [t.key.lower() for t in theirs]
    if told.key.lower() in keys or _PRONOUNS.intersection(keys[:OPENING]):
        return None
    for at, key in enumerate(keys[:OPENING]):
        beside = at - 1 if before else at + 1
        if key != kept.key.lower() or not 0 <= beside < len(keys):
            continue
        word = keys[beside]
        like = _is_name(theirs[beside]) == _is_name(told) or at > 1
        label = len(word) == 1 and not before
        if like and word not in mine and (label or word not in words_of("function_words")):
            if not before and not _is_name(theirs[beside]):
                continue
            pair = (theirs[beside], theirs[at]) if before else (theirs[at], theirs[beside])
            return " ".join(token.text for token in pair)
    return None
