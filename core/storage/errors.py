"""Every way in which the store can fail, each with its message in the person's words.

No message holds text of a document or a claim.
"""


class StoreError(Exception):
    """The store could not do what was asked. `str(error)` says what happened and what to do."""


class StoreClosed(StoreError):
    """The store was used after it was closed."""


class StoreBusy(StoreError):
    """Another program held the database for longer than the store waits."""


class StoreDamaged(StoreError):
    """The database is not readable as one of ours."""


class StoreFull(StoreError):
    """The disk has no room."""


class StoreNewer(StoreError):
    """The database was written by a newer program; it was left untouched."""


class StoreUnwritable(StoreError):
    """The folder or the database may not be written."""


class StoreUnsupported(StoreError):
    """The SQLite library of this Python is too old."""


class NotFound(StoreError, LookupError):
    """There is no such workspace, document, check or verdict."""


class InvalidName(StoreError, ValueError):
    """A workspace cannot be called that."""


class NameTaken(InvalidName):
    """Another workspace has that name already."""


class ListTaken(StoreError, ValueError):
    """There is a list of this edition of this framework already, shipped or a person's own."""


class InvalidText(StoreError, ValueError):
    """A claim, pasted text or note is empty or holds characters that are no text."""


class CopyMissing(StoreError):
    """The kept copy of a document is gone."""


class CopyChanged(StoreError):
    """The kept copy of a document is no longer what was added."""


class SourceChanged(StoreError):
    """A file changed while it was being copied; nothing was kept."""
