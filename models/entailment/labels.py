"""Which output of a model means entailment: read from the model's own names, never assumed.

Checkpoints in use put the labels in at least four different orders, so a name that is not
recognised refuses the model until a person confirms a mapping.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.entailment.errors import LabelsUnclear

ENTAILMENT = "entailment"
CONTRADICTION = "contradiction"
NEUTRAL = "neutral"
MEANINGS = (ENTAILMENT, CONTRADICTION, NEUTRAL)

RECOGNISED = {
    "entailment": ENTAILMENT,
    "supported": ENTAILMENT,
    "contradiction": CONTRADICTION,
    "neutral": NEUTRAL,
    "unsupported": NEUTRAL,
    "not supported": NEUTRAL,
    "not entailment": NEUTRAL,
}
"""Names in lower case with spaces for "_" and "-", and what each means."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Indices into a model's outputs. `contradiction` is None for a model with two labels."""

    entailment: int
    contradiction: int | None
    neutral: int | None

    @property
    def count(self) -> int:
        """How many outputs the model has."""
        return sum(at is not None for at in (self.entailment, self.contradiction, self.neutral))

    def as_dict(self) -> dict[str, int | None]:
        """The mapping as a manifest holds it."""
        return {
            ENTAILMENT: self.entailment,
            CONTRADICTION: self.contradiction,
            NEUTRAL: self.neutral,
        }


def read(names: Sequence[str]) -> Labels:
    """The mapping that the model's own label names, in the order of its outputs, say.

    Raises `LabelsUnclear`.
    """
    meanings = [RECOGNISED.get(_plain(name)) for name in names]
    if None in meanings or meanings.count(ENTAILMENT) != 1:
        raise _unclear(names)
    return _mapping({name: at for at, name in enumerate(meanings) if name}, names)


def confirmed(mapping: Mapping[str, int | None], names: Sequence[str]) -> Labels:
    """The mapping that a person gave for outputs named `names`: meaning to index.

    A mapping that contradicts names which are clear in themselves is refused.
    Raises `LabelsUnclear`.
    """
    given = {meaning: at for meaning, at in mapping.items() if at is not None}
    if not set(given) <= set(MEANINGS):
        raise LabelsUnclear(
            f"A label can mean {', '.join(MEANINGS)} and nothing else.", tuple(names)
        )
    labels = _mapping(given, names)
    try:
        own = read(names)
    except LabelsUnclear:
        return labels
    if own != labels:
        raise LabelsUnclear(
            f"The labels that were given are not what the model's own names say "
            f"({', '.join(names)}). Nothing was taken in. Leave the labels out, and the model's "
            f"own names are used.",
            tuple(names),
        )
    return labels


def in_order(meanings: Sequence[str]) -> dict[str, int]:
    """A mapping from meanings in the order of the outputs, such as a person types them.

    "unsupported" and the like are taken for what they mean. Raises `LabelsUnclear`.
    """
    known = [RECOGNISED.get(_plain(meaning)) for meaning in meanings]
    mapping = {meaning: at for at, meaning in enumerate(known) if meaning}
    if len(mapping) != len(meanings):
        raise LabelsUnclear(
            f"The labels are given in the order of the model's outputs, each once, as "
            f"{', '.join(MEANINGS)} or supported, unsupported.",
            tuple(meanings),
        )
    return mapping


def _mapping(given: Mapping[str, int], names: Sequence[str]) -> Labels:
    """Check that every output has one meaning; a model with two outputs never contradicts."""
    if (
        len(names) not in (2, 3)
        or ENTAILMENT not in given
        or sorted(given.values()) != list(range(len(names)))
    ):
        raise _unclear(names)
    if len(names) == 2:
        return Labels(given[ENTAILMENT], None, 1 - given[ENTAILMENT])
    return Labels(given[ENTAILMENT], given[CONTRADICTION], given[NEUTRAL])


def _plain(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def _unclear(names: Sequence[str]) -> LabelsUnclear:
    shown = ", ".join(name if len(name) <= 40 else f"{name[:40]}…" for name in names[:8])
    return LabelsUnclear(
        f"The model's label names ({shown or 'none'}) do not say which of its outputs means "
        f"entailment. Nothing was taken in. If you know the order from the model's own page, "
        f"give it with the labels option.",
        tuple(names),
    )
