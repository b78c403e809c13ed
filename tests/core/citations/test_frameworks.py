"""Framework and legal citations: what is read, in which form, from which place, and what is not."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.read import instrument_named, read_frameworks

HERE = Path(__file__).parent


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def canonical(text: str, framework: str | None = None) -> list[str]:
    return list(read_frameworks(text, framework).canonical)


OWN = rows(HERE / "frameworks.jsonl")


@pytest.mark.parametrize("row", OWN, ids=[row["id"] for row in OWN])
def test_what_a_careful_reader_finds(row: dict[str, Any]) -> None:
    assert set(canonical(row["text"], row.get("framework"))) == set(row["citations"])


def test_the_labelled_rows_from_real_documents(shared: Path) -> None:
    right = wrong = missed = flagged = 0
    for row in rows(shared / "cases" / "citations.jsonl"):
        want = set(row["citations"])
        got = set(canonical(row["text"], row.get("framework")))
        right += len(want & got)
        wrong += len(got - want)
        missed += len(want - got)
        flagged += bool(got) and not want
    assert flagged == 0
    assert right / (right + wrong) >= 0.98
    assert right / (right + missed) >= 0.97


SAME = [
    ("GDPR Article 28(3)(a)", ["Art. 28(3)(a) GDPR", "point (a) of Article 28(3) of the GDPR",
        "Article 28(3), point (a), of Regulation (EU) 2016/679", "GDPR, Art. 28 (3) (a)",
        "Art.&nbsp;28(3)(a) of the GDPR", "**GDPR** Art. *28*(3)(a)", "Article 28(3)(a) (GDPR)",
        "<b>GDPR</b>: Article&#160;28(3)(a)", "GDPR Art.\n28(3)(a)", "GDPR Ａrt. ２８(3)(a)",
        "GD\u200bPR Art\u00ad. 28(3)(a)", "point (a) of paragraph 3 of Article 28 GDPR",
        "Art. 28 Abs. 3 lit. a DSGVO", "28(3)(a) of the GDPR", "<tr><td>GDPR<td>Art. 28(3)(a)"]),
    ("NIST SP 800-53 Rev. 5 AC-2(1)", ["NIST SP 800-53 Rev. 5 AC-2(1)",
        "NIST 800-53 r5: AC-02 (01)", "SP 800-53 Revision 5, AC-2 (1)",
        "AC-2.1 (NIST SP 800-53 Rev5)"]),
    ("ISO/IEC 27001:2022 A.5.19", ["ISO 27001:2022 A.5.19", "ISO/IEC 27001:2022 Annex A.5.19",
        "ISO/IEC 27001 (2022), Annex A control 5.19", "control A.5.19 of ISO/IEC 27001:2022",
        "BS EN ISO/IEC 27001:2022 A.5.19"]),
    ("45 CFR 164.312(e)(1)", ["45 CFR § 164.312(e)(1)", "45 C.F.R. 164.312(e)(1)",
        "HIPAA 164.312(e)(1)", "§ 164.312(e)(1) of HIPAA"]),
]  # fmt: skip


FORMS = [(want, text) for want, texts in SAME for text in texts]


@pytest.mark.parametrize(("want", "text"), FORMS)
def test_one_citation_in_many_forms(want: str, text: str) -> None:
    assert canonical(text) == [want]


RANGES = [
    ("ISO 27001 A.5.19–5.22", ["A.5.19", "A.5.20", "A.5.21", "A.5.22"], 0),
    ("ISO 27001 A.5.36 to A.6.2", ["A.5.36", "A.6.2"], 1),
    ("ISO 27001 clauses 4 to 9999", [], 1),
    ("GDPR Articles 1 to 900", ["Article 1", "Article 900"], 1),
    ("GDPR Articles 14 to 12", ["Article 14"], 0),
    ("GDPR recitals (26) to (28)", ["Recital 26", "Recital 27", "Recital 28"], 0),
    ("45 CFR 164.400-414", ["164.400-164.414"], 0),
    ("GDPR Art. 5(1) para. 4 - 6", ["Article 5(1)(4)", "Article 5(1)(5)", "Article 5(1)(6)"], 0),
    ("45 CFR 164.308(a)(1)(i)-(iii)", [f"164.308(a)(1)({n})" for n in ("i", "ii", "iii")], 0),
    ("NIST SP 800-53 AC-2(1)-(3)", ["AC-2(1)", "AC-2(2)", "AC-2(3)"], 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "locators", "notes"), RANGES)
def test_ranges(text: str, locators: list[str], notes: int) -> None:
    reading = read_frameworks(text)
    found = [c.locator for c in reading.citations if c.locator]
    assert found[: len(locators)] == locators
    assert len(found) <= max(len(locators), 2)
    assert len(reading.notes) == notes


CONTEXT = [
    ("Art. 5 applies.", "GDPR", ["GDPR Article 5"]),
    ("Art. 5 applies.", None, []),
    ("Article 5 of DORA applies, and so does Article 6.", "GDPR",
        ["DORA Article 5", "DORA Article 6"]),
    ("See Article 5 of DORA. Article 6 is next.", "GDPR", ["DORA Article 5", "GDPR Article 6"]),
    ("Article 6 of Regulation (EU) 2019/881 applies; Article 7 too.", "EU CRA",
        ["EU Cybersecurity Act Article 6", "EU CRA Article 7"]),
    ("Article 9 of this Regulation", "EU CRA", ["EU CRA Article 9"]),
    ("Article 9 of this Agreement", "EU CRA", []),
    ("# GDPR\n\n- Art. 5\n- Art. 6\n", None, ["GDPR Article 5", "GDPR Article 6"]),
    ("| GDPR | Art. 5 | DORA | Art. 6 |", None, ["GDPR Article 5", "DORA Article 6"]),
    ("(see DORA Art. 5) Art. 6", "GDPR", ["DORA Article 5", "GDPR Article 6"]),
    ("Articles 5 and 6 and Recital 39 of the GDPR", None,
        ["GDPR Article 5", "GDPR Article 6", "GDPR Recital 39"]),
    ("DORA Article 9 and Article 32 GDPR", None, ["DORA Article 9", "GDPR Article 32"]),
    ("Section 12 of the Widget Rules", "Widget Rules", ["Widget Rules Section 12"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "framework", "want"), CONTEXT)
def test_what_a_place_belongs_to(text: str, framework: str | None, want: list[str]) -> None:
    assert [c for c in canonical(text, framework) if c != "DORA"] == want


def test_a_place_is_where_the_text_says_it() -> None:
    text = "Under &sect; the <b>GDPR</b>,\u00a0Art.\u200b\u00a05(1)(a)–(c) and A.5.1 of ISO 27001."
    reading = read_frameworks(text)
    quotes = {c.canonical: text[c.start : c.end] for c in reading.citations}
    assert quotes["GDPR Article 5(1)(b)"] == "Art.\u200b\u00a05(1)(a)–(c)"
    assert quotes["ISO/IEC 27001 A.5.1"] == "A.5.1"
    assert [c.carried for c in reading.citations] == [False] * 4


def test_what_was_carried_is_said() -> None:
    (citation,) = read_frameworks("Art. 5 applies.", "GDPR").citations
    assert citation.carried
    (citation,) = read_frameworks("Art. 5 GDPR applies.", "DORA").citations
    assert not citation.carried


@pytest.mark.parametrize(
    ("name", "want"),
    [("General Data Protection Regulation", "GDPR"), ("ISO 27001", "ISO/IEC 27001"),
     ("NIST SP 800-53 Rev. 5", "NIST SP 800-53 Rev. 5"), ("MDR", "EU MDR"),
     ("Regulation (EU) 2024/1689", "EU AI Act"), ("House  rules", "House rules")],
)  # fmt: skip
def test_a_framework_by_another_of_its_names(name: str, want: str) -> None:
    assert instrument_named(name).canonical == want


WORDS = (
    "Article Articles point paragraph Annex of the to through and (a) (i) (1) §§ GDPR DORA ISO "
    "27001 NIST SP 800-53 AC-2 A.5.19 CC6.1 Clause Regulation (EU) No 2016/679 Act 2002 Part "
    "Subpart CFR 99999999999999 Rev v4.0 &#x2013; &amp; <td> </tr> ** MEASURE GV.OC-01 3.1.1[a] "
    "CIS Control U.S.C. thereof III - – , . ( ) [ ] | \n \u00a0 \u200b \ud800 ② Ａ１ & < * _"
)
PIECES = st.sampled_from(WORDS.split(" "))
TEXTS = st.one_of(
    st.text(max_size=120),
    st.lists(st.tuples(PIECES, st.sampled_from(["", " "])), max_size=40).map(
        lambda pairs: "".join(piece + space for piece, space in pairs)
    ),
)
FRAMEWORKS = st.sampled_from([None, "GDPR", "ISO/IEC 27001", "45 CFR", "PCI DSS", "\ud800", "?"])


@given(TEXTS, FRAMEWORKS)
def test_any_text_can_be_read(text: str, framework: str | None) -> None:
    reading = read_frameworks(text, framework)
    for citation in reading.citations:
        assert 0 <= citation.start < citation.end <= len(text)
        assert citation.canonical == citation.canonical.strip()


def test_any_mutation_of_the_rows_can_be_read(shared: Path) -> None:
    texts = [row["text"][:400] for row in rows(shared / "cases" / "citations.jsonl")]
    texts += [row["text"] for row in OWN]
    dice = random.Random(20_261_201)
    marks = "()[]{}.,;:-–—/|§&<>*_`'\n\r\t\u00a0\u200b\u00ad٣②½ⅣＡ１é\u0301\ud800\x00\u2028"
    for _ in range(3000):
        letters = list(dice.choice(texts))
        for _ in range(dice.randint(1, 8)):
            at = dice.randrange(len(letters) + 1)
            match dice.randrange(3):
                case 0:
                    letters.insert(at, dice.choice(marks))
                case 1:
                    del letters[at : at + 1]
                case _:
                    letters[at:at] = letters[dice.randrange(len(letters) + 1) :][:40]
        text = "".join(letters)
        for citation in read_frameworks(text, "GDPR").citations:
            assert 0 <= citation.start < citation.end <= len(text)


@pytest.mark.parametrize(
    "piece",
    ["(", "<a ", "&", "1-", "1.2.", "a.b-c/", "Articles 1 to 99, ", "point (a) of ", "AC-2-", "§",
     "Regulation (EU) ", "ISO/", "And The ", "[x](", "Subpart A and ", "CC6.1–", "NIST SP "],
)  # fmt: skip
def test_work_grows_with_the_length_only(piece: str) -> None:
    """Calls of Python functions stand for time: ten times the text, about ten times the calls."""
    import sys

    def calls(size: int) -> int:
        text = (piece * (size // len(piece) + 1))[:size]
        count = 0

        def count_call(frame: object, event: str, argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(count_call)
        try:
            read_frameworks(text, "GDPR")
        finally:
            sys.setprofile(before)
        return count

    calls(100)
    small, large = calls(2_000), calls(20_000)
    assert large <= 13 * small
