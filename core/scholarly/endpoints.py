"""Where the registries are, and which hosts the network is opened to for citations."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.citations.model import Identifier, Scheme, WorkCitation
from core.egress_policy import Allowance, Purpose
from core.scholarly.work import Registry

HOMES: Mapping[Registry, str] = {
    Registry.CROSSREF: "https://api.crossref.org",
    Registry.OPENALEX: "https://api.openalex.org",
    Registry.SEMANTIC_SCHOLAR: "https://api.semanticscholar.org/graph/v1",
    Registry.ARXIV: "https://export.arxiv.org",
    Registry.EUROPE_PMC: "https://www.ebi.ac.uk/europepmc/webservices/rest",
    Registry.PUBMED: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    Registry.UNPAYWALL: "https://api.unpaywall.org",
    Registry.DOI_ORG: "https://doi.org",
}

ARXIV_TEXTS = "https://arxiv.org"

REGISTRY_HOSTS = frozenset(
    {
        "api.crossref.org",
        "api.openalex.org",
        "api.semanticscholar.org",
        "export.arxiv.org",
        "www.ebi.ac.uk",
        "eutils.ncbi.nlm.nih.gov",
        "api.unpaywall.org",
        "doi.org",
        # To these doi.org points for metadata of DOIs of other agencies.
        "data.crosscite.org",
        "data.crossref.org",
        "data.datacite.org",
        "api.datacite.org",
        "data.medra.org",
    }
)

TEXT_HOSTS = frozenset(
    {
        "arxiv.org",
        "europepmc.org",
        "pmc.ncbi.nlm.nih.gov",
        "www.biorxiv.org",
        "www.medrxiv.org",
        "zenodo.org",
        "journals.plos.org",
        "www.frontiersin.org",
        "www.mdpi.com",
        "elifesciences.org",
        "cdn.elifesciences.org",
        "peerj.com",
        "aclanthology.org",
        "proceedings.mlr.press",
        "openaccess.thecvf.com",
        "www.jmlr.org",
    }
)
"""Repositories and open-access publishers; a person may add others."""


def allowance(*more: str) -> Allowance:
    """The hosts for looking up citations, with a person's own. Raises ValueError for no host."""
    return Allowance(Purpose.CITATION, REGISTRY_HOSTS | TEXT_HOSTS | set(more))


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Addresses, without a slash at their end; tests put their own servers here."""

    homes: Mapping[Registry, str] = field(default_factory=lambda: HOMES)
    arxiv_texts: str = ARXIV_TEXTS

    def of(self, registry: Registry) -> str:
        """The address of a registry."""
        return self.homes[registry]


LONGEST_QUERY = 300
"""Characters of a field that are sent."""


def query_title(citation: WorkCitation) -> str:
    """The title as it is sent: one line, not without end."""
    return " ".join(citation.title.split())[:LONGEST_QUERY]


def query_family(citation: WorkCitation) -> str:
    """The first author's family name as it is sent."""
    family = citation.authors[0].family if citation.authors else ""
    return " ".join(family.split())[:LONGEST_QUERY]


def require(identifier: Identifier, *schemes: Scheme) -> None:
    """Raise ValueError for an identifier that a registry does not know."""
    if identifier.scheme not in schemes:
        raise ValueError(f"this registry has no works by {identifier.scheme.value}")
