from pathlib import Path

import pytest

from core.storage.errors import InvalidName, NameTaken, NotFound, StoreClosed
from core.storage.store import Store


def test_a_workspace_is_made_found_and_renamed(store: Store, home: Path) -> None:
    made = store.workspaces.create("  Asset   register ", confidential=True)
    assert (made.name, made.confidential) == ("Asset register", True)
    other = store.workspaces.create("anything")
    assert store.workspaces.all() == [other, made]
    renamed = store.workspaces.rename(made.id, "Zulu")
    assert store.workspaces.get(made.id) == renamed
    assert (renamed.name, renamed.confidential, renamed.created) == ("Zulu", True, made.created)
    with Store.open(home) as second:
        assert second.workspaces.all() == [other, renamed]


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("Review", "review"),
        ("Review", " REVIEW "),
        ("Prüfung", "PRÜFUNG"),
        ("Straße", "STRASSE"),
        ("Prüfung", "Pru\u0308fung"),
        ("Review 1", "Ｒｅｖｉｅｗ　１"),
        ("ОТЧЁТ", "отчёт"),
        ("file", "ﬁle"),
    ],
)
def test_names_that_read_the_same_are_one_name(store: Store, one: str, same: str) -> None:
    first = store.workspaces.create(one)
    assert store.workspaces.find(same) == first
    with pytest.raises(NameTaken, match="already") as caught:
        store.workspaces.create(same)
    assert isinstance(caught.value, ValueError)
    second = store.workspaces.create("Something else")
    with pytest.raises(NameTaken):
        store.workspaces.rename(second.id, same)
    assert store.workspaces.all() == sorted([first, second], key=lambda w: w.name.casefold())


def test_a_workspace_may_change_the_case_of_its_own_name(store: Store) -> None:
    made = store.workspaces.create("review")
    assert store.workspaces.rename(made.id, "Review").name == "Review"


@pytest.mark.parametrize("name", ["", "   ", "\n\t", "a\x00b", "bell\x07", "\ud800", "x" * 201])
def test_a_name_that_cannot_be_shown_is_refused(store: Store, name: str) -> None:
    with pytest.raises(InvalidName, match=r"name"):
        store.workspaces.create(name)
    assert store.workspaces.all() == []
    assert store.workspaces.find("Name") is None


def test_an_unknown_workspace_is_said_so(store: Store) -> None:
    with pytest.raises(NotFound):
        store.workspaces.get(7)
    with pytest.raises(NotFound):
        store.workspaces.rename(7, "Name")
    with pytest.raises(NotFound):
        store.documents.all(7)


def test_a_closed_store_says_so_and_closes_twice(home: Path) -> None:
    store = Store.open(home)
    store.close()
    store.close()
    with pytest.raises(StoreClosed):
        store.workspaces.all()
    with pytest.raises(StoreClosed):
        store.workspaces.create("Late")
