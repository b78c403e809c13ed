"""Answers as the registries document them, about works that do not exist."""

from typing import Any

DOI = "10.1000/harbour.2019.7"
TITLE = "Tidal mixing and the oxygen budget of a shallow harbour"
ABSTRACT = "Mixing supplied 10^3 moles of oxygen."


def crossref(**fields: Any) -> dict[str, Any]:
    """A work of Crossref."""
    return {"status": "ok", "message-type": "work", "message": crossref_item(**fields)}


def crossref_list(*items: dict[str, Any]) -> dict[str, Any]:
    """A list of works of Crossref."""
    return {
        "status": "ok",
        "message-type": "work-list",
        "message": {"total-results": len(items), "items": list(items), "items-per-page": 5},
    }


def crossref_item(**fields: Any) -> dict[str, Any]:
    item = {
        "DOI": DOI,
        "type": "journal-article",
        "title": [TITLE],
        "container-title": ["Journal of Estuarine Studies"],
        "author": [
            {"given": "Ana", "family": "Lindqvist", "sequence": "first", "affiliation": []},
            {"given": "Tom", "family": "Okafor", "sequence": "additional", "affiliation": []},
        ],
        "issued": {"date-parts": [[2019, 4]]},
        "published-print": {"date-parts": [[2019, 4, 1]]},
        "abstract": "<jats:title>Abstract</jats:title><jats:p>Mixing supplied 10<jats:sup>3"
        "</jats:sup> moles of oxygen.</jats:p>",
        "score": 1.0,
        "reference-count": 31,
    }
    return {**item, **fields}


def openalex(**fields: Any) -> dict[str, Any]:
    """A work of OpenAlex."""
    work = {
        "id": "https://openalex.org/W100",
        "doi": f"https://doi.org/{DOI}",
        "title": TITLE,
        "display_name": TITLE,
        "publication_year": 2019,
        "type": "article",
        "ids": {
            "openalex": "https://openalex.org/W100",
            "pmid": "https://pubmed.ncbi.nlm.nih.gov/30000001",
        },
        "authorships": [
            {
                "author_position": "first",
                "author": {"id": "https://openalex.org/A1", "display_name": "Ana Lindqvist"},
                "raw_author_name": "Ana Lindqvist",
            },
            {
                "author_position": "last",
                "author": {"id": "https://openalex.org/A2", "display_name": "Tom Okafor"},
                "raw_author_name": "Tom Okafor",
            },
        ],
        "primary_location": {
            "is_oa": False,
            "pdf_url": None,
            "version": "publishedVersion",
            "source": {"id": "https://openalex.org/S1", "display_name": "J. Estuarine Stud."},
        },
        "best_oa_location": None,
        "locations": [],
        "abstract_inverted_index": {"Mixing": [0], "supplied": [1], "oxygen.": [2]},
        "is_retracted": False,
    }
    return {**work, **fields}


def semantic_scholar(**fields: Any) -> dict[str, Any]:
    """A paper of Semantic Scholar."""
    paper = {
        "paperId": "649def34f8be52c8b66281af98ae884c09aef38b",
        "externalIds": {"DOI": DOI.upper(), "CorpusId": 100, "PubMed": "30000001"},
        "title": TITLE,
        "abstract": "Mixing supplied oxygen.",
        "venue": "Journal of Estuarine Studies",
        "year": 2019,
        "authors": [
            {"authorId": "1", "name": "Ana Lindqvist"},
            {"authorId": None, "name": "T. Okafor"},
        ],
    }
    return {**paper, **fields}


def arxiv(*entries: str) -> str:
    """A feed of arXiv."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom">\n'
        '<title type="html">ArXiv Query</title><id>http://arxiv.org/api/x</id>'
        '<opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1'
        "</opensearch:totalResults>" + "".join(entries) + "</feed>"
    )


def arxiv_entry(
    id: str = "1903.04567v2",
    title: str = TITLE.replace("budget ", "budget\n  "),
    authors: tuple[str, ...] = ("Ana Lindqvist", "Tom Okafor"),
    published: str = "2018-11-20T17:59:59Z",
    summary: str = "  Mixing supplied oxygen\n  where p &lt; 0.05.\n",
    more: str = "",
) -> str:
    named = "".join(f"<author><name>{name}</name></author>" for name in authors)
    return (
        f"<entry><id>http://arxiv.org/abs/{id}</id><updated>2019-03-11T00:00:00Z</updated>"
        f"<published>{published}</published><title>{title}</title><summary>{summary}</summary>"
        f"{named}{more}<link href='http://arxiv.org/abs/{id}' rel='alternate'/>"
        '<category term="physics.ao-ph" scheme="http://arxiv.org/schemas/atom"/></entry>'
    )


ARXIV_ERROR = arxiv(
    "<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_9999</id>"
    "<title>Error</title><summary>incorrect id format for 9999</summary></entry>"
)


def europe_pmc(*results: dict[str, Any]) -> dict[str, Any]:
    """A list of Europe PMC."""
    return {
        "version": "6.9",
        "hitCount": len(results),
        "request": {"queryString": "x", "resultType": "core", "pageSize": 5},
        "resultList": {"result": list(results)},
    }


def europe_pmc_result(**fields: Any) -> dict[str, Any]:
    result = {
        "id": "30000001",
        "source": "MED",
        "pmid": "30000001",
        "pmcid": "PMC7000001",
        "doi": DOI,
        "title": TITLE + ".",
        "authorString": "Lindqvist A, Okafor T.",
        "authorList": {
            "author": [
                {
                    "fullName": "Lindqvist A",
                    "firstName": "Ana",
                    "lastName": "Lindqvist",
                    "initials": "A",
                },
                {"fullName": "Okafor T", "lastName": "Okafor", "initials": "T"},
            ]
        },
        "journalInfo": {
            "volume": "7",
            "yearOfPublication": 2019,
            "journal": {"title": "Journal of estuarine studies", "issn": "1234-5678"},
        },
        "pubYear": "2019",
        "abstractText": "<h4>Results</h4>Mixing supplied 10<sup>3</sup> moles.",
        "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
        "isOpenAccess": "Y",
        "inEPMC": "Y",
        "inPMC": "N",
        "hasPDF": "Y",
        "fullTextUrlList": {
            "fullTextUrl": [
                {
                    "availability": "Subscription required",
                    "availabilityCode": "S",
                    "documentStyle": "doi",
                    "site": "DOI",
                    "url": f"https://doi.org/{DOI}",
                }
            ]
        },
    }
    return {**result, **fields}


def pubmed(article: str = "") -> str:
    """An answer of efetch."""
    return (
        '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st '
        'January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
        f"<PubmedArticleSet>{article}</PubmedArticleSet>"
    )


def pubmed_article(
    pmid: str = "30000001",
    title: str = TITLE + ".",
    kinds: tuple[str, ...] = ("Journal Article",),
    links: tuple[str, ...] = (),
    abstract: str = '<AbstractText Label="RESULTS" NlmCategory="RESULTS">Mixing supplied 10'
    "<sup>3</sup> moles &amp; more.</AbstractText>",
) -> str:
    types = "".join(f'<PublicationType UI="D1">{kind}</PublicationType>' for kind in kinds)
    comments = "".join(
        f'<CommentsCorrections RefType="{link}"><RefSource>J. 2020</RefSource>'
        '<PMID Version="1">31</PMID></CommentsCorrections>'
        for link in links
    )
    return (
        "<PubmedArticle><MedlineCitation Status='MEDLINE' Owner='NLM'>"
        f"<PMID Version='1'>{pmid}</PMID><Article PubModel='Print-Electronic'>"
        "<Journal><ISSN>1234-5678</ISSN><JournalIssue CitedMedium='Internet'><Volume>7</Volume>"
        "<PubDate><MedlineDate>2019 Jan-Feb</MedlineDate></PubDate></JournalIssue>"
        "<Title>Journal of estuarine studies</Title></Journal>"
        f"<ArticleTitle>{title}</ArticleTitle><Abstract>{abstract}</Abstract>"
        "<AuthorList CompleteYN='Y'><Author ValidYN='Y'><LastName>Lindqvist</LastName>"
        "<ForeName>Ana</ForeName><Initials>A</Initials></Author>"
        "<Author><CollectiveName>Harbour Group</CollectiveName></Author></AuthorList>"
        f"<PublicationTypeList>{types}</PublicationTypeList>"
        "<ArticleDate DateType='Electronic'><Year>2018</Year></ArticleDate></Article>"
        f"<CommentsCorrectionsList>{comments}</CommentsCorrectionsList></MedlineCitation>"
        "<PubmedData><ArticleIdList>"
        f"<ArticleId IdType='pubmed'>{pmid}</ArticleId><ArticleId IdType='doi'>{DOI}</ArticleId>"
        "<ArticleId IdType='pmc'>PMC7000001</ArticleId></ArticleIdList>"
        "<ReferenceList><Reference><ArticleIdList><ArticleId IdType='doi'>10.9999/cited"
        "</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData></PubmedArticle>"
    )


def unpaywall(*locations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """An answer of Unpaywall, the first location its best one."""
    return {
        "doi": DOI,
        "is_oa": bool(locations),
        "title": TITLE,
        "year": 2019,
        "best_oa_location": locations[0] if locations else None,
        "oa_locations": list(locations),
        **fields,
    }


def csl(**fields: Any) -> dict[str, Any]:
    """A work in CSL-JSON, as DataCite gives it."""
    return {
        "type": "article-journal",
        "id": f"https://doi.org/{DOI}",
        "title": TITLE,
        "author": [{"family": "Lindqvist", "given": "Ana"}, {"literal": "Harbour Group"}],
        "issued": {"date-parts": [[2019, 4]]},
        "publisher": "Harbour Archive",
        "DOI": DOI.upper(),
        **fields,
    }


def agency(name: str = "", status: str = "") -> list[dict[str, str]]:
    """An answer of doi.org about an agency."""
    return [{"DOI": DOI, "RA": name} if name else {"DOI": DOI, "status": status}]


JATS = (
    '<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "x.dtd">'
    "<article><front/><body><sec><p>Mixing supplied oxygen.</p></sec></body></article>"
)
HTML = "<!DOCTYPE html><html><body><article class='ltx_document'>Mixing.</article></body></html>"
PDF = b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n<<>>\nendobj\n%%EOF"
