"""What each sentence of a document cites, paired with its list of references.

A sentence that cites three works gives three rows: each of them has to say what it says.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.cancellation import Cancellation
from core.citations.closed_lists.answer import not_read
from core.citations.model import Citation, FrameworkCitation
from core.citations.read import read_frameworks
from core.citations.unread import unread
from core.citations.works.markers import Marker, MarkKind, markers
from core.citations.works.pairs import Pair, Pairing, pair
from core.citations.works.references import references
from core.documents.model import ASSERTING, Block, BlockKind, Document, SectionKind
from core.ports import Progress
from core.resource import load_json
from core.review.model import Cited, Outcome
from core.text.sentences import split

_NOT_READ = frozenset({SectionKind.REFERENCES, SectionKind.BACK_MATTER})

_REPORTS = re.compile(
    r"^(?:(?:have |has |had )?(?:also |recently |previously )?"
    r"(?:found|show(?:ed|n|s)?|reported|demonstrated|concluded|observed|established|finds?|reports?"
    r"|concludes?)) that (?P<rest>\S)"
)
"""After "Smith and Jones (2020)": what follows is what the work is said to say."""

_LEFT_BEHIND = re.compile(r"\(\s*(?:see|e\.g\.,?|cf\.|and|also|[;,\s])*\)|\[\s*[,;\s]*\]")


@dataclass(frozen=True, slots=True)
class Citing:
    """A citation of a sentence and what it was paired with.

    `citation` is there unless `unpaired` says what is the matter, and `why` in a sentence.
    """

    cited: Cited
    citation: Citation | None
    unpaired: Outcome | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The citations of a document, and how many of its sentences have none."""

    citations: tuple[Citing, ...]
    without: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    marks: tuple[Marker, ...]
    frameworks: tuple[FrameworkCitation, ...]


def citing(
    document: Document,
    framework: str | None = None,
    *,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> Reading:
    """What the sentences of `document` cite, in its order.

    `framework` is the document's own instrument, of which its bare clause numbers are. Raises
    `core.cancellation.Cancelled`.
    """
    blocks = [
        block
        for block in document.blocks
        if block.kind in ASSERTING and block.section not in _NOT_READ
    ]
    sentences: list[_Sentence] = []
    for number, block in enumerate(blocks):
        if cancellation is not None:
            cancellation.check()
        if progress is not None:
            progress(number, len(blocks), "Reading the citations of the document")
        sentences += _sentences(document, block, framework)
    pairs: dict[int, list[Pair]] = {}
    for found in pair([m for s in sentences for m in s.marks], references(document)):
        pairs.setdefault(found.marker.start, []).append(found)
    made: list[Citing] = []
    for sentence in sentences:
        for mark in sentence.marks:
            for paired in pairs.get(mark.start, []):
                made.append(_of_work(document, sentence, paired, len(made) + 1))
        for citation in sentence.frameworks:
            cited = _cited(
                document,
                sentence,
                citation.start,
                citation.end,
                len(made) + 1,
                citation.canonical,
            )
            if left := unread(document.text, citation):
                why = not_read(citation, left).sentence
                made.append(Citing(cited, None, Outcome.AMBIGUOUS, why))
            else:
                made.append(Citing(cited, citation))
    without = sum(not s.marks and not s.frameworks for s in sentences)
    return Reading(tuple(made), without)


def _sentences(document: Document, block: Block, framework: str | None) -> Iterator[_Sentence]:
    """The block's sentences with their marks, at offsets into the document's text."""
    text = document.text[block.start : block.end]
    spans = [(s, e) for s, e in split(text) if s < e]
    if not spans:
        return
    marks: list[list[Marker]] = [[] for _ in spans]
    for mark in markers(text):
        at = max((n for n, (start, _) in enumerate(spans) if start <= mark.start), default=0)
        opens = (
            not text[spans[at][0] : mark.start].strip() and mark.kind is not MarkKind.AUTHOR_YEAR
        )
        # A number that stands after the full stop belongs to the sentence that it ends.
        marks[at - 1 if opens and at else at].append(_moved(mark, block.start))
    frameworks: list[list[FrameworkCitation]] = [[] for _ in spans]
    for citation in read_frameworks(text, framework).citations:
        at = max((n for n, (start, _) in enumerate(spans) if start <= citation.start), default=0)
        frameworks[at].append(
            citation.model_copy(
                update={
                    "start": citation.start + block.start,
                    "end": citation.end + block.start,
                }
            )
        )
    for (start, end), own, named in zip(spans, marks, frameworks, strict=True):
        yield _Sentence(block.start + start, block.start + end, tuple(own), tuple(named))


def _moved(mark: Marker, by: int) -> Marker:
    return Marker(mark.kind, mark.start + by, mark.end + by, mark.targets)


def _of_work(document: Document, sentence: _Sentence, found: Pair, number: int) -> Citing:
    entry = found.reference.text if found.reference is not None else ""
    told = document.text[found.marker.start : found.marker.end]
    cited = _cited(
        document, sentence, found.marker.start, found.marker.end, number, " ".join(entry.split())
    )
    if found.marker.kind is MarkKind.AUTHOR_YEAR and (more := _says_more(told)):
        return Citing(
            cited,
            None,
            Outcome.AMBIGUOUS,
            f"The bracket says more than whom it cites (“{more}”), so the sentence is not what the "
            "work is cited for.",
        )
    if found.marker.kind in _OF_NOTES and _has_notes(document):
        return Citing(
            cited,
            None,
            Outcome.AMBIGUOUS,
            "This document has notes, and this mark may be one of theirs.",
        )
    if found.pairing is Pairing.PAIRED and found.reference is not None:
        return Citing(cited, found.reference.work)
    absent = found.pairing is Pairing.ABSENT
    return Citing(cited, None, Outcome.NO_ENTRY if absent else Outcome.AMBIGUOUS, found.why)


_OF_NOTES = frozenset({MarkKind.FOOTNOTE, MarkKind.RAISED})


def _has_notes(document: Document) -> bool:
    """Whether it has footnotes besides its list of references."""
    return any(
        block.kind is BlockKind.FOOTNOTE and block.section is not SectionKind.REFERENCES
        for block in document.blocks
    )


def _says_more(mark: str) -> str:
    """The words of an author-year mark that are no names: "not in adults", "but see", "who"."""
    if mark[:1] not in "([":
        return ""
    words = [word for word in _WORDS.findall(mark) if word.islower() and word not in _OF_MARKS]
    return " ".join(words[:6])


_OF_MARKS = frozenset(load_json("citations/review.json")["of_marks"])
"""Small words of names and of places in a work; "cf", "contra" and "but" set the work against."""


def _cited(
    document: Document, sentence: _Sentence, start: int, end: int, number: int, entry: str = ""
) -> Cited:
    return Cited(
        number=number,
        sentence=document.text[sentence.start : sentence.end],
        claim=_claim(document.text, sentence),
        start=sentence.start,
        end=sentence.end,
        page=document.page_of(sentence.start),
        mark=" ".join(document.text[start:end].split()),
        entry=entry,
    )


def _bracketed(text: str, sentence: _Sentence) -> Iterator[tuple[int, int]]:
    """The brackets that hold a clause and nothing else: "(see GDPR Article 33)".

    "Under Article 33 of the GDPR" is a part of the sentence, and so is a bracket that says more.
    """
    for found in _BRACKETS.finditer(text, sentence.start, sentence.end):
        holds = any(found.start() < c.start and c.end <= found.end() for c in sentence.frameworks)
        if holds and all(_no_word(word) for word in _WORDS.findall(found.group())):
            yield found.span()


def _no_word(word: str) -> bool:
    return not word.islower() or word in _BESIDE_CLAUSES


_BRACKETS = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_BESIDE_CLAUSES = frozenset(load_json("citations/review.json")["beside_clauses"])


def _claim(text: str, sentence: _Sentence) -> str:
    """The sentence without its marks, and without "Smith and Jones (2020) found that"."""
    marks = [mark for mark in sentence.marks if mark.start < sentence.end]
    cuts: list[tuple[Marker | None, int, int]] = [(mark, mark.start, mark.end) for mark in marks]
    cuts += [(None, start, end) for start, end in _bracketed(text, sentence)]
    kept, at = "", sentence.start
    for mark, start, end in sorted(set(cuts), key=lambda cut: cut[1]):
        if start < at:
            continue
        by_name = mark is not None and mark.kind is MarkKind.AUTHOR_YEAR
        opens = start == sentence.start and by_name
        rest = text[end : sentence.end].lstrip()
        if opens and (reports := _REPORTS.match(rest)):
            at = sentence.end - len(rest) + reports.start("rest")
            continue
        if by_name and text[start] not in "([":
            continue  # "According to Smith (2020)" is a part of the sentence.
        kept += text[at:start].rstrip(" ")
        at = end
    kept += text[at : sentence.end]
    kept = re.sub(r"\s+([.,;:])", r"\1", _LEFT_BEHIND.sub("", kept)).strip()
    return kept[:1].upper() + kept[1:]
