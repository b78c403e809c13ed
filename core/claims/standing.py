"""What a document says elsewhere of a sentence: its footnote, its speaker, its own standing."""

import re
from functools import lru_cache

from core.claims.cues import cue, opening_cue
from core.claims.source import Source
from core.documents.model import BlockKind
from core.documents.sections import classify_heading
from core.text.hygiene import clean

_MARK = re.compile(r"([¹²³⁰-⁹]{1,3}|\[[0-9]{1,3}\]|[*†‡§]{1,3})\s*$")
_SPEAKER = re.compile(
    r"(?:^|[.?!]\s+|\n)"
    r"(?!(?:NOTE|NB|WARNING|IMPORTANT|CAUTION|TIP|RULE|POLICY|DEFINITION)\b)"
    r"((?:Mr|Ms|Mrs|Dr|Prof|Judge|Justice)\.? [A-Z][\w-]+|Q|A|[A-Z]{2,}(?:\.? [A-Z]+)*"
    r"|(?i:witness|interviewer|interviewee|respondent|speaker|counsel|agent|customer|caller|"
    r"operator|host|guest|moderator|patient|doctor|nurse|participant)(?: [0-9]+)?):\s"
)
_TAKING_BACK = ("limitation", "refutation", "taken_back", "restriction")
EDGE = 12
"""Blocks at either end of a document in which it says what became of it."""


def footnoted(source: Source, block: int, at: int) -> str | None:
    """The note that the sentence is marked with may limit it: "¹ Only in adults"."""
    mark = _MARK.search(source.sentences[block][at].raw)
    if mark is None:
        return None
    for number, other in enumerate(source.blocks):
        raw = source.document.text[other.start : other.end].lstrip()
        if number == block or other.kind is BlockKind.REFERENCE or not raw.startswith(mark[1]):
            continue
        note = clean(raw[len(mark[1]) :]).text.lower()
        found = opening_cue("fragment", note) or next(
            (c for family in _TAKING_BACK if (c := cue(family, note))), None
        )
        if found:
            return f"its note says “{found.strip()}”"
    return None


def spoken(source: Source, block: int, at: int) -> str | None:
    """In a record of speech a sentence is its speaker's, not the record's."""
    here = source.blocks[block]
    text = source.document.text[here.start : source.sentences[block][at].start]
    labels = [label for label in _SPEAKER.findall(text) if classify_heading(label) is None]
    return f"it is what “{labels[-1]}” says" if labels else None


def void(source: Source, block: int, at: int) -> str | None:
    """The document may say of itself that it was withdrawn or replaced."""
    found = _void(source)
    return f"the source says of itself: “{found}”" if found else None


@lru_cache(maxsize=2)
def _void(source: Source) -> str | None:
    ends = [*source.sentences[:EDGE], *source.sentences[-EDGE:]]
    for sentences in ends:
        for sentence in sentences:
            if found := cue("void", sentence.lower):
                return found
    return None
