"""The report as one HTML file: no script, nothing loaded from anywhere, plain when printed."""

from collections.abc import Iterable, Iterator
from html import escape

from core.claims.verdict import Verdict
from core.review import report
from core.review.model import Review
from core.review.report import Line

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1f23; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; }
dt { color: #565d66; } dd { margin: 0; overflow-wrap: anywhere; }
article { border-left: .35rem solid #8a9099; margin: 1.1rem 0; padding: .1rem 0 .1rem .9rem;
  break-inside: avoid; }
article.supported { border-color: #1f7a45; } article.contradicted { border-color: #b3261e; }
article p { margin: .25rem 0; } article .verdict { font-weight: 600; }
blockquote { margin: .4rem 0; padding: .2rem .8rem; background: #f3f4f6; }
.quiet { color: #565d66; } .note { font-weight: 600; }
"""


def html(review: Review) -> str:
    """The report as a whole page. Everything of the document and its sources is escaped."""
    return "".join(_page(review))


def _page(review: Review) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    yield "style-src 'unsafe-inline'\">"
    yield f"<title>{report.TITLE}: {_text(review.document)}</title>"
    yield f"<style>{_STYLE}</style></head><body>\n<h1>{report.TITLE}</h1>\n<dl>"
    for name, value in report.summary(review):
        yield f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>"
    yield f"</dl>\n<p>{_text(report.LIMITS)}</p>\n"
    yield from _section("Checked", report.checked(review), "Nothing could be checked.")
    yield from _section("Not checked", report.unchecked(review), "Everything cited was checked.")
    yield "</body></html>\n"


def _section(title: str, lines: Iterable[Line], nothing: str) -> Iterator[str]:
    yield f"<h2>{title}</h2>\n"
    empty = True
    for line in lines:
        empty = False
        yield from _article(line)
    if empty:
        yield f"<p>{nothing}</p>\n"


def _article(line: Line) -> Iterator[str]:
    kind = line.verdict.value if isinstance(line.verdict, Verdict) else "unchecked"
    yield f'<article class="{kind}"><p class="verdict">{line.number}. {_text(line.heading)}</p>'
    place = f' <span class="quiet">{_text(line.place)}</span>' if line.place else ""
    yield f"<p>{_text(line.sentence)}{place}</p>"
    yield f'<p class="quiet">Cites: {_text(line.citation)}</p>'
    if line.source:
        yield f'<p class="quiet">Source: {_text(line.source)}</p>'
    yield from (f"<blockquote>{_text(sentence)}</blockquote>" for sentence in line.evidence)
    yield f"<p>{_text(line.why)}</p>"
    yield from (f'<p class="note">{_text(note)}</p>' for note in line.notes)
    yield "</article>\n"


def _text(text: str) -> str:
    return escape(text, quote=True)
