"""A person's own list, read from CSV or JSON.

CSV: a header with the columns `id` and, if wanted, `title`, `withdrawn` and `replaced_by`; the
framework and the edition are given beside it. JSON: an object with `framework`, `edition` and
`ids`, a list of objects with the same names; `licence` and `origin` if wanted.
"""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.citations.closed_lists.answer import ListInfo
from core.citations.closed_lists.closed_list import ClosedList
from core.citations.closed_lists.numbers import LONGEST, tidy

MOST_BYTES = 8 << 20
MOST_NUMBERS = 50_000
LONGEST_TITLE = 1000
LONGEST_NAME = 200
MOST_PROBLEMS = 20
"""Faults that are told at once; the others are counted."""

_COLUMNS = ("id", "title", "withdrawn", "replaced_by")
_TRUE = frozenset({"true", "yes", "1", "x"})
_FALSE = frozenset({"", "false", "no", "0"})


class OwnListError(ValueError):
    """A list cannot be taken. `problems` says which row is at fault, and what to do."""

    def __init__(self, problems: list[str], more: int = 0) -> None:
        """Take the faults that are told, and how many more there are."""
        rest = [f"{more} more rows are at fault."] if more else []
        self.problems = (*problems, *rest)
        super().__init__("The list was not added. " + " ".join(self.problems))


@dataclass(frozen=True, slots=True)
class OwnNumber:
    """One place of an own list."""

    number: str
    title: str = ""
    withdrawn: bool = False
    replaced_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnList:
    """A person's list, as it was given. `takes_place`: it stands in for a shipped one."""

    framework: str
    edition: str
    numbers: tuple[OwnNumber, ...]
    licence: str = ""
    origin: str = ""
    takes_place: bool = False

    def indexed(self, framework: str = "") -> ClosedList:
        """The list ready to be asked, under the name that its framework has elsewhere."""
        name = framework or self.framework
        return ClosedList(
            ListInfo(
                key=f"{name} {self.edition}".strip(),
                framework=name,
                edition=self.edition,
                licence=self.licence,
                origin=self.origin,
                beyond="Parts of what it lists without parts are not in it.",
                own=True,
            ),
            {row.number: row.title for row in self.numbers},
            {row.number: row.replaced_by for row in self.numbers if row.withdrawn},
        )


@dataclass(slots=True)
class _Problems:
    told: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, what: str) -> None:
        self.count += 1
        if len(self.told) < MOST_PROBLEMS:
            self.told.append(what)

    def raise_any(self) -> None:
        if self.count:
            raise OwnListError(self.told, self.count - len(self.told))


def read_csv(
    data: bytes, framework: str, edition: str, *, licence: str = "", origin: str = ""
) -> OwnList:
    """A list from a CSV file, in UTF-8, with commas, semicolons or tabs.

    Raises `OwnListError`.
    """
    text = _text(data)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[str, dict[str, Any]]] = []
    try:
        header = [cell.strip().casefold() for cell in next(reader, [])]
        _check_header(header)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            where = f"Row {reader.line_num}"
            if len(cells) > len(header):
                raise OwnListError(
                    [f"{where} has more cells than the header. Put quotes around a title that "
                     f"holds “{delimiter}”."]
                )  # fmt: skip
            rows.append((where, dict(zip(header, cells, strict=False))))
            _check_count(len(rows))
    except csv.Error as error:
        raise OwnListError(
            [f"Row {reader.line_num} is not CSV: its quotes do not match. Mend or remove them."]
        ) from error
    return _made(rows, framework, edition, licence, origin)


def read_json(data: bytes) -> OwnList:
    """A list from a JSON file. Raises `OwnListError`."""
    try:
        loaded = json.loads(_text(data))
    except RecursionError as error:
        raise OwnListError(["The file is nested too deeply to be a list."]) from error
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise OwnListError([f"The file is not JSON: see line {line}."]) from error
    if not isinstance(loaded, dict) or not isinstance(loaded.get("ids"), list):
        raise OwnListError(
            ["The file needs an object with “framework”, “edition” and the list “ids”."]
        )
    named = {}
    for name in ("framework", "edition", "licence", "origin"):
        value = loaded.get(name, "")
        if not isinstance(value, str):
            raise OwnListError([f"“{name}” is not a text. Put it in quotes."])
        named[name] = value
    _check_count(len(loaded["ids"]))
    rows = [(f"Entry {place}", row) for place, row in enumerate(loaded["ids"], start=1)]
    return _made(rows, **named)


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise OwnListError([f"The file has more than {MOST_BYTES >> 20} MB."])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OwnListError(
            [f"Row {line} is not in UTF-8. Save the file as “CSV UTF-8” or as JSON."]
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_header(header: list[str]) -> None:
    if "id" not in header:
        raise OwnListError(["Row 1 has no column “id”. Begin the file with a row “id,title”."])
    for name in header:
        if name not in _COLUMNS:
            raise OwnListError(
                [f"Row 1 has a column “{name[:40]}”, which is none of {', '.join(_COLUMNS)}."]
            )
        if header.count(name) > 1:
            raise OwnListError([f"Row 1 has the column “{name}” twice."])


def _check_count(count: int) -> None:
    if count > MOST_NUMBERS:
        raise OwnListError([f"The list has more than {MOST_NUMBERS} entries."])


def _made(
    rows: list[tuple[str, Any]], framework: str, edition: str, licence: str, origin: str
) -> OwnList:
    problems = _Problems()
    given = {
        name: _line(value, f"The {name}", LONGEST_NAME, problems)
        for name, value in (("framework", framework), ("edition", edition),
                            ("licence", licence), ("origin", origin))
    }  # fmt: skip
    if not given["framework"]:
        problems.add("The framework has no name. Give it the name that citations use.")
    if not rows:
        problems.add("There are no entries.")
    numbers: list[OwnNumber] = []
    seen: dict[str, str] = {}
    for where, row in rows:
        number = _number(where, row, problems)
        if number is None:
            continue
        if number.number in seen:
            problems.add(f"{where} has the id of {seen[number.number].lower()} again.")
            continue
        seen[number.number] = where
        numbers.append(number)
    for where, number in zip(seen.values(), numbers, strict=True):
        for other in number.replaced_by:
            if other not in seen:
                problems.add(f"{where} names a replacement that is not in the list.")
    problems.raise_any()
    return OwnList(
        given["framework"],
        given["edition"],
        tuple(numbers),
        licence=given["licence"],
        origin=given["origin"],
    )


def _number(where: str, row: Any, problems: _Problems) -> OwnNumber | None:
    if isinstance(row, str):
        row = {"id": row}
    if not isinstance(row, dict):
        problems.add(f"{where} is not an object with an “id”.")
        return None
    odd = next((name for name in row if name not in _COLUMNS), None)
    if odd is not None:
        problems.add(f"{where} has a field that is none of {', '.join(_COLUMNS)}.")
        return None
    before = problems.count
    number = tidy(_line(row.get("id", ""), f"{where}: the id", LONGEST, problems))
    if not number and problems.count == before:
        problems.add(f"{where} has no id.")
    title = _line(row.get("title", ""), f"{where}: the title", LONGEST_TITLE, problems)
    withdrawn = row.get("withdrawn", False)
    if isinstance(withdrawn, str):
        said = withdrawn.strip().casefold()
        withdrawn = True if said in _TRUE else False if said in _FALSE else None
    if not isinstance(withdrawn, bool):
        problems.add(f"{where}: “withdrawn” is neither true nor false.")
        return None
    instead = row.get("replaced_by", [])
    if isinstance(instead, str):
        instead = [part for part in re.split(r"[;,]", instead) if part.strip()]
    if not isinstance(instead, list) or not all(isinstance(part, str) for part in instead):
        problems.add(f"{where}: “replaced_by” is not a list of ids.")
        return None
    replaced_by = tuple(tidy(part) for part in instead)
    if replaced_by and not withdrawn:
        problems.add(f"{where} is replaced, but not marked as withdrawn.")
    if problems.count > before:
        return None
    return OwnNumber(number, title, withdrawn, replaced_by)


def _line(value: Any, what: str, longest: int, problems: _Problems) -> str:
    """A value as one line of text; a fault is told and an empty text returned."""
    faults: tuple[tuple[Callable[[str], bool], str], ...] = (
        (lambda text: len(text) > longest, f"{what} is longer than {longest} characters."),
        (
            lambda text: any(unicodedata.category(c) in ("Cc", "Cs", "Co") for c in text),
            f"{what} holds characters that cannot be shown.",
        ),
    )
    if value is None:
        return ""
    if not isinstance(value, str):
        problems.add(f"{what} is not a text. Put it in quotes.")
        return ""
    line = " ".join(unicodedata.normalize("NFC", value).split())
    for fault, message in faults:
        if fault(line):
            problems.add(message)
            return ""
    return line
