"""A scholarly work as the registries know it: one work, with its versions and its standing."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from core.citations.model import Author, Identifier, Scheme
from core.documents.model import Notice, NoticeKind

_T = TypeVar("_T")


class Registry(StrEnum):
    """Who is asked about works."""

    CROSSREF = "crossref"
    OPENALEX = "openalex"
    SEMANTIC_SCHOLAR = "semantic_scholar"
    ARXIV = "arxiv"
    EUROPE_PMC = "europe_pmc"
    PUBMED = "pubmed"
    UNPAYWALL = "unpaywall"
    DOI_ORG = "doi_org"

    @property
    def words(self) -> str:
        """The registry's name as a person reads it."""
        return _REGISTRY_WORDS[self]


_REGISTRY_WORDS = {
    Registry.CROSSREF: "Crossref",
    Registry.OPENALEX: "OpenAlex",
    Registry.SEMANTIC_SCHOLAR: "Semantic Scholar",
    Registry.ARXIV: "arXiv",
    Registry.EUROPE_PMC: "Europe PMC",
    Registry.PUBMED: "PubMed",
    Registry.UNPAYWALL: "Unpaywall",
    Registry.DOI_ORG: "doi.org",
}


class VersionKind(StrEnum):
    """Which state of a work a version is."""

    PREPRINT = "preprint"
    ACCEPTED = "accepted"
    """The author's manuscript after peer review, before the publisher set it."""
    PUBLISHED = "published"

    @property
    def words(self) -> str:
        """The kind as a person reads it."""
        return _VERSION_WORDS[self]


_VERSION_WORDS = {
    VersionKind.PREPRINT: "preprint",
    VersionKind.ACCEPTED: "accepted manuscript",
    VersionKind.PUBLISHED: "published version",
}


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a work.

    Attributes: `identifiers` of this version; `years`, every year that a registry dates it to, in
    print and online, earliest first; `container`, the journal, book or server that it is in.
    """

    kind: VersionKind
    identifiers: tuple[Identifier, ...] = ()
    years: tuple[int, ...] = ()
    container: str = ""

    @property
    def words(self) -> str:
        """The version as a person reads it: "published version (Nature, 2020)"."""
        told = [self.container] if self.container else []
        told += [str(self.years[-1])] if self.years else []
        return f"{self.kind.words} ({', '.join(told)})" if told else self.kind.words


class Standing(StrEnum):
    """What was said later of a work, or that it is such a notice itself."""

    RETRACTED = "retracted"
    RETRACTED_AND_REPLACED = "retracted_and_replaced"
    """Withdrawn, and published again in a corrected form, sometimes under the same DOI."""
    PARTLY_RETRACTED = "partly_retracted"
    CONCERN = "expression_of_concern"
    CORRECTED = "corrected"
    RETRACTION_NOTICE = "retraction_notice"
    CORRECTION_NOTICE = "correction_notice"
    CONCERN_NOTICE = "notice_of_concern"

    @property
    def words(self) -> str:
        """The standing as a sentence for a person."""
        return _STANDING_WORDS[self]


_STANDING_WORDS = {
    Standing.RETRACTED: "This work was retracted.",
    Standing.RETRACTED_AND_REPLACED: "This work was retracted and replaced by a corrected one.",
    Standing.PARTLY_RETRACTED: "Parts of this work were retracted.",
    Standing.CONCERN: "An expression of concern was published about this work.",
    Standing.CORRECTED: "A correction of this work was published.",
    Standing.RETRACTION_NOTICE: "This is a notice that another work was retracted.",
    Standing.CORRECTION_NOTICE: "This is a correction of another work.",
    Standing.CONCERN_NOTICE: "This is an expression of concern about another work.",
}

_AS_DOCUMENT_NOTICE = {
    Standing.RETRACTED: NoticeKind.RETRACTED,
    Standing.RETRACTED_AND_REPLACED: NoticeKind.RETRACTED,
    Standing.PARTLY_RETRACTED: NoticeKind.CONCERN,
    Standing.CONCERN: NoticeKind.CONCERN,
    Standing.CORRECTED: NoticeKind.CORRECTED,
    Standing.RETRACTION_NOTICE: NoticeKind.RETRACTION_NOTICE,
    Standing.CORRECTION_NOTICE: NoticeKind.CORRECTION_NOTICE,
    Standing.CONCERN_NOTICE: NoticeKind.CONCERN,
}


@dataclass(frozen=True, slots=True)
class WorkNotice:
    """One thing that was said of a work. `doi` is the notice's own, "" where none is known."""

    standing: Standing
    registry: Registry
    doi: str = ""

    def as_document_notice(self) -> Notice:
        """The same for a verdict's scope."""
        where = f" (https://doi.org/{self.doi})" if self.doi else ""
        return Notice(
            _AS_DOCUMENT_NOTICE[self.standing],
            f"{self.standing.words.removesuffix('.')}, says {self.registry.words}{where}.",
        )


@dataclass(frozen=True, slots=True)
class Abstract:
    """An abstract as plain text, who gave it, and of which version; None where that is not told."""

    text: str
    registry: Registry
    version: VersionKind | None


class PlaceKind(StrEnum):
    """In which form a full text lies."""

    JATS = "jats"
    HTML = "html"
    PDF = "pdf"


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Where a full text lies, of which version, and who said so."""

    kind: PlaceKind
    url: str
    version: VersionKind
    registry: Registry
    label: str = ""
    """The version's own name where it has one: "arXiv:2101.00001v2"."""


@dataclass(frozen=True, slots=True)
class Work:
    """One work. `versions` holds at least one.

    Attributes: `title`, plain, "" where the registry has none; `other_titles`, its title with the
    subtitle or in its own language; `authors`, the first author first; `registries`, who was asked.
    """

    title: str
    authors: tuple[Author, ...]
    versions: tuple[Version, ...]
    registries: tuple[Registry, ...]
    other_titles: tuple[str, ...] = ()
    abstract: Abstract | None = None
    places: tuple[TextPlace, ...] = ()
    notices: tuple[WorkNotice, ...] = ()

    def __post_init__(self) -> None:
        """Hold that there is a version."""
        if not self.versions:
            raise ValueError("a work has at least one version")

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """The identifiers of all versions."""
        return tuple(dict.fromkeys(i for version in self.versions for i in version.identifiers))

    def of(self, scheme: Scheme) -> tuple[Identifier, ...]:
        """The identifiers of one scheme, the published version's first."""
        ordered = sorted(self.versions, key=lambda v: v.kind is not VersionKind.PUBLISHED)
        found = (i for version in ordered for i in version.identifiers if i.scheme is scheme)
        return tuple(dict.fromkeys(found))

    @property
    def years(self) -> tuple[int, ...]:
        """Every year that a version is dated to."""
        return tuple(sorted({year for version in self.versions for year in version.years}))

    @property
    def titles(self) -> tuple[str, ...]:
        """Every form of the title."""
        return tuple(dict.fromkeys(t for t in (self.title, *self.other_titles) if t))

    @property
    def withdrawn(self) -> bool:
        """Whether it was retracted, also where it was replaced: it never supports plainly."""
        return any(
            notice.standing in (Standing.RETRACTED, Standing.RETRACTED_AND_REPLACED)
            for notice in self.notices
        )

    def document_notices(self) -> tuple[Notice, ...]:
        """What was said of it, for a verdict's scope."""
        return tuple(notice.as_document_notice() for notice in self.notices)

    @property
    def words(self) -> str:
        """The work as a person reads it: “Title” (Smith and others, 2020)."""
        who = self.authors[0].family if self.authors else ""
        who += " and others" if len(self.authors) > 1 else ""
        when = str(self.years[-1]) if self.years else ""
        told = ", ".join(part for part in (who, when) if part)
        return f"“{self.title or 'untitled'}”" + (f" ({told})" if told else "")


def joined(first: Work, second: Work) -> Work:
    """One work out of two records of it; `first` has the word where they differ."""
    versions = list(first.versions)
    for version in second.versions:
        at = next((n for n, v in enumerate(versions) if v.kind is version.kind), None)
        if at is None:
            versions.append(version)
            continue
        known = versions[at]
        versions[at] = replace(
            known,
            identifiers=_both(known.identifiers, version.identifiers),
            years=tuple(sorted({*known.years, *version.years})),
            container=known.container or version.container,
        )
    return replace(
        first,
        title=first.title or second.title,
        authors=first.authors or second.authors,
        versions=tuple(versions),
        registries=_both(first.registries, second.registries),
        other_titles=tuple(t for t in _both(first.titles, second.titles) if t != first.title),
        abstract=first.abstract or second.abstract,
        places=_both(first.places, second.places),
        notices=_both(first.notices, second.notices),
    )


def _both(first: tuple[_T, ...], second: tuple[_T, ...]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))
