from pathlib import Path

import pytest

from core.citations.works.markers import markers
from core.citations.works.pairs import Pair, Pairing, pair
from core.citations.works.references import references
from core.documents.model import ASSERTING
from core.documents.read import read

NUMBERED = """1. Halpern SD, Ubel PA. Transplantation. N Engl J Med. 2002;347(4):284-7.
2. Rose ME, Marion DW. Amino acids. Brain Res. 2002;935(1-2):40-6.
3. Roe P. More notes. Sleep Lett. 2011;4:3-4."""

BY_YEAR = """Berg, L., & O'Neill, S. P. (2021). Trust in decisions. Conduct Letters, 88, 104–119.
de Vries, P., Lee, A., & Ng, K. (2018). Open review. Publishing Notes, 3, 11–19.
Müller, F. (2016). Wind loads. Journal of Safety, 59, 10–18.
Nguyen, T. H. (2019a). Sleep restriction. Journal of Sleep, 14(3), 221–230.
Nguyen, T. H. (2019b). Sleep extension. Journal of Sleep, 14(4), 301–310.
Smith, A. (2010). Bees. Ibis, 1, 1–2.
Smith, B. (2010). Wasps. Ibis, 1, 3–4.
Smith, A., & Jones, C. (2012). Ants. Ibis, 3, 5–6.
World Health Organization. (2020). Global tuberculosis report 2020. Author."""


def pairs(text: str, entries: str) -> list[Pair]:
    return list(pair(markers(text), references(entries)))


def shown(found: Pair) -> str:
    if found.reference is None:
        return found.pairing.value
    return found.reference.label or found.reference.text.split(".")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so [1]", ["1"]),
        ("so [1–3]", ["1", "2", "3"]),
        ("so.² Then", ["2"]),
        ("so [4]", ["absent"]),
        ("so [2,7]", ["2", "absent"]),
    ],
)
def test_numbers(text: str, expected: list[str]) -> None:
    assert [shown(found) for found in pairs(text, NUMBERED)] == expected


def test_two_entries_with_one_number_are_ambiguous() -> None:
    twice = "[1] Ng K. A. B. 2010;1:1-2.\n[2] Ng K. C. B. 2010;1:1-2."
    entries = (*references(twice), *references("[1] Roe P. D. E. 2011;1:1-2.\n[2] F."))
    found = pair(markers("so [1]"), entries)[0]
    assert found.pairing is Pairing.AMBIGUOUS
    assert len(found.candidates) == 2
    assert found.reference is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(Berg & O'Neill, 2021)", ["Berg, L"]),
        ("Berg and O’Neill (2021)", ["Berg, L"]),
        ("(de Vries et al., 2018)", ["de Vries, P"]),
        ("De Vries, Lee, and Ng (2018)", ["de Vries, P"]),
        ("(Mueller, 2016)", ["Müller, F"]),
        ("(Muller 2016)", ["Müller, F"]),
        ("(Nguyen, 2019a)", ["Nguyen, T"]),
        ("(Nguyen, 2019)", ["ambiguous"]),
        ("(Nguyen, 2019c)", ["ambiguous"]),
        ("(Smith, 2010)", ["ambiguous"]),
        ("(Smith & Jones, 2012)", ["Smith, A"]),
        ("(Smith, 2012)", ["ambiguous"]),
        ("(Smith et al., 2012)", ["Smith, A"]),
        ("(Smith & Brown, 2012)", ["ambiguous"]),
        ("(Berg & O'Neill, 2020)", ["absent"]),
        ("(Okafor, 2018)", ["absent"]),
        ("(World Health Organization, 2020)", ["World Health Organization"]),
        ("(WHO, 2020)", ["World Health Organization"]),
        ("(WTO, 2020)", ["absent"]),
        ("In Norway, Smith and Jones (2012) saw it", ["Smith, A"]),
    ],
)
def test_names_and_years(text: str, expected: list[str]) -> None:
    assert [shown(found) for found in pairs(text, BY_YEAR)] == expected


def test_the_letter_chooses_between_works_of_one_year() -> None:
    found = pairs("(Nguyen, 2019b)", BY_YEAR)[0]
    assert found.reference is not None
    assert found.reference.work.title == "Sleep extension"


def test_why_names_what_is_wrong() -> None:
    assert "one of 2021" in pairs("(Berg & O'Neill, 2020)", BY_YEAR)[0].why
    assert "no entry 9" in pairs("so [9]", NUMBERED)[0].why


def test_a_list_without_numbers_is_counted_only_where_all_are_cited() -> None:
    entries = references("\n\n".join(BY_YEAR.splitlines()[:3]))
    all_cited = pair(markers("a [1], b [2,3]"), entries)
    assert [found.pairing for found in all_cited] == [Pairing.PAIRED] * 3
    some_cited = pair(markers("a [1], b [3]"), entries)
    assert [found.pairing for found in some_cited] == [Pairing.ABSENT] * 2


def test_no_list_leaves_every_mark_absent() -> None:
    assert all(f.pairing is Pairing.ABSENT for f in pair(markers("a [1] (Lee, 2011)"), ()))


@pytest.mark.parametrize(
    "name",
    [
        "journal.pmed.1001473",
        "journal.pone.0068090",
        "journal.pone.0146913",
        "journal.pgen.1002912",
    ],
)
def test_the_marks_of_a_real_paper_have_their_entries(name: str, shared: Path) -> None:
    document = read(shared / "documents" / "papers" / f"{name}.xml")
    entries = references(document)
    found = [
        one
        for block in document.blocks
        if block.kind in ASSERTING
        for one in pair(markers(document.text[block.start : block.end]), entries)
        if one.target.label
    ]
    assert len(found) > 30
    paired = [one for one in found if one.pairing is Pairing.PAIRED]
    assert len(paired) >= 0.97 * len(found)
    cited = {one.reference.label for one in paired if one.reference is not None}
    assert len(cited) >= 0.8 * len(entries)
