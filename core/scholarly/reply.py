"""A registry's answer, and where answers are kept."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer. `media_type` in lower case, without parameters; `asked`, when, in UTC."""

    status: int
    media_type: str
    body: bytes
    asked: datetime


class AnswerCache(Protocol):
    """Keeps answers between runs. Every method may be called from any thread."""

    def get(self, place: str, key: str) -> Reply | None:
        """The answer that was kept, whatever its age."""
        ...

    def put(self, place: str, key: str, reply: Reply) -> None:
        """Keep an answer, in place of an earlier one."""
        ...
