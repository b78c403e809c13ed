"""Gate 6: checks without a model that may only take *supported* away.

Each veto compares a claim with the passage that is said to support it and answers with the
reason against it, or None. They know nothing of verdicts: `core.claims.check` alone turns a
reason into *not verifiable*.
"""

from collections.abc import Callable

from core.claims.vetoes.addition import addition
from core.claims.vetoes.agents import agent
from core.claims.vetoes.causation import association_as_cause
from core.claims.vetoes.certainty import certainty
from core.claims.vetoes.choosers import chooser
from core.claims.vetoes.comparatives import comparatives, opposites
from core.claims.vetoes.conjuncts import conjunct
from core.claims.vetoes.contrast import contrast
from core.claims.vetoes.coordination import coordination
from core.claims.vetoes.done import told_as_done
from core.claims.vetoes.embedding import embedding
from core.claims.vetoes.ended import ended
from core.claims.vetoes.excepted import excepted
from core.claims.vetoes.joined import joined
from core.claims.vetoes.modality import modality
from core.claims.vetoes.names import names
from core.claims.vetoes.number_roles import number_roles
from core.claims.vetoes.numbers import numbers
from core.claims.vetoes.origin import others_work
from core.claims.vetoes.others import told_of_others
from core.claims.vetoes.permission import permission
from core.claims.vetoes.polarity import polarity
from core.claims.vetoes.population import population
from core.claims.vetoes.quantifiers import quantifiers
from core.claims.vetoes.rates import rate
from core.claims.vetoes.recipients import recipient
from core.claims.vetoes.roles import argument_order
from core.claims.vetoes.scope import scope
from core.claims.vetoes.shares import part_as_whole, share_of_a_share
from core.claims.vetoes.speakers import speaker
from core.claims.vetoes.statistics import statistic
from core.claims.vetoes.subgroup import restriction
from core.claims.vetoes.tense import past_as_present
from core.claims.vetoes.time import time
from core.claims.vetoes.wording import wording
from core.text.reading import Reading

Veto = Callable[[Reading, Reading], str | None]

VETOES: tuple[tuple[str, Veto], ...] = (
    ("numbers", numbers),
    ("number roles", number_roles),
    ("rate", rate),
    ("shares", share_of_a_share),
    ("part of a whole", part_as_whole),
    ("statistic", statistic),
    ("polarity", polarity),
    ("contrast", contrast),
    ("opposites", opposites),
    ("comparatives", comparatives),
    ("modality", modality),
    ("certainty", certainty),
    ("discretion", chooser),
    ("quantifiers", quantifiers),
    ("coordination", coordination),
    ("conjunct", conjunct),
    ("argument order", argument_order),
    ("joined", joined),
    ("agent", agent),
    ("recipient", recipient),
    ("names", names),
    ("population", population),
    ("restriction", restriction),
    ("exception", excepted),
    ("scope", scope),
    ("others", told_of_others),
    ("addition", addition),
    ("permission", permission),
    ("causation", association_as_cause),
    ("time", time),
    ("tense", past_as_present),
    ("done", told_as_done),
    ("ended", ended),
    ("prior work", others_work),
    ("speaker", speaker),
    ("embedding", embedding),
    ("wording", wording),
)
"""Every veto, in the order in which they are tried."""
