"""Read where in its container a work stands: volume, issue, pages and, beside them, the year.

The forms are tried from the certain to the less certain, and of several places that fit the last
one counts, for titles hold numbers too. What follows the place must be nothing but what styles
put there (a date, a note, a language).
"""

import re
from dataclasses import dataclass

from core.citations.works.fields import page_range
from core.citations.works.letters import DASH, UPPER

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Spring|Summer|Autumn|Fall|Winter)\b\.?"
)
"""A month or a season in English, whole or shortened."""
_YEAR = r"(?:1[4-9]|20)\d\d(?!\d)"
_SUP = (
    r"(?:\s?,?\s?\(?(?i:suppl(?:ement)?|pt|spec\sno|special\sissue)\b\.?"
    r"(?:\s?[\dA-Z]{1,4}(?!\w))?\)?)"
)
_VOL = rf"[A-Z]?\d{{1,4}}[A-Z]?(?:[/{DASH}]\d{{1,4}})?"
_VOL_LABEL = r"[Vv]ol(?:umes?|s)?"
_PAGE = r"[A-Za-z]{0,3}\d{1,9}[A-Za-z]?(?:\.\d{1,4})?"
_PAGES = (
    rf"(?<![\d.])(?:{_PAGE}(?:\s?[{DASH}]{{1,2}}\s?{_PAGE})?)"
    rf"(?:,\s\d{{1,5}}[{DASH}]\d{{1,5}})?(?!\w|[.]\d)"
)
_RANGE = rf"(?:{_PAGE}\s?[{DASH}]{{1,2}}\s?{_PAGE})(?!\w)"
_ISSUE = (
    rf"(?:\d{{1,3}}\s(?i:suppl|pt)\.?(?:\s\d{{1,2}})?|\w{{1,6}}(?:\s?[/{DASH}]\s?\w{{1,6}}){{0,2}})"
)
_PP = (
    r"(?:(?:[Pp]p?|[Ss]eiten?|[Pp]ages?|[Ss]|[Cc]|[Pp]ág)\b\.?\s?"
    r"|[Aa]rt(?:icle)?\.?\s(?:[Nn]o\.?\s|ID\s)?|[Aa]rtn?\.?\s)"
)

# 2002;347(4):284-7 · 2010, 28:334-340 · 2000, 122, 10033-10046 · 2018, 47(6): 821-830
_YEAR_FIRST = re.compile(
    rf"(?P<year>{_YEAR})[a-z]?(?:[\s,]{{1,2}}{MONTH}(?:\s\d{{1,2}})?(?:[{DASH}]{MONTH})?)?"
    rf"\s?[;,]\s?(?:(?P<volume>{_VOL}){_SUP}?)?\s?"
    rf"(?:\((?P<issue>{_ISSUE})\){_SUP}?|\((?i:suppl)[^()]{{0,10}}\))?\s?"
    rf"[:,]\s?{_PP}?(?P<pages>{_PAGES})"
)
# 24: 799-845 · 104 (4): 439-58 · 14(3), 221-230 · 106, 15594-15598 (2009) · 163 (2010) 51-59
# 11, no. 1 (Spring 2017): 9-10 · 50, 1 (Jan. 2007), 36-44
_VOLUME_FIRST = re.compile(
    rf"(?<![\w.(/{DASH}])(?:{_VOL_LABEL}\.?\s)?(?P<volume>{_VOL})"
    rf"(?:{_SUP}(?=\s?[:,(])|,?\s?[Nn]o\.?\s(?P<number>{_ISSUE})"
    rf"|,\s(?P<acm>\d{{1,3}})(?=\s\({MONTH}|,\sArticle)"
    rf"|\s?\((?P<issue>(?!{_YEAR}\))(?:{_ISSUE}|(?i:suppl)\.?\s?\w{{0,4}}))\){_SUP}?)?"
    rf"(?P<mid>\s?\((?:{MONTH}\s?)?(?:(?:\d{{1,2}},?\s)?(?P<year>{_YEAR}))?\))?"
    rf"(?:\s?[:,]\s?|(?<=\d\))\s){_PP}?(?P<pages>{_PAGES})"
    rf"(?:\s?[,.]?\s?\((?:{MONTH}\s)?(?P<late>{_YEAR})\))?"
)
_WORDED = re.compile(
    rf"(?:\b(?:{_VOL_LABEL}|Bd|Jg|[Tt]ome|Т)\b\.?\s?)(?P<volume>{_VOL})"
    r"|(?:\b(?:[Nn]o|[Nn]um|[Nn]umber|[Ii]ssue|[Ii]ss|[Hh]eft|H|N|Вып)\b\.?\s?|№\s?|n[°º]\s?)"
    rf"(?P<issue>{_ISSUE})"
    r"|(?:\b(?:pp?|pages?|S|С|с)\b\.?\s?|\b[Aa]rt(?:icle)?\.\s?(?:[Nn]o\.\s?)?)"
    rf"(?P<pages>{_PAGES})\+?"
    rf"|(?:(?<=[\s(]){MONTH}(?:[/{DASH}]{MONTH})?\s?(?:\d{{1,2}},?\s)?)?"
    rf"\(?(?<!\d)(?P<year>{_YEAR})\)?"
    rf"|{MONTH}|[\s,.;:()]+"
)
_WORDED_START = re.compile(rf"(?<=[\s,.;])(?:{_VOL_LABEL}\b\.?\s?|Bd\.\s|Т\.\s?|Jg\.\s){_VOL}")
_PAGES_ONLY = re.compile(rf"[,.(\s]\s?(?:pp?\b\.?|pages?\b|S\.|С\.)\s?(?P<pages>{_PAGES})\)?")
_BARE_PAGES = re.compile(
    r"(?:(?<=\))|(?<=[A-Za-z\u2019'”\)])[.,]|(?<=\d\d)\.)[,:]?\s"
    rf"(?P<pages>{_RANGE}|(?<=\),\s)\d{{1,4}})(?=\.|,?\s?$|\.\s)"
)
_AFTER_YEAR = re.compile(rf"(?<=\d\d)[:：]\s?(?P<pages>{_RANGE})\.?$")
_DATE_BEFORE = re.compile(rf"{MONTH}\s?$")
# 144 U. Pa. L. Rev. 2021 (1996) · 10 Harv. L. Rev. 457, 459 (1897)
_REPORTER = re.compile(
    r",\s(?P<volume>\d{1,4})\s"
    rf"(?P<container>(?:[{UPPER}][\w.&'’]{{0,15}}\s){{0,7}}[{UPPER}][\w.]{{0,12}})\s"
    rf"(?P<pages>\d{{1,5}})(?:,\s\d{{1,5}}(?:[{DASH}]\d{{1,5}})?)?"
    rf"\s\((?:{MONTH}\s)?(?P<year>{_YEAR})\)\.?$"
)
_JOINED = re.compile(
    rf"(?<=\s)(?P<volume>{_VOL})(?:\s(?P<issue>\d{{1,4}}))?\s"
    rf"(?P<pages>{_PAGE}\s{_PAGE}|{_RANGE})\.?$"
)
_JOINED_ONE = re.compile(
    rf"(?<=[^\W\d]\s)(?P<volume>{_VOL})(?P<issue>)\s(?P<pages>[A-Za-z]\d{{3,}}|\d{{2,}})\.?$"
)
_NOTES = "|".join(
    (
        r"\(?(?:in\s)?[A-Z][a-z]{3,12}(?:\swith\s[^.()]{1,40})?\)?",
        r"\d{1,4}\s(?:pages|p|pp)\b\.?",
        rf"\(?(?:{MONTH}\s)?(?P<year>{_YEAR})[a-z]?\)?",
        rf"\(?(?:{MONTH}\s)\d{{1,2}},?\s{_YEAR}\)?",
        MONTH,
        r"[Ee]pub.{0,60}",
        rf"(?:discussion|quiz)\s[\w{DASH}]{{1,20}}",
        rf"author\sreply\s[\w, {DASH}]{{1,20}}",
        r"[A-Z]?\d{1,6}",
        r"[\[(]{0,2}(?:JSTOR|Project MUSE|ProQuest|EBSCOhost|PubMed|Google Scholar|CrossRef"
        r"|MEDLINE|PMC free article)"
        r"[\])]{0,2}",
    )
)
_REST = re.compile(rf"[\s,.;:)\]]*(?:(?:{_NOTES})[\s,.;:)\]]*){{0,4}}$")


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a work stands: from `text[start]` on. `strong`: it can be nothing else."""

    start: int
    end: int
    volume: str = ""
    issue: str = ""
    pages: str = ""
    year: int | None = None
    container: str = ""
    strong: bool = False


def tail(text: str, after: int = 0) -> Tail | None:
    """The place in the container that stands in `text` from `after` on, or None."""
    reporter = _REPORTER.search(text, after)
    if reporter is not None and "." in reporter["container"]:
        return Tail(
            reporter.start(), reporter.end(), reporter["volume"], "", reporter["pages"],
            int(reporter["year"]), reporter["container"], True,
        )  # fmt: skip
    for read in (_year_first, _worded, _volume_first, _joined):
        found = read(text, after)
        if found is not None:
            return found
    return None


def reported(text: str) -> bool:
    """Whether `text` ends as citations of law reviews do: "10 Harv. L. Rev. 457 (1897)"."""
    found = _REPORTER.search(text)
    return found is not None and "." in found["container"]


def pages_only(text: str, after: int = 0) -> tuple[str, int] | None:
    """Pages without a volume ("pp. 45-67"), as in books, and where they begin."""
    found = _last(_PAGES_ONLY, text, after) or _last(_BARE_PAGES, text, after)
    found = found or _AFTER_YEAR.search(text, after)
    if found is None:
        return None
    pages = page_range(found["pages"])
    ends = pages.split("-")
    if len(ends) == 2 and all(re.fullmatch(_YEAR, end) for end in ends):
        return None
    return pages, found.start()


def _last(pattern: re.Pattern[str], text: str, after: int) -> re.Match[str] | None:
    found = None
    for match in pattern.finditer(text, after):
        found = match
    return found


def _rest_year(text: str, at: int) -> tuple[bool, int | None]:
    rest = _REST.fullmatch(text, at)
    if rest is None:
        return False, None
    return True, int(rest["year"]) if rest["year"] else None


def _year_first(text: str, after: int) -> Tail | None:
    match = _last(_YEAR_FIRST, text, after)
    if match is None:
        return None
    known, _ = _rest_year(text, match.end())
    strong = known and (match["volume"] is not None or match["issue"] is not None)
    if not strong:
        return None
    return Tail(
        match.start(), match.end(), _volume(match["volume"]), match["issue"] or "",
        page_range(match["pages"]), int(match["year"]), strong=True,
    )  # fmt: skip


def _volume_first(text: str, after: int) -> Tail | None:
    match = _last(_VOLUME_FIRST, text, after)
    if match is None:
        return None
    known, year = _rest_year(text, match.end())
    if not known or _DATE_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
        return None
    year_like = re.fullmatch(_YEAR, match["volume"]) is not None and match["issue"] is None
    if year_like and not ("-" in page_range(match["pages"]) and ": " in match.group()):
        return None
    pages = page_range(match["pages"])
    year = int(match["year"] or match["late"] or year or 0) or None
    issue = match["number"] or match["acm"] or match["issue"] or ""
    if issue.lower().startswith("suppl"):
        issue = ""
    strong = "-" in pages or bool(issue) or bool(match["mid"]) or bool(match["late"])
    strong = strong or not pages.isdigit()
    return Tail(
        match.start(), match.end(), _volume(match["volume"]), issue, pages, year, strong=strong
    )


def _worded(text: str, after: int) -> Tail | None:
    start = _last(_WORDED_START, text, after)
    if start is None:
        return None
    at = start.start()
    got: dict[str, str] = {}
    while at < len(text):
        match = _WORDED.match(text, at)
        if match is None:
            break
        for name in ("volume", "issue", "pages", "year"):
            if match[name]:
                got.setdefault(name, match[name])
        at = match.end()
    if "pages" not in got and "issue" not in got:
        return None
    return Tail(
        start.start(), at, _volume(got.get("volume")), got.get("issue", ""),
        page_range(got.get("pages", "")), int(got["year"]) if "year" in got else None, strong=True,
    )  # fmt: skip


def _joined(text: str, after: int) -> Tail | None:
    """Volume and pages with nothing but spaces between, as tagged lists give them."""
    match = _JOINED.search(text, after) or _JOINED_ONE.search(text, after)
    if match is None:
        return None
    first, _, last = re.sub(rf"\s?[{DASH}]+\s?", " ", match["pages"]).partition(" ")
    if not last:
        sure = len(first) >= 5 or first[0].isalpha()
        return Tail(
            match.start(), match.end(), match["volume"], match["issue"] or "", first, strong=sure
        )
    digits = "".join(filter(str.isdigit, first)), "".join(filter(str.isdigit, last))
    if not (digits[0] and digits[1]) or (
        len(digits[0]) == len(digits[1]) and int(digits[0]) > int(digits[1])
    ):
        return None
    return Tail(
        match.start(), match.end(), match["volume"], match["issue"] or "", f"{first}-{last}",
        strong=True,
    )  # fmt: skip


def _volume(text: str | None) -> str:
    return page_range(text) if text else ""
