"""Record what the reference implementation answers, for the parity tests of the importer.

    python packaging/record_reference_logits.py tests/models/entailment/fixtures

Writes for each architecture a tiny random checkpoint, in the form that the reference itself saves,
and `reference.json`: for each pair the token ids, the token types and the logits, computed in
float32 and one pair at a time. It needs packages that the program does not: torch, transformers,
tokenizers, safetensors, sentencepiece, protobuf. The versions that were used are in every
`reference.json`. The weights come from a fixed seed; the order of a vocabulary, and with it the
ids, may differ from run to run, so that weights and answers are always written together.
"""

import argparse
import importlib.metadata
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import sentencepiece
import torch
import transformers
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

SEED = 20261130
WIDTH, HEADS, INNER, LAYERS = 32, 4, 48, 2
VOCABULARY = 180
PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "sentencepiece", "numpy")

NLI_ORDERS = {
    "bert": ("contradiction", "entailment", "neutral"),
    "roberta": ("CONTRADICTION", "NEUTRAL", "ENTAILMENT"),
    "xlm_roberta": ("entailment", "neutral", "contradiction"),
    "mpnet": ("contradiction", "neutral", "entailment"),
    "bert_two_labels": ("unsupported", "supported"),
}

LONG = (
    "The trial enrolled 412 adults in twelve clinics and followed them for two years; blood "
    "pressure was measured at every visit, first sitting and then standing, by staff who did not "
    "know the arm. Of the 412 adults, 207 were given the drug and 205 the placebo. After one year "
    "the mean had fallen by 11 mm in the first arm and by 4 mm in the second."
)

PAIRS = (
    ("A man is playing a guitar on the stage.", "A man plays music."),
    ("The drug lowered blood pressure in 207 of 412 adults.", "The drug raised blood pressure."),
    ("Suppliers must report an incident within 72 hours.", "Suppliers may report it later."),
    ("A", "B"),
    ("Café naïve façade – “quoted”, it’s 1.5 % (p < 0.05).", "It's NAIVE; cafe costs 1,500 €."),
    ("  Spaces   at both ends and   inside.  ", " Two  spaces "),
    ("ＦＵＬＬ width ﬁgures ２０２６ and ligatures", "full width figures 2026"),
    ("東京で研究が行われた。", "研究は東京で行われた。"),
    ("Emoji 🙂 and an unseen letter Ʞ.", "Unseen ЖЖЖ."),
    ("line one\nline two\tand a tab", "line two"),
    (LONG, "After one year, pressure had fallen further with the drug than with the placebo."),
    (LONG + " " + LONG[:80], "The trial enrolled 412 adults."),
)


def corpus() -> list[str]:
    """The texts that the tokenizers learn their pieces from; not every character of the pairs."""
    return [text for pair in PAIRS[:6] + PAIRS[10:] for text in pair] + ["0 1 0 1", "predict:"]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the fixtures go")
    folder = parser.parse_args().folder
    torch.set_num_threads(1)
    for name, record in RECORDERS.items():
        torch.manual_seed(SEED)
        (folder / name).mkdir(parents=True, exist_ok=True)
        record(folder / name)
        print(name, sum(f.stat().st_size for f in (folder / name).rglob("*") if f.is_file()))
    return 0


def common(name: str) -> dict[str, object]:
    """Settings that every encoder's config shares."""
    labels = dict(enumerate(NLI_ORDERS[name]))
    return {
        "hidden_size": WIDTH,
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "intermediate_size": INNER,
        "id2label": labels,
        "label2id": {label: at for at, label in labels.items()},
    }


def word_pieces(place: Path, specials: Sequence[str], unknown: str) -> Path:
    """A WordPiece vocabulary, as vocab.txt."""
    made = Tokenizer(models.WordPiece(unk_token=unknown))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=list(specials))
    made.train_from_iterator(corpus(), trainer)
    by_id = sorted((at, token) for token, at in made.get_vocab().items())
    (place / "vocab.txt").write_text("".join(f"{t}\n" for _, t in by_id), encoding="utf-8")
    return place / "vocab.txt"


def sentence_pieces(place: Path, name: str, **settings: object) -> Path:
    """A SentencePiece unigram model with a small map of characters of its own."""
    rules = place / "rules.tsv"
    mapped = {"ﬁ": "fi", "２": "2", "０": "0", "６": "6", "Ｆ": "F", "\n": " ", "\t": " "}
    rules.write_text(
        "".join(
            f"{' '.join(f'{ord(c):X}' for c in a)}\t{' '.join(f'{ord(c):X}' for c in b)}\n"
            for a, b in mapped.items()
        ),
        encoding="utf-8",
    )
    (place / "corpus.txt").write_text("\n".join(corpus()), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(place / "corpus.txt"),
        model_prefix=str(place / "made"),
        model_type="unigram",
        vocab_size=VOCABULARY,
        hard_vocab_limit=False,
        normalization_rule_tsv=str(rules),
        minloglevel=2,
        **settings,
    )
    return (place / "made.model").rename(place / name)


def randomise(model: torch.nn.Module) -> None:
    """Give every parameter values that make the outputs differ from pair to pair."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            values = torch.randn_like(parameter)
            norm = "norm" in name.lower() and name.endswith("weight")
            parameter.copy_(1 + 0.1 * values if norm else 0.2 * values)


def save(
    folder: Path,
    model: transformers.PreTrainedModel,
    tokenizer: transformers.PreTrainedTokenizerBase,
    dtype: torch.dtype,
    shard: str = "5GB",
) -> transformers.PreTrainedModel:
    """Save the checkpoint with weights of `dtype`; returns the model with the values saved."""
    randomise(model)
    model = model.to(dtype)
    model.save_pretrained(folder, safe_serialization=True, max_shard_size=shard)
    tokenizer.save_pretrained(folder)
    return model.float().eval()


def record(
    folder: Path,
    tokenizer: transformers.PreTrainedTokenizerBase,
    logits: Callable[[dict[str, torch.Tensor]], torch.Tensor],
    encode: Callable[[str, str], dict[str, torch.Tensor]] | None = None,
) -> None:
    """Write reference.json."""
    cases = []
    for premise, hypothesis in PAIRS:
        inputs = (
            encode(premise, hypothesis)
            if encode
            else tokenizer(premise, hypothesis, return_tensors="pt", truncation=False)
        )
        with torch.no_grad():
            answer = logits(inputs)
        types = inputs.get("token_type_ids")
        cases.append(
            {
                "premise": premise,
                "hypothesis": hypothesis,
                "ids": inputs["input_ids"][0].tolist(),
                "types": None if types is None else types[0].tolist(),
                "logits": answer.tolist(),
            }
        )
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    data = {"versions": versions, "seed": SEED, "cases": cases}
    text = json.dumps(data, indent=1, ensure_ascii=False)
    (folder / "reference.json").write_text(text + "\n", encoding="utf-8")


def bert(folder: Path) -> None:
    """BERT in float32, three labels."""
    _bert(folder, "bert")


def bert_two_labels(folder: Path) -> None:
    """BERT in float32, two labels."""
    _bert(folder, "bert_two_labels")


def _bert(folder: Path, name: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        specials = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
        vocabulary = word_pieces(Path(place), specials, "[UNK]")
        tokenizer = transformers.BertTokenizerFast(str(vocabulary), model_max_length=256)
        config = transformers.BertConfig(
            vocab_size=len(tokenizer), max_position_embeddings=256, **common(name)
        )
        model = transformers.BertForSequenceClassification(config)
        model = save(folder, model, tokenizer, torch.float32)
        record(folder, tokenizer, lambda inputs: model(**inputs).logits[0])


def roberta(folder: Path) -> None:
    """RoBERTa in float16."""
    with tempfile.TemporaryDirectory() as place:
        specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=specials)
        made.train_from_iterator(corpus(), trainer)
        made.model.save(place)
        tokenizer = transformers.RobertaTokenizerFast(
            f"{place}/vocab.json", f"{place}/merges.txt", model_max_length=256
        )
        config = transformers.RobertaConfig(
            vocab_size=len(tokenizer),
            max_position_embeddings=258,
            type_vocab_size=1,
            layer_norm_eps=1e-5,
            **common("roberta"),
        )
        model = transformers.RobertaForSequenceClassification(config)
        model = save(folder, model, tokenizer, torch.float16)
        record(folder, tokenizer, lambda inputs: model(**inputs).logits[0])


def xlm_roberta(folder: Path) -> None:
    """XLM-RoBERTa in bfloat16, in several files."""
    with tempfile.TemporaryDirectory() as place:
        file = sentence_pieces(Path(place), "sentencepiece.bpe.model")
        tokenizer = transformers.XLMRobertaTokenizerFast(str(file), model_max_length=256)
        config = transformers.XLMRobertaConfig(
            vocab_size=len(tokenizer),
            max_position_embeddings=258,
            type_vocab_size=1,
            layer_norm_eps=1e-5,
            **common("xlm_roberta"),
        )
        model = transformers.XLMRobertaForSequenceClassification(config)
        model = save(folder, model, tokenizer, torch.bfloat16, shard="40KB")
        (folder / "sentencepiece.bpe.model").write_bytes(file.read_bytes())
        record(folder, tokenizer, lambda inputs: model(**inputs).logits[0])


def mpnet(folder: Path) -> None:
    """MPNet with a head, and the same encoder with another head and a low-rank adapter.

    The base and the adapter are in the folders `base` and `adapter`, in the form that the training
    recipe writes; `base/reference.json` holds the logits of the two together.
    """
    with tempfile.TemporaryDirectory() as place:
        specials = ("<s>", "<pad>", "</s>", "<unk>", "[UNK]", "<mask>")
        vocabulary = word_pieces(Path(place), specials, "[UNK]")
        tokenizer = transformers.MPNetTokenizerFast(str(vocabulary), model_max_length=256)
        config = transformers.MPNetConfig(
            vocab_size=len(tokenizer),
            max_position_embeddings=258,
            layer_norm_eps=1e-5,
            **common("mpnet"),
        )
        model = transformers.MPNetForSequenceClassification(config)
        model = save(folder, model, tokenizer, torch.float32)

        def logits(inputs: dict[str, torch.Tensor]) -> torch.Tensor:
            ids, mask = inputs["input_ids"], inputs["attention_mask"]
            return model(input_ids=ids, attention_mask=mask).logits[0]

        record(folder, tokenizer, logits)
        base = folder / "base"
        model.mpnet.save_pretrained(base)
        tokenizer.save_pretrained(base)
        adapt(model, base / "model.safetensors", folder / "adapter")
        record(base, tokenizer, logits)


def adapt(model: transformers.PreTrainedModel, weights: Path, folder: Path) -> None:
    """Write a random adapter and head in float16 to `folder`, and change `model` accordingly."""
    import hashlib

    folder.mkdir(exist_ok=True)
    rank, alpha = 4, 6.0
    low_rank: dict[str, torch.Tensor] = {}
    with torch.no_grad():
        for name, module in model.mpnet.named_modules():
            if isinstance(module, torch.nn.Linear) and name.startswith("encoder."):
                down = (0.2 * torch.randn(rank, module.in_features)).half()
                up = (0.2 * torch.randn(module.out_features, rank)).half()
                low_rank |= {f"{name}.lora_A.weight": down, f"{name}.lora_B.weight": up}
                module.weight += alpha / rank * (up.float() @ down.float())
        head = {
            f"classifier.{name}": (0.3 * torch.randn_like(value)).half()
            for name, value in model.classifier.state_dict().items()
        }
        model.classifier.load_state_dict({name[11:]: value for name, value in head.items()})
    save_file(low_rank, folder / "adapter.safetensors")
    save_file(head, folder / "head.safetensors")
    names = ("adapter.safetensors", "head.safetensors")
    config = {
        "base": {
            "name": "tiny/mpnet",
            "file": "model.safetensors",
            "sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        },
        "architecture": "MPNetForSequenceClassification",
        "rank": rank,
        "alpha": alpha,
        "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
        "sha256": {n: hashlib.sha256((folder / n).read_bytes()).hexdigest() for n in names},
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")


def t5(folder: Path) -> None:
    """T5 as first published: ReLU, one matrix for input and output; in float32."""
    _t5(folder, feed_forward_proj="relu", tie_word_embeddings=True, d_kv=8)


def flan_t5(folder: Path) -> None:
    """T5 as Flan-T5 is: gated GELU, matrices of their own, heads wider than the model."""
    _t5(folder, feed_forward_proj="gated-gelu", tie_word_embeddings=False, d_kv=12)


def _t5(folder: Path, **settings: object) -> None:
    with tempfile.TemporaryDirectory() as place:
        file = sentence_pieces(
            Path(place), "spiece.model", pad_id=0, eos_id=1, unk_id=2, bos_id=-1,
            user_defined_symbols=[], control_symbols=[],
        )  # fmt: skip
        # SentencePiece itself begins every text with a space; left unset, this converter does not.
        tokenizer = transformers.T5TokenizerFast(
            str(file), extra_ids=0, model_max_length=256, add_prefix_space=True
        )
        config = transformers.T5Config(
            vocab_size=len(tokenizer) + 12,
            d_model=WIDTH,
            num_heads=HEADS,
            d_ff=INNER,
            num_layers=LAYERS,
            num_decoder_layers=LAYERS,
            decoder_start_token_id=0,
            n_positions=256,
            **settings,
        )
        model = transformers.T5ForConditionalGeneration(config)
        model = save(folder, model, tokenizer, torch.float32)
        (folder / "spiece.model").write_bytes(file.read_bytes())
        answers = [tokenizer.convert_tokens_to_ids(token) for token in ("▁", "▁1")]
        start = torch.tensor([[0]])

        def encode(premise: str, hypothesis: str) -> dict[str, torch.Tensor]:
            text = f"predict: {premise}</s>{hypothesis}"
            return dict(tokenizer(text, return_tensors="pt", truncation=False))

        def logits(inputs: dict[str, torch.Tensor]) -> torch.Tensor:
            return model(**inputs, decoder_input_ids=start).logits[0, 0, answers]

        record(folder, tokenizer, logits, encode)


RECORDERS = {
    "bert": bert,
    "bert_two_labels": bert_two_labels,
    "roberta": roberta,
    "xlm_roberta": xlm_roberta,
    "mpnet": mpnet,
    "t5": t5,
    "flan_t5": flan_t5,
}


if __name__ == "__main__":
    sys.exit(main())
