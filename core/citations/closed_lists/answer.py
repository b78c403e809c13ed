"""What a closed list says of a citation."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from core.citations.model import FrameworkCitation


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Standing(StrEnum):
    """The four answers. Nothing is said to be missing where there is no list to look in."""

    IN_LIST = "in_list"
    ALTERED = "altered"
    NOT_IN_LIST = "not_in_list"
    NOT_AVAILABLE = "not_available"


class Alteration(StrEnum):
    """In which way a citation departs from the list."""

    PADDING = "padding"
    """Zeros too many or too few: AC-02 for AC-2."""
    FORM = "form"
    """The same place in another notation: AC-2.1 for AC-2(1), Annex 3 for Annex III."""
    WITHDRAWN = "withdrawn"
    """The framework once had the place and has retired it."""
    EDITION = "edition"
    """The place is one of another edition than the citation names."""
    NESTING = "nesting"
    """What is above the place is in the list, and it has no such part."""


class ListInfo(_Frozen):
    """A list as a person is told of it.

    `key` names it in the store ("NIST CSF 2.0"); `beyond` says what it does not hold; `own` is
    true for a person's own list.
    """

    key: str
    framework: str
    edition: str
    licence: str
    origin: str
    beyond: str
    own: bool = False


class Entry(_Frozen):
    """A place that a list has.

    `title` is empty where the list has none, or may not show one; `heading` is then the title of
    what the place is a part of, where there is one.
    """

    framework: str
    edition: str
    number: str
    title: str = ""
    heading: str = ""

    @property
    def canonical(self) -> str:
        """The place without its edition, as citations are compared."""
        return f"{self.framework} {self.number}".strip()


class Answer(_Frozen):
    """What the lists say of one citation.

    `entries` are where the citation is in the list: one for each edition that has it. `alteration`
    is set exactly where the standing is ALTERED. `nearest` are true places to offer instead, best
    first; `replaced_by` what a withdrawn place went into, where the list says so. `editions` are
    the editions that were looked in. `edition_decides` says that the citation names no edition and
    that not all of them have the place. `chosen` is false where the workspace has chosen its
    frameworks and this is none of them. `sentence` says it all to a person.
    """

    citation: str
    standing: Standing
    sentence: str
    alteration: Alteration | None = None
    entries: tuple[Entry, ...] = ()
    nearest: tuple[Entry, ...] = ()
    replaced_by: tuple[str, ...] = ()
    editions: tuple[str, ...] = Field(default=())
    edition_decides: bool = False
    chosen: bool = True


def not_read(citation: FrameworkCitation, left: str) -> Answer:
    """The answer where `left` stands beside a citation and was not read: there is none."""
    return Answer(
        citation=citation.canonical,
        standing=Standing.NOT_AVAILABLE,
        sentence=(
            f"“{left}” stands beside {citation.canonical} and could not be read, so whether there "
            "is such a place is not known."
        ),
    )
