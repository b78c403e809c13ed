"""Prepare a bibliographic string: identifiers out, and notes of where it was looked up."""

import re
import unicodedata

from core.citations.works.doi import Found

LONGEST = 3000
"""Characters of a string that are read; the longest references have about 2,000."""

_DATE = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s[A-Z][a-z]{2,8}\.?,?\s\d{4}|[A-Z][a-z]{2,8}\.?\s\d{1,2},?\s\d{4}"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}\s[A-Z][a-z]{2,8}\.?\s\d{1,2})"
)
_SEEN = r"(?:available|retrieved|accessed|abgerufen|viewed|downloaded|last\svisited)"
_BEFORE_ADDRESS = re.compile(
    rf"[\[(]?\b{_SEEN}(?:\sonline)?(?:\s(?:at|from|on|via|am|in))?[:,]?"
    rf"(?:\s{_DATE}\.?,?)?(?:\s(?:from|at))?[:,]?\s*[<(\[]?$",
    re.IGNORECASE,
)
_BEHIND_ADDRESS = re.compile(
    rf"[>)\]]?[.,;]?\s*[\[(]?(?:last\s)?{_SEEN}(?:\son)?:?\s{_DATE}[\])]?\.?", re.IGNORECASE
)
_REACH = 80
_NOISE = re.compile(
    r"\[(?:[Cc]ited|[Uu]pdated|[Aa]ccessed)[^\[\]]{0,80}\]"
    r"|\[(?:Internet|Preprint|Online|CrossRef|PubMed|Google Scholar|Medline|ISI|Web of Science"
    r"|PMC free article|Epub ahead of print|in Chinese|In Chinese|Article)\]"
    rf"|(?<=[.)])\s(?:Accessed|Retrieved|Viewed)(?:\son)?:?\s{_DATE}\.?"
    r"|\bPreprint at\b|\bPubMed Central(?= ?[.;]|$)"
    r"|\b(?:doi|DOI|PMID|PMCID|URL|ISBN|ISSN|arXiv preprint)\s?:?\s?(?=[.,;)\]\s]*$)|\bdoi:\s?"
)
_INTRODUCED = re.compile(
    r"(?:Sources?|See(?:\salso)?|References?|Citation|Cf\.|Adapted from|From)"
    r"(?::\s|\s(?=[A-Z][\w'’-]+,\s))"
)
_BROKEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad][^\S\n]*\r?\n\s*(?=[a-zß-ÿ])")


def unwrapped(text: str) -> str:
    """The string without a word that introduces it and brackets around the whole of it."""
    text = _INTRODUCED.sub("", text, count=1)
    if text.startswith("(") and text.rstrip(".").endswith(")"):
        inside = text.rstrip(".")[1:-1]
        depth = 0
        for character in inside:
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth < 0:
                return text
        return inside if depth == 0 else text
    return text


def without_notes(text: str, found: tuple[Found, ...]) -> str:
    """The text without its identifiers and without notes of where and when it was looked up."""
    made: list[str] = []
    at = 0
    for item in found:
        before = text[at : item.start]
        cut = _BEFORE_ADDRESS.search(before[-_REACH:])
        if cut is not None:
            before = before[: len(before) - len(cut.group())]
        made += [before, " "]
        at = max(at, item.end)
        if at > LONGEST:
            break
        behind = _BEHIND_ADDRESS.match(text, at)
        if behind is not None:
            at = behind.end()
    made.append(text[at : at + LONGEST])
    joined = _BROKEN.sub("", "".join(made)[:LONGEST])
    joined = unicodedata.normalize("NFC", joined).replace("\u00ad", "").replace("\u200b", "")
    plain = " ".join(joined.split(" ")) if "\t" in joined else " ".join(joined.split())
    plain = _NOISE.sub(" ", plain)
    plain = re.sub(r"[ \u00a0\n\r\f\v]+", " ", plain)
    plain = re.sub(r"\s+([.,;])(?!\d)", r"\1", plain)
    plain = re.sub(r"(?<=[a-z]{4}\.),\s", " ", plain)
    plain = re.sub(r"\(\s*[.,;]?\s*\)|<\s*>|\[\s*\]", "", plain)
    return re.sub(r"(?:[,;:]\s?)+(?=\.?$)|(?<=[^.]\.)\s?[.,]+$", "", plain).strip()
