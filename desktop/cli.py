"""The command line: everything that the window does without a mouse, for scripts and measuring.

What an exit status means stands in `desktop.commands.errors`.
"""

import argparse
import sys
from collections.abc import Sequence

from desktop.commands.errors import DONE, STOPPED, CommandError


def parser() -> argparse.ArgumentParser:
    """The grammar of the command line."""
    root = argparse.ArgumentParser(
        prog="countersign",
        description="Check whether a cited source says what a claim says. Without a command, "
        "open the window.",
    )
    root.add_argument(
        "--smoke", action="store_true", help="open the window, wait until it is usable, exit"
    )
    root.add_argument("--sample", action="store_true", help="open the window on the sample")
    root.add_argument("--version", action="store_true", help="print the version and exit")
    commands = root.add_subparsers(dest="command", metavar="COMMAND")

    check = commands.add_parser(
        "check",
        help="check a claim, or a file of claims, against sources",
        description="Check a claim against a source: supported, contradicted or not verifiable.",
    )
    what = check.add_mutually_exclusive_group(required=True)
    what.add_argument("--claim", metavar="TEXT", help="the sentence to check")
    what.add_argument(
        "--batch",
        metavar="FILE",
        help='JSON lines: {"id", "claim", and one of "source_text", "source", "citation"}; '
        '"-" reads standard input',
    )
    source = check.add_mutually_exclusive_group()
    source.add_argument("--source", metavar="FILE", help="the document to check against")
    source.add_argument("--source-text", metavar="TEXT", help="the text to check against")
    source.add_argument("--citation", metavar="TEXT", help="the citation to check against")
    check.add_argument(
        "--sources",
        metavar="DIR",
        help="with --batch: where sources that are named without a folder lie",
    )
    check.add_argument(
        "--workspace",
        metavar="NAME",
        help="keep the check in this workspace's history (made if it does not exist)",
    )
    check.add_argument("--json", action="store_true", help="print one JSON object a line")

    history = commands.add_parser(
        "history",
        help="list a workspace's checks, or run one again",
        description="List the checks of a workspace, newest first, or run one of them again.",
    )
    history.add_argument("--workspace", metavar="NAME", help="only this workspace")
    history.add_argument("--search", metavar="WORDS", help="only claims that hold these words")
    history.add_argument("--limit", type=int, default=20, metavar="N", help="at most N checks (20)")
    history.add_argument("--repeat", type=int, metavar="ID", help="run this check again")
    history.add_argument("--json", action="store_true", help="print one JSON object a line")
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if arguments.version:
        from core.version import app_version

        print(f"countersign {app_version()}")
        return DONE
    try:
        match arguments.command:
            case "check":
                from desktop.commands.check import run_check

                return run_check(arguments)
            case "history":
                from desktop.commands.history import run_history

                return run_history(arguments)
            case _:
                from desktop.app import main as open_window

                flags = [f"--{name}" for name in ("smoke", "sample") if getattr(arguments, name)]
                return open_window(flags)
    except CommandError as error:
        print(f"countersign: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("countersign: stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # The reader of our output went away, as `head` does; nothing is at fault.
        sys.stderr.close()
        return DONE


if __name__ == "__main__":
    sys.exit(main())
