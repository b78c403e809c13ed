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
    what.add_argument(
        "--document",
        metavar="DRAFT",
        help="a document of which every citation is checked against the sentence that has it",
    )
    source = check.add_mutually_exclusive_group()
    source.add_argument("--source", metavar="FILE", help="the document to check against")
    source.add_argument("--source-text", metavar="TEXT", help="the text to check against")
    source.add_argument("--citation", metavar="TEXT", help="the citation to check against")
    check.add_argument(
        "--sources",
        metavar="DIR",
        help="with --batch: where sources that are named without a folder lie; with --citation and "
        "--document: the works among which a cited one is looked for first",
    )
    check.add_argument(
        "--look-up",
        action="store_true",
        help="ask the scholarly registries over the network for cited works that are not at hand; "
        "only what a citation itself says is sent",
    )
    check.add_argument(
        "--framework",
        metavar="NAME",
        help="with --document: the framework that bare clause numbers in it are of",
    )
    check.add_argument(
        "--report",
        metavar="FILE",
        action="append",
        default=[],
        help="with --document: also write a report, as .html or .docx; may be given twice",
    )
    check.add_argument(
        "--workspace",
        metavar="NAME",
        help="keep the check in this workspace's history (made if it does not exist)",
    )
    model = check.add_mutually_exclusive_group()
    model.add_argument("--model", metavar="NAME", help="ask this entailment model")
    model.add_argument(
        "--no-model", action="store_true", help="ask no entailment model: only near-verbatim counts"
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

    requests = commands.add_parser(
        "requests",
        help="list what was asked of a network",
        description="List every request that this program sent, the latest first: when, to which "
        "host, what for, and how many bytes.",
    )
    requests.add_argument("--limit", type=int, default=50, metavar="N", help="at most N (50)")
    requests.add_argument("--json", action="store_true", help="print one JSON object a line")

    _add_citations(commands)
    _add_frameworks(commands)
    _add_models(commands)
    return root


def _add_frameworks(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    frameworks = commands.add_parser(
        "frameworks",
        help="check citations against the closed lists of frameworks and laws",
        description="Say whether a framework, a standard or a law has the place that is cited; "
        "add lists of your own, and choose which a workspace works with.",
    )
    actions = frameworks.add_subparsers(dest="action", metavar="ACTION", required=True)
    within = argparse.ArgumentParser(add_help=False)
    within.add_argument("--workspace", metavar="NAME", help="as this workspace has chosen")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="print one JSON object a line")
    both = [within, shared]
    actions.add_parser("list", parents=both, help="list the lists, with their licences")
    check = actions.add_parser("check", parents=both, help="check the citations in a text")
    check.add_argument("text", metavar="TEXT")
    check.add_argument("--framework", metavar="NAME", help="of which bare clause numbers are")
    add = actions.add_parser("add", parents=[shared], help="add a list from a CSV or JSON file")
    add.add_argument("file", metavar="FILE", help='CSV with "id,title", or JSON')
    add.add_argument("--name", metavar="NAME", help="the framework, which a CSV does not name")
    add.add_argument("--edition", metavar="EDITION", help="its edition, if it has several")
    add.add_argument("--instead", action="store_true", help="use it instead of a shipped list")
    add.add_argument("--replace", action="store_true", help="replace an own list of this name")
    remove = actions.add_parser("remove", parents=[shared], help="remove a list that you added")
    remove.add_argument("key", metavar="KEY")
    choose = actions.add_parser("choose", parents=[shared], help="choose a workspace's lists")
    choose.add_argument("--workspace", metavar="NAME", required=True)
    choose.add_argument("keys", metavar="KEY", nargs="*", help="none: all of them")


def _add_citations(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    citations = commands.add_parser(
        "citations",
        help="list what a text cites: frameworks, standards and laws",
        description="List the frameworks, standards and laws that a text cites, each place of "
        "them in its canonical form.",
    )
    what = citations.add_mutually_exclusive_group(required=True)
    what.add_argument("--text", metavar="TEXT", help="the text to read")
    what.add_argument("--document", metavar="FILE", help="the document to read")
    what.add_argument(
        "--batch",
        metavar="FILE",
        help='JSON lines: {"id", "text", and "framework" where the text leaves it out}; '
        '"-" reads standard input',
    )
    citations.add_argument(
        "--framework",
        metavar="NAME",
        help='what a place is of where the text names nothing, such as "GDPR"',
    )
    citations.add_argument("--json", action="store_true", help="print one JSON object a line")


def _add_models(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    models = commands.add_parser(
        "models",
        help="list, add, verify, calibrate and remove entailment models",
        description="Entailment models: they judge what a source says in other words.",
    )
    actions = models.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, what: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=what, description=f"{what.capitalize()}.")
        made.add_argument("--json", action="store_true", help="print one JSON object a line")
        return made

    action("list", "list the installed models")
    add = action("add", "take in a checkpoint from a Hugging Face style folder")
    add.add_argument("folder", metavar="DIR", help="config.json, safetensors and a tokenizer")
    add.add_argument("--name", help="what to call it (the folder's name)")
    add.add_argument(
        "--quantization",
        choices=("int8", "int8_float32", "float16", "float32"),
        default="int8",
        help="how the weights are stored (int8)",
    )
    add.add_argument("--adapter", metavar="DIR", help="a low-rank adapter and head to fold in")
    add.add_argument(
        "--labels",
        metavar="NAMES",
        help="what the outputs mean, in their order, such as entailment,neutral,contradiction; "
        "only for a model whose own names do not say it",
    )
    add.add_argument(
        "--prompt",
        metavar="TEXT",
        help="how premise and hypothesis make one text, for a model that does not take a pair: "
        '"{premise}</s>{hypothesis}" for MiniCheck-RoBERTa',
    )
    add.add_argument("--sha256", metavar="HASH", help="the hash that the weights must have")
    own = action("own", "make the program's own model, or bring it up to date")
    base = own.add_mutually_exclusive_group()
    base.add_argument("--weights", metavar="FILE", help="model.safetensors of all-mpnet-base-v2")
    base.add_argument("--download", action="store_true", help="load that file from the model hub")
    action("remove", "remove a model").add_argument("name", metavar="NAME")
    action("use", "let a model answer checks").add_argument("name", metavar="NAME")
    verify = action("verify", "compare a model's files with their hashes")
    verify.add_argument("name", metavar="NAME", nargs="?", help="only this model")
    calibrate = action("calibrate", "measure a model and set its thresholds")
    calibrate.add_argument("name", metavar="NAME")
    calibrate.add_argument(
        "--pairs",
        metavar="FILE",
        required=True,
        help='JSON lines, .gz or not: {"claim", "source_text" or "source", "verdict"} or '
        '{"premise", "hypothesis", "label"}; none that the model was trained on',
    )
    calibrate.add_argument(
        "--sources", metavar="DIR", help="where sources that are named without a folder lie"
    )
    calibrate.add_argument(
        "--target",
        type=float,
        default=0.01,
        metavar="RATE",
        help="the false-support rate that must be shown, 0.01 at most (0.01)",
    )
    thresholds = action("thresholds", "raise a model's thresholds above what it earned")
    thresholds.add_argument("name", metavar="NAME")
    thresholds.add_argument("--supported", type=float, metavar="P", help="for supported, up to 1")
    thresholds.add_argument(
        "--contradicted", type=float, metavar="P", help="for contradicted, up to 1"
    )


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
            case "citations":
                from desktop.commands.citations import run_citations

                return run_citations(arguments)
            case "frameworks":
                from desktop.commands.frameworks import run_frameworks

                return run_frameworks(arguments)
            case "history":
                from desktop.commands.history import run_history

                return run_history(arguments)
            case "requests":
                from desktop.commands.requests import run_requests

                return run_requests(arguments)
            case "models":
                from desktop.commands.models import run_models

                return run_models(arguments)
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
