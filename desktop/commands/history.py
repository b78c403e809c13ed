"""`countersign history`: list what was checked, or check it again."""

import argparse
import json
import sys
from typing import Any

from core.claims.serial import to_json
from core.documents.errors import ReadingError
from core.storage.errors import StoreError
from core.storage.rows import CheckRecord, Workspace
from desktop.commands.check import describe
from desktop.commands.errors import DONE, MISSING, CommandError
from desktop.services import Services


def run_history(arguments: argparse.Namespace) -> int:
    """List or repeat as the arguments say, print, and return the exit status."""
    if arguments.limit < 1:
        raise CommandError("--limit is at least 1.")
    services = None
    try:
        services = Services.open()
        if arguments.repeat is not None:
            _repeat(services, arguments)
        else:
            _list(services, arguments)
    except (StoreError, ReadingError) as error:
        raise CommandError(str(error)) from error
    finally:
        if services is not None:
            services.close()
    return DONE


def _list(services: Services, arguments: argparse.Namespace) -> None:
    if arguments.workspace:
        named = services.store.workspaces.find(arguments.workspace)
        if named is None:
            raise CommandError(f"There is no workspace “{arguments.workspace}”.")
        workspaces = [named]
    else:
        workspaces = services.store.workspaces.all()
    found: list[tuple[Workspace, CheckRecord]] = []
    for workspace in workspaces:
        page = services.store.checks.page(
            workspace.id, limit=arguments.limit, search=arguments.search
        )
        found += [(workspace, record) for record in page]
    found.sort(key=lambda pair: pair[1].provenance.finished, reverse=True)
    if not found:
        print("countersign: no check found", file=sys.stderr)
    for workspace, record in found[: arguments.limit]:
        if arguments.json:
            print(json.dumps(_object(workspace, record), ensure_ascii=False))
        else:
            when = record.provenance.finished.astimezone().strftime("%Y-%m-%d %H:%M")
            print(
                f"{record.check_id:>6}  {when}  {record.result.verdict.words.upper():<14}  "
                f"{workspace.name}  {' '.join(record.claim.split())}"
            )


def _repeat(services: Services, arguments: argparse.Namespace) -> None:
    if services.model is not None and services.model.problem:
        raise CommandError(services.model.problem, MISSING)
    repeated = services.workspaces.repeat(arguments.repeat)
    if arguments.json:
        answer = {
            "id": repeated.record.check_id,
            **to_json(repeated.record.result),
            "same": repeated.same,
            "changes": list(repeated.changes),
        }
        print(json.dumps(answer, ensure_ascii=False))
        return
    print("The same verdict as before." if repeated.same else "The verdict has changed.")
    for change in repeated.changes:
        print(f"  · {change}")
    print(describe(repeated.record.result))


def _object(workspace: Workspace, record: CheckRecord) -> dict[str, Any]:
    return {
        "id": record.check_id,
        "verdict_id": record.verdict_id,
        "workspace": workspace.name,
        "claim": record.claim,
        "source": record.source_name,
        "source_sha256": record.source_sha256,
        "finished": record.provenance.finished.isoformat(),
        **to_json(record.result),
    }
