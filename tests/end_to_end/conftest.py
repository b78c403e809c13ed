"""The real window for the tests that work in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from PySide6.QtWidgets import QApplication

from desktop import theme
from desktop.desk import Desk
from desktop.main_window import MainWindow
from tests.end_to_end.window_steps import wait_for


@pytest.fixture
def window(qapp: QApplication, qtbot: Any, home: Path) -> Iterator[MainWindow]:
    theme.apply(qapp, theme.LIGHT)
    desk = Desk()
    made = MainWindow(desk)
    made.show()
    made.activateWindow()
    desk.start()
    wait_for(qtbot, lambda: desk.workspaces.current is not None)
    yield made
    made.close()
    children = psutil.Process().children(recursive=True)
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == [], "a worker process outlived the window"
    made.deleteLater()
