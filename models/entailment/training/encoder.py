"""MPNet with low-rank adapters and a three-way entailment head, in plain torch.

Written for training on few CPU cores: frozen weights are held in bfloat16 (no cast at each step),
the adapters, the head and the residual stream stay in float32, query, key and value are one
product. The tensors' names are those of the base's file and of the importer that folds the
adapter into the base.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor, nn

from models.entailment.training.pairs import LABELS, PAD

LAYERS, HEADS, WIDTH, INNER = 12, 12, 768, 3072
BUCKETS, MAX_DISTANCE = 32, 128
FIRST_POSITION = 2  # MPNet counts positions from padding_idx + 1.
EPSILON = 1e-5


@dataclass(frozen=True)
class AdapterShape:
    """Rank and scale of the low-rank adapters; the update of a matrix is alpha / rank * B @ A."""

    rank: int = 32
    alpha: float = 64.0

    @property
    def scale(self) -> float:
        """The factor on B @ A."""
        return self.alpha / self.rank


class AdaptedLinear(nn.Module):
    """A frozen linear map with one low-rank adapter for each of its named blocks of outputs."""

    def __init__(self, weights: list[Tensor], biases: list[Tensor], shape: AdapterShape) -> None:
        super().__init__()
        for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            self.register_buffer(f"weight{i}", weight.bfloat16())
            self.register_buffer(f"bias{i}", bias.bfloat16())
        self.scale = shape.scale
        inputs = weights[0].shape[1]
        self.down = nn.ParameterList()
        self.up = nn.ParameterList()
        for weight in weights:
            down = torch.empty(shape.rank, inputs)
            nn.init.kaiming_uniform_(down, a=math.sqrt(5))
            self.down.append(nn.Parameter(down))
            self.up.append(nn.Parameter(torch.zeros(weight.shape[0], shape.rank)))

    def forward(self, x: Tensor) -> list[Tensor]:
        """Map x [rows, inputs] in bfloat16 to one [rows, outputs] in bfloat16 for each block."""
        low = F.linear(x, torch.cat(list(self.down)).bfloat16())
        parts = low.split(self.down[0].shape[0], dim=1)
        return [
            torch.addmm(
                F.linear(x, getattr(self, f"weight{i}"), getattr(self, f"bias{i}")),
                parts[i],
                (up * self.scale).bfloat16().T,
            )
            for i, up in enumerate(self.up)
        ]


class Layer(nn.Module):
    """One post-norm transformer layer."""

    def __init__(
        self, base: dict[str, Tensor], prefix: str, shape: AdapterShape, dropout: float
    ) -> None:
        super().__init__()

        def adapted(*names: str) -> AdaptedLinear:
            return AdaptedLinear(
                [base[f"{prefix}.{name}.weight"] for name in names],
                [base[f"{prefix}.{name}.bias"] for name in names],
                shape,
            )

        self.qkv = adapted("attention.attn.q", "attention.attn.k", "attention.attn.v")
        self.out = adapted("attention.attn.o")
        self.dropout = dropout
        self.inner = adapted("intermediate.dense")
        self.outer = adapted("output.dense")
        for mine, theirs in (("norm1", "attention.LayerNorm"), ("norm2", "output.LayerNorm")):
            self.register_buffer(f"{mine}_weight", base[f"{prefix}.{theirs}.weight"].clone())
            self.register_buffer(f"{mine}_bias", base[f"{prefix}.{theirs}.bias"].clone())

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Map hidden [batch * length, width] with a mask [batch, heads, length, length]."""
        batch, _, length, _ = mask.shape

        def by_head(x: Tensor) -> Tensor:
            return x.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        q, k, v = (by_head(x) for x in self.qkv(hidden.bfloat16()))
        # Written out: the fused kernel's backward pass is slower than the rest of the layer here.
        scores = (q * (WIDTH // HEADS) ** -0.5) @ k.transpose(2, 3) + mask
        mixed = (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(-1, WIDTH)
        hidden = F.layer_norm(
            hidden + self._dropped(self.out(mixed)[0]),
            (WIDTH,),
            self.norm1_weight,
            self.norm1_bias,
            EPSILON,
        )
        inner = F.gelu(self.inner(hidden.bfloat16())[0])
        return F.layer_norm(
            hidden + self._dropped(self.outer(inner)[0]),
            (WIDTH,),
            self.norm2_weight,
            self.norm2_bias,
            EPSILON,
        )

    def _dropped(self, branch: Tensor) -> Tensor:
        return F.dropout(branch, self.dropout, self.training and torch.is_grad_enabled())


def relative_buckets(length: int) -> Tensor:
    """Return the bucket of each pair of positions, [length, length], as T5 and MPNet count it."""
    distance = torch.arange(length)[:, None] - torch.arange(length)[None, :]
    half = BUCKETS // 2
    bucket = (distance < 0).long() * half
    distance = distance.abs()
    exact = half // 2
    far = exact + (
        torch.log(distance.clamp(min=1).float() / exact)
        / math.log(MAX_DISTANCE / exact)
        * (half - exact)
    ).long().clamp(max=half - exact - 1)
    return bucket + torch.where(distance < exact, distance, far)


class EntailmentEncoder(nn.Module):
    """The base, its adapters and the head: token ids to logits in the order of `LABELS`."""

    def __init__(
        self, base_weights: Path, shape: AdapterShape, kept: int = 0, dropout: float = 0.0
    ) -> None:
        """Read the base; the adapters of the first `kept` layers get no gradient.

        `dropout` (0 to 1) is the share of each residual branch's values set to 0 while a layer
        learns; the layers that are kept, and every layer out of training, drop nothing.
        """
        super().__init__()
        self.kept = kept
        base = load_file(base_weights)
        self.shape = shape
        self.register_buffer("words", base["embeddings.word_embeddings.weight"])
        self.register_buffer("positions", base["embeddings.position_embeddings.weight"])
        self.register_buffer("norm_weight", base["embeddings.LayerNorm.weight"])
        self.register_buffer("norm_bias", base["embeddings.LayerNorm.bias"])
        self.register_buffer("relative", base["encoder.relative_attention_bias.weight"])
        self.layers = nn.ModuleList(
            Layer(base, f"encoder.layer.{i}", shape, dropout) for i in range(LAYERS)
        )
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.out_proj = nn.Linear(WIDTH, len(LABELS))
        nn.init.normal_(self.dense.weight, std=0.02)
        nn.init.normal_(self.out_proj.weight, std=0.02)
        nn.init.zeros_(self.dense.bias)
        nn.init.zeros_(self.out_proj.bias)

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits [batch, 3] for ids [batch, length], padded on the right with `PAD`."""
        batch, length = ids.shape
        hidden = F.embedding(ids, self.words)
        hidden = hidden + self.positions[FIRST_POSITION : FIRST_POSITION + length]
        hidden = F.layer_norm(hidden, (WIDTH,), self.norm_weight, self.norm_bias, EPSILON)
        bias = self.relative[relative_buckets(length)].permute(2, 0, 1)[None]
        padding = (ids == PAD)[:, None, None, :]
        mask = bias.masked_fill(padding, -1e4).bfloat16()
        hidden = hidden.view(batch * length, WIDTH)
        for i, layer in enumerate(self.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and i >= self.kept):
                hidden = layer(hidden, mask)
        return self.out_proj(torch.tanh(self.dense(hidden.view(batch, length, WIDTH)[:, 0])))

    def trained(self) -> dict[str, nn.Parameter]:
        """Return every trained tensor under the name it has in an adapter file."""
        blocks = {
            "qkv": ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
            "out": ("attention.attn.o",),
            "inner": ("intermediate.dense",),
            "outer": ("output.dense",),
        }
        named: dict[str, nn.Parameter] = {}
        for i, layer in enumerate(self.layers):
            for attribute, names in blocks.items():
                linear = getattr(layer, attribute)
                for name, down, up in zip(names, linear.down, linear.up, strict=True):
                    named[f"encoder.layer.{i}.{name}.lora_A.weight"] = down
                    named[f"encoder.layer.{i}.{name}.lora_B.weight"] = up
        for name in ("dense", "out_proj"):
            linear = getattr(self, name)
            named[f"classifier.{name}.weight"] = linear.weight
            named[f"classifier.{name}.bias"] = linear.bias
        return named

    def load_trained(self, tensors: dict[str, Tensor]) -> None:
        """Copy `tensors` into the trained tensors; the names must be the same on both sides."""
        mine = self.trained()
        if mine.keys() != tensors.keys():
            raise ValueError(f"tensors differ: {sorted(mine.keys() ^ tensors.keys())[:4]}")
        with torch.no_grad():
            for name, parameter in mine.items():
                parameter.copy_(tensors[name])
