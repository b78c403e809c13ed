"""What role a section plays, read off its heading, and the path of headings above a block.

A heading decides whether the sentences below it are the document's own assertions: an aim is a
plan, prior work is what others said, a reference list asserts nothing. Where a heading can be
read in two ways, the kind that lets a check accept less wins.
"""

import re
from dataclasses import dataclass

from core.documents.model import SectionKind, short_name

_STUDY = (
    r"(?:the |this |our |present |current |a )*"
    r"(?:study|studies|research|trial|review|paper|article|work|project|analysis|analyses|audit|"
    r"evaluation|inspection|assessment|engagement|thesis|investigation|experiment|data|report|"
    r"method|methods|methodology|approach|evidence)s?"
)

_HEADINGS: tuple[tuple[SectionKind, tuple[str, ...]], ...] = (
    (
        SectionKind.REFERENCES,
        (
            r"references?(?: list)?",
            r"reference list",
            r"bibliography",
            r"(?:literature|works|references|sources) cited",
            r"cited (?:literature|references|works|sources)",
            r"further reading",
            r"suggested readings?",
            r"list of references",
        ),
    ),
    (
        SectionKind.BACK_MATTER,
        (
            r"acknowledge?ments?",
            r"(?:sources? of |financial )?(?:funding|financial (?:support|disclosure)s?)"
            r"(?: (?:statement|sources?|information|disclosure))?",
            r"authors?'? (?:contributions?|information|affiliations?|details|notes?)",
            r"contributions? of (?:the )?authors?",
            r"contributors(?:hip)?",
            r"(?:conflicts?|declarations?) of (?:competing )?interests?(?: statement)?",
            r"(?:competing|conflicting) (?:financial )?interests?(?: statement)?",
            r"conflicts? of interests?",
            r"disclosures?(?: statement)?",
            r"declarations?",
            r"(?:supporting|supplementary|supplemental|additional) "
            r"(?:information|materials?|files?|data|figures?|tables?)",
            r"data (?:and code |and materials |)(?:availability|accessibility|sharing)"
            r"(?: statement)?",
            r"availability of (?:data|materials|supporting data)(?: and materials)?",
            r"(?:code|materials?) availability",
            r"abbreviations?(?: used)?",
            r"list of abbreviations",
            r"accession numbers?",
            r"provenance(?: and peer review)?",
            r"publisher'?s note",
            r"about the authors?",
            r"(?:document |version |revision |change )(?:history|control)",
            r"figure (?:legends?|captions?)",
            r"(?:list|index) of (?:figures|tables)",
            r"table of contents",
            r"contents",
            r"copyright(?: notice| information)?",
        ),
    ),
    (
        SectionKind.AIM,
        (
            r"(?:study |research |audit |review |project |specific |primary |secondary |main |"
            r"overall )*(?:aims?|objectives?|goals?)",
            rf"(?:aims?|objectives?|goals?|purpose|rationale|scope|motivation) (?:of|for) {_STUDY}",
            rf"{_STUDY} (?:aims?|objectives?|goals?|purpose|rationale|questions?)",
            r"(?:study |research |working |our |the )*(?:hypothes[ie]s|predictions?)",
            r"hypothes[ie]s (?:development|tested)",
            r"(?:research|review|audit|study|key|clinical|primary|evaluation)? ?questions?",
            r"questions? (?:of the study|addressed|asked)",
            r"problem statement",
            r"statement of (?:the )?problem",
            r"rationale",
            r"motivation",
            r"why (?:we|the oig|oig|gao|the office) (?:did|conducted|performed|made) this"
            r"(?: \w+)?",
            r"pre-?registration",
            r"study protocol registration",
        ),
    ),
    (
        SectionKind.LIMITATIONS,
        (
            r"limitations?",
            r"(?:study|research|methodological|main|potential|data|scope) limitations?",
            rf"limitations? of {_STUDY}",
            r"(?:study )?strengths?",
            rf"strengths? of {_STUDY}",
            r"weakness(?:es)?",
            r"threats to (?:\w+ )?validity",
            r"caveats?",
            r"(?:potential |sources of |risk of )bias(?:es)?",
        ),
    ),
    (
        SectionKind.PRIOR_WORK,
        (
            r"(?:general |theoretical |scientific |clinical |historical )?background"
            r"(?: information)?",
            r"(?:general )?introduction",
            r"(?:related|previous|prior|earlier|existing) "
            r"(?:works?|research|studies|literature|findings|evidence|audits?|reports?)",
            r"(?:literature|related literature) (?:review|survey)",
            r"(?:review of|review of the|prior) (?:related )?literature",
            r"state[- ]of[- ]the[- ]art",
            r"context",
            r"importance",
            r"evidence before this study",
            r"what is (?:already )?known(?: about (?:this|the) (?:topic|subject))?",
            r"why (?:was|were|is) (?:this|the) (?:study|review|research|trial)s? "
            r"(?:done|carried out|important|needed)",
            r"(?:management|auditee|agency|vendor|entity|company|department)'?s?'? "
            r"(?:responses?|comments?)",
            r"(?:responses?|comments?) (?:of|from|by) (?:the )?"
            r"(?:management|auditee|agency|vendor|entity|company|department)",
        ),
    ),
    (
        SectionKind.ABSTRACT,
        (
            r"(?:structured |extended |graphical )?abstract",
            r"(?:author|authors'|author's|editor's|editors'|plain[- ]language|lay|executive) "
            r"summary",
            r"synopsis",
        ),
    ),
    (
        SectionKind.DISCUSSION,
        (
            r"(?:general |overall |further )?discussions?",
            r"(?:overall |general |main |authors'? |summary and |audit )?conclusions?",
            r"concluding (?:remarks?|comments?|thoughts?|observations?)",
            r"(?:interpretations?|implications?)",
            r"(?:clinical|practical|policy|theoretical|managerial) implications?",
            rf"(?:interpretation|implications?|significance) of {_STUDY}",
            r"(?:clinical |author |biological )?significance",
            r"conclusions? (?:and|or) relevance",
            r"relevance",
            r"(?:our |audit |the |policy |key )?recommendations?",
            r"(?:future|further) (?:work|research|directions?|studies|perspectives?)",
            r"outlook",
            r"perspectives?",
            r"what do (?:these|the) (?:findings|results) mean",
            r"what we recommend(?:ed)?",
            r"what (?:gao|the oig|oig) recommends?",
            r"added value of this study",
            r"implications of all the available evidence",
            r"meaning",
        ),
    ),
    (
        SectionKind.RESULTS,
        (
            r"(?:main |key |principal |study |experimental |primary |secondary |detailed |audit |"
            r"summary of |preliminary |empirical |our |additional )*(?:results?|findings?)",
            r"finding (?:no\.? ?)?\w{1,3}\b.*",
            r"(?:results?|findings?) of " + _STUDY,
            r"main outcomes?",
            r"what (?:did )?(?:the researchers do and find|we found|we find|was found|we learned)",
            r"what (?:gao|the oig|oig) found",
            r"what this study adds",
            r"(?:results|conclusion) in brief",
        ),
    ),
    (
        SectionKind.METHODS,
        (
            r"(?:(?:patients?|subjects?|participants?|materials?|animals?|samples?|data|"
            r"experimental|statistical|computational|general|supplementary|other|additional|"
            r"online|study|research|audit|analytical|review|star|detailed)[ -])*"
            r"(?:methods?|methodology|methodologies|procedures?|protocols?)",
            r"materials?",
            r"materials? used",
            r"(?:statistical|data|power|sensitivity|sample size|image|sequence) "
            r"(?:analysis|analyses|methods?|calculations?|processing|collection)",
            r"statistics",
            r"(?:study|experimental|research|trial|audit) "
            r"(?:design|setting|population|sample|area|site|procedures?|oversight|participants?)",
            r"design",
            r"setting",
            r"(?:study )?(?:participants?|subjects?|patients?)",
            r"interventions?",
            r"(?:main |primary |secondary )*outcomes? measures?",
            r"(?:main |primary |secondary )*measurements?",
            r"data (?:sources?|sets?|extraction|acquisition)",
            r"apparatus",
            r"ethics?(?: statement| approval| considerations?)?",
            r"ethical (?:approval|considerations?|statement)",
            r"search strategy",
            r"(?:inclusion|exclusion|eligibility|selection) criteria",
            r"experimental (?:setup|set-up|section|details?)",
            r"(?:audit )?scope and methodology",
            r"how we (?:did|performed|conducted) (?:this|the|our) (?:audit|work|review)",
            r"trial registration",
        ),
    ),
    (
        # Headings of normative texts. What stands below them binds; it is no study's plan.
        SectionKind.OTHER,
        (
            r"purposes?",
            r"(?:policy )?(?:purpose|scope|statement|objective statement)",
            r"purpose of (?:the |this |these )?"
            r"(?:policy|policies|document|standard|guideline|procedure|agreement|plan)s?",
            r"scope of (?:the |this |these )?"
            r"(?:policy|policies|document|standard|guideline|procedure|agreement|plan)s?",
            r"polic(?:y|ies)",
            r"applicability",
            r"definitions?",
            r"roles?",
            r"responsibilities",
            r"requirements?",
            r"general provisions?",
            r"(?:terms|conditions)",
            r"exceptions?",
            r"enforcement",
            r"compliance",
            r"(?:appendix|appendices|annex|annexes|exhibit|schedule)\b.*",
        ),
    ),
)

_COMPILED = tuple(
    (kind, re.compile(r"(?:" + "|".join(patterns) + r")")) for kind, patterns in _HEADINGS
)
_STRICTNESS = tuple(kind for kind, _ in _HEADINGS)

_STRICT = frozenset(
    {
        SectionKind.AIM,
        SectionKind.LIMITATIONS,
        SectionKind.PRIOR_WORK,
        SectionKind.REFERENCES,
        SectionKind.BACK_MATTER,
    }
)

# In an abstract a bare "Purpose" or "Scope" is the study's, never a policy's.
_ABSTRACT_ONLY: tuple[tuple[SectionKind, re.Pattern[str]], ...] = (
    (SectionKind.AIM, re.compile(r"purposes?|scope")),
)

_NUMBERING = re.compile(
    r"^(?:(?:section|chapter|part|article|§+)\s*)?"
    r"(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]{1,6}|[a-h])(?:[.):]+(?!\d)\s*|\s*[-\u2013\u2014]\s+)"
    r"|\d{1,3}(?:\.\d{1,3})*\s+)"
)
_JOINERS = re.compile(r"\s*(?:,\s*and\b|,|;|/|&|\+|\band\b|\bor\b)\s*")
_EDGES = " .:-\u2013\u2014?*_#"
_RUN_IN = re.compile(r"^([a-z' ]{3,40}?)(?::|\s[-\u2013\u2014])\s")
_CONTINUED = re.compile(r"\s*\((?:continued|cont(?:inue)?d?\.?)\)$")
_SPACE = re.compile(r"\s+")

LONGEST_HEADING = 160
"""Characters; a longer line is no heading that this table knows."""


def classify_heading(heading: str, *, in_abstract: bool = False) -> SectionKind | None:
    """The kind of section that `heading` opens; None where it is unknown (so it inherits).

    Numbering ("2.1 Study design"), case and final punctuation do not matter. Of two kinds in one
    heading ("Results and discussion") the one that lets a check accept less is given.
    `in_abstract` says that the heading stands inside an abstract, where a bare "Purpose" is an
    aim; elsewhere it is `SectionKind.OTHER`, as in a policy.
    """
    if len(heading) > LONGEST_HEADING:
        return None
    plain = _SPACE.sub(" ", heading.replace("\u2019", "'").casefold()).strip()
    plain = _CONTINUED.sub("", _NUMBERING.sub("", plain, count=1)).strip(_EDGES)
    if not plain:
        return None
    whole = _kind_of(plain, in_abstract)
    if whole is not None:
        return whole
    if run_in := _RUN_IN.match(plain):
        return _kind_of(run_in[1], in_abstract)
    parts = [part for part in _JOINERS.split(plain) if part]
    kinds = [_kind_of(part, in_abstract) for part in parts]
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        known = [kind for kind in known if kind in _STRICT]
    return min(known, key=_STRICTNESS.index) if known else None


def _kind_of(plain: str, in_abstract: bool) -> SectionKind | None:
    if in_abstract:
        for kind, pattern in _ABSTRACT_ONLY:
            if pattern.fullmatch(plain):
                return kind
    for kind, pattern in _COMPILED:
        if pattern.fullmatch(plain):
            return kind
    return None


_LABEL = re.compile(
    r"(?:(?<=[.?!]\s)|^\W{0,3})([A-Z][A-Za-z'\u2019/&, -]{2,40})(?::\s+|\.\s*[\u2013\u2014]\s*)"
)


def labelled_parts(
    text: str, *, in_abstract: bool = False
) -> list[tuple[int, int, SectionKind | None]]:
    """Cut a paragraph at labels such as "Objective: … Results: …" into (start, end, kind).

    The parts follow each other and together are the whole of `text`. The kind is None before the
    first label, and everywhere when no label that is known begins the paragraph.
    """
    cuts: list[tuple[int, SectionKind]] = []
    for found in _LABEL.finditer(text):
        kind = classify_heading(found[1], in_abstract=in_abstract)
        if kind is not None and kind is not SectionKind.OTHER:
            cuts.append((found.start(1), kind))
    if not cuts or (cuts[0][0] > 3 and not (in_abstract and len(cuts) > 1)):
        return [(0, len(text), None)]
    parts: list[tuple[int, int, SectionKind | None]] = []
    if cuts[0][0] > 3:
        parts.append((0, cuts[0][0], None))
    else:
        cuts[0] = (0, cuts[0][1])
    ends = [at for at, _ in cuts[1:]] + [len(text)]
    parts += [(at, end, kind) for (at, kind), end in zip(cuts, ends, strict=True)]
    return parts


@dataclass(frozen=True, slots=True)
class _Level:
    depth: int
    heading: str
    kind: SectionKind
    in_abstract: bool


class Outline:
    """The path of headings above the place that a reader has reached.

    A heading whose role is unknown takes the kind of the heading above it, and `OTHER` at the
    top. Everything below an abstract's heading is in the abstract.
    """

    def __init__(self) -> None:
        """Start above every heading."""
        self._path: list[_Level] = []

    def enter(self, depth: int, heading: str, kind: SectionKind | None = None) -> None:
        """Begin a section at `depth` (1 is outermost), closing those at its depth or deeper.

        `kind`, where given, is what the file itself says of the section.
        """
        self.leave(depth)
        above = self._path[-1] if self._path else None
        inside = above is not None and above.in_abstract
        found = kind or classify_heading(heading, in_abstract=inside)
        if found is None or (found is SectionKind.OTHER and kind is None):
            # A "Definitions" below an introduction is still part of the introduction.
            found = above.kind if above else SectionKind.OTHER
        abstract = inside or found is SectionKind.ABSTRACT
        self._path.append(_Level(depth, short_name(heading), found, abstract))

    def leave(self, depth: int) -> None:
        """End the sections at `depth` or deeper."""
        while self._path and self._path[-1].depth >= depth:
            self._path.pop()

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings above, outermost first; sections without a heading are left out."""
        return tuple(level.heading for level in self._path if level.heading)

    @property
    def section(self) -> SectionKind:
        """The kind of the innermost section."""
        return self._path[-1].kind if self._path else SectionKind.OTHER

    @property
    def in_abstract(self) -> bool:
        """Whether the place is inside an abstract."""
        return bool(self._path) and self._path[-1].in_abstract
