"""Reading order and roles on pages laid out in awkward ways."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.documents.model import ASSERTING, BlockKind, Document, NoticeKind, SectionKind
from core.documents.pdf import read_pdf
from tests.core.documents.paper_sentences import plain
from tests.core.documents.pdf_files import HandMade, Sheet, column, line, typeset

VOCABULARY = """the of bridge river council report spring costs repair traffic survey found that
a plan was made by engineers who had seen many such works before and knew them well although nobody
in town remembered administration infrastructure responsibility"""
WORDS = VOCABULARY.split()
PAGE = (
    '#set text(size: 9pt, lang: "en")\n#set par(justify: true, spacing: 0.65em, '
    "first-line-indent: 1em)\n"
)
TWO = "#set page(columns: 2, width: 420pt, height: 500pt, margin: 40pt)\n" + PAGE
ONE = "#set page(width: 400pt, height: 500pt, margin: 40pt)\n" + PAGE


def sentences(first: int, count: int) -> list[str]:
    """Numbered sentences of 8 to 25 words, the same for the same numbers.

    None ends in a lone letter, as no English sentence does: where a column begins with "a." it is
    read as a list's label.
    """
    found = []
    for number in range(first, first + count):
        chance = random.Random(number)
        words = " ".join(chance.choice(WORDS) for _ in range(chance.randint(6, 22)))
        found.append(f"Item{number} says {words}{' it' if words.endswith(' a') else ''}.")
    return found


def paragraphs(first: int, count: int, size: int = 5) -> str:
    """Typst paragraphs of `size` numbered sentences each."""
    texts = sentences(first, count)
    return "\n\n".join(" ".join(texts[at : at + size]) for at in range(0, count, size))


def kinds(document: Document) -> list[tuple[BlockKind, str]]:
    """Each block's kind and text, line breaks as spaces."""
    return [
        (block.kind, " ".join(document.text[block.start : block.end].split()))
        for block in document.blocks
    ]


def texts_of(document: Document, kind: BlockKind) -> list[str]:
    """The texts of the blocks of one kind."""
    return [text for found, text in kinds(document) if found is kind]


def assert_in_order(document: Document, expected: list[str]) -> None:
    """Every sentence is whole in an asserting block, and they follow each other."""
    asserting = [
        plain(document.text[b.start : b.end]) for b in document.blocks if b.kind in ASSERTING
    ]
    for sentence in expected:
        assert any(plain(sentence) in text for text in asserting), sentence
    everything = plain(document.text)
    places = [everything.index(plain(sentence)) for sentence in expected]
    assert places == sorted(places)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_columns_are_read_one_after_the_other(tmp_path: Path, columns: int) -> None:
    source = (
        f'#set page(columns: {columns}, paper: "a4", flipped: true)\n{PAGE}'
        '#place(top, scope: "parent", float: true)[#text(18pt)[*A bulletin of many columns*]]\n'
        + paragraphs(0, 120)
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert document.title == "A bulletin of many columns"
    assert document.page_count >= 2
    assert_in_order(document, sentences(0, 120))
    paragraph_blocks = [kind for kind, _ in kinds(document) if kind is BlockKind.PARAGRAPH]
    assert len(paragraph_blocks) == 24


def test_a_paragraph_broken_by_column_and_page_is_one_block(tmp_path: Path) -> None:
    whole = " ".join(sentences(0, 120))
    document = read_pdf(typeset(TWO + whole, tmp_path / "page.pdf"))
    assert document.page_count >= 2
    assert [kind for kind, _ in kinds(document)] == [BlockKind.PARAGRAPH]
    assert plain(document.text) == plain(whole)


def test_text_under_a_wide_figure_follows_both_columns_over_it(tmp_path: Path) -> None:
    source = (
        ONE + f"#columns(2)[{paragraphs(0, 12)}]\n"
        "#figure(rect(width: 100%, height: 60pt), caption: [A wide figure over both columns.])\n"
        f"#columns(2)[{paragraphs(20, 12)}]"
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert_in_order(document, sentences(0, 12) + sentences(20, 12))
    assert texts_of(document, BlockKind.CAPTION) == ["Figure 1: A wide figure over both columns."]


LEFT_ABOVE = [f"alpha {n} in the left above the figure runs here to" for n in range(8)]
LEFT_BELOW = [f"beta {n} in the left below the figure runs here to" for n in range(8)]
RIGHT_ABOVE = [f"gamma {n} in the right above the figure runs to it" for n in range(8)]
RIGHT_BELOW = [f"delta {n} in the right below the figure runs to it" for n in range(8)]
WIDE_CAPTION = line(
    "Figure 1. A wide figure with a caption that spans the two columns of the page.",
    60,
    480,
    size=9,
)


def test_a_float_in_mid_page_does_not_cut_columns_that_run_behind_it(tmp_path: Path) -> None:
    content = (
        column(LEFT_ABOVE, 60, 700)
        + column(LEFT_BELOW, 60, 440)
        + column(RIGHT_ABOVE, 330, 700)
        + column(RIGHT_BELOW, 330, 440)
        + WIDE_CAPTION
    )
    document = read_pdf(HandMade([Sheet(content)]).write(tmp_path / "page.pdf"))
    assert kinds(document)[0][1] == " ".join([*LEFT_ABOVE, *LEFT_BELOW, *RIGHT_ABOVE, *RIGHT_BELOW])


def test_lines_written_across_both_columns_are_read_down(tmp_path: Path) -> None:
    content = b"".join(
        line(left, 60, 700 - 13 * at) + line(right, 330, 700 - 13 * at)
        for at, (left, right) in enumerate(
            zip(LEFT_ABOVE + LEFT_BELOW, RIGHT_ABOVE + RIGHT_BELOW, strict=True)
        )
    )
    document = read_pdf(HandMade([Sheet(content)]).write(tmp_path / "page.pdf"))
    assert plain(document.text) == plain(
        "".join([*LEFT_ABOVE, *LEFT_BELOW, *RIGHT_ABOVE, *RIGHT_BELOW])
    )


def test_a_box_between_does_not_break_the_sentence(tmp_path: Path) -> None:
    box = (
        "#place(bottom, float: true, block(stroke: 1pt, inset: 5pt, width: 100%, {\n"
        'set text(font: "New Computer Modern")\n'
        f"[*Box of advice*\n\n{paragraphs(500, 4)}]\n}}))\n\n"
    )
    source = TWO + paragraphs(0, 10) + "\n\n" + box + paragraphs(10, 40)
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert_in_order(document, sentences(0, 50))
    assert_in_order(document, sentences(500, 4))
    assert "Box of advice" in texts_of(document, BlockKind.HEADING)


def test_footnotes_stand_apart_even_when_they_go_on_elsewhere(tmp_path: Path) -> None:
    note = "Note " + " ".join(sentences(700, 6))
    source = (
        TWO + paragraphs(0, 8) + f" Marked sentence here.#footnote[{note}] " + paragraphs(8, 60)
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert_in_order(document, sentences(0, 68))
    notes = plain("".join(texts_of(document, BlockKind.FOOTNOTE)))
    for sentence in sentences(701, 5):
        assert plain(sentence) in notes
    assert any(
        "Marked sentence here. Item8" in text for text in texts_of(document, BlockKind.PARAGRAPH)
    )


def test_running_heads_and_numbers_are_not_in_the_text(tmp_path: Path) -> None:
    source = (
        "#set page(columns: 2, width: 420pt, height: 400pt, margin: 50pt, header: context {\n"
        "  let n = counter(page).get().first()\n"
        "  if calc.odd(n) [Journal of Bridges #h(1fr) Vol. 7] else [Many authors #h(1fr) #n]\n"
        '}, numbering: "1 / 1")\n' + PAGE + " ".join(sentences(0, 200))
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert document.page_count >= 5
    paragraph_blocks = texts_of(document, BlockKind.PARAGRAPH)
    assert_in_order(document, sentences(0, 200))
    assert plain("".join(paragraph_blocks)) == plain("".join(sentences(0, 200)))
    heads = texts_of(document, BlockKind.RUNNING_HEAD)
    assert sum("Journal of Bridges" in head for head in heads) >= 2
    assert sum("Many authors" in head for head in heads) >= 2


def test_line_numbers_in_the_margin_are_left_out(tmp_path: Path) -> None:
    source = (
        "#set page(width: 420pt, height: 500pt, margin: 60pt)\n#set text(size: 10pt)\n"
        '#set par(leading: 1.3em)\n#set par.line(numbering: "1")\n' + paragraphs(0, 40)
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert_in_order(document, sentences(0, 40))
    asserting = "".join(text for kind, text in kinds(document) if kind in ASSERTING)
    assert plain(asserting) == plain("".join(sentences(0, 40)))


def test_a_displayed_formula_stays_within_its_sentence(tmp_path: Path) -> None:
    source = (
        ONE + "The probability density that we need is given by\n"
        "$ p(x) = 1 / (sqrt(2 pi) sigma) exp(-(x - mu)^2 / (2 sigma^2)) $\n"
        "where the mean is known. " + paragraphs(0, 5)
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    text = texts_of(document, BlockKind.PARAGRAPH)[0]
    start, end = text.index("is given by"), text.index("where the mean is known.")
    assert "exp" in text[start:end]
    assert "is given by where" not in text


def test_a_drop_cap_belongs_to_its_word(tmp_path: Path) -> None:
    content = (
        line("T", 60, 676, size=36)
        + line("he bridge was closed to lorries in March and then", 84, 700)
        + line("reopened in the following June for all the traffic", 84, 687)
        + line("that crosses the river on most of the working days.", 60, 674)
    )
    document = read_pdf(HandMade([Sheet(content)]).write(tmp_path / "page.pdf"))
    assert kinds(document) == [
        (
            BlockKind.PARAGRAPH,
            "The bridge was closed to lorries in March and then reopened in the following June "
            "for all the traffic that crosses the river on most of the working days.",
        )
    ]


def test_a_landscape_page_is_read_as_it_is_seen(tmp_path: Path) -> None:
    content = b"".join(
        f"BT /F1 11 Tf 0 1 -1 0 {100 + 13 * at} 60 Tm ({text}) Tj ET\n".encode()
        for at, text in enumerate(LEFT_ABOVE)
    )
    document = read_pdf(HandMade([Sheet(content, rotate=90)]).write(tmp_path / "page.pdf"))
    assert kinds(document) == [(BlockKind.PARAGRAPH, " ".join(LEFT_ABOVE))]


def test_raised_characters(tmp_path: Path) -> None:
    source = (
        ONE + "#let s(x) = super(typographic: false, x)\n"
        "The culture held 10#s[3] cells per cm#s[2] at 4 s#s[−1] as described before#s[12]. It had "
        "2.5×10#s[-5] M, as others found#s[3,4] and in 2010#s[7] again. We used #s[14]C and "
        "Ca#s[2+] with R#s[2] = 0.9 on 45 m#s[2] of H#sub[2]O; see the survey.#s[5] The 19#s[th] "
        "sample in Figure 3#s[9] was lost#s[†] ."
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert " ".join(document.text.split()) == (
        "The culture held 10³ cells per cm² at 4 s⁻¹ as described before. It had 2.5×10⁻⁵ M, as "
        "others found and in 2010 again. We used ¹⁴C and Ca²⁺ with R² = 0.9 on 45 m² of H2O; see "
        "the survey. The 19th sample in Figure 3 was lost ."
    )


def test_glyphs_that_are_raised_by_the_font(tmp_path: Path) -> None:
    source = ONE + "This is so in 40 mm#super[2] of it.#super[12] Next comes this.#footnote[N.]"
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert kinds(document)[0][1] == "This is so in 40 mm² of it. Next comes this."


def test_program_text_and_contents_assert_nothing(tmp_path: Path) -> None:
    source = (
        ONE + '#outline()\n#set heading(numbering: "1.1")\n= Purpose\n' + paragraphs(0, 10) + "\n"
        "```\nset allowed = true\nif allowed then grant\n```\n= Use of `config`\n"
        + paragraphs(10, 10)
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert_in_order(document, sentences(0, 20))
    assert texts_of(document, BlockKind.CODE) == ["set allowed = true if allowed then grant"]
    assert any("Purpose" in text and "1" in text for text in texts_of(document, BlockKind.TABLE))
    asserting = " ".join(text for kind, text in kinds(document) if kind in ASSERTING)
    assert ". ." not in asserting
    assert "allowed" not in asserting


def test_a_line_of_program_text_stays_in_its_sentence(tmp_path: Path) -> None:
    source = (
        "#set page(width: 300pt, height: 400pt, margin: 40pt)\n#set text(size: 10pt)\n"
        "When the paths are used, the person must load the two files that are named\n"
        "`/usr/share/a-very-long-name.xml` `/usr/local/share/b.xml` and then restart the whole "
        "service, before anything else."
    )
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert [kind for kind, _ in kinds(document)] == [BlockKind.PARAGRAPH]
    assert "/usr/local/share/b.xml and then restart" in kinds(document)[0][1]


CONTRACT = """
#set heading(numbering: "1.1")
#set par(justify: false, first-line-indent: 0pt, spacing: 1.2em)
#text(15pt)[*Agreement on services*]

= Definitions
+ The Provider shall deliver the Services to the Customer with reasonable skill and care, and in
  accordance with the schedule.
+ The Customer shall pay the Fees within thirty days of the date of an invoice.
== Interest
Late payments bear interest at four per cent a year above the rate of the central bank.

- Data are kept for two years and no longer than that under any circumstance whatever it be.
- Backups are tested each month.

= Liability
Neither party is liable for indirect loss. Nothing in this agreement limits liability for death.
"""


def test_a_contract_keeps_its_clauses_and_headings(tmp_path: Path) -> None:
    document = read_pdf(typeset(ONE + CONTRACT, tmp_path / "page.pdf"))
    assert document.title == "Agreement on services"
    assert texts_of(document, BlockKind.HEADING) == [
        "1 Definitions",
        "1.1 Interest",
        "2 Liability",
    ]
    assert texts_of(document, BlockKind.LIST_ITEM) == [
        "1. The Provider shall deliver the Services to the Customer with reasonable skill and "
        "care, and in accordance with the schedule.",
        "2. The Customer shall pay the Fees within thirty days of the date of an invoice.",
        "• Data are kept for two years and no longer than that under any circumstance whatever "
        "it be.",
        "• Backups are tested each month.",
    ]
    interest = next(b for b in document.blocks if "Late payments" in document.text[b.start : b.end])
    assert interest.headings == ("1 Definitions", "1.1 Interest")


SCHOLARLY = """
#place(top, scope: "parent", float: true)[
  #text(16pt)[*TITLE*]

  Ada Lovelace#super[1], Charles Babbage#super[2]

  #text(8pt)[#super[1] Department of Engines, University of London. #super[2] Institute of Numbers.]

  ABSTRACT
]
#show heading.where(level: 1): set text(11pt)
#show heading.where(level: 2): set text(9pt)
= Introduction
INTRO
= Materials and methods
METHODS
== Sampling
SAMPLING
= Results
#figure(placement: auto, table(columns: 3, [Group], [Before], [After], [One], [3], [4], [Two],
  [5], [6]), caption: [Counts of both groups, none of which is asserted.])
RESULTS
= Limitations
LIMITS
= References
#set text(8pt)
#set par(hanging-indent: 1em, first-line-indent: 0pt)
#set block(spacing: 0.5em)
1. Lovelace A. Notes on the engine and what it may weave. Memoirs 1843;3:666–731.

2. Babbage C. On the economy of machinery. Knight: London 1832.
"""


def scholarly(tmp_path: Path, title: str = "A study of engines", abstract: str = "") -> Document:
    """A small paper in two columns."""
    source = SCHOLARLY
    for number, name in enumerate(("INTRO", "METHODS", "SAMPLING", "RESULTS", "LIMITS")):
        source = source.replace(name, paragraphs(100 * number, 10))
    source = source.replace("TITLE", title).replace(
        "ABSTRACT", abstract or "*Abstract*\n\n" + paragraphs(800, 5)
    )
    return read_pdf(typeset(TWO + source, tmp_path / "page.pdf"))


def section_of(document: Document, sentence: str) -> tuple[SectionKind, bool]:
    """The section of the block that holds a sentence, and whether that is in the abstract."""
    for block in document.blocks:
        if plain(sentence) in plain(document.text[block.start : block.end]):
            return block.section, block.in_abstract
    raise AssertionError(sentence)


def test_sections_of_a_paper(tmp_path: Path) -> None:
    document = scholarly(tmp_path)
    expected = {
        800: (SectionKind.ABSTRACT, True),
        0: (SectionKind.PRIOR_WORK, False),
        100: (SectionKind.METHODS, False),
        200: (SectionKind.METHODS, False),
        300: (SectionKind.RESULTS, False),
        400: (SectionKind.LIMITATIONS, False),
    }
    for first, section in expected.items():
        for sentence in sentences(first, 5):
            assert section_of(document, sentence) == section, sentence
    sampling = next(b for b in document.blocks if "Item200 says" in document.text[b.start : b.end])
    assert sampling.headings == ("Materials and methods", "Sampling")


@pytest.mark.parametrize("lead", ["*Abstract.* ", "*Abstract* — ", "Summary: "])
def test_an_abstract_whose_name_runs_in(tmp_path: Path, lead: str) -> None:
    document = scholarly(tmp_path, abstract=lead + " ".join(sentences(800, 5)))
    assert section_of(document, sentences(801, 1)[0]) == (SectionKind.ABSTRACT, True)
    assert section_of(document, sentences(1, 1)[0]) == (SectionKind.PRIOR_WORK, False)


def test_roles_in_a_paper(tmp_path: Path) -> None:
    document = scholarly(tmp_path)
    front = " ".join(texts_of(document, BlockKind.FRONT_MATTER))
    assert "Ada Lovelace" in front
    assert "University of London" in front
    assert len(texts_of(document, BlockKind.REFERENCE)) == 2
    assert any("Counts of both groups" in t for t in texts_of(document, BlockKind.CAPTION))
    table = " ".join(texts_of(document, BlockKind.TABLE))
    assert "Before" in table
    asserting = " ".join(text for kind, text in kinds(document) if kind in ASSERTING)
    for other in ("Lovelace", "University", "Counts of", "Before", "Knight", "Methods"):
        assert other not in asserting


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("RETRACTED: A study of engines", NoticeKind.RETRACTED),
        ("Correction: A study of engines", NoticeKind.CORRECTION_NOTICE),
        ("Expression of concern: A study of engines", NoticeKind.CONCERN),
    ],
)
def test_what_the_title_says_of_the_papers_standing(
    tmp_path: Path, title: str, kind: NoticeKind
) -> None:
    document = scholarly(tmp_path, title=title)
    assert document.title == title
    assert [notice.kind for notice in document.notices] == [kind]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    first=st.integers(0, 100_000),
    count=st.integers(1, 90),
    per_paragraph=st.integers(1, 12),
    shape=st.sampled_from([(1, 7), (1, 11), (1, 14), (2, 7), (2, 9), (2, 11), (3, 6), (3, 8)]),
    justify=st.booleans(),
    indent=st.sampled_from(["0pt", "1em", "2em"]),
)
def test_no_letter_is_lost_or_moved_whatever_the_layout(
    tmp_path: Path,
    first: int,
    count: int,
    per_paragraph: int,
    shape: tuple[int, float],
    justify: bool,
    indent: str,
) -> None:
    source = (
        f'#set page(columns: {shape[0]}, paper: "a4")\n#set text(size: {shape[1]}pt, lang: "en")\n'
        f"#set par(justify: {str(justify).lower()}, first-line-indent: {indent})\n"
    ) + paragraphs(first, count, per_paragraph)
    document = read_pdf(typeset(source, tmp_path / "page.pdf"))
    assert_in_order(document, sentences(first, count))
    assert plain(document.text) == plain("".join(sentences(first, count)))
