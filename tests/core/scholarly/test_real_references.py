"""Real lists of references, put to a registry that knows them all: each finds itself or nothing.

What is changed in a word, an author or a year finds nothing; nothing ever finds another work.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from core.citations.model import Author, Scheme, WorkCitation
from core.documents.xml import local, parse
from core.scholarly.asking import Budget, Enquiry
from core.scholarly.resolution import Mismatch, NotFound, Resolved, TooVague
from core.scholarly.resolve import Resolver
from core.scholarly.titles import plain, title_words, word_bits
from tests.core.scholarly import said
from tests.core.scholarly.played import Played, registries
from tests.loopback import Connection, Request, response

if TYPE_CHECKING:
    from core.documents.xml import Element

EVERY = 20
"""One reference of so many is put to the registry, which knows them all."""


@dataclass(frozen=True)
class Reference:
    doi: str
    title: str
    authors: tuple[Author, ...]
    year: int

    def cited(self, **changed: Any) -> WorkCitation:
        fields = {"title": self.title, "authors": self.authors[:1], "year": self.year}
        return WorkCitation(**{**fields, **changed})

    def item(self) -> dict[str, Any]:
        return {
            "DOI": self.doi,
            "type": "journal-article",
            "title": [self.title],
            "author": [{"family": a.family, "given": a.given} for a in self.authors],
            "issued": {"date-parts": [[self.year]]},
        }


def text(node: "Element", name: str) -> str:
    found = next((n for n in node.iter() if local(n) == name), None)
    return plain("".join(map(str, found.itertext()))) if found is not None else ""


@pytest.fixture(scope="module")
def references(shared: Path) -> list[Reference]:
    """The references whose title, first author and year are tagged, each work once."""
    found: dict[str, Reference] = {}
    for file in sorted((shared / "documents" / "papers").glob("*.xml")):
        for node in parse(file.read_bytes()).iter():
            if local(node) != "ref":
                continue
            title, year = text(node, "article-title"), text(node, "year")[:4]
            names = [n for n in node.iter() if local(n) in ("name", "string-name")]
            authors = tuple(
                Author(family=text(n, "surname"), given=text(n, "given-names"))
                for n in names
                if text(n, "surname")
            )
            if title and authors and year.isdigit():
                reference = Reference(f"10.1000/{len(found)}", title, authors, int(year))
                found.setdefault("".join(title_words(title)), reference)
    assert len(found) > 1000
    return list(found.values())


@pytest.fixture
def resolver(played: Played, references: list[Reference]) -> Resolver:
    """A Crossref with these works, which gives the five that share most with what is asked."""
    index: dict[str, set[int]] = defaultdict(set)
    for number, reference in enumerate(references):
        for word in title_words(reference.title):
            index[word].add(number)

    def search(request: Request, connection: Connection) -> None:
        asked = parse_qs(urlsplit(request.target).query)["query.bibliographic"][0]
        score: Counter[int] = Counter()
        for word in set(title_words(asked)):
            for number in index[word]:
                score[number] += round(100 * word_bits(word))
        items = [references[number].item() for number, _ in score.most_common(5)]
        connection.send(response(200, json.dumps(said.crossref_list(*items)).encode()))

    played.on("/crossref/works?", search)
    played.on("/europe_pmc/search", said.europe_pmc())
    played.on("/arxiv/api", said.arxiv())
    return Resolver(registries(played))


Change = Callable[[Reference, list[Reference], random.Random], WorkCitation | None]


def another_word(
    reference: Reference, others: list[Reference], dice: random.Random
) -> WorkCitation | None:
    """A telling word replaced by one of another title."""
    words = reference.title.split()
    telling = [n for n, w in enumerate(words) if len(w) > 5 and len(title_words(w)) == 1]
    other = [w for w in dice.choice(others).title.split() if len(w) > 5]
    if not telling or not other:
        return None
    words[dice.choice(telling)] = dice.choice(other)
    changed = " ".join(words)
    return reference.cited(title=changed) if changed != reference.title else None


def another_half(
    reference: Reference, others: list[Reference], dice: random.Random
) -> WorkCitation | None:
    """The first half of this title and the second one of another."""
    other = dice.choice(others)
    if other is reference:
        return None
    mine, theirs = reference.title.split(), other.title.split()
    return reference.cited(title=" ".join(mine[: len(mine) // 2] + theirs[len(theirs) // 2 :]))


def another_author(
    reference: Reference, others: list[Reference], dice: random.Random
) -> WorkCitation | None:
    first = dice.choice(others).authors[0]
    if first.family == reference.authors[0].family:
        return None
    return reference.cited(authors=(first,))


def another_year(
    reference: Reference, others: list[Reference], dice: random.Random
) -> WorkCitation | None:
    return reference.cited(year=reference.year + dice.choice([-7, -3, -2, 2, 3, 7]))


def test_as_they_are_cited_they_find_themselves(
    resolver: Resolver, references: list[Reference]
) -> None:
    answers: Counter[str] = Counter()
    for reference in references[::EVERY]:
        found = resolver.resolve(reference.cited(), Enquiry(Budget(0)))
        assert isinstance(found, Resolved | TooVague), reference
        answers[type(found).__name__] += 1
        if isinstance(found, Resolved):
            assert found.work.of(Scheme.DOI)[0].value == reference.doi
    assert answers["Resolved"] >= 0.95 * answers.total()


@pytest.mark.parametrize("change", [another_word, another_half, another_author, another_year])
def test_what_is_changed_finds_nothing(
    resolver: Resolver, references: list[Reference], change: Change
) -> None:
    dice = random.Random(20)
    tried = 0
    for reference in references[::EVERY]:
        citation = change(reference, references, dice)
        if citation is None:
            continue
        tried += 1
        found = resolver.resolve(citation, Enquiry(Budget(0)))
        assert isinstance(found, Mismatch | NotFound | TooVague), (citation.title, found)
    assert tried > 40


def test_a_title_alone_finds_itself_or_nothing(
    resolver: Resolver, references: list[Reference]
) -> None:
    for reference in references[::EVERY]:
        found = resolver.resolve(reference.cited(authors=(), year=None), Enquiry(Budget(0)))
        assert isinstance(found, Resolved | TooVague), reference
        if isinstance(found, Resolved):
            assert found.work.of(Scheme.DOI)[0].value == reference.doi
