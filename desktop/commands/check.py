"""`countersign check`: one claim, or a file of them."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from core.claims.check import check
from core.claims.serial import to_json
from core.claims.verdict import CheckResult, Outcome, Verdict
from core.documents.errors import PasswordNeeded, ReadingError
from core.ports import EntailmentModel
from core.review.run import Missing, checked
from core.storage.errors import StoreError
from core.text.hygiene import clean, readable
from desktop.commands.batch import decode, opened
from desktop.commands.citation import CitedSources, with_source, without_source
from desktop.commands.errors import DONE, MISSING, CommandError
from desktop.commands.sources import BESIDE, Sources
from desktop.entailment import ModelInUse

NO_SOURCE = (
    "Give one source: a document (--source), a text (--source-text) or a citation (--citation)."
)
NO_PASSWORD = "Open it in the window, which asks for it, or save a copy without a password."


def run_check(arguments: argparse.Namespace) -> int:
    """Check as the arguments say, print, and return the exit status."""
    if arguments.document is not None:
        from desktop.commands.review import run_review

        return run_review(arguments)
    if arguments.report:
        raise CommandError("A report is made of a whole document; give it with --document.")
    if arguments.batch is not None:
        if arguments.source or arguments.source_text is not None or arguments.citation:
            raise CommandError("With --batch, each line names its own source.")
        if arguments.workspace is not None:
            raise CommandError("A batch is not kept in a workspace; leave --workspace out.")
    with open_model(arguments.model, without=arguments.no_model) as model:
        if arguments.batch is not None:
            return _batch(arguments, model.worker)
        result = _single(arguments, model)
    if arguments.json:
        print(json.dumps(to_json(result), ensure_ascii=False))
    else:
        print(describe(result, of_document=arguments.source_text is None))
    missing = result.gate == "citation" and result.verdict is Verdict.NOT_VERIFIABLE
    return MISSING if missing else DONE


def open_model(name: str | None = None, *, without: bool = False) -> ModelInUse:
    """The model that answers: `name`, the one in use, or none. Raises `CommandError`."""
    from models.entailment.errors import ModelRefused

    if without:
        return ModelInUse()
    try:
        model = ModelInUse.open(name=name)
    except ModelRefused as error:
        raise CommandError(str(error), MISSING) from error
    if model.problem:
        raise CommandError(f"{model.problem} Or check without a model: --no-model.", MISSING)
    return model


def _single(arguments: argparse.Namespace, model: ModelInUse) -> CheckResult:
    if arguments.workspace is not None:
        return _recorded(arguments, model)
    row = {
        "claim": arguments.claim,
        "source": arguments.source,
        "source_text": arguments.source_text,
        "citation": arguments.citation,
    }
    given = {name: value for name, value in row.items() if value is not None}
    folder = sources_folder(arguments)
    with Sources() as sources, CitedSources(sources, folder, look_up=arguments.look_up) as cited:
        try:
            return check_row(given, sources, model.worker, cited)
        except PasswordNeeded as error:
            raise CommandError(f"{error} {NO_PASSWORD}") from error
        except (ReadingError, StoreError, ValueError) as error:
            raise CommandError(str(error)) from error


def sources_folder(arguments: argparse.Namespace) -> Path | None:
    """The folder of `--sources`, if it is given. Raises `CommandError` where there is none."""
    if not arguments.sources:
        return None
    folder = Path(arguments.sources)
    if not folder.is_dir():
        raise CommandError(f"There is no folder “{arguments.sources}”.")
    return folder


def check_row(
    row: dict[str, Any],
    sources: Sources,
    model: EntailmentModel | None = None,
    cited: CitedSources | None = None,
) -> CheckResult:
    """The check that a row asks for: "claim" and one of "source_text", "source", "citation".

    `cited` finds the sources of citations. Raises `ValueError` where the row is at fault,
    `ReadingError` where its source cannot be read, `CommandError` where it is missing, and
    `StoreError`.
    """
    claim = row.get("claim")
    if claim is None:
        raise ValueError("There is no claim: write the sentence to check.")
    if not isinstance(claim, str) or not claim.strip():
        raise ValueError("The claim is empty: write the sentence to check.")
    given = [name for name in ("source_text", "source", "citation") if row.get(name) is not None]
    if not given:
        raise ValueError(NO_SOURCE)
    if len(given) > 1:
        raise ValueError(f"{len(given)} sources are given; give one.")
    value = row[given[0]]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"The {given[0].replace('_', ' ')} is empty.")
    if given[0] == "citation":
        found = (cited or CitedSources(sources, None, look_up=False)).written(value)
        if isinstance(found, Missing):
            return without_source(found.why)
        return with_source(checked(claim, found, partial(check, model=model)), found)
    source = sources.text(value) if given[0] == "source_text" else sources.file(value)
    return check(claim, source, model=model)


def _batch(arguments: argparse.Namespace, model: EntailmentModel | None) -> int:
    """Check each line; a line at fault gives an error object, and the rest goes on."""
    folders: list[Path] = [Path.cwd()]
    if arguments.batch != "-":
        folders = [(Path(arguments.batch).resolve().parent / beside).resolve() for beside in BESIDE]
    folder = sources_folder(arguments)
    if folder is not None:
        folders.insert(0, folder)
    with (
        opened(arguments.batch) as lines,
        Sources(tuple(folders)) as sources,
        CitedSources(sources, folder, look_up=arguments.look_up) as cited,
    ):
        show = sys.stderr.isatty()
        for number, line in enumerate(lines, start=1):
            answer = _answer(line, number, sources, model, cited)
            if arguments.json:
                print(json.dumps(answer, ensure_ascii=False), flush=True)
            else:
                print(
                    f"{answer['id']}\t{answer.get('verdict', 'error')}\t"
                    f"{answer.get('reason', answer.get('error'))}",
                    flush=True,
                )
            if show:
                print(f"\r{number} checked", end="", file=sys.stderr, flush=True)
        if show:
            print(file=sys.stderr)
    return DONE


def _answer(
    line: str,
    number: int,
    sources: Sources,
    model: EntailmentModel | None,
    cited: CitedSources,
) -> dict[str, Any]:
    ident: Any = f"n{number - 1}"
    try:
        row = decode(line)
        ident = row.get("id", ident)
        return {"id": ident, **to_json(check_row(row, sources, model, cited))}
    except (CommandError, ReadingError, StoreError, ValueError) as error:
        return {"id": ident, "error": str(error)}


def _recorded(arguments: argparse.Namespace, model: ModelInUse) -> CheckResult:
    """Check within a workspace, so that the history keeps it."""
    from desktop.services import Services

    if arguments.citation:
        raise CommandError(
            "A citation is not looked up within a workspace: give its document with --source, or "
            "leave --workspace out."
        )
    if not arguments.source and not arguments.source_text:
        raise CommandError(NO_SOURCE)
    services = None
    try:
        services = Services.open(model=model)
        store = services.store
        workspace = store.workspaces.find(arguments.workspace)
        workspace = workspace or store.workspaces.create(arguments.workspace)
        source: Any = arguments.source_text
        if arguments.source:
            path = Sources().find(arguments.source)
            source = services.workspaces.add_document(workspace.id, path).document
        return services.workspaces.check(workspace.id, arguments.claim, source).result
    except PasswordNeeded as error:
        raise CommandError(f"{error} {NO_PASSWORD}") from error
    except (StoreError, ReadingError, ValueError) as error:
        raise CommandError(str(error)) from error
    finally:
        if services is not None:
            services.close()


def describe(result: CheckResult, *, of_document: bool = True) -> str:
    """The result for a person to read in a terminal; pasted text has no scope to name."""
    from core.documents.model import TextScope

    scope = "Full text" if result.scope.text is TextScope.FULL_TEXT else "Abstract only"
    notices = "".join(f" · {n.kind.value.replace('_', ' ')}" for n in result.scope.notices)
    lines = [f"{result.verdict.words.upper()}  {result.reason}"]
    if of_document:
        lines.append(f"  {scope}{notices}")
    for evidence in result.evidence:
        page = f"page {evidence.page}: " if evidence.page else ""
        lines.append(f"  {page}“{readable(clean(evidence.text).text)}”")
    marks = {
        Outcome.PASSED: "✓",
        Outcome.DECIDED: "✓",
        Outcome.ABSTAINED: "–",
        Outcome.REFUSED: "✕",
    }
    lines += [f"  {marks[entry.outcome]} {entry.gate}: {entry.note}" for entry in result.trace]
    return "\n".join(lines)
