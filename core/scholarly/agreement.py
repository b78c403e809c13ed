"""Whether a work is what a citation says: its title, its first author, its year.

A real DOI under an invented title is a mismatch, not a match. What the citation does not say
cannot disagree; what it says and the registry does not know, does not agree.
"""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from core.citations.model import Author, Identifier, Scheme, WorkCitation
from core.scholarly import titles
from core.scholarly.work import VersionKind, Work


class Field(StrEnum):
    """What a citation says of a work and a registry can confirm."""

    IDENTIFIER = "identifier"
    TITLE = "title"
    FIRST_AUTHOR = "first_author"
    YEAR = "year"

    @property
    def words(self) -> str:
        """The field as a person reads it."""
        return _WORDS[self]


_WORDS = {
    Field.IDENTIFIER: "identifier",
    Field.TITLE: "title",
    Field.FIRST_AUTHOR: "first author",
    Field.YEAR: "year",
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A field in which a citation and a work differ, with what each says."""

    field: Field
    cited: str
    known: str

    @property
    def sentence(self) -> str:
        """The disagreement as a person reads it."""
        name = self.field.words
        if not self.known:
            return f"The citation gives the {name} as “{self.cited}”; the registry knows none."
        return f"The {name} differs: “{self.cited}” is cited, the registry has “{self.known}”."


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a work fits a citation.

    Attributes: `agreed`, the fields that say the same; `differing`; `unknown`, the fields that the
    citation gives and the registry does not; `similarity`, 0..1, of the titles; `exact`, whether
    the titles differ in typography at most; `remarks`, sentences for the person.
    """

    agreed: frozenset[Field]
    differing: tuple[Disagreement, ...] = ()
    unknown: frozenset[Field] = frozenset()
    similarity: float = 0.0
    exact: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing differs."""
        return not self.differing


def compare(citation: WorkCitation, work: Work) -> Agreement:
    """How `work` fits what `citation` says of it."""
    agreed: set[Field] = set()
    unknown: set[Field] = set()
    differing: list[Disagreement] = []
    remarks: list[str] = []

    similarity, exact = 0.0, False
    if citation.title:
        similarity = max((titles.similarity(citation.title, t) for t in work.titles), default=0.0)
        exact = any(titles.same(citation.title, t) for t in work.titles)
        if exact or any(titles.near(citation.title, t) for t in work.titles):
            agreed.add(Field.TITLE)
        else:
            differing.append(Disagreement(Field.TITLE, citation.title, work.title))

    if citation.authors:
        verdict = _first_author(citation.authors[0], work)
        if verdict is None:
            unknown.add(Field.FIRST_AUTHOR)
        elif verdict:
            agreed.add(Field.FIRST_AUTHOR)
        else:
            known = work.authors[0]
            differing.append(
                Disagreement(Field.FIRST_AUTHOR, _shown(citation.authors[0]), _shown(known))
            )

    if citation.year is not None:
        if not work.years:
            unknown.add(Field.YEAR)
        elif citation.year in work.years:
            agreed.add(Field.YEAR)
        elif exact and Field.FIRST_AUTHOR in agreed and _beside(citation.year, work.years):
            # A work online in December is printed in January, and registries may know one of both.
            remarks.append(
                f"The citation gives the year {citation.year}, the registry "
                f"{_listed(work.years)}; everything else is the same."
            )
        else:
            differing.append(Disagreement(Field.YEAR, str(citation.year), _listed(work.years)))

    for identifier in citation.identifiers:
        other = contradicting(identifier, work)
        if other is not None:
            differing.append(Disagreement(Field.IDENTIFIER, identifier.canonical, other.canonical))
        elif has(work, identifier):
            agreed.add(Field.IDENTIFIER)

    return Agreement(
        frozenset(agreed),
        tuple(differing),
        frozenset(unknown),
        1.0 if exact else similarity,
        exact,
        tuple(remarks),
    )


def has(work: Work, identifier: Identifier) -> bool:
    """Whether `identifier` is one of the work's; an arXiv id without a version is any version."""
    return any(
        known.scheme is identifier.scheme
        and known.value == identifier.value
        and (known.version == identifier.version or None in (known.version, identifier.version))
        for known in work.identifiers
    )


def contradicting(identifier: Identifier, work: Work) -> Identifier | None:
    """An identifier of the work that leaves no room for this one; None where there is room.

    A work has one PMID and one PMCID. It may have several DOIs, of versions and of components, so
    that another DOI alone proves nothing; whoever is given two asks for both.
    """
    if identifier.scheme not in (Scheme.PMID, Scheme.PMCID) or has(work, identifier):
        return None
    return next(iter(work.of(identifier.scheme)), None)


def one_work(first: Work, second: Work) -> bool:
    """Whether two records are of one work: the same version twice, or preprint and published.

    A shared identifier says so. Without one, title and first author must be the same, not only
    near, the years no more than `MOST_YEARS_TO_PRINT` apart, and exactly one of them a preprint.
    """
    shared = {i for i in first.identifiers if i.scheme is not Scheme.ISBN}
    if not shared.isdisjoint(second.identifiers):
        return True
    kinds = {v.kind for v in first.versions}, {v.kind for v in second.versions}
    preprints = [kind == {VersionKind.PREPRINT} for kind in kinds]
    if preprints[0] == preprints[1]:
        return False
    if not any(titles.same(a, b) for a in first.titles for b in second.titles):
        return False
    if not (first.authors and second.authors and first.years and second.years):
        return False
    if same_person(first.authors[0], second.authors[0]) is not True:
        return False
    posted, printed = (first, second) if preprints[0] else (second, first)
    return -1 <= printed.years[0] - posted.years[0] <= MOST_YEARS_TO_PRINT


MOST_YEARS_TO_PRINT = 4
"""Years from a preprint to its publication beyond which the same title is taken for chance."""


def same_person(cited: Author, known: Author) -> bool | None:
    """Whether two names may be one person's; None where they are in different scripts.

    Family names must be the same but for accents, particles and one part of a double name; the
    initials of given names must not differ.
    """
    if not titles.comparable(cited.family, known.family):
        return None
    if _families_match(cited.family, known.family):
        return _initials_match(cited.given, known.given)
    if known.given and _families_match(cited.family, known.given):
        # Family name first, as in China, Hungary or Vietnam, taken for the given name.
        return bool(cited.given) and _initials_match(cited.given, known.family)
    return _is_acronym(cited, known) or _is_acronym(known, cited)


def _first_author(cited: Author, work: Work) -> bool | None:
    return same_person(cited, work.authors[0]) if work.authors else None


def _families_match(one: str, other: str) -> bool:
    if not titles.name_forms(one).isdisjoint(titles.name_forms(other)):
        return bool(titles.name_words(one))
    first, second = titles.name_words(one), titles.name_words(other)
    shorter, longer = sorted((first, second), key=len)
    if not shorter or len(longer) == len(shorter) or len("".join(shorter)) < 3:
        return False
    size = len(shorter)
    return longer[:size] == shorter or longer[-size:] == shorter


def _initials_match(one: str, other: str) -> bool:
    first, second = _initials(one), _initials(other)
    if not first or not second or not titles.comparable(one, other):
        return True
    return not first.isdisjoint(second)


def _initials(given: str) -> frozenset[str]:
    """The letters that given names begin with; "JA" and "J.A." are two names."""
    bare = given.replace(".", " ").strip()
    if bare.isupper() and bare.isalpha() and len(bare) <= 4:
        bare = " ".join(bare)
    words = "".join(c if c.isalpha() else " " for c in unicodedata.normalize("NFKC", bare)).split()
    return frozenset(titles.title_words(word)[0][0] for word in words if titles.title_words(word))


def _is_acronym(short: Author, long: Author) -> bool:
    """Whether one body's name is the other's initials ("WHO", "World Health Organization")."""
    name = short.family.strip()
    if short.given or long.given or not (name.isupper() and name.isalpha() and len(name) > 1):
        return False
    words = [w for w in long.family.replace("-", " ").split() if w[:1].isupper()]
    return "".join(w[0] for w in words) == name


def _beside(year: int, years: tuple[int, ...]) -> bool:
    return any(abs(year - known) == 1 for known in years)


def _listed(years: tuple[int, ...]) -> str:
    return ", ".join(map(str, years))


def _shown(author: Author) -> str:
    return f"{author.family}, {author.given}" if author.given else author.family
