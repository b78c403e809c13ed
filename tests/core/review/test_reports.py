"""The report that is handed on: everything is in it, nothing in it is live."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from core.claims.verdict import CheckResult, Evidence, Scope, Verdict
from core.documents.model import Notice, NoticeKind, TextScope
from core.review.model import Cited, Outcome, Review, Row
from core.review.report_docx import write_docx
from core.review.report_html import html


def row(
    number: int,
    verdict: Verdict | None,
    sentence: str = "The trial found fewer strokes [3].",
    scope: Scope | None = None,
) -> Row:
    cited = Cited(number, sentence, "The trial found fewer strokes.", 0, 34, 2, "[3]", "3. Smith J")
    if verdict is None:
        return Row(cited, Outcome.NO_SOURCE, "No document of the folder is this work.")
    found = (Evidence("Strokes were fewer.", 10, 29, 7),)
    result = CheckResult(verdict, "entailment", "A passage says it.", found, scope=scope or Scope())
    return Row(cited, Outcome.CHECKED, result.reason, "smith.pdf", "same title", result)


def review(*rows: Row) -> Review:
    made = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)
    return Review("Draft <b>1</b>.docx", "a" * 64, rows, made, "0.1.0", "countersign", 4)


def docx_text(path: Path) -> list[str]:
    file = docx.Document(str(path))
    cells = [cell.text for table in file.tables for line in table.rows for cell in line.cells]
    return cells + [paragraph.text for paragraph in file.paragraphs]


def html_text(page: str) -> str:
    return " ".join(lxml_html.document_fromstring(page).text_content().split())


def test_both_formats_give_what_the_verdict_rests_on(tmp_path: Path) -> None:
    notice = Notice(NoticeKind.CORRECTED, "Corrected in 2025.")
    scope = Scope(TextScope.ABSTRACT_ONLY, (notice,))
    made = review(row(1, Verdict.SUPPORTED, scope=scope), row(2, None))
    write_docx(made, tmp_path / "report.docx")
    for text in (html_text(html(made)), " ".join(docx_text(tmp_path / "report.docx"))):
        for expected in (
            "Draft <b>1</b>.docx",
            "a" * 64,
            "Countersign 0.1.0",
            "1. Supported",
            "2. No source at hand",
            "The trial found fewer strokes [3].",
            "Strokes were fewer. (page 7)",
            "smith.pdf (same title)",
            "Abstract only",
            "Corrected: Corrected in 2025.",
            "No document of the folder is this work.",
            "4, not looked at",
        ):
            assert expected in text


def test_what_needs_a_person_comes_first() -> None:
    order = (Verdict.SUPPORTED, Verdict.NOT_VERIFIABLE, Verdict.CONTRADICTED)
    text = html_text(html(review(*(row(at, verdict) for at, verdict in enumerate(order, 1)))))
    assert text.index("3. Contradicted") < text.index("2. Not verifiable")
    assert text.index("2. Not verifiable") < text.index("1. Supported")


def test_an_empty_review_says_so(tmp_path: Path) -> None:
    write_docx(review(), tmp_path / "report.docx")
    for text in (html_text(html(review())), " ".join(docx_text(tmp_path / "report.docx"))):
        assert "Nothing could be checked." in text


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_text_of_a_document_becomes_markup(text: str) -> None:
    page = html(review(row(1, Verdict.SUPPORTED, sentence=f"<script>{text}</script><img src=x>")))
    tree = lxml_html.document_fromstring(page)
    assert not tree.xpath("//script | //img | //@src | //@href | //@onclick")
    assert len(tree.xpath("//article")) == 1


@pytest.mark.parametrize("text", ["\x00\x0b", "\ud800", "\u202eevil", "\ufffe", "a\u200bb"])
def test_characters_that_no_report_may_hold(text: str, tmp_path: Path) -> None:
    made = review(row(1, Verdict.SUPPORTED, sentence=f"x{text}y"))
    write_docx(made, tmp_path / "report.docx")
    shown = "".join(character for character in text if character.isalpha())
    assert any(f"x{shown}" in part.replace(" ", "") for part in docx_text(tmp_path / "report.docx"))
    html(made).encode("utf-8")


def test_only_what_was_checked_has_a_result() -> None:
    good = row(1, Verdict.SUPPORTED)
    with pytest.raises(ValueError, match="result"):
        replace(good, outcome=Outcome.NO_SOURCE)
    with pytest.raises(ValueError, match="result"):
        replace(good, result=None)
