"""Cut text into sentences, never inside one.

A cut in the wrong place can free a clause from the words that govern it ("there is no evidence
that …"), so a boundary must earn its place: terminal punctuation, white space, and a word that
plausibly begins a sentence. Where any of that is in doubt the text is left whole.
"""

import re
from functools import cache

from core.resource import load_json

REACH = 500
"""Characters over which an open bracket or quotation mark holds a sentence together."""

_SHORT_NAME = 3
"""Letters up to which a capitalised word may be a title or name cut short ("Gov. Jones")."""

_LOOK_BACK = 48
_LOOK_AHEAD = 90

_CLOSERS = "\"'\u2019\u201d\u00bb)\\]}\u300d\u300f\u3011\uff09"
_SUPERSCRIPT = "\u2070\u00b9\u00b2\u00b3\u2074-\u2079"
_EVENT = re.compile(
    r"(?P<stop>[.!?\u2026\uff01\uff1f\u3002\uff61]+)"
    r"|(?P<open>[(\[{\u201c\u201e\u00ab\u300c\u300e\u3010\uff08])"
    r"|(?P<close>[)\]}\u201d\u00bb\u300d\u300f\u3011\uff09])"
    r'|(?P<quote>")'
    r"|(?P<gap>\n[^\S\n]*\n\s*)"
)
_WIDE_STOP = frozenset("\u3002\uff61\uff01\uff1f")
_AFTER_STOP = re.compile(
    rf"[{_CLOSERS}]*"
    r"(?:[^\S\n]?\[[\s\d,;\u2010-\u2015-]{1,60}\](?!\()|\[\^[\w-]{1,20}\]"
    rf"|[{_SUPERSCRIPT}](?:[{_SUPERSCRIPT},\u2010-\u2015\u207b-]{{0,40}}[{_SUPERSCRIPT}])?"
    r"|[*\u2020\u2021\u00a7]{1,3})*"
)
_GLUED_NUMBER = re.compile(r"\d{1,3}(?:[,\u2010-\u2015-]\d{1,3})*(?=\s)")
_NEXT = re.compile(r"\s+[\"'\u2018\u201c\u201e\u00ab(\[{\u300c\u300e\u3010\uff08\u00bf\u00a1]*")
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_TOKEN = re.compile(r"[^\s(\[{\u201c\u201e\u00ab\"/\u2010-\u2015]*$")
_HYPHENED_INITIALS = re.compile(r"[A-Z]\.?-[A-Z]")
_DOTTED = re.compile(r"[^\W\d_]{1,2}(?:\.[^\W\d_]{1,3})+")
_LABEL = re.compile(
    r"(?:(?:section|sec|chapter|article|art|part|paragraph|clause|appendix|annex|figure|fig|table|"
    r"box|step|note|question|finding|recommendation|requirement|control|item|rule|principle)s?\.?"
    r"\s+)?(?:\(?[A-Za-z]{0,2}\d*(?:[.-][A-Za-z]?\d+)*\)?|[IVXLCivxlc]{1,6}|[A-Za-z])",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"\u2026|\.\.")
_DANGLING = re.compile(
    r"that|whether|if|the|an?|of|and|or|nor|than|to|by|because|although|while|unless|from|for|in|"
    r"on|at|as|is|are|was|were|be|no|not|any",
    re.IGNORECASE,
)
_NUMBERED_THING = re.compile(
    r"(?:versions?|releases?|sections?|tables?|figures?|equations?|chapters?|volumes?|pages?|steps?|"
    r"phases?|types?|grades?|levels?|stages?|numbers?|articles?|clauses?|paragraphs?|annex|"
    r"appendix|schedules?|parts?|rules?|items?)",
    re.IGNORECASE,
)
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_HIRAGANA = re.compile(r"[\u3041-\u309f\u3001]")


@cache
def _words(group: str) -> frozenset[str]:
    return frozenset(load_json("text/abbreviations.json")[group])


def split(text: str) -> list[tuple[int, int]]:
    """The sentences of `text` as (start, end) offsets, end exclusive, without white space around.

    Spans are in order, do not overlap, and hold every character that is not white space. Line
    breaks inside a sentence are white space. A citation right after the full stop ("… disease.[3]")
    belongs to the sentence before; a number at the start ("12.1 Nothing …") to the one after.
    Takes time linear in the length of `text`.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    done = 0
    open_at: list[int] = []
    quote_at = -1
    for event in _EVENT.finditer(text):
        at = event.start()
        kind = event.lastgroup
        if kind == "open":
            open_at.append(at)
        elif kind == "close":
            if open_at:
                open_at.pop()
        elif kind == "quote":
            quote_at = _toggle(text, at, quote_at)
        elif kind == "gap":
            open_at.clear()
            quote_at = -1
        elif at >= done:
            tail = _AFTER_STOP.match(text, event.end())
            end = tail.end() if tail else event.end()
            held = _held(text, open_at, quote_at, event.end(), end)
            if held:
                continue
            cut = _boundary(text, start, at, event.end(), end)
            if cut is not None:
                _append(spans, text, start, cut)
                start = done = cut
                open_at.clear()
                quote_at = -1
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _toggle(text: str, at: int, quote_at: int) -> int:
    """Where the straight quotation mark that is now open stands; -1 when none is."""
    opens = at + 1 < len(text) and not text[at + 1].isspace()
    before = text[at - 1] if at else " "
    if quote_at < 0 or at - quote_at > REACH:
        return at if opens and (before.isspace() or before in "([{\u2014\u2013-/") else -1
    return -1


def _held(text: str, open_at: list[int], quote_at: int, stop_end: int, end: int) -> bool:
    """Whether a bracket or quotation mark that opened nearby is still open at `end`."""
    closing = text[stop_end:end]
    depth = len(open_at)
    quote = quote_at
    for mark in closing:
        if mark in ")]}\u201d\u00bb\u300d\u300f\u3011\uff09":
            depth -= 1
        elif mark in "[":
            depth += 1
        elif mark == '"':
            quote = -1
    if depth > 0 and stop_end - open_at[min(depth, len(open_at)) - 1] <= REACH:
        return True
    return quote >= 0 and stop_end - quote <= REACH


def _boundary(text: str, start: int, at: int, stop_end: int, end: int) -> int | None:
    """Where the sentence that began at `start` ends, if the stop at `at` ends it."""
    stop = text[at:stop_end]
    closers = text[stop_end:end]
    if stop[-1] in _WIDE_STOP:
        following = text[end : end + 1]
        return None if closers and _HIRAGANA.match(following) else end
    token = _token_before(text, start, at)
    if end == stop_end and (number := _GLUED_NUMBER.match(text, end)):
        if not _plain_word(token):
            return None
        end = number.end()
    gap = _NEXT.match(text, end)
    if gap is None or not _begins_sentence(text, gap.end(), token):
        return None
    if _only_label(text, start, at):
        return None
    word = _WORD.match(text, gap.end())
    opener = word is not None and _is_opener(text, word, token)
    before = _word_before(text, start, at - len(token))
    if stop == "." and not closers.startswith(")") and _abbreviation(token, opener, before):
        return None
    if stop == "!" and not opener and not closers and token.istitle() and before:
        return None  # a name: "Yahoo! Answers"
    if _ELLIPSIS.search(stop) and _omission(text, start, at, token):
        return None
    if _quoted(closers) and _attributed(text, gap.end()):
        return None
    return end


def _token_before(text: str, start: int, at: int) -> str:
    found = _TOKEN.search(text[max(start, at - _LOOK_BACK) : at])
    return found[0] if found else ""


def _word_before(text: str, start: int, at: int) -> str:
    words = text[max(start, at - _LOOK_BACK) : max(start, at)].split()
    return words[-1] if words else ""


def _plain_word(token: str) -> bool:
    """Whether `token` is surely a whole word: long enough, and not a known abbreviation."""
    return (
        len(token) >= 4
        and token.isalpha()
        and bool(_VOWEL.search(token))
        and token.casefold() not in _words("never")
        and token.casefold() not in _words("unless_opener")
    ) or token.endswith((")", "]"))


def _begins_sentence(text: str, at: int, token: str) -> bool:
    first = text[at : at + 1]
    if not first:
        return False
    if first.isdigit():
        return _plain_word(token) and _NUMBERED_THING.fullmatch(token) is None
    if not first.isalpha():
        return False
    if first.islower():
        # "mRNA levels rose": a small letter begins a name, not the rest of a sentence.
        second = text[at + 1 : at + 2]
        return second.isupper() and _plain_word(token)
    return True


def _only_label(text: str, start: int, at: int) -> bool:
    """Whether what would be cut off is a number or label of what follows ("Article 5.")."""
    head = text[start:at] if at - start <= _LOOK_BACK else ""
    return bool(head) and _LABEL.fullmatch(head.strip(" \t\r\n(*_#>-\u2022")) is not None


def _is_opener(text: str, word: re.Match[str], token: str) -> bool:
    if word[0].casefold() not in _words("openers"):
        return False
    if len(word[0]) == 1 and len(token) == 1:
        return False  # two initials: "J. A Smith"
    after = text[word.end() : word.end() + 1]
    return after.isspace() or after == ","


def _abbreviation(token: str, opener: bool, before: str) -> bool:
    """Whether the stop after `token` marks an abbreviation or an initial."""
    if _HYPHENED_INITIALS.fullmatch(token):
        return not opener
    bare = token.casefold().lstrip("'\u2018*_")
    if bare in _words("never"):
        return True
    if opener or (before[:1].isdigit() and bare in _words("units")):
        return False
    if bare in _words("unless_opener") or token in _words("capitalised"):
        return True
    if _DOTTED.fullmatch(token):
        return True
    if not bare.isalpha():
        return False
    if len(bare) == 1:
        return True
    if token.istitle() and len(bare) <= _SHORT_NAME and bare not in _words("short_words"):
        return True
    capitals = sum(letter.isupper() for letter in token)
    return len(bare) <= 4 and capitals < 2 and not _VOWEL.search(bare)


def _omission(text: str, start: int, at: int, token: str) -> bool:
    """Whether an ellipsis stands for words left out, so that the sentence runs on behind it."""
    return not token or text[at - 1].isspace() or bool(_DANGLING.fullmatch(token))


def _quoted(closers: str) -> bool:
    return any(mark in "\"\u201d\u00bb\u2019'" for mark in closers)


def _attributed(text: str, at: int) -> bool:
    """Whether the next words say who said what was quoted, and so belong to it."""
    ahead = _WORD.findall(text[at : at + _LOOK_AHEAD])[:6]
    return any(word.casefold() in _words("attribution") for word in ahead)
