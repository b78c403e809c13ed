"""Cut the words between authors and place into title and container.

A stop may end a title or shorten a word of a journal's name, and titles hold stops of their own.
The container is taken from the right; where two cuts are equally good there is no title.
"""

import re
from typing import NamedTuple

from core.citations.works.letters import CJK, UPPER
from core.resource import load_json


class Segment(NamedTuple):
    """`text`, and the sign after it: ".", "?", "!" or "" at the end."""

    text: str
    sign: str


_CUT = re.compile(
    rf"(?P<sign>[.?!。．])(?P<close>[\"”’»)\]]*)(?:\s+|(?<=[。．?!])|(?<=\.)(?=[{CJK}]))"
    rf"(?=[\"“‘«\[¿¡]*(?:[{UPPER}\d{CJK}]|eLife\b|mBio\b|npj\b|bioRxiv\b|medRxiv\b|arXiv\b|i[A-Z]|e[A-Z]))"
)
_ASIDE = re.compile(
    r"(?:In|Edited|Translated|Trans|Epub|Available|Published|Letter|Editorial|Comment|Article|Chapter"
    r"|With|Foreword|Thesis|Report|Special)\b"
)
_ROMAN = re.compile(r"(?:[IVX]{1,5}|\d{1,2}|[Pp]art \w{1,4})")
_WORDS: dict[str, frozenset[str]] = {
    name: frozenset(load_json("citations/works.json")[name])
    for name in (
        "abbreviations", "publishers", "organs", "journals", "small_words", "stopped_words",
        "lower_case_titles",
    )
}  # fmt: skip
_STRIP = ".,:;()[]'\"“”‘’"


def segments(text: str) -> list[Segment]:
    """`text` cut where a sentence or a part of a citation may end."""
    made: list[Segment] = []
    start = 0
    for cut in _CUT.finditer(text):
        before = text[start : cut.start()]
        last = before.rsplit(None, 1)[-1].strip(_STRIP).lower() if before.split() else ""
        if cut["sign"] == "." and last in _WORDS["stopped_words"]:
            continue
        piece = (before + cut["sign"] * (cut["sign"] in "?!") + cut["close"]).strip()
        if piece:
            made.append(Segment(piece, cut["sign"]))
        start = cut.end()
    rest = text[start:].strip(" ,;:")
    if rest:
        made.append(Segment(rest, ""))
    return made


def shortened(text: str) -> bool:
    """Whether every word of `text` is a word that journals' names are shortened to."""
    words = [word.strip(_STRIP) for word in text.split()]
    return bool(words) and all(_short(word) for word in words if word)


def _short(word: str) -> bool:
    if len(word) == 1:
        return word.isupper()
    parts = word.replace("’", "'").split("-")
    return word[0].isupper() and all(
        part.lower() in _WORDS["abbreviations"] or (part.isupper() and len(part) <= 4)
        for part in parts
    )


def container_like(text: str) -> bool:
    """Whether `text` may be the name of a journal, of proceedings or of a book."""
    words = text.split()
    if not words or len(words) > 16 or len(text) > 160:
        return False
    if re.match(f"[{CJK}]", text):
        return len(text) <= 30
    first = words[0].strip(_STRIP)
    if first.lower() in _WORDS["lower_case_titles"] or (first[:1] in "ei" and first[1:2].isupper()):
        return True
    if not first[:1].isupper():
        return first[:4].isdigit() and len(words) > 1
    plain = [word.strip(_STRIP) for word in words]
    if any(word.lower() in _WORDS["organs"] or word == "J" for word in plain):
        return True
    return _capitalised(text)


def _capitalised(text: str) -> bool:
    """Whether every word of weight has a capital."""
    plain = (word.strip(_STRIP) for word in text.split())
    return all(
        word != word.lower() or word in _WORDS["small_words"] or not word[0].isalpha()
        for word in plain
        if word
    )


def serial(text: str) -> bool:
    """Whether `text` can be nothing but the name of a journal or the like."""
    plain = [word.strip(_STRIP) for word in text.split()]
    if not 2 <= len(plain) <= 12 or re.search(r":\s?\d|\d$", text) or not container_like(text):
        return False
    return shortened(text) or any(word.lower() in _WORDS["organs"] for word in plain)


def publisher_like(text: str) -> bool:
    """Whether `text` names a publisher, with or without its place and the year."""
    if len(text) > 140:
        return False
    words = {word.strip(_STRIP).lower() for word in text.split()}
    if words & _WORDS["publishers"]:
        return all(
            word.strip(_STRIP)[:1].isupper() or word.strip(_STRIP).lower() in _WORDS["small_words"]
            or word.strip(_STRIP)[:1].isdigit()
            for word in text.split() if word.strip(_STRIP)
        )  # fmt: skip
    return bool(_PLACE.fullmatch(text))


_PLACE = re.compile(
    rf"[{UPPER}][\w .'’,()&/-]{{1,50}}?\s?[:：]\s?[{UPPER}][\w .'’,&/()-]{{1,70}}?"
    r"(?:[;,，]\s?c?(?:1[4-9]|20)\d\d)?"
    rf"|[{CJK}]{{1,12}}\s?[:：]\s?[{CJK}]{{2,20}}(?:\s?[,，]\s?(?:1[4-9]|20)\d\d)?"
)


def split(text: str) -> tuple[str, str] | None:
    """Title and container of `text`, which ends before the volume. None: no certain cut."""
    parts = segments(text)
    if not parts:
        return None
    at = len(parts) - 1
    while at > 0 and parts[at - 1].sign == "." and _goes_on(parts, at - 1):
        at -= 1
    container = _joined(parts[at:])
    if at == 0:
        # Nothing but a container, as where a style leaves titles out.
        return ("", container) if _known(container) or shortened(container) else None
    if not container_like(container) and not (
        parts[at].text[:1].isupper() and len(container.split()) <= 10
    ):
        return None
    sure = serial(container) or shortened(container) or _known(container)
    if whole(parts[:at]) or (at == 2 and sure and not _ASIDE.match(parts[1].text)):
        return _joined(parts[:at]), container
    return "", container


def _known(container: str) -> bool:
    return container.strip(_STRIP).lower() in _WORDS["journals"]


def _goes_on(parts: list[Segment], at: int) -> bool:
    """Whether the part at `at` is the shortened beginning of the container after it."""
    text = parts[at].text
    if shortened(text) or (at > 0 and serial(text) and _capitalised(text)):
        return True
    words = text.split()
    named = len(words) <= 3 and all(word[:1].isupper() for word in words) and _short(words[-1])
    if named and at > 0:
        return True
    single = " " not in text and 2 <= len(text) <= 9 and text[0].isupper() and text[1:].islower()
    return single and at > 0


def whole(parts: list[Segment]) -> bool:
    """Whether the parts make one title: one sentence, or sentences that questions join."""
    return all(part.sign != "." or _ROMAN.fullmatch(part.text) for part in parts[:-1])


def _joined(parts: list[Segment]) -> str:
    text = ""
    for part in parts:
        glue = "." if part.sign == "." else ""
        text += f"{part.text}{glue} "
    text = text.strip()
    return text if _dotted(text) else text.removesuffix(".")


def _dotted(text: str) -> bool:
    """Whether a stop at the end shortens a word, as those before it do."""
    return text.endswith(".") and text[:-1].count(".") > 0 and shortened(text)
