"""arXiv (https://info.arxiv.org/help/api/user-manual.html): preprints, in Atom."""

import re
from typing import TYPE_CHECKING

from core.citations.model import Identifier, Scheme, WorkCitation
from core.documents.xml import entity_text, is_element, local
from core.scholarly import notices, shapes
from core.scholarly.asking import Asker, Enquiry, Question
from core.scholarly.endpoints import Endpoints, query_family, query_title, require
from core.scholarly.reply import Reply
from core.scholarly.titles import plain, title_words
from core.scholarly.work import (
    Abstract,
    PlaceKind,
    Registry,
    Standing,
    TextPlace,
    Version,
    VersionKind,
    Work,
    WorkNotice,
)

if TYPE_CHECKING:
    from core.documents.xml import Element

_REGISTRY = Registry.ARXIV
ROWS = 5

_ABS = re.compile(r"https?://arxiv\.org/abs/(?P<id>\S+)")
_ERROR = "arxiv.org/api/errors"
_MOST_ENTRIES = 50


class Arxiv:
    """Preprints by id, pinned to a version where the citation names one, and by title."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)
        self._texts = endpoints.arxiv_texts

    def work(self, identifier: Identifier, enquiry: Enquiry) -> Work | None:
        """The preprint; None where arXiv has none of this id. Raises `RegistryError`."""
        require(identifier, Scheme.ARXIV)
        version = f"v{identifier.version}" if identifier.version else ""
        asked = (("id_list", identifier.value + version), ("max_results", "1"))
        question = self._question(asked)
        found = self._asker.ask(question, self._read, enquiry) or ()
        # A feed with another work is no answer to this question.
        return next((w for w in found if any(_same(i, identifier) for i in w.identifiers)), None)

    def search(self, citation: WorkCitation, enquiry: Enquiry) -> tuple[Work, ...]:
        """Preprints with these words in their title, by this author. Raises `RegistryError`."""
        terms = [f'ti:"{" ".join(title_words(query_title(citation)))}"']
        family = " ".join(title_words(query_family(citation)))
        terms += [f'au:"{family}"'] if family else []
        asked = (("search_query", " AND ".join(terms)), ("max_results", str(ROWS)))
        return self._asker.ask(self._question(asked), self._read, enquiry) or ()

    def _question(self, asked: tuple[tuple[str, str], ...]) -> Question:
        return Question(f"{self._home}/api/query", _REGISTRY, asked, accept="application/atom+xml")

    def _read(self, reply: Reply) -> tuple[Work, ...]:
        root = shapes.xml_of(reply, _REGISTRY)
        if local(root) != "feed":
            raise shapes.malformed(_REGISTRY)
        entries = [node for node in root if local(node) == "entry"][:_MOST_ENTRIES]
        works: list[Work] = []
        for entry in entries:
            if _ERROR in _text(entry, "id"):
                # An id of another form than arXiv's is told in an entry of its own.
                return ()
            works.append(self._work(entry))
        return tuple(works)

    def _work(self, entry: "Element") -> Work:
        match = _ABS.fullmatch(_text(entry, "id"))
        own = shapes.arxiv(match["id"]) if match else None
        if own is None or own.version is None:
            raise shapes.malformed(_REGISTRY)
        title, labelled = notices.without_label(plain(_text(entry, "title")))
        if not title:
            raise shapes.malformed(_REGISTRY)
        summary, comment = _text(entry, "summary"), _text(entry, "comment")
        told = [WorkNotice(standing, _REGISTRY) for standing in labelled]
        if notices.withdrawn(comment) or notices.withdrawn(summary[:300]):
            told.append(WorkNotice(Standing.RETRACTED, _REGISTRY))
        years = shapes.years(
            shapes.year_of(_text(entry, "published")), shapes.year_of(_text(entry, "updated"))
        )
        bare = Identifier(scheme=Scheme.ARXIV, value=own.value)
        versions = [Version(VersionKind.PREPRINT, (own, bare), years, "arXiv")]
        published = shapes.doi(_text(entry, "doi"))
        if published is not None and shapes.arxiv_of_doi(published) is None:
            versions.append(Version(VersionKind.PUBLISHED, (published,)))
        names = [shapes.named(_text(node, "name")) for node in entry if local(node) == "author"]
        abstract = shapes.abstract_text(_escaped(summary))
        label = f"arXiv:{own.value}v{own.version}"
        return Work(
            title=title,
            authors=shapes.people(names),
            versions=tuple(versions),
            registries=(_REGISTRY,),
            abstract=Abstract(abstract, _REGISTRY, VersionKind.PREPRINT) if abstract else None,
            places=tuple(
                TextPlace(
                    kind,
                    f"{self._texts}/{folder}/{own.value}v{own.version}",
                    VersionKind.PREPRINT,
                    _REGISTRY,
                    label,
                )
                for kind, folder in ((PlaceKind.HTML, "html"), (PlaceKind.PDF, "pdf"))
            ),
            notices=notices.settled(told),
        )


def _same(one: Identifier, asked: Identifier) -> bool:
    return (
        one.scheme is asked.scheme
        and one.value.casefold() == asked.value.casefold()
        and asked.version in (None, one.version)
    )


def _text(node: "Element", name: str) -> str:
    """The text of the first child of this name, its white space made one."""
    for child in node:
        if local(child) == name:
            return " ".join(_all_text(child).split())
    return ""


def _all_text(node: "Element") -> str:
    parts = [node.text or ""]
    for child in node:
        parts.append(_all_text(child) if is_element(child) else entity_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _escaped(text: str) -> str:
    """Plain text in which "<" is less-than, for a reader of markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;")
