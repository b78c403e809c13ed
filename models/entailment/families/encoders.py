"""Encoders with a classification head over the first token: BERT, RoBERTa, XLM-RoBERTa, MPNet.

All are post-norm transformers. The hidden layer of the head (BERT's pooler, `classifier.dense` of
the others, with Tanh) runs in CTranslate2 as its pooler; the last linear map is applied with numpy.

MPNet adds a relative attention bias, which makes CTranslate2 skip absolute positions. Its position
table is therefore a second source embedding, and the position numbers are passed as token types.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from ctranslate2.specs import common_spec, transformer_spec
from numpy.typing import NDArray

from models.entailment.families.base import Built, Config, Step, joined, set_linear
from models.entailment.safetensors import Floats
from models.entailment.weights import Weights

SINGLE_LABEL = "single_label_classification"

MPNET_MAX_DISTANCE = 128
"""Distance from which on all relative positions share a bucket; the reference has it fixed."""


@dataclass(frozen=True, slots=True)
class LayerNames:
    """Names of a layer's linear maps and norms, after `encoder.layer.<i>.`."""

    query: str = "attention.self.query"
    key: str = "attention.self.key"
    value: str = "attention.self.value"
    attention_output: str = "attention.output.dense"
    attention_norm: str = "attention.output.LayerNorm"
    inner: str = "intermediate.dense"
    outer: str = "output.dense"
    output_norm: str = "output.LayerNorm"


@dataclass(frozen=True, slots=True)
class Encoder:
    """One family of encoders; implements `models.entailment.families.base.Family`.

    `hidden` and `output` name the head's two linear maps. `first_position` is the row of the
    position table that the first token gets. `relative` says that the layers share a relative
    attention bias, `token_types` that the two sequences of a pair differ in an embedding.
    """

    name: str
    architecture: str
    prefixes: tuple[str, ...]
    ignored: tuple[str, ...]
    hidden: str
    output: str
    first_position: int
    epsilon: float
    relative: bool = False
    token_types: bool = False
    layer: LayerNames = LayerNames()

    def build(self, config: Config, weights: Weights, step: Step) -> Built:
        """The model of `config` with these weights. Raises `models.entailment.errors`."""
        config.demand("position_embedding_type", "absolute", "absolute")
        config.demand("is_decoder", False, False)
        config.demand("add_cross_attention", False, False)
        # Several labels at once would be sigmoids, not one softmax.
        config.demand("problem_type", SINGLE_LABEL, SINGLE_LABEL)
        depth = config.size("num_hidden_layers")
        width = config.size("hidden_size")
        heads = config.size("num_attention_heads")
        rows = config.size("vocab_size")
        if width % heads:
            raise config.wrong("num_attention_heads")
        spec = transformer_spec.TransformerEncoderModelSpec(
            transformer_spec.TransformerEncoderSpec(
                depth,
                heads,
                pre_norm=False,
                activation=config.activation("hidden_act", "gelu"),
                layernorm_embedding=True,
                num_source_embeddings=2 if self.token_types or self.relative else 1,
                embeddings_merge=common_spec.EmbeddingsMerge.ADD,
                relative_attention_bias=self.relative,
            ),
            pooling_layer=True,
            pooling_activation=common_spec.Activation.Tanh,
        )
        spec.config.layer_norm_epsilon = config.epsilon("layer_norm_eps", self.epsilon)
        spec.encoder.scale_embeddings = False
        positions = self._embeddings(config, weights, spec.encoder, rows, width)
        self._layers(config, weights, spec.encoder, width, step)
        set_linear(spec.pooler_dense, *_linear(weights, self.hidden, width, width))
        outputs = weights.shape(f"{self.output}.weight")[0]
        weight, bias = _linear(weights, self.output, outputs, width)
        head: dict[str, NDArray[Any]] = {"weight": weight, "bias": bias}
        return Built(spec, "encoder", head, outputs, rows, positions)

    def register_vocabulary(self, built: Built, tokens: list[str]) -> None:
        """Give the specification its tokens, one for each row of the embeddings."""
        built.spec.register_vocabulary(tokens)

    def _embeddings(
        self,
        config: Config,
        weights: Weights,
        spec: transformer_spec.TransformerEncoderSpec,
        rows: int,
        width: int,
    ) -> int:
        """Fill the embeddings; returns how many positions there are."""
        table = config.size("max_position_embeddings")
        positions = weights.take("embeddings.position_embeddings.weight", table, width)
        positions = np.ascontiguousarray(positions[self.first_position :])
        if not len(positions):
            raise config.wrong("max_position_embeddings")
        spec.embeddings[0].weight = weights.take("embeddings.word_embeddings.weight", rows, width)
        if self.relative:
            spec.embeddings[1].weight = positions
        else:
            types = config.size("type_vocab_size", 2 if self.token_types else 1)
            kinds = weights.take("embeddings.token_type_embeddings.weight", types, width)
            if self.token_types:
                spec.embeddings[1].weight = kinds
            else:
                # Every token is of the first type: its vector can be part of the positions.
                positions = positions + kinds[0]
            spec.position_encodings.encodings = positions
        _norm(weights, spec.layernorm_embedding, "embeddings.LayerNorm", width)
        return len(positions)

    def _layers(
        self,
        config: Config,
        weights: Weights,
        spec: transformer_spec.TransformerEncoderSpec,
        width: int,
        step: Step,
    ) -> None:
        inner = config.size("intermediate_size")
        names = self.layer
        bias = None
        if self.relative:
            buckets = config.size("relative_attention_num_buckets", 32)
            heads = config.size("num_attention_heads")
            bias = weights.take("encoder.relative_attention_bias.weight", buckets, heads)
        for at, layer in enumerate(spec.layer):
            step(at, len(spec.layer))
            at_layer = f"encoder.layer.{at}."
            parts = [
                _linear(weights, at_layer + name, width, width)
                for name in (names.query, names.key, names.value)
            ]
            attention = layer.self_attention
            set_linear(
                attention.linear[0], *(joined(list(side)) for side in zip(*parts, strict=True))
            )
            set_linear(
                attention.linear[1],
                *_linear(weights, at_layer + names.attention_output, width, width),
            )
            _norm(weights, attention.layer_norm, at_layer + names.attention_norm, width)
            if bias is not None:
                attention.relative_attention_bias = bias
                attention.relative_attention_max_distance = np.int32(MPNET_MAX_DISTANCE)
            set_linear(layer.ffn.linear_0, *_linear(weights, at_layer + names.inner, inner, width))
            set_linear(layer.ffn.linear_1, *_linear(weights, at_layer + names.outer, width, inner))
            _norm(weights, layer.ffn.layer_norm, at_layer + names.output_norm, width)
        step(len(spec.layer), len(spec.layer))


def _linear(weights: Weights, name: str, outputs: int, inputs: int) -> tuple[Floats, Floats]:
    return (
        weights.take(f"{name}.weight", outputs, inputs),
        weights.take(f"{name}.bias", outputs),
    )


def _norm(weights: Weights, spec: common_spec.LayerNormSpec, name: str, width: int) -> None:
    spec.gamma = weights.take(f"{name}.weight", width)
    spec.beta = weights.take(f"{name}.bias", width)


UNUSED = ("embeddings.position_ids", "embeddings.token_type_ids", "lm_head.", "cls.")

BERT = Encoder(
    name="bert",
    architecture="BertForSequenceClassification",
    prefixes=("bert.",),
    ignored=UNUSED,
    hidden="pooler.dense",
    output="classifier",
    first_position=0,
    epsilon=1e-12,
    token_types=True,
)
ROBERTA = Encoder(
    name="roberta",
    architecture="RobertaForSequenceClassification",
    prefixes=("roberta.",),
    ignored=(*UNUSED, "pooler."),
    hidden="classifier.dense",
    output="classifier.out_proj",
    # Positions are counted from the padding token's id + 1.
    first_position=2,
    epsilon=1e-12,
)
XLM_ROBERTA = Encoder(
    name="xlm_roberta",
    architecture="XLMRobertaForSequenceClassification",
    prefixes=("roberta.",),
    ignored=(*UNUSED, "pooler."),
    hidden="classifier.dense",
    output="classifier.out_proj",
    first_position=2,
    epsilon=1e-12,
)
MPNET = Encoder(
    name="mpnet",
    architecture="MPNetForSequenceClassification",
    prefixes=("mpnet.",),
    ignored=(*UNUSED, "pooler."),
    hidden="classifier.dense",
    output="classifier.out_proj",
    first_position=2,
    epsilon=1e-12,
    relative=True,
    layer=LayerNames(
        query="attention.attn.q",
        key="attention.attn.k",
        value="attention.attn.v",
        attention_output="attention.attn.o",
        attention_norm="attention.LayerNorm",
    ),
)
