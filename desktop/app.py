"""Start the window: `countersign-desktop`, or `python -m desktop.app`.

Only Qt and the standard library are loaded before the window shows; the store and the reader are
opened by a task afterwards.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from types import TracebackType

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from core.home import home
from desktop import theme
from desktop.desk import Desk
from desktop.main_window import MainWindow
from desktop.messages import explain
from desktop.window_state import WindowState

SWITCH_INTERVAL_S = 0.001
"""How long a worker thread may keep the interpreter when the window waits for it."""

SMOKE_LIMIT_MS = 60_000

NO_SCREEN = 3
"""Exit status where there is no screen to open a window on."""

NO_SCREEN_WORDS = (
    "There is no screen here. Use `countersign check …` in the terminal, or set "
    "QT_QPA_PLATFORM=offscreen for a trial."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window and run until it is closed; the exit status.

    With `--smoke`, end with 0 as soon as the window is usable, with 1 if it does not become so.
    Without a screen end with `NO_SCREEN`: Qt would abort the whole process.
    """
    begin = perf_counter()
    arguments = _parser().parse_args(sys.argv[1:] if argv is None else argv)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    existing = QApplication.instance()
    if existing is None and not has_screen(sys.platform, os.environ):
        print(NO_SCREEN_WORDS, file=sys.stderr, flush=True)
        return NO_SCREEN
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Countersign")
    app.setApplicationDisplayName("Countersign")
    theme.apply(app, theme.theme_for(app))
    app.styleHints().colorSchemeChanged.connect(lambda _: theme.apply(app, theme.theme_for(app)))
    desk = Desk()
    window = MainWindow(desk, WindowState(home()))
    window.setWindowIcon(theme.icon("app", theme.current_theme().accent, 64))

    def report(what: str) -> None:
        if arguments.smoke:
            print(f"{what} after {perf_counter() - begin:.2f} s", file=sys.stderr, flush=True)

    def started() -> None:
        report("window shown")
        desk.start(sample=arguments.sample)

    window.shown.connect(started)
    sys.excepthook = _show_faults(desk)
    if arguments.smoke:
        _watch_smoke(desk, report)
    window.show()
    try:
        return app.exec()
    finally:
        desk.close()


def has_screen(platform: str, environment: Mapping[str, str]) -> bool:
    """Whether a window can be opened, as far as the environment tells; elsewhere than on Linux it
    tells nothing and a screen is taken for granted.
    """
    named = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    return not platform.startswith("linux") or any(environment.get(name) for name in named)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="countersign-desktop",
        description="Check offline whether a source says what a claim says that it says.",
    )
    parser.add_argument(
        "--sample", action="store_true", help="open the sample paper and check a ready claim"
    )
    parser.add_argument(
        "--smoke", action="store_true", help="open the window, wait until it is usable, and end"
    )
    return parser


def _show_faults(
    desk: Desk,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """A hook that shows a fault of the window in the window, where its person is."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        message = explain(error, "The window", "What was recorded is kept.")
        print(message.details, file=sys.stderr, flush=True)
        if not issubclass(kind, KeyboardInterrupt):
            desk.said.emit(message)

    return hook


def _watch_smoke(desk: Desk, report: object) -> None:
    app = QApplication.instance()
    assert app is not None
    assert callable(report)

    def usable() -> None:
        if desk.workspaces.current is not None:
            report("window usable")
            app.exit(0)

    def unusable() -> None:
        report("window not usable")
        app.exit(1)

    desk.workspaces.changed.connect(usable, Qt.ConnectionType.QueuedConnection)
    desk.failed.connect(unusable, Qt.ConnectionType.QueuedConnection)
    QTimer.singleShot(SMOKE_LIMIT_MS, app, unusable)


if __name__ == "__main__":
    sys.exit(main())
