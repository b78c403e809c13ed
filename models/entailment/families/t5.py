"""T5 and Flan-T5 as sequence-to-sequence models whose first answered token is the verdict.

The head is a verbaliser: two tokens, and the softmax over their logits at the decoder's first step.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from ctranslate2.specs import attention_spec, transformer_spec

from models.entailment.errors import UnknownArchitecture
from models.entailment.families.base import Built, Config, Step, joined
from models.entailment.safetensors import Floats
from models.entailment.weights import Weights

UNSUPPORTED_TOKEN = "▁"
SUPPORTED_TOKEN = "▁1"
VERBALISER = (UNSUPPORTED_TOKEN, SUPPORTED_TOKEN)
"""First tokens of the answers "0" and "1", which MiniCheck-Flan-T5 and TRUE give."""

PROMPT = "predict: {premise}</s>{hypothesis}"
"""How MiniCheck-Flan-T5 is asked."""

MAX_TOKENS = 512
"""T5 has no last position; this is the length that it was trained at."""

FORWARD = {"relu": (False, "relu"), "gated-gelu": (True, "gelu_new"), "gated-relu": (True, "relu")}
"""`feed_forward_proj` to (gated, activation)."""


@dataclass(frozen=True, slots=True)
class SequenceToSequence:
    """T5; implements `models.entailment.families.base.Family`."""

    name: str = "t5"
    architecture: str = "T5ForConditionalGeneration"
    prefixes: tuple[str, ...] = ()
    # Copies of `shared.weight`, which some checkpoints carry along, and a bias that the reference
    # leaves out.
    ignored: tuple[str, ...] = (
        "encoder.embed_tokens.",
        "decoder.embed_tokens.",
        "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.",
    )

    def build(self, config: Config, weights: Weights, step: Step) -> Built:
        """The model of `config` with these weights. Raises `models.entailment.errors`."""
        config.demand("decoder_start_token_id", 0, 0)
        forward = config.text("feed_forward_proj", "relu")
        if forward not in FORWARD:
            raise UnknownArchitecture(
                f"The model uses the feed-forward layer {forward[:40]}, which cannot be run here. "
                f"Nothing was taken in."
            )
        gated, activation = FORWARD[forward]
        depth = config.size("num_layers")
        depths = (depth, config.size("num_decoder_layers", depth))
        heads = config.size("num_heads")
        width = config.size("d_model")
        rows = config.size("vocab_size")
        spec = transformer_spec.TransformerSpec.from_config(
            depths,
            heads,
            pre_norm=True,
            activation=Config({"act": activation}).activation("act", activation),
            ffn_glu=gated,
            relative_attention_bias=True,
            rms_norm=True,
        )
        spec.config.layer_norm_epsilon = config.epsilon("layer_norm_epsilon", 1e-6)
        words = weights.take("shared.weight", rows, width)
        spec.encoder.embeddings[0].weight = words
        spec.decoder.embeddings.weight = words
        done = 0
        for name, stack in (("encoder", spec.encoder), ("decoder", spec.decoder)):
            stack.scale_embeddings = False
            stack.layer_norm.gamma = weights.take(f"{name}.final_layer_norm.weight", width)
            bias = weights.take(
                f"{name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                config.size("relative_attention_num_buckets", 32),
                heads,
            )
            for at, layer in enumerate(stack.layer):
                step(done, sum(depths))
                _layer(config, weights, layer, f"{name}.block.{at}.layer.", gated)
                layer.self_attention.relative_attention_bias = bias
                layer.self_attention.relative_attention_max_distance = np.int32(
                    config.size("relative_attention_max_distance", 128)
                )
                done += 1
        step(done, sum(depths))
        if config.flag("tie_word_embeddings", True):
            spec.decoder.projection.weight = words
            spec.decoder.scale_outputs = np.float32(width**-0.5)
        else:
            spec.decoder.projection.weight = weights.take("lm_head.weight", rows, width)
        return Built(spec, "seq2seq", {}, None, rows, config.size("n_positions", MAX_TOKENS))

    def register_vocabulary(self, built: Built, tokens: list[str]) -> None:
        """Give the specification its tokens, one for each row of the embeddings."""
        built.spec.register_source_vocabulary(tokens)
        built.spec.register_target_vocabulary(tokens)
        built.spec.config.bos_token = tokens[0]
        built.spec.config.decoder_start_token = tokens[0]
        built.spec.config.eos_token = tokens[1]
        built.spec.config.unk_token = tokens[2]


def _layer(config: Config, weights: Weights, layer: Any, prefix: str, gated: bool) -> None:
    """Fill one layer; a decoder's has attention to the source between the other two parts."""
    width, inner = config.size("d_model"), config.size("d_ff")
    size = config.size("num_heads") * config.size("d_kv")
    _attention(weights, layer.self_attention, f"{prefix}0.", "SelfAttention", width, size)
    last = 1
    if hasattr(layer, "attention"):
        _attention(weights, layer.attention, f"{prefix}1.", "EncDecAttention", width, size)
        last = 2
    names = ("wi_0", "wi_1") if gated else ("wi",)
    specs = (layer.ffn.linear_0, layer.ffn.linear_0_noact) if gated else (layer.ffn.linear_0,)
    for name, spec in zip(names, specs, strict=True):
        spec.weight = weights.take(f"{prefix}{last}.DenseReluDense.{name}.weight", inner, width)
    layer.ffn.linear_1.weight = weights.take(
        f"{prefix}{last}.DenseReluDense.wo.weight", width, inner
    )
    layer.ffn.layer_norm.gamma = weights.take(f"{prefix}{last}.layer_norm.weight", width)


def _attention(
    weights: Weights,
    spec: attention_spec.MultiHeadAttentionSpec,
    prefix: str,
    name: str,
    width: int,
    size: int,
) -> None:
    # T5 does not scale its queries.
    spec.queries_scale = np.float32(1)
    parts: Mapping[str, Floats] = {
        which: weights.take(f"{prefix}{name}.{which}.weight", size, width) for which in "qkv"
    }
    if name == "SelfAttention":
        spec.linear[0].weight = joined([parts["q"], parts["k"], parts["v"]])
    else:
        spec.linear[0].weight = parts["q"]
        spec.linear[1].weight = joined([parts["k"], parts["v"]])
    spec.linear[-1].weight = weights.take(f"{prefix}{name}.o.weight", width, size)
    spec.layer_norm.gamma = weights.take(f"{prefix}layer_norm.weight", width)


T5 = SequenceToSequence()
