"""Measure how long the window's event loop stands still while a long PDF is read and checked.

    python packaging/measure_window.py [--pages 300] [--limit MS] [--where MS]

A timer of 5 ms beats in the window; a gap between two beats is a stall. Prints the longest gap of
each phase; the one at rest is what the machine itself adds. With `--limit`, the exit status is 1
when any gap is longer. With `--where`, what every thread was doing in a longer gap is printed too:
the call that held the interpreter is among it.
"""

import argparse
import os
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
BEAT_MS = 5
WAIT_S = 600
CLAIM = "The results of all three studies provide no evidence for the claim of its proponents."


def long_pdf(path: Path, pages: int) -> None:
    """A PDF of so many pages, made of the sample paper over and over."""
    import pypdfium2 as pdfium

    sample = pdfium.PdfDocument(ROOT / "resources" / "samples" / "eyes-and-lying.pdf")
    made = pdfium.PdfDocument.new()
    while len(made) < pages:
        take = min(len(sample), pages - len(made))
        made.import_pages(sample, list(range(take)))
    made.save(path)


class Watcher:
    """Looks, from a thread of its own, at what the threads do while the heart stands still."""

    def __init__(self, gap_ms: float) -> None:
        self.last = perf_counter()
        self.seen: list[str] = []
        self._gap_ms = gap_ms
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._ended.set()

    def _watch(self) -> None:
        told = 0.0
        while not self._ended.wait(0.002):
            last = self.last
            gap = (perf_counter() - last) * 1000
            if gap > self._gap_ms and told != last:
                told = last
                lines = [f"after {gap:.0f} ms:"]
                for ident, frame in sys._current_frames().items():
                    if ident != threading.get_ident():
                        calls = traceback.extract_stack(frame)[-4:]
                        places = (f"{Path(c.filename).name}:{c.lineno} {c.name}" for c in calls)
                        lines.append("    " + " > ".join(places))
                self.seen.append("\n".join(lines))


def measure(file: Path, where_ms: float | None = None) -> dict[str, tuple[float, int]]:
    """Longest gap in milliseconds, and gaps over 50 ms, by phase.

    Prints what the threads were doing in gaps longer than `where_ms`.
    """
    from PySide6.QtCore import QEventLoop, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from desktop import theme
    from desktop.app import SWITCH_INTERVAL_S
    from desktop.desk import Desk
    from desktop.main_window import MainWindow
    from desktop.pages.check.states import State

    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = QApplication(["countersign"])
    theme.apply(app, theme.LIGHT)
    desk = Desk()
    window = MainWindow(desk)
    window.show()
    app.processEvents()
    gaps: dict[str, list[float]] = {}
    phase = ""
    last = perf_counter()
    watcher = Watcher(where_ms) if where_ms is not None else None

    def beat() -> None:
        nonlocal last
        now = perf_counter()
        gaps.setdefault(phase, []).append((now - last) * 1000)
        last = now
        if watcher is not None:
            watcher.last = now

    heart = QTimer()
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.timeout.connect(beat)
    heart.start(BEAT_MS)

    def run_until(condition: Callable[[], bool]) -> None:
        until = perf_counter() + WAIT_S
        while not condition():
            if perf_counter() > until:
                raise TimeoutError(f"{phase} did not end")
            # The heart wakes this: a loop that polled would itself take the time it measures.
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    phase = "at rest"
    settled = perf_counter() + 2
    run_until(lambda: perf_counter() > settled)
    phase = "opening the store"
    desk.start()
    run_until(lambda: desk.workspaces.current is not None)
    began = perf_counter()
    phase = "reading"
    window.check_page.add_files([file])
    run_until(lambda: desk.check.choice.document is not None)
    run_until(lambda: desk.check.source is not None)
    print(f"read in {perf_counter() - began:.1f} s", flush=True)
    began = perf_counter()
    phase = "checking"
    window.check_page.claim.set_text(CLAIM)
    desk.check.check()
    run_until(lambda: desk.check.state in (State.DONE, State.FAILED))
    print(f"checked in {perf_counter() - began:.1f} s: {desk.check.state.value}")
    phase = "showing the page"
    settled = perf_counter() + 3
    run_until(lambda: perf_counter() > settled)
    heart.stop()
    if watcher is not None:
        watcher.stop()
        print("\n".join(watcher.seen))
    window.close()
    desk.close()
    return {
        name: (max(values), sum(value > 50 for value in values)) for name, values in gaps.items()
    }


def main() -> int:
    """Measure and print; the exit status."""
    parser = argparse.ArgumentParser(description="Longest stalls of the window's event loop.")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--limit", type=float, help="longest gap allowed, in milliseconds")
    parser.add_argument(
        "--where", type=float, metavar="MS", help="show where gaps longer than this come from"
    )
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="countersign-") as folder:
        os.environ["COUNTERSIGN_HOME"] = str(Path(folder) / "home")
        file = Path(folder) / "long.pdf"
        long_pdf(file, arguments.pages)
        gaps = measure(file, arguments.where)
    for phase, (longest, over) in gaps.items():
        print(f"{phase:20} longest gap {longest:6.1f} ms, {over} over 50 ms")
    longest = max(longest for longest, _ in gaps.values())
    return int(arguments.limit is not None and longest > arguments.limit)


if __name__ == "__main__":
    sys.exit(main())
