"""Read Markdown as a viewer shows it: rendered to HTML, then read like a web page."""

import re

from core.documents.build import Builder, raised
from core.documents.encoding import decode
from core.documents.html import add_html
from core.documents.limits import Limits
from core.documents.model import BlockKind, Document, Format
from core.documents.notices import from_title

_FRONT_MATTER = re.compile(
    r"\s*(?P<mark>---|\+\+\+)[ \t]*\n(?P<body>.*?)\n(?P=mark)[ \t]*(?:\n|$)", re.DOTALL
)
_TITLE = re.compile(r"^title\s*[:=]\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)
_NOTE_MARK = re.compile(r"(?<=[^\s\[`])\[\^(\d{1,3})\](?!:)")
"""The mark of a footnote behind a word: shown as a raised number."""
_NESTING = 200


def read_markdown(data: bytes, limits: Limits) -> Document:
    """The Markdown text in `data` (CommonMark with tables and struck text).

    Raises `EmptyFile` and `FileTooLarge`.
    """
    from markdown_it import MarkdownIt

    source, warning = decode(data)
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    source = _NOTE_MARK.sub(lambda mark: raised(mark[1]), source)
    builder = Builder(limits)
    title = ""
    front = _FRONT_MATTER.match(source)
    if front is not None:
        builder.add(BlockKind.FRONT_MATTER, front["body"])
        named = _TITLE.search(front["body"])
        title = named[1] if named else ""
        source = source[front.end() :]
    renderer = MarkdownIt("commonmark", {"html": True, "maxNesting": _NESTING})
    renderer.enable(["table", "strikethrough"])
    first_heading = add_html(builder, renderer.render(source))
    return builder.document(
        Format.MARKDOWN,
        title=title or first_heading,
        notices=from_title(title or first_heading),
        warnings=(warning,) if warning else (),
    )
