"""Files of JSON lines, as the commands that take a batch read them."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop.commands.errors import BAD_INPUT, CommandError


@contextmanager
def opened(name: str) -> Iterator[Iterator[str]]:
    """The lines of the file `name`, or of standard input for "-", without the empty ones.

    Raises `CommandError` where there is no such file, or when it ends without a line.
    """
    if name == "-":
        yield _counted(sys.stdin)
        return
    path = Path(name)
    try:
        file = path.open(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise CommandError(f"The batch file “{path}” cannot be opened: {cause(error)}.") from error
    with file:
        yield _counted(file)


def _counted(lines: Iterator[str]) -> Iterator[str]:
    empty = True
    for line in lines:
        if line.strip():
            empty = False
            yield line
    if empty:
        raise CommandError("The batch holds no lines.", BAD_INPUT)


def decode(line: str) -> dict[str, Any]:
    """The JSON object in the line. Raises `ValueError` with a sentence for the person."""
    try:
        row = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError("The line is not JSON that can be read.") from error
    if not isinstance(row, dict):
        raise ValueError("The line is not a JSON object.")
    return row


def _refuse(constant: str) -> None:
    """JSON has no NaN and no Infinity, though Python's decoder takes them."""
    raise ValueError(constant)


def cause(error: OSError) -> str:
    """Why the system refused, in words: no such file, a folder, no permission."""
    return (error.strerror or "the system refuses it").lower()
