"""Cut a list of references into its entries and read each of them.

A numbered list is cut where its numbers go on, so that a year or a volume at the start of a line
is no new entry. A list by author and year is cut at blank lines, at hanging indents, or where a
line opens with authors and the line before it has ended.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from core.citations.model import WorkCitation
from core.citations.works.letters import CJK, UPPER
from core.citations.works.names import body, names
from core.citations.works.strings import read_reference
from core.documents.model import BlockKind, Document, SectionKind

MOST_ENTRIES = 20_000
"""Entries that are read of one list."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry: `text[start:end]` of the list or the document.

    `label` is what its marks call it ("12", "Smi20"), empty in lists by author and year; `suffix`
    is the letter that tells works of one year apart ("2019a").
    """

    text: str
    work: WorkCitation
    start: int
    end: int
    label: str = ""
    suffix: str = ""


_HEADING = re.compile(
    r"^[ \t#*_]{0,8}(?:\d{1,2}\.?\s{1,3})?"
    r"(?:references?(?:\s(?:list|cited))?|bibliography|works\scited"
    r"|literature(?:\scited)?|list\sof\sreferences|literatur(?:verzeichnis)?|références|referencias"
    r"|bibliografía|参考文献|参考資料|참고문헌|список\sлитературы|notes\sand\sreferences)"
    r"[ \t:*_]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
_AFTERWARDS = re.compile(
    r"^[ \t#*_]{0,8}(?:(?:appendix|annex|supplementary|supporting\sinformation|acknowledge?ments?"
    r"|author\scontributions|figure\slegends|tables?|competing\sinterests|funding)\b.{0,60}"
    r"|#{1,6}\s.{1,100})$",
    re.IGNORECASE | re.MULTILINE,
)
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LABELS = (
    re.compile(r"^[ \t]*\[(?P<label>\d{1,4})\][ \t]*(?=\S)", re.MULTILINE),
    re.compile(r"^[ \t]*\[\^(?P<label>\w{1,20})\]:[ \t]*(?=\S)", re.MULTILINE),
    re.compile(r"^[ \t]*\[(?P<label>[A-Za-z][\w+\-:]{1,20})\][ \t]+(?=\S)", re.MULTILINE),
    re.compile(r"^[ \t]*(?P<label>\d{1,4})[.)](?:[ \t]+|(?=[A-Z]))(?=\S)", re.MULTILINE),
    re.compile(r"^[ \t]*\((?P<label>\d{1,4})\)[ \t]*(?=\S)", re.MULTILINE),
    re.compile(r"^[ \t]*(?P<label>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})[ \t]*(?=\S)", re.MULTILINE),
    re.compile(rf"^[ \t]*(?P<label>\d{{1,4}})[ \t]+(?=[{UPPER}{CJK}“\"])", re.MULTILINE),
)
_INLINE = re.compile(r"(?:^|(?<=\s))\[(?P<label>\d{1,4})\]\s*(?=\S)")
_GAP = re.compile(r"\n[ \t]*\n")
_SAME_AUTHORS = re.compile(
    r"\s*(?:[\u2012-\u2015_-]{2,}|[\u2014\u2015])\s?[.,]?\s*(?=\(?\d{4}|[“\"A-Z])"
)
_SUFFIX = re.compile(
    r"(?<!\d)(?:1[4-9]|20)\d\d(?P<suffix>[a-z])(?![a-z])|\bn\.\s?d\.-?(?P<undated>[a-z])\b"
)
_OPEN_END = re.compile(
    r"(?:[,;:&(\-\u2010-\u2015/]|\b(?:and|und|et|in|In|of|the|for|vol\.|pp\.|no\.))\s*$"
)
_GOES_ON_LABEL = 3
"""How many numbers may be missing between two entries of a numbered list."""


def references(source: str | Document) -> tuple[Reference, ...]:
    """The entries of a list of references, or of the list that a document or its text holds.

    Of a text with a heading for it, what follows the last such heading is the list; a text without
    one is taken to be the list itself. Never raises for what a text holds.
    """
    if isinstance(source, Document):
        return _of_document(source)
    start, end = _place(source)
    return _read(source, start, list(_cut(source[start:end])))


def _place(text: str) -> tuple[int, int]:
    """Where the list stands in `text`."""
    last = None
    for match in _HEADING.finditer(text):
        last = match
    if last is None:
        return 0, len(text)
    after = _AFTERWARDS.search(text, last.end() + 1)
    return last.end(), after.start() if after is not None else len(text)


def _of_document(document: Document) -> tuple[Reference, ...]:
    blocks = [
        block
        for block in document.blocks
        if block.kind is BlockKind.REFERENCE
        or (
            block.section is SectionKind.REFERENCES
            and block.kind in (BlockKind.LIST_ITEM, BlockKind.PARAGRAPH)
        )
    ]
    if not blocks:
        blocks = [block for block in document.blocks if block.kind is BlockKind.FOOTNOTE]
    cuts: list[tuple[int, int, str]] = []
    labels = _series(document.text, [(block.start, block.end) for block in blocks])
    for block, label in zip(blocks, labels, strict=True):
        text = document.text[block.start : block.end]
        inner = list(_numbered(text)) if "\n" in text or _INLINE.search(text, 1) else []
        if len(inner) > 1:
            cuts += [(block.start + at, block.start + end, name) for at, end, name in inner]
        else:
            cuts.append((block.start, block.end, label))
    return _read(document.text, 0, cuts)


def _series(text: str, places: list[tuple[int, int]]) -> list[str]:
    """The labels of entries that are already cut, in the form in which most of them have one."""
    best = [""] * len(places)
    for pattern in _LABELS:
        found = [pattern.match(text[start : min(end, start + 40)]) for start, end in places]
        labels = [match["label"].translate(_SUPER) if match else "" for match in found]
        numbers = [int(label) for label in labels if label.isdigit()]
        if numbers and sum(b > a for a, b in pairwise(numbers)) < 0.8 * (len(numbers) - 1):
            continue
        if sum(map(bool, labels)) > max(sum(map(bool, best)), 0.5 * len(places)):
            best = labels
    return _filled(best, [text[start : start + 12] for start, _ in places])


def _filled(labels: list[str], heads: list[str]) -> list[str]:
    """Labels that were not seen because what follows them is unusual: "12 de Onis", "1 1993 …"."""
    if not any(labels):
        return labels
    made = list(labels)
    for at, head in enumerate(heads):
        before = made[at - 1] if at else "0"
        if not made[at] and before.isdigit():
            number = re.match(r"[\s\[(]*(\d{1,4})(?=[\s\]).])", head)
            if number is not None and int(number[1]) == int(before) + 1:
                made[at] = number[1]
    return made


def _read(text: str, offset: int, cuts: list[tuple[int, int, str]]) -> tuple[Reference, ...]:
    made: list[Reference] = []
    for start, end, label in cuts[:MOST_ENTRIES]:
        entry = text[offset + start : offset + end]
        shown = entry.strip()
        if not shown:
            continue
        at = offset + start + len(entry) - len(entry.lstrip())
        inside = _without_label(shown, label)
        same = _SAME_AUTHORS.match(inside)
        work = read_reference(inside[same.end() :] if same and made else inside)
        if same is not None and made:
            work = _with_authors(inside[same.end() :], made[-1].work)
        suffix = _SUFFIX.search(inside)
        made.append(
            Reference(
                text=shown,
                work=work.model_copy(update={"key": label, "start": at, "end": at + len(shown)}),
                start=at,
                end=at + len(shown),
                label=label,
                suffix=(suffix["suffix"] or suffix["undated"] or "") if suffix else "",
            )
        )
    return tuple(made)


def _with_authors(rest: str, before: WorkCitation) -> WorkCitation:
    """An entry whose authors are given by a dash: those of the entry before it."""
    work = read_reference(f"Same, A. {rest}")
    return work.model_copy(update={"authors": before.authors, "others": before.others})


def _without_label(entry: str, label: str) -> str:
    if not label:
        return entry
    for pattern in _LABELS:
        match = pattern.match(entry)
        if match is not None and match["label"].translate(_SUPER) == label:
            return entry[match.end() :]
    return entry.removeprefix(label).lstrip(" .)]")


def _cut(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and label of the entries of a list."""
    numbered = list(_numbered(text))
    if numbered:
        yield from numbered
        return
    starts = _gaps(text) if _GAP.search(text.strip()) else _lines(text)
    for at, start in enumerate(starts):
        yield start, starts[at + 1] if at + 1 < len(starts) else len(text), ""


def _numbered(text: str) -> Iterator[tuple[int, int, str]]:
    best: list[re.Match[str]] = []
    for pattern in (*_LABELS, _INLINE):
        found = list(_ascending(pattern.finditer(text)))
        if len(found) > len(best):
            best = found
    if not best or (len(best) == 1 and best[0].start() > 0 and text[: best[0].start()].strip()):
        return
    lines = text.count("\n") + 1
    if len(best) == 1 and lines > 8 and len(text) > 3000:
        return
    for at, match in enumerate(best):
        end = best[at + 1].start() if at + 1 < len(best) else len(text)
        yield match.start(), end, match["label"].translate(_SUPER)


def _ascending(found: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The labels that go on from the first; names that are no numbers may come in any order."""
    before: int | None = None
    for match in found:
        label = match["label"].translate(_SUPER)
        if not label.isdigit():
            yield match
            continue
        number = int(label)
        if before is None:
            if number > 3 and number > 400:
                continue
        elif not before < number <= before + _GOES_ON_LABEL:
            continue
        before = number
        yield match


def _gaps(text: str) -> list[int]:
    starts = [0]
    starts += [match.end() for match in _GAP.finditer(text)]
    return [at for at in starts if text[at:].strip()]


def _lines(text: str) -> list[int]:
    """Where entries begin that stand one below the other."""
    places = [match.start() for match in re.finditer(r"^(?=.*\S)", text, re.MULTILINE)]
    if not places:
        return []
    lines = [text[a:b] for a, b in pairwise([*places, len(text)])]
    indents = [len(line) - len(line.lstrip(" \t")) for line in lines]
    if 0 < sum(indent > 0 for indent in indents) < len(lines) and min(indents) == 0:
        hanging = [at for at, indent in zip(places, indents, strict=True) if indent == 0]
        outdented = [at for at, indent in zip(places, indents, strict=True) if indent > 0]
        return hanging if indents[0] == 0 else outdented
    starts = [places[0]]
    for at in range(1, len(lines)):
        if _begins(lines[at]) and not _OPEN_END.search(lines[at - 1]):
            starts.append(places[at])
    return starts


def _begins(line: str) -> bool:
    """Whether `line` may be the first of an entry."""
    shown = line.strip()[:400]
    if _SAME_AUTHORS.match(shown):
        return True
    return body(shown) is not None or next(names(shown), None) is not None


def with_label(reference: Reference, label: str) -> Reference:
    """The same entry under the number that its place in the list gives it."""
    return replace(reference, label=label, work=reference.work.model_copy(update={"key": label}))
