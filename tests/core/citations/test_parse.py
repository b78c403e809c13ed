"""One citation in every form that a person may have it in."""

import pytest

from core.citations.model import FrameworkCitation, WorkCitation
from core.citations.parse import read_citation

DOI = "doi:10.1371/journal.pmed.0010001"


@pytest.mark.parametrize(
    ("text", "identifier", "title"),
    [
        (DOI, DOI, ""),
        ("https://doi.org/10.1371/JOURNAL.PMED.0010001.", DOI, ""),
        ("arXiv:2101.00001v2", "arxiv:2101.00001v2", ""),
        ("PMC1234567", "pmcid:PMC1234567", ""),
        ("PMID: 30000001", "pmid:30000001", ""),
        (
            "Smith J, Doe A. Nets and malaria mortality in Kenya. Lancet 2009;373:12-19.",
            None,
            "Nets and malaria mortality in Kenya",
        ),
        (
            "@article{nets, title={Nets and malaria}, author={Smith, John}, year={2009}}",
            None,
            "Nets and malaria",
        ),
        ("TY  - JOUR\nTI  - Nets and malaria\nAU  - Smith, John\nPY  - 2009\nER  - \n", None,
         "Nets and malaria"),
        ('{"type": "article-journal", "title": "Nets and malaria"}', None, "Nets and malaria"),
    ],
)  # fmt: skip
def test_works(text: str, identifier: str | None, title: str) -> None:
    found = read_citation(text)
    assert isinstance(found, WorkCitation)
    assert found.title == title
    assert [i.canonical for i in found.identifiers] == ([identifier] if identifier else [])


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("GDPR Art. 28(3)(a)", "GDPR Article 28(3)(a)"),
        ("ISO 27001:2022, A.5.19", "ISO/IEC 27001:2022 A.5.19"),
    ],
)
def test_frameworks(text: str, canonical: str) -> None:
    found = read_citation(text)
    assert isinstance(found, FrameworkCitation)
    assert found.canonical == canonical


@pytest.mark.parametrize("text", ["", " ", "?", "the big book", "see above", "[3]", "\x00"])
def test_what_is_no_citation(text: str) -> None:
    assert read_citation(text) is None


def test_several_are_refused() -> None:
    with pytest.raises(ValueError, match="2 citations"):
        read_citation("@book{a, title={One}}\n@book{b, title={Two}}")
