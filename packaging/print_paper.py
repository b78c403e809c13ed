"""Print a JATS paper as a two-column PDF, laid out as journals lay papers out.

The tests need real papers with true column breaks, hyphenation, ligatures, footnotes, floats and
running heads. `typst` sets the page; it brings its own fonts, so the same paper gives the same
bytes on every machine.

    python packaging/print_paper.py PAPER.xml PAPER.pdf
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MADE_ON = datetime(2024, 1, 1, tzinfo=UTC)
"""The date written into every PDF, so that its bytes do not depend on the day."""

MANY_ADDRESSES = 3000
"""Characters of typst source; more affiliations are set smaller, to leave room on page 1."""

LONGEST_FORMULA = 40
"""Characters of a formula on one line; without a break it would run over the next column."""

INLINE = {"italic": "emph", "bold": "strong", "underline": "underline"}

PREAMBLE = """
#set document(title: TITLE, date: none)
#set text(font: "Libertinus Serif", size: 9.5pt, lang: "en", hyphenate: true)
#set par(justify: true, first-line-indent: 1.2em, leading: 0.55em, spacing: 0.55em)
#set page(
  paper: "us-letter", columns: 2, margin: (x: 54pt, top: 66pt, bottom: 66pt),
  header: context {
    let number = counter(page).get().first()
    set text(8pt)
    if calc.odd(number) [#JOURNAL #h(1fr) #SHORT] else [#SHORT #h(1fr) #JOURNAL]
  },
  footer: context {
    set text(8pt)
    [#JOURNAL #"| www.example.org" #h(1fr) #counter(page).display() #h(1fr) #DATE]
  },
)
#set columns(gutter: 18pt)
#set heading(numbering: none)
#show heading: it => block(above: 1.2em, below: 0.6em, text(9.5pt, style: "italic", it.body))
#show heading.where(level: 1): it => block(above: 1.5em, below: 0.8em, text(12pt, it.body))
#show heading.where(level: 2): it => block(above: 1.3em, below: 0.7em, text(10pt, it.body))
#show figure.caption: it => align(left, text(8pt, it.body))
#set figure(gap: 0.7em)
#set footnote.entry(indent: 0pt)
#show footnote.entry: set text(7.5pt)
#let plot(wide) = block(width: 100%, height: if wide { 120pt } else { 90pt }, stroke: 0.5pt, {
  set text(6.5pt, font: "DejaVu Sans Mono")
  place(left + top, dx: 4pt, dy: 4pt)[100]
  place(left + horizon, dx: 4pt)[50]
  place(left + bottom, dx: 4pt, dy: -10pt)[0]
  place(center + bottom, dy: -3pt)[Time (min)]
  place(left + bottom, dx: 22pt, dy: -14pt, line(end: (70%, -50pt)))
})
"""


def print_paper(jats: Path, pdf: Path) -> None:
    """Write the paper in the JATS file `jats` to `pdf`; the bytes depend on the paper alone."""
    import typst
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    article = etree.parse(str(jats), parser).getroot()
    source = _Printer(article).source()
    pdf.write_bytes(
        typst.compile(source.encode(), ignore_system_fonts=True, timestamp=MADE_ON, format="pdf")
    )


class _Printer:
    """Turns one JATS article into typst source."""

    def __init__(self, article: Any) -> None:
        self.article = article
        self.notes: dict[str, str] = {}
        self.notes = {
            note.get("id"): self.inline(_first(note, "caption/p", "caption/title", "p", "label"))
            for note in article.iter("supplementary-material")
        }

    def source(self) -> str:
        """The whole typst document."""
        meta = self.article.find("front/article-meta")
        title = _plain(meta.find("title-group/article-title"))
        short = _plain(meta.find("title-group/alt-title")) or title[:60]
        journal = _plain(self.article.find("front//journal-title"))
        date = " ".join(
            filter(None, (_plain(meta.find(f"pub-date/{part}")) for part in ("month", "year")))
        )
        preamble = PREAMBLE
        for name, value in (
            ("JOURNAL", journal),
            ("SHORT", short),
            ("DATE", date),
            ("TITLE", title),
        ):
            preamble = preamble.replace(name, _string(value))
        parts = [preamble, self.front(meta)]
        first = [
            f"#footnote[{self.inline(note)}]" for note in self.article.findall(".//author-notes/fn")
        ]
        for element in _children(self.article.find("body")):
            parts += self.block(element, 1, first)
        for element in _children(self.article.find("back")):
            parts += self.back(element)
        return "\n\n".join(part for part in parts if part) + "\n"

    def front(self, meta: Any) -> str:
        """Title, authors, affiliations and abstracts over both columns."""
        authors = []
        for contributor in meta.findall("contrib-group/contrib[@contrib-type='author']"):
            name = contributor.find("name")
            if name is None:
                continue
            marks = ",".join(
                mark for mark in (_plain(ref) for ref in contributor.findall("xref")) if mark
            )
            full = f"{_plain(name.find('given-names'))} {_plain(name.find('surname'))}".strip()
            authors.append(_text(full) + (_raised(_text(marks)) if marks else ""))
        places = [
            _raised(_text(_plain(aff.find("label")))) + _text(" " + _plain(aff, skip="label"))
            for aff in meta.findall(".//aff")
        ]
        abstract, *boxed = [*map(self.abstract, meta.findall("abstract")), ""]
        title = self.inline(meta.find("title-group/article-title"))
        addresses = _text(", ").join(places)
        size = 8 if len(addresses) < MANY_ADDRESSES else 6
        rule = "#line(length: 100%, stroke: 0.5pt)"
        content = "\n\n".join(
            (
                f'#text(17pt, weight: "bold")[{title}]',
                f"#text(10pt)[{_text(', ').join(authors)}]",
                f"#text({size}pt)[{addresses}]",
                *((rule, abstract, rule) if abstract else (rule,)),
            )
        )
        boxes = [
            "#block(width: 100%, stroke: 0.5pt, inset: 6pt, above: 1em, below: 1em, {\n"
            'set text(8.5pt, font: "New Computer Modern")\nset par(first-line-indent: 0pt, '
            f"spacing: 0.8em)\n[{box}]\n}})"
            for box in boxed
            if box
        ]
        return "\n\n".join(
            (
                '#place(top + center, scope: "parent", float: true, clearance: 1.5em, '
                "block(width: 100%, {\nset align(left)\n"
                f"set par(first-line-indent: 0pt, spacing: 0.8em)\n[{content}]\n}}))",
                *boxes,
            )
        )

    def abstract(self, abstract: Any) -> str:
        """An abstract or summary under its name."""
        name = _plain(abstract.find("title")) or "Abstract"
        return "\n\n".join(
            (f'#text(11pt, weight: "bold", {_string(name)})', *self.abstract_parts(abstract))
        )

    def abstract_parts(self, abstract: Any) -> Iterator[str]:
        """Paragraphs of an abstract; the title of a structured part runs in."""
        for element in _children(abstract):
            if element.tag == "p":
                yield self.inline(element)
            elif element.tag == "sec":
                name = _plain(element.find("title"))
                for number, paragraph in enumerate(element.findall("p")):
                    lead = f"#strong({_string(name + '. ')})" if name and number == 0 else ""
                    yield lead + self.inline(paragraph)

    def block(self, element: Any, level: int, notes: list[str]) -> Iterator[str]:
        """Typst blocks of a body element; pending footnotes hang on the first paragraphs."""
        tag = element.tag
        if tag == "sec":
            title = element.find("title")
            if title is not None and _plain(title):
                yield f"{'=' * level} {self.inline(title)}"
            for child in _children(element):
                if child.tag != "title":
                    yield from self.block(child, level + 1, notes)
        elif tag == "p":
            yield from self.paragraph(element, notes)
        elif tag in ("fig", "table-wrap"):
            yield self.floating(element)
        elif tag in ("fig-group", "boxed-text", "disp-quote"):
            for child in _children(element):
                yield from self.block(child, level, notes)
        elif tag == "list":
            for item in element.findall("list-item"):
                yield "- " + " ".join(self.inline(p) for p in item.findall("p"))
        elif tag == "disp-formula":
            yield f"#align(center)[{self.element(element)}]"

    def paragraph(self, element: Any, notes: list[str]) -> Iterator[str]:
        """A paragraph, cut where a list, formula or float stands inside it."""
        runs: list[str] = [self.run(element.text)]
        for child in _children(element):
            if child.tag in ("list", "disp-formula", "fig", "table-wrap", "disp-quote"):
                if "".join(runs):
                    yield "".join(runs)
                yield from self.block(child, 4, [])
                runs = [self.run(child.tail)]
            else:
                runs += [self.element(child), self.run(child.tail)]
        if "".join(runs):
            note = notes.pop(0) if notes else ""
            yield "".join(runs) + note

    def floating(self, element: Any) -> str:
        """A figure or table with its caption; wide ones span both columns."""
        label = _plain(element.find("label")).rstrip(".")
        lead = f"#strong({_string(label + '. ')})"
        title = element.find("caption/title")
        body = ([f"#strong[{self.inline(title)}] "] if title is not None else []) + [
            self.inline(p) + " " for p in element.findall("caption/p")
        ]
        caption = lead + "".join(body)
        rows = [_cells(row) for row in element.iter() if str(row.tag).lower() == "tr"]
        rows = [row for row in rows if row]
        wide = bool(rows) and max(map(len, rows)) > 4
        if element.tag == "fig":
            wide = sum(map(ord, label)) % 2 == 0
            inside = f"plot({str(wide).lower()})"
        elif rows:
            width = max(map(len, rows))
            cells = ", ".join(
                f"[{self.inline(cell) if cell is not None else ''}]"
                for row in rows
                for cell in row + [None] * (width - len(row))
            )
            table = f"table(columns: {width}, stroke: none, align: left, {cells})"
            inside = f"{{ set text(7.5pt)\n{table} }}"
        else:
            inside = "plot(false)"
        place = ', scope: "parent"' if wide else ""
        kind = "table" if element.tag == "table-wrap" else "image"
        top = "#show figure.where(kind: table): set figure.caption(position: top)\n"
        return (
            (top if kind == "table" else "")
            + f"#figure(placement: auto{place}, kind: {kind}, supplement: none, "
            + f"caption: [{caption}], {inside})"
        )

    def back(self, element: Any) -> Iterator[str]:
        """Acknowledgements and the reference list."""
        if element.tag == "ack":
            yield "= " + (self.inline(element.find("title")) or _text("Acknowledgments"))
            yield from (self.inline(p) for p in element.findall("p"))
        elif element.tag == "ref-list":
            yield "= " + (self.inline(element.find("title")) or _text("References"))
            for number, reference in enumerate(element.iter("ref"), 1):
                yield (
                    "#block(above: 0.5em, par(hanging-indent: 1.4em, first-line-indent: 0pt, "
                    f"text(8pt)[{_text(f'{number}. ' + _reference(reference))}]))"
                )

    def inline(self, element: Any) -> str:
        """The content of an element as typst markup."""
        if element is None:
            return ""
        parts = [self.run(element.text)]
        for child in _children(element):
            parts += [self.element(child), self.run(child.tail)]
        return "".join(parts)

    def element(self, child: Any) -> str:
        """One inline element."""
        tag = child.tag
        if tag in INLINE:
            return f"#{INLINE[tag]}[{self.inline(child)}]"
        if tag == "sup":
            return _raised(self.inline(child))
        if tag == "sub":
            return f"#sub(typographic: false)[{self.inline(child)}]"
        if tag in ("inline-formula", "disp-formula", "alternatives"):
            formula = "".join("".join(child.itertext()).split())
            return _text(re.sub(rf"(.{{{LONGEST_FORMULA}}})", r"\1 ", formula))
        if tag == "xref" and child.get("ref-type") == "supplementary-material":
            note = self.notes.pop(child.get("rid"), "")
            return self.inline(child) + (f"#footnote[{note}]" if note else "")
        if tag in ("fig", "table-wrap", "label", "graphic", "supplementary-material"):
            return ""
        return self.inline(child)

    def run(self, text: str | None) -> str:
        """A run of characters."""
        return _text(re.sub(r"\s+", " ", text)) if text and text.strip("\n\t") else ""


def _children(element: Any) -> list[Any]:
    return [] if element is None else [child for child in element if isinstance(child.tag, str)]


def _first(element: Any, *paths: str) -> Any:
    return next((found for path in paths if (found := element.find(path)) is not None), None)


def _plain(element: Any, skip: str = "") -> str:
    if element is None:
        return ""
    skipped = element.find(skip) if skip else None
    text = "".join(element.itertext())
    if skipped is not None:
        text = text.replace("".join(skipped.itertext()), "", 1)
    return " ".join(text.split())


def _cells(row: Any) -> list[Any]:
    return [cell for cell in _children(row) if cell.tag.lower() in ("td", "th")]


def _reference(reference: Any) -> str:
    body = next((c for c in _children(reference) if c.tag != "label"), None)
    if body is None:
        return ""
    return " ".join(" ".join(part.split()) for part in body.itertext() if part.strip())


def _string(text: str) -> str:
    """A typst string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(text: str) -> str:
    """Characters as they are: a string literal has no markup and no smart quotes."""
    return f"#{_string(text)};" if text else ""


def _raised(content: str) -> str:
    return f"#super(typographic: false)[{content}]" if content else ""


def main() -> None:
    """Command line: PAPER.xml PAPER.pdf."""
    parser = argparse.ArgumentParser(description="Print a JATS paper as a two-column PDF.")
    parser.add_argument("jats", type=Path)
    parser.add_argument("pdf", type=Path)
    chosen = parser.parse_args()
    print_paper(chosen.jats, chosen.pdf)


if __name__ == "__main__":
    main()
