"""Whole sentences out of running text and of open-access papers (JATS XML)."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

_SKIPPED = {
    "xref",
    "table-wrap",
    "fig",
    "disp-formula",
    "inline-formula",
    "supplementary-material",
    "ref-list",
    "label",
}

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")

_ABBREVIATION = re.compile(
    r"(?:\b(?:et al|e\.g|i\.e|cf|vs|Fig|Figs|Dr|approx|ca|No|St|Ref|Eq|sp|spp|subsp|"
    r"var)|\b[A-Z])\.$"
)


def _text_of(element: ElementTree.Element) -> str:
    parts = [element.text or ""]
    for child in element:
        if child.tag.rsplit("}", 1)[-1] not in _SKIPPED:
            parts.append(_text_of(child))
        parts.append(child.tail or "")
    return "".join(parts)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph; abbreviations and initials do not end one."""
    sentences: list[str] = []
    for piece in _END.split(" ".join(text.split())):
        if sentences and _ABBREVIATION.search(sentences[-1]):
            sentences[-1] += " " + piece
        else:
            sentences.append(piece)
    return sentences


def _clean(text: str) -> str:
    text = re.sub(r"\s*[\[(][\s,;–-]*[\])]", "", text)  # What is left of removed references.
    text = re.sub(r"[\s–,]*,\s*–?(?=[.;])|\s–+(?=[.,;])", "", text)
    text = re.sub(r"\s+([.,;:])", r"\1", " ".join(text.split()))
    return text


def usable_sentence(text: str) -> bool:
    """Tell whether `text` is a whole sentence of ordinary length, with nothing cut out of it."""
    words = text.split()
    return (
        6 <= len(words) <= 45
        and text.endswith(".")
        and text[0].isupper()
        and not re.search(r"Eq\.|Theorem|Conceived|\bwhere is\b|\bby\.$|\bis\.$|  |aswhere", text)
        and sum(c.isalpha() or c == " " for c in text) > 0.85 * len(text)
    )


def paragraphs_of(path: Path) -> Iterator[list[str]]:
    """Yield the paragraphs of a JATS article as lists of usable sentences."""
    for paragraph in ElementTree.parse(path).iter("p"):
        sentences = [_clean(x) for x in split_sentences(_text_of(paragraph))]
        usable = [x for x in sentences if usable_sentence(x)]
        if usable:
            yield usable
