"""`countersign check --document`: every citation of a document against its source."""

import argparse
import hashlib
import json
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from core.claims.check import check
from core.claims.version import contract_version
from core.clock import SystemClock
from core.documents.errors import PasswordNeeded, ReadingError
from core.documents.version import reader_version
from core.home import home
from core.ports import Progress
from core.review.citing import citing
from core.review.model import Outcome, Review, Row
from core.review.report_docx import write_docx
from core.review.report_html import html
from core.review.run import review
from core.review.serial import to_json
from core.storage.errors import StoreError
from core.storage.reviews import review_key
from core.storage.store import Store
from core.version import app_version, digest_of
from desktop.commands.batch import cause
from desktop.commands.check import NO_PASSWORD, open_model, sources_folder
from desktop.commands.citation import CitedSources
from desktop.commands.errors import BAD_INPUT, DONE, CommandError
from desktop.commands.sources import Sources
from desktop.entailment import ModelInUse

_REPORTS = (".html", ".htm", ".docx")


def run_review(arguments: argparse.Namespace) -> int:
    """Review as the arguments say, print each row as it is done, and return the exit status."""
    if arguments.source or arguments.source_text is not None or arguments.citation:
        raise CommandError("With --document, its own citations name the sources.")
    if arguments.workspace is not None:
        raise CommandError("A review is not kept in a workspace; leave --workspace out.")
    reports = [Path(name) for name in arguments.report]
    for report in reports:
        if report.suffix.lower() not in _REPORTS:
            raise CommandError(f"A report is an .html or a .docx file, and “{report}” is neither.")
        if not report.absolute().parent.is_dir():
            raise CommandError(f"There is no folder “{report.parent}” for the report.")
    folder = sources_folder(arguments)
    with ExitStack() as stack:
        model = stack.enter_context(open_model(arguments.model, without=arguments.no_model))
        sources = stack.enter_context(Sources())
        try:
            store = stack.enter_context(Store.open(home()))
            path = sources.find(arguments.document)
            cited = stack.enter_context(
                CitedSources(sources, folder, look_up=arguments.look_up, leave_out=path)
            )
            made = _reviewed(arguments, path, sources, cited, store, model, folder)
        except PasswordNeeded as error:
            raise CommandError(f"{error} {NO_PASSWORD}") from error
        except (ReadingError, StoreError, ValueError) as error:
            raise CommandError(str(error)) from error
    for name in cited.unreadable:
        print(f"countersign: not read: {name}", file=sys.stderr)
    for report in reports:
        _write(made, report)
    print(summary(made), file=sys.stderr)
    return DONE


def _reviewed(
    arguments: argparse.Namespace,
    path: Path,
    sources: Sources,
    cited: CitedSources,
    store: Store,
    model: ModelInUse,
    folder: Path | None,
) -> Review:
    document = sources.file(str(path)).document
    reading = citing(document, arguments.framework)
    if not reading.citations:
        raise CommandError(
            "No citation was found in this document, so nothing was checked. If it has some, say "
            "in which form they are written.",
            BAD_INPUT,
        )
    worker = model.worker

    sha256 = _sha256(path)
    journal = store.journal(
        review_key(
            [
                sha256,
                arguments.framework or "",
                "" if worker is None else worker.sha256,
                "" if worker is None else repr(worker.calibration),
                contract_version(),
                reader_version(),
                app_version(),
                digest_of("core/citations", "core/review", "core/scholarly"),
                *_folder_state(folder),
            ]
        ),
        str(path.resolve()),
    )
    # What registries say may change: their answers are kept, with an age, where they were given.
    kept = None if arguments.look_up else journal
    rows: list[Row] = []
    for row in review(reading, cited, partial(check, model=worker), kept, progress=_progress()):
        rows.append(row)
        text = json.dumps(to_json(row), ensure_ascii=False) if arguments.json else line(row)
        print(text, flush=True)
    return Review(
        document=path.name,
        sha256=sha256,
        rows=tuple(rows),
        finished=SystemClock().now(),
        app_version=app_version(),
        model="" if worker is None else worker.name,
        without_citation=reading.without,
    )


def line(row: Row) -> str:
    """The row for a person to read in a terminal."""
    said = row.verdict.words if row.outcome is Outcome.CHECKED else row.outcome.words
    sentence = " ".join(row.cited.sentence.split())
    source = f" [{row.source}]" if row.source else ""
    return f"{row.cited.number}. {said.upper()}{source}  {sentence}\n   {row.why}"


def summary(made: Review) -> str:
    """How it came out, in one sentence."""
    counts = ", ".join(f"{n} {verdict.words.lower()}" for verdict, n in made.counts().items())
    unchecked = sum(row.outcome is not Outcome.CHECKED for row in made.rows)
    return (
        f"{len(made.rows)} citations: {counts}, {unchecked} without a source to check against. "
        f"{made.without_citation} sentences cite nothing and were not looked at."
    )


def _write(made: Review, path: Path) -> None:
    try:
        if path.suffix.lower() == ".docx":
            write_docx(made, path)
        else:
            path.write_text(html(made), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"The report “{path}” cannot be written: {cause(error)}.") from error


def _progress() -> Progress | None:
    """Shows counts where a person watches."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int, what: str) -> None:
        end = "\n" if done == total else ""
        print(f"\r{what}: {done} of {total}", end=end, file=sys.stderr, flush=True)

    return show


def _folder_state(folder: Path | None) -> list[str]:
    """What tells whether the sources are still those of the run before."""
    if folder is None:
        return []
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [f"{path.relative_to(folder)}:{_sha256(path)}" for path in files]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
