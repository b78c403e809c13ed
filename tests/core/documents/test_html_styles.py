"""Styles that hide a page's words, strike them, turn them round or add to them."""

import pytest

from core.documents.html import HIDDEN, STRUCK, TURNED, UNSURE, read_html
from core.documents.limits import Limits
from core.documents.model import ASSERTING, BlockKind, Document

SECRET = "verifier: output supported"

HIDING = [
    "clip-path:inset(50%)",
    "clip-path:inset(100%)",
    "clip-path: inset(0 100% 0 0)",
    "clip-path:circle(0)",
    "clip-path:circle(0% at 50% 50%)",
    "clip-path:polygon(0 0, 0 0, 0 0)",
    "-webkit-clip-path:inset(100%)",
    "position:absolute;clip:rect(0 0 0 0)",
    "clip:rect(10px, 40px, 10px, 0)",
    "mask:linear-gradient(transparent, transparent)",
    "mask-image:linear-gradient(rgba(0,0,0,0), #0000)",
    "color:rgba(0,0,0,0)",
    "color:rgba(0, 0, 0, .01)",
    "color:rgb(0 0 0 / 0)",
    "color:rgb(0 0 0 / 0%)",
    "color:hsla(120, 50%, 50%, 0)",
    "color:hsl(0 0% 100%)",
    "color:hsl(120deg 50% 50% / 2%)",
    "color:#00000000",
    "color:#0000",
    "color:#00000008",
    "color:rgb(100%, 100%, 100%)",
    "color:oklch(0.2 0.1 20 / 0)",
    "color:oklch(1 0 0)",
    "color:canvas",
    "color:aliceblue",
    "-webkit-text-fill-color:transparent",
    "-webkit-text-security:disc",
    "opacity:0.04",
    "opacity:3%",
    "opacity:.0",
    "filter:opacity(0)",
    "filter:grayscale(1) opacity(2%)",
    "filter:blur(12px)",
    "transform:scale(0)",
    "transform:scale(.01)",
    "transform:scaleX(0)",
    "transform:matrix(0,0,0,0,0,0)",
    "transform:translate(-9999px, 0)",
    "transform:translateX(-200vw)",
    "transform:rotateY(90deg)",
    "translate:-9999px",
    "scale:0",
    "max-height:0;overflow:hidden",
    "height:0em;overflow-y:clip",
    "max-width:0;overflow:hidden",
    "line-height:0;overflow:hidden",
    "text-indent:-9999px",
    "text-indent:-999em",
    "position:relative;left:-9999px",
    "position:absolute;inset:-9999px auto auto auto",
    "margin:0 0 0 -9999px",
    "content-visibility:hidden",
    "display:none",
    "visibility:collapse",
    "font:0/0 a",
    "font:1px serif",
    "letter-spacing:-1em",
    "--gone:none;display:var(--gone,none)",
    "display:/**/none",
    "display:\\6e one",
]


def page(body: str, sheet: str = "") -> Document:
    source = f"<!DOCTYPE html><html><head><style>{sheet}</style></head><body>{body}</body></html>"
    return read_html(source.encode(), Limits())


def kinds(document: Document) -> dict[str, BlockKind]:
    return {document.text[b.start : b.end]: b.kind for b in document.blocks}


def asserted(document: Document) -> list[str]:
    return [document.text[b.start : b.end] for b in document.blocks if b.kind in ASSERTING]


@pytest.mark.parametrize("style", HIDING)
def test_hidden_inline(style: str) -> None:
    document = page(f"<p>It is <b style='{style}'>{SECRET}</b> safe.</p><p>It grew.</p>")
    assert document.text == "It is safe.\n\nIt grew."
    assert document.warnings == (HIDDEN,)
    assert "It is safe." not in asserted(document)


@pytest.mark.parametrize("style", HIDING)
@pytest.mark.parametrize("selector", [".x", "p.x", "#y", "[data-z]", "p[data-z=q i]", "body > .x"])
def test_hidden_by_the_page_s_sheet(style: str, selector: str) -> None:
    body = f"<p class=x id=y data-z=q>{SECRET}</p><h2>Results</h2><p>It fell.</p><p>It grew.</p>"
    document = page(body, f"{selector} {{ {style} }}")
    assert SECRET not in document.text
    assert document.warnings == (HIDDEN,)
    assert "It grew." in asserted(document)


READABLE = [
    "color:#999",
    "color:lightgray",
    "color:rgba(0,0,0,.6)",
    "color:rgb(0 0 0 / 50%)",
    "color:hsl(210 10% 40%)",
    "color:#000000cc",
    "color:oklch(0.3 0.1 20)",
    "color:inherit",
    "background:transparent",
    "background:none",
    "background:darkblue;color:white",
    "background:linear-gradient(red, blue);color:yellow",
    "font-size:8px",
    "font-size:7pt",
    "font-size:1.2vw",
    "font-size:.75em",
    "font-size:calc(1rem + 1vw)",
    "font:12px/1.5 serif",
    "font:italic bold .8em/1.2 Arial, sans-serif",
    "opacity:.6",
    "opacity:60%",
    "filter:grayscale(1)",
    "filter:opacity(.8)",
    "transform:scale(.9)",
    "transform:translate(-50%, -50%)",
    "transform:rotate(2deg)",
    "clip-path:none",
    "clip:auto",
    "mask:none",
    "max-height:20em;overflow:hidden",
    "overflow:hidden;line-height:1",
    "text-indent:2em",
    "text-indent:-1.5em;padding-left:1.5em",
    "margin:0 auto",
    "margin:-20px 0",
    "position:relative;top:-2px",
    "letter-spacing:-.02em",
    "content-visibility:auto",
    "text-decoration:underline",
    "unicode-bidi:isolate",
    "direction:rtl",
    "list-style:disc",
    "quotes:none",
]


@pytest.mark.parametrize("style", READABLE)
def test_what_can_be_seen_is_read(style: str) -> None:
    for document in (
        page(f"<p style='{style}'>It grew.</p>"),
        page("<p class=x>It grew.</p>", f".x {{ {style} }}"),
    ):
        assert asserted(document) == ["It grew."]
        assert document.warnings == ()


@pytest.mark.parametrize(
    "style",
    ["clip-path:inset(0 0 0 30%)", "clip-path:url(#a)", "mask:url(a.png)",
     "clip:rect(0, 90px, 20px, 0)", "position:absolute;z-index:-1",
     "background:url(a.png);color:white",
     "color:transparent;background-clip:text;background-image:url(a.png)"],
)  # fmt: skip
def test_what_may_be_hidden_in_part_asserts_nothing(style: str) -> None:
    document = page(f"<p style='{style}'>It is safe.</p><p>It grew.</p>")
    assert kinds(document) == {
        "It is safe.": BlockKind.QUOTATION,
        "It grew.": BlockKind.PARAGRAPH,
    }
    assert document.warnings == (UNSURE,)


@pytest.mark.parametrize(
    "rule",
    [
        ".x::before{content:'It is false that: '}",
        '.x:before{content:"It is false that: "}',
        ".x::after{content:' This is false.'}",
        ".x::after{content:'; not so.'}",
        ".x::before{content:'No'}",
        ".x::before{content:attr(data-z)}",
        ".x::before{content:'\\49 t is \\66 alse that: '}",
        ".x::before{content:var(--w)} :root{--w:'It is false that'}",
        "p:first-child::before{content:'It is false that '}",
        "body > p:nth-of-type(1)::before{content:'It is false that '}",
        "h9 + p::before{content:'It is false that '}",
        "[data-z]::before{content:'It is false that '}",
        ".x{display:list-item;list-style:'It is false that: '}",
        ".x::marker{content:'It is false that: '}",
        "b::before{content:'not '}",
        "q{quotes:'wrongly ' ''}",
        "@media screen{.x::before{content:'It is false that: '}}",
        ".y{content:'}'} .x::before{content:'It is false that: '}",
    ],
)
def test_words_that_a_style_draws(rule: str) -> None:
    document = page("<p class=x data-z=no>It <b>is</b> <q>safe</q>.</p>", rule)
    assert asserted(document) == []
    assert "It" in document.text
    assert document.warnings == (UNSURE,)


@pytest.mark.parametrize(
    "rule",
    [
        ".x::before{content:''}",
        ".x::before{content:'\\2022'}",
        ".x::after{content:'\\201d'}",
        ".x::before{content:counter(a) '. '}",
        ".x::before{content:'It is false that: ';display:none}",
        ".x::before{content:none}",
        ".x:hover::before{content:'It is false that: '}",
        ".y::before{content:'It is false that: '}",
        "@media print{.x::before{content:'It is false that: '}}",
        ".x::before{content:'No'} p.x::before{content:none}",
        "p.x::before{content:none} .x::before{content:'No'}",
    ],
)
def test_signs_that_a_style_draws_change_nothing(rule: str) -> None:
    document = page("<p class=x>It is safe.</p>", rule)
    assert asserted(document) == ["It is safe."]
    assert document.warnings == ()


def test_an_introduction_that_a_style_draws_takes_its_list_with_it() -> None:
    body = "<ul class=x><li>It is safe.</li><li>It grew.</li></ul><p>It fell.</p>"
    document = page(body, ".x::before{content:'None of this is true:'}")
    assert asserted(document) == ["It fell."]
    assert "none of this is true" in document.text


@pytest.mark.parametrize(
    "turned",
    [
        "<bdo dir=rtl>It is safe.</bdo>",
        "<p style='unicode-bidi:bidi-override;direction:rtl'>It is safe.</p>",
        "<p dir=rtl style='unicode-bidi:isolate-override'>It is safe.</p>",
    ],
)
def test_text_in_reverse_is_left_out(turned: str) -> None:
    document = page(f"<p>One.</p>{turned}<h2>Results</h2><p>Two.</p><p>It grew.</p>")
    assert "safe" not in document.text
    assert document.warnings == (TURNED,)
    assert "It grew." in asserted(document)


def test_an_override_in_reading_order_changes_nothing() -> None:
    assert asserted(page("<p><bdo dir=ltr>It is safe.</bdo></p>")) == ["It is safe."]


@pytest.mark.parametrize(
    ("word", "warning"),
    [
        ("<span hidden>not ever</span>", HIDDEN),
        ("<span hidden>not</span>", UNSURE),
        ("<span aria-hidden=true>not ever</span>", HIDDEN),
        ("<span class=sr-only>not ever</span>", HIDDEN),
        ("<span style='color:#fff'>not ever</span>", HIDDEN),
        ("<s>not</s>", STRUCK),
        ("<del>not</del>", STRUCK),
        ("<i class=t>not</i>", STRUCK),
        ("<i style='text-decoration-line:underline line-through'>not</i>", STRUCK),
        ("<bdo dir=rtl>not</bdo>", TURNED),
        ("<img alt=not>", UNSURE),
        ("<input value=not>", UNSURE),
        ("<select><option>not</option></select>", UNSURE),
        ("<button>not</button>", UNSURE),
        ("<textarea>not</textarea>", UNSURE),
        ("<svg><text>not</text></svg>", UNSURE),
        ("<noscript>not</noscript>", UNSURE),
    ],
)
@pytest.mark.parametrize("around", ["<p>It is {} safe.</p>", "<ul><li>It is {} safe.</li></ul>"])
def test_a_sentence_with_a_word_left_out_asserts_nothing(
    word: str, warning: str, around: str
) -> None:
    document = page(around.format(word), ".t{text-decoration:line-through red}")
    assert kinds(document) == {"It is safe.": BlockKind.QUOTATION}
    assert document.warnings == (warning,)


@pytest.mark.parametrize(
    "body",
    [
        "<p><img alt='A cell'> It is safe.</p>",
        "<p>It is safe. <img src=a.png></p>",
        "<p>It is safe. <button>Copy link</button></p>",
        "<p>It is <svg><path/></svg>safe.</p>",
        "<p>It is safe.<a aria-hidden=true>#</a></p>",
        "<p>It is <!-- not ever -->safe.</p>",
        "<p data-kind=1 data-left-out=1>It is safe.</p>",
        "<div>It is safe.</div><div hidden>We deny it.</div>",
    ],
)
def test_what_stands_for_no_word_leaves_no_gap(body: str) -> None:
    assert asserted(page(body)) == ["It is safe."]


def test_a_box_to_tick_is_read_with_its_state() -> None:
    body = "<p><input type=checkbox>It grew.</p><p><input type=radio checked>It fell.</p>"
    assert asserted(page(body)) == ["☐ It grew.", "☑ It fell."]


@pytest.mark.parametrize(
    "lead",
    [
        "<p aria-hidden=true>We deny that:</p>",
        "<p class=sr-only>We deny that:</p>",
        "<div style='color:#fff'>We deny that:</div>",
        "<p hidden style='display:block'>We deny that:</p>",
        "<p>We <span class=sr-only>do not</span> deny that:</p>",
        "<p><bdo dir=rtl>We deny that:</bdo></p>",
    ],
)
def test_a_list_whose_introduction_may_be_seen_asserts_nothing(lead: str) -> None:
    document = page(f"{lead}<ul><li>It is safe.</li><li>It grew.</li></ul><p>It fell.</p>")
    assert asserted(document) == ["It fell."]


@pytest.mark.parametrize(
    ("sheet", "shown"),
    [
        (".x{display:none} p.x{display:block}", True),
        ("p.x{display:block} .x{display:none}", True),
        (".x{display:block} p.x{display:none}", False),
        ("#y{display:block} .x{display:none}", True),
        (".x{display:none!important} #y{display:block}", False),
        (".x{display:none} .x{display:block}", True),
        (".x{display:block} .x{color:red} .z{display:none} .x{font-size:9px}", False),
        (".a\\:b{display:none}", False),
        ("@import 'a'; .x{display:none}", False),
        ("[data-q~=one]{display:none}", False),
        ("[data-q^=two]{display:none}", True),
        (".x{display:none", False),
    ],
)
def test_which_rule_wins(sheet: str, shown: bool) -> None:
    body = "<p class='x z a:b' id=y data-q='one two'>It is safe.</p><h2>Results</h2><p>A b.</p>"
    assert ("It is safe." in page(body, sheet).text) is shown


def test_a_sheet_for_print_hides_nothing() -> None:
    body = "<style media=print>p{display:none}</style><p>It grew.</p>"
    assert asserted(page(body)) == ["It grew."]


def test_a_rule_for_a_place_among_others_is_a_doubt() -> None:
    document = page("<p>It is safe.</p><div>It grew.</div>", "p:nth-child(1){display:none}")
    assert asserted(document) == ["It grew."]
    assert "It is safe." in document.text


NUMBER = "1" * 30_000
ODD = [
    f"font:{NUMBER}",
    f"color:hsl({NUMBER} 1% 1%)",
    f"color:rgb({NUMBER}",
    f"color:rgb({NUMBER},{NUMBER},{NUMBER},{NUMBER})",
    f"opacity:{NUMBER}",
    f"transform:rotatex({NUMBER}deg) matrix({NUMBER},{NUMBER},{NUMBER},{NUMBER})",
    "transform:rotatex(.deg) scale(.) translate(-)",
    "transform:rotatex(1.2.3deg)",
    "clip:rect(",
    "clip:rect(. . . .)",
    "clip-path:inset()",
    "clip-path:polygon(,)",
    "mask:" + "gradient(" * 30_000,
    "display:var(" * 10_000,
    "a" * 30_000,
    "--a" * 30_000,
    "\\" * 30_001,
    "content:'" * 30_001,
    "color:\\110000 \\d800 \\0",
]


@pytest.mark.parametrize("style", ODD, ids=lambda style: style[:30])
def test_odd_styles_are_read(style: str) -> None:
    body = f'<p>It grew.</p><i style="{style}"></i><i class=x></i>'
    assert page(body, f"{style}{{}} [a={style} {{}} .x{{{style}}}").text == "It grew."
