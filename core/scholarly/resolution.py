"""What comes of resolving a citation: one of these, each with a sentence for the person.

Only `Resolved` leads on to a check; every other answer means *not verifiable*, and why.
"""

from dataclasses import dataclass

from core.citations.model import Identifier
from core.scholarly import errors
from core.scholarly.agreement import Agreement
from core.scholarly.work import Registry, Version, Work


@dataclass(frozen=True, slots=True)
class Resolved:
    """The citation means `work`, in `version`; nothing that it says differs."""

    work: Work
    version: Version
    agreement: Agreement

    @property
    def sentence(self) -> str:
        """The answer as a person reads it."""
        said = f"The citation is {self.work.words}, {self.version.words}."
        standing = (notice.standing.words for notice in self.work.notices)
        return " ".join((said, *dict.fromkeys(standing), *self.agreement.remarks))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """There is a work under the identifier or the title, and it is not what the citation says."""

    work: Work
    agreement: Agreement

    @property
    def sentence(self) -> str:
        """The answer as a person reads it."""
        differing = " ".join(d.sentence for d in self.agreement.differing)
        return f"The registry has {self.work.words}, which is not what is cited. {differing}"


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several works fit; the person may choose one."""

    works: tuple[Work, ...]

    @property
    def sentence(self) -> str:
        """The answer as a person reads it."""
        listed = "; ".join(work.words for work in self.works)
        return f"{len(self.works)} works fit what is cited: {listed}. Choose the one that is meant."


@dataclass(frozen=True, slots=True)
class TooVague:
    """The citation says too little to look for. `bits` of `enough` bits, by measure."""

    bits: float
    enough: float

    @property
    def sentence(self) -> str:
        """The answer as a person reads it."""
        return (
            "The citation says too little to find one work by. Add the DOI, or the whole title "
            "with the first author and the year."
        )


@dataclass(frozen=True, slots=True)
class NotFound:
    """No registry that was asked knows such a work. `identifier` is the one that is unknown."""

    asked: tuple[Registry, ...]
    identifier: Identifier | None = None

    @property
    def sentence(self) -> str:
        """The answer as a person reads it."""
        who = ", ".join(registry.words for registry in self.asked)
        what = self.identifier.canonical if self.identifier else "such a work"
        return f"There is no {what} at {who}. Check the citation: it may be wrong or invented."


@dataclass(frozen=True, slots=True)
class OtherAgency:
    """The DOI exists, and its agency gives no record of it that can be read."""

    identifier: Identifier
    agency: str

    @property
    def sentence(self) -> str:
        """The answer as a person reads it."""
        return (
            f"The DOI exists. It was registered with {self.agency}, which gives no record that "
            "this program can read. Add the work as a file to check against it."
        )


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A registry did not answer in time."""

    registry: Registry | None
    sentence: str


@dataclass(frozen=True, slots=True)
class NoNetwork:
    """There is no connection."""

    registry: Registry | None
    sentence: str


@dataclass(frozen=True, slots=True)
class OfflineMode:
    """The program may not ask: it works offline, or the workspace is confidential."""

    registry: Registry | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A registry is busy, wants a key, or gave an answer that cannot be used."""

    registry: Registry | None
    sentence: str


Failure = TimedOut | NoNetwork | OfflineMode | Unanswered

Resolution = Resolved | Mismatch | Ambiguous | TooVague | NotFound | OtherAgency | Failure


def failure(error: errors.RegistryError) -> Failure:
    """The answer that a registry's error comes to."""
    for kind, answer in _FAILURES:
        if isinstance(error, kind):
            return answer(error.registry, str(error))
    return Unanswered(error.registry, str(error))


_FAILURES: tuple[tuple[type[errors.RegistryError], type[Failure]], ...] = (
    (errors.TimedOut, TimedOut),
    (errors.NoNetwork, NoNetwork),
    (errors.OfflineMode, OfflineMode),
)
