from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.works.references import references
from core.documents.model import Block, BlockKind, Document, Format, SectionKind
from core.documents.read import read

FIRST = "Halpern SD, Ubel PA. Solid-organ transplantation. N Engl J Med. 2002;347(4):284-7."
SECOND = (
    "Rose ME, Marion DW. Regulation of\n   amino acid concentrations. "
    "Brain Res.\n   2002;935(1-2):40-6."
)
THIRD = "World Health Organization. Global tuberculosis report 2020. Geneva: WHO; 2020."
AMONG = [FIRST, SECOND, THIRD]


def numbered(form: str) -> str:
    return "\n".join(form.format(n) + entry for n, entry in enumerate(AMONG, 1))


@pytest.mark.parametrize("form", ["[{}] ", "{}. ", "{}) ", "({}) ", "{} ", "[{}]\t", " {}.  "])
def test_numbered_lists(form: str) -> None:
    found = references(numbered(form))
    assert [reference.label for reference in found] == ["1", "2", "3"]
    assert [reference.work.year for reference in found] == [2002, 2002, 2020]
    assert found[1].work.title == "Regulation of amino acid concentrations"
    assert found[1].work.key == "2"


def test_raised_numbers() -> None:
    text = "".join(f"{n}{entry}\n" for n, entry in zip("¹²³", AMONG, strict=True))
    assert [reference.label for reference in references(text)] == ["1", "2", "3"]


def test_numbers_inside_one_line() -> None:
    text = " ".join(f"[{n}] {' '.join(entry.split())}" for n, entry in enumerate(AMONG, 1))
    assert [reference.label for reference in references(text)] == ["1", "2", "3"]


def test_a_number_that_does_not_go_on_is_no_entry() -> None:
    text = (
        "1. Ng K. Notes on sleep. Sleep Lett.\n2010. 4(2):1-9.\n"
        "2. Roe P. More notes. Sleep Lett. 2011;4:3-4."
    )
    found = references(text)
    assert [reference.label for reference in found] == ["1", "2"]
    assert "2010. 4(2):1-9." in found[0].text


def test_labels_of_letters_and_footnotes() -> None:
    text = "[Hal02] " + FIRST + "\n[WHO20] " + THIRD
    assert [reference.label for reference in references(text)] == ["Hal02", "WHO20"]
    text = "[^1]: " + FIRST + "\n[^b]: " + THIRD
    assert [reference.label for reference in references(text)] == ["1", "b"]


BY_YEAR = [
    "Berg, L., & O'Neill, S. P. (2021). Trust in decisions. Conduct Letters, 88, 104–119.",
    "Nguyen, T. H. (2019a). Sleep restriction. Journal of Sleep, 14(3), 221–230.",
    "Nguyen, T. H. (2019b). Sleep extension. Journal of Sleep, 14(4), 301–310.",
    "World Health Organization. (2020). Global tuberculosis report 2020. Author.",
]


@pytest.mark.parametrize("glue", ["\n", "\n\n", "\n \n"])
def test_lists_by_author_and_year(glue: str) -> None:
    found = references(glue.join(BY_YEAR))
    assert [reference.text for reference in found] == BY_YEAR
    assert [reference.suffix for reference in found] == ["", "a", "b", ""]


def test_lines_that_go_on() -> None:
    broken = (
        "Berg, L., &\nO'Neill, S. P. (2021). Trust in\ndecisions. Conduct Letters, 88,\n104–119.\n"
        "Nguyen, T. H. (2019). Sleep restriction. Journal\nof Sleep, 14(3), 221–230."
    )
    assert len(references(broken)) == 2
    hanging = "\n".join(f"{entry[:40]}\n    {entry[40:]}" for entry in BY_YEAR)
    assert len(references(hanging)) == 4


def test_a_dash_stands_for_the_authors_above() -> None:
    text = (
        "Weinstein, Joshua I. 2009. “The Market in Plato's Republic.” "
        "Classical Philology 104: 439–58.\n\n"
        "———. 2011. “Two Cities.” Classical Philology 106: 1–20."
    )
    second = references(text)[1].work
    assert [author.family for author in second.authors] == ["Weinstein"]
    assert (second.title, second.year) == ("Two Cities", 2011)


def test_the_list_of_a_whole_text_stands_below_its_heading() -> None:
    text = "A title\n\n1. Introduction\nIt is so [1].\n\nReferences\n" + numbered("{}. ")
    text += "\nAppendix A\n4. Not a reference."
    found = references(text)
    assert [reference.label for reference in found] == ["1", "2", "3"]
    assert all(text[r.start : r.end] == r.text for r in found)
    assert "Not a reference" not in found[-1].text


def test_a_document_gives_its_reference_blocks() -> None:
    text = "It is so.\n1 " + FIRST + "\n2 " + THIRD
    second = text.index("\n2 ") + 1
    first = text.index("\n1 ") + 1
    document = Document(
        Format.JATS,
        text,
        (
            Block(BlockKind.PARAGRAPH, 0, 9),
            Block(BlockKind.REFERENCE, first, second - 1, SectionKind.REFERENCES),
            Block(BlockKind.REFERENCE, second, len(text), SectionKind.REFERENCES),
        ),
    )
    found = references(document)
    assert [(reference.label, reference.work.year) for reference in found] == [
        ("1", 2002),
        ("2", 2020),
    ]


def test_the_references_of_a_real_paper(shared: Path) -> None:
    document = read(shared / "documents" / "papers" / "journal.pmed.1001473.xml")
    found = references(document)
    assert [reference.label for reference in found] == [str(n + 1) for n in range(len(found))]
    assert len(found) > 100
    assert sum(bool(reference.work.title) for reference in found) > 0.85 * len(found)


def test_nothing_gives_nothing() -> None:
    assert references("") == ()
    assert references(" \n \n") == ()


_LINES = st.lists(
    st.sampled_from([*AMONG, *BY_YEAR, "[1] ", "2. ", "\n", "References\n", "———. "]), max_size=8
)


@given(st.one_of(st.text(max_size=300), _LINES.map("\n".join)), st.text(max_size=5))
def test_any_text_is_cut_without_an_error(text: str, put: str) -> None:
    end = 0
    for reference in references(text + put):
        assert end <= reference.start < reference.end
        assert (text + put)[reference.start : reference.end] == reference.text
        end = reference.end


@pytest.mark.parametrize(
    "unit", ["[1] ", "1. A\n", "\n\n", "Ng, K. (2010). A. ", "———. ", "References\n"]
)
def test_long_lists_end(unit: str) -> None:
    assert len(references(unit * 5_000)) <= 5_000
