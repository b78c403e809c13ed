"""The check: a claim and a source go through the gates, in order, to a verdict with its trace.

Gates 1 and 3 to 6 of the design. Two of them can propose an answer, the lexical gate and the
entailment gate; everything else can only take *supported* away. So leaving a restriction out
may add a *supported*, and adding one never does: a property test holds it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.calibration.record import FLOOR
from core.cancellation import Cancellation
from core.claims import entailment, lexical
from core.claims.conflicts import conflicting
from core.claims.definitions import narrowed
from core.claims.governors import GOVERNORS, Governor, cue, governed
from core.claims.kinds import other_kind
from core.claims.notes import marked
from core.claims.revisions import superseded
from core.claims.source import Sentence, Source
from core.claims.verdict import CheckResult, Evidence, Outcome, Scope, TraceEntry, Verdict
from core.claims.vetoes import VETOES, Veto
from core.documents.model import Document, NoticeKind, TextScope
from core.ports import EntailmentModel, ModelStopped, Progress
from core.text.reading import Reading, as_read_in


@dataclass(frozen=True)
class Restrictions:
    """What may take *supported* away. The default is all of it; tests leave parts out."""

    governors: tuple[tuple[str, Governor], ...] = GOVERNORS
    vetoes: tuple[tuple[str, Veto], ...] = VETOES
    conflicts: bool = True


ALL = Restrictions()

NOT_VERBATIM = "No sentence of the source says the claim word for word."

NEAR = 0.5
"""Share of the claim's word pairs from which on it is worth saying how a sentence differs."""

MOST_ELSEWHERE = 3
"""So many other sentences of the source that say the claim too are shown with the deciding one."""


@dataclass(frozen=True)
class _Proposal:
    """A verdict that a gate proposes, with the sentences that it rests on."""

    verdict: Verdict
    gate: str
    reason: str
    sentences: tuple[Sentence, ...]
    alone: tuple[entailment.Premise, ...] = ()
    """Sentences of the source that reach the score by themselves, best first."""


@dataclass
class _Run:
    """What the check has found so far."""

    claim: Reading
    source: Source
    restrictions: Restrictions
    cancellation: Cancellation | None
    trace: list[TraceEntry] = field(default_factory=list)
    scores: dict[str, float] = field(default_factory=dict)
    shown: tuple[Sentence, ...] = ()
    """What to show the person when nothing is decided: the closest the source comes."""
    why: tuple[str, str] = ("lexical", "No passage of the source decides the claim.")
    """(gate, reason) to give when nothing is decided."""
    taken_back: bool = False
    """Whether the source has the claim's words and takes them back: then nothing supports it."""

    def note(self, gate: str, outcome: Outcome, note: str, **measured: Any) -> None:
        self.trace.append(TraceEntry(gate, outcome, note, measured))

    def result(self, verdict: Verdict, gate: str, reason: str, *shown: Sentence) -> CheckResult:
        document = self.source.document
        return CheckResult(
            verdict=verdict,
            gate=gate,
            reason=reason,
            evidence=tuple(
                Evidence(s.raw, s.start, s.end, document.page_of(s.start)) for s in shown
            ),
            scores=dict(self.scores),
            trace=tuple(self.trace),
            scope=Scope(document.scope, document.notices),
        )


def check(
    claim: str,
    source: Document | Source,
    *,
    model: EntailmentModel | None = None,
    restrictions: Restrictions = ALL,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> CheckResult:
    """Whether `source` says what `claim` says.

    `source` is a document, or a `Source` prepared from one to be checked against many claims.
    Without `model` the lexical gate alone decides. Raises `ValueError` for an empty claim and
    `core.cancellation.Cancelled`.
    """
    if not claim.strip():
        raise ValueError("The claim is empty: write the sentence to check.")
    if isinstance(source, Source):
        return _through_the_gates(
            _Run(Reading(claim), source, restrictions, cancellation), model, progress
        )
    prepared = Source(source, progress=progress, cancellation=cancellation)
    try:
        run = _Run(Reading(claim), prepared, restrictions, cancellation)
        return _through_the_gates(run, model, progress)
    finally:
        prepared.let_go()


def _through_the_gates(
    run: _Run, model: EntailmentModel | None, progress: Progress | None
) -> CheckResult:
    if refused := _hygiene(run) or _scope(run):
        return refused
    proposals = _lexical(run, progress, explain=model is None)
    if not proposals and (proposal := _entailment(run, model, progress)):
        proposals = [proposal]
    vetoed = None
    for proposal in proposals:
        if proposal.verdict is not Verdict.SUPPORTED or not (vetoed := _vetoes(run, proposal)):
            return run.result(
                proposal.verdict, proposal.gate, proposal.reason, *_told(run, proposal)
            )
    return vetoed or run.result(Verdict.NOT_VERIFIABLE, *run.why, *run.shown)


def _hygiene(run: _Run) -> CheckResult | None:
    """Gate 1: refuse a claim in disguise, a question, and a claim that instructs the checker."""
    claim = run.claim
    reason = ""
    if claim.lookalikes:
        reason = (
            "The claim spells words with look-alike letters of another script: "
            f"{', '.join(claim.lookalikes)}."
        )
    elif claim.is_question:
        reason = "The claim is a question; only a statement can be checked."
    elif found := cue("checker", claim.lower):
        reason = f"The claim addresses the checker (“{found}”); write only the statement."
    elif not claim.keys:
        reason = "The claim has no words."
    if reason:
        run.note("hygiene", Outcome.REFUSED, reason)
        return run.result(Verdict.NOT_VERIFIABLE, "hygiene", reason)
    run.note(
        "hygiene",
        Outcome.PASSED,
        "The claim's text is plain.",
        words=len(claim.keys),
        changed=claim.cleaned != claim.raw.strip(),
    )
    return None


def _scope(run: _Run) -> CheckResult | None:
    """Gate 3: what the source is, how much of it there is, and whether it still stands."""
    document = run.source.document
    measured = {
        "text": document.scope.value,
        "notices": [notice.kind.value for notice in document.notices],
        "sentences": sum(len(sentences) for sentences in run.source.sentences),
    }
    retracted = [n for n in document.notices if n.kind is NoticeKind.RETRACTED]
    if retracted:
        reason = "The source says of itself that it is retracted."
        run.note("scope", Outcome.REFUSED, reason, **measured)
        return run.result(Verdict.NOT_VERIFIABLE, "scope", reason)
    note = "Full text." if document.scope is TextScope.FULL_TEXT else "Abstract only."
    run.note("scope", Outcome.PASSED, note, **measured)
    return None


def _lexical(run: _Run, progress: Progress | None, *, explain: bool) -> list[_Proposal]:
    """Gate 4: the sentences of the source that are the claim, governed by nothing around them.

    With `explain`, an abstention says how the closest sentence differs. Nobody reads that where a
    model is asked next, and it takes as long as the vetoes do.
    """
    if progress is not None:
        progress(0, 2, "Comparing the claim with each sentence")
    found, closest = lexical.matches(run.claim, run.source, run.cancellation)
    run.scores["lexical"] = 1.0 if found else round(closest.coverage, 4)
    measured = {"matches": len(found), "coverage": run.scores["lexical"], "needed": 1.0}
    if not found:
        run.shown = (closest.sentence,) if closest.sentence else ()
        note = _not_verbatim(run, closest) if explain else NOT_VERBATIM
        run.why = ("lexical", note)
        run.note("lexical", Outcome.ABSTAINED, note, **measured)
        return []
    looked_at = [(match, _governed(run, match.block, match.first, match.last)) for match in found]
    free = [match for match, reason in looked_at if reason is None]
    if free:
        note = "The source says it word for word, and nothing around it takes it back."
        run.note("lexical", Outcome.DECIDED, note, **measured)
        return [_Proposal(Verdict.SUPPORTED, "lexical", note, match.sentences) for match in free]
    name, why = next(reason for _, reason in looked_at if reason is not None)
    note = f"The source has these words, but {why}."
    run.shown = found[0].sentences
    run.why = ("lexical", note)
    run.taken_back = True
    run.note("lexical", Outcome.ABSTAINED, note, governed_by=name, **measured)
    return []


def _not_verbatim(run: _Run, closest: lexical.Closest) -> str:
    """Why no sentence is the claim, by what the vetoes have against the closest one."""
    if closest.sentence is None or closest.coverage < NEAR:
        return NOT_VERBATIM
    passage = as_read_in(closest.sentence.raw, run.claim)
    against = {name: r for name, veto in run.restrictions.vetoes if (r := veto(run.claim, passage))}
    within = closest.coverage == 1.0
    first = next((against[name] for name in ("embedding", "polarity") if name in against), "")
    reason = (first if within else "") or next(iter(against.values()), "")
    if within:
        start = "The source has these words only inside a longer sentence"
        return f"{start}: {reason}." if reason else f"{start}."
    return (
        f"No sentence says the claim word for word; in the closest, {reason}."
        if reason
        else NOT_VERBATIM
    )


def _governed(run: _Run, block: int, first: int, last: int) -> tuple[str, str] | None:
    for at in range(first, last + 1):
        if found := governed(run.source, block, at, run.restrictions.governors):
            return found
    return None


def _entailment(
    run: _Run, model: EntailmentModel | None, progress: Progress | None
) -> _Proposal | None:
    """Gate 5: the model, at the thresholds that it earned."""
    if model is None:
        run.note(
            "entailment",
            Outcome.ABSTAINED,
            "No entailment model is installed, so nothing looser than the source's own words "
            "can be confirmed.",
        )
        return None
    record, refusal = entailment.earned(model)
    if record is None:
        run.note("entailment", Outcome.REFUSED, refusal, model=model.name)
        run.why = ("entailment", refusal)
        return None
    if progress is not None:
        progress(1, 2, "Asking the entailment model")
    try:
        reply = entailment.ask(
            run.claim, run.source, model, run.restrictions.governors, run.cancellation
        )
    except ModelStopped as stopped:
        note = str(stopped) or "The entailment model stopped before it answered."
        run.note("entailment", Outcome.REFUSED, note, model=model.name)
        run.why = ("entailment", note)
        return None
    run.scores |= {"entailment": reply.entailment, "contradiction": reply.contradiction}
    measured = {
        "premises": reply.premises,
        "entailment": reply.entailment,
        "strongest": reply.strongest,
        "contradiction": reply.contradiction,
        "against": reply.against,
        "supported_at": record.supported,
        "contradicted_at": record.contradicted,
        "model": model.name,
    }
    entails = reply.supporting is not None and reply.entailment >= record.supported
    contradicts = (
        record.contradicted is not None
        and reply.contradicting is not None
        and reply.contradiction >= record.contradicted
        and reply.strongest < FLOOR
    )
    braked = record.braked_at is not None and reply.against >= record.braked_at
    if entails and run.taken_back:
        note = run.why[1]
    elif entails and reply.governed:
        note = "The passage that comes closest is not asserted by the source."
    elif entails and braked:
        note = "One passage supports the claim and another contradicts it."
    elif entails and reply.supporting is not None:
        note = "A passage of the source says it in other words."
        run.note("entailment", Outcome.DECIDED, note, **measured)
        alone = tuple(premise for premise, chance in reply.alone if chance >= record.supported)
        return _Proposal(Verdict.SUPPORTED, "entailment", note, reply.supporting.sentences, alone)
    elif contradicts and reply.contradicting is not None:
        note = "A passage of the source says otherwise."
        run.note("entailment", Outcome.DECIDED, note, **measured)
        bar = record.contradicted or 1.0
        against = tuple(premise for premise, chance in reply.against_alone if chance >= bar)
        sentences = reply.contradicting.sentences
        return _Proposal(Verdict.CONTRADICTED, "entailment", note, sentences, against)
    else:
        note = "No passage supports or contradicts it clearly enough."
    run.note("entailment", Outcome.ABSTAINED, note, **measured)
    run.why = ("entailment", note)
    if reply.supporting is not None and not run.shown:
        run.shown = reply.supporting.sentences
    return None


def _vetoes(run: _Run, proposal: _Proposal) -> CheckResult | None:
    """Gate 6: checks without a model that may only take *supported* away."""
    passage = as_read_in(" ".join(s.raw for s in proposal.sentences), run.claim)
    for name, veto in run.restrictions.vetoes:
        if reason := veto(run.claim, passage):
            return _vetoed(run, name, f"Not confirmed: {reason}.", proposal.sentences)
    if run.restrictions.conflicts:
        for name, look in _ELSEWHERE:
            if elsewhere := look(run.claim, proposal.sentences, run.source):
                shown = (*proposal.sentences, elsewhere[0])
                return _vetoed(run, name, f"Not confirmed: {elsewhere[1]}.", shown)
        for part, evidence in _parts(run, proposal):
            found = conflicting(part, evidence, run.source, run.cancellation)
            if found is not None:
                sentence, reason = found
                shown = (*proposal.sentences, sentence)
                return _vetoed(run, "conflict", f"Not confirmed: {reason}.", shown)
    run.note(
        "vetoes",
        Outcome.PASSED,
        "Numbers, polarity, modality and the other checks agree.",
        checked=[name for name, _ in run.restrictions.vetoes],
    )
    return None


_ELSEWHERE = (
    ("superseded", superseded),
    ("definition", narrowed),
    ("note", marked),
    ("kind", other_kind),
)
"""What is looked for elsewhere in the source: a change, a narrower meaning, a mark's note, the kind
that is meant."""


def _parts(run: _Run, proposal: _Proposal) -> list[tuple[Reading, Sentence]]:
    """The claim with the first sentence of its proof, and each of its sentences with its own."""
    whole = [(run.claim, proposal.sentences[0])]
    parts = lexical.claim_sentences(run.claim)
    if len(parts) < 2 or len(parts) != len(proposal.sentences):
        return whole
    return whole + list(zip(parts, proposal.sentences, strict=True))


def _told(run: _Run, proposal: _Proposal) -> tuple[Sentence, ...]:
    """What to show for a proposal that every gate let through.

    A window is narrowed to those of its sentences that would do by themselves. A long source
    says its findings more than once: where else it says the claim, by the same measure, follows.
    """
    sure = [
        premise.sentences[0]
        for premise in proposal.alone
        if _governed(run, premise.block, premise.first, premise.last) is None
        and not any(
            proposal.verdict is Verdict.SUPPORTED
            and veto(run.claim, as_read_in(premise.sentences[0].raw, run.claim))
            for _, veto in run.restrictions.vetoes
        )
    ]
    enough = [sentence for sentence in proposal.sentences if sentence in sure]
    elsewhere = [sentence for sentence in sure if sentence not in proposal.sentences]
    return (*(enough or proposal.sentences), *elsewhere[:MOST_ELSEWHERE])


def _vetoed(run: _Run, name: str, reason: str, shown: Sequence[Sentence]) -> CheckResult:
    run.note("vetoes", Outcome.REFUSED, reason, veto=name)
    return run.result(Verdict.NOT_VERIFIABLE, f"veto: {name}", reason, *shown)
