"""What a heading makes of the sentences below it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.model import SectionKind
from core.documents.sections import Outline, classify_heading, labelled_parts

KNOWN = {
    SectionKind.AIM: [
        "Aims", "Objective", "OBJECTIVES", "1.2 Aims and objectives", "Purpose of the study",
        "Purpose of this audit", "Hypotheses", "Our hypothesis", "Research questions",
        "Background and aims", "Study rationale", "Why we did this audit", "Audit objective",
        "Specific Aims:",
    ],
    SectionKind.PRIOR_WORK: [
        "Background", "Introduction", "I. INTRODUCTION", "1 Introduction", "Related work",
        "Previous studies", "Literature review", "2. Review of the literature",
        "Why Was This Study Done?", "Management response", "Background: the 1990s",
        "State of the art", "Introduction (continued)",
    ],
    SectionKind.METHODS: [
        "Methods", "Materials and Methods", "2.1 Study design", "Statistical analysis",
        "Experimental procedures", "Patients and methods", "Data collection", "Participants",
        "Supplementary methods", "Ethics statement", "III. METHODOLOGY",
    ],
    SectionKind.RESULTS: [
        "Results", "Findings", "Main results", "Methods and Findings", "Finding 3: No logs",
        "What Did the Researchers Do and Find?",
    ],
    SectionKind.DISCUSSION: [
        "Discussion", "Conclusions", "Conclusion", "Results and discussion", "Results/Discussion",
        "Interpretation", "Concluding remarks", "Recommendations", "What Do These Findings Mean?",
        "Discussion and Conclusions",
    ],
    SectionKind.LIMITATIONS: [
        "Limitations", "Strengths and limitations", "Limitations of this study",
        "Study limitations", "Threats to validity", "Discussion and limitations",
    ],
    SectionKind.REFERENCES: [
        "References", "REFERENCES", "Reference", "Bibliography", "Literature cited", "Works Cited",
        "7. References",
    ],
    SectionKind.BACK_MATTER: [
        "Acknowledgements", "Acknowledgments", "Funding", "Author contributions",
        "Authors' contributions", "Authors\u2019 contributions", "Competing interests",
        "Conflict of interest", "Supporting Information", "Data availability statement",
        "Abbreviations", "Declaration of interests",
    ],
    SectionKind.ABSTRACT: ["Abstract", "ABSTRACT", "Author Summary", "Executive summary"],
    SectionKind.OTHER: [
        "Purpose", "Policy", "Roles and responsibilities", "Definitions", "Purpose of this policy",
        "Appendix B: Controls", "Purpose and scope",
    ],
}  # fmt: skip
UNKNOWN = [
    "Vendor assessment", "Limitation of liability", "GPR177", "Background checks",
    "Access to internal systems", "A Discussion of Cells", "Findings the Lost", "", "3.", "***",
    "Methods matter more than ever in this long running field of enquiry into heading texts",
]  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "kind"), [(text, kind) for kind, texts in KNOWN.items() for text in texts]
)
def test_known_headings(heading: str, kind: SectionKind) -> None:
    assert classify_heading(heading) is kind


@pytest.mark.parametrize("heading", UNKNOWN)
def test_other_headings_are_unknown(heading: str) -> None:
    assert classify_heading(heading) is None


def test_a_bare_purpose_is_an_aim_only_in_an_abstract() -> None:
    assert classify_heading("Purpose", in_abstract=True) is SectionKind.AIM
    assert classify_heading("Purpose") is SectionKind.OTHER


@given(st.text(max_size=300), st.booleans())
def test_any_heading_has_an_answer(heading: str, in_abstract: bool) -> None:
    kind = classify_heading(heading, in_abstract=in_abstract)
    assert kind is None or isinstance(kind, SectionKind)
    assert classify_heading(heading.strip(), in_abstract=in_abstract) is kind


def test_a_sub_heading_takes_the_kind_of_the_one_above() -> None:
    outline = Outline()
    outline.enter(1, "Results")
    outline.enter(2, "Cells grew")
    assert outline.section is SectionKind.RESULTS
    assert outline.headings == ("Results", "Cells grew")
    outline.enter(2, "Limitations")
    assert outline.section is SectionKind.LIMITATIONS
    outline.enter(1, "Something else")
    assert outline.section is SectionKind.OTHER
    assert outline.headings == ("Something else",)


def test_what_stands_below_an_abstract_is_in_it() -> None:
    outline = Outline()
    outline.enter(1, "", SectionKind.ABSTRACT)
    outline.enter(2, "Purpose")
    assert (outline.section, outline.in_abstract) == (SectionKind.AIM, True)
    assert outline.headings == ("Purpose",)
    outline.leave(1)
    assert (outline.section, outline.in_abstract) == (SectionKind.OTHER, False)


def test_labels_cut_a_structured_abstract() -> None:
    text = "Objective: To see. Methods: We looked. Main results: It grew. Conclusions: Good."
    parts = [
        (text[start:end].strip(), kind)
        for start, end, kind in labelled_parts(text, in_abstract=True)
    ]
    assert parts == [
        ("Objective: To see.", SectionKind.AIM),
        ("Methods: We looked.", SectionKind.METHODS),
        ("Main results: It grew.", SectionKind.RESULTS),
        ("Conclusions: Good.", SectionKind.DISCUSSION),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "It was claimed in Results: aspirin works.",
        "Note: the drug works.",
        "There is no evidence of this. It was said: Results: it works.",
        "The objective: to see.",
    ],
)
def test_a_label_counts_only_where_it_begins_a_sentence(text: str) -> None:
    assert labelled_parts(text) == [(0, len(text), None)]


@given(
    st.lists(st.sampled_from(["Results: ", "Aim: ", "It grew. ", "no ", "x: ", "\n"])),
    st.booleans(),
)
def test_parts_are_the_whole_of_the_text(pieces: list[str], in_abstract: bool) -> None:
    text = "".join(pieces)
    parts = labelled_parts(text, in_abstract=in_abstract)
    assert "".join(text[start:end] for start, end, _ in parts) == text
