"""Sentences: honest cuts where a reader would cut, none where a clause could be freed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.sentences import REACH, split


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


CUT = [
    ["The trial ended early.", "Patients were followed for a year."],
    ["Did it work?", "It did not!", "We stopped."],
    ["This prevents disease.[3]", "The drug was stopped."],
    ["This prevents disease. [3,4]", "The drug was stopped."],
    ["This was seen in one cohort.³", "We repeated it."],
    ["This was seen in one cohort.¹²,¹³", "We repeated it."],
    ["It prevents disease.3", "The drug was stopped."],
    ["It prevents disease.3,4–6", "The drug was stopped."],
    ["The value was p < 0.05.", "It fell."],
    ["The value was 3.", "It fell."],
    ["They lived in the U.S.", "The others did not."],
    ["This follows Smith et al.", "However, we differ."],
    ["It was written by Acme Inc.", "The others agreed."],
    ["Cells, plates, etc. were bought.", "We used them."],
    ["We incubated them for 1–2 h.", "Subsequently, they were dried."],
    ["Spun for 10 min.", "Protein was measured."],
    ["We looked at many SNPs.", "Linear models were used."],
    ["He saw it (Fig. 3).", "She did not."],
    ["(See Table 1.)", "Since most form, we stopped."],
    ["“It failed.”", "The others agreed to stop."],
    ["The virus was found.", "mRNA levels rose."],
    ["The trial was stopped.", "420 patients had died."],
    ["See https://example.org/a.b?c=d.", "The file is there."],
    ["Write to a.b@example.org.", "We answer."],
    ["Remediation is the duty of the Security Review Team.", "Employees cooperate."],
    ["This is owed under the Act.", "Processors shall pay."],
    ["Version 2.3.1 is current.", "Version 2.2 is not."],
    ["12.1 Nothing in this clause limits liability.", "12.2 The cap is 10 EUR."],
    ["This was in 2010.", "The next was later."],
    ["Deficiency of vitamin D.", "The next vitamin is E."],
    ["研究は終わった。", "結果は良い。"],
    ["真的吗？", "是的！", "好。"],
    ["The sentence ends…", "The next begins."],
    ["Is it so?!", "Yes, it is."],
    ["The rule holds.*", "The exception does not."],
    ["¿Funciona?", "¡Funciona!", "Sí."],
]


@pytest.mark.parametrize("parts", CUT, ids=lambda parts: parts[0][:40])
@pytest.mark.parametrize("space", [" ", "\n", "  \n "])
def test_cuts_where_a_reader_would(parts: list[str], space: str) -> None:
    if space != " " and any("。" in part or "？" in part for part in parts):
        space = ""
    assert sentences(space.join(parts)) == parts


WHOLE = [
    "There is no evidence, e.g. from Smith et al. Trials, that aspirin cures cancer.",
    "There is no evidence (Smith 2003. Jones 2004. Lee 2005.) that aspirin cures cancer.",
    "It was wrongly claimed, i.e. Without any data, that it works.",
    "We reject the claim of Dr. Smith that it works.",
    "It is untrue what J. Smith and S. M. Jones wrote.",
    "We saw no S. mansoni in any sample.",
    "No effect was seen in Fig. 3 or in Figs. 4 and 5 or Eq. 6 or Sec. 7.",
    "No effect was seen at approx. 5 mg, ca. 6 mg or vs. Placebo.",
    "Under Art. 5 and para. 2 of Reg. No. 45 nothing is owed.",
    "It was not shown in Jan. 2003 or on Sept. 5.",
    "It fell by 0.5 and by 1.25 and to v2.3.1 but not more.",
    "The DOI 10.1371/journal.pmed.0030132 is not at doi.org.",
    "Whether it works at 37 °C. is not known.",
    'He said "It works. It really does. Always." and was wrong.',
    "He said “It works. It really does. Always.” and was wrong.",
    "Er sagte „Es wirkt. Immer.“ und irrte.",
    "「良い。とても良い。」と彼は間違って言った。",
    '"It works!" Smith claimed without proof.',
    "“It works.” So said Smith, who was wrong.",
    "It was claimed that … The drug works.",
    "It was claimed that... The drug works.",
    "It is false [Smith 1. Jones 2. Lee 3.] that it works.",
    "the drug works. and it does not.",
    "12. Nothing in this clause limits liability.",
    "Article 5. The controller shall act.",
    "Section 12.1. The controller shall act.",
    "(a) The controller shall act.",
    "1. Interviews were held.",
    "IV. Results were poor.",
    "We thank S.-M. Chaw for nothing.",
    "The sum of 1. 5 was not paid.",
    "It was written by Acme Inc. Lawyers of the firm.",
    "It was not confirmed with Structure Version. 2.2 of the program.",
    "It ended at 5 p.m. Monday.",
    "There is no evidence that M.Z. Ali found it.",
    "There is no evidence that Supt. Jones stole it.",
    "There is no evidence that Yahoo! Answers predicts influenza.",
    "There is no evidence under Cal. Civ. Code that it is owed.",
    "It is not owed under Pub. L. No. 99 or the Fed. Reg. Notice of that day.",
]


@pytest.mark.parametrize("text", WHOLE, ids=lambda text: text[:40])
def test_leaves_whole_what_belongs_together(text: str) -> None:
    assert sentences(text) == [text]


GOVERNORS = ["There is no evidence", "It is unknown whether", "We could not show that"]
GAPS = [
    " (see Fig. 1. ", " [1. ", ", cf. ", ", e.g. ", ", i.e. ", ", viz. ", " et al. ", ", vs. ",
    " (Smith, J. ", ' "quote. ', " “quote. ", " No. ", " p. ", " pp. ", " vol. ", " approx. ",
]  # fmt: skip


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("governor", GOVERNORS)
def test_never_frees_a_clause_from_what_governs_it(governor: str, gap: str) -> None:
    text = f"{governor}{gap}Aspirin prevents cancer."
    assert sentences(text) == [text]


def test_a_bracket_that_never_closes_holds_only_so_long() -> None:
    text = "It opened (here. " + "Then it went on for long. " * (REACH // 10)
    assert len(split(text)) > REACH // 20


def test_a_blank_line_closes_what_a_paragraph_left_open() -> None:
    assert sentences("He said (so.\n\nThe next began. Then it ended.") == [
        "He said (so.\n\nThe next began.",
        "Then it ended.",
    ]


def test_no_text_has_no_sentences() -> None:
    assert split("") == []
    assert split(" \n\t ") == []


PIECES = st.lists(
    st.sampled_from(
        ["The", "cells", "grew", ".", "!", "?", "…", "(", ")", "[3]", "“", "”", '"', "³", "e.g.",
         "J.", "et al.", "0.5", "12.1", " ", " ", "\n", "\n\n", "。", "「", "」", "no", "-",
         "http://a.b", "*", "\u00a0", "\u200b", "İ", "ﬁ", "Version.", "5"]
    ),
    max_size=60,
).map("".join)  # fmt: skip
ANY = st.one_of(PIECES, st.text(max_size=200))


@given(ANY)
@settings(max_examples=400, deadline=None)
def test_spans_are_ordered_disjoint_trimmed_and_cover_everything(text: str) -> None:
    covered: set[int] = set()
    last = 0
    for start, end in split(text):
        assert last <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        covered.update(range(start, end))
        last = end
    assert all(at in covered or char.isspace() for at, char in enumerate(text))


@given(ANY, ANY)
@settings(max_examples=400, deadline=None)
def test_earlier_sentences_do_not_depend_on_what_comes_later(text: str, more: str) -> None:
    before, after = split(text), split(text + " " + more)
    # The words after a boundary take part in it, so the last two cuts may move.
    assert after[: max(0, len(before) - 2)] == before[: max(0, len(before) - 2)]


@given(st.lists(st.sampled_from([case[0] for case in CUT] + WHOLE), min_size=1, max_size=6))
@settings(deadline=None)
def test_a_sentence_is_one_sentence_on_its_own(texts: list[str]) -> None:
    for text in sentences(" ".join(texts)):
        assert sentences(text) == [text]
