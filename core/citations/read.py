"""Read every citation of a framework, a standard or a law that a text holds."""

from dataclasses import dataclass, replace

from core.citations.frameworks.bind import Bound, bind
from core.citations.frameworks.catalogue import Instrument, catalogue
from core.citations.frameworks.editions import edition_at
from core.citations.frameworks.numbered import numbered
from core.citations.frameworks.plain import plain
from core.citations.frameworks.scan import scan
from core.citations.frameworks.tokens import Tokens, tokenize
from core.citations.model import FrameworkCitation


@dataclass(frozen=True, slots=True)
class Reading:
    """The citations of a text in its order, and what the reader has to say of them."""

    citations: tuple[FrameworkCitation, ...]
    notes: tuple[str, ...] = ()

    @property
    def canonical(self) -> tuple[str, ...]:
        """The canonical strings, each once, in the order of the text."""
        return tuple(dict.fromkeys(citation.canonical for citation in self.citations))


def read_frameworks(text: str, framework: str | None = None) -> Reading:
    """The framework and legal citations in `text`.

    `framework` is the document's own, which a place is of where the text names none: "GDPR",
    "ISO/IEC 27001:2022", "45 CFR". A list or a range gives one citation for each place that it
    stands for. Never raises for what a text holds; takes time linear in its length.
    """
    source = plain(text)
    tokens = tokenize(source)
    document = instrument_named(framework) if framework and framework.strip() else None
    binding = bind(tokens, scan(tokens, document), document)
    made: list[FrameworkCitation] = []
    for bound in _settled(binding.citations):
        start, end = _span(tokens, bound)
        start, end = source.span(start, end)
        made.append(
            FrameworkCitation(
                instrument=bound.instrument.canonical,
                locator=bound.locator,
                start=start,
                end=end,
                carried=bound.carried,
            )
        )
    made.sort(key=lambda citation: (citation.start, citation.end))
    notes: tuple[str, ...] = ()
    if binding.cut:
        some = "A range" if binding.cut == 1 else f"{binding.cut} ranges"
        notes = (
            f"{some} could not be counted through (from one chapter to another, or too long): "
            "only the two ends are given.",
        )
    return Reading(tuple(made), notes)


def instrument_named(name: str) -> Instrument:
    """The instrument that a person calls `name`; an unknown name is an instrument of its own."""
    # A lone surrogate, which JSON can hold, is no character and can stand in no name.
    name = name.encode("utf-8", "replace").decode("utf-8")
    tokens = tokenize(plain(name))
    if len(tokens):
        named = catalogue().find(tokens, 0)
        coded = numbered(tokens, 0)
        if coded is not None and (named is None or coded.end > named.end):
            found, end = coded.instruments[0], coded.end
        elif named is not None:
            found, end = named.instrument, named.end
        else:
            return Instrument(" ".join(name.split()), "other")
        if found.editions and not found.edition:
            edition = edition_at(found.editions, tokens, end)
            if edition is not None:
                found = replace(found, edition=edition[0])
        return replace(found, silent=False, official=False)
    return Instrument(" ".join(name.split()), "other")


def _span(tokens: Tokens, bound: Bound) -> tuple[int, int]:
    return tokens.starts[bound.start], tokens.ends[bound.end - 1]


def _settled(found: list[Bound]) -> list[Bound]:
    """Editions carried over the whole text, and names left out where a place says more."""
    editions: dict[str, set[str]] = {}
    for bound in found:
        if bound.instrument.edition:
            editions.setdefault(bound.instrument.name, set()).add(bound.instrument.edition)
    settled = []
    for bound in found:
        known = editions.get(bound.instrument.name, set())
        alone = len(known) == 1 and bound.instrument.editions in ("year", "nist", "csf", "cis")
        if not bound.instrument.edition and alone:
            edition = next(iter(known))
            bound = replace(bound, instrument=replace(bound.instrument, edition=edition))
        settled.append(bound)
    placed = {b.instrument.canonical for b in settled if b.locator}
    names = {b.instrument.name for b in settled if b.locator}
    health = any(b.locator and b.instrument.name == "45 CFR" for b in settled)
    kept = []
    for bound in settled:
        instrument = bound.instrument
        if not bound.locator:
            if instrument.canonical in placed:
                continue
            if not instrument.edition and (instrument.name in names or instrument.name in editions):
                continue
            if instrument.name == "HIPAA" and health:
                continue
        kept.append(bound)
    return kept
