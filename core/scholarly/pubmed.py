"""PubMed through NCBI's E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25499/)."""

from html import escape
from typing import TYPE_CHECKING

from core.citations.model import Author, Identifier, Scheme
from core.documents.xml import entity_text, local
from core.scholarly import notices, shapes
from core.scholarly.asking import Asker, Enquiry, Question
from core.scholarly.endpoints import Endpoints, require
from core.scholarly.reply import Reply
from core.scholarly.titles import plain
from core.scholarly.work import Abstract, Registry, Standing, Version, VersionKind, Work, WorkNotice

if TYPE_CHECKING:
    from core.documents.xml import Element

_REGISTRY = Registry.PUBMED
_DATES = ("pubdate", "articledate")


class PubMed:
    """Works by PMID. Europe PMC holds the same records, and is the one to be searched."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)

    def work(self, identifier: Identifier, enquiry: Enquiry) -> Work | None:
        """The work with this PMID; None where PubMed has none. Raises `RegistryError`."""
        require(identifier, Scheme.PMID)
        asked = (("db", "pubmed"), ("id", identifier.value), ("retmode", "xml"))
        question = Question(f"{self._home}/efetch.fcgi", _REGISTRY, asked, accept="application/xml")
        works = self._asker.ask(question, _read_articles, enquiry) or ()
        return next((w for w in works if identifier in w.identifiers), None)


def _read_articles(reply: Reply) -> tuple[Work, ...]:
    if not reply.body.strip():
        return ()
    root = shapes.xml_of(reply, _REGISTRY)
    if local(root) != "pubmedarticleset":
        raise shapes.malformed(_REGISTRY)
    return tuple(_work(node) for node in root if local(node) == "pubmedarticle")


def _work(node: "Element") -> Work:
    citation = _first(node, "medlinecitation")
    article = _first(citation, "article")
    pmid = shapes.pmid(_words(_first(citation, "pmid")))
    if pmid is None or article is None:
        raise shapes.malformed(_REGISTRY)
    title, labelled = notices.without_label(plain(_words(_first(article, "articletitle"))))
    title = title.removesuffix(".")
    vernacular = plain(_words(_first(article, "vernaculartitle"))).removesuffix(".")
    abstract = _abstract(_first(article, "abstract"))
    journal = _first(article, "journal")
    kinds = [_words(n).casefold() for n in _below(article, "publicationtype")]
    doi, pmcid = _other_ids(node)
    kind = VersionKind.PREPRINT if "preprint" in kinds else VersionKind.PUBLISHED
    years = [_year(date) for name in _DATES for date in _below(article, name)]
    return Work(
        title=title.strip("[]") if title.startswith("[") else title,
        authors=shapes.people([_person(n) for n in _below(article, "author")]),
        versions=(
            Version(
                kind,
                shapes.known(pmid, doi, pmcid),
                shapes.years(*years),
                plain(_words(_first(journal, "title"))),
            ),
        ),
        registries=(_REGISTRY,),
        other_titles=(vernacular,) if vernacular else (),
        abstract=Abstract(abstract, _REGISTRY, kind) if abstract else None,
        notices=_notices(citation, kinds, labelled),
    )


def _notices(
    citation: "Element | None", kinds: list[str], labelled: tuple[Standing, ...]
) -> tuple[WorkNotice, ...]:
    told = [*labelled, *(notices.PUBLICATION_TYPES.get(kind) for kind in kinds)]
    for link in _below(citation, "commentscorrections"):
        told.append(notices.comment(str(link.get("RefType") or "")))
    return notices.settled(WorkNotice(s, _REGISTRY) for s in told if s is not None)


def _person(node: "Element") -> Author | None:
    body = _words(_first(node, "collectivename"))
    if body:
        return shapes.person(body)
    given = _words(_first(node, "forename")) or _words(_first(node, "initials"))
    return shapes.person(_words(_first(node, "lastname")), given)


def _other_ids(node: "Element") -> tuple[Identifier | None, Identifier | None]:
    """DOI and PMCID of the article itself, not of what it cites."""
    data = _first(node, "pubmeddata")
    listed = _first(data, "articleidlist")
    ids = {str(n.get("IdType")): _words(n) for n in listed} if listed is not None else {}
    return shapes.doi(ids.get("doi")), shapes.pmcid(ids.get("pmc"))


def _abstract(node: "Element | None") -> str:
    """The abstract's parts under their labels; what stands raised stays raised."""
    parts: list[str] = []
    for part in node if node is not None else ():
        if local(part) == "abstracttext":
            label = str(part.get("Label") or "").strip()
            text = shapes.abstract_text(_markup(part))
            parts.append(f"{label.capitalize()}: {text}" if label and text else text)
    return "\n".join(part for part in parts if part)


def _markup(node: "Element") -> str:
    """The inside of an element as markup again, without its attributes."""
    parts = [escape(node.text or "")]
    for child in node:
        name = local(child)
        inner = _markup(child) if name else ""
        parts.append(f"<{name}>{inner}</{name}>" if name else entity_text(child))
        parts.append(escape(child.tail or ""))
    return "".join(parts)


def _year(date: "Element") -> int | None:
    year = _words(_first(date, "year")) or _words(_first(date, "medlinedate"))
    return shapes.year_of(year)


def _first(node: "Element | None", name: str) -> "Element | None":
    return (
        next((child for child in node if local(child) == name), None) if node is not None else None
    )


def _below(node: "Element | None", name: str) -> "list[Element]":
    return [n for n in node.iter() if local(n) == name] if node is not None else []


def _words(node: "Element | None") -> str:
    if node is None:
        return ""
    return " ".join("".join(str(part) for part in node.itertext()).split())
