"""doi.org: which agency registered a DOI, and what any agency says of it.

Agencies: https://www.doi.org/doi-handbook/HTML/which-ra_-service.html; metadata by content
negotiation in CSL-JSON: https://citation.doi.org/docs.html. That Crossref does not know a DOI does
not mean that it does not exist: DataCite, mEDRA and agencies in China, Japan and Korea have theirs.
"""

from pydantic import Field, RootModel

from core.citations.model import Identifier, Scheme
from core.scholarly import notices, shapes
from core.scholarly.asking import Asker, Enquiry, Question, path
from core.scholarly.endpoints import Endpoints, require
from core.scholarly.errors import HostRefused, RequestRefused
from core.scholarly.reply import Reply
from core.scholarly.titles import plain
from core.scholarly.work import Abstract, Registry, Version, VersionKind, Work, WorkNotice

_REGISTRY = Registry.DOI_ORG
CSL = "application/vnd.citationstyles.csl+json"


class _Entry(shapes.Shape):
    doi: str | None = Field(default=None, alias="DOI")
    agency: str | None = Field(default=None, alias="RA")
    status: str | None = None


class _Entries(RootModel[list[_Entry]]):
    pass


class _Name(shapes.Shape):
    family: str | None = None
    given: str | None = None
    literal: str | None = None


class _Date(shapes.Shape):
    parts: list[list[int | str | None]] = Field(default=[], alias="date-parts")

    @property
    def year(self) -> int | None:
        first = self.parts[0][0] if self.parts and self.parts[0] else None
        return shapes.year_of(str(first)) if first is not None else None


class _Csl(shapes.Shape):
    kind: str | None = Field(default=None, alias="type")
    title: str | list[str] | None = None
    author: list[_Name] | None = None
    issued: _Date | None = None
    container: str | list[str] | None = Field(default=None, alias="container-title")
    publisher: str | None = None
    abstract: str | None = None
    doi: str = Field(alias="DOI")


class DoiOrg:
    """The resolver of all DOIs."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)

    def agency(self, identifier: Identifier, enquiry: Enquiry) -> str | None:
        """The agency's name ("Crossref", "DataCite"); None where there is no such DOI.

        Raises `RegistryError`.
        """
        require(identifier, Scheme.DOI)
        question = Question(f"{self._home}/ra/{path(identifier.value)}", _REGISTRY)
        return self._asker.ask(question, _read_agency, enquiry) or None

    def work(self, identifier: Identifier, enquiry: Enquiry) -> Work | None:
        """What the DOI's agency says of it; None where it gives no metadata.

        Raises `RegistryError`.
        """
        require(identifier, Scheme.DOI)
        question = Question(f"{self._home}/{path(identifier.value)}", _REGISTRY, accept=CSL)
        try:
            return self._asker.ask(question, _read_work, enquiry)
        except (HostRefused, RequestRefused):
            # The agency has no metadata, and points to the work's own page instead, or refuses.
            return None


def _read_agency(reply: Reply) -> str:
    """The agency; "" where the DOI does not exist."""
    try:
        entries = _Entries.model_validate_json(reply.body, strict=True).root
    except ValueError as error:
        raise shapes.malformed(_REGISTRY) from error
    if len(entries) != 1:
        raise shapes.malformed(_REGISTRY)
    [entry] = entries
    if entry.agency and entry.agency.strip():
        return entry.agency.strip()[:100]
    if (entry.status or "").strip().casefold() in _NONE:
        return ""
    raise shapes.malformed(_REGISTRY)


_NONE = frozenset({"doi does not exist", "invalid doi", "unknown"})


def _read_work(reply: Reply) -> Work:
    csl = shapes.json_of(reply, _Csl, _REGISTRY)
    own = shapes.doi(csl.doi)
    if own is None:
        raise shapes.malformed(_REGISTRY)
    title, labelled = notices.without_label(plain(_one(csl.title)))
    arxiv = shapes.arxiv_of_doi(own)
    posted = arxiv is not None or csl.kind in ("posted-content", "preprint")
    kind = VersionKind.PREPRINT if posted else VersionKind.PUBLISHED
    abstract = shapes.abstract_text(csl.abstract)
    year = csl.issued.year if csl.issued else None
    return Work(
        title=title,
        authors=shapes.people(
            [shapes.person(p.family or p.literal, p.given) for p in csl.author or ()]
        ),
        versions=(
            Version(
                kind,
                shapes.known(own, arxiv),
                shapes.years(year),
                plain(_one(csl.container) or csl.publisher or ""),
            ),
        ),
        registries=(_REGISTRY,),
        abstract=Abstract(abstract, _REGISTRY, kind) if abstract else None,
        notices=tuple(WorkNotice(standing, _REGISTRY) for standing in labelled),
    )


def _one(text: str | list[str] | None) -> str:
    if isinstance(text, list):
        return text[0] if text else ""
    return text or ""
