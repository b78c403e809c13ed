"""All registries, ready to be asked."""

from dataclasses import dataclass

from core.scholarly.arxiv import Arxiv
from core.scholarly.asking import Asker
from core.scholarly.crossref import Crossref
from core.scholarly.doi_org import DoiOrg
from core.scholarly.endpoints import Endpoints
from core.scholarly.europe_pmc import EuropePmc
from core.scholarly.openalex import OpenAlex
from core.scholarly.pubmed import PubMed
from core.scholarly.semantic_scholar import SemanticScholar
from core.scholarly.unpaywall import Unpaywall


@dataclass(frozen=True, slots=True)
class Registries:
    """One client for each registry."""

    asker: Asker
    crossref: Crossref
    openalex: OpenAlex
    semantic_scholar: SemanticScholar
    arxiv: Arxiv
    europe_pmc: EuropePmc
    pubmed: PubMed
    unpaywall: Unpaywall
    doi_org: DoiOrg

    @classmethod
    def over(cls, asker: Asker, endpoints: Endpoints | None = None) -> "Registries":
        """The registries as `asker` reaches them."""
        at = endpoints or Endpoints()
        return cls(
            asker=asker,
            crossref=Crossref(asker, at),
            openalex=OpenAlex(asker, at),
            semantic_scholar=SemanticScholar(asker, at),
            arxiv=Arxiv(asker, at),
            europe_pmc=EuropePmc(asker, at),
            pubmed=PubMed(asker, at),
            unpaywall=Unpaywall(asker, at),
            doi_org=DoiOrg(asker, at),
        )
