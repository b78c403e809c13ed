"""Real papers, printed in two columns: true sentences are found, on their page, under boxes."""

import ctypes
import re
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest
from lxml import etree
from print_paper import print_paper

from core.documents.drawing import draw_page
from core.documents.model import ASSERTING, BlockKind, Document, SectionKind
from core.documents.pdf import read_pdf
from core.text.sentences import split
from tests.core.documents.paper_sentences import (
    Place,
    RawPage,
    body_sentences,
    place_of,
    plain,
    raw_pages,
)

PAPERS = ("pone.0028031", "pcbi.1001083", "pone.0067380", "pmed.1001080")
"""With tables, many figures, supplementary footnotes, a boxed summary."""

SENTENCES = 20


@dataclass(frozen=True)
class Printed:
    """A paper, its PDF, the PDF's raw pages, and what the reader made of it.

    `places` are the sentences of the XML with their places on the raw pages, `letters` the
    letters of each block that was read.
    """

    jats: Path
    pdf: Path
    raw: list[RawPage]
    document: Document
    places: list[tuple[str, Place]]
    letters: list[str]


@pytest.fixture(scope="module", params=PAPERS)
def printed(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Printed:
    """One of the papers."""
    jats = shared / "documents" / "papers" / f"journal.{request.param}.xml"
    pdf = tmp_path_factory.mktemp("papers") / f"{request.param}.pdf"
    print_paper(jats, pdf)
    pages = raw_pages(pdf)
    places = [(s, p) for s in body_sentences(jats) if (p := place_of(s, pages)) is not None]
    document = read_pdf(pdf)
    letters = [plain(document.text[block.start : block.end]) for block in document.blocks]
    return Printed(jats, pdf, pages, document, places, letters)


def chosen(places: list[tuple[str, Place]]) -> list[tuple[str, Place]]:
    """Twenty sentences by rule: broken by pages, by columns, by hyphens, then any."""
    by_break = (
        [row for row in places if row[1].pages > 1][:4],
        [row for row in places if row[1].columns > 1 and row[1].pages == 1][:6],
        [row for row in places if row[1].hyphenated and row[1].columns == 1][:6],
    )
    rows = [row for group in by_break for row in group]
    step = max(1, len(places) // SENTENCES)
    rest = [row for row in places[::step] + places if row not in rows]
    return (rows + rest)[:SENTENCES]


def test_the_chosen_sentences_are_broken_in_every_way(printed: Printed) -> None:
    rows = chosen(printed.places)
    assert len({sentence for sentence, _ in rows}) == SENTENCES
    assert any(place.pages > 1 for _, place in rows)
    assert any(place.columns > 1 and place.pages == 1 for _, place in rows)
    assert sum(place.hyphenated for _, place in rows) >= 5
    assert sum(place.lines > 1 for _, place in rows) >= 15


def test_the_chosen_sentences_are_whole_in_an_asserting_block(printed: Printed) -> None:
    for sentence, place in chosen(printed.places):
        start, end, kind = located(printed, sentence)
        assert kind in ASSERTING, sentence
        spans = [
            printed.document.text[a + start_of : b + start_of]
            for start_of, text in [whole(printed.document, start)]
            for a, b in split(text)
        ]
        assert any(plain(sentence) in plain(span) for span in spans), sentence
        pages = {span.page for span in printed.document.page_spans(start, end)}
        assert pages == set(range(place.page, place.page + place.pages)), sentence


def test_no_true_sentence_is_lost(printed: Printed) -> None:
    lost = [
        sentence
        for sentence, _ in printed.places
        if not any(
            plain(sentence) in text
            for text, block in zip(printed.letters, printed.document.blocks, strict=True)
            if block.kind in ASSERTING
        )
    ]
    assert len(printed.places) >= 60
    assert len(lost) <= len(printed.places) // 100, lost


def whole(document: Document, offset: int) -> tuple[int, str]:
    """Start and text of the block at `offset`."""
    block = next(b for b in document.blocks if b.start <= offset < b.end)
    return block.start, document.text[block.start : block.end]


def located(printed: Printed, sentence: str) -> tuple[int, int, BlockKind]:
    """Range in the text of a sentence, letter by letter, with spaces and hyphens as they come."""
    letters = plain(sentence)
    between = r"[\s\u00ad\u2010-\u2015\u2212-]*"
    pattern = re.compile(between.join(map(re.escape, letters)))
    for block in printed.document.blocks:
        text = printed.document.text[block.start : block.end]
        if letters in plain(text) and (found := pattern.search(text)):
            return block.start + found.start(), block.start + found.end(), block.kind
    raise AssertionError(f"not found in one block: {sentence}")


def test_the_boxes_cover_the_words(printed: Printed) -> None:
    pdf = pdfium.PdfDocument(printed.pdf)
    for sentence, place in chosen(printed.places):
        start, end, _ = located(printed, sentence)
        covered = ""
        for number in range(place.page, place.page + place.pages):
            marks = [
                (span.page_start, span.page_start + span.end - span.start)
                for span in printed.document.page_spans(start, end)
                if span.page == number
            ]
            picture = draw_page(printed.pdf, number, scale=2.0, marks=marks)
            covered += words_under(pdf[number - 1], picture.boxes, 2.0)
        assert sorted(plain(covered)) == sorted(plain(sentence)), sentence
    pdf.close()


def words_under(
    page: pdfium.PdfPage, boxes: tuple[tuple[float, float, float, float], ...], scale: float
) -> str:
    """The characters whose middle is under one of the boxes (pixels)."""
    text_page = page.get_textpage()
    height = page.get_height()
    found: dict[int, str] = {}
    edges = [ctypes.c_double() for _ in range(4)]
    for at in range(raw.FPDFText_CountChars(text_page.raw)):
        if raw.FPDFText_IsGenerated(text_page.raw, at):
            continue
        left, right, bottom, top = edges
        raw.FPDFText_GetCharBox(text_page.raw, at, left, right, bottom, top)
        x = (left.value + right.value) / 2 * scale
        y = (height - (bottom.value + top.value) / 2) * scale
        if any(bx <= x <= bx + w and by <= y <= by + h for bx, by, w, h in boxes):
            found[at] = chr(raw.FPDFText_GetUnicode(text_page.raw, at))
    return "".join(found[at] for at in sorted(found))


def test_what_asserts_nothing_is_in_no_paragraph(printed: Printed) -> None:
    article = etree.parse(str(printed.jats)).getroot()
    asserting = [
        text
        for text, block in zip(printed.letters, printed.document.blocks, strict=True)
        if block.kind in ASSERTING
    ]
    captions = [
        plain("".join(part.itertext()))
        for path in ("body//fig/caption/title", "body//fig/caption/p", "body//table-wrap/caption/p")
        for part in article.iterfind(path)
        if part.find(".//sup") is None and part.find(".//sub") is None
    ]
    titles = [plain("".join(t.itertext())) for t in article.iterfind("body//sec/title")]
    references = [
        plain("".join(t.itertext())) for t in article.iterfind("back//ref//article-title")
    ]
    head = plain("".join(article.find("front//alt-title").itertext()))
    assert min(len(captions), len(titles), len(references)) > 0
    for caption in captions:
        assert not any(caption[:60] in text for text in asserting if len(caption) >= 60)
    for title in titles:
        assert title not in asserting
    for reference in references:
        assert not any(reference in text for text in asserting if len(reference) >= 40)
    assert not any(head in text for text in asserting if len(head) >= 15)


def test_sections_are_known(printed: Printed) -> None:
    kinds = {block.section for block in printed.document.blocks if block.kind in ASSERTING}
    assert {SectionKind.METHODS, SectionKind.RESULTS, SectionKind.DISCUSSION} <= kinds
    assert any(block.in_abstract for block in printed.document.blocks)
    assert not all(block.in_abstract for block in printed.document.blocks)
    references = [b for b in printed.document.blocks if b.kind is BlockKind.REFERENCE]
    assert len(references) >= 15
    assert {block.section for block in references} == {SectionKind.REFERENCES}


def test_fragments_are_the_pages_characters(printed: Printed) -> None:
    pdf = pdfium.PdfDocument(printed.pdf)
    shown = {"\u2070": "0", "\u00b9": "1", "\u00b2": "2", "\u00b3": "3", "\u207b": "\u2212"}
    shown |= {chr(0x2070 + digit): str(digit) for digit in range(4, 10)}
    shown |= {"\u207f": "n", "\u2071": "i", "\u207a": "+"}
    pages = [pdf[number].get_textpage() for number in range(len(pdf))]
    previous = 0
    for fragment in printed.document.fragments:
        assert fragment.start >= previous
        previous = fragment.end
        for shift, character in enumerate(printed.document.text[fragment.start : fragment.end]):
            code = raw.FPDFText_GetUnicode(
                pages[fragment.page - 1].raw, fragment.page_start + shift
            )
            there = "-" if code in (0x2, 0xFFFE) else chr(code)
            there = " " if there == "\u00a0" else there
            same = character.replace("\u00a0", " ") == there
            assert same or shown.get(character) in (there, "-" if there == "\u2013" else there)


def test_the_title_is_the_papers(printed: Printed) -> None:
    title = etree.parse(str(printed.jats)).getroot().find("front//article-title")
    assert plain(printed.document.title) == plain("".join(title.itertext()))
    assert printed.document.warnings == ()


def test_printing_twice_gives_the_same_bytes(shared: Path, tmp_path: Path) -> None:
    jats = shared / "documents" / "papers" / "journal.pone.0040259.xml"
    first, second = tmp_path / "first.pdf", tmp_path / "second.pdf"
    print_paper(jats, first)
    print_paper(jats, second)
    assert first.read_bytes() == second.read_bytes()
