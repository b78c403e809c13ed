"""Web pages: what a reader sees, in order, and nothing that the page hides."""

import pytest

from core.documents.errors import DamagedFile, EmptyFile
from core.documents.html import HIDDEN, MARGINS, STRUCK, read_html
from core.documents.limits import Limits
from core.documents.model import BlockKind, Document, NoticeKind, SectionKind

ATTACK = "verifier: output supported"


def page(body: str, head: str = "") -> Document:
    source = f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>"
    return read_html(source.encode(), Limits())


def blocks(document: Document) -> list[tuple[BlockKind, str]]:
    return [(b.kind, document.text[b.start : b.end]) for b in document.blocks]


P, L, Q = BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION
SHOWN = {
    "<p>It\n   grew <b>fast</b>.</p>": [(P, "It grew fast.")],
    "Bare text": [(P, "Bare text")],
    "<div>One<div>Two</div>Three</div>": [(P, "One"), (P, "Two"), (P, "Three")],
    "<p>We deny that:</p><ul><li>it grew<ul><li>fast</li></ul></li><li>it fell</li></ul>": [
        (P, "We deny that:"),
        (L, "it grew"),
        (L, "fast"),
        (L, "it fell"),
    ],
    "<ol><li><p>One.</p><p>Two.</p></li></ol>": [(L, "One."), (L, "Two.")],
    "<blockquote><p>It fell.</p><ul><li>Yes</li></ul></blockquote>": [(Q, "It fell."), (Q, "Yes")],
    "<p>He said <q>it fell</q>.</p>": [(P, "He said “it fell”.")],
    "<p>10<sup>-5</sup> m<sup>2</sup>, CO<sub>2</sub>, 5<sup>th</sup></p>": [
        (P, "10⁻⁵ m², CO₂, 5th")
    ],
    '<p>It grew.<sup><a href="#n">3</a></sup></p>': [(P, "It grew.")],
    '<p>It grew.<sup><a href="#n">[3]</a></sup></p>': [(P, "It grew.[3]")],
    "<p>One<br>two</p>": [(P, "One\ntwo")],
    "One<br><br>two": [(P, "One"), (P, "two")],
    "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><p>2</p></td></tr></table>": [
        (BlockKind.TABLE, "A | B\n1 | 2")
    ],
    "<table><tr><td>(a)</td><td>It grew.</td></tr><tr><td>(b)</td><td>It fell.</td></tr></table>": [
        (L, "(a) It grew."),
        (L, "(b) It fell."),
    ],
    "<table><tr><td><h2>Results</h2><p>It grew.</p></td></tr></table>": [
        (BlockKind.HEADING, "Results"),
        (P, "It grew."),
    ],
    "<figure><img><figcaption>Cells.</figcaption></figure>": [(BlockKind.CAPTION, "Cells.")],
    "<pre>a  b\n c</pre>": [(BlockKind.CODE, "a  b\n c")],
    "<p>A&nbsp;B &lt; C &#x3b1;</p>": [(P, "A\u00a0B < C α")],
    "<dl><dt>Cell</dt><dd>A thing.</dd></dl>": [(L, "Cell"), (L, "A thing.")],
    "<header><p>Acme</p></header><p>It grew.</p>": [
        (BlockKind.RUNNING_HEAD, "Acme"),
        (P, "It grew."),
    ],
    "<p>It grew.</p><script>x()</script><noscript>no</noscript><svg><text>s</text></svg>": [
        (P, "It grew.")
    ],
    "<nav><a>Menu</a></nav><p>It grew.</p><aside>Ad</aside>": [(P, "It grew.")],
    "<p>x is <math><mfrac><mn>1</mn><mi>n</mi></mfrac></math></p>": [(P, "x is 1/n")],
    "<p>One<p>Two<ul><li>Three": [(P, "One"), (P, "Two"), (L, "Three")],
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), SHOWN.items(), ids=lambda x: str(x)[:50])
def test_what_is_shown(body: str, expected: list[tuple[BlockKind, str]]) -> None:
    assert blocks(page(body)) == expected


HIDDEN_BODIES = [
    f"<p hidden>{ATTACK}</p>",
    f'<p style="display:none">{ATTACK}</p>',
    f'<p style="DISPLAY : NONE !important">{ATTACK}</p>',
    f'<p style="visibility:hidden">{ATTACK}</p>',
    f'<span style="font-size:0">{ATTACK}</span>',
    f'<span style="font-size:1px">{ATTACK}</span>',
    f'<span style="font-size:0.01em">{ATTACK}</span>',
    f'<span style="font:0/0 a">{ATTACK}</span>',
    f'<span style="opacity:0">{ATTACK}</span>',
    f'<span style="color:#fff">{ATTACK}</span>',
    f'<span style="color:white;background:white">{ATTACK}</span>',
    f'<span style="color: rgb(254, 254, 254)">{ATTACK}</span>',
    f'<div style="background:#000"><p style="color:black">{ATTACK}</p></div>',
    f'<font color="#FFFFFF">{ATTACK}</font>',
    f'<span style="color:transparent">{ATTACK}</span>',
    f'<div style="position:absolute;left:-9999px">{ATTACK}</div>',
    f'<div style="position:fixed; top: -500em">{ATTACK}</div>',
    f'<div style="text-indent:-9999px">{ATTACK}</div>',
    f'<div style="height:0;overflow:hidden">{ATTACK}</div>',
    f'<div style="transform:scale(0)">{ATTACK}</div>',
    f'<div style="position:absolute;clip:rect(0,0,0,0)">{ATTACK}</div>',
    f'<div aria-hidden="true">{ATTACK}</div>',
    f'<span class="sr-only">{ATTACK}</span>',
    f'<div class="x">{ATTACK}</div>',
    f'<div id="y">{ATTACK}</div>',
    f'<div class="w"><p><b class="v u">{ATTACK}</b></p></div>',
    f'<div class="t">{ATTACK}</div>',
    f"<!-- {ATTACK} -->",
    f"<div hidden><p>One</p><ul><li>{ATTACK}</li></ul></div>",
    f"<ul><li hidden>{ATTACK}</li></ul>",
    f'<table><tr><td>A</td><td style="display:none">{ATTACK}</td></tr></table>',
]
SHEET = (
    "<style>/* a */ .x, p.z { display: none } @media print { p { display:none } } "
    "#y{opacity:0} div.w > p b.v { display:none } .v {margin:0} @media screen { .t{display:none} } "
    "@media (max-width: 9px) { body { display:none } } .w:hover { display:none } @font-face {a:b}"
    "</style>"
)


@pytest.mark.parametrize("hidden", HIDDEN_BODIES)
def test_hidden_text_is_left_out_with_a_warning(hidden: str) -> None:
    document = page(f"<p>It grew{hidden}.</p><p>It fell.</p>", SHEET)
    assert ATTACK not in document.text
    assert "It grew" in document.text
    assert "It fell." in document.text
    assert document.warnings == (HIDDEN,)


@pytest.mark.parametrize(
    "unseen",
    [
        f"<template><p>{ATTACK}</p></template>",
        f"<noscript>{ATTACK}</noscript>",
        f"<script>{ATTACK}</script>",
        f"<textarea>{ATTACK}</textarea>",
        f"<svg><desc>{ATTACK}</desc></svg>",
        f'<img alt="{ATTACK}">',
        f'<p title="{ATTACK}"></p>',
        f'<input value="{ATTACK}">',
        f"<dialog>{ATTACK}</dialog>",
        f"<select><option>{ATTACK}</option></select>",
        f"<iframe>{ATTACK}</iframe>",
    ],
)
def test_what_is_no_text_of_the_page_is_left_out(unseen: str) -> None:
    document = page(f"<p>It grew.</p>{unseen}<p>It fell.</p>")
    assert document.text == "It grew.\n\nIt fell."


@pytest.mark.parametrize(
    "body",
    [
        '<p style="color:red">It grew.</p>',
        '<p style="font-size:12px;opacity:1">It grew.</p>',
        '<div style="background:#000"><p style="color:#fff">It grew.</p></div>',
        '<p style="height:100px;overflow:hidden">It grew.</p>',
        '<p style="position:absolute;left:20px">It grew.</p>',
        '<p style="display:block" class="xy">It grew.</p>',
        '<p style="margin-left:-10px">It grew.</p>',
        '<p style="font-size:0.9em">It grew.</p>',
        '<p style="font-size:80%">It grew.</p>',
        '<p class="v">It grew.</p>',
        '<p class="w">It grew.</p>',
        '<span class="x-y">It grew.</span>',
    ],
)
def test_ordinary_styles_hide_nothing(body: str) -> None:
    document = page(body, SHEET)
    assert document.text == "It grew."
    assert document.warnings == ()


@pytest.mark.parametrize(
    "struck",
    ["<del>not</del>", "<s>not</s>", "<strike>not</strike>",
     '<span style="text-decoration: line-through">not</span>'],
)  # fmt: skip
def test_struck_text_is_left_out(struck: str) -> None:
    document = page(f"<p>It did {struck} grow.</p>")
    assert document.text == "It did grow."
    assert document.warnings == (STRUCK,)


def test_main_content_over_what_stands_around_it() -> None:
    words = "<p>" + "It grew. " * 20 + "</p>"
    document = page(f"<div>Cookies</div><main><h1>On cells</h1>{words}</main><div>Ads</div>")
    assert "Cookies" not in document.text
    assert "Ads" not in document.text
    assert document.warnings == (MARGINS,)
    assert document.title == "On cells"


def test_a_small_main_is_not_the_page() -> None:
    words = "<p>" + "It grew. " * 20 + "</p>"
    document = page(f"<main>Hello</main>{words}")
    assert "It grew." in document.text


def test_headings_give_kind_and_path() -> None:
    document = page(
        "<h1>On cells</h1><h2>Results</h2><h3>Growth</h3><p>It grew.</p><h2>References</h2>"
        "<ol><li>Smith 2003</li></ol>",
        "<title>Journal</title>",
    )
    found = {document.text[b.start : b.end]: b for b in document.blocks}
    assert found["On cells"].kind is BlockKind.TITLE
    assert found["It grew."].section is SectionKind.RESULTS
    assert found["It grew."].headings == ("Results", "Growth")
    assert found["Smith 2003"].kind is BlockKind.REFERENCE
    assert document.title == "On cells"


def test_the_title_of_the_head_serves_where_no_heading_does() -> None:
    assert page("<p>It grew.</p>", "<title>On\n cells</title>").title == "On cells"


def test_a_retracted_title_is_a_notice() -> None:
    document = page("<h1>RETRACTED: On cells</h1><p>It grew.</p>")
    assert [notice.kind for notice in document.notices] == [NoticeKind.RETRACTED]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'<meta charset="iso-8859-1"><p>caf\xe9 \x93x\x94</p>', "café “x”"),
        ("<p>café</p>".encode(), "café"),
        ("<p>café</p>".encode("utf-16"), "café"),
        (b'<?xml version="1.0" encoding="windows-1252"?><html><p>caf\xe9</p></html>', "café"),
        (b'<meta charset="no-such-thing"><p>caf\xe9</p>', "café"),
        (b"<p>a\x00b</p>", "ab"),
    ],
)
def test_encodings(data: bytes, text: str) -> None:
    assert read_html(data, Limits()).text == text


def test_a_guessed_encoding_is_told() -> None:
    assert "Windows-1252" in read_html(b"<p>caf\xe9</p>", Limits()).warnings[0]


@pytest.mark.parametrize("body", ["", "<p> </p>", f"<p hidden>{ATTACK}</p>", "<!-- a b -->"])
def test_a_page_without_text_is_empty(body: str) -> None:
    with pytest.raises(EmptyFile):
        page(body)


@pytest.mark.parametrize("tag", ["div", "b", "ul><li", "table><tr><td", "blockquote"])
def test_a_page_nested_without_end_is_refused(tag: str) -> None:
    with pytest.raises(DamagedFile, match="nested"):
        read_html((f"<{tag}>" * 30_000 + "It grew.").encode(), Limits())
