"""Find DOIs in running text.

A DOI may hold nearly any character (a SICI holds `<`, `(` and `;`: ANSI/NISO Z39.56), so its end
is found by what closes around it: a bracket that was not opened inside it, punctuation that ends
a sentence, markup, the next DOI of a list.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

from core.citations.model import Identifier, Scheme

LONGEST = 400
"""Characters of a DOI that are read; the longest that are registered have about 250."""


class Found(NamedTuple):
    """An identifier and where it stands: `text[start:end]`, with its label or web address."""

    identifier: Identifier
    start: int
    end: int


DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
PLAIN = str.maketrans(
    {**dict.fromkeys(DASHES, "-"), **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")}
)
"""For `str.translate`: printed dashes become hyphens, what is not seen goes."""

_PREFIX = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,4}(?:/|%2[Ff])")
_LABEL = re.compile(
    r"(?:(?P<url>(?:https?:\s?//)?(?:www\.|dx\.)?doi\.org/\s?)"
    r"|\bdoi(?:\s?[:.=\uff1a]?\s?(?P<mixed>(?:https?:\s?//)?(?:dx\.)?doi\.org/\s?)?"
    r"|\s(?:number|no\.|is)\s)\s?)$",
    re.IGNORECASE,
)
_LABEL_REACH = 48
_WEB = re.compile(r"(?:[a-z]{2,10}://|\bwww\.)\S*$", re.IGNORECASE)
_WEB_REACH = 160

_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENING = frozenset(_CLOSING.values())
_SICI_ANGLE = re.compile(r"<(?!https?:|/)[^<>\s]{0,60}:[^<>\s]{0,60}>")
_SICI_ENTITY = re.compile(r"&lt;(?!https?:|/)[^<>\s]{0,60}?:[^<>\s]{0,60}?&gt;", re.IGNORECASE)
_STOPS = frozenset(
    '"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019`|\\^\u3001\u3002\uff0c\uff1b\uff1a\uff08\uff09\u300b\u3011\u2026'
)
_NEXT = re.compile(
    r"[,;.]?(?:https?://|doi\s?:|dx\.doi|PMC?ID|PMC\d)|[,;](?:10\.\d{4,9}/)", re.IGNORECASE
)
_ENTITY = re.compile(r"&(?:lt|gt|amp|#\d{1,5}|#x[0-9a-f]{1,4});", re.IGNORECASE)
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>?")
_PAGE = re.compile(
    r"(?:/(?:full|abstract|e?pdf|pdfdirect|meta|html|fulltext|summary|references|suppl)"
    r"(?:\.html?|/)?|\.(?:full\.pdf|pdf|full|html?|xml)|\+html|/)$",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'*\u2020\u2021\u00a7-_/&=#+<([{"

_BREAK = re.compile(
    rf"(?P<hyphen>[-{DASHES}\u00ad])?[^\S\n]{{0,8}}\r?\n[^\S\n]{{0,20}}(?P<next>[A-Za-z0-9./(<]\S{{0,120}})"
)
_LIST_NUMBER = re.compile(r"\(?\[?\d{1,4}(?:[.)\],:]+)?$")
_GOES_ON = re.compile(r"[a-z0-9./(<]\S*")


def dois(text: str) -> Iterator[Found]:
    """The DOIs of `text`, in its order, in lower case and without a resolver."""
    end = 0
    for prefix in _PREFIX.finditer(text):
        if prefix.start() < end:
            continue
        before = text[max(0, prefix.start() - _LABEL_REACH) : prefix.start()]
        label = _LABEL.search(before)
        if label is None and before and (before[-1].isalnum() or before[-1] in "._"):
            continue
        in_web = bool(label and (label["url"] or label["mixed"])) or (
            label is None
            and _WEB.search(text[max(0, prefix.start() - _WEB_REACH) : prefix.start()]) is not None
        )
        suffix, end = _suffix(text, prefix.end(), in_web)
        value = _canonical(prefix.group(), suffix, in_web)
        if value is None:
            end = prefix.end()
            continue
        start = prefix.start() - (len(before) - label.start() if label else 0)
        yield Found(Identifier(scheme=Scheme.DOI, value=value), start, end)


def canonical_doi(text: str) -> str | None:
    """The DOI that a field holds, which may be an address; None where it holds none."""
    found = next(dois(text.strip()), None)
    return found.identifier.value if found is not None else None


def _suffix(text: str, start: int, in_web: bool) -> tuple[str, int]:
    """The suffix as written, joined over line ends, and where it ends in `text`."""
    at = start + 1 if text[start : start + 1] == " " and in_web else start
    made: list[str] = []
    opened: list[str] = []
    limit = min(len(text), start + LONGEST)
    while at < limit:
        character = text[at]
        if character.isspace():
            after = _over_line(text, at, "".join(made))
            if after is None:
                break
            made, at = [after[0]], after[1]
            continue
        if character in _STOPS or (in_web and character in "?#"):
            break
        if character in ",;.hdpHDP" and made and _NEXT.match(text, at):
            break
        if character == "<":
            angle = _SICI_ANGLE.match(text, at)
            if angle is None or _MARKUP.fullmatch(angle.group()):
                break
            made.append(angle.group())
            at = angle.end()
            continue
        if character == "&":
            angle = _SICI_ENTITY.match(text, at)
            if angle is not None:
                made.append(unescape(angle.group()))
                at = angle.end()
                continue
            entity = _ENTITY.match(text, at)
            if entity is None and in_web:
                break
            if entity is not None:
                shown = unescape(entity.group())
                if shown in "<>\"'" or (in_web and shown == "&"):
                    break
                made.append(shown)
                at = entity.end()
                continue
        if character in _OPENING:
            opened.append(character)
        elif character in _CLOSING:
            if not opened or opened[-1] != _CLOSING[character]:
                break
            opened.pop()
        made.append(character)
        at += 1
    whole = "".join(made)
    kept = _ended(whole)
    return kept, at - (len(whole) - len(kept))


def _over_line(text: str, at: int, suffix: str) -> tuple[str, int] | None:
    """The suffix and the place after a line end that breaks a DOI; None where it ends there."""
    line = _BREAK.match(text, at)
    if line is None:
        return None
    token = line["next"]
    if _LIST_NUMBER.fullmatch(token) and not suffix.endswith(("/", "(", "-")):
        return None
    last = suffix[-1:]
    if not suffix:
        return "", line.start("next")
    if last in "-" + DASHES + "\u00ad":
        if not token[0].isalnum():
            return None
        before = suffix[-2:-1]
        if last == "\u00ad" or (before.isalpha() and before.islower() and token[0].islower()):
            # A typesetter's hyphen inside a word; one beside a digit is the DOI's own.
            return suffix[:-1], line.start("next")
        return suffix, line.start("next")
    if last in "./(_:;<" and _GOES_ON.fullmatch(token) and any(map(str.isdigit, token)):
        return suffix, line.start("next")
    if token[0] in "./" and len(token) > 1 and token[1].isalnum():
        return suffix, line.start("next")
    if not any(map(str.isdigit, suffix)) and re.match(r"[a-z0-9][\w.()/-]*\d", token):
        return suffix, line.start("next")
    return None


def _ended(suffix: str) -> str:
    """`suffix` without what belongs to the sentence around it."""
    while suffix:
        last = suffix[-1]
        if last in _TRAILING or last in DASHES:
            suffix = suffix[:-1]
            continue
        if last in _CLOSING and suffix.count(last) > suffix.count(_CLOSING[last]):
            suffix = suffix[:-1]
            continue
        break
    return suffix


def _canonical(prefix: str, suffix: str, in_web: bool) -> str | None:
    whole = (prefix + suffix).translate(PLAIN)
    if in_web or "%2f" in prefix.lower():
        whole = unquote(whole)
        if "\ufffd" in whole or any(c.isspace() for c in whole):
            whole = whole.split()[0].split("\ufffd")[0]
    if in_web:
        whole = _PAGE.sub("", whole)
    whole = whole.casefold()
    head, _, tail = whole.partition("/")
    return f"{head}/{tail}" if any(map(str.isalnum, tail)) else None
