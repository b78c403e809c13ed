"""Collect cyclic garbage on the main thread, and only while nothing is going on.

Python collects on whichever thread happens to allocate. On a worker thread that would destroy Qt
objects away from their own thread, which crashes; in the middle of a check it would stop the
window for as long as the heap takes to walk.
"""

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

LOOK_EVERY_MS = 2_000
WORTH_COLLECTING = 5_000
"""Objects made and not freed since the last collection, as `gc.get_count` counts them."""


class IdleCollector(QObject):
    """Takes over from Python's automatic collection until `stop`."""

    def __init__(self, idle: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._idle = idle
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        """Give collection back to Python."""
        self._timer.stop()
        if self._was_enabled:
            gc.enable()

    def _look(self) -> None:
        if self._idle() and gc.get_count()[0] > WORTH_COLLECTING:
            gc.collect()
