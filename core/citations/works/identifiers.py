"""Find identifiers of works in running text, each in its canonical form.

What has a check digit must satisfy it. An identifier is read once: where a web address is only
the wrapping of a DOI, an arXiv id or a PubMed number, that is what is given.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from core.citations.model import Identifier, Scheme
from core.citations.works.doi import DASHES, PLAIN, Found, dois
from core.citations.works.numbers import isbn13, issn

LONGEST_URL = 2000
"""Characters of a web address that are read."""

_OLD_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|"
    "comp-gas|cond-mat|cs|dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|"
    "mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
# Ids since April 2007: year, month and a number of four digits, of five since 2015.
_NEW_ID = r"(?:0[7-9]|1[0-4])(?:0[1-9]|1[0-2])\.\d{4}|(?:1[5-9]|[2-9]\d)(?:0[1-9]|1[0-2])\.\d{5}"
_OLD_ID = rf"(?:{_OLD_ARCHIVES})(?:\.[A-Za-z]{{2}})?/\d{{7}}"
_VERSION = r"(?:v(?P<version>[1-9]\d{0,2}))?(?!\d)"
_ARXIV = re.compile(
    r"(?:(?P<label>(?:https?://)?(?:[a-z]{2,8}\.)?arxiv\.org/(?:abs|pdf|html|format|ps|e-print)/"
    r"|\barxiv(?:\s(?:e-?prints?|preprints?|id|no\.?)){0,2}[\s:.,/\[(]{0,3}(?:arxiv[\s:.]{0,3})?)"
    rf"(?P<id>{_NEW_ID}|{_OLD_ID})|(?<![\w./-])(?P<bare>{_OLD_ID})){_VERSION}(?:\.pdf)?",
    re.IGNORECASE,
)
_PMC = re.compile(
    r"(?:(?:https?://)?(?:www\.)?(?:pmc\.ncbi\.nlm\.nih\.gov/articles|ncbi\.nlm\.nih\.gov/pmc/articles"
    r"|europepmc\.org/articles?(?:/pmc)?)/|\bPMC\s?ID[\s:]{1,3})?"
    r"(?<!\w)PMC[\s:]?(?P<id>\d{3,9})(?!\w)"
    r"|\bPMC\s?ID[\s:]{1,3}(?P<bare>\d{5,9})(?!\w)",
    re.IGNORECASE,
)
_PMID = re.compile(
    r"(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/"
    r"|europepmc\.org/(?:article|abstract)/med/)(?:\?term=)?(?P<url>\d{1,9})(?!\d)/?"
    r"|(?:\bPub\s?Med\s)?(?<![A-Za-z])PMIDs?[\s:]{1,3}(?P<label>\d{1,9})(?!\w)"
    r"(?P<more>(?:\s?[,;]\s?\d{5,9}(?!\w)){0,50})"
    r"|\bPMID(?P<glued>\d{5,9})(?!\w)"
    r"|\bPub\s?Med(?:\s(?:ID|identifier))?\s?:\s?(?P<pubmed>\d{5,9})(?!\w)"
    r"|\bPub\s?Med\s(?:ID|identifier)\s(?P<named>\d{5,9})(?!\w)",
    re.IGNORECASE,
)
_GAP = rf"[\s{DASHES}-]?"
_ISBN = re.compile(
    rf"\b(?:urn:)?e?-?ISBN(?:[\s{DASHES}-]?1[03](?=[\s:]))?(?:\s?\((?:1[03]|[a-z-]{{3,12}})\))?[\s:=]{{0,3}}"
    rf"(?P<code>97[89]{_GAP}(?:\d{_GAP}){{9}}\d|(?:\d{_GAP}){{9}}[\dX])(?!\w)"
    r"|(?<![\w./-])(?P<bare>97[89]-\d{1,5}-\d{1,7}-\d{1,7}-\d)(?![\w-])",
    re.IGNORECASE,
)
_ISSN = re.compile(
    rf"\b[ep]?-?ISSN(?:-L)?(?:\s?\([a-z]{{3,12}}\))?[\s:=]{{0,3}}(?P<code>\d{{4}}[{DASHES}-]?\d{{3}}[\dX])(?!\w)",
    re.IGNORECASE,
)
_SICI = re.compile(
    r"(?<![\w/-])(?P<code>\d{4}-\d{3}[\dX])\(\d{4}[\d/]{0,8}\)[\w:+]{1,20}"
    r"<[^<>\s]{1,40}>\d\.\d\.[A-Z]{2};2-\w",
    re.IGNORECASE,
)
_URL = re.compile(
    r"(?:\b(?:https?|ftp)://|(?<![\w@./-])www\.)(?=[\w\[])"
    rf"[^\s<>\"\u201c\u201d\u00ab\u00bb{{}}|\\^`\u3001\u3002\uff0c\uff1b\uff09]{{1,{LONGEST_URL}}}",
    re.IGNORECASE,
)
_URL_GOES_ON = re.compile(
    r"[^\S\n]{0,8}\r?\n[^\S\n]{0,20}(?P<next>[a-z0-9%][^\s<>\"\u201d]{0,400})"
)
_LIST_NUMBER = re.compile(r"\d{1,4}[.)\]:,]*$")
_PAIRS = {")": "(", "]": "["}


def identifiers(text: str) -> tuple[Found, ...]:
    """Every identifier in `text`, in its order. Linear in its length; never raises.

    >>> [found.identifier.canonical for found in identifiers("see doi:10.1000/ABC(1).")]
    ['doi:10.1000/abc(1)']
    """
    found: list[Found] = []
    for read in (dois, _arxivs, _pmcs, _pmids, _isbns, _issns):
        found = _joined(found, read(text))
    return tuple(_with_urls(found, list(_urls(text))))


def identifier_of(text: str, *schemes: Scheme) -> Identifier | None:
    """The first identifier in `text` of one of `schemes` (of any, where none is named)."""
    for found in identifiers(text):
        if not schemes or found.identifier.scheme in schemes:
            return found.identifier
    return None


def _joined(found: list[Found], more: Iterable[Found]) -> list[Found]:
    """Both, in the order of the text; of two that overlap, the one that was there first."""
    starts = [item.start for item in found]
    fresh: list[Found] = []
    for item in more:
        at = bisect_left(starts, item.end)
        if at == 0 or found[at - 1].end <= item.start:
            fresh.append(item)
    return sorted([*found, *fresh], key=lambda item: item.start) if fresh else found


def _with_urls(found: list[Found], urls: list[Found]) -> list[Found]:
    """Add the web addresses that wrap nothing; what one wraps takes its place in the text."""
    made: list[Found] = []
    at = 0
    for url in urls:
        while at < len(found) and found[at].end <= url.start:
            made.append(found[at])
            at += 1
        wraps = False
        while at < len(found) and found[at].start < url.end:
            item = found[at]
            start = min(item.start, url.start) if not wraps else item.start
            made.append(Found(item.identifier, start, max(item.end, url.end)))
            wraps = True
            at += 1
        if not wraps and not (made and made[-1].end > url.start):
            made.append(url)
    return [*made, *found[at:]]


def _arxivs(text: str) -> Iterator[Found]:
    for match in _ARXIV.finditer(text):
        value = (match["id"] or match["bare"]).lower()
        archive, slash, number = value.partition("/")
        if slash:
            value = f"{archive.partition('.')[0]}/{number}"
        version = int(match["version"]) if match["version"] else None
        yield Found(
            Identifier(scheme=Scheme.ARXIV, value=value, version=version),
            match.start(),
            match.end(),
        )


def _pmcs(text: str) -> Iterator[Found]:
    for match in _PMC.finditer(text):
        digits = (match["id"] or match["bare"]).lstrip("0")
        if digits:
            yield Found(
                Identifier(scheme=Scheme.PMCID, value=f"PMC{digits}"), match.start(), match.end()
            )


def _pmids(text: str) -> Iterator[Found]:
    for match in _PMID.finditer(text):
        group = match.lastgroup if match.lastgroup != "more" else "label"
        digits = match[group or "label"]
        yield from _pmid(digits, match.start(), match.end(group or "label"))
        if match["more"]:
            for more in re.finditer(r"\d+", match["more"]):
                start = match.start("more")
                yield from _pmid(more.group(), start + more.start(), start + more.end())


def _pmid(digits: str, start: int, end: int) -> Iterator[Found]:
    if digits.isascii() and digits.lstrip("0"):
        yield Found(Identifier(scheme=Scheme.PMID, value=digits.lstrip("0")), start, end)


def _isbns(text: str) -> Iterator[Found]:
    for match in _ISBN.finditer(text):
        value = isbn13(match["code"] or match["bare"])
        if value is not None:
            yield Found(Identifier(scheme=Scheme.ISBN, value=value), match.start(), match.end())


def _issns(text: str) -> Iterator[Found]:
    for pattern in (_ISSN, _SICI):
        for match in pattern.finditer(text):
            value = issn(match["code"])
            if value is not None:
                yield Found(Identifier(scheme=Scheme.ISSN, value=value), match.start(), match.end())


def _urls(text: str) -> Iterator[Found]:
    end = 0
    for match in _URL.finditer(text):
        if match.start() < end:
            continue
        written, end = match.group(), match.end()
        for _ in range(3):
            line = _URL_GOES_ON.match(text, end) if written[-1] in "/-_=&?%" else None
            if line is None or _LIST_NUMBER.fullmatch(line["next"]):
                break
            if not re.search(r"[./_=\d-]", line["next"]):
                break
            written, end = written + line["next"], line.end()
        kept = _url_ended(written)
        end -= len(written) - len(kept)
        address = kept.translate(PLAIN).partition("#")[0]
        if address.lower().startswith("www."):
            address = f"http://{address}"
        scheme, _, rest = address.partition("://")
        host, slash, path = rest.partition("/")
        if not any(map(str.isalnum, host)):
            continue
        value = f"{scheme.lower()}://{host.lower()}{slash}{path}"
        yield Found(Identifier(scheme=Scheme.URL, value=value), match.start(), end)


def _url_ended(address: str) -> str:
    """`address` without the punctuation and the bracket that close around it."""
    depth: dict[str, int] = {"(": 0, "[": 0}
    for at, character in enumerate(address):
        if character in depth:
            depth[character] += 1
        elif character in _PAIRS:
            depth[_PAIRS[character]] -= 1
            if depth[_PAIRS[character]] < 0:
                address = address[:at]
                break
    return address.rstrip(".,;:!?'*([\u2018\u2019\u2026\u2020\u2021")
