"""Turns a SentencePiece unigram model into a tokenizer of the `tokenizers` package.

The file is a protocol buffer; only the few fields that a unigram model needs are read
(https://github.com/google/sentencepiece, sentencepiece_model.proto): ModelProto has pieces = 1,
trainer_spec = 2 and normalizer_spec = 3; a piece has its text = 1, score = 2 and type = 3.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from models.entailment.errors import TokenizerUnusable

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED = 1, 2, 3, 4, 5
UNIGRAM = 1
SPACE = "▁"

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True, slots=True)
class Pieces:
    """A unigram model: (piece, score) in the order of its ids, and its normalisation."""

    vocabulary: list[tuple[str, float]]
    unknown: int
    characters: bytes
    """Precompiled map of characters; empty for none."""


def read(path: Path) -> Pieces:
    """The model in the file. Raises `TokenizerUnusable` unless it is a plain unigram model."""
    try:
        return _read(path.read_bytes())
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise TokenizerUnusable(
            f"{path.name} is not a SentencePiece unigram model that can be used here, or it is "
            f"damaged. Nothing was taken in. Get the model's tokenizer.json if there is one."
        ) from error


def tokenizer(vocabulary: list[tuple[str, float]], unknown: int, characters: bytes) -> Tokenizer:
    """A tokenizer over `vocabulary`, which normalises and splits as SentencePiece does."""
    made = Tokenizer(models.Unigram(vocabulary, unknown))
    steps: list[normalizers.Normalizer] = []
    if characters:
        steps.append(normalizers.Precompiled(characters))
    steps += [
        normalizers.Strip(left=False, right=True),
        normalizers.Replace(Regex(" {2,}"), SPACE),
    ]
    made.normalizer = normalizers.Sequence(steps)
    made.pre_tokenizer = pre_tokenizers.Metaspace(SPACE, prepend_scheme="always")
    made.decoder = decoders.Metaspace(SPACE, prepend_scheme="always")
    return made


def _read(data: bytes) -> Pieces:
    vocabulary: list[tuple[str, float]] = []
    unknown: list[int] = []
    characters = b""
    for number, value in _fields(data):
        if number == 1:
            piece, score, kind = _piece(_bytes(value))
            if kind not in (NORMAL, UNKNOWN, CONTROL, UNUSED):
                raise ValueError("pieces of a kind that a unigram model does not have")
            if kind == UNKNOWN:
                unknown.append(len(vocabulary))
            vocabulary.append((piece, score))
        elif number == 2:
            for inner, setting in _fields(_bytes(value)):
                # model_type = 3, byte_fallback = 35, treat_whitespace_as_suffix = 24
                if (inner == 3 and setting != UNIGRAM) or (inner in (24, 35) and setting):
                    raise ValueError("not a plain unigram model")
        elif number == 3:
            for inner, setting in _fields(_bytes(value)):
                if inner == 2:
                    characters = _bytes(setting)
                # add_dummy_prefix = 3, remove_extra_whitespaces = 4, escape_whitespaces = 5
                elif inner in (3, 4, 5) and not setting:
                    raise ValueError("spaces are treated in another way")
    if len(unknown) != 1:
        raise ValueError("no unknown piece")
    return Pieces(vocabulary, unknown[0], characters)


def _piece(data: bytes) -> tuple[str, float, int]:
    text, score, kind = "", 0.0, NORMAL
    for number, value in _fields(data):
        if number == 1:
            text = _bytes(value).decode("utf-8")
        elif number == 2:
            (score,) = struct.unpack("<f", _bytes(value))
        elif number == 3 and isinstance(value, int):
            kind = value
    return text, score, kind


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The (number, value) of each field of a message. Raises `ValueError` and `IndexError`."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if kind == LENGTH:
            size, at = _varint(data, at)
        elif kind in (FIXED32, FIXED64):
            size = 4 if kind == FIXED32 else 8
        else:
            raise ValueError("an unknown kind of field")
        if at + size > len(data):
            raise ValueError("cut short")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number too long")


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError("not bytes")
    return value
