import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.model import WorkCitation
from core.citations.works.cleaning import LONGEST
from core.citations.works.strings import read_reference

ROWS = [
    json.loads(line)
    for name in ("strings.jsonl", "strings_later.jsonl")
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
]
FIELDS = ("authors", "others", "title", "year", "container", "volume", "issue", "pages")


def fields(work: WorkCitation) -> dict[str, Any]:
    return {
        "authors": [[author.family, author.given] for author in work.authors],
        "others": work.others,
        "title": work.title,
        "year": work.year,
        "container": work.container,
        "volume": work.volume,
        "issue": work.issue,
        "pages": work.pages,
    }


def plain(value: Any) -> Any:
    return value.rstrip(".") if isinstance(value, str) else value


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_no_field_is_wrong(row: dict) -> None:
    read = fields(read_reference(row["text"]))
    wrong = {
        name: (read[name], row[name])
        for name in FIELDS
        if read[name] and plain(read[name]) != plain(row[name])
    }
    assert not wrong


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_identifiers_are_those_of_the_string(row: dict) -> None:
    read = read_reference(row["text"]).identifiers
    assert sorted(i.canonical for i in read) == sorted(row["identifiers"])


def test_most_fields_are_found() -> None:
    found: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for row in ROWS:
        read = fields(read_reference(row["text"]))
        for name in FIELDS:
            if row[name]:
                there[name] += 1
                found[name] += bool(read[name])
    shares = {name: found[name] / there[name] for name in FIELDS}
    assert min(shares.values()) >= 0.93, shares


def test_the_place_is_the_string_without_its_margins() -> None:
    text = "\n  [3] Smith J. Bees of Wales. Ibis. 2004;3:1-9. \n"
    work = read_reference(text)
    assert text[work.start : work.end] == text.strip()
    assert work.key == "3"


def test_a_string_broken_over_lines_reads_as_one() -> None:
    broken = (
        "Ng, K., & Roe, P. (2011). Sleep and the adoles-\ncent brain. Sleep\nLetters, 4(2),\n11–19."
    )
    work = read_reference(broken)
    assert work.title == "Sleep and the adolescent brain"
    assert (work.container, work.volume, work.issue, work.pages) == (
        "Sleep Letters",
        "4",
        "2",
        "11-19",
    )


@pytest.mark.parametrize(
    "title",
    [
        "Biopython: freely available tools for biology",
        "Data retrieved from noisy sensors",
        "Maternal deaths: an assessment of available data",
        "What was accessed on 3 May 2010 and why",
        "Published online or not at all",
    ],
)
def test_words_of_notes_stay_where_they_are_words_of_the_title(title: str) -> None:
    text = f"Ng K. {title}. Sleep Lett. 2011;4:3-4. Accessed June 3, 2019. https://example.org/a"
    work = read_reference(text)
    assert work.title in (title, "")
    assert work.title or "online" in title
    assert work.pages == "3-4"


@pytest.mark.parametrize(
    ("quoted", "title"),
    [
        ("“The “Wild” West in Film.”", "The “Wild” West in Film"),
        ('"The "Wild" West in Film,"', 'The "Wild" West in Film'),
        ("“‘Wild’ No More: A Return.”", "‘Wild’ No More: A Return"),
        ("‘Whose ‘Wild’ West?’,", "Whose ‘Wild’ West?"),
        ("‘Teachers’ Voices in Schools’,", "Teachers’ Voices in Schools"),
    ],
)
def test_quotation_marks_inside_a_title(quoted: str, title: str) -> None:
    read = read_reference(f"Lee, A. and Ng, B. (2010) {quoted} Film Letters, 3(1), pp. 1–9.").title
    assert read in (title, "")


@pytest.mark.parametrize(
    ("text", "volume", "issue", "pages"),
    [
        ("ISSN 0028-0836, 171(4356), 737–738", "171", "4356", "737-738"),
        ("ISSN 0140-6736 vol. 365 p. 891", "365", "", "891"),
        ("ISSN: 0028-0836 Volume 171, issue 4356, pages 737-738.", "171", "4356", "737-738"),
    ],
)
def test_an_issn_with_volume_and_page(text: str, volume: str, issue: str, pages: str) -> None:
    work = read_reference(text)
    assert work.identifiers[0].canonical.startswith("issn:")
    assert (work.volume, work.issue, work.pages) == (volume, issue, pages)


_TEXTS = st.one_of(
    st.text(max_size=300),
    st.text("Aa., ();:“”'12–&[]-\n", max_size=200),
    st.lists(st.sampled_from([row["text"] for row in ROWS]), min_size=1, max_size=3).map("".join),
)


@given(_TEXTS, st.integers(0, 400), st.text(max_size=4))
def test_any_string_is_read_without_an_error(text: str, at: int, put: str) -> None:
    mutated = text[:at] + put + text[at + len(put) // 2 :]
    work = read_reference(mutated)
    assert 0 <= work.start <= work.end <= len(mutated)


@given(st.sampled_from(ROWS), st.integers(0, 300), st.integers(1, 4))
def test_a_title_is_always_a_part_of_the_string(row: dict, at: int, cut: int) -> None:
    text = row["text"][:at] + row["text"][at + cut :]
    work = read_reference(text)
    squeezed = "".join(text.split())
    assert "".join(work.title.split()) in squeezed


@pytest.mark.parametrize(
    "unit", ["Smith, J., ", "A. ", "(", "12(3): 45-67. ", "“a” ", "a", "2001, "]
)
def test_a_string_without_an_end_is_read_up_to_its_bound(unit: str) -> None:
    long = read_reference(unit * 40_000)
    assert len(long.title) <= LONGEST
    assert long.end == len((unit * 40_000).strip())
