import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.works.markers import Marker, MarkKind, Target, markers

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("markers.jsonl").read_text(encoding="utf-8").splitlines()
]


def shown(target: Target) -> str:
    """A target as the cases write it: "3", "Smith&Jones|2020a@p. 5", "Lee+|2011" for et al."""
    if target.label:
        return target.label
    names = "&".join(target.names) + ("+" if target.others else "")
    place = f"@{target.locator}" if target.locator else ""
    return f"{names}|{target.year}{target.suffix}{place}"


def read(text: str) -> list[list[object]]:
    return [
        [text[marker.start : marker.end], [shown(target) for target in marker.targets]]
        for marker in markers(text)
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:50])
def test_marks_are_found_with_their_places(row: dict) -> None:
    assert read(row["text"]) == row["marks"]


def test_round_brackets_are_marks_only_where_that_is_asked_for() -> None:
    text = "It was seen before (1, 3–5) in cells (12)."
    assert markers(text) == ()
    labels = [[t.label for t in m.targets] for m in markers(text, round_brackets=True)]
    assert labels == [["1", "3", "4", "5"], ["12"]]


def test_a_wide_range_gives_its_ends() -> None:
    assert [t.label for t in markers("all of them [1-900]")[0].targets] == ["1", "900"]


def test_kinds_are_told_apart() -> None:
    found = markers("a [1], b.² c (Lee, 2011), d[^4]")
    assert [marker.kind for marker in found] == [
        MarkKind.NUMBERED,
        MarkKind.RAISED,
        MarkKind.AUTHOR_YEAR,
        MarkKind.FOOTNOTE,
    ]


_PIECES = st.one_of(
    st.text(max_size=200),
    st.text("([Ab, 2010;–¹²]) ", max_size=200),
    st.lists(st.sampled_from([row["text"] for row in ROWS]), max_size=4).map("".join),
)


@given(_PIECES, st.integers(0, 200), st.text(max_size=3))
def test_any_text_is_read_without_an_error(text: str, at: int, put: str) -> None:
    mutated = text[:at] + put + text[at:]
    end = 0
    for marker in markers(mutated):
        assert isinstance(marker, Marker)
        assert end <= marker.start < marker.end <= len(mutated)
        assert marker.targets
        end = marker.end


@pytest.mark.parametrize(
    "unit", ["(", "(Smith, ", "[1,", "A. B ", "Smith and ", "¹", "2010 (", "["]
)
def test_long_lines_of_beginnings_end(unit: str) -> None:
    assert len(markers(unit * 20_000)) <= 20_000
