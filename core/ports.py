"""What the core needs from outside, as protocols; `models` supplies them, `desktop` joins them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation
from core.documents.model import Document

Progress = Callable[[int, int, str], None]
"""Called with (done, total, what is being done); total is 0 while it is unknown."""


class Clock(Protocol):
    """The time, so that records can be tested."""

    def now(self) -> datetime:
        """The present moment, timezone-aware, in UTC."""
        ...


@dataclass(frozen=True, slots=True)
class PageImage:
    """A drawn page as PNG, its size in pixels, and (x, y, width, height) of each mark in pixels."""

    png: bytes
    width: int
    height: int
    boxes: tuple[tuple[float, float, float, float], ...]


class DocumentReader(Protocol):
    """Reads untrusted files under limits of time and memory."""

    def read(
        self,
        path: Path,
        *,
        password: str | None = None,
        progress: Progress | None = None,
        cancellation: Cancellation | None = None,
    ) -> Document:
        """The document in the file.

        Raises `core.documents.errors.ReadingError` and `core.cancellation.Cancelled`.
        """
        ...

    def draw_page(
        self,
        path: Path,
        page: int,
        *,
        scale: float = 1.5,
        marks: Sequence[tuple[int, int]] = (),
        password: str | None = None,
    ) -> PageImage:
        """Draw page `page` (from 1) of a PDF at `scale` pixels per point.

        `marks` are (first, end) ranges of PDFium character indices on that page; their boxes come
        back with the image.
        """
        ...


@dataclass(frozen=True, slots=True)
class EntailmentScores:
    """Probabilities of one (premise, hypothesis) pair, each in 0..1.

    `contradiction` is None for a model with two labels: it can never say *contradicted*.
    """

    entailment: float
    contradiction: float | None


class ModelStopped(Exception):
    """The model's process ended, or refused to load, before it answered."""


class EntailmentModel(Protocol):
    """Scores whether a premise entails, contradicts or leaves open a hypothesis."""

    @property
    def name(self) -> str:
        """The name that a person knows the model by."""
        ...

    @property
    def sha256(self) -> str:
        """Hash of the installed model, as recorded with each verdict."""
        ...

    @property
    def calibration(self) -> CalibrationRecord | None:
        """What the model earned on labelled cases; None: it may not say *supported*."""
        ...

    def score(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        cancellation: Cancellation | None = None,
    ) -> Sequence[EntailmentScores]:
        """Scores of (premise, hypothesis) pairs, in their order.

        Raises `ModelStopped` and `core.cancellation.Cancelled`.
        """
        ...


class SecretStore(Protocol):
    """Keeps keys where the system keeps passwords; never in a file of the program's own."""

    def get(self, name: str) -> str | None:
        """The secret of this name, None where there is none."""
        ...

    def set(self, name: str, secret: str) -> None:
        """Keep a secret under this name, in place of an earlier one."""
        ...

    def delete(self, name: str) -> None:
        """Forget the secret of this name; nothing happens where there is none."""
        ...
