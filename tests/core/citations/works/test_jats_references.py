"""The reader against the references of real papers, whose fields the publisher has tagged."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from core.citations.works.references import references
from core.citations.works.strings import read_reference
from core.documents.model import BlockKind
from core.documents.read import read

FIELDS = ("authors", "title", "year", "container", "volume", "issue", "pages")


def text_of(node: Any) -> str:
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def tagged(citation: Any) -> dict[str, Any]:
    """The fields as they are tagged; a field without a tag is empty."""
    authors = [
        text_of(node) if node.tag == "collab" else text_of(node.find("surname"))
        for node in citation.iter("name", "collab")
    ]
    first, last = (text_of(citation.find(f".//{name}")) for name in ("fpage", "lpage"))
    year = re.search(r"\d{4}", text_of(citation.find(".//year")))
    title, source = (text_of(citation.find(f".//{name}")) for name in ("article-title", "source"))
    if not title and citation.get("publication-type") == "book":
        title, source = source, ""
    return {
        "authors": authors,
        "title": title,
        "year": int(year.group()) if year else None,
        "container": source,
        "volume": text_of(citation.find(".//volume")),
        "issue": text_of(citation.find(".//issue")),
        "pages": f"{first}-{last}" if last else first or text_of(citation.find(".//elocation-id")),
    }


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(item) for item in value]
    return re.sub(r"[\W_]+", "", value.lower()) if isinstance(value, str) else value


@pytest.fixture(scope="module")
def figures(shared: Path) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How often each field is right, wrong and missed. What has no tag is not counted as wrong."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for path in sorted((shared / "documents" / "papers").glob("*.xml")):
        for citation in etree.parse(path).iter("mixed-citation"):
            for surname in citation.iter("surname"):
                surname.tail = " "
            work = read_reference(text_of(citation))
            said = tagged(citation)
            read: dict[str, Any] = {name: getattr(work, name) for name in FIELDS[1:]}
            read["authors"] = [author.family for author in work.authors]
            for name in FIELDS:
                one, other = plain(said[name]), plain(read[name])
                glued = plain(read["title"]) + plain(read["container"])
                if name == "title" and not said["container"] and one == glued:
                    one = other  # The journal stands inside the title's tag.
                if other and one:
                    right[name] += one == other
                    wrong[name] += one != other
                missed[name] += bool(one and not other)
    return right, wrong, missed


def test_there_are_references_to_read(figures: tuple[Counter[str], ...]) -> None:
    right, _, _ = figures
    assert right["title"] > 700


@pytest.mark.parametrize("name", FIELDS)
def test_what_is_read_is_what_is_tagged(name: str, figures: tuple[Counter[str], ...]) -> None:
    right, wrong, _ = figures
    precision = right[name] / (right[name] + wrong[name])
    # Tags are wrong now and then: a book's title tagged as the chapter's, an editor as an author.
    assert precision >= (0.95 if name == "issue" else 0.985)


@pytest.mark.parametrize("name", FIELDS)
def test_most_of_what_is_tagged_is_read(name: str, figures: tuple[Counter[str], ...]) -> None:
    right, wrong, missed = figures
    assert right[name] / (right[name] + wrong[name] + missed[name]) >= 0.9


def test_tagged_lists_are_read_as_the_reader_of_documents_gives_them(shared: Path) -> None:
    """Entries with nothing but spaces between the tags: "Lawn JE 2005 Title. Lancet 1"."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for path in sorted((shared / "documents" / "papers").glob("*.xml")):
        nodes = list(etree.parse(path).iter("element-citation"))
        entries = references(read(path)) if nodes else ()
        if len(nodes) != len(entries):
            continue
        for node, entry in zip(nodes, entries, strict=True):
            said = tagged(node)
            found: dict[str, Any] = {name: getattr(entry.work, name) for name in FIELDS[1:]}
            found["authors"] = [author.family for author in entry.work.authors]
            for name in ("authors", "title", "year", "container", "volume", "pages"):
                one, other = plain(said[name]), plain(found[name])
                right[name] += bool(one and one == other)
                wrong[name] += bool(one and other and one != other)
                missed[name] += bool(one and not other)
    assert right["title"] > 500
    assert {name: n for name, n in wrong.items() if n > 0.01 * right[name]} == {}
    assert {name: n for name, n in missed.items() if n > 0.12 * right[name]} == {}


def test_sentences_of_papers_are_no_bibliographic_strings(shared: Path) -> None:
    read_as_works = []
    for path in sorted((shared / "documents" / "papers").glob("*.xml"))[:12]:
        document = read(path)
        for block in document.blocks:
            if block.kind is BlockKind.REFERENCE:
                continue
            text = document.text[block.start : block.end]
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", text):
                work = read_reference(sentence)
                if work.authors or work.title or work.container:
                    read_as_works.append(sentence)
    assert read_as_works == []
