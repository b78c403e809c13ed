"""Whether a sentence of the source stands inside a quotation."""

import re

from core.claims.source import Source
from core.documents.model import BlockKind
from core.text.hygiene import clean

_SINGLE = re.compile(
    r"(?P<open>(?<!\w)'(?=[A-Z]))|(?:(?<=[.,!?;])|(?<=[^\Ws])|(?<=s)(?='[,.;:)]))'(?!\w)"
)


def quoted(source: Source, block: int, at: int) -> str | None:
    """Words inside quotation marks are somebody else's, or an example."""
    sentence = source.sentences[block][at]
    if sentence.block.kind is BlockKind.QUOTATION:
        return "the sentence stands in a quotation"
    text = source.document.text
    before = clean(_without_inches(text[sentence.block.start : sentence.start])).text
    here = clean(_without_inches(sentence.raw)).text
    opened = before.count('"') % 2 == 1 or _single_open(before + " " + here[:2])
    unclosed = here.startswith('"') and here.count('"') % 2 == 1
    if opened or unclosed or _opens_and_closes(here) or _opens_and_closes(here, "'"):
        return "the sentence stands in quotation marks"
    after = clean(_without_inches(text[sentence.end : sentence.block.end])).text
    if here.count('"') % 2 == 1 and '"' in after:
        return "the sentence stands in quotation marks"
    return None


def _without_inches(text: str) -> str:
    return re.sub("(?<=[0-9])″", "", text)


def _single_open(text: str) -> bool:
    """Whether a quotation in single marks is open at the end; apostrophes open none."""
    opened = False
    for mark in _SINGLE.finditer(text):
        opened = mark["open"] is not None
    return opened


def _opens_and_closes(text: str, mark: str = '"') -> bool:
    return text.startswith(mark) and text.rstrip(".!?").endswith(mark)
