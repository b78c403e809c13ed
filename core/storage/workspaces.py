"""Workspaces: named places for documents and checks."""

import unicodedata
from typing import Any

from core.ports import Clock
from core.storage.database import Database
from core.storage.errors import InvalidName, NameTaken, NotFound
from core.storage.rows import Workspace
from core.storage.times import from_text, to_text

LONGEST_NAME = 200
"""In characters."""


class WorkspaceRepository:
    """The workspaces of a store. Every method may be called from any thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        """Use an open database; `clock` gives the times that are recorded."""
        self._database = database
        self._clock = clock

    def create(self, name: str, *, confidential: bool = False) -> Workspace:
        """Make a workspace. Raises `NameTaken` and `InvalidName`; both are ValueErrors.

        Names are compared without regard to case, width and surrounding space.
        """
        shown = _shown(name)
        created = to_text(self._clock.now())

        def work(db: Any) -> int:
            _require_free(db, shown)
            cursor = db.execute(
                "INSERT INTO workspaces (name, name_key, confidential, created) "
                "VALUES (?, ?, ?, ?)",
                (shown, _key(shown), int(confidential), created),
            )
            return int(cursor.lastrowid)

        return self.get(self._database.write(work))

    def all(self) -> list[Workspace]:
        """Every workspace, by name."""
        return [_row(r) for r in self._database.rows("SELECT * FROM workspaces ORDER BY name_key")]

    def get(self, workspace_id: int) -> Workspace:
        """The workspace with this id. Raises `NotFound`."""
        found = self._database.row("SELECT * FROM workspaces WHERE id = ?", (workspace_id,))
        if found is None:
            raise _not_found()
        return _row(found)

    def find(self, name: str) -> Workspace | None:
        """The workspace of that name, compared as `create` compares; None when there is none."""
        key = _key(" ".join(name.split()))
        found = self._database.row("SELECT * FROM workspaces WHERE name_key = ?", (key,))
        return None if found is None else _row(found)

    def rename(self, workspace_id: int, name: str) -> Workspace:
        """Give a workspace another name. Raises `NotFound`, `NameTaken` and `InvalidName`."""
        shown = _shown(name)

        def work(db: Any) -> None:
            _require_free(db, shown, besides=workspace_id)
            cursor = db.execute(
                "UPDATE workspaces SET name = ?, name_key = ? WHERE id = ?",
                (shown, _key(shown), workspace_id),
            )
            if cursor.rowcount != 1:
                raise _not_found()

        self._database.write(work)
        return self.get(workspace_id)


def _require_free(db: Any, shown: str, besides: int = 0) -> None:
    taken = db.execute(
        "SELECT 1 FROM workspaces WHERE name_key = ? AND id <> ?", (_key(shown), besides)
    ).fetchone()
    if taken:
        raise NameTaken(f"There is a workspace called “{shown}” already. Choose another name.")


def _shown(name: str) -> str:
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not shown:
        raise InvalidName("A workspace needs a name.")
    if len(shown) > LONGEST_NAME:
        raise InvalidName(f"The name is longer than {LONGEST_NAME} characters. Shorten it.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in shown):
        raise InvalidName("The name holds characters that cannot be shown. Type it anew.")
    return shown


def _key(shown: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())


def _not_found() -> NotFound:
    return NotFound("This workspace does not exist. Open the list of workspaces again.")


def _row(row: dict[str, Any]) -> Workspace:
    return Workspace(row["id"], row["name"], bool(row["confidential"]), from_text(row["created"]))
