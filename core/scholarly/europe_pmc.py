"""Europe PMC (https://europepmc.org/RestfulWebService): abstracts, open full texts, notices."""

from pydantic import Field

from core.citations.model import Author, Identifier, Scheme, WorkCitation
from core.scholarly import notices, shapes
from core.scholarly.asking import Asker, Enquiry, Question
from core.scholarly.endpoints import Endpoints, query_family, query_title, require
from core.scholarly.reply import Reply
from core.scholarly.titles import plain, title_words
from core.scholarly.work import (
    Abstract,
    PlaceKind,
    Registry,
    TextPlace,
    Version,
    VersionKind,
    Work,
    WorkNotice,
)

_REGISTRY = Registry.EUROPE_PMC
ROWS = 5


class _Author(shapes.Shape):
    full: str | None = Field(default=None, alias="fullName")
    first: str | None = Field(default=None, alias="firstName")
    last: str | None = Field(default=None, alias="lastName")
    initials: str | None = None
    body: str | None = Field(default=None, alias="collectiveName")


class _Authors(shapes.Shape):
    author: tuple[_Author, ...] = ()


class _Journal(shapes.Shape):
    title: str | None = None


class _Issue(shapes.Shape):
    journal: _Journal | None = None
    year: int | None = Field(default=None, alias="yearOfPublication")


class _Kinds(shapes.Shape):
    kinds: list[str] = Field(default=[], alias="pubType")


class _Comment(shapes.Shape):
    kind: str | None = Field(default=None, alias="type")


class _Comments(shapes.Shape):
    comments: list[_Comment] = Field(default=[], alias="commentCorrection")


class _TextUrl(shapes.Shape):
    code: str | None = Field(default=None, alias="availabilityCode")
    style: str | None = Field(default=None, alias="documentStyle")
    url: str | None = None


class _TextUrls(shapes.Shape):
    urls: list[_TextUrl] = Field(default=[], alias="fullTextUrl")


class _Result(shapes.Shape):
    id: str
    source: str
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    title: str | None = None
    authors: _Authors | None = Field(default=None, alias="authorList")
    issue: _Issue | None = Field(default=None, alias="journalInfo")
    year: str | None = Field(default=None, alias="pubYear")
    online: str | None = Field(default=None, alias="electronicPublicationDate")
    abstract: str | None = Field(default=None, alias="abstractText")
    kinds: _Kinds | None = Field(default=None, alias="pubTypeList")
    comments: _Comments | None = Field(default=None, alias="commentCorrectionList")
    open_access: str | None = Field(default=None, alias="isOpenAccess")
    in_archive: str | None = Field(default=None, alias="inEPMC")
    manuscript: str | None = Field(default=None, alias="authMan")
    urls: _TextUrls | None = Field(default=None, alias="fullTextUrlList")


class _Results(shapes.Shape):
    result: tuple[_Result, ...] = ()


class _Answer(shapes.Shape):
    found: _Results = Field(alias="resultList")


class EuropePmc:
    """Works by DOI, PMID or PMCID, works by title, and open full texts in JATS."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)

    def work(self, identifier: Identifier, enquiry: Enquiry) -> Work | None:
        """The work with this identifier; None where it is not in Europe PMC.

        Raises `RegistryError`.
        """
        require(identifier, Scheme.DOI, Scheme.PMID, Scheme.PMCID)
        value = identifier.value.replace("\\", "").replace('"', "")
        query = {
            Scheme.DOI: f'DOI:"{value}"',
            Scheme.PMID: f"EXT_ID:{value} AND SRC:MED",
            Scheme.PMCID: f"PMCID:{value}",
        }[identifier.scheme]
        works = self._search(query, enquiry)
        return next((w for w in works if identifier in w.identifiers), None)

    def search(self, citation: WorkCitation, enquiry: Enquiry) -> tuple[Work, ...]:
        """Works with these words in their title, by this author. Raises `RegistryError`."""
        query = f'TITLE:"{" ".join(title_words(query_title(citation)))}"'
        family = " ".join(title_words(query_family(citation)))
        query += f' AND AUTH:"{family}"' if family else ""
        return self._search(query, enquiry)

    def _search(self, query: str, enquiry: Enquiry) -> tuple[Work, ...]:
        asked = (
            ("query", query),
            ("resultType", "core"),
            ("format", "json"),
            ("pageSize", str(ROWS)),
        )
        question = Question(f"{self._home}/search", _REGISTRY, asked)
        return self._asker.ask(question, self._read, enquiry) or ()

    def _read(self, reply: Reply) -> tuple[Work, ...]:
        answer = shapes.json_of(reply, _Answer, _REGISTRY)
        return tuple(self._work(result) for result in answer.found.result)

    def _work(self, result: _Result) -> Work:
        title, labelled = notices.without_label(plain(result.title or "").removesuffix("."))
        pmcid = shapes.pmcid(result.pmcid)
        kind = VersionKind.PREPRINT if result.source == "PPR" else VersionKind.PUBLISHED
        told = [WorkNotice(standing, _REGISTRY) for standing in labelled]
        for name in result.kinds.kinds if result.kinds else ():
            standing = notices.PUBLICATION_TYPES.get(name.casefold())
            told += [WorkNotice(standing, _REGISTRY)] if standing else []
        for linked in result.comments.comments if result.comments else ():
            standing = notices.comment(linked.kind or "")
            told += [WorkNotice(standing, _REGISTRY)] if standing else []
        abstract = shapes.abstract_text(result.abstract)
        journal = result.issue.journal if result.issue else None
        return Work(
            title=title,
            authors=shapes.people(
                [_person(a) for a in (result.authors.author if result.authors else ())]
            ),
            versions=(
                Version(
                    kind,
                    shapes.known(shapes.doi(result.doi), shapes.pmid(result.pmid), pmcid),
                    shapes.years(
                        shapes.year_of(result.year),
                        shapes.year_of(result.online),
                        result.issue.year if result.issue else None,
                    ),
                    plain((journal.title if journal else None) or ""),
                ),
            ),
            registries=(_REGISTRY,),
            abstract=Abstract(abstract, _REGISTRY, kind) if abstract else None,
            places=self._places(result, pmcid, kind),
            notices=notices.settled(told),
        )

    def _places(
        self, result: _Result, pmcid: Identifier | None, kind: VersionKind
    ) -> tuple[TextPlace, ...]:
        """Where the text lies: as JATS for what is open here, then as PDF at its publisher's."""
        if result.manuscript == "Y" and kind is VersionKind.PUBLISHED:
            kind = VersionKind.ACCEPTED
        places: list[TextPlace] = []
        if pmcid is not None and result.in_archive == "Y" and result.open_access == "Y":
            url = f"{self._home}/{pmcid.value}/fullTextXML"
            places.append(TextPlace(PlaceKind.JATS, url, kind, _REGISTRY, pmcid.value))
        for given in result.urls.urls if result.urls else ():
            if given.code == "OA" and given.style == "pdf" and given.url:
                places.append(TextPlace(PlaceKind.PDF, given.url, kind, _REGISTRY))
        return tuple(dict.fromkeys(places))


def _person(author: _Author) -> Author | None:
    if author.last:
        return shapes.person(author.last, author.first or author.initials)
    return shapes.person(author.body) if author.body else shapes.named(author.full)
