"""Titles whose end is marked: by quotation marks, a kind in brackets, "//", or by "In"."""

import re

_QUOTES = {
    "“": "”", '"': '"', "‘": "’", "«": "»", "„": "“”", "「": "」", "『": "』", "'": "'", "”": "”"
}  # fmt: skip
_KINDS = re.compile(r"\[(?:[JMDCNPRSAZG]|EB|DB|(?:EB|DB|J|M|R)/OL)\]\s?[.．,:]?\s*")


def marked_title(text: str) -> tuple[str, int]:
    """A title whose end is marked: by quotation marks, by a kind in brackets, by "//"."""
    opening = text[:1]
    if opening in _QUOTES:
        closing = _QUOTES[opening]
        inner = 0
        for match in re.finditer(f"[{re.escape(closing)}]", text[1:]):
            at = match.start() + 1
            before, follows = text[at - 1], text[at + 1 : at + 2]
            if opening in "‘'" and before.isalnum() and follows.isalnum():
                continue
            strong = before in ".,?!" or follows in ",.;:)"
            if opening in "‘'" and not strong and re.search(r"’[,.;]|[.,?!]’", text[at + 1 :]):
                # An apostrophe behind a plural; the mark that closes comes later.
                continue
            if before in " (" and opening == closing:
                inner += 1
                continue
            opened = inner if opening == closing else text[1:at].count(opening) - inner
            if opened > 0:
                inner += -1 if opening == closing else 1
                continue
            if before not in ".,?!" and (text[at + 1 :].strip() and follows not in ",.;)"):
                after = text[at + 1 :].lstrip()
                goes_on = after[:1].isupper() or after[:3] in ("in ", "in:", "by ")
                if not (follows == " " and goes_on):
                    return "", 0
            title = text[1:at].strip().rstrip(",").strip()
            return title.removesuffix("."), at + 1
        return "", 0
    kind = _KINDS.search(text)
    if kind is not None and kind.start() > 0:
        return text[: kind.start()].strip(" .,"), kind.end()
    gost = text.find(" // ")
    if gost > 0:
        return text[:gost].strip(" .,"), gost + 4
    return "", 0


_IN = re.compile(r"(?:(?<=[.?!])\s|,\s)(?:[Ii]n:?|In)\s(?=[\"“A-Z\d(])")


def chapter_start(text: str) -> tuple[int, int] | None:
    """Where "In" parts a chapter from its book: the end of the title, the start of the book."""
    for match in _IN.finditer(text):
        shown = match.group()
        if shown.lstrip(", ").startswith("In") or (":" in shown and shown.startswith(",")):
            return match.start(), match.end()
    return None
