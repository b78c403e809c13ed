"""What a document says elsewhere of a sentence: its footnote, its speaker, its own standing."""

import re

from core.claims.cues import cue, opening_cue
from core.claims.source import Source
from core.documents.model import Block, BlockKind, Document
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
_TIMED = re.compile(
    r"[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]? .{2,40}|.{2,40}[, ][\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?"
)
"""A line that names a speaker and a time: "Anna Hale, 10:14"."""
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
    if not labels and block and len(source.sentences[block - 1]) == 1:
        above = source.blocks[block - 1]
        line = source.document.text[above.start : above.end].strip()
        labels = [line] if _TIMED.fullmatch(line) else []
    return f"it is what “{labels[-1]}” says" if labels else None


def void(source: Source, block: int, at: int) -> str | None:
    """The document may say of itself, or by a stamp beside the text, that it does not stand."""
    found = source.once("void", _void)
    if found is None:
        near = source.blocks[max(0, block - 1) : block] + source.blocks[block + 1 : block + 2]
        beside = [b for b in near if b.kind in _STAMPED_ON]
        found = next((f for b in beside if (f := _stamp(source.document, b))), None)
    return f"the source says of itself: “{found}”" if found else None


def noted(source: Source, block: int, at: int) -> str | None:
    """A note that takes something back may belong to any sentence: its mark may be lost.

    Where there are pages, it belongs to a sentence of its own page.
    """
    page = source.document.page_of(source.sentences[block][at].start)
    found = next((found for on, found in source.once("notes", _notes) if on == page), None)
    return f"a note of the source says “{found}”" if found else None


def countermanded(source: Source, block: int, at: int) -> str | None:
    """Another clause may override the one that the sentence stands in: "Clause 7 is deleted"."""
    numbers = _clauses(source, block)
    if not numbers:
        return None
    for number, named, found in _countermands(source):
        if number != block and named & numbers:
            return f"another clause says “{found}” of it"
    return None


def remarked(source: Source, block: int, at: int) -> str | None:
    """A note or comment that stands right behind the paragraph may doubt it."""
    for number in range(block + 1, len(source.blocks)):
        if source.blocks[number].kind is not BlockKind.FOOTNOTE:
            return None
        note = source.sentences[number][0].lower if source.sentences[number] else ""
        if note.rstrip().endswith("?") or "? " in note:
            return "a note on it asks about it"
        found = opening_cue("short_denial", note) or next(
            (c for family in _REMARKS if (c := cue(family, note))), None
        )
        if found:
            return f"a note on it says “{found.strip()}”"
    return None


_REMARKS = ("refutation", "denial", "note", "remark")
_STAMPED_ON = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTATION, BlockKind.FRONT_MATTER})
_NAMES = frozenset({BlockKind.TITLE, BlockKind.HEADING})
_PARTS = re.compile(r"\n|\s[–—|-]\s|[;•()\[\]]")
_STANDS = re.compile(r"\b(?:approved|current|final|in force|adopted|active|published)\b")
_STATUS_CELL = re.compile(
    r"\| *(superseded|withdrawn|cancelled|obsolete|rejected|expired|draft) *$", re.M
)
LONGEST_STAMP = 12
"""Words; a longer line is text and no stamp."""


def _void(source: Source) -> str | None:
    ends = [*source.sentences[:EDGE], *source.sentences[-EDGE:]]
    for sentences in ends:
        for sentence in sentences:
            if found := cue("void", sentence.lower):
                return found
    blocks = source.document.blocks
    stamped = [b for b in blocks if b.kind is BlockKind.RUNNING_HEAD]
    ends_of_text = (*blocks[:EDGE], *blocks[-EDGE:])
    stamped += [b for b in ends_of_text if b.kind in _STAMPED_ON | _NAMES]
    stamped += [
        b
        for b in ends_of_text
        if b.kind is BlockKind.LIST_ITEM and source.document.text[b.start : b.end].isupper()
    ]
    tables = [b for b in (*blocks[:EDGE], *blocks[-EDGE:]) if b.kind is BlockKind.TABLE]
    return next(
        (
            found
            for look, of in ((_stamp, stamped), (_status, tables))
            for block in of
            if (found := look(source.document, block))
        ),
        None,
    )


def _stamp(document: Document, block: Block) -> str | None:
    """The line of a block that is a stamp ("DRAFT – NOT APPROVED", "Status: superseded")."""
    for part in _PARTS.split(document.text[block.start : min(block.end, block.start + 2000)]):
        if len(part.split()) <= LONGEST_STAMP and opening_cue("stamp", clean(part).text.lower()):
            return part.strip()
    return None


def _status(document: Document, table: Block) -> str | None:
    """The status that a table of the document's own data gives."""
    lower = document.text[table.start : table.end].lower()
    if "status" not in lower or _STANDS.search(lower):
        return None
    found = _STATUS_CELL.search(lower)
    return found[1] if found else None


def _notes(source: Source) -> tuple[tuple[int | None, str], ...]:
    """(page, phrase) of every note that takes something back, but for those of tables."""
    notes: list[tuple[int | None, str]] = []
    last = len(source.blocks) - EDGE
    of_table = False
    for number, block in enumerate(source.blocks):
        if block.kind is not BlockKind.FOOTNOTE:
            of_table = block.kind in (BlockKind.TABLE, BlockKind.CAPTION)
        elif of_table:
            continue
        at_end = block.kind is BlockKind.LIST_ITEM and number >= last
        if block.kind is BlockKind.FOOTNOTE or at_end:
            text = clean(source.document.text[block.start : block.end]).text.lower()
            if found := opening_cue("note", _NOTE_LABEL.sub("", text, count=1)):
                notes.append((source.document.page_of(block.start), found))
    return tuple(notes)


_NOTE_LABEL = re.compile(r"^\W*(?:\^?\w{1,4}[\]):.]+)?\W*")
_CLAUSE = r"(?:clause|section|paragraph|article|rule|regulation|sec\.|art\.|para\.?|§|item)s?"
_NUMBERED = re.compile(
    rf"^\W*(?:{_CLAUSE} ?)?(\d{{1,3}}(?:\.\d{{1,3}})*)(?:\([a-z0-9]+\))?[.):]?(?:\s|$)", re.I
)
_NUMBER = r"\d{1,3}(?:\.\d{1,3})*"
_NAMED = re.compile(
    rf"(?<!\w){_CLAUSE} ?({_NUMBER}(?:\([a-z0-9]+\))*(?:(?:,? and |,? or |, | to ){_NUMBER})*)",
    re.I,
)


def _clauses(source: Source, block: int) -> set[str]:
    """The numbers of the clauses that a block stands in, "7" for "7.1" included."""
    here = source.blocks[block]
    texts = [*here.headings, source.document.text[here.start : here.end]]
    before = source.blocks[block - 1] if block else here
    if before.kind in (BlockKind.TITLE, BlockKind.FRONT_MATTER):
        texts.append(source.document.text[before.start : before.end])
    found = (_NUMBERED.match(text) for text in texts)
    paths = (match[1].split(".") for match in found if match)
    return {".".join(path[: depth + 1]) for path in paths for depth in range(len(path))}


def _countermands(source: Source) -> tuple[tuple[int, frozenset[str], str], ...]:
    """(block, clauses named, phrase) of every sentence that may override another clause."""
    return tuple(
        (number, frozenset(re.findall(_NUMBER, " ".join(named))), found)
        for number, sentences in enumerate(source.sentences)
        for sentence in sentences
        if (named := _NAMED.findall(sentence.lower))
        and (found := cue("countermand", sentence.lower))
    )
