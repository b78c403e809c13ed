import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.model import Author, WorkCitation
from core.citations.works.bibtex import read_bibtex
from core.citations.works.csl import read_csl
from core.citations.works.latex import plain_latex
from core.citations.works.read import has_fields, read_entries, read_work, read_works
from core.citations.works.ris import read_ris

BIBTEX = r"""
% A comment of the whole file, with an @ in it.
@string{jcs = "Journal of Clinical Sleep"}
@comment{not an entry}

@Article{nguyen2019,
  author  = {Nguyen, T. H. and van der Berg, Ole and {World Health Organization} and others},
  title   = {{Sleep} Restriction and $\beta$-Cells: A {\"U}bersicht},
  journal = jcs,
  year    = 2019,
  volume  = 14, number = "3",
  pages   = {221--230},
  doi     = {10.1234/JCS.2019.0143},
}

@inproceedings(smith:2020,
  author = "Jane Q. Smith and Jos{\'e} de la Cruz and Moore, Jr., Roy",
  title = "On " # "Graphs",
  booktitle = {Proc. of the 3rd Workshop},
  date = {2020-05-01},
  eprint = {2005.00001}, archiveprefix = {arXiv},
  url = {https://example.org/a\_b}
)

@book{knuth, author={Knuth, Donald E.}, title={The {\TeX}book}, year={1984},
  isbn={0-201-13447-0}, publisher={Addison-Wesley}}
"""


def test_bibtex() -> None:
    entries = read_bibtex(BIBTEX)
    assert entries.faults == ()
    first, second, third = entries.citations
    assert first.key == "nguyen2019"
    assert first.authors == (
        Author(family="Nguyen", given="T. H."),
        Author(family="van der Berg", given="Ole"),
        Author(family="World Health Organization"),
    )
    assert first.others
    assert first.title == "Sleep Restriction and β-Cells: A Übersicht"
    assert (first.container, first.year) == ("Journal of Clinical Sleep", 2019)
    assert (first.volume, first.issue, first.pages) == ("14", "3", "221-230")
    assert [i.canonical for i in first.identifiers] == ["doi:10.1234/jcs.2019.0143"]
    assert second.authors == (
        Author(family="Smith", given="Jane Q."),
        Author(family="de la Cruz", given="José"),
        Author(family="Moore Jr.", given="Roy"),
    )
    assert (second.title, second.year) == ("On Graphs", 2020)
    assert {i.canonical for i in second.identifiers} == {
        "arxiv:2005.00001",
        "https://example.org/a_b",
    }
    assert third.title == "The TeXbook"
    assert [i.canonical for i in third.identifiers] == ["isbn:9780201134476"]
    assert BIBTEX[third.start :].startswith("@book{knuth")
    assert BIBTEX[: third.end].endswith("Addison-Wesley}}")


def test_a_malformed_entry_is_named_and_the_others_are_read() -> None:
    text = "@article{a, title={No end\n}\n\n@article{b, title={Good}, year=2001}\n@article{, x={y}}"
    entries = read_bibtex(text)
    assert [work.key for work in entries.citations] == ["b"]
    assert entries.faults == (
        "The BibTeX entry on line 1 is not well formed.",
        "The BibTeX entry on line 5 is not well formed.",
    )


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"Schr{\"o}dinger", "Schrödinger"),
        (r"G\"odel and Erd\H{o}s", "Gödel and Erdős"),
        (r"{\L}ukasiewicz, {\O}rsted, Stra{\ss}e", "Łukasiewicz, Ørsted, Straße"),
        (r"Fran\c{c}ois \v{S}afa\v{r}\'{\i}k", "François Šafařík"),
        (r"1990--2000 \& more~text", "1990–2000 & more text"),
        (r"{\emph{Escherichia} coli}", "Escherichia coli"),
        (r"``quoted''", "“quoted”"),
        ("plain", "plain"),
        (r"\unknowncommand stays", r"\unknowncommand stays"),
    ],
)
def test_latex(latex: str, plain: str) -> None:
    assert plain_latex(latex) == plain


RIS = """TY  - JOUR
AU  - Nguyen, T. H.
AU  - Moore, Roy, Jr.
TI  - Sleep restriction and
      insulin sensitivity
T2  - Journal of Clinical Sleep
PY  - 2019/03/01
VL  - 14
IS  - 3
SP  - 221
EP  - 230
DO  - 10.1234/jcs.2019.0143
SN  - 0028-0836
ER  -\x20

TY  - BOOK
A1  - Kahneman, Daniel
T1  - Thinking, fast and slow
Y1  - 2011
SN  - 978-0-374-27563-1
ER  -
"""

MEDLINE = """PMID- 17420288
TI  - Error bars in experimental biology.
FAU - Cumming, Geoff
AU  - Cumming G
FAU - Vaux, David L
AU  - Vaux DL
JT  - The Journal of cell biology
VI  - 177
IP  - 1
PG  - 7-11
DP  - 2007 Apr 9
PMC - PMC2064100
AID - 10.1083/jcb.200611141 [doi]
"""


def test_ris() -> None:
    entries = read_ris(RIS)
    assert entries.faults == ()
    first, second = entries.citations
    assert [a.family for a in first.authors] == ["Nguyen", "Moore Jr."]
    assert first.title == "Sleep restriction and insulin sensitivity"
    assert (first.year, first.container) == (2019, "Journal of Clinical Sleep")
    assert (first.volume, first.issue, first.pages) == ("14", "3", "221-230")
    assert [i.canonical for i in first.identifiers] == [
        "doi:10.1234/jcs.2019.0143",
        "issn:0028-0836",
    ]
    assert [i.canonical for i in second.identifiers] == ["isbn:9780374275631"]
    assert second.container == ""
    assert RIS[first.start :].startswith("TY  - JOUR")


def test_medline() -> None:
    (work,) = read_ris(MEDLINE).citations
    assert [(a.family, a.given) for a in work.authors] == [
        ("Cumming", "Geoff"),
        ("Vaux", "David L"),
    ]
    assert work.title == "Error bars in experimental biology"
    assert (work.year, work.volume, work.issue, work.pages) == (2007, "177", "1", "7-11")
    assert {i.canonical for i in work.identifiers} == {
        "pmid:17420288",
        "pmcid:PMC2064100",
        "doi:10.1083/jcb.200611141",
    }


def test_an_entry_without_its_end_is_named() -> None:
    entries = read_ris("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\nER  - \n")
    assert [work.title for work in entries.citations] == ["One", "Two"]
    assert entries.faults == ("The RIS entry on line 1 has no end (ER).",)


def test_csl_json() -> None:
    item = {
        "id": "ng11",
        "type": "article-journal",
        "title": "Sleep and the <i>adolescent</i> brain",
        "author": [
            {"family": "Ng", "given": "K."},
            {"family": "Berg", "given": "O.", "non-dropping-particle": "van der"},
            {"literal": "The Sleep Group"},
        ],
        "container-title": ["Sleep Letters"],
        "issued": {"date-parts": [[2011, 4]]},
        "volume": 4,
        "issue": "2",
        "page": "11–19",
        "DOI": "10.1000/ABC",
        "URL": "https://doi.org/10.1000/abc",
    }
    for shape in (item, [item], {"items": [item]}):
        (work,) = read_csl(json.dumps(shape)).citations
        assert work.title == "Sleep and the adolescent brain"
        assert [a.family for a in work.authors] == ["Ng", "van der Berg", "The Sleep Group"]
        assert (work.year, work.container, work.volume) == (2011, "Sleep Letters", "4")
        assert (work.issue, work.pages, work.key) == ("2", "11-19", "ng11")
        assert [i.canonical for i in work.identifiers] == ["doi:10.1000/abc"]


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2]", '"a"', '{"items": 3}', "[" * 5000, '{"a": 1}', "NaN"]
)
def test_what_is_no_csl_json_is_said_to_be_none(text: str) -> None:
    entries = read_csl(text)
    assert entries.citations == ()
    assert entries.faults


def test_the_form_is_found_by_its_content() -> None:
    assert [work.key for work in read_works(BIBTEX)] == ["nguyen2019", "smith:2020", "knuth"]
    assert read_work(RIS).year == 2019
    assert read_work("  doi:10.1000/1.").identifiers[0].value == "10.1000/1"
    assert read_work("Roe P. More notes. Sleep Lett. 2011;4:3-4.").volume == "4"
    assert read_entries("mail me@example.org {now}") is None
    assert [work.start for work in read_works("see arXiv:2101.00001 and PMID: 12345")] == [4, 25]
    assert not has_fields(read_work("The weather was fine in May 2019."))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["author", "issued", "date-parts", "title", "DOI", "family", "items", "page"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON)
def test_any_json_is_read_without_an_error(data: Any) -> None:
    assert all(isinstance(work, WorkCitation) for work in read_csl(json.dumps(data)).citations)


@given(
    st.sampled_from([BIBTEX, RIS, MEDLINE]),
    st.integers(0, 900),
    st.integers(0, 40),
    st.one_of(st.text(max_size=4), st.sampled_from(["{", "}", '"', "@a{", "ER  - \n", "\\"])),
)
def test_mutated_databases_are_read_without_an_error(
    text: str, at: int, cut: int, put: str
) -> None:
    mutated = text[:at] + put + text[at + cut :]
    for read in (read_bibtex, read_ris):
        for work in read(mutated).citations:
            assert 0 <= work.start <= work.end <= len(mutated)


@pytest.mark.parametrize(
    "unit",
    ["@article{", "@article{a,title={", '@a{b,c="', "TY  - ", "a\n", "@a{b,c=d#", "{", "\\'"],
)
def test_long_databases_end(unit: str) -> None:
    text = "TY  - JOUR\nTI  - " + unit * 20_000
    assert read_bibtex(text).citations == ()
    assert len(read_ris(text).citations) <= 20_001
