"""What the passage says of a part, a case or a label, the claim may not say without it."""

import re
from functools import cache

from core.claims.vetoes.focus import where_near
from core.claims.vetoes.words import contents, sentences_about, words_of
from core.resource import load_json
from core.text.reading import Reading, stems
from core.text.tokens import Kind

_LABEL = re.compile(r"\W*([^:;.!?]{1,90}):\s")
_FRONTED = re.compile(
    r"\W*(?:in|on|at|among|amongst|for|under|with|without|within|across|during|of|given|upon|by|"
    r"from|throughout|between|against|beyond|above|below|outside|inside|near|through|despite|"
    r"were|had|should|once|after|before|following|compared|according|depending|based|to)\s"
    r"([^,;]{2,160}),\s",
    re.IGNORECASE,
)


@where_near
def scope(claim: Reading, passage: Reading) -> str | None:
    """No label, no opening phrase and no modifier narrows what the claim says in full."""
    wanted = set(stems(claim.keys)) | set(claim.keys)
    for sentence in sentences_about(claim, passage):
        text = _margins().sub("", sentence.cleaned, count=1)
        label = _LABEL.match(text)
        if label and _new(label[1], wanted):
            return f"the passage says it under “{label[1].strip()}”"
        opening = _FRONTED.match(text)
        if opening and _new(opening[1], wanted):
            return f"the passage says it only “{opening.group().strip(' ,')}”"
        if reason := _narrowed(claim, sentence) or _narrowed_at_end(claim, sentence):
            return reason
    return None


@cache
def _margins() -> re.Pattern[str]:
    """Labels and openers that may stand before any statement."""
    margins = load_json("gates/margins.json")
    phrases = "|".join((*margins["labels"], *margins["openers"]))
    return re.compile(rf"^\W*(?:{phrases})", re.IGNORECASE)


def _new(phrase: str, wanted: set[str]) -> bool:
    """Whether the phrase has a content word or number that the claim lacks."""
    text = Reading(phrase)
    numbers = {t.key for t in text.tokens if t.kind is Kind.NUMBER}
    neutral = words_of("neutral")
    words = [key for key in text.keys if key not in neutral]
    codes = {key for key in words if len(key) == 2 and key[1].isdigit()}
    return bool((set(stems(words)) | numbers | codes) - wanted)


def _narrowed(claim: Reading, sentence: Reading) -> str | None:
    """The claim's first content word has no further modifier where the sentence begins with it."""
    mine, theirs = contents(claim), contents(sentence)
    if not mine:
        return None
    subject = mine[0][0]
    shared = {stem for stem, _ in mine}
    at = next((n for n, (stem, _) in enumerate(theirs) if stem == subject), None)
    if at is None or not shared.intersection(stem for stem, _ in theirs[at + 1 :]):
        return None
    tokens = sentence.tokens
    place = theirs[at][1]
    plain = all(t.kind is Kind.WORD or t.kind is Kind.NUMBER for t in tokens[:place])
    leading = [tokens[n].key for stem, n in theirs[:at] if stem not in shared]
    neutral = words_of("neutral") | words_of("universal") | words_of("determiners")
    leading = [word for word in leading if word.lower() not in neutral]
    glue = words_of("function_words") - words_of("determiners")
    bare = not any(t.key.lower() in glue for t in tokens[:place])
    if plain and bare and leading:
        return f"the passage says it of “{' '.join([*leading, tokens[place].key])}”"
    return _narrowed_after(claim, sentence, place, shared)


def _narrowed_after(claim: Reading, sentence: Reading, place: int, shared: set[str]) -> str | None:
    """Whether the subject's word has a modifier of its own: "banks in the euro area must"."""
    words = contents(sentence)
    end = next((at for stem, at in words if at > place and stem in shared), None)
    if end is None:
        return None
    gap = [token.key.lower() for token in sentence.tokens[place + 1 : end]]
    if not gap or gap[0] not in words_of("narrowing_words"):
        return None
    if any(place < at < end for _, at in words):
        return f"the passage narrows it: “{' '.join(gap[:6])}”"
    return None


def _narrowed_at_end(claim: Reading, sentence: Reading) -> str | None:
    """A general statement is not made of a case: "applies", but "during the first year".

    Of what happened once, the circumstances may be left out.
    """
    mine = contents(claim)
    if not mine or any(key.endswith("ed") or key in words_of("past_verbs") for key in claim.keys):
        return None
    last, wanted = mine[-1][0], {stem for stem, _ in mine}
    place = max((at for stem, at in contents(sentence) if stem == last), default=None)
    if place is None:
        return None
    rest = [token.key.lower() for token in sentence.tokens[place + 1 :]]
    if not rest or rest[0] not in words_of("trailing_words"):
        return None
    phrase = rest[: next((n for n, key in enumerate(rest) if key in (",", ";", ".")), len(rest))]
    if set(stems(phrase)) - wanted - set(stems(claim.keys)):
        return f"the passage adds “{' '.join(phrase[:6])}”"
    return None
