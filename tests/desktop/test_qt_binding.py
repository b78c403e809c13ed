"""The Qt binding must be safe on the oldest Python that the program runs on.

PySide6 6.12.0 takes a reference from True with each emission, and from None with each call of a
method that returns nothing. Before Python 3.12 these are counted like any object: after some
thousands of calls the program ends with "deallocating True or False".
"""

import sys
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

CALLS = 200


class Sender(QObject):
    """Has one signal."""

    sent = Signal()


def test_emitting_takes_no_reference_from_true(qapp: Any) -> None:
    sender = Sender()
    before = sys.getrefcount(True)
    for _ in range(CALLS):
        sender.sent.emit()
    assert sys.getrefcount(True) > before - CALLS // 2


def test_calling_a_method_takes_no_reference_from_none(qapp: Any) -> None:
    timer = QTimer()
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        timer.setSingleShot(True)
    assert sys.getrefcount(None) > before - CALLS // 2
