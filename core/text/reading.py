"""A piece of text as the gates read it: cleaned once, in tokens, in lower case."""

import re
from collections.abc import Iterable
from functools import cache, cached_property

from core.resource import load_json
from core.text.hygiene import LINE_HYPHEN, clean, lookalikes, readable
from core.text.tokens import Kind, Token, quantities, tokenize

_NUMBERED = r"\[(?:\d{1,3}|[A-Z]\d{1,3})(?:\s?[,;-]\s?[A-Z]?\d{1,3})*\]"
_CITATION = re.compile(
    rf"""
      \s?{_NUMBERED}(?:\s?[,;-]?\s?{_NUMBERED})*                    # [3], [3, 7-9], [S1]-[S4]
    | \s?\((?:see\ |e\.g\.,?\ |cf\.\ |reviewed\ in\ )?          # (Smith et al., 2010; Lee 2011)
        (?:[A-Z][\w'-]+(?:\ et\ al\.?|\ (?:and|&)\ [A-Z][\w'-]+)?,?
        \ (?:19|20)\d\d[a-z]?(?:;\ )?)+\)
    | \s?\((?:see\ )?(?:(?:Supplementary|Supporting)\ )?            # (Fig. 2A), (Tables 1 and 2)
        (?:Figs?\.?|Figures?|Tables?|Box|Appendix|Eq\.?)\ ?[A-Z]?\d+[A-Za-z]?
        (?:(?:[,;-]|\ and)\s?(?:and\ )?(?:Figs?\.?\ |Figures?\ |Tables?\ )?[A-Z]?\d*[A-Za-z]?)*\s?\)
    | (?<=[a-z]{{3}}[.,;])\^\d{{1,3}}(?:[,-]\d{{1,3}})*(?=\s|$)       # a raised 3 after the stop
    """,
    re.VERBOSE,
)


def without_citations(cleaned: str) -> str:
    """`cleaned` with its citation and figure markers blanked out, the same length as before."""
    return _CITATION.sub(lambda match: " " * len(match.group()), cleaned)


_BROKEN_WORD = re.compile(rf"[\w.&'-]*{LINE_HYPHEN}[\w.&'{LINE_HYPHEN}-]*")


class Reading:
    """A claim, a sentence or a premise. `raw` is the text as it was given."""

    def __init__(self, raw: str) -> None:
        self.raw = raw

    @cached_property
    def cleaned(self) -> str:
        """The text after hygiene, with its citation markers blanked out."""
        return without_citations(clean(self.raw).text)

    @property
    def cites(self) -> bool:
        """Whether a citation or figure marker stands in it."""
        return self.cleaned != clean(self.raw).text

    @cached_property
    def lower(self) -> str:
        """`cleaned` in lower case, readable, for matching phrases."""
        return re.sub(r"\s+", " ", readable(self.cleaned)).strip().lower()

    @cached_property
    def tokens(self) -> list[Token]:
        """Tokens of `cleaned`, with equal quantities made equal."""
        return quantities(tokenize(self.cleaned))

    @cached_property
    def keys(self) -> list[str]:
        """The tokens' words and numbers, in lower case."""
        return [t.key.lower() for t in self.tokens if t.kind in (Kind.WORD, Kind.NUMBER)]

    @cached_property
    def lookalikes(self) -> tuple[str, ...]:
        """Words spelled with another script's letters."""
        return lookalikes(self.raw)

    @cached_property
    def ends_as_sentence(self) -> bool:
        """Whether it ends with terminal punctuation, brackets and quotes aside."""
        text = without_citations(clean(self.raw).text).rstrip(" \"')]")
        return text.endswith((".", "!", "?", "。", "！", "？"))

    @property
    def is_question(self) -> bool:
        """Whether it ends with a question mark."""
        return self.cleaned.rstrip(" \"')]").endswith(("?", "？"))


@cache
def _function_words() -> frozenset[str]:
    return frozenset(load_json("gates/words.json")["function_words"])


def as_read_in(passage: str, claim: Reading) -> Reading:
    """`passage` with each word broken at a line's end written as the claim writes it.

    The break alone does not say whether "meta-⏎analysis" has a hyphen of its own.
    """
    written = {token.key.lower() for token in claim.tokens}
    cleaned = clean(passage).text

    def whole(match: re.Match[str]) -> str:
        hyphenated = match.group().replace(LINE_HYPHEN, "-")
        return hyphenated if hyphenated.lower() in written else readable(match.group())

    return Reading(_BROKEN_WORD.sub(whole, cleaned))


def stems(keys: Iterable[str]) -> list[str]:
    """The content words among lower-case keys, crudely stemmed so that "samples" meets "sample"."""
    return [
        re.sub(r"(?:ies|es|s|ed|ing|e|y)$", "", key)
        for key in keys
        if key not in _function_words() and len(key) > 2
    ]
