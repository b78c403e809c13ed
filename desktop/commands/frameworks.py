"""`countersign frameworks`: the closed lists, and whether a citation stands in them."""

import argparse
import json
from pathlib import Path
from typing import Any

from core.citations.closed_lists.answer import not_read
from core.citations.closed_lists.own import OwnListError, read_csv, read_json
from core.citations.read import read_frameworks
from core.citations.unread import unread
from core.home import home
from core.storage.errors import ListTaken, StoreError
from core.storage.rows import Workspace
from core.storage.store import Store
from desktop.commands.batch import cause
from desktop.commands.errors import DONE, MISSING, CommandError


def run_frameworks(arguments: argparse.Namespace) -> int:
    """Do as the arguments say, print, and return the exit status."""
    try:
        with Store.open(home()) as store:
            match arguments.action:
                case "list":
                    return _list(store, arguments)
                case "check":
                    return _check(store, arguments)
                case "add":
                    return _add(store, arguments)
                case "remove":
                    return _remove(store, arguments)
                case _:
                    return _choose(store, arguments)
    except StoreError as error:
        raise CommandError(str(error)) from error


def _list(store: Store, arguments: argparse.Namespace) -> int:
    workspace = _workspace(store, arguments.workspace)
    chosen = None if workspace is None else store.frameworks.chosen(workspace.id)
    for info in store.frameworks.closed_lists().lists():
        used = chosen is None or info.key in chosen
        if arguments.json:
            _print(info.model_dump() | {"chosen": used})
        else:
            own = " (yours)" if info.own else ""
            print(f"{'✓' if used else ' '} {info.key}{own}\n    {info.licence}")
    return DONE


def _check(store: Store, arguments: argparse.Namespace) -> int:
    workspace = _workspace(store, arguments.workspace)
    lists = store.frameworks.closed_lists(None if workspace is None else workspace.id)
    found = read_frameworks(arguments.text, arguments.framework).citations
    if not found:
        raise CommandError("No citation of a framework, a standard or a law is in this text.")
    for citation in found:
        answer = lists.check(citation, arguments.text[citation.start : citation.end])
        if left := unread(arguments.text, citation):
            answer = not_read(citation, left)
        if arguments.json:
            _print(answer.model_dump(mode="json"))
        else:
            print(f"{answer.standing.value.replace('_', ' ').upper()}  {answer.sentence}")
    return DONE


def _add(store: Store, arguments: argparse.Namespace) -> int:
    path = Path(arguments.file)
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise CommandError(f"There is no file “{path}”.", MISSING) from error
    except OSError as error:
        raise CommandError(f"“{path}” cannot be opened: {cause(error)}.") from error
    try:
        if path.suffix.lower() == ".json":
            own = read_json(data)
        else:
            if not arguments.name:
                raise CommandError("A CSV file does not name its framework; give it with --name.")
            own = read_csv(data, arguments.name, arguments.edition or "")
        added = store.frameworks.add(
            own, instead_of_shipped=arguments.instead, replace=arguments.replace
        )
    except (OwnListError, ListTaken) as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        _print({"key": added.key, "count": added.count, "instead": added.takes_place})
    else:
        print(f"{added.key}: {added.count} places were added.")
    return DONE


def _remove(store: Store, arguments: argparse.Namespace) -> int:
    for own in store.frameworks.all():
        if own.key == arguments.key:
            store.frameworks.remove(own.id)
            if arguments.json:
                _print({"key": own.key, "removed": True})
            else:
                print(f"{own.key} was removed.")
            return DONE
    raise CommandError(f"You have added no list called “{arguments.key}”.", MISSING)


def _choose(store: Store, arguments: argparse.Namespace) -> int:
    workspace = _workspace(store, arguments.workspace)
    assert workspace is not None
    store.frameworks.choose(workspace.id, arguments.keys or None)
    chosen = store.frameworks.chosen(workspace.id)
    if arguments.json:
        _print({"workspace": workspace.name, "chosen": sorted(chosen) if chosen else None})
    else:
        print(f"“{workspace.name}” works with {', '.join(sorted(chosen)) if chosen else 'all'}.")
    return DONE


def _workspace(store: Store, name: str | None) -> Workspace | None:
    if name is None:
        return None
    found = store.workspaces.find(name)
    if found is None:
        raise CommandError(f"There is no workspace “{name}”.")
    return found


def _print(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, ensure_ascii=False))
