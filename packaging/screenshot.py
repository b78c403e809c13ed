"""Take the pictures of the Check page for the README, from the real window on the sample.

    python packaging/screenshot.py [FOLDER]

Starts an X server of its own where there is one to start, so that fonts and styles are those of a
desktop; without one, Qt draws offscreen. Writes `check.png` (light) and `check-dark.png`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parent.parent
PICTURES = (("light", "check.png"), ("dark", "check-dark.png"))
SIZE = (1440, 900)
WAIT_S = 120


def start_display() -> tuple[subprocess.Popen[bytes], str] | None:
    """An X server on a free display, and the display's name; None where there is no Xvfb."""
    program = shutil.which("Xvfb")
    if program is None:
        return None
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    if not number:
        server.wait()
        return None
    return server, f":{number}"


def take(folder: Path) -> int:
    """Open the sample, wait for its verdict, and save the window in both themes."""
    from PySide6.QtWidgets import QApplication

    from desktop import theme
    from desktop.desk import Desk
    from desktop.main_window import MainWindow
    from desktop.pages.check.states import State

    app = QApplication(["countersign"])
    theme.apply(app, theme.LIGHT)
    desk = Desk()
    window = MainWindow(desk)
    window.resize(*SIZE)
    window.show()
    desk.start(sample=True)
    until = monotonic() + WAIT_S

    def ready() -> bool:
        drawn = desk.evidence.source is not None and (
            not desk.evidence.source.has_pages or desk.evidence.drawn is not None
        )
        return desk.check.state is State.DONE and drawn

    while not ready() and monotonic() < until:
        app.processEvents()
        sleep(0.01)
    if not ready():
        said = desk.check.message.happened if desk.check.message else desk.check.state.value
        print(f"The sample gave no verdict: {said}", file=sys.stderr)
        desk.close()
        return 1
    window.setFocus()
    for name, file in PICTURES:
        theme.apply(app, theme.DARK if name == "dark" else theme.LIGHT)
        settled = monotonic() + 1.5
        while monotonic() < settled:
            app.processEvents()
            sleep(0.01)
        window.grab().save(str(folder / file))
        print(folder / file)
    window.close()
    desk.close()
    return 0


def main() -> int:
    """Take the pictures into the folder named, or into the README's."""
    parser = argparse.ArgumentParser(description="Take the pictures of the Check page.")
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=ROOT / "resources" / "screenshots",
        help="where the pictures go (default: the README's own folder)",
    )
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    display = start_display()
    if display is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    else:
        os.environ["QT_QPA_PLATFORM"] = "xcb"
        os.environ["DISPLAY"] = display[1]
    sys.path.insert(0, str(ROOT))
    try:
        with tempfile.TemporaryDirectory(prefix="countersign-") as home:
            os.environ["COUNTERSIGN_HOME"] = home
            return take(folder)
    finally:
        if display is not None:
            display[0].terminate()
            display[0].wait()


if __name__ == "__main__":
    sys.exit(main())
