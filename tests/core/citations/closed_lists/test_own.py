"""A person's own list: what is taken, what is refused, and how it answers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.closed_lists.answer import Alteration, Answer, Standing
from core.citations.closed_lists.closed_lists import ClosedLists
from core.citations.closed_lists.own import (
    MOST_BYTES,
    MOST_NUMBERS,
    MOST_PROBLEMS,
    OwnList,
    OwnListError,
    OwnNumber,
    read_csv,
    read_json,
)
from core.citations.model import FrameworkCitation

CSV = """id,title,withdrawn,replaced_by
P-1,Access,,
P-1(a),Joiners,,
P-1(b),Leavers,no,
P-2,"Backup, and restore",,
P-03,Logging,,
P-9,Fax,yes,P-2; P-03
"""


def check(own: OwnList, locator: str, name: str = "House rules") -> Answer:
    lists = ClosedLists(own=[own])
    return lists.check(FrameworkCitation(instrument=name, locator=locator, start=0, end=0))


def house(text: str = CSV) -> OwnList:
    return read_csv(text.encode(), "House rules", "2026")


def test_a_csv_file_is_read() -> None:
    assert house() == OwnList(
        "House rules",
        "2026",
        (
            OwnNumber("P-1", "Access"),
            OwnNumber("P-1(a)", "Joiners"),
            OwnNumber("P-1(b)", "Leavers"),
            OwnNumber("P-2", "Backup, and restore"),
            OwnNumber("P-03", "Logging"),
            OwnNumber("P-9", "Fax", withdrawn=True, replaced_by=("P-2", "P-03")),
        ),
    )


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + CSV.encode(),
        CSV.replace("\n", "\r\n").encode(),
        CSV.replace("\n", "\n,,,\n").encode(),
        CSV.replace("P-2; P-03", "#").replace(",", ";").replace("#", '"P-2; P-03"').encode(),
        CSV.replace(",,", "\t\t").replace(",yes,", "\tyes\t").replace(",no,", "\tno\t")
        .replace("P-1,", "P-1\t").replace("P-1(a),", "P-1(a)\t").replace("P-1(b),", "P-1(b)\t")
        .replace("P-2,", "P-2\t").replace("P-03,", "P-03\t").replace("P-9,", "P-9\t")
        .replace("id,title,withdrawn,replaced_by", "id\ttitle\twithdrawn\treplaced_by").encode(),
        CSV.replace("id,title", "ID, Title ").encode(),
    ],
    ids=["mark", "crlf", "empty rows", "semicolons", "tabs", "header"],
)  # fmt: skip
def test_what_spreadsheets_write_is_read_alike(data: bytes) -> None:
    made = read_csv(data, "House rules", "2026")
    assert [number.number for number in made.numbers] == [
        number.number for number in house().numbers
    ]
    assert made.numbers[-1].replaced_by == ("P-2", "P-03")


def test_a_json_file_of_the_shipped_shape_is_read() -> None:
    data = {
        "framework": " House  rules ",
        "edition": "2026",
        "licence": "internal",
        "origin": "the intranet",
        "ids": [{"id": "P-1", "title": "Access"}, {"id": "§ P-2"}, "P-3",
                {"id": "P-4", "withdrawn": True, "replaced_by": ["P-3"]}],
    }  # fmt: skip
    made = read_json(json.dumps(data).encode())
    assert made == OwnList(
        "House rules",
        "2026",
        (
            OwnNumber("P-1", "Access"),
            OwnNumber("P-2"),
            OwnNumber("P-3"),
            OwnNumber("P-4", withdrawn=True, replaced_by=("P-3",)),
        ),
        licence="internal",
        origin="the intranet",
    )


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "Row 1 has no column “id”"),
        (b"number,title\n1,a\n", "Row 1 has no column “id”"),
        (b"id,owner\n1,a\n", "a column “owner”, which is none of"),
        (b"id,id\n1,2\n", "Row 1 has the column “id” twice"),
        (b"id,title\n", "There are no entries"),
        (b"id,title\n1,a\n,b\n", "Row 3 has no id."),
        (b"id,title\n1,a\n2,b\n1,c\n", "Row 4 has the id of row 2 again."),
        (b"id,title\n1,a,b\n", "Row 2 has more cells than the header"),
        (b'id,title\n1,"a\n2,b\n', "its quotes do not match"),
        (b"id,title\n1,\xe9\n", "Row 2 is not in UTF-8"),
        (b"id,title\n" + b"1" * 201 + b",a\n", "Row 2: the id is longer than 200 characters."),
        (b"id,title\n1," + b"a" * 1001, "Row 2: the title is longer than 1000 characters."),
        (b"id,title\n1\x00,a\n", "Row 2: the id holds characters that cannot be shown."),
        (b"id,withdrawn\n1,perhaps\n", "Row 2: “withdrawn” is neither true nor false."),
        (b"id,withdrawn,replaced_by\n1,yes,2\n", "Row 2 names a replacement that is not in"),
        (b"id,withdrawn,replaced_by\n1,,2\n2,,\n", "Row 2 is replaced, but not marked"),
    ],
)
def test_a_csv_that_is_at_fault_is_refused_with_its_row(data: bytes, problem: str) -> None:
    with pytest.raises(OwnListError) as caught:
        read_csv(data, "House rules", "2026")
    assert problem in str(caught.value)
    assert str(caught.value).startswith("The list was not added. ")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"{", "not JSON: see line 1"),
        (b"[]", "needs an object with"),
        (b'{"framework": "F", "ids": {}}', "needs an object with"),
        (b'{"framework": 1, "ids": ["1"]}', "“framework” is not a text."),
        (b'{"framework": "F", "ids": [1]}', "Entry 1 is not an object with an “id”."),
        (b'{"framework": "F", "ids": [{"id": 5}]}', "Entry 1: the id is not a text."),
        (b'{"framework": "F", "ids": [{"id": "1", "x": 2}]}', "Entry 1 has a field"),
        (b'{"framework": "F", "ids": ["1", "1"]}', "Entry 2 has the id of entry 1 again."),
        (b'{"framework": "", "ids": ["1"]}', "The framework has no name."),
        (b'{"framework": "F", "ids": [{"id": "1", "withdrawn": 1}]}', "neither true nor false"),
        (b'{"framework": "F", "ids": [{"id": "1", "replaced_by": 1}]}', "is not a list of ids"),
        (b'{"framework": "\\ud800", "ids": ["1"]}', "The framework holds characters"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_json_file_that_is_at_fault_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(OwnListError) as caught:
        read_json(data)
    assert problem in str(caught.value)


def test_all_faults_are_told_up_to_a_number_and_the_others_counted() -> None:
    rows = "id,title\n" + "x,\n" * (MOST_PROBLEMS + 6)
    with pytest.raises(OwnListError) as caught:
        read_csv(rows.encode(), "F", "1")
    assert len(caught.value.problems) == MOST_PROBLEMS + 1
    assert caught.value.problems[0] == "Row 3 has the id of row 2 again."
    assert caught.value.problems[-1] == "5 more rows are at fault."


def test_a_list_that_is_too_large_is_refused() -> None:
    with pytest.raises(OwnListError, match="8 MB"):
        read_csv(b"id\n" + b"1" * MOST_BYTES, "F", "1")
    many = "id\n" + "\n".join(str(n) for n in range(MOST_NUMBERS + 1))
    with pytest.raises(OwnListError, match=f"more than {MOST_NUMBERS} entries"):
        read_csv(many.encode(), "F", "1")


@given(st.binary(max_size=300))
def test_any_bytes_are_a_list_or_an_error_that_says_so(data: bytes) -> None:
    for read in (lambda: read_csv(b"id,title\n" + data, "F", "1"), lambda: read_json(data)):
        made: OwnList | None = None
        problems: tuple[str, ...] = ()
        try:
            made = read()
        except OwnListError as error:
            problems = error.problems
        assert bool(problems) == (made is None)
        assert made is None or 0 < len(made.indexed()) == len(made.numbers)


@given(st.lists(st.from_regex(r"\A[A-Z]{1,3}-\d{1,3}(\([a-z]\))?\Z"), min_size=1, unique=True))
def test_every_number_of_an_own_list_is_found(numbers: list[str]) -> None:
    own = read_json(json.dumps({"framework": "Mine", "ids": numbers}).encode())
    lists = ClosedLists(own=[own])
    for number in numbers:
        citation = FrameworkCitation(instrument="mine", locator=number, start=0, end=0)
        assert lists.check(citation).standing is Standing.IN_LIST


@pytest.mark.parametrize(
    ("locator", "standing", "alteration"),
    [
        ("P-1", Standing.IN_LIST, None),
        ("P-1(a)", Standing.IN_LIST, None),
        ("P-1(c)", Standing.ALTERED, Alteration.NESTING),
        ("P-2(a)", Standing.NOT_AVAILABLE, None),
        ("P-01", Standing.ALTERED, Alteration.PADDING),
        ("P-3", Standing.ALTERED, Alteration.PADDING),
        ("p.1", Standing.ALTERED, Alteration.FORM),
        ("P-9", Standing.ALTERED, Alteration.WITHDRAWN),
        ("P-10", Standing.NOT_IN_LIST, None),
        ("Q-1", Standing.NOT_IN_LIST, None),
    ],
)
def test_an_own_list_answers(
    locator: str, standing: Standing, alteration: Alteration | None
) -> None:
    answer = check(house(), locator)
    assert (answer.standing, answer.alteration) == (standing, alteration), answer.sentence
    assert "your own list" in answer.sentence


def test_an_own_list_is_another_edition_of_a_shipped_framework() -> None:
    own = read_csv(b"id\nA.5.1\nA.99\n", "ISO 27001", "2031")
    for name in ("ISO/IEC 27001:2031", "ISO 27001:2031"):
        assert check(own, "A.99", name).standing is Standing.IN_LIST
    assert check(own, "A.5.19", "ISO/IEC 27001:2022").standing is Standing.IN_LIST
    answer = check(own, "A.99", "ISO/IEC 27001")
    assert answer.standing is Standing.IN_LIST
    assert answer.edition_decides
    assert [entry.edition for entry in answer.entries] == ["2031"]


def test_an_own_list_in_the_place_of_a_shipped_one_is_the_only_one_asked() -> None:
    own = OwnList("ISO/IEC 27001", "2022", (OwnNumber("A.5.1", "Policies"),), takes_place=True)
    assert check(own, "A.5.1", "ISO/IEC 27001:2022").entries[0].title == "Policies"
    assert check(own, "A.5.2", "ISO/IEC 27001:2022").standing is Standing.NOT_IN_LIST
    assert check(own, "A.9.4.3", "ISO/IEC 27001:2013").standing is Standing.IN_LIST
    keys = [info.key for info in ClosedLists(own=[own]).lists()]
    assert len(keys) == len(set(keys)) == 26
