"""Collect cyclic garbage on the main thread, and only while nothing is going on.

Python collects on whichever thread happens to allocate. On a worker thread that would destroy Qt
objects away from their own thread, which crashes; in the middle of a check it would stop the
window for as long as the heap takes to walk.
"""

import gc
from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QObject, QTimer

LOOK_EVERY_MS = 2_000
WORTH_COLLECTING = 5_000
"""Objects made and not freed since the last collection, as `gc.get_count` counts them."""

A_DOCUMENT = 30_000
"""So many new objects are a document that was opened: it holds no cycles, and walking it would
take longer than a frame."""

LONG_IDLE_S = 60.0
"""After so long without work nobody is looking: documents are walked as well, once."""


class IdleCollector(QObject):
    """Takes over from Python's automatic collection until `stop`."""

    def __init__(self, idle: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._idle = idle
        self._was_enabled = gc.isenabled()
        self._idle_since: float | None = None
        self._frozen = False
        gc.disable()
        # What was imported stays: to walk it again and again would only take time.
        gc.freeze()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        """Give collection back to Python."""
        self._timer.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()

    def _look(self) -> None:
        if not self._idle():
            self._idle_since = None
            return
        now = monotonic()
        self._idle_since = now if self._idle_since is None else self._idle_since
        made = gc.get_count()[0]
        if self._frozen and now - self._idle_since > LONG_IDLE_S:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._frozen = False
        elif made > A_DOCUMENT:
            # Set aside, not kept: what is frozen still goes with its last reference.
            gc.freeze()
            self._frozen = True
        elif made > WORTH_COLLECTING:
            gc.collect()
