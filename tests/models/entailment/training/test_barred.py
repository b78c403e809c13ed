"""Nothing that the product is measured on gets into what the adapter is trained on."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from models.entailment.training.generate.sentences import paragraphs_of, split_sentences
from models.entailment.training.manifest import jsonl
from models.entailment.training.pairs import Mix, barred_pairs, choose, pair_key, read_rows
from models.entailment.training.sources import (
    barred_sources,
    paper_paragraphs,
    premise_paragraphs,
    usable_papers,
)

ROOT = Path(__file__).resolve().parents[4]
MIXES = sorted((ROOT / "resources" / "entailment" / "training").glob("mix*.json"))
SEED = 20261130
FEWEST_WORDS = 6
"""A shorter sentence, such as "This was significant.", may stand in any two texts."""
PUBLISHERS = "the authors have declared that no competing interests exist."
"""Stands in most papers of this publisher, and no case is about it."""


def plain(text: str) -> str:
    return " ".join(text.lower().split())


def sentences_of(text: str) -> set[str]:
    return {plain(x) for x in split_sentences(text) if len(x.split()) >= FEWEST_WORDS}


def shouted(text: str) -> str:
    """The text in capitals; only ASCII, since not every other capital has one small letter."""
    return "".join(x.upper() if x.isascii() else x for x in text)


def texts_of(rows: list[dict[str, str]]) -> set[str]:
    return {plain(row[name]) for row in rows for name in ("premise", "hypothesis")}


@pytest.fixture(scope="module")
def case_rows(shared: Path) -> list[dict[str, str]]:
    files = [shared / "cases" / f"{x}.jsonl" for x in ("attacks", "passages", "documents")]
    return [row for path in files for row in read_rows(path)]


@pytest.fixture(scope="module")
def barred_texts(
    shared: Path, document_cases: Path, case_rows: list[dict[str, str]]
) -> frozenset[str]:
    """Every sentence of the papers and policies of the case files, and of the cases themselves."""
    found: set[str] = set()
    for name in barred_sources([document_cases]):
        if name.endswith(".xml"):
            for paragraph in paragraphs_of(shared / "documents" / "papers" / name):
                found |= {plain(x) for x in paragraph}
        else:
            for line in (shared / "documents" / "policies" / name).read_text("utf-8").splitlines():
                found |= sentences_of(line.strip("#*-> "))
    for row in case_rows:
        for field in ("claim", "evidence", "source_text"):
            found |= sentences_of(row.get(field) or "")
    assert not [row for row in case_rows if PUBLISHERS in plain(row.get("evidence") or "")]
    return frozenset(found - {PUBLISHERS})


@pytest.fixture(scope="module")
def evaluated(evaluation_files: list[Path]) -> frozenset[tuple[str, str]]:
    return frozenset(pair_key(row) for file in evaluation_files for row in read_rows(file))


@pytest.fixture(scope="module")
def data(
    tmp_path_factory: pytest.TempPathFactory,
    generated: list[dict[str, str]],
    authored: list[dict[str, str]],
) -> Path:
    """A folder with the generated and the authored files that the mixes name."""
    folder = tmp_path_factory.mktemp("generated")
    for name in {name for path in MIXES for name in Mix.read(path).files} - {"train.jsonl.gz"}:
        rows = authored if name.startswith("authored") else generated
        (folder / name).write_bytes(gzip.compress(jsonl(rows), compresslevel=1))
    return folder


def test_papers_that_a_case_names_are_left_out(
    shared: Path, document_cases: Path, papers: list[Path]
) -> None:
    named = {row["source"] for row in read_rows(document_cases)}
    everything = {path.name for path in (shared / "documents" / "papers").glob("*.xml")}
    assert {path.name for path in papers} == everything - named
    assert len(papers) == 13
    assert len(everything & named) == 25


def test_a_new_case_bars_its_paper(tmp_path: Path, shared: Path, papers: list[Path]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"source": papers[0].name, "claim": "x"}) + "\n", "utf-8")
    usable = usable_papers(shared / "documents" / "papers", [cases])
    assert papers[0] not in usable
    assert papers[1] in usable


def test_case_files_that_name_no_source_are_refused(shared: Path) -> None:
    with pytest.raises(ValueError, match="nothing would be barred"):
        usable_papers(shared / "documents" / "papers", [shared / "cases" / "passages.jsonl"])


def test_no_barred_sentence_is_among_the_real_texts(
    papers: list[Path], public: Path, barred_texts: frozenset[str]
) -> None:
    paragraphs = [*paper_paragraphs(papers), *premise_paragraphs(public)]
    assert len(barred_texts) > 3000
    assert not {plain(x) for paragraph, _ in paragraphs for x in paragraph} & barred_texts


def test_the_search_for_barred_sentences_finds_one(
    shared: Path, tmp_path: Path, document_cases: Path, barred_texts: frozenset[str]
) -> None:
    name = next(x for x in sorted(barred_sources([document_cases])) if x.endswith(".xml"))
    shutil.copy(shared / "documents" / "papers" / name, tmp_path / "renamed.xml")
    paragraphs = paper_paragraphs(tmp_path.glob("*.xml"))
    assert {plain(x) for paragraph, _ in paragraphs for x in paragraph} & barred_texts


def test_no_barred_sentence_is_in_a_generated_row(
    generated: list[dict[str, str]], barred_texts: frozenset[str]
) -> None:
    texts = texts_of(generated)
    assert not [x for text in texts for x in (text, *sentences_of(text)) if x in barred_texts]


@pytest.mark.parametrize("path", MIXES, ids=lambda path: path.stem)
def test_no_evaluation_row_or_case_is_chosen(
    path: Path,
    shared: Path,
    data: Path,
    evaluation_files: list[Path],
    evaluated: frozenset[tuple[str, str]],
    barred_texts: frozenset[str],
) -> None:
    mix = Mix.read(path)
    rows = choose(mix, [shared / "nli", data], evaluation_files, SEED)
    assert {row["source"] for row in rows} == set(mix.sets)
    assert not {pair_key(row) for row in rows} & evaluated
    assert not texts_of(rows) & barred_texts


def test_planted_evaluation_rows_and_cases_are_left_out(
    tmp_path: Path, shared: Path, evaluation_files: list[Path], case_rows: list[dict[str, str]]
) -> None:
    honest = {"premise": "A pump leaks.", "hypothesis": "It leaks.", "label": "entailment"}
    planted = [row for file in evaluation_files for row in list(read_rows(file))[:200]]
    planted += [
        {"premise": text, "hypothesis": row["claim"], "label": "neutral"}
        for row in case_rows
        for text in (row.get("source_text"), row.get("evidence"))
        if text
    ]
    disguised = [
        {
            "premise": shouted(row["premise"]) + " ",
            "hypothesis": "  ".join(row["hypothesis"].split(" ")),
            "label": row["label"],
        }
        for row in planted
    ]
    rows = [{**row, "source": "set"} for row in [*planted, honest, *disguised]]
    (tmp_path / "rows.jsonl").write_bytes(jsonl(rows))
    mix = Mix(("rows.jsonl",), {"set": 1.0}, max_tokens=100, max_tokens_of={})
    cases = [shared / "cases" / f"{x}.jsonl" for x in ("attacks", "passages", "documents")]
    chosen = choose(mix, [tmp_path], [*evaluation_files, *cases], SEED)
    assert len(planted) > 2000
    assert chosen == [{**honest, "source": "set"}]


def test_a_file_that_would_bar_nothing_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", "utf-8")
    with pytest.raises(ValueError, match=r"empty\.jsonl holds no pair"):
        barred_pairs(empty)
