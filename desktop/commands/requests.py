"""`countersign requests`: everything that this program ever asked of a network."""

import argparse
import json
from dataclasses import asdict

from core.egress_log import EgressEntry
from core.home import home
from core.storage.errors import StoreError
from core.storage.store import Store
from desktop.commands.errors import DONE, CommandError


def run_requests(arguments: argparse.Namespace) -> int:
    """List the requests, the latest first, and return the exit status."""
    if arguments.limit < 1:
        raise CommandError("--limit is at least 1.")
    try:
        with Store.open(home()) as store:
            entries = store.egress.entries()
    except StoreError as error:
        raise CommandError(str(error)) from error
    for entry in entries[: -arguments.limit - 1 : -1]:
        if arguments.json:
            found = asdict(entry) | {"started": entry.started.isoformat()}
            print(json.dumps(found, ensure_ascii=False))
        else:
            print(line(entry))
    if not entries and not arguments.json:
        print("Nothing was ever asked of a network.")
    return DONE


def line(entry: EgressEntry) -> str:
    """A request for a person: when, where, what for, what became of it, and how much went."""
    when = entry.started.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    status = f" {entry.status}" if entry.status is not None else ""
    outcome = entry.outcome.value.replace("_", " ")
    return (
        f"{when}  {entry.host or '—'}  {entry.purpose.words}  {outcome}{status}  "
        f"{entry.sent} bytes sent, {entry.received} received"
    )
