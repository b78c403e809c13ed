"""Real papers and policies: nothing is lost, and true quotes are one sentence."""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from core.documents.model import ASSERTING, BlockKind, Document, Format, NoticeKind, SectionKind
from core.documents.read import read
from core.text.sentences import split

PAPERS = 38
POLICIES = 7
_FLOATS = ("fig", "table-wrap", "supplementary-material", "list", "disp-quote", "fn")
_GAPS = ("inline-formula", "disp-formula", *_FLOATS)


@cache
def document(path: Path) -> Document:
    return read(path)


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text))


def runs(paragraph) -> list[str]:
    """The text of a paragraph, cut where a formula, float or raised citation stands in it."""
    out = [paragraph.text or ""]
    for child in paragraph:
        raised = child.tag == "sup" and child.find("xref") is not None
        note = child.tag == "xref" and (
            child.find("sup") is not None or child.get("ref-type") in ("table-fn", "fn")
        )
        if child.tag in _GAPS or raised or note:
            out.append("")
        else:
            first, *more = runs(child)
            out[-1] += first
            out += more
        out[-1] += child.tail or ""
    return out


def papers(shared: Path) -> list[Path]:
    return sorted((shared / "documents" / "papers").glob("*.xml"))


def test_every_paper_is_read_whole(shared: Path) -> None:
    from lxml import etree

    found = papers(shared)
    assert len(found) == PAPERS
    paragraphs = 0
    for path in found:
        read_text = plain(document(path).text)
        for paragraph in etree.parse(path).iter("p"):
            for run in runs(paragraph):
                for start, end in split(run):
                    assert plain(run[start:end]) in read_text, (path.name, run[start:end])
            paragraphs += 1
    assert paragraphs > 2000


def test_every_sentence_of_a_plain_paragraph_is_a_sentence_of_the_document(shared: Path) -> None:
    from lxml import etree

    checked = 0
    for path in papers(shared):
        read_document = document(path)
        whole = {
            plain(read_document.text[b.start : b.end][start:end])
            for b in read_document.blocks
            for start, end in split(read_document.text[b.start : b.end])
        }
        for paragraph in etree.parse(path).iter("p"):
            if any(child.tag not in ("italic", "bold") for child in paragraph):
                continue
            text = " ".join("".join(paragraph.itertext()).split())
            if paragraph.getparent().tag != "sec" or not text:
                continue
            for start, end in split(text):
                assert plain(text[start:end]) in whole, (path.name, text[start:end])
                checked += 1
    assert checked > 500


def test_papers_have_sections(shared: Path) -> None:
    kinds = [{b.section for b in document(path).blocks} for path in papers(shared)]
    for kind, least in (
        (SectionKind.RESULTS, 25),
        (SectionKind.METHODS, 28),
        (SectionKind.DISCUSSION, 28),
        (SectionKind.PRIOR_WORK, 28),
        (SectionKind.REFERENCES, 36),
    ):
        assert sum(kind in found for found in kinds) >= least, kind
    for path in papers(shared):
        has_abstract = "<abstract" in path.read_text(encoding="utf-8")
        assert any(b.in_abstract for b in document(path).blocks) is has_abstract


def test_references_and_captions_assert_nothing(shared: Path) -> None:
    for path in papers(shared):
        for block in document(path).blocks:
            if block.section is SectionKind.REFERENCES:
                assert block.kind not in ASSERTING


def test_blocks_are_in_order_and_hold_all_of_the_text(shared: Path) -> None:
    for path in [*papers(shared), *policies(shared)]:
        read_document = document(path)
        last = 0
        for block in read_document.blocks:
            between = read_document.text[last : block.start]
            assert between == ("\n\n" if last else "")
            assert read_document.text[block.start : block.end].strip()
            last = block.end
        assert last == len(read_document.text)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("journal.ppat.1005207.xml", NoticeKind.RETRACTION_NOTICE),
        ("journal.pone.0097541.xml", NoticeKind.CORRECTION_NOTICE),
        ("journal.pmed.0030205.xml", NoticeKind.COMMENTARY),
        ("journal.pcbi.1000589.xml", NoticeKind.COMMENTARY),
    ],
)
def test_notices_of_real_papers(shared: Path, name: str, kind: NoticeKind) -> None:
    notices = document(shared / "documents" / "papers" / name).notices
    assert [notice.kind for notice in notices] == [kind]


def test_research_papers_carry_no_notice(shared: Path) -> None:
    noticed = [path.name for path in papers(shared) if document(path).notices]
    assert len(noticed) == 4


def policies(shared: Path) -> list[Path]:
    return sorted((shared / "documents" / "policies").glob("*.md"))


def test_every_policy_is_read_whole(shared: Path) -> None:
    found = policies(shared)
    assert len(found) == POLICIES
    for path in found:
        read_document = document(path)
        assert read_document.format is Format.MARKDOWN
        assert read_document.title.lower().endswith("policy")
        assert not read_document.warnings
        text = plain(read_document.text)
        for line in path.read_text(encoding="utf-8").split("\n"):
            bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line)
            bare = re.sub(r"<[^>]*>", "", bare)
            bare = re.sub(r"^\s*(?:[-*#]+|\d+\.)\s+", "", bare)
            if bare.strip("-"):
                assert plain(bare) in text, line


def test_evidence_of_the_cases_is_found_in_one_sentence(shared: Path) -> None:
    lines = (shared / "cases" / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    seen = 0
    for case in map(json.loads, lines):
        if case["category"] != "supported_verbatim":
            continue
        folder = "policies" if case["source"].endswith(".md") else "papers"
        read_document = document(shared / "documents" / folder / case["source"])
        evidence = plain(case["evidence"])
        holding = [
            block.kind
            for block in read_document.blocks
            for start, end in split(read_document.text[block.start : block.end])
            if evidence in plain(read_document.text[block.start : block.end][start:end])
        ]
        assert BlockKind.PARAGRAPH in holding or BlockKind.LIST_ITEM in holding, case["id"]
        seen += 1
    assert seen >= 10
