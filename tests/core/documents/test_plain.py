"""Plain text: no character changes, and blocks are told only where their form is plain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.errors import EmptyFile, FileTooLarge
from core.documents.limits import Limits
from core.documents.model import BlockKind, Document, SectionKind
from core.documents.plain import read_plain, read_text

P, L, H = BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.HEADING
T, Q, R = BlockKind.TITLE, BlockKind.QUOTATION, BlockKind.REFERENCE


def blocks(document: Document) -> list[tuple[BlockKind, str]]:
    return [(b.kind, document.text[b.start : b.end]) for b in document.blocks]


CASES = {
    "It grew.": [(P, "It grew.")],
    "  It\ngrew. \n\n\n It fell.\n": [(P, "It\ngrew."), (P, "It fell.")],
    "Insomnia predicts depression": [(P, "Insomnia predicts depression")],
    "INSOMNIA PREDICTS DEPRESSION": [(P, "INSOMNIA PREDICTS DEPRESSION")],
    "One.\r\n\r\nTwo.": [(P, "One."), (P, "Two.")],
    "One.\fTwo.": [(P, "One."), (P, "Two.")],
    "Results\n\nIt grew.": [(H, "Results"), (P, "It grew.")],
    "METHODS\nWe looked.\n\nRESULTS\nIt grew.": [
        (H, "METHODS"),
        (P, "We looked."),
        (H, "RESULTS"),
        (P, "It grew."),
    ],
    "2.1 Growth of cells\n\nIt grew.": [(T, "2.1 Growth of cells"), (P, "It grew.")],
    "It fell.\n\n2.1 Growth of cells\n\nIt grew.": [
        (P, "It fell."),
        (H, "2.1 Growth of cells"),
        (P, "It grew."),
    ],
    "Results\n=======\nIt grew.": [(H, "Results"), (P, "It grew.")],
    "## Growth ##\nIt grew.": [(H, "## Growth ##"), (P, "It grew.")],
    "We deny that:\n- it grew;\n- it\n  fell.": [
        (P, "We deny that:"),
        (L, "- it grew;"),
        (L, "- it\n  fell."),
    ],
    "We deny that:\n\n1. it grew;\n2. it fell.": [
        (P, "We deny that:"),
        (L, "1. it grew;"),
        (L, "2. it fell."),
    ],
    "Things\n* one\n* two": [(P, "Things"), (L, "* one"), (L, "* two")],
    "There is no evidence in section\n12. Nothing in it is true.": [
        (P, "There is no evidence in section\n12. Nothing in it is true.")
    ],
    "It is not\n- as they say -\ntrue.": [(P, "It is not\n- as they say -\ntrue.")],
    "There is no evidence in clause\n(a) Cells grew.": [
        (P, "There is no evidence in clause\n(a) Cells grew.")
    ],
    "> It fell.\n> It rose.": [(Q, "> It fell.\n> It rose.")],
    "Table 1. Counts of cells.": [(BlockKind.CAPTION, "Table 1. Counts of cells.")],
    "Table 1 shows that it grew.": [(P, "Table 1 shows that it grew.")],
    "A\tB\n1\t2": [(BlockKind.TABLE, "A\tB\n1\t2")],
    "A | B\n1 | 2": [(BlockKind.TABLE, "A | B\n1 | 2")],
    "References\n\n1. Smith 2003.\n2. Jones 2004.\n\n[3] Lee.": [
        (H, "References"),
        (R, "1. Smith 2003."),
        (R, "2. Jones 2004."),
        (R, "[3] Lee."),
    ],
    "On cells\n\nIt grew in all of the dishes.": [
        (T, "On cells"),
        (P, "It grew in all of the dishes."),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.items(), ids=lambda x: str(x)[:40])
def test_blocks(text: str, expected: list[tuple[BlockKind, str]]) -> None:
    document = read_text(text)
    assert document.text == text
    assert blocks(document) == expected


def test_sections() -> None:
    document = read_text(
        "Abstract\n\nObjective: To see if it grows. Results: It grew.\n\n1. Introduction\n\n"
        "Smith said it falls.\n\n2. Results\n\n2.1 Growth\n\nIt grew.\n\n"
        "3. Limitations\n\nFew cells."
    )
    found = {document.text[b.start : b.end]: b for b in document.blocks}
    assert found["Objective: To see if it grows."].section is SectionKind.AIM
    assert found["Results: It grew."].section is SectionKind.RESULTS
    assert found["Results: It grew."].in_abstract
    assert found["Smith said it falls."].section is SectionKind.PRIOR_WORK
    assert not found["Smith said it falls."].in_abstract
    assert found["It grew."].headings == ("2. Results", "2.1 Growth")
    assert found["It grew."].section is SectionKind.RESULTS
    assert found["Few cells."].section is SectionKind.LIMITATIONS


PIECES = st.lists(
    st.sampled_from(
        ["Results", "It grew.", "- one", "1. two", "\n", "\n\n", "\r\n", "\f", " ", "> ", "# A",
         "Table 1. ", "\t", " | ", "===", "References", "Objective: to see. Results: it", "\u2028",
         "\x85", "\x0b", "\x1c", "\u00a0"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(st.one_of(PIECES, st.text(max_size=200)))
@settings(max_examples=400, deadline=None)
def test_no_character_is_changed_or_lost(text: str) -> None:
    if not text.strip():
        with pytest.raises(EmptyFile):
            read_text(text)
        return
    document = read_text(text)
    assert document.text == text
    covered: set[int] = set()
    last = 0
    for block in document.blocks:
        assert last <= block.start < block.end
        covered.update(range(block.start, block.end))
        last = block.end
    left = {char for at, char in enumerate(text) if at not in covered and not char.isspace()}
    assert left <= set("=-~"), "only the lines under headings belong to no block"


def test_too_much_text_is_refused() -> None:
    with pytest.raises(FileTooLarge):
        read_text("word " * 100, Limits(max_characters=100))


@pytest.mark.parametrize(
    ("data", "text", "warned"),
    [
        ("café – “x”".encode(), "café – “x”", False),
        (b"\xef\xbb\xbf" + "café".encode(), "café", False),
        ("café".encode("utf-16"), "café", False),
        (b"\xfe\xff" + "café".encode("utf-16-be"), "café", False),
        ("café – “x”".encode("cp1252"), "café – “x”", True),
        (b"One.\r\n\r\nTwo.\rThree.", "One.\n\nTwo.\nThree.", False),
    ],
)
def test_encodings(data: bytes, text: str, warned: bool) -> None:
    document = read_plain(data, Limits())
    assert document.text == text
    assert bool(document.warnings) is warned
