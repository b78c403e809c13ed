"""From a citation to the one work that it means, or to the reason why there is none.

    resolution = Resolver(registries).resolve(citation)

An identifier is looked up and must agree with the rest of the citation; without one the title is
searched for, if it tells enough. Whatever is unsure is no match.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from core.citations.model import Identifier, Scheme, WorkCitation
from core.scholarly import titles
from core.scholarly.agreement import (
    MOST_YEARS_TO_PRINT,
    Agreement,
    Disagreement,
    Field,
    compare,
    has,
    one_work,
    same_person,
)
from core.scholarly.asking import Enquiry
from core.scholarly.errors import RegistryError
from core.scholarly.registries import Registries
from core.scholarly.resolution import (
    Ambiguous,
    Mismatch,
    NotFound,
    OfflineMode,
    OtherAgency,
    Resolution,
    Resolved,
    TooVague,
    failure,
)
from core.scholarly.shapes import arxiv_of_doi
from core.scholarly.work import Registry, Standing, Version, VersionKind, Work, joined

ENOUGH_BITS = 40.0
"""Bits that title, author and year must tell together. About 2^28 works are registered; the rest
is for words that go together, which tell less than the sum. Of 1,616 titles in lists of references
89 % tell so much by themselves, 97 % with author and year."""

YEAR_BITS = 4.0
"""A year tells about so much: most cited works are of some 20 years."""

MARGIN = 0.1
"""Similarity of titles by which the best work must lead, where two agree in the same fields."""

_STRONG = (Scheme.DOI, Scheme.PMID, Scheme.PMCID, Scheme.ARXIV)
MOST_IDENTIFIERS = 4

Search = Callable[[WorkCitation, Enquiry], tuple[Work, ...]]


class Resolver:
    """Resolves citations. May be used from any thread."""

    def __init__(self, registries: Registries) -> None:
        self._at = registries

    def resolve(self, citation: WorkCitation, enquiry: Enquiry | None = None) -> Resolution:
        """The work that is meant, or why there is none.

        `enquiry` is the check's share of retries, and its cancellation. Raises
        `core.cancellation.Cancelled`.
        """
        enquiry = enquiry or Enquiry()
        strong = [i for i in citation.identifiers if i.scheme in _STRONG]
        try:
            if strong:
                return self._by_identifiers(citation, strong[:MOST_IDENTIFIERS], enquiry)
            book = next((i for i in citation.identifiers if i.scheme is Scheme.ISBN), None)
            if book is not None:
                found = self._by_isbn(citation, book, enquiry)
                if found is not None:
                    return found
        except RegistryError as error:
            return failure(error)
        return self._by_title(citation, enquiry)

    def _by_identifiers(
        self, citation: WorkCitation, identifiers: Sequence[Identifier], enquiry: Enquiry
    ) -> Resolution:
        work: Work | None = None
        for identifier in identifiers:
            if work is not None and has(work, identifier):
                continue
            found = self._record(identifier, enquiry)
            if not isinstance(found, Work):
                return found
            if not has(found, identifier):
                return _other(citation, found, identifier)
            if work is None:
                work = found
            elif one_work(work, found) or _told_as_one(work, found):
                work = joined(work, found)
            else:
                return _other(citation, work, identifier)
        assert work is not None
        work = self._with_crossref(work, enquiry)
        agreement = compare(citation, work)
        if [d.field for d in agreement.differing] == [Field.YEAR]:
            work = self._with_other_version(citation, work, enquiry)
            agreement = compare(citation, work)
        if not agreement.holds:
            return Mismatch(work, agreement)
        return Resolved(work, _meant(citation, work), agreement)

    def _with_crossref(self, work: Work, enquiry: Enquiry) -> Work:
        """`work` with what Crossref says of its DOIs: retractions are often known there alone.

        Where Crossref gives no answer, the work stands as the others know it.
        """
        if Registry.CROSSREF in work.registries:
            return work
        for doi in work.of(Scheme.DOI)[:MOST_IDENTIFIERS]:
            if arxiv_of_doi(doi) is not None:
                continue
            try:
                found = self._at.crossref.work(doi, enquiry)
            except RegistryError:
                return work
            if found is not None and has(found, doi):
                work = joined(work, found)
        return work

    def _record(self, identifier: Identifier, enquiry: Enquiry) -> Work | NotFound | OtherAgency:
        """The record under an identifier, from whoever is in charge of it."""
        at = self._at
        preprint = arxiv_of_doi(identifier)
        if preprint is not None:
            found = at.arxiv.work(preprint, enquiry)
            if found is None:
                return NotFound((Registry.ARXIV,), identifier)
            return _also(found, identifier, VersionKind.PREPRINT)
        if identifier.scheme is Scheme.ARXIV:
            return at.arxiv.work(identifier, enquiry) or NotFound((Registry.ARXIV,), identifier)
        if identifier.scheme is Scheme.PMID:
            return (
                at.pubmed.work(identifier, enquiry)
                or at.europe_pmc.work(identifier, enquiry)
                or NotFound((Registry.PUBMED, Registry.EUROPE_PMC), identifier)
            )
        if identifier.scheme is Scheme.PMCID:
            return at.europe_pmc.work(identifier, enquiry) or NotFound(
                (Registry.EUROPE_PMC,), identifier
            )
        return self._record_of_doi(identifier, enquiry)

    def _record_of_doi(
        self, identifier: Identifier, enquiry: Enquiry
    ) -> Work | NotFound | OtherAgency:
        work = self._at.crossref.work(identifier, enquiry)
        if work is not None:
            return work
        agency = self._at.doi_org.agency(identifier, enquiry)
        nowhere = NotFound((Registry.CROSSREF, Registry.DOI_ORG), identifier)
        if agency is None:
            return nowhere
        if agency.casefold() == "crossref":
            return nowhere
        work = self._at.doi_org.work(identifier, enquiry)
        if work is None or not has(work, identifier) or not work.title:
            return OtherAgency(identifier, agency)
        return work

    def _by_isbn(
        self, citation: WorkCitation, isbn: Identifier, enquiry: Enquiry
    ) -> Resolution | None:
        """The book; None where its title has to be searched for, since few books have DOIs."""
        books = [
            (_also(book, isbn, VersionKind.PUBLISHED), compare(citation, book))
            for book in self._at.crossref.books(isbn, enquiry)
        ]
        fitting = [(book, agreement) for book, agreement in books if agreement.holds]
        if len(fitting) == 1:
            [(book, agreement)] = fitting
            return Resolved(book, _meant(citation, book), agreement)
        if fitting:
            return Ambiguous(tuple(book for book, _ in fitting))
        return Mismatch(*books[0]) if books else None

    def _with_other_version(self, citation: WorkCitation, work: Work, enquiry: Enquiry) -> Work:
        """`work` with its preprint, or with its published version, if that can be found.

        Only where the title is exact: then the year that is cited may be the other version's.
        """
        agreement = compare(citation, work)
        kinds = {version.kind for version in work.versions}
        year = citation.year or 0
        far = all(abs(year - known) > MOST_YEARS_TO_PRINT for known in work.years)
        if (
            far
            or not work.title
            or not citation.authors
            or Field.FIRST_AUTHOR not in agreement.agreed
        ):
            return work
        asked = _with_title(citation, work.title)
        search: Search = (
            self._at.crossref.search if kinds == {VersionKind.PREPRINT} else self._at.arxiv.search
        )
        for found in search(asked, enquiry):
            if one_work(work, found):
                work = joined(work, found)
        return work

    def _by_title(self, citation: WorkCitation, enquiry: Enquiry) -> Resolution:
        bits = _bits(citation, set(Field))
        if bits < ENOUGH_BITS:
            return TooVague(round(bits, 1), ENOUGH_BITS)
        asked: list[Registry] = []
        failed: Resolution | None = None
        mismatch: Resolution | None = None
        candidates: list[Work] = []
        for registry, search in self._searches():
            try:
                found = search(citation, enquiry)
            except RegistryError as error:
                answer = failure(error)
                if isinstance(answer, OfflineMode):
                    return answer
                failed = failed or answer
                continue
            asked.append(registry)
            candidates = _merged([*candidates, *found])
            answer_found = _best(citation, candidates)
            if isinstance(answer_found, Resolved | Ambiguous):
                return answer_found
            mismatch = mismatch or answer_found
        # A registry that gave no answer may know the work, so that it is not known to be missing.
        return mismatch or failed or NotFound(tuple(asked))

    def _searches(self) -> Iterator[tuple[Registry, Search]]:
        at = self._at
        yield Registry.CROSSREF, at.crossref.search
        yield Registry.EUROPE_PMC, at.europe_pmc.search
        yield Registry.ARXIV, at.arxiv.search
        yield Registry.SEMANTIC_SCHOLAR, at.semantic_scholar.search
        if at.openalex.usable:
            yield Registry.OPENALEX, at.openalex.search


def chosen(citation: WorkCitation, work: Work) -> Resolved:
    """The answer after a person chose `work` among several that fit."""
    return Resolved(work, _meant(citation, work), compare(citation, work))


def _with_title(citation: WorkCitation, title: str) -> WorkCitation:
    """The citation with another wording of its title, as the registry has it."""
    return citation.model_copy(update={"title": title})


def _bits(citation: WorkCitation, fields: set[Field] | frozenset[Field]) -> float:
    """How much a citation tells in these fields."""
    bits = titles.information(titles.title_words(citation.title))
    if citation.authors and Field.FIRST_AUTHOR in fields:
        bits += titles.family_bits(citation.authors[0].family)
    if citation.year is not None and Field.YEAR in fields:
        bits += YEAR_BITS
    return bits


def _best(citation: WorkCitation, candidates: Sequence[Work]) -> Resolution | None:
    """The one that fits, or those that do; else one of the same title that is another work."""
    works = [w for w in candidates if not _is_notice(w)] or candidates
    compared = [(work, compare(citation, work)) for work in works]
    fitting = [(w, a) for w, a in compared if a.holds and _accepted(citation, a)]
    if not fitting:
        same_title = [(w, a) for w, a in compared if a.exact and not a.holds]
        return Mismatch(*same_title[0]) if len(same_title) == 1 else None
    fitting.sort(key=lambda pair: _rank(*pair), reverse=True)
    best, agreement = fitting[0]
    rivals = [(w, a) for w, a in fitting if _rivals(agreement, a)]
    if len(rivals) > 1 and citation.container:
        named = [(w, a) for w, a in rivals if _in_container(citation.container, w)]
        rivals = named if len(named) == 1 else rivals
    if len(rivals) > 1:
        return Ambiguous(tuple(work for work, _ in rivals))
    [(best, agreement)] = rivals
    return Resolved(best, _meant(citation, best), agreement)


def _is_notice(work: Work) -> bool:
    """Whether the record is a notice about a work, which often has that work's very title."""
    return any(notice.standing in _NOTICES for notice in work.notices)


_NOTICES = frozenset(
    {Standing.RETRACTION_NOTICE, Standing.CORRECTION_NOTICE, Standing.CONCERN_NOTICE}
)


def _accepted(citation: WorkCitation, agreement: Agreement) -> bool:
    """Whether what agrees tells enough for a work that was only searched for."""
    if Field.TITLE not in agreement.agreed or _bits(citation, agreement.agreed) < ENOUGH_BITS:
        return False
    if agreement.exact:
        # Nothing that is cited may be left open, unless the rest confirms it.
        return not agreement.unknown or bool(agreement.agreed & {Field.FIRST_AUTHOR, Field.YEAR})
    return {Field.FIRST_AUTHOR, Field.YEAR} <= agreement.agreed


def _rank(work: Work, agreement: Agreement) -> tuple[int, float, int]:
    return len(agreement.agreed), agreement.similarity, len(work.registries)


def _rivals(best: Agreement, other: Agreement) -> bool:
    """Whether the best does not lead by a field or by the margin."""
    if len(best.agreed) > len(other.agreed):
        return False
    return best.similarity - other.similarity < MARGIN


def _in_container(cited: str, work: Work) -> bool:
    return any(titles.same_container(cited, v.container) for v in work.versions)


def _merged(works: Sequence[Work]) -> list[Work]:
    """The records with those of one work joined."""
    found: list[Work] = []
    for work in works:
        at = next((n for n, known in enumerate(found) if one_work(known, work)), None)
        if at is None:
            found.append(work)
        else:
            found[at] = joined(found[at], work)
    return found


def _told_as_one(first: Work, second: Work) -> bool:
    """Whether records whose identifiers one citation names together are of one work."""
    near = any(titles.near(a, b) for a in first.titles for b in second.titles)
    if not near or not first.authors or not second.authors:
        return False
    return same_person(first.authors[0], second.authors[0]) is True


def _other(citation: WorkCitation, work: Work, identifier: Identifier) -> Mismatch:
    """The answer that an identifier leads to another work."""
    first = next(iter(work.identifiers), None)
    differs = Disagreement(Field.IDENTIFIER, identifier.canonical, first.canonical if first else "")
    agreement = compare(citation, work)
    others = tuple(d for d in agreement.differing if d.field is not Field.IDENTIFIER)
    return Mismatch(work, replace(agreement, differing=(differs, *others)))


def _also(work: Work, identifier: Identifier, kind: VersionKind) -> Work:
    """`work` with one more identifier of a version."""
    return joined(work, replace(work, versions=(Version(kind, (identifier,)),)))


def _meant(citation: WorkCitation, work: Work) -> Version:
    """The version that the citation names: by identifier, else by year, else the published one."""
    for identifier in citation.identifiers:
        for version in work.versions:
            if identifier in version.identifiers:
                return version
    ordered = sorted(work.versions, key=lambda v: v.kind is not VersionKind.PUBLISHED)
    return next((v for v in ordered if citation.year in v.years), ordered[0])
