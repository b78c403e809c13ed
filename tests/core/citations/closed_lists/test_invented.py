"""Citations as a language model invents and alters them, each with the answer that is right."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.citations.closed_lists.answer import Standing
from core.citations.closed_lists.closed_lists import ClosedLists
from core.citations.model import FrameworkCitation

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("invented.jsonl").read_text("utf-8").splitlines()
]
LISTS = ClosedLists()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['instrument']} {row['locator']}")
def test_an_invented_or_altered_citation_is_seen_through(row: dict[str, str]) -> None:
    answer = LISTS.check(
        FrameworkCitation(instrument=row["instrument"], locator=row["locator"], start=0, end=0)
    )
    assert answer.standing == row["standing"], answer.sentence
    assert answer.alteration == row.get("alteration"), answer.sentence
    if "nearest" in row:
        assert answer.nearest[0].number == row["nearest"], answer.sentence
        assert row["nearest"] in answer.sentence
    assert answer.citation == f"{row['instrument']} {row['locator']}"


def test_no_row_is_true_and_each_kind_is_there() -> None:
    kinds = Counter((row["standing"], row.get("alteration")) for row in ROWS)
    assert Standing.IN_LIST not in {standing for standing, _ in kinds}
    assert len(ROWS) >= 200
    assert min(kinds.values()) >= 9
    assert len(kinds) == 7
