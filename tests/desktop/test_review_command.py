"""`check --citation` and `check --document` as a person runs them, with real files and a server."""

import json
from pathlib import Path
from typing import Any

import docx
import pytest

from core.review.model import Outcome
from desktop.cli import main
from desktop.commands.citation import REGISTRIES
from desktop.commands.errors import BAD_INPUT, DONE, MISSING
from tests.core.scholarly import said
from tests.core.scholarly.played import playing
from tests.loopback import watched

TITLE = "Insecticide-treated nets and malaria mortality in coastal Kenya"
DRAFT = f"""# Note on nets

Nets halved deaths from malaria in coastal Kenya [1]. Nets are never used [1]. Dogs bark [2]. Data \
are erased under Article 17(1) GDPR. Accounts are managed under NIST SP 800-53 AC-02. The weather \
was wet.

## References

[1] Wanjiku J, Otieno P. {TITLE}. Lancet 2009;373:12-19.

[2] Black C. A survey of barking dogs in four small towns. Vet Rec 2014;9:1-2.
"""
PAPER = f"""<!DOCTYPE html><html><head><title>{TITLE}</title></head><body><h1>{TITLE}</h1>
<p>Nets halved deaths from malaria in coastal Kenya. Nets were used by most families.</p></body>
</html>"""
SENTENCE = "Mixing supplied most of the oxygen that the harbour used."
JATS = (
    '<?xml version="1.0"?><article><front><article-meta><title-group>'
    f"<article-title>{said.TITLE}</article-title></title-group></article-meta></front>"
    f"<body><sec><title>Results</title><p>{SENTENCE}</p></sec></body></article>"
)


@pytest.fixture
def works(home: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "works"
    folder.mkdir()
    (folder / "nets.html").write_text(PAPER, encoding="utf-8")
    (tmp_path / "draft.md").write_text(DRAFT, encoding="utf-8")
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    status = main([*arguments, "--no-model", "--json"])
    return status, [json.loads(text) for text in capsys.readouterr().out.splitlines()]


def test_a_document_is_reviewed_against_a_folder(
    works: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = [tmp_path / "report.html", tmp_path / "report.docx"]
    draft = str(tmp_path / "draft.md")
    with watched() as connections:
        status, rows = run(
            capsys,
            *("check", "--document", draft, "--sources", str(works)),
            *(part for report in reports for part in ("--report", str(report))),
        )
    assert status == DONE
    assert not [event for event in connections if "connect" in event]
    assert [(row["outcome"], row["verdict"], row["source"]) for row in rows] == [
        (Outcome.CHECKED, "supported", "nets.html"),
        (Outcome.CHECKED, "not_verifiable", "nets.html"),
        (Outcome.NO_SOURCE, "not_verifiable", ""),
        (Outcome.NO_SOURCE, "not_verifiable", ""),
        (Outcome.NO_SOURCE, "not_verifiable", ""),
    ]
    assert "is in GDPR" in rows[3]["why"]
    assert "zeros" in rows[4]["why"]
    assert "Nets halved deaths" in reports[0].read_text(encoding="utf-8")
    text = " ".join(paragraph.text for paragraph in docx.Document(str(reports[1])).paragraphs)
    assert "1. Supported" in text
    again = run(capsys, "check", "--document", draft, "--sources", str(works))
    assert again == (DONE, rows)


@pytest.mark.parametrize(
    ("arguments", "status", "said_of"),
    [
        (["--document", "absent.md"], MISSING, "no file"),
        (["--document", "{draft}", "--sources", "absent"], BAD_INPUT, "no folder"),
        (["--document", "{draft}", "--report", "report.pdf"], BAD_INPUT, "neither"),
        (["--document", "{draft}", "--report", "absent/report.html"], BAD_INPUT, "no folder"),
        (["--document", "{draft}", "--citation", "doi:10.1000/182"], BAD_INPUT, "its own"),
        (["--document", "{draft}", "--workspace", "Audit"], BAD_INPUT, "workspace"),
        (["--document", "{works}/nets.html"], BAD_INPUT, "No citation"),
        (["--claim", "A.", "--citation", "x", "--report", "r.html"], BAD_INPUT, "--document"),
        (["--claim", "A b.", "--citation", "the big book"], BAD_INPUT, "names a work"),
    ],
)
def test_what_cannot_be_done_is_said(
    works: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: int,
    said_of: str,
) -> None:
    given = [part.format(draft=tmp_path / "draft.md", works=works) for part in arguments]
    assert main(["check", *given, "--no-model"]) == status
    assert said_of in capsys.readouterr().err


def test_a_citation_is_found_in_the_folder(works: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = "Nets halved deaths from malaria in coastal Kenya."
    check = ["check", "--claim", claim, "--citation", f"Wanjiku J. {TITLE}. Lancet 2009;373:12-19."]
    status, (answer,) = run(capsys, *check, "--sources", str(works))
    assert (status, answer["verdict"]) == (DONE, "supported")
    assert answer["trace"][0]["gate"] == "citation"
    status, (answer,) = run(capsys, *check)
    assert (status, answer["verdict"], answer["gate"]) == (MISSING, "not_verifiable", "citation")
    assert "offline" in answer["reason"]


def test_a_citation_is_looked_up_only_where_that_is_asked_for(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check = ["check", "--claim", SENTENCE, "--citation", f"https://doi.org/{said.DOI}"]
    with playing() as played:
        monkeypatch.setenv(REGISTRIES, played.server.url("").rstrip("/"))
        played.on("/crossref/works/", said.crossref())
        played.on("/europe_pmc/search", said.europe_pmc(said.europe_pmc_result()))
        played.on("/PMC7000001/fullTextXML", JATS)
        assert run(capsys, *check)[0] == MISSING
        assert played.targets == []
        status, (answer,) = run(capsys, *check, "--look-up")
        assert (status, answer["verdict"]) == (DONE, "supported")
        assert said.TITLE in answer["trace"][0]["note"]
        asked = len(played.targets)
        assert asked
        assert not any("oxygen that" in target for target in played.targets)
        # What was answered is kept: the same is not asked twice.
        assert run(capsys, *check, "--look-up") == (status, [answer])
        assert len(played.targets) == asked


def test_every_request_is_shown(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["requests"]) == DONE
    assert "Nothing was ever asked" in capsys.readouterr().out
    with playing() as played:
        monkeypatch.setenv(REGISTRIES, played.server.url("").rstrip("/"))
        played.on("/crossref/works/", said.crossref())
        run(capsys, "check", "--claim", "A b.", "--citation", f"doi:{said.DOI}", "--look-up")
        asked = len(played.targets)
        place = played.server.place
    assert main(["requests", "--json", "--limit", "1000"]) == DONE
    entries = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert len(entries) == asked
    assert {(entry["host"], entry["purpose"]) for entry in entries} == {(place, "citation")}
    assert all(entry["sent"] > 0 for entry in entries)
    assert entries == sorted(entries, key=lambda entry: -entry["id"])
    assert main(["requests", "--limit", "1"]) == DONE
    assert "looking up citations" in capsys.readouterr().out


def test_a_batch_says_of_each_citation_what_became_of_it(
    works: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"claim": "Nets halved deaths from malaria in coastal Kenya.", "citation": TITLE},
        {
            "claim": "Nets halved deaths from malaria in coastal Kenya.",
            "citation": f"Wanjiku J. {TITLE}. Lancet 2009;373:12-19.",
        },
        {"claim": "A dog barks.", "citation": "GDPR Article 17(1)"},
        {"claim": "A dog barks.", "citation": "?"},
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    status, answers = run(capsys, "check", "--batch", str(batch), "--sources", str(works))
    assert status == DONE
    assert answers[1]["verdict"] == "supported"
    assert answers[2]["verdict"] == "not_verifiable"
    assert "error" in answers[3]


def test_a_server_that_is_none_is_named(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REGISTRIES, "http://*")
    check = ["check", "--claim", "A b.", "--citation", f"doi:{said.DOI}", "--look-up", "--no-model"]
    assert main(check) == BAD_INPUT
    assert REGISTRIES in capsys.readouterr().err


LAW = """<!DOCTYPE html><html><head><title>GDPR</title></head><body><h1>GDPR</h1>
<h2>Article 33 Notification of a breach</h2><p>The controller notifies the authority of a breach
within 72 hours.</p><h2>Article 34 Communication of a breach</h2><p>The controller tells the person
of a breach without undue delay.</p></body></html>"""


@pytest.mark.parametrize(
    ("cited", "outcome", "verdict"),
    [
        ("GDPR Article 33", Outcome.CHECKED, "supported"),
        ("GDPR Article 34", Outcome.CHECKED, "not_verifiable"),
        ("GDPR Article 35", Outcome.NO_SOURCE, "not_verifiable"),
        ("GDPR Article 250(9)", Outcome.MISMATCH, "not_verifiable"),
    ],
)
def test_a_clause_is_looked_for_in_its_own_article(
    works: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    cited: str,
    outcome: Outcome,
    verdict: str,
) -> None:
    (works / "GDPR.html").write_text(LAW, encoding="utf-8")
    draft = tmp_path / "policy.md"
    sentence = "The controller notifies the authority of a breach within 72 hours"
    draft.write_text(f"# Policy\n\n{sentence} ({cited}).\n", encoding="utf-8")
    check = ["check", "--document", str(draft), "--sources", str(works)]
    (row,) = run(capsys, *check)[1]
    assert (row["outcome"], row["verdict"]) == (outcome, verdict)


@pytest.mark.parametrize(
    "elsewhere",
    [
        "<p>This regulation was repealed in 2031.</p>",
        "<p>The controller does not notify the authority of a breach within 72 hours.</p>",
    ],
)
def test_what_stands_outside_the_cited_article_still_counts(
    works: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], elsewhere: str
) -> None:
    law = LAW.replace("<h2>Article 33", f"<h2>Article 1 Scope</h2>{elsewhere}<h2>Article 33")
    (works / "GDPR.html").write_text(law, encoding="utf-8")
    draft = tmp_path / "policy.md"
    draft.write_text(
        "# Policy\n\nThe controller notifies the authority of a breach within 72 hours "
        "(GDPR Article 33).\n",
        encoding="utf-8",
    )
    (row,) = run(capsys, "check", "--document", str(draft), "--sources", str(works))[1]
    assert (row["outcome"], row["verdict"]) == (Outcome.CHECKED, "not_verifiable")


def test_a_file_that_cannot_be_read_is_named(
    works: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (works / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    draft = str(tmp_path / "draft.md")
    assert main(["check", "--document", draft, "--sources", str(works), "--no-model"]) == DONE
    assert "broken.pdf" in capsys.readouterr().err


def test_a_file_at_hand_does_not_stand_for_a_doi_that_nobody_knows(
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "work.xml").write_text(JATS, encoding="utf-8")
    citation = f"Lindqvist A. {said.TITLE}. Estuaries 2019;3:1-9. doi:10.1000/invented.1"
    check = ["check", "--claim", SENTENCE, "--citation", citation, "--sources", str(tmp_path)]
    with playing() as played:
        monkeypatch.setenv(REGISTRIES, played.server.url("").rstrip("/"))
        played.on("/doi_org/", said.agency(status="DOI does not exist"))
        status, (answer,) = run(capsys, *check, "--look-up")
    assert (status, answer["verdict"], answer["gate"]) == (MISSING, "not_verifiable", "citation")


def test_a_draft_is_no_source_of_its_own(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(
        "# A draft\n\nThe moon is made of cheese [1].\n\n## References\n\n"
        "[1] https://doi.org/10.1000/182\n",
        encoding="utf-8",
    )
    (row,) = run(capsys, "check", "--document", str(draft), "--sources", str(tmp_path))[1]
    assert (row["outcome"], row["source"]) == (Outcome.NO_SOURCE, "")


def test_a_file_at_hand_of_a_work_that_was_retracted_since(
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "work.xml").write_text(JATS, encoding="utf-8")
    citation = f"Lindqvist A. {said.TITLE}. Journal of Estuarine Studies 2019;3:1-9. doi:{said.DOI}"
    check = ["check", "--claim", SENTENCE, "--citation", citation, "--sources", str(tmp_path)]
    assert run(capsys, *check)[1][0]["verdict"] == "supported"
    notice = {"type": "retraction", "DOI": "10.1000/r.1", "source": "publisher"}
    with playing() as played:
        monkeypatch.setenv(REGISTRIES, played.server.url("").rstrip("/"))
        played.on("/crossref/works/", said.crossref(**{"updated-by": [notice]}))
        (answer,) = run(capsys, *check, "--look-up")[1]
    assert answer["verdict"] == "not_verifiable"
    assert "retracted" in answer["trace"][0]["note"]
