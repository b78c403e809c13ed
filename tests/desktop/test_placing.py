"""The passages of an earlier verdict are marked where they stand, or not at all."""

from hypothesis import given
from hypothesis import strategies as st

from core.claims.verdict import CheckResult, Evidence, Verdict
from core.documents.model import Block, BlockKind, Document, Format, Fragment
from desktop.pages.check.placing import placed

PASSAGE = "It holds."


def document(text: str) -> Document:
    fragments = (Fragment(0, len(text), 3, 0),)
    return Document(Format.PDF, text, (Block(BlockKind.PARAGRAPH, 0, len(text)),), "", fragments, 5)


def verdict(*passages: Evidence) -> CheckResult:
    return CheckResult(Verdict.SUPPORTED, "lexical", "So it is.", passages)


def test_a_passage_that_stands_where_it_says_is_kept() -> None:
    text = f"First. {PASSAGE} Last."
    result = verdict(Evidence(PASSAGE, 7, 16, 3))
    assert placed(result, document(text)) == result


def test_a_passage_that_moved_is_found_again() -> None:
    found = placed(verdict(Evidence(PASSAGE, 0, 9, 1)), document(f"A new heading. {PASSAGE}"))
    assert found is not None
    assert found.evidence == (Evidence(PASSAGE, 15, 24, 3),)


def test_a_passage_that_stands_twice_is_not_guessed() -> None:
    result = verdict(Evidence(PASSAGE, 1, 10, 1))
    assert placed(result, document(f"{PASSAGE} It did not. {PASSAGE}")) is None


def test_a_passage_that_is_gone_takes_the_marks_away() -> None:
    kept, gone = Evidence(PASSAGE, 0, 9, 3), Evidence("Gone.", 10, 15, 3)
    assert placed(verdict(kept, gone), document(PASSAGE)) is None


@given(st.text(max_size=80), st.text(max_size=20), st.integers(0, 90), st.integers(0, 90))
def test_what_is_marked_is_always_the_passage(text: str, words: str, start: int, end: int) -> None:
    found = placed(verdict(Evidence(words, start, end)), document(text))
    for passage in found.evidence if found is not None else ():
        assert text[passage.start : passage.end] == words
