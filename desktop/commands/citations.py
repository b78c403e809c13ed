"""`countersign citations`: what a text, a document or a file of texts cites."""

import argparse
import json
from typing import Any

from core.citations.read import Reading, read_frameworks
from core.documents.errors import PasswordNeeded, ReadingError
from desktop.commands.batch import decode, opened
from desktop.commands.check import NO_PASSWORD
from desktop.commands.errors import DONE, CommandError
from desktop.commands.sources import Sources


def run_citations(arguments: argparse.Namespace) -> int:
    """Read as the arguments say, print, and return the exit status."""
    if arguments.batch is not None:
        if arguments.framework is not None:
            raise CommandError("With --batch, each line names its own framework.")
        return _batch(arguments)
    text, where = arguments.text, None
    if text is None:
        text, where = _document(arguments.document)
    if not text.strip():
        raise CommandError("The text is empty: give the text that holds the citations.")
    reading = read_frameworks(text, arguments.framework)
    if arguments.json:
        print(json.dumps(to_json(reading, text, where), ensure_ascii=False))
    else:
        print(describe(reading, text, where))
    return DONE


def to_json(reading: Reading, text: str, where: Any = None) -> dict[str, Any]:
    """The citations of one text: each with its parts, its place and the words it was read from."""
    shown = [
        {
            **citation.model_dump(),
            "quote": text[citation.start : citation.end],
            **({"page": where.page_of(citation.start)} if where is not None else {}),
        }
        for citation in reading.citations
    ]
    return {
        "citations": list(reading.canonical),
        "found": shown,
        "notes": list(reading.notes),
    }


def describe(reading: Reading, text: str, where: Any = None) -> str:
    """The citations for a person to read in a terminal, one a line, each once."""
    lines = []
    seen: set[str] = set()
    for citation in reading.citations:
        if citation.canonical in seen:
            continue
        seen.add(citation.canonical)
        quote = " ".join(text[citation.start : citation.end].split())
        page = where.page_of(citation.start) if where is not None else None
        place = f"page {page}: " if page else ""
        lines.append(f"{citation.canonical}\t{place}“{quote}”")
    lines = lines or ["No citation of a framework, a standard or a law was found."]
    return "\n".join([*lines, *reading.notes])


def _document(name: str) -> tuple[str, Any]:
    """The text of the document `name`, and the document, which knows the pages."""
    with Sources() as sources:
        try:
            document = sources.file(name).document
        except PasswordNeeded as error:
            raise CommandError(f"{error} {NO_PASSWORD}") from error
        except ReadingError as error:
            raise CommandError(str(error)) from error
    return document.text, document


def _batch(arguments: argparse.Namespace) -> int:
    """Read each line; a line at fault gives an error object, and the rest goes on."""
    with opened(arguments.batch) as lines:
        for number, line in enumerate(lines, start=1):
            answer = _answer(line, number)
            if arguments.json:
                print(json.dumps(answer, ensure_ascii=False), flush=True)
            else:
                found = "; ".join(answer.get("citations", ())) or "–"
                print(f"{answer['id']}\t{answer.get('error', found)}", flush=True)
    return DONE


def _answer(line: str, number: int) -> dict[str, Any]:
    ident: Any = f"n{number - 1}"
    try:
        row = decode(line)
        ident = row.get("id", ident)
        text, framework = row.get("text"), row.get("framework")
        if not isinstance(text, str):
            raise ValueError("There is no text: give the text that holds the citations.")
        if framework is not None and not isinstance(framework, str):
            raise ValueError("The framework is not a text: give its name.")
        reading = read_frameworks(text, framework)
    except ValueError as error:
        return {"id": ident, "error": str(error)}
    notes = {"notes": list(reading.notes)} if reading.notes else {}
    return {"id": ident, "citations": list(reading.canonical), **notes}
