"""What the passage says of a part, a case or a label, the claim may not say without it."""

import re
from functools import cache

from core.claims.vetoes.alignment import Alignment, Gap
from core.claims.vetoes.focus import clauses, in_general, terms, where_near
from core.claims.vetoes.words import contents, words_of
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
_LONGEST = 8
"""Units of a modifier that are shown."""


@where_near
def scope(claim: Reading, sentence: Reading) -> str | None:
    """No label, no opening phrase and no modifier narrows what the claim says in full."""
    text = _margins().sub("", sentence.cleaned, count=1)
    label = _LABEL.match(text)
    if label and _left_out(label[1], claim):
        return f"the passage says it under “{label[1].strip()}”"
    opening = _FRONTED.match(text)
    if opening and _left_out(opening[1], claim) and _is_about(text[opening.end() :], claim):
        return f"the passage says it only “{opening.group().strip(' ,')}”"
    for gap in Alignment(claim, sentence).gaps:
        if phrase := _modifier(gap, claim):
            return f"the passage narrows it: “{phrase}”"
    return None


@cache
def _margins() -> re.Pattern[str]:
    """Labels and openers that may stand before any statement."""
    margins = load_json("gates/margins.json")
    phrases = "|".join((*margins["labels"], *margins["openers"]))
    return re.compile(rf"^\W*(?:{phrases})", re.IGNORECASE)


def _left_out(phrase: str, claim: Reading) -> bool:
    """Whether the claim lacks most of the content words, numbers and codes of the phrase."""
    text = Reading(phrase)
    words = [key for key in text.keys if key not in words_of("neutral")]
    codes = {key for key in words if len(key) == 2 and key[1].isdigit()}
    numbers = {t.key for t in text.tokens if t.kind is Kind.NUMBER}
    said = set(stems(words)) | codes | numbers
    return 2 * len(said - {*stems(claim.keys), *claim.keys}) > len(said)


def _is_about(rest: str, claim: Reading) -> bool:
    """Whether the clause after an opening phrase speaks of what the claim speaks of."""
    after = clauses(Reading(rest))[:1]
    return not after or 2 * len(terms(after[0]) & terms(claim)) >= len(terms(claim))


def _modifier(gap: Gap, claim: Reading) -> str | None:
    """Words of the sentence that narrow the subject, or a statement that holds in general."""
    if gap.mine or not gap.theirs:
        return None
    function = words_of("function_words")
    if gap.before < 0:
        leading = [unit for unit in gap.theirs if not unit[0].isdigit()]
        if gap.theirs[0] in words_of("fronted") and _new(gap.theirs, claim) and not gap.broken:
            return " ".join(gap.theirs[:_LONGEST])
        alone = len(leading) == 1 and leading[0] not in function and not gap.broken
        return leading[0] if alone and _new(tuple(leading), claim) else None
    phrase = _phrase(gap.theirs)
    if not _new(phrase, claim):
        return None
    shown = " ".join(phrase[:_LONGEST])
    narrowing = phrase[0] in words_of("narrowing_words") and phrase == gap.theirs
    if narrowing and not gap.broken and gap.before in _subject(claim):
        return shown
    trailing = gap.closing and phrase[0] in words_of("trailing_words")
    return shown if trailing and in_general(claim) else None


def _subject(claim: Reading) -> set[int]:
    """The places of the units that the claim's subject ends with: "imports", "of", "timber"."""
    units = _units(claim)
    quantifying = words_of("quantifying").union(stems(words_of("quantifying")))
    before = words_of("function_words") | quantifying
    first = next((at for at, unit in enumerate(units) if unit not in before), 0)
    found = {first}
    if first and units[0] in quantifying:
        found.add(0)
    while units[first + 1 : first + 2] == ["of"] and first + 2 < len(units):
        first += 2
        found.add(first)
    return found


def _units(claim: Reading) -> list[str]:
    return Alignment(claim, claim).mine


def _new(units: tuple[str, ...], claim: Reading) -> bool:
    neutral = words_of("neutral") | words_of("universal") | words_of("joining")
    neutral |= words_of("function_words")
    own = {stem for stem, _ in contents(claim)} | set(claim.keys)
    return any(unit not in neutral and unit not in own for unit in units)


def _phrase(units: tuple[str, ...]) -> tuple[str, ...]:
    """The units up to the first that begins another clause or verb."""
    ends = words_of("parting_words") | {"and", "or"}
    return units[: next((at for at, unit in enumerate(units) if unit in ends), len(units))] or units
