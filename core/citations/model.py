"""What a citation is: an instrument and a place in it, or a work and what is said of it.

Positions are character offsets into the text that was given, before any cleaning; `end` is one
past the last character. A citation read out of a list or a range has the place of the whole run
("A.5.19–A.5.22" is four citations with one place).
"""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FrameworkCitation(_Frozen):
    """A framework, standard or law, and the place in it that is meant.

    `instrument` is its canonical name with the edition where one was given ("ISO/IEC 27001:2022",
    "GDPR", "NIST SP 800-53 Rev. 5"); `locator` is the canonical place ("A.5.19", "Article
    28(3)(a)", "Recital 47"), empty for the instrument as a whole. `carried` says that the text
    leaves the instrument out here and that it was taken from what stands before, or from the
    document.
    """

    kind: Literal["framework"] = "framework"
    instrument: str = Field(min_length=1)
    locator: str = ""
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    carried: bool = False

    @computed_field  # type: ignore[prop-decorator]
    @property
    def canonical(self) -> str:
        """The one form in which this citation is compared."""
        return f"{self.instrument} {self.locator}".strip()


class Scheme(StrEnum):
    """Which register an identifier belongs to."""

    DOI = "doi"
    ARXIV = "arxiv"
    PMID = "pmid"
    PMCID = "pmcid"
    ISBN = "isbn"
    ISSN = "issn"
    URL = "url"


class Identifier(_Frozen):
    """An identifier in its canonical form.

    `value`: a DOI in lower case without a resolver ("10.1000/182"); an arXiv id without version
    ("2101.00001", "hep-th/9901001"), the version apart; a PMID's digits; a PMCID with its letters
    ("PMC1234567"); an ISBN as 13 digits; an ISSN with its hyphen; a URL without fragment.
    """

    scheme: Scheme
    value: str = Field(min_length=1)
    version: int | None = Field(default=None, ge=1)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def canonical(self) -> str:
        """The one form in which this identifier is compared: "doi:10.1000/182"."""
        if self.scheme is Scheme.URL:
            return self.value
        version = f"v{self.version}" if self.version is not None else ""
        return f"{self.scheme.value}:{self.value}{version}"


class Author(_Frozen):
    """A person, or a body where `given` is empty and the name is no person's."""

    family: str = Field(min_length=1)
    given: str = ""


class WorkCitation(_Frozen):
    """A scholarly work and all that the citation says of it; nothing in it is guessed.

    An empty field means that the citation does not say it, never that it was not understood
    and something else was put there.
    """

    kind: Literal["work"] = "work"
    identifiers: tuple[Identifier, ...] = ()
    authors: tuple[Author, ...] = ()
    others: bool = False
    """Whether the list of authors is cut off ("et al.")."""
    title: str = ""
    year: int | None = Field(default=None, ge=1400, le=2200)
    container: str = ""
    """The journal, the proceedings or the book that the work is in."""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    key: str = ""
    """What its document calls it: a BibTeX key, or the number in the list of references."""
    start: int = Field(default=0, ge=0)
    end: int = Field(default=0, ge=0)


Citation = FrameworkCitation | WorkCitation
