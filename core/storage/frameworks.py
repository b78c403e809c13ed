"""A person's own closed lists, and the lists that a workspace works with.

What knows of citations is imported where it is used: the store opens before the window shows.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.ports import Clock
from core.storage.database import Database
from core.storage.errors import ListTaken, NotFound
from core.storage.rows import StoredList
from core.storage.times import from_text, to_text

if TYPE_CHECKING:
    from core.citations.closed_lists.closed_lists import ClosedLists
    from core.citations.closed_lists.own import OwnList
    from core.citations.closed_lists.shelf import Shelf


class FrameworkRepository:
    """The own lists of a store, and the choices of its workspaces. May be used from any thread.

    Own lists belong to the store as a whole, so that several workspaces can work with one.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        """Use an open database; `clock` gives the times that are recorded."""
        self._database = database
        self._clock = clock

    def add(
        self, own: "OwnList", *, instead_of_shipped: bool = False, replace: bool = False
    ) -> StoredList:
        """Keep a list.

        Raises `ListTaken`, a ValueError, where there is a list of this edition of this framework:
        a shipped one, unless the person wants theirs `instead_of_shipped`; or one of their own,
        unless it is to `replace` that one.
        """
        shelf = _shelf()
        shipped = shelf.taken(own.framework, own.edition)
        if shipped and not instead_of_shipped:
            raise ListTaken(
                f"There is a list of {shipped[0].key} already, which came with the program. "
                "Nothing was changed. Name another edition, or say that yours is to be used "
                "instead."
            )
        key = shelf.same(own.framework, own.edition)
        added = to_text(self._clock.now())

        def work(db: Any) -> int:
            held = db.execute("SELECT id FROM framework_lists WHERE name_key = ?", (key,))
            before = held.fetchone()
            if before is not None and not replace:
                raise ListTaken(
                    f"You have added a list of {shelf.key(own.framework, own.edition)} already. "
                    "Nothing was changed. Name another edition, or say that the new one is to "
                    "replace it."
                )
            if before is not None:
                db.execute("DELETE FROM framework_lists WHERE id = ?", before)
            cursor = db.execute(
                "INSERT INTO framework_lists "
                "(framework, edition, name_key, takes_place, licence, origin, added) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    own.framework, own.edition, key, int(bool(shipped)), own.licence,
                    own.origin, added,
                ),
            )  # fmt: skip
            list_id = int(cursor.lastrowid)
            db.conn.executemany(
                "INSERT INTO framework_numbers "
                "(list_id, position, number, title, withdrawn, replaced_by) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (
                        list_id, position, row.number, row.title, int(row.withdrawn),
                        json.dumps(row.replaced_by, ensure_ascii=False),
                    )
                    for position, row in enumerate(own.numbers)
                ),
            )  # fmt: skip
            return list_id

        return self.get(self._database.write(work))

    def all(self) -> list[StoredList]:
        """Every own list, by framework and edition."""
        shelf = _shelf()
        return [_row(row, shelf) for row in self._database.rows(f"{_LISTS} ORDER BY name_key")]

    def get(self, list_id: int) -> StoredList:
        """The own list with this id. Raises `NotFound`."""
        found = self._database.row(f"{_LISTS} WHERE id = ?", (list_id,))
        if found is None:
            raise _not_found()
        return _row(found, _shelf())

    def read(self, list_id: int) -> "OwnList":
        """An own list with its numbers, in its order. Raises `NotFound`."""
        from core.citations.closed_lists.own import OwnList, OwnNumber

        with self._database.reading() as connection:
            # Both in one transaction: another program may replace the list in between.
            connection.execute("BEGIN")
            try:
                found = connection.execute(
                    "SELECT framework, edition, licence, origin, takes_place "
                    "FROM framework_lists WHERE id = ?",
                    (list_id,),
                ).fetchone()
                numbers = connection.execute(
                    "SELECT number, title, withdrawn, replaced_by FROM framework_numbers "
                    "WHERE list_id = ? ORDER BY position",
                    (list_id,),
                ).fetchall()
            finally:
                connection.execute("COMMIT")
        if found is None:
            raise _not_found()
        framework, edition, licence, origin, takes_place = found
        return OwnList(
            framework,
            edition,
            tuple(
                OwnNumber(number, title, bool(withdrawn), tuple(json.loads(replaced_by)))
                for number, title, withdrawn, replaced_by in numbers
            ),
            licence=licence,
            origin=origin,
            takes_place=bool(takes_place),
        )

    def remove(self, list_id: int) -> None:
        """Delete an own list; a shipped one whose place it took is used again.

        Raises `NotFound`.
        """

        def work(db: Any) -> None:
            if db.execute("DELETE FROM framework_lists WHERE id = ?", (list_id,)).rowcount != 1:
                raise _not_found()

        self._database.write(work)

    def choose(self, workspace_id: int, keys: Iterable[str] | None) -> None:
        """Say which lists a workspace works with, by their keys; None: it has not chosen.

        Raises `NotFound` for a workspace or a list that does not exist.
        """
        wanted = None if keys is None else sorted(set(keys))
        known = {place.key for place in _shelf(self._own()).all()}
        for key in wanted or ():
            if key not in known:
                raise NotFound(f"There is no list called “{key}”. Open the lists again.")
        changed = to_text(self._clock.now())

        def work(db: Any) -> None:
            held = db.execute("SELECT 1 FROM workspaces WHERE id = ?", (workspace_id,)).fetchone()
            if held is None:
                raise NotFound("This workspace does not exist. Open the list of workspaces again.")
            db.execute("DELETE FROM framework_choices WHERE workspace_id = ?", (workspace_id,))
            if wanted is not None:
                db.execute(
                    "INSERT INTO framework_choices (workspace_id, chosen, changed) "
                    "VALUES (?, ?, ?)",
                    (workspace_id, json.dumps(wanted, ensure_ascii=False), changed),
                )

        self._database.write(work)

    def chosen(self, workspace_id: int) -> frozenset[str] | None:
        """The keys of the lists that a workspace works with; None where it has not chosen."""
        found = self._database.row(
            "SELECT chosen FROM framework_choices WHERE workspace_id = ?", (workspace_id,)
        )
        return None if found is None else frozenset(json.loads(found["chosen"]))

    def closed_lists(self, workspace_id: int | None = None) -> "ClosedLists":
        """The shipped and the own lists, ready to check a workspace's citations against."""
        from core.citations.closed_lists.closed_lists import ClosedLists

        chosen = None if workspace_id is None else self.chosen(workspace_id)
        return ClosedLists(self._own(), chosen)

    def _own(self) -> list["OwnList"]:
        found = []
        for stored in self.all():
            # Another program may have removed it since.
            with suppress(NotFound):
                found.append(self.read(stored.id))
        return found


_LISTS = (
    "SELECT *, (SELECT count(*) FROM framework_numbers n WHERE n.list_id = l.id) AS count "
    "FROM framework_lists l"
)


def _shelf(own: Iterable["OwnList"] = ()) -> "Shelf":
    from core.citations.closed_lists.shelf import Shelf

    return Shelf(own)


def _not_found() -> NotFound:
    return NotFound("This list does not exist. Open the lists again.")


def _row(row: dict[str, Any], shelf: "Shelf") -> StoredList:
    return StoredList(
        id=row["id"],
        key=shelf.key(row["framework"], row["edition"]),
        framework=row["framework"],
        edition=row["edition"],
        count=row["count"],
        takes_place=bool(row["takes_place"]),
        licence=row["licence"],
        origin=row["origin"],
        added=from_text(row["added"]),
    )
