"""Blocks of a PDF given their sections, once the looks of all headings are known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.documents.model import Block, BlockKind, Notice, NoticeKind, SectionKind
from core.documents.notices import from_title
from core.documents.pdf_text import Draft
from core.documents.sections import Outline, classify_heading

DEEPEST_NUMBER = 10
"""Levels of numbered headings that share one look."""

WIDTH_STEP = 90.0
"""Points: an abstract ends where the text's width changes by more than this."""

_SPACED_OUT = re.compile(r"^(?:\S ){4,}\S$")
_RUN_IN = re.compile(r"^(?P<lead>abstract|summary)\b\s*[.:—–-]\s*(?=\S)", re.IGNORECASE)
_STRUCTURED = re.compile(r"^(?P<lead>[A-Z][A-Za-z/,& ]{2,40}?)\s*(?:[:.—–]|\n)\s*(?=[A-Z0-9])")

_STAMP = re.compile(r"^\W*retracted(?:\s+(?:article|paper))?\W*$", re.IGNORECASE)


def finish(drafts: Sequence[Draft], text: str) -> tuple[Block, ...]:
    """The blocks with their sections, headings and abstract, in text order."""
    levels = _levels(drafts)
    main = _main_level(drafts, levels)
    outline = Outline()
    blocks: list[Block] = []
    abstract: Draft | None = None
    references: int | None = None
    for draft in drafts:
        kind = draft.kind
        if kind is BlockKind.HEADING:
            name = _plain(draft.heading)
            found = classify_heading(name, in_abstract=outline.in_abstract)
            level = levels[draft.look] * DEEPEST_NUMBER + draft.depth
            if found in (SectionKind.ABSTRACT, SectionKind.REFERENCES):
                level, abstract = main, None
            if references is not None and found is None and level > references:
                kind = BlockKind.REFERENCE
            else:
                references = level if found is SectionKind.REFERENCES else None
                outline.enter(level, name)
        elif kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            piece = text[draft.start : draft.end]
            if references is not None:
                kind = BlockKind.REFERENCE
            elif not outline.headings and (run_in := _RUN_IN.match(piece)):
                outline.enter(main, run_in["lead"].capitalize(), SectionKind.ABSTRACT)
                abstract = draft
            elif outline.in_abstract:
                if abstract is None:
                    abstract = draft
                elif abs(draft.width - abstract.width) > WIDTH_STEP:
                    outline.enter(main, "", SectionKind.OTHER)
        section = outline.section
        if outline.in_abstract and (lead := _STRUCTURED.match(text[draft.start : draft.end])):
            section = classify_heading(lead["lead"], in_abstract=True) or section
        if kind is BlockKind.TITLE or kind is BlockKind.FRONT_MATTER:
            section = SectionKind.OTHER
        blocks.append(
            Block(
                kind,
                draft.start,
                draft.end,
                section,
                outline.headings,
                outline.in_abstract and kind is not BlockKind.RUNNING_HEAD,
            )
        )
    return tuple(blocks)


def _levels(drafts: Sequence[Draft]) -> dict[tuple[float, bool, bool, bool], int]:
    """A rank for each look of a heading; 1 is the most prominent."""
    looks = {draft.look for draft in drafts if draft.kind is BlockKind.HEADING}
    ranked = sorted(looks, key=lambda look: (-look[0], *look[1:]))
    return {look: rank for rank, look in enumerate(ranked, 1)}


def _main_level(drafts: Sequence[Draft], levels: dict[tuple[float, bool, bool, bool], int]) -> int:
    """The level of the paper's main sections, by the most prominent look of known headings."""
    known: Counter[tuple[float, bool, bool, bool]] = Counter()
    for draft in drafts:
        if draft.kind is BlockKind.HEADING and draft.depth == 0:
            kind = classify_heading(_plain(draft.heading))
            if kind not in (None, SectionKind.ABSTRACT, SectionKind.OTHER):
                known[draft.look] += 1
    if not known:
        return DEEPEST_NUMBER
    shared = [look for look, count in known.items() if count >= 2] or list(known)
    return min(levels[look] for look in shared) * DEEPEST_NUMBER


def _plain(heading: str) -> str:
    """A heading without the spaces of letter-spaced type."""
    return heading.replace(" ", "") if _SPACED_OUT.match(heading) else heading


def title_of(drafts: Sequence[Draft], text: str, metadata: str) -> str:
    """The title on the page; the file's own word for it where the page has none."""
    for draft in drafts:
        if draft.kind is BlockKind.TITLE:
            found = text[draft.start : draft.end]
            found = " ".join(re.sub(r"(?<=\w)-\n(?=[a-z])", "", found).split())
            return metadata if _letters(metadata) == _letters(found) else found
    return metadata


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def notices_of(title: str, stamps: Sequence[str]) -> tuple[Notice, ...]:
    """What the title, or a stamp across a page, says of the document's standing."""
    found = list(from_title(title))
    if not any(notice.kind is NoticeKind.RETRACTED for notice in found):
        stamp = next((stamp for stamp in stamps if _STAMP.match(stamp)), None)
        if stamp is not None:
            found.append(Notice(NoticeKind.RETRACTED, stamp.strip()))
    return tuple(found)
