"""Set up, run and test Countersign from a bare checkout, with nothing but Python 3.11 or newer.

    python3 packaging/dev.py run | test | setup | --help

Everything that it makes lies in `.venv` and `.cache` beside this project.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file is also started by older Pythons
    sys.exit(
        f"Countersign needs Python 3.11 or newer; this is Python {sys.version.split()[0]}. Install "
        "a newer one and start this file with it, for example: python3.11 packaging/dev.py run"
    )

import argparse
import signal
import textwrap
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).resolve().parent))

from setup_background import BackgroundJob, InTurn
from setup_chat import BUILD_TIME, ChatBuild
from setup_checks import run_checks
from setup_console import Console, StepFailed, in_words
from setup_environment import CACHE, prepare, shown_command
from setup_own_model import OwnModel, make
from setup_sample import models_folder, run_in_terminal, run_window
from setup_system import (
    ensure_display,
    ensure_venv_module,
    ensure_window_libraries,
    has_screen,
)

STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Ctrl+C, a request to end, and a closed terminal: each ends the children too."""

COMMANDS = {
    "run": "set up, then open the window on the sample (in the terminal where there is no screen); "
    "afterwards make the entailment model, take the starter chat model and compile its runtime",
    "test": "set up with the tools of the checks, then run every check and test; further "
    "arguments go to pytest",
    "setup": "set up everything that run and test need, and stop",
}


def run(console: Console, chat: bool) -> int:
    """Open the sample with as little set-up as that needs; bring the rest afterwards."""
    console.say("Countersign: setting up, then the sample. Usually one to two minutes at first.")
    ensure_venv_module(console)
    prepare(console, ())
    window = has_screen()
    if window:
        try:
            ensure_window_libraries(console)
        except StepFailed as fault:
            console.say(f"{fault}\nUntil then the sample runs here, in the terminal.")
            window = False
    jobs: list[BackgroundJob] = [OwnModel(console)]
    if chat:
        jobs.append(ChatBuild(console, models_folder(), install_at_once=True, wait_for_other=False))
    rest = InTurn(jobs)
    try:
        status = run_window(console, rest) if window else run_in_terminal(console, rest)
        if status == 0:
            if rest.wait():
                console.say("Everything is ready. The next start takes seconds.")
            console.say(f"The command line: {shown_command(Path.cwd())} check --help")
    finally:
        rest.stop()
    return status


def test(console: Console, chat: bool, arguments: list[str]) -> int:
    """Run every check; the language-model runtime is built meanwhile and counts as one."""
    ensure_venv_module(console)
    ensure_window_libraries(console)
    ensure_display(console)
    prepare(console, ("dev",))
    home = CACHE / "test-home"
    make(console, home)
    build = ChatBuild(console, home / "models", install_at_once=False) if chat else None
    return run_checks(console, build, arguments)


def setup(console: Console, chat: bool) -> int:
    """Make everything that `run` and `test` need."""
    ensure_venv_module(console)
    ensure_window_libraries(console)
    ensure_display(console)
    prepare(console, ("dev",))
    make(console)
    if not chat:
        return 0
    build = ChatBuild(console, models_folder(), install_at_once=True)
    try:
        build.start()
        return 0 if build.wait() else 1
    finally:
        build.stop()


def stop(number: int, frame: FrameType | None) -> None:
    """End like after Ctrl+C, once: asked again, the clean-up that has begun is not cut short."""
    for asked in STOPS:
        signal.signal(asked, signal.SIG_IGN)
    raise KeyboardInterrupt


def main(arguments: list[str]) -> int:
    """The exit status: 0 done, 1 a check or step failed, 130 stopped by the person."""
    parser = argparse.ArgumentParser(
        prog="dev.py",
        description="Set up, run and test Countersign from a bare checkout.\n\n"
        + "\n".join(
            textwrap.fill(what, 80, initial_indent=f"  {name:<7}", subsequent_indent=" " * 9)
            for name, what in COMMANDS.items()
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, help="what to do, see above")
    parser.add_argument(
        "--no-chat",
        action="store_true",
        help=f"leave out the language-model runtime, whose compilation usually takes {BUILD_TIME}",
    )
    chosen, rest = parser.parse_known_args(arguments)
    if rest and chosen.command != "test":
        parser.error(f"{chosen.command} takes no further arguments: {' '.join(rest)}")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    for asked in STOPS:
        if signal.getsignal(asked) is not signal.SIG_IGN:
            signal.signal(asked, stop)
    console = Console()
    try:
        if chosen.command == "run":
            return run(console, not chosen.no_chat)
        if chosen.command == "test":
            return test(console, not chosen.no_chat, rest)
        return setup(console, not chosen.no_chat)
    except StepFailed as fault:
        console.say(str(fault))
        return 1
    except OSError as fault:
        console.say(in_words(fault))
        return 1
    except KeyboardInterrupt:
        console.plain()
        console.say("Stopped. Finished steps are kept: the same command goes on after them.")
        return 130
    finally:
        console.stop_children()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
