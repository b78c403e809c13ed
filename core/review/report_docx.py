"""The report as a DOCX file, with real headings and styles, so that a reviewer can go on in it."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from core.claims.verdict import Verdict
from core.review import report
from core.review.model import Review
from core.review.report import Line

if TYPE_CHECKING:
    from docx.document import Document as Docx

_COLOURS = {Verdict.SUPPORTED: (0x1F, 0x7A, 0x45), Verdict.CONTRADICTED: (0xB3, 0x26, 0x1E)}


def write_docx(review: Review, path: Path) -> None:
    """Write the report to `path`. Raises `OSError` where the file cannot be written."""
    import docx

    file = docx.Document()
    file.core_properties.title = f"{report.TITLE}: {report.shown(review.document)}"[:250]
    file.core_properties.author = "Countersign"
    file.core_properties.created = file.core_properties.modified = review.finished
    file.add_heading(report.TITLE, level=0)
    facts = report.summary(review)
    table = file.add_table(rows=len(facts), cols=2, style="Light List")
    for row, (name, value) in zip(table.rows, facts, strict=True):
        row.cells[0].text, row.cells[1].text = name, value
    file.add_paragraph(report.LIMITS)
    _section(file, "Checked", report.checked(review), "Nothing could be checked.")
    _section(file, "Not checked", report.unchecked(review), "Everything cited was checked.")
    file.save(str(path))


def _section(file: "Docx", title: str, lines: Iterable[Line], nothing: str) -> None:
    file.add_heading(title, level=1)
    empty = True
    for line in lines:
        empty = False
        _entry(file, line)
    if empty:
        file.add_paragraph(nothing)


def _entry(file: "Docx", line: Line) -> None:
    from docx.shared import RGBColor

    heading = file.add_heading(level=2)
    run = heading.add_run(f"{line.number}. {line.heading}")
    if line.verdict in _COLOURS:
        run.font.color.rgb = RGBColor(*_COLOURS[line.verdict])
    file.add_paragraph(line.sentence + (f" ({line.place})" if line.place else ""))
    file.add_paragraph(f"Cites: {line.citation}")
    if line.source:
        file.add_paragraph(f"Source: {line.source}")
    for sentence in line.evidence:
        file.add_paragraph(sentence, style="Intense Quote")
    file.add_paragraph(line.why)
    for note in line.notes:
        file.add_paragraph().add_run(note).bold = True
