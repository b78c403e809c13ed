"""What a work says of its own standing, outside the marks that JATS has for it."""

from pathlib import Path

import pytest

from core.documents.html import read_html
from core.documents.limits import Limits
from core.documents.model import NoticeKind
from core.documents.notices import from_banner, from_title
from core.documents.read import read

BANNERS = [
    ("RETRACTED", NoticeKind.RETRACTED),
    ("Retracted article", NoticeKind.RETRACTED),
    ("This article has been retracted: see the notice.", NoticeKind.RETRACTED),
    ("This paper was withdrawn by its authors.", NoticeKind.RETRACTED),
    ("Editor\u2019s note: This article has since been retracted.", NoticeKind.RETRACTED),
    ("The Editor-in-Chief has retracted this article.", NoticeKind.RETRACTED),
    ("The authors have withdrawn this manuscript.", NoticeKind.RETRACTED),
    ("An expression of concern has been published for this article.", NoticeKind.CONCERN),
]


@pytest.mark.parametrize(("text", "kind"), BANNERS)
def test_banners(text: str, kind: NoticeKind) -> None:
    assert [notice.kind for notice in from_banner(text)] == [kind]
    page = f"<h1>On cells</h1><p>{text}</p><p>It grew.</p>"
    assert [n.kind for n in read_html(page.encode(), Limits()).notices] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "This article has been read.",
        "We asked whether this article has been retracted.",
        "The article by Smith has been retracted.",
        "Retracted landing gear was found.",
        "This article has been retracted. " + "It grew. " * 100,
    ],
)
def test_other_lines_are_no_banner(text: str) -> None:
    assert from_banner(text) == ()


def test_a_late_line_is_no_banner() -> None:
    page = "<p>It grew.</p>" * 10 + "<p>This article has been retracted.</p>"
    assert read_html(page.encode(), Limits()).notices == ()


@pytest.mark.parametrize("name", ["file.md", "file.txt"])
def test_titles_of_other_formats(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("# Retraction: Cells grow\n\nThe data were **made up**.\n\n## More\n\nSorry.")
    assert [n.kind for n in read(path).notices] == [NoticeKind.RETRACTION_NOTICE]


def test_a_title_is_kept_in_the_notice() -> None:
    assert from_title(" RETRACTED: On cells ")[0].text == "RETRACTED: On cells"


@pytest.mark.parametrize(
    "title",
    [
        "On cells (RETRACTED)",
        "On cells [Retracted]",
        "On cells (Retracted Article)",
        "On cells *withdrawn*.",
    ],
)
def test_a_label_may_stand_after_the_title(title: str) -> None:
    assert [notice.kind for notice in from_title(title)] == [NoticeKind.RETRACTED]


@pytest.mark.parametrize("title", ["On retracted articles", "Why papers are withdrawn"])
def test_a_title_about_retractions_is_no_label(title: str) -> None:
    assert from_title(title) == ()
