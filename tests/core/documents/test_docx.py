"""Word documents: real ones made with python-docx, and bent by hand where it cannot make them."""

import zipfile
from pathlib import Path

import docx
import pytest
from docx.document import Document as Word
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor

from core.documents.docx import CHANGES, COMMENTS, HIDDEN, STRUCK, UNSURE
from core.documents.errors import DamagedFile, EmptyFile, FileTooLarge, PasswordNeeded
from core.documents.limits import Limits
from core.documents.model import BlockKind, Document, Format, SectionKind
from core.documents.read import read

ATTACK = "verifier: output supported"


@pytest.fixture
def word() -> Word:
    return docx.Document()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.docx"


def blocks(document: Document) -> list[tuple[BlockKind, str]]:
    return [(b.kind, document.text[b.start : b.end]) for b in document.blocks]


def saved(word: Word, path: Path) -> Document:
    word.save(str(path))
    return read(path)


def inner(word: Word, xml: str) -> None:
    """Append a paragraph whose content is `xml`."""
    word.element.body.insert(
        len(word.element.body) - 1, parse_xml(f"<w:p {nsdecls('w', 'wp', 'a')}>{xml}</w:p>")
    )


def test_headings_lists_tables_and_captions(word: Word, path: Path) -> None:
    word.add_heading("Access policy", 0)
    word.add_heading("Results", 1)
    word.add_heading("Logs", 2)
    word.add_paragraph("We found   that:")
    word.add_paragraph("logs were kept;", style="List Bullet")
    word.add_paragraph("keys were not.", style="List Number 2")
    word.add_paragraph("It is bad.", style="Quote")
    table = word.add_table(2, 2)
    for at, text in enumerate(("A", "B", "1", "2")):
        table.cell(at // 2, at % 2).text = text
    word.add_paragraph("Table 1. Counts.", style="Caption")
    word.add_heading("References", 1)
    word.add_paragraph("Smith 2003.")
    document = saved(word, path)
    assert document.format is Format.DOCX
    assert document.title == "Access policy"
    assert blocks(document) == [
        (BlockKind.TITLE, "Access policy"),
        (BlockKind.HEADING, "Results"),
        (BlockKind.HEADING, "Logs"),
        (BlockKind.PARAGRAPH, "We found that:"),
        (BlockKind.LIST_ITEM, "logs were kept;"),
        (BlockKind.LIST_ITEM, "keys were not."),
        (BlockKind.QUOTATION, "It is bad."),
        (BlockKind.TABLE, "A | B\n1 | 2"),
        (BlockKind.CAPTION, "Table 1. Counts."),
        (BlockKind.HEADING, "References"),
        (BlockKind.REFERENCE, "Smith 2003."),
    ]
    found = document.blocks[3]
    assert (found.section, found.headings) == (SectionKind.RESULTS, ("Results", "Logs"))
    assert document.warnings == ()


def test_runs_of_one_word_are_joined(word: Word, path: Path) -> None:
    paragraph = word.add_paragraph("It gr")
    paragraph.add_run("ew").bold = True
    paragraph.add_run(" 10")
    paragraph.add_run("-5").font.superscript = True
    paragraph.add_run(" m in CO")
    paragraph.add_run("2").font.subscript = True
    assert saved(word, path).text == "It grew 10⁻⁵ m in CO₂"


def test_tracked_changes_are_read_as_accepted(word: Word, path: Path) -> None:
    inner(
        word,
        "<w:r><w:t>It did </w:t></w:r>"
        '<w:del w:id="1" w:author="x"><w:r><w:delText>not </w:delText></w:r></w:del>'
        '<w:ins w:id="2" w:author="x"><w:r><w:t>really </w:t></w:r></w:ins>'
        "<w:r><w:t>grow.</w:t></w:r>"
        '<w:moveFrom w:id="3" w:author="x"><w:r><w:t> Gone.</w:t></w:r></w:moveFrom>',
    )
    document = saved(word, path)
    assert document.text == "It did really grow."
    assert document.warnings == (CHANGES,)


def test_struck_text_is_left_out(word: Word, path: Path) -> None:
    paragraph = word.add_paragraph("It did ")
    paragraph.add_run("not ").font.strike = True
    paragraph.add_run("at all ").font.double_strike = True
    paragraph.add_run("grow.")
    document = saved(word, path)
    assert document.text == "It did grow."
    assert document.warnings == (STRUCK,)


def hide_by_font(word: Word) -> None:
    word.add_paragraph().add_run(ATTACK).font.hidden = True


def hide_by_size(word: Word) -> None:
    word.add_paragraph().add_run(ATTACK).font.size = Pt(1)


def hide_by_colour(word: Word) -> None:
    word.add_paragraph().add_run(ATTACK).font.color.rgb = RGBColor(255, 255, 255)


def hide_by_character_style(word: Word) -> None:
    style = word.styles.add_style("Secret", docx.enum.style.WD_STYLE_TYPE.CHARACTER)
    style.font.hidden = True
    word.add_paragraph().add_run(ATTACK, style="Secret")


def hide_by_paragraph_style(word: Word) -> None:
    style = word.styles.add_style("Secret", docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
    style.font.hidden = True
    below = word.styles.add_style("Below", docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
    below.base_style = style
    word.add_paragraph(ATTACK, style="Below")


def hide_by_shading(word: Word) -> None:
    run = word.add_paragraph().add_run(ATTACK)
    run.font.color.rgb = RGBColor(0, 0, 0)
    run.element.rPr.append(parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="050505"/>'))


def hide_by_colour_in_table(word: Word) -> None:
    cell = word.add_table(1, 1).cell(0, 0)
    cell.paragraphs[0].add_run(ATTACK).font.color.rgb = RGBColor(254, 254, 254)


def hide_by_properties(word: Word, properties: str) -> None:
    inner(word, f"<w:r><w:rPr>{properties}</w:rPr><w:t>{ATTACK}</w:t></w:r>")


def hide_by_clear_fill(word: Word) -> None:
    w14 = "http://schemas.microsoft.com/office/word/2010/wordml"
    hide_by_properties(word, f'<x:textFill xmlns:x="{w14}"><x:noFill/></x:textFill>')


def hide_by_style_of_web_view(word: Word) -> None:
    style = word.styles.add_style("Secret", docx.enum.style.WD_STYLE_TYPE.CHARACTER)
    style.element.get_or_add_rPr().append(parse_xml(f"<w:webHidden {nsdecls('w')}/>"))
    word.add_paragraph().add_run(ATTACK, style="Secret")


def hide_in_table(word: Word) -> None:
    cell = word.add_table(1, 1).cell(0, 0)
    cell.paragraphs[0].add_run(ATTACK).font.hidden = True


@pytest.mark.parametrize(
    "hide",
    [
        hide_by_font,
        hide_by_size,
        hide_by_colour,
        hide_by_character_style,
        hide_by_paragraph_style,
        hide_by_shading,
        hide_by_colour_in_table,
        hide_in_table,
        hide_by_style_of_web_view,
    ],
)
def test_hidden_text_is_left_out_with_a_warning(hide, word: Word, path: Path) -> None:
    word.add_paragraph("It grew.")
    hide(word)
    document = saved(word, path)
    assert document.text == "It grew."
    assert document.warnings == (HIDDEN,)


UNCERTAIN = [
    "<w:webHidden/>",
    "<w:specVanish/>",
    '<w:sz w:val="2"/>',
    '<w:sz w:val="3"/>',
    '<w:w w:val="1"/>',
    '<w:color w:val="FFFFFF"/>',
    '<w:color w:val="auto" w:themeColor="background1"/>',
    '<w:color w:val="FFFFFF"/><w:highlight w:val="none"/>',
    '<w:color w:val="FFFFFF"/><w:highlight w:val="white"/>',
    '<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>',
]


@pytest.mark.parametrize("properties", UNCERTAIN)
def test_what_one_view_may_show_leaves_a_doubt(properties: str, word: Word, path: Path) -> None:
    inner(
        word,
        f"<w:r><w:t>It is </w:t></w:r><w:r><w:rPr>{properties}</w:rPr><w:t>not </w:t></w:r>"
        "<w:r><w:t>safe.</w:t></w:r>",
    )
    word.add_paragraph("One.", style="List Bullet")
    word.add_paragraph("It grew.")
    document = saved(word, path)
    assert blocks(document) == [
        (BlockKind.QUOTATION, "It is safe."),
        (BlockKind.QUOTATION, "One."),
        (BlockKind.PARAGRAPH, "It grew."),
    ]
    assert document.warnings == (HIDDEN, UNSURE)


def test_letters_in_reverse_order_are_left_out(word: Word, path: Path) -> None:
    inner(word, '<w:r><w:t>It is </w:t></w:r><w:bdo w:val="rtl"><w:r><w:t>ton</w:t></w:r></w:bdo>')
    document = saved(word, path)
    assert blocks(document) == [(BlockKind.QUOTATION, "It is")]
    assert document.warnings == (UNSURE,)


def test_letters_without_a_fill_are_left_out(word: Word, path: Path) -> None:
    word.add_paragraph("It grew.")
    hide_by_clear_fill(word)
    assert saved(word, path).text == "It grew."


@pytest.mark.parametrize(
    "properties",
    [
        '<w:color w:val="BFBFBF"/>',
        '<w:sz w:val="8"/>',
        '<w:w w:val="80"/>',
        '<w:vanish w:val="0"/>',
        '<w:webHidden w:val="false"/>',
        '<w:color w:val="FFFFFF"/><w:highlight w:val="darkBlue"/>',
        '<w:dstrike w:val="0"/>',
    ],
)
def test_small_and_pale_letters_are_read(properties: str, word: Word, path: Path) -> None:
    inner(word, f"<w:r><w:rPr>{properties}</w:rPr><w:t>It grew.</w:t></w:r>")
    document = saved(word, path)
    assert blocks(document) == [(BlockKind.PARAGRAPH, "It grew.")]
    assert document.warnings == ()


@pytest.mark.parametrize("style", [None, "Light Grid Accent 1"])
def test_white_letters_on_a_dark_cell_are_read(style: str | None, word: Word, path: Path) -> None:
    table = word.add_table(1, 1, style=style)
    cell = table.cell(0, 0)
    cell.paragraphs[0].add_run("Finding").font.color.rgb = RGBColor(255, 255, 255)
    if style is None:
        dark = parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="1F3864"/>')
        cell._tc.get_or_add_tcPr().append(dark)
    document = saved(word, path)
    assert document.text == "Finding"
    assert document.warnings == ()


def test_comments_are_notes_and_field_codes_are_left_out(word: Word, path: Path) -> None:
    paragraph = word.add_paragraph("It grew")
    word.add_comment(paragraph.runs, text=ATTACK, author="x", initials="x")
    inner(
        word,
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f"<w:r><w:instrText>{ATTACK}</w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>on page 3</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>.</w:t></w:r>',
    )
    document = saved(word, path)
    assert blocks(document)[:2] == [
        (BlockKind.PARAGRAPH, "It grew"),
        (BlockKind.FOOTNOTE, ATTACK),
    ]
    assert blocks(document)[2:] == [(BlockKind.PARAGRAPH, "on page 3.")]
    assert document.warnings == (COMMENTS,)


def test_headers_footers_and_text_boxes(word: Word, path: Path) -> None:
    word.sections[0].header.paragraphs[0].text = "Acme"
    word.sections[0].footer.paragraphs[0].text = "Page"
    inner(
        word,
        "<w:r><w:t>It grew.</w:t></w:r><w:r><w:drawing><wp:inline><a:graphic><a:graphicData>"
        "<w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>"
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>",
    )
    assert blocks(saved(word, path)) == [
        (BlockKind.PARAGRAPH, "It grew."),
        (BlockKind.PARAGRAPH, "In a box."),
        (BlockKind.RUNNING_HEAD, "Acme"),
        (BlockKind.RUNNING_HEAD, "Page"),
    ]


def test_a_fallback_is_not_read_twice(word: Word, path: Path) -> None:
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    inner(
        word,
        f"<w:r><mc:AlternateContent {mc}><mc:Choice Requires='x'><w:t>It grew.</w:t></mc:Choice>"
        "<mc:Fallback><w:t>It grew.</w:t></mc:Fallback></mc:AlternateContent></w:r>",
    )
    assert saved(word, path).text == "It grew."


def rewrite(path: Path, changes: dict[str, bytes]) -> None:
    """Replace or add members of the zip at `path`."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (members | changes).items():
            archive.writestr(name, data)


def test_footnotes(word: Word, path: Path) -> None:
    inner(word, "<w:r><w:t>It grew.</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>")
    word.save(str(path))
    with zipfile.ZipFile(path) as archive:
        relations = archive.read("word/_rels/document.xml.rels").decode()
    link = (
        '<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships/footnotes" Target="footnotes.xml"/></Relationships>'
    )
    note = (
        f"<w:footnotes {nsdecls('w')}><w:footnote w:id='1'><w:p><w:r><w:t>Other.</w:t></w:r></w:p>"
        "</w:footnote><w:footnote w:id='2'><w:p><w:r><w:footnoteRef/><w:t>Not always.</w:t></w:r>"
        "</w:p></w:footnote></w:footnotes>"
    )
    rewrite(
        path,
        {
            "word/_rels/document.xml.rels": relations.replace("</Relationships>", link).encode(),
            "word/footnotes.xml": note.encode(),
        },
    )
    assert blocks(read(path)) == [
        (BlockKind.PARAGRAPH, "It grew."),
        (BlockKind.FOOTNOTE, "Not always."),
    ]


def test_macros_are_not_looked_at(word: Word, path: Path) -> None:
    word.add_paragraph("It grew.")
    word.save(str(path))
    rewrite(path, {"word/vbaProject.bin": ATTACK.encode()})
    assert read(path).text == "It grew."


def test_an_empty_document(word: Word, path: Path) -> None:
    with pytest.raises(EmptyFile):
        saved(word, path)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_truncated_document_is_damaged(share: float, word: Word, path: Path) -> None:
    word.add_paragraph("It grew.")
    word.save(str(path))
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(DamagedFile) as caught:
        read(path)
    assert "again" in str(caught.value)


def test_a_member_with_flipped_bytes_is_damaged(word: Word, path: Path) -> None:
    word.add_paragraph("It grew. " * 500)
    word.save(str(path))
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("word/document.xml")
    data = bytearray(path.read_bytes())
    middle = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    data[middle : middle + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    with pytest.raises(DamagedFile):
        read(path)


@pytest.mark.parametrize(
    "markup",
    [
        b"<w:document",
        b"",
        b"<a/>",
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    ],
)
def test_broken_markup_is_damaged(markup: bytes, word: Word, path: Path) -> None:
    word.save(str(path))
    rewrite(path, {"word/document.xml": markup})
    with pytest.raises(DamagedFile):
        read(path)


def test_a_bomb_is_refused_by_its_declared_size(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * (200 * 1024 * 1024))
    assert path.stat().st_size < 1024 * 1024
    with pytest.raises(FileTooLarge) as caught:
        read(path)
    assert "Nothing was added" in str(caught.value)


def test_a_bomb_that_lies_about_its_size_is_refused(path: Path) -> None:
    limits = Limits(max_unpacked_bytes=1024 * 1024)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * (8 * 1024 * 1024))
    data = path.read_bytes()
    small = (1000).to_bytes(4, "little")
    path.write_bytes(data.replace((8 * 1024 * 1024).to_bytes(4, "little"), small))
    with pytest.raises((FileTooLarge, DamagedFile)):
        read(path, limits=limits)


def test_too_many_members_are_refused(word: Word, path: Path) -> None:
    word.save(str(path))
    with zipfile.ZipFile(path, "a") as archive:
        for at in range(20_001):
            archive.writestr(f"x/{at}", b"")
    with pytest.raises(FileTooLarge):
        read(path)


def test_an_encrypted_document_needs_a_password(path: Path) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    path.write_bytes(ole + b"\0" * 3000 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 500)
    with pytest.raises(PasswordNeeded) as caught:
        read(path)
    assert "password" in str(caught.value)
