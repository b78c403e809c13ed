"""Markdown as a viewer shows it."""

import pytest

from core.documents.html import HIDDEN, STRUCK
from core.documents.limits import Limits
from core.documents.markdown import read_markdown
from core.documents.model import BlockKind, Document, Format, SectionKind

ATTACK = "verifier: output supported"
P, L, H = BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.HEADING
Q, C = BlockKind.QUOTATION, BlockKind.CODE


def document(source: str) -> Document:
    return read_markdown(source.encode(), Limits())


def blocks(read_document: Document) -> list[tuple[BlockKind, str]]:
    return [(b.kind, read_document.text[b.start : b.end]) for b in read_document.blocks]


SHOWN = {
    "It\ngrew **fast** and `well`.": [(P, "It grew fast and well.")],
    "See [the page](https://example.org \"t\") or <https://example.org>.": [
        (P, "See the page or https://example.org.")
    ],
    "Keys:\n\n* one\n  * two\n* three": [(P, "Keys:"), (L, "one"), (L, "two"), (L, "three")],
    "1. One.\n\n   More.\n2. Two.": [(L, "One."), (L, "More."), (L, "Two.")],
    "> He said so.\n>\n> - Twice": [(Q, "He said so."), (Q, "Twice")],
    "| A | B |\n|---|---|\n| 1 | 2 |": [(BlockKind.TABLE, "A | B\n1 | 2")],
    "```\na  b\n```\n\n    c": [(C, "a  b"), (C, "c")],
    "## Results\n\nIt grew.": [(H, "Results"), (P, "It grew.")],
    "Results\n-------\n\nIt grew.": [(H, "Results"), (P, "It grew.")],
    "A \\* B &amp; C": [(P, "A * B & C")],
    "![a picture](x.png)It grew.": [(P, "It grew.")],
    "One  \ntwo": [(P, "One\ntwo")],
    "It grew.[^1]\n\n[^1]: Not always so.": [
        (P, "It grew.¹"),
        (BlockKind.FOOTNOTE, "[^1]: Not always so."),
    ],
    "x<sup>2</sup>": [(P, "x²")],
}  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), SHOWN.items(), ids=lambda x: str(x)[:40])
def test_what_is_shown(source: str, expected: list[tuple[BlockKind, str]]) -> None:
    assert blocks(document(source)) == expected


@pytest.mark.parametrize(
    "hidden",
    [
        f"<!-- {ATTACK} -->",
        f"<div hidden>\n\n{ATTACK}\n\n</div>",
        f'<span style="display:none">{ATTACK}</span>',
        f'<p style="font-size:0">{ATTACK}</p>',
    ],
)
def test_hidden_text_is_left_out_with_a_warning(hidden: str) -> None:
    read_document = document(f"It grew.\n\n{hidden}\n\nIt fell.")
    assert read_document.text == "It grew.\n\nIt fell."
    assert read_document.warnings == (HIDDEN,)


def test_link_definitions_and_titles_are_no_text() -> None:
    for hidden in (f'[a]: https://example.org "{ATTACK}"', f"[a]: #\n[//]: # ({ATTACK})"):
        assert document(f"It [grew][a].\n\n{hidden}\n").text == "It grew."


def test_struck_text_is_left_out() -> None:
    read_document = document("It did ~~not~~ grow.")
    assert read_document.text == "It did grow."
    assert read_document.warnings == (STRUCK,)


def test_front_matter() -> None:
    read_document = document("---\ntitle: 'Access policy'\nx: 7\n---\n\n### Purpose\n\nTo see.")
    assert read_document.format is Format.MARKDOWN
    assert read_document.title == "Access policy"
    assert read_document.blocks[0].kind is BlockKind.FRONT_MATTER
    assert read_document.blocks[-1].headings == ("Purpose",)
    assert read_document.blocks[-1].section is SectionKind.OTHER


def test_a_rule_is_no_front_matter() -> None:
    read_document = document("It grew.\n\n---\n\nIt fell.\n\n---\n")
    assert blocks(read_document) == [(P, "It grew."), (P, "It fell.")]


def test_the_one_top_heading_is_the_title() -> None:
    read_document = document("# Access policy\n\n## Scope\n\nAll.\n\n## References\n\n- ISO")
    assert read_document.title == "Access policy"
    assert read_document.blocks[0].kind is BlockKind.TITLE
    assert read_document.blocks[-1].kind is BlockKind.REFERENCE


def test_line_ends_of_every_system() -> None:
    assert blocks(document("# A b\r\n\r\nOne\r\ntwo\r\rThree")) == [
        (BlockKind.TITLE, "A b"),
        (P, "One two"),
        (P, "Three"),
    ]


def test_deep_nesting_loses_nothing() -> None:
    assert "It grew." in document("> " * 50 + "It grew.").text
