"""The answer to a check, with everything that a person needs to weigh it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.documents.model import Notice, TextScope


class Verdict(StrEnum):
    """The three answers."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_VERIFIABLE = "not_verifiable"

    @property
    def words(self) -> str:
        """The verdict as a person reads it: "Not verifiable"."""
        return self.value.replace("_", " ").capitalize()


class Outcome(StrEnum):
    """What a gate did with the check."""

    PASSED = "passed"
    DECIDED = "decided"
    ABSTAINED = "abstained"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage of the source. Offsets are into the source's text; `page` counts from 1."""

    text: str
    start: int
    end: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """What one gate measured, and what it made of it, in a plain sentence."""

    gate: str
    outcome: Outcome
    note: str
    measured: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scope:
    """What the verdict rests on: how much of the work, and what is said of its standing."""

    text: TextScope = TextScope.FULL_TEXT
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A verdict, the gate that decided it, its reason in one plain sentence, and its proof."""

    verdict: Verdict
    gate: str
    reason: str
    evidence: tuple[Evidence, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    trace: tuple[TraceEntry, ...] = ()
    scope: Scope = Scope()
