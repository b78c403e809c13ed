"""Own lists of frameworks in the store, and the choices of workspaces."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.citations.closed_lists.answer import Answer, Standing
from core.citations.closed_lists.closed_lists import ClosedLists
from core.citations.closed_lists.own import OwnList, OwnNumber
from core.citations.model import FrameworkCitation
from core.storage.errors import ListTaken, NotFound
from core.storage.store import Store

HOUSE = OwnList(
    "House rules",
    "2026",
    (
        OwnNumber("P-2", "Backup"),
        OwnNumber("P-1", "Access — “who may”"),
        OwnNumber("P-9", "", withdrawn=True, replaced_by=("P-1", "P-2")),
    ),
    licence="internal",
    origin="the intranet",
)


def check(lists: ClosedLists, instrument: str, locator: str) -> Answer:
    return lists.check(FrameworkCitation(instrument=instrument, locator=locator, start=0, end=0))


def test_a_list_outlives_the_program(home: Path) -> None:
    with Store.open(home) as store:
        stored = store.frameworks.add(HOUSE)
        assert (stored.key, stored.count, stored.takes_place) == ("House rules 2026", 3, False)
    with Store.open(home) as store:
        assert [found.id for found in store.frameworks.all()] == [stored.id]
        assert store.frameworks.read(stored.id) == HOUSE
        lists = store.frameworks.closed_lists()
        assert check(lists, "House rules", "P-1").standing is Standing.IN_LIST
        assert check(lists, "House rules", "P-9").replaced_by == ("P-1", "P-2")
        assert check(lists, "House rules", "P-7").standing is Standing.NOT_IN_LIST


@pytest.mark.parametrize(
    ("framework", "edition", "shipped"),
    [
        ("ISO/IEC 27001", "2022", "ISO/IEC 27001 2022"),
        ("iso 27001", "2022", "ISO/IEC 27001 2022"),
        ("NIST CSF", "v2.0", "NIST CSF 2.0"),
        ("NIST SP 800-53", "Rev. 5", "NIST SP 800-53 Rev. 5 (update 1)"),
        ("NIST SP 800-53", "Rev. 5 (update 1)", "NIST SP 800-53 Rev. 5 (update 1)"),
        ("GDPR", "", "GDPR Regulation (EU) 2016/679"),
        ("GDPR", "Regulation (EU) 2016/679", "GDPR Regulation (EU) 2016/679"),
    ],
)
def test_a_shipped_list_is_never_replaced_silently(
    store: Store, framework: str, edition: str, shipped: str
) -> None:
    own = OwnList(framework, edition, (OwnNumber("X-1"),))
    with pytest.raises(ListTaken) as caught:
        store.frameworks.add(own)
    assert shipped in str(caught.value)
    assert store.frameworks.all() == []
    stored = store.frameworks.add(own, instead_of_shipped=True)
    assert stored.takes_place
    lists = store.frameworks.closed_lists()
    name = f"{framework}:{edition}" if edition.isdigit() else framework
    answer = check(lists, name, "X-1")
    assert answer.standing is Standing.IN_LIST
    assert "your own list" in answer.sentence
    store.frameworks.remove(stored.id)
    assert check(store.frameworks.closed_lists(), name, "X-1").standing is not Standing.IN_LIST
    assert shipped in [info.key for info in store.frameworks.closed_lists().lists()]


def test_a_flag_that_was_not_needed_takes_no_place(store: Store) -> None:
    own = OwnList("ISO/IEC 27001", "2031", (OwnNumber("X-1"),))
    assert not store.frameworks.add(own, instead_of_shipped=True).takes_place
    assert len(store.frameworks.closed_lists().lists()) == 27


@pytest.mark.parametrize(
    ("framework", "edition"), [("House rules", "2026"), ("HOUSE  Rules", "v2026")]
)
def test_an_own_list_is_replaced_only_when_that_is_said(
    store: Store, framework: str, edition: str
) -> None:
    first = store.frameworks.add(HOUSE)
    second = OwnList(framework, edition, (OwnNumber("Q-1"),))
    with pytest.raises(ListTaken, match="already"):
        store.frameworks.add(second)
    assert store.frameworks.read(first.id) == HOUSE
    stored = store.frameworks.add(second, replace=True)
    assert [found.id for found in store.frameworks.all()] == [stored.id]
    assert store.frameworks.read(stored.id) == second


def test_two_own_lists_in_the_place_of_one_are_both_kept(store: Store) -> None:
    for edition, number in (("", "X-1"), ("2016/679", "X-2")):
        own = OwnList("GDPR", edition, (OwnNumber(number),))
        store.frameworks.add(own, instead_of_shipped=True)
    lists = store.frameworks.closed_lists()
    assert check(lists, "GDPR", "X-1").standing is Standing.IN_LIST
    assert check(lists, "GDPR", "X-2").standing is Standing.IN_LIST
    assert check(lists, "GDPR", "Article 6").standing is Standing.NOT_IN_LIST


def test_two_editions_stand_beside_each_other(store: Store) -> None:
    store.frameworks.add(HOUSE)
    store.frameworks.add(OwnList("House rules", "2025", (OwnNumber("P-1"),)))
    assert [found.edition for found in store.frameworks.all()] == ["2025", "2026"]
    answer = check(store.frameworks.closed_lists(), "House rules", "P-1")
    assert answer.editions == ("2025", "2026")


def test_a_list_that_is_not_there_is_said_so(store: Store) -> None:
    for ask in (store.frameworks.get, store.frameworks.read, store.frameworks.remove):
        with pytest.raises(NotFound, match="This list does not exist"):
            ask(7)


def test_a_removed_list_leaves_no_numbers(home: Path, store: Store) -> None:
    store.frameworks.remove(store.frameworks.add(HOUSE).id)
    with closing(sqlite3.connect(home / "countersign.db")) as db:
        assert db.execute("SELECT count(*) FROM framework_numbers").fetchone() == (0,)


def test_a_workspace_chooses_its_frameworks(home: Path, store: Store) -> None:
    audit = store.workspaces.create("Audit").id
    other = store.workspaces.create("Other").id
    store.frameworks.add(HOUSE)
    assert store.frameworks.chosen(audit) is None
    store.frameworks.choose(audit, ["House rules 2026", "ISO/IEC 27001 2022"])
    assert store.frameworks.chosen(audit) == {"House rules 2026", "ISO/IEC 27001 2022"}
    assert store.frameworks.chosen(other) is None
    lists = store.frameworks.closed_lists(audit)
    assert check(lists, "ISO/IEC 27001", "A.5.19").editions == ("2022",)
    assert check(lists, "House rules", "P-1").chosen
    assert not check(lists, "GDPR", "Article 6").chosen
    assert check(store.frameworks.closed_lists(other), "GDPR", "Article 6").chosen
    store.frameworks.choose(audit, [])
    assert store.frameworks.chosen(audit) == frozenset()
    store.frameworks.choose(audit, None)
    assert store.frameworks.chosen(audit) is None


def test_only_what_exists_can_be_chosen(store: Store) -> None:
    workspace = store.workspaces.create("Audit").id
    store.frameworks.choose(workspace, ["NIST CSF 2.0"])
    with pytest.raises(NotFound, match="“NIST CSF 9”"):
        store.frameworks.choose(workspace, ["NIST CSF 2.0", "NIST CSF 9"])
    assert store.frameworks.chosen(workspace) == {"NIST CSF 2.0"}
    with pytest.raises(NotFound, match="workspace does not exist"):
        store.frameworks.choose(99, ["NIST CSF 2.0"])


def test_a_choice_outlives_the_list_that_was_chosen(store: Store) -> None:
    workspace = store.workspaces.create("Audit").id
    stored = store.frameworks.add(HOUSE)
    store.frameworks.choose(workspace, [stored.key])
    store.frameworks.remove(stored.id)
    lists = store.frameworks.closed_lists(workspace)
    assert check(lists, "House rules", "P-1").standing is Standing.NOT_AVAILABLE
    assert not check(lists, "GDPR", "Article 6").chosen


def test_a_list_that_fails_half_way_is_not_kept(store: Store) -> None:
    twice = OwnList("House rules", "2026", (OwnNumber("P-1"), OwnNumber("P-1")))
    with pytest.raises(sqlite3.IntegrityError):
        store.frameworks.add(twice)
    assert store.frameworks.all() == []
