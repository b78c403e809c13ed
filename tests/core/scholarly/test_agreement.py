"""Whether a work is what a citation says: the field that differs is named."""

from typing import Any

import pytest

from core.citations.model import Author, Identifier, Scheme, WorkCitation
from core.scholarly.agreement import Field, compare, contradicting, one_work, same_person
from core.scholarly.work import Registry, Version, VersionKind, Work
from tests.core.scholarly import said

DOI = Identifier(scheme=Scheme.DOI, value=said.DOI)
ANA = Author(family="Lindqvist", given="Ana")


def work(**fields: Any) -> Work:
    years = fields.pop("years", (2019,))
    kind = fields.pop("kind", VersionKind.PUBLISHED)
    identifiers = fields.pop("identifiers", (DOI,))
    known = {
        "title": said.TITLE,
        "authors": (ANA, Author(family="Okafor", given="Tom")),
        "versions": (Version(kind, identifiers, years),),
        "registries": (Registry.CROSSREF,),
    }
    return Work(**{**known, **fields})


def citation(**fields: Any) -> WorkCitation:
    known = {"title": said.TITLE, "authors": (ANA,), "year": 2019, "identifiers": (DOI,)}
    return WorkCitation(**{**known, **fields})


def differing(cited: WorkCitation, known: Work) -> list[Field]:
    return [d.field for d in compare(cited, known).differing]


@pytest.mark.parametrize(
    ("cited", "known", "expected"),
    [
        ({}, {}, []),
        ({"title": "Tidal mixing and the oxygen budget of a deep fjord"}, {}, [Field.TITLE]),
        ({"title": "An invented title about plumes"}, {}, [Field.TITLE]),
        ({"authors": (Author(family="Smith", given="J."),)}, {}, [Field.FIRST_AUTHOR]),
        ({"authors": (Author(family="Lindqvist", given="B."),)}, {}, [Field.FIRST_AUTHOR]),
        ({"authors": (Author(family="Okafor", given="Tom"), ANA)}, {}, [Field.FIRST_AUTHOR]),
        ({"year": 2012}, {}, [Field.YEAR]),
        ({"year": 2020}, {}, []),
        ({"year": 2018}, {}, []),
        ({"year": 2021}, {}, [Field.YEAR]),
        ({"year": 2020, "authors": ()}, {}, [Field.YEAR]),
        ({"year": 2020, "title": said.TITLE + ": a survey of two summers"}, {}, [Field.YEAR]),
        ({"year": 2019}, {"years": (2018, 2019)}, []),
        (
            {"title": "Quite another work on plumes", "authors": (Author(family="Smith"),)},
            {},
            [Field.TITLE, Field.FIRST_AUTHOR],
        ),
        ({"title": "", "authors": (), "year": None}, {}, []),
        ({}, {"title": ""}, [Field.TITLE]),
        ({}, {"authors": ()}, []),
        ({}, {"years": ()}, []),
        ({}, {"title": "潮汐", "other_titles": (said.TITLE,)}, []),
    ],
)
def test_the_field_that_differs_is_named(
    cited: dict[str, Any], known: dict[str, Any], expected: list[Field]
) -> None:
    agreement = compare(citation(**cited), work(**known))
    assert [d.field for d in agreement.differing] == expected
    assert agreement.holds == (not expected)
    for difference in agreement.differing:
        assert difference.field.words in difference.sentence


def test_what_the_registry_does_not_know_is_open() -> None:
    agreement = compare(citation(), work(authors=(), years=()))
    assert agreement.unknown == {Field.FIRST_AUTHOR, Field.YEAR}
    assert agreement.agreed == {Field.TITLE, Field.IDENTIFIER}


def test_a_year_beside_is_remarked_upon() -> None:
    agreement = compare(citation(year=2020), work())
    assert agreement.remarks == (
        "The citation gives the year 2020, the registry 2019; everything else is the same.",
    )
    assert Field.YEAR not in agreement.agreed


def test_a_second_pmid_leaves_no_room() -> None:
    pmid = Identifier(scheme=Scheme.PMID, value="1")
    other = Identifier(scheme=Scheme.PMID, value="2")
    known = work(identifiers=(DOI, pmid))
    assert contradicting(other, known) == pmid
    assert contradicting(pmid, known) is None
    assert differing(citation(identifiers=(DOI, other)), known) == [Field.IDENTIFIER]


@pytest.mark.parametrize(
    ("cited", "known", "expected"),
    [
        (("Müller", "K."), ("Mueller", "Katrin"), True),
        (("Muller", ""), ("Müller", "Katrin"), True),
        (("van der Berg", "A."), ("Berg", "Anna"), True),
        (("Berg", "A."), ("Van Der Berg", "Anna"), True),
        (("García", "M."), ("García Márquez", "María"), True),
        (("García Márquez", "M."), ("Márquez", "María"), True),
        (("Smith-Jones", "A."), ("Jones", "Ann"), True),
        (("SMITH", "JA"), ("Smith", "John A."), True),
        (("Smith", "J.-P."), ("Smith", "Jean-Pierre"), True),
        (("Smith", "Robert"), ("Smith", "J. Robert"), True),
        (("Smith", "B"), ("Smith", "John A."), False),
        (("Smith", ""), ("Smith", "John"), True),
        (("Smithson", "J."), ("Smith", "John"), False),
        (("Zhang", "Wei"), ("Wei", "Zhang"), True),
        (("Zhang", ""), ("Wei", "Zhang"), False),
        (("Zhang", "Li"), ("Wei", "Zhang"), False),
        (("王", "伟"), ("Wang", "Wei"), None),
        (("王", "伟"), ("王", "伟"), True),
        (("王", ""), ("李", "伟"), False),
        (("Иванов", "И."), ("Ivanov", "I."), None),
        (("WHO", ""), ("World Health Organization", ""), True),
        (("WHO", ""), ("World Trade Organization", ""), False),
        (("O’Neill", "S"), ("O'Neill", "Siobhan"), True),
        (("Li", "X."), ("Lin", "X."), False),
        (("Ng", ""), ("Ng Wong", "A"), False),
        (("Łuczak", "A."), ("Luczak", "Anna"), True),
        (("de la Cruz", "J"), ("Cruz", "Juan"), True),
    ],
)
def test_names_of_one_person(
    cited: tuple[str, str], known: tuple[str, str], expected: bool | None
) -> None:
    one = Author(family=cited[0], given=cited[1])
    assert same_person(one, Author(family=known[0], given=known[1])) is expected


PREPRINT = Identifier(scheme=Scheme.ARXIV, value="1811.00001")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, True),
        ({"years": (2016,)}, True),
        ({"years": (2012,)}, False),
        ({"years": ()}, False),
        ({"years": (2021,)}, False),
        ({"authors": ()}, False),
        ({"authors": (Author(family="Smith", given="J."),)}, False),
        ({"title": said.TITLE + " in summer"}, False),
        ({"kind": VersionKind.PUBLISHED}, False),
        ({"kind": VersionKind.PUBLISHED, "identifiers": (DOI, PREPRINT)}, True),
        ({"title": "Renamed in review", "identifiers": (DOI, PREPRINT)}, True),
    ],
)
def test_preprint_and_published_are_one_work(fields: dict[str, Any], expected: bool) -> None:
    known = {"kind": VersionKind.PREPRINT, "identifiers": (PREPRINT,), "years": (2018,)}
    preprint = work(**{**known, **fields})
    assert one_work(preprint, work()) is expected
    assert one_work(work(), preprint) is expected


def test_two_works_of_one_title_are_two() -> None:
    other = Identifier(scheme=Scheme.DOI, value="10.1000/other")
    assert not one_work(work(), work(identifiers=(other,)))


def test_a_shared_isbn_is_a_book_and_not_a_work() -> None:
    isbn = Identifier(scheme=Scheme.ISBN, value="9780306406157")
    chapter = Identifier(scheme=Scheme.DOI, value="10.1000/chapter")
    assert not one_work(work(identifiers=(DOI, isbn)), work(identifiers=(chapter, isbn)))
