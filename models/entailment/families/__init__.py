"""The architectures that can be imported: where each keeps its tensors and how it joins a pair.

`FAMILIES` maps the `model_type` of a config.json to its family.
"""

from models.entailment.families.base import Built, Family
from models.entailment.families.encoders import BERT, MPNET, ROBERTA, XLM_ROBERTA
from models.entailment.families.t5 import T5

FAMILIES: dict[str, Family] = {
    "bert": BERT,
    "roberta": ROBERTA,
    "xlm-roberta": XLM_ROBERTA,
    "mpnet": MPNET,
    "t5": T5,
}

__all__ = ["FAMILIES", "Built", "Family"]
