"""Every way in which reading a file can fail, each with its message in the person's words."""


class ReadingError(Exception):
    """A file could not be read. `str(error)` says what happened and what to do.

    `code` is stable and travels between processes; it holds no document text.
    """

    code = "unreadable"


class EmptyFile(ReadingError):
    """The file has no bytes, or no text at all."""

    code = "empty_file"


class PasswordNeeded(ReadingError):
    """The file is encrypted and no password, or a wrong one, was given."""

    code = "password_needed"


class NoTextLayer(ReadingError):
    """The pages are pictures: there is no text to check against."""

    code = "no_text_layer"


class DamagedFile(ReadingError):
    """The file is cut short or its structure is broken."""

    code = "damaged_file"


class FileTooLarge(ReadingError):
    """The file, or what it unpacks to, is over the limit."""

    code = "file_too_large"


class UnknownFormat(ReadingError):
    """The content is none of the formats that the readers know."""

    code = "unknown_format"


class FileMissing(ReadingError):
    """There is no such file, or it may not be opened."""

    code = "file_missing"


class TimeLimit(ReadingError):
    """Reading took longer than its limit and was stopped."""

    code = "time_limit"


class MemoryLimit(ReadingError):
    """Reading needed more memory than its limit and was stopped."""

    code = "memory_limit"


class ReaderStopped(ReadingError):
    """The reader process ended without an answer."""

    code = "reader_stopped"


def by_code(code: str, message: str) -> ReadingError:
    """The error that `code` names, with its message, as it crosses from the reader process."""
    kinds = {kind.code: kind for kind in ReadingError.__subclasses__()}
    return kinds.get(code, ReadingError)(message)
