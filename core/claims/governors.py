"""What governs a sentence from outside it: lead-in, rejection, heading, quotation, instruction.

A sentence that stands word for word in a source is not yet asserted by it: "It is a myth that …",
"The following claims are false: …", "… Our data refute this." Each function here looks at one
such surrounding and answers with the reason for not trusting the sentence, or None.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from core.claims.cues import cue, opening_cue
from core.claims.quotation import quoted
from core.claims.source import Sentence, Source
from core.claims.standing import countermanded, footnoted, noted, remarked, spoken, void
from core.documents.model import BlockKind, SectionKind
from core.resource import load_json
from core.text.hygiene import clean
from core.text.tokens import Kind

__all__ = ["GOVERNORS", "Governor", "cue", "governed", "opening_cue"]

SHORT_LEAD_IN = 10
"""Words up to which a sentence may be there only to introduce the next ("Critics say so.")."""

_OPEN_QUESTION = re.compile(r"\W*(?:why|what|how|who|when|where|which)\b")
"""A heading such as "What did the researchers find?" does not put its section in question."""

SHORT_COMMENT = 10
"""Words up to which a sentence may only comment on the one before it ("We were misled.")."""

SHORT_REPLY = 4
"""Words up to which a sentence may only answer the one before it ("It cannot.", "Rejected.")."""

FURNITURE = 8
"""Words up to which a block may be a running head or page number between two halves."""

_HANGING = re.compile(
    r"\b(?:that|whether|if|unless|because|of|the|an?|and|or|nor|than|not|no|was|were)\W*$"
)
_ITEM_LABEL = re.compile(r"\(?(?:[a-z]|[ivx]{1,5})\) ")
_CELL = re.compile(r"[ \t]*[\t|]")
_NUMBER_LAST = re.compile(r"\d\.$")
_NUMBER_ON = re.compile(r"\d+ [a-z%]")
_BREAKS_OFF = re.compile(r"(?:\.\.\.|…)[\"')\]]*$")
_PHONETIC = re.compile("[\u0262-\u02a0\u1d00-\u1d2b]{2,}")
"""Small capitals print as letters and hide words from a reader of plain text."""

Reason = str | None
Governor = Callable[[Source, int, int], Reason]


def question(source: Source, block: int, at: int) -> Reason:
    """A question asserts nothing."""
    if source.sentences[block][at].is_question:
        return "the sentence is a question"
    return None


def torn(source: Source, block: int, at: int) -> Reason:
    """A sentence without its beginning or end may be a clause of another."""
    sentence = source.sentences[block][at]
    label = _ITEM_LABEL.match(sentence.cleaned)
    after_label = label.end() if label else 0
    first = next(
        (
            t
            for t in sentence.tokens
            if t.start >= after_label and t.kind in (Kind.WORD, Kind.NUMBER)
        ),
        None,
    )
    if (
        first is not None
        and first.text[:1].islower()
        and first.text.isalpha()
        and first.text.islower()
    ):
        return "the sentence begins in mid-sentence"
    if _BREAKS_OFF.search(clean(sentence.raw).text):
        return "the sentence breaks off"
    text = source.document.text
    tail = text[sentence.end : sentence.block.end]
    if _CELL.match(tail) or _CELL.match(text[sentence.block.start : sentence.start][::-1]):
        return "the sentence stands in a table's cell"
    following = source.after(block, at)
    if not sentence.ends_as_sentence:
        heading_next = following and following[0].block.kind in (
            BlockKind.HEADING,
            BlockKind.REFERENCE,
        )
        if following and not heading_next:
            return "the sentence has no end of its own"
    if following and following[0].block is sentence.block:
        opening = following[0].cleaned.lstrip(" \"'([")
        if opening[:1].islower() and not re.match(r"[a-z]+[A-Z0-9]", opening):
            return "the next sentence goes on from it"
    cut = following and _NUMBER_LAST.search(sentence.cleaned)
    if cut and _NUMBER_ON.match(following[0].cleaned):
        return "its last number may go on in the next line"
    return None


def fragment_after(source: Source, block: int, at: int) -> Reason:
    """What follows may be the rest of the sentence: "Only when …", "Except …"."""
    for following in source.after(block, at):
        if following.is_question:
            continue
        found = opening_cue("fragment", following.lower)
        if found and ("," not in following.lower or f"{found}," in following.lower):
            return f"what follows it begins with “{found}”"
    return None


def lead_in(source: Source, block: int, at: int) -> Reason:
    """What introduces the sentence may take it back: a stem with a colon, "Suppose …", "Myth:"."""
    if at == 0 and _hanging(source, block):
        return "the text before it has no end of its own"
    if source.blocks[block].kind is BlockKind.LIST_ITEM:
        for stem in _stems(source, block):
            if stem.cleaned.rstrip().endswith(":") or stem.block.kind is BlockKind.LIST_ITEM:
                return "the list that it stands in is introduced by another sentence"
            if found := cue("heading", stem.lower):
                return f"the list that it stands in is introduced with “{found}”"
    for earlier in source.sentences[block][:at]:
        if found := cue("stretch", earlier.lower) or opening_cue("stretch_opening", earlier.lower):
            return f"a sentence before it says “{found}”"
    opening = source.before(block, 0)[-1:] if at > 0 else ()
    if any(o.block.kind is BlockKind.PARAGRAPH and o.cleaned.endswith(":") for o in opening):
        return "the text before it leads into it"
    for before in source.before(block, at):
        text = before.cleaned.rstrip(" \"'")
        heading = before.block.kind in (BlockKind.HEADING, BlockKind.TITLE)
        if heading:
            continue
        if text.endswith((":", ",", ";", "—", "…", "...", "-")):
            return "the text before it leads into it"
        if not before.ends_as_sentence and before.block.kind in (
            BlockKind.PARAGRAPH,
            BlockKind.LIST_ITEM,
            BlockKind.QUOTATION,
        ):
            return "the text before it has no end of its own"
        if before.is_question and len(before.keys) <= 3:
            return "the sentence before it puts it in question"
        found = cue("lead_in", before.lower) or opening_cue("lead_in_opening", before.lower)
        if found is None and len(before.keys) <= SHORT_LEAD_IN:
            found = cue("lead_in_short", before.lower)
        if found:
            return f"the sentence before it says “{found}”"
    return None


def _hanging(source: Source, block: int) -> bool:
    """Whether a sentence was cut off before this block, page furniture in between aside."""
    for number in range(block - 1, max(-1, block - 4), -1):
        if not source.sentences[number]:
            continue
        last = source.sentences[number][-1]
        if _HANGING.search(last.lower):
            return True
        if len(last.keys) > FURNITURE:
            break
    return False


def _stems(source: Source, block: int) -> Sequence[Sentence]:
    """The last sentence of the block that introduces a list item, nested lists included."""
    number = block - 1
    while number >= 0 and source.blocks[number].kind is BlockKind.LIST_ITEM:
        if source.sentences[number] and source.sentences[number][-1].cleaned.rstrip().endswith(":"):
            return source.sentences[number][-1:]
        number -= 1
    if number >= 0 and source.blocks[number].kind is BlockKind.PARAGRAPH:
        return source.sentences[number][-1:]
    return ()


def rejected(source: Source, block: int, at: int) -> Reason:
    """What follows may reject the sentence, limit it or call it out of date."""
    sentence = source.sentences[block][at]
    for distance, following in enumerate(source.after(block, at, 3)):
        same_block = following.block is sentence.block
        if not same_block and (distance > 0 or following.block.kind is BlockKind.HEADING):
            break
        if distance > 0 and not cue("anaphora", following.lower):
            continue
        found = next(
            (c for family in _TAKING_BACK if (c := cue(family, following.lower))), None
        ) or (_reply(sentence, following) if distance == 0 else None)
        if found:
            return f"what follows it says “{found.strip()}”"
        if distance == 0 and _among_changes(sentence, following):
            return "it stands in a list of changes or of what was said"
        if distance == 0 and (opens := _contrast().search(following.lower)):
            return f"what follows it begins with “{opens.group().strip()}”"
    return None


_TAKING_BACK = ("refutation", "limitation", "taken_back")


def _among_changes(sentence: Sentence, following: Sentence) -> bool:
    """Whether "- …" is followed by "+ …", or by a turn of a dialogue that asks."""
    if sentence.cleaned[:2] not in ("- ", "+ "):
        return False
    return following.cleaned[:2] == "+ " or following.is_question


def _reply(sentence: Sentence, following: Sentence) -> str | None:
    """A short answer that denies or doubts what it follows: "No.", "It cannot.", "Really?"."""
    if len(following.keys) <= SHORT_COMMENT:
        if found := cue("comment_short", following.lower):
            return found
        if (found := opening_cue("apart", following.lower)) and _universal(sentence.lower):
            return found
    if len(following.keys) > SHORT_REPLY:
        return None
    if opening_cue("adjunct", following.lower):
        return following.cleaned
    if following.is_question and not _OPEN_QUESTION.match(following.lower):
        return following.cleaned
    return opening_cue("short_denial", following.lower)


def _universal(lower: str) -> bool:
    return any(word in lower.split() for word in ("all", "every", "each", "any", "no", "always"))


@cache
def _contrast() -> re.Pattern[str]:
    """A contrast that turns on what was just said: "However, this effect …"."""
    phrases = load_json("gates/governors.json")
    contrast, anaphora = "|".join(phrases["contrast"]), "|".join(phrases["anaphora"])
    return re.compile(rf"^\W*(?:{contrast})\W+(?:{anaphora})(?!\w)")


def heading(source: Source, block: int, at: int) -> Reason:
    """A heading above may say that what stands under it is not asserted."""
    for text in (*source.blocks[block].headings, *_title_above(source, block)):
        lower = clean(text).text.lower()
        if lower.endswith("?") and not _OPEN_QUESTION.match(lower):
            return "it stands under a heading that is a question"
        if found := cue("heading", lower):
            return f"it stands under a heading with “{found}”"
    return None


def _title_above(source: Source, block: int) -> Sequence[str]:
    """The title or a label, where only items of one list stand between it and the block."""
    number = block - 1
    while number >= 0 and source.blocks[number].kind is BlockKind.LIST_ITEM:
        number -= 1
    labels = (BlockKind.TITLE, BlockKind.FRONT_MATTER, BlockKind.CAPTION)
    if number < 0 or source.blocks[number].kind not in labels:
        return ()
    if sum(len(sentence.keys) for sentence in source.sentences[number]) > SHORT_LEAD_IN:
        return ()
    return [sentence.raw for sentence in source.sentences[number]]


def section(source: Source, block: int, at: int) -> Reason:
    """Aims and references are not what a document found or rules."""
    kind = source.blocks[block].section
    if kind is SectionKind.AIM:
        return "it stands among the aims and hypotheses"
    if kind is SectionKind.REFERENCES:
        return "it stands in the reference list"
    return None


def instruction(source: Source, block: int, at: int) -> Reason:
    """Text addressed to a checker has no place beside evidence."""
    for near in source.around(block):
        if cue("checker", near.lower):
            return "the source holds text addressed to a checker beside it"
    return None


def disguised(source: Source, block: int, at: int) -> Reason:
    """A word with look-alike letters nearby may hide a negation."""
    for near in (
        *source.before(block, at),
        source.sentences[block][at],
        *source.after(block, at, 2),
    ):
        if near.lookalikes or _PHONETIC.search(near.raw):
            return "words beside it are spelled with look-alike letters"
    return None


GOVERNORS: tuple[tuple[str, Governor], ...] = (
    ("question", question),
    ("torn", torn),
    ("fragment after", fragment_after),
    ("quoted", quoted),
    ("lead-in", lead_in),
    ("rejected", rejected),
    ("heading", heading),
    ("section", section),
    ("footnote", footnoted),
    ("note", noted),
    ("remark", remarked),
    ("other clause", countermanded),
    ("speaker", spoken),
    ("standing", void),
    ("instruction", instruction),
    ("look-alikes", disguised),
)
"""Every surrounding that is looked at, in order."""


def governed(
    source: Source, block: int, at: int, governors: Sequence[tuple[str, Governor]] = GOVERNORS
) -> tuple[str, str] | None:
    """(name, reason) of the first surrounding that governs the sentence, or None."""
    for name, look in governors:
        if reason := look(source, block, at):
            return name, reason
    return None
