"""Files for the attacks, written from the rows: text as it is, PDF by typst, Word by pieces."""

import zipfile
from pathlib import Path
from typing import Any

MADE_ON = 1_700_000_000
SUFFIXES = {
    "text": ".txt",
    "markdown": ".md",
    "html": ".html",
    "jats": ".xml",
    "docx": ".docx",
    "pdf": ".pdf",
}
_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def write(folder: Path, format: str, body: Any) -> Path:
    """The file that `body` describes in `folder`."""
    path = folder / f"file{SUFFIXES[format]}"
    if format == "docx":
        _word(path, body)
    elif format == "pdf":
        import typst

        path.write_bytes(
            typst.compile(body.encode(), ignore_system_fonts=True, timestamp=MADE_ON, format="pdf")
        )
    else:
        path.write_text(body, encoding="utf-8")
    return path


def _word(path: Path, pieces: list[list[Any]]) -> None:
    import docx

    word = docx.Document()
    notes: list[str] = []
    for kind, *given in pieces:
        if kind == "h":
            word.add_heading(given[1], given[0])
        elif kind == "p":
            word.add_paragraph(given[0], given[1] if len(given) > 1 else None)
        elif kind == "break":
            word.add_page_break()
        elif kind == "header":
            word.sections[0].header.paragraphs[0].text = given[0]
        elif kind == "footer":
            word.sections[0].footer.paragraphs[0].text = given[0]
        elif kind == "table":
            table = word.add_table(len(given[0]), len(given[0][0]))
            for row, cells in zip(table.rows, given[0], strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
        elif kind == "commented":
            paragraph = word.add_paragraph(given[0])
            word.add_comment(paragraph.runs, text=given[1], author="A")
        elif kind == "watermark":
            word.sections[0].header.paragraphs[0]._p.append(_xml(_WATERMARK.format(given[0])))
        else:
            if kind == "noted":
                notes.append(given[1])
            word.element.body.insert(-1, _xml(_paragraph(kind, given, len(notes))))
    word.save(str(path))
    if notes:
        _add_notes(path, notes)


_WATERMARK = (
    "<w:r><w:pict><v:shape style='rotation:315'>"
    "<v:textpath style='font-family:Calibri' string='{}'/></v:shape></w:pict></w:r>"
)
_BOX = (
    "<w:r><w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>"
    "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    "</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>"
)


def _paragraph(kind: str, given: list[str], number: int) -> str:
    if kind == "xml":
        return given[0]
    if kind == "boxed":
        return f"<w:p>{_run(given[0])}{_BOX.format(given[1])}</w:p>"
    mark = f"<w:r><w:footnoteReference w:id='{number + 1}'/></w:r>"
    return f"<w:p>{_run(given[0])}{mark}{_run(given[2])}</w:p>"


def _run(text: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>"


def _xml(markup: str) -> Any:
    from docx.oxml import parse_xml

    name, rest = markup[1:].split(">", 1) if markup[4] == ">" else markup[1:].split(" ", 1)
    return parse_xml(f"<{name} {_NAMESPACES}>{rest}")


def _add_notes(path: Path, notes: list[str]) -> None:
    """Add the footnotes' part, which python-docx cannot make."""
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    rows = "".join(
        f"<w:footnote w:id='{number}'><w:p><w:r><w:footnoteRef/></w:r>{_run(' ' + note)}</w:p>"
        "</w:footnote>"
        for number, note in enumerate(notes, 2)
    )
    parts["word/footnotes.xml"] = f"<w:footnotes {_NAMESPACES}>{rows}</w:footnotes>".encode()
    relation = f'<Relationship Id="n1" Type="{_OFFICE}/footnotes" Target="footnotes.xml"/>'
    _extend(parts, "word/_rels/document.xml.rels", relation)
    _extend(
        parts,
        "[Content_Types].xml",
        f'<Override PartName="/word/footnotes.xml" ContentType="{_WORD_TYPE}.footnotes+xml"/>',
    )
    with zipfile.ZipFile(path, "w") as new:
        for name, data in parts.items():
            new.writestr(name, data)


def _extend(parts: dict[str, bytes], name: str, element: str) -> None:
    head, tag, tail = parts[name].decode().rpartition("</")
    parts[name] = f"{head}{element}{tag}{tail}".encode()
