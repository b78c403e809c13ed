"""A real paper printed in two columns, through the whole check: found, and on the right page."""

from pathlib import Path

from print_paper import print_paper

from core.claims.check import check
from core.claims.source import Source
from core.claims.verdict import Verdict
from core.documents.read import read
from models.reader import ReaderWorker
from tests.core.documents.paper_sentences import body_sentences, place_of, plain, raw_pages

PAPER = "journal.pone.0067380.xml"
SENTENCES = 20
BROKEN = {"pages": 3, "columns": 3, "hyphens": 6}
"""How many of the sentences are broken in each way, at the least."""


def test_twenty_verbatim_sentences_are_supported_on_their_page(
    shared: Path, tmp_path: Path
) -> None:
    jats = shared / "documents" / "papers" / PAPER
    pdf = tmp_path / "paper.pdf"
    print_paper(jats, pdf)
    pages = raw_pages(pdf)
    # What the paper itself takes back or only asks is no true statement of it, printed or not.
    paper = Source(read(jats))
    stated = [s for s in body_sentences(jats) if check(s, paper).verdict is Verdict.SUPPORTED]
    placed = [(s, place) for s in stated if (place := place_of(s, pages)) is not None]
    groups = [
        [row for row in placed if row[1].pages > 1][: BROKEN["pages"]],
        [row for row in placed if row[1].columns > 1 and row[1].pages == 1][: BROKEN["columns"]],
        [row for row in placed if row[1].hyphenated and row[1].columns == 1][: BROKEN["hyphens"]],
    ]
    assert [len(group) for group in groups] == list(BROKEN.values())
    chosen = [row for group in groups for row in group]
    chosen += [row for row in placed[:: len(placed) // SENTENCES] if row not in chosen]
    chosen = chosen[:SENTENCES]
    assert len(chosen) == SENTENCES

    with ReaderWorker() as reader:
        document = reader.read(pdf)
        printed = Source(document)
        for sentence, place in chosen:
            result = check(sentence, printed)
            assert result.verdict is Verdict.SUPPORTED, (sentence, result.reason)
            (evidence,) = result.evidence
            assert plain(sentence) in plain(evidence.text)
            assert evidence.page == place.page
            spans = document.page_spans(evidence.start, evidence.end)
            assert {s.page for s in spans} == set(range(place.page, place.page + place.pages))
        first = document.page_spans(evidence.start, evidence.end)
        marks = [(s.page_start, s.page_start + s.end - s.start) for s in first]
        drawn = reader.draw_page(pdf, first[0].page, marks=marks)
    assert drawn.png.startswith(b"\x89PNG")
    assert len(drawn.boxes) >= 1
    for x, y, width, height in drawn.boxes:
        assert 0 <= x < x + width <= drawn.width
        assert 0 <= y < y + height <= drawn.height


def test_a_changed_word_is_found_by_none_of_them(shared: Path, tmp_path: Path) -> None:
    jats = shared / "documents" / "papers" / PAPER
    pdf = tmp_path / "paper.pdf"
    print_paper(jats, pdf)
    printed = Source(read(pdf))
    for sentence in body_sentences(jats)[::10]:
        words = sentence.split()
        swapped = " ".join([*words[:3], words[4], words[3], *words[5:]])
        if swapped != sentence:
            assert check(swapped, printed).verdict is Verdict.NOT_VERIFIABLE, swapped
