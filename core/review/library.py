"""The sources at hand: which file of a folder is the work that a citation means.

A file is a work only by what it says of itself, its title and its identifiers, or by a name that
the citation gives. Whatever is unsure is no match, and two that fit are offered, not chosen from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.citations.model import FrameworkCitation, Identifier, Scheme, WorkCitation
from core.citations.works.identifiers import identifiers
from core.documents.model import Document, NoticeKind, SectionKind
from core.scholarly import titles

HEAD = 3000
"""Characters at the beginning of a text, where a work names itself; further on it names others."""

OWN_IDENTIFIER = 1000
"""Characters at the beginning in which a work names its own identifier."""

LONGEST_LINE = 8
"""Words of a line that gives an identifier and says nothing."""

ENOUGH_BITS = 30.0
"""What a title must tell to find a file by, with an author and a year that the file also names:
"Annual report" is the title of many."""

YEAR_BITS = 4.0

SHORTEST_KEY = 4
"""Letters of a key or an instrument's name to find a file by: "[A1]" names no file."""


_OF_A_WORK = (Scheme.DOI, Scheme.ARXIV, Scheme.PMID, Scheme.PMCID)
"""What names one work. An ISSN is a whole journal's, and an address may be anything's."""

ABOUT_OTHERS = frozenset(
    {NoticeKind.COMMENTARY, NoticeKind.CORRECTION_NOTICE, NoticeKind.RETRACTION_NOTICE}
)
"""What a document that is about another work says of itself."""


@dataclass(frozen=True)
class LocalSource:
    """A file of the folder and what it says of itself."""

    name: str
    """Its path from the folder on."""
    title: str
    head: str
    identifiers: frozenset[Identifier] = frozenset()
    """The identifiers at its beginning that are each the only one of their kind there."""

    @property
    def stem(self) -> str:
        """The file's name without its folder and ending."""
        return self.name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the head, as names are compared."""
        step = titles.LONGEST_TITLE // 2  # Words that are cut at one seam are whole in the next.
        parts = (self.head[at : at + 2 * step] for at in range(0, len(self.head), step))
        return frozenset(word for part in parts for word in titles.name_words(part))


def front_matter(document: Document) -> str:
    """The lines at the beginning that may name the work's own identifier, without its sentences.

    "doi: 10.1000/182" on a line of its own is the work's; in a sentence it is what that is about.
    """
    listed = (b.start for b in document.blocks if b.section is SectionKind.REFERENCES)
    text = document.text[: min(OWN_IDENTIFIER, next(listed, OWN_IDENTIFIER))]
    return "\n".join(line for line in text.splitlines() if len(line.split()) <= LONGEST_LINE)


def described(name: str, document: Document, named: Iterable[Identifier]) -> LocalSource:
    """What `document`, read from `name`, says of itself.

    `named` are those that its front matter names as its own; see `front_matter`. Where two of a
    kind stand there, or the document is a notice or a comment, one may be another work's, and none
    counts.
    """
    found = frozenset(i for i in named if i.scheme in _OF_A_WORK)
    about_others = any(notice.kind in ABOUT_OTHERS for notice in document.notices)
    own = frozenset(
        i for i in found if not about_others and sum(j.scheme is i.scheme for j in found) == 1
    )
    return LocalSource(name, document.title, document.text[:HEAD], own)


@dataclass(frozen=True, slots=True)
class Match:
    """A file that is the cited work, and by what that was seen."""

    source: LocalSource
    how: str


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Why no file was taken. `candidates` are those that may be meant, if there are several."""

    why: str
    candidates: tuple[LocalSource, ...] = ()


class Library:
    """The sources of a folder."""

    def __init__(self, sources: Sequence[LocalSource]) -> None:
        self.sources = tuple(sources)

    def find(
        self, citation: WorkCitation | FrameworkCitation, written: str = ""
    ) -> Match | NoMatch:
        """The one file that is the work or the text that is cited, or why there is none.

        `written` is the citation as it stands in a text; what was not read out of it counts too.
        """
        if isinstance(citation, FrameworkCitation):
            found = self._instrument(citation)
        else:
            found = [m for source in self.sources if (m := _match(citation, source, written))]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"“{match.source.name}”" for match in found)
            return NoMatch(
                f"More than one file may be meant: {names}.", tuple(m.source for m in found)
            )
        return NoMatch("No file of the folder is this work.")

    def _instrument(self, citation: FrameworkCitation) -> list[Match]:
        wanted = _letters(citation.instrument)
        if len(wanted) < SHORTEST_KEY:
            return []
        return [
            Match(source, "the same name")
            for source in self.sources
            if wanted in (_letters(source.stem), _letters(source.title))
        ]


def _match(citation: WorkCitation, source: LocalSource, written: str) -> Match | None:
    same_title = bool(citation.title and source.title) and _same_title(citation, source)
    other_title = bool(citation.title and source.title and not same_title)
    if not citation.title and says_more(written):
        # Words beside an identifier may be an invented title; it has to be this one.
        other_title = not bears(written, [source.title])
    if citation.title and not source.title:
        other_title = not bears(source.head, [citation.title])
    shared = [i for i in citation.identifiers if any(_same(i, own) for own in source.identifiers)]
    if other_title or (not shared and _other_identifier(citation, source)):
        # A notice or a comment names the work that it is about by the same identifier.
        return None
    if shared:
        if _other_author(citation, source):
            return None
        return Match(source, f"the same identifier, {shared[0].canonical}")
    if same_title:
        if _told(citation, source) < ENOUGH_BITS or _other_author(citation, source):
            return None
        return Match(source, "the same title")
    key = citation.key.strip()
    named = (
        len(key) >= SHORTEST_KEY and not key.isdigit() and key.casefold() == source.stem.casefold()
    )
    return Match(source, "the file has the citation's key") if named else None


def _same_title(citation: WorkCitation, source: LocalSource) -> bool:
    """Whether the titles are one work's; what is only near needs an author beside it."""
    if titles.same(citation.title, source.title):
        return True
    return _names_first_author(citation, source) and titles.near(citation.title, source.title)


def _names_first_author(citation: WorkCitation, source: LocalSource) -> bool:
    family = titles.name_words(citation.authors[0].family) if citation.authors else []
    return bool(family) and source.words.issuperset(family)


def _other_identifier(citation: WorkCitation, source: LocalSource) -> bool:
    """Whether the citation has an identifier of a kind of which the file names another."""
    kinds = {identifier.scheme for identifier in citation.identifiers}
    return any(own.scheme in kinds for own in source.identifiers)


LEAST_TITLE_BITS = 15.0
"""What words beside an identifier must tell to count as a title, or what else names the work."""


def says_more(written: str) -> bool:
    """Whether there are words beside the identifiers that could be a title."""
    rest, at = "", 0
    for found in identifiers(written):
        rest, at = f"{rest} {written[at : found.start]}", found.end
    words = [word for word in titles.title_words(f"{rest} {written[at:]}") if word.isalpha()]
    return titles.information(words) >= LEAST_TITLE_BITS


def bears(text: str, known: Iterable[str]) -> bool:
    """Whether one of the titles, if it tells anything, stands in the text, word for word."""
    told = [titles.title_words(title) for title in known]
    wanted = [
        f" {' '.join(words)} " for words in told if titles.information(words) >= LEAST_TITLE_BITS
    ]
    for at in range(0, max(1, len(text)), titles.LONGEST_TITLE // 2):
        words = titles.title_words(text[at : at + titles.LONGEST_TITLE])
        if any(title in f" {' '.join(words)} " for title in wanted):
            return True
    return False


def _same(one: Identifier, other: Identifier) -> bool:
    """Whether two identifiers name one work; an arXiv id without a version is any version."""
    versions = one.version == other.version or None in (one.version, other.version)
    return (one.scheme, one.value) == (other.scheme, other.value) and versions


def _told(citation: WorkCitation, source: LocalSource) -> float:
    """How many bits the title tells, with what else the file confirms at its beginning."""
    told = titles.information(titles.title_words(citation.title))
    if _names_first_author(citation, source):
        told += titles.family_bits(citation.authors[0].family)
    if citation.year is not None and str(citation.year) in source.head:
        told += YEAR_BITS
    return told


def _other_author(citation: WorkCitation, source: LocalSource) -> bool:
    """Whether the file names authors and the first that is cited is not among them.

    A title shared by two works is told apart by its author. Files that name nobody at their
    beginning, as many readers leave authors out, say nothing about it.
    """
    if not citation.authors or not source.head:
        return False
    first, *others = (titles.name_words(author.family) for author in citation.authors)
    known = any(words and source.words.issuperset(words) for words in others)
    return known and not source.words.issuperset(first)


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
