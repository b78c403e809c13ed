"""Makes the tokenizer of a checkpoint from whichever of its files are there.

The result is saved as the installed model's `tokenizer.json`, in one form for all families.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

from models.entailment import sentencepiece
from models.entailment.errors import TokenizerUnusable
from models.entailment.weights import read_json

FILE = "tokenizer.json"
CONFIG = "tokenizer_config.json"
SENTENCEPIECE = ("sentencepiece.bpe.model", "spiece.model", "tokenizer.model")

SPECIAL = {
    "bert": ("[CLS]", "[SEP]", "[UNK]"),
    "roberta": ("<s>", "</s>", "<unk>"),
    "xlm_roberta": ("<s>", "</s>", "<unk>"),
    "mpnet": ("<s>", "</s>", "[UNK]"),
    "t5": ("", "</s>", "<unk>"),
}
"""Family to its (first, separator, unknown) token."""

OTHERS = {
    "bert": ("[PAD]", "[MASK]"),
    "roberta": ("<pad>", "<mask>"),
    "xlm_roberta": ("<pad>", "<mask>"),
    "mpnet": ("<pad>", "<mask>"),
    "t5": ("<pad>",),
}
MASK = ("<mask>",)
"""These take the space before them, which the byte-level families keep apart from "[MASK]"."""


def load(folder: Path, family: str) -> Tokenizer:
    """The tokenizer of the checkpoint in `folder`, without truncation and padding.

    Raises `TokenizerUnusable` if there is none, or if it does not join a pair as `family` does.
    """
    try:
        made = _load(folder, family)
    except TokenizerUnusable:
        raise
    except Exception as error:  # the package raises plain Exception
        raise TokenizerUnusable(
            f"The tokenizer's files in {folder.name} cannot be read. Nothing was taken in. Get "
            f"them again."
        ) from error
    made.no_truncation()
    made.no_padding()
    _check_form(made, family)
    return made


def settings(folder: Path) -> dict[str, Any]:
    """What tokenizer_config.json says; empty where there is none."""
    return read_json(folder / CONFIG) if (folder / CONFIG).is_file() else {}


def tokens(made: Tokenizer, rows: int) -> list[str]:
    """A token for each of the `rows` of the embeddings, all different.

    Raises `TokenizerUnusable` if the tokenizer knows more tokens than there are rows.
    """
    by_id = {at: token for token, at in made.get_vocab(with_added_tokens=True).items()}
    if by_id and max(by_id) >= rows:
        raise TokenizerUnusable(
            f"The tokenizer has tokens up to number {max(by_id)}, and the weights only know "
            f"{rows}. Nothing was taken in: they do not belong together."
        )
    return [by_id.get(at, f"<unused_row_{at}>") for at in range(rows)]


def _load(folder: Path, family: str) -> Tokenizer:
    if (folder / FILE).is_file():
        made = Tokenizer.from_file(str(folder / FILE))
        if made.post_processor is None:
            _join(made, family)
        return made
    if family in ("bert", "mpnet") and (folder / "vocab.txt").is_file():
        made = _word_pieces(folder, family)
    elif family == "roberta" and (folder / "merges.txt").is_file():
        made = _byte_pairs(folder)
    elif family in ("xlm_roberta", "t5"):
        path = next((folder / n for n in SENTENCEPIECE if (folder / n).is_file()), None)
        if path is None:
            raise _missing(folder)
        made = _sentence_pieces(path, family)
    else:
        raise _missing(folder)
    specials = [t for t in (*SPECIAL[family], *OTHERS[family]) if made.token_to_id(t) is not None]
    made.add_special_tokens(
        [AddedToken(token, special=True, lstrip=token in MASK) for token in specials]
    )
    _join(made, family)
    return made


def _word_pieces(folder: Path, family: str) -> Tokenizer:
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    vocabulary = {token: at for at, token in enumerate(lines)}
    says = settings(folder)
    made = Tokenizer(
        models.WordPiece(vocabulary, unk_token=SPECIAL[family][2], max_input_chars_per_word=100)
    )
    made.normalizer = normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=says.get("tokenize_chinese_chars", True),
        strip_accents=says.get("strip_accents"),
        lowercase=says.get("do_lower_case", True),
    )
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece("##")
    return made


def _byte_pairs(folder: Path) -> Tokenizer:
    if not (folder / "vocab.json").is_file():
        raise _missing(folder)
    prefix = bool(settings(folder).get("add_prefix_space", False))
    made = Tokenizer(models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt")))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    made.decoder = decoders.ByteLevel()
    return made


def _sentence_pieces(path: Path, family: str) -> Tokenizer:
    pieces = sentencepiece.read(path)
    vocabulary, unknown = pieces.vocabulary, pieces.unknown
    if family == "xlm_roberta":
        # The checkpoints number their special tokens first, in fairseq's order; the model's own
        # three (unknown, first, last) drop out.
        specials = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
        vocabulary, unknown = [*specials, *vocabulary[3:], ("<mask>", 0.0)], 3
    return sentencepiece.tokenizer(vocabulary, unknown, pieces.characters)


def _join(made: Tokenizer, family: str) -> None:
    """Let the tokenizer join a pair as the family's checkpoints were trained."""
    first, separator, _ = SPECIAL[family]
    ends = [(token, made.token_to_id(token)) for token in (first, separator) if token]
    if any(at is None for _, at in ends):
        raise TokenizerUnusable(
            "The tokenizer lacks the tokens that join premise and hypothesis. Nothing was taken in."
        )
    made.post_processor = processors.TemplateProcessing(
        single=_form(family, ["$A"]),
        pair=_form(family, ["$A", "$B:1" if family == "bert" else "$B"]),
        special_tokens=ends,
    )


def _form(family: str, parts: Sequence[str]) -> list[str]:
    first, separator, _ = SPECIAL[family]
    if family == "t5":
        return [token for part in parts for token in (part, separator)]
    if len(parts) == 1:
        return [first, parts[0], separator]
    if family == "bert":
        return [first, parts[0], separator, parts[1], f"{separator}:1"]
    return [first, parts[0], separator, separator, parts[1], separator]


def _check_form(made: Tokenizer, family: str) -> None:
    """Compare how the tokenizer joins a pair with how the family does.

    Raises `TokenizerUnusable`.
    """
    texts = {"$A": "a b", "$B": "c"}
    alone = {part: made.encode(t, add_special_tokens=False).ids for part, t in texts.items()}
    wanted: list[int | None] = []
    kinds: list[int] = []
    for part in _form(family, ["$A", "$B"]):
        kind = 1 if family == "bert" and (part == "$B" or part.endswith(":1")) else 0
        token = part.removesuffix(":1")
        piece = alone[token] if token in alone else [made.token_to_id(token)]
        wanted += piece
        kinds += [kind] * len(piece)
    found = made.encode(texts["$A"], texts["$B"])
    # Only BERT reads the kinds; what the others' tokenizers say of them has no effect.
    if found.ids != wanted or (family == "bert" and found.type_ids != kinds):
        raise TokenizerUnusable(
            "The tokenizer does not join premise and hypothesis as this architecture does. "
            "Nothing was taken in, since its scores would be wrong."
        )


def _missing(folder: Path) -> TokenizerUnusable:
    return TokenizerUnusable(
        f"The folder {folder.name} holds no tokenizer that this architecture can use: a "
        f"tokenizer.json, a vocabulary, or a SentencePiece model. Nothing was taken in."
    )
