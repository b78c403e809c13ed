"""Unpaywall (https://unpaywall.org/products/api): where an open copy lies. It has no abstracts.

It answers nobody without a contact address, and status 422 to one that is no address.
"""

from core.citations.model import Identifier, Scheme
from core.scholarly import shapes
from core.scholarly.asking import Asker, Enquiry, Question, path
from core.scholarly.endpoints import Endpoints, require
from core.scholarly.openalex import version_kind
from core.scholarly.reply import Reply
from core.scholarly.work import PlaceKind, Registry, TextPlace

_REGISTRY = Registry.UNPAYWALL


class _Location(shapes.Shape):
    url_for_pdf: str | None = None
    version: str | None = None


class _Answer(shapes.Shape):
    doi: str
    best_oa_location: _Location | None = None
    oa_locations: list[_Location] | None = None


class Unpaywall:
    """Open copies by DOI."""

    def __init__(self, asker: Asker, endpoints: Endpoints) -> None:
        self._asker = asker
        self._home = endpoints.of(_REGISTRY)

    @property
    def usable(self) -> bool:
        """Whether there is a contact address to ask with."""
        return bool(self._asker.access.contact)

    def places(self, identifier: Identifier, enquiry: Enquiry) -> tuple[TextPlace, ...]:
        """PDF copies whose version is told, the best one first. Raises `RegistryError`."""
        require(identifier, Scheme.DOI)
        question = Question(f"{self._home}/v2/{path(identifier.value)}", _REGISTRY)
        return self._asker.ask(question, _read, enquiry) or ()


def _read(reply: Reply) -> tuple[TextPlace, ...]:
    answer = shapes.json_of(reply, _Answer, _REGISTRY)
    places: list[TextPlace] = []
    for location in (answer.best_oa_location, *(answer.oa_locations or ())):
        version = version_kind(location.version) if location else None
        if location and location.url_for_pdf and version:
            places.append(TextPlace(PlaceKind.PDF, location.url_for_pdf, version, _REGISTRY))
    return tuple(dict.fromkeys(places))
