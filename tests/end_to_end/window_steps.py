"""What the tests of the window do in it, step by step."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

import resources
from desktop.main_window import MainWindow
from desktop.pages.check.states import State

POLICY = """# Access control policy

## 1 Purpose

This policy says who may use which system.

## 2 Rules

User access rights are reviewed by the system owner at least once a year.

Administrators use a separate account for administrative work.
"""
STATED = "User access rights are reviewed by the system owner at least once a year."


def ready_claims() -> list[dict[str, Any]]:
    lines = resources.path("samples/claims.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def sample_paper() -> Path:
    return resources.path("samples") / ready_claims()[0]["source"]


def wait_for(qtbot: Any, condition: Callable[[], object], timeout: int = 60_000) -> None:
    def holds() -> None:
        assert condition()

    qtbot.waitUntil(holds, timeout=timeout)


def files_as_data(*files: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    return data


def drop(window: MainWindow, at: QPoint, *files: Path) -> bool:
    """Drop files at a place of the window, on whatever widget is there."""
    data = files_as_data(*files)
    target = window.childAt(at) or window
    place = QPointF(target.mapFrom(window, at))
    copy, left, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter = QDragEnterEvent(place.toPoint(), copy, data, left, none)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    taker: QWidget | None = target
    while taker is not None:
        event = QDropEvent(place, copy, data, left, none)
        if taker.acceptDrops():
            QApplication.sendEvent(taker, event)
            if event.isAccepted():
                return True
        taker = taker.parentWidget()
    return False


def add(qtbot: Any, window: MainWindow, file: Path) -> None:
    desk = window.desk
    window.check_page.add_files([file])
    wait_for(qtbot, lambda: not desk.documents.busy)
    wait_for(qtbot, lambda: desk.check.choice.document is not None)
    wait_for(qtbot, lambda: desk.check.choice.document.name == file.name)


def check(qtbot: Any, window: MainWindow, claim: str) -> None:
    window.check_page.claim.set_text(claim)
    window.desk.check.check()
    wait_for(qtbot, lambda: window.desk.check.state in (State.DONE, State.FAILED))


def policy(tmp_path: Path) -> Path:
    file = tmp_path / "policy.md"
    file.write_text(POLICY, encoding="utf-8")
    return file
