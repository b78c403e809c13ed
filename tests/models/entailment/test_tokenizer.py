"""Pairs become the same tokens as in the reference; nothing is cut and nothing smuggled in."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from models.entailment import manifest as manifests
from models.entailment import sentencepiece, tokenizer_source
from models.entailment.errors import HypothesisTooLong, TokenizerUnusable
from models.entailment.importer import import_model
from models.entailment.tokenizer import PairEncoder
from models.entailment.tokenizer_source import SPECIAL

FIXTURES = Path(__file__).parent / "fixtures"

SEPARATORS = ("</s>", "<s>", "[SEP]", "[CLS]", "<pad>", "[PAD]", "<mask>", "[MASK]", "＜/s＞")


def encoder_of(folder: Path, max_tokens: int | None = None) -> PairEncoder:
    manifest = manifests.read(folder)
    return PairEncoder(
        folder / "tokenizer.json",
        max_tokens=max_tokens or manifest.max_tokens,
        prompt=manifest.prompt,
        unknown=SPECIAL[manifest.family][2],
    )


def separators_of(folder: Path) -> set[int]:
    made = Tokenizer.from_file(str(folder / "tokenizer.json"))
    unknown = made.token_to_id(SPECIAL[manifests.read(folder).family][2])
    return set(made.get_added_tokens_decoder()) - {unknown}


def test_ids_and_types_are_the_reference_s(checkpoint, installed: Callable[..., Path]) -> None:
    encoded = encoder_of(installed(checkpoint.name)).encode(checkpoint.pairs)
    for case, sequences in zip(checkpoint.cases, encoded, strict=True):
        assert [sequence.ids for sequence in sequences] == [case["ids"]]
        if case["types"] is not None:
            assert sequences[0].types == case["types"]


def test_other_files_of_a_tokenizer_give_the_same_ids(
    checkpoint, copy_of: Callable[[Path], Path], installed: Callable[..., Path]
) -> None:
    """vocab.txt, vocab.json with merges.txt, or a SentencePiece model, without tokenizer.json."""
    folder = copy_of(checkpoint.folder)
    (folder / "tokenizer.json").unlink()
    manifest = manifests.read(installed(checkpoint.name))
    made = tokenizer_source.load(folder, manifest.family)
    made.save(str(folder / "made.json"))
    encoder = PairEncoder(
        folder / "made.json",
        max_tokens=256,
        prompt=manifest.prompt,
        unknown=SPECIAL[manifest.family][2],
    )
    found = [[sequence.ids for sequence in one] for one in encoder.encode(checkpoint.pairs)]
    assert found == [[case["ids"]] for case in checkpoint.cases]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_text_brings_in_no_separator(
    checkpoint, separator: str, installed: Callable[..., Path]
) -> None:
    folder = installed(checkpoint.name)
    separators = separators_of(folder)
    encoder = encoder_of(folder)

    def count(premise: str, hypothesis: str) -> int:
        (sequence,) = encoder.encode([(premise, hypothesis)])[0]
        return sum(token in separators for token in sequence.ids)

    plain = count("A man is playing.", "A man plays.")
    assert plain == count(f"A man {separator} is{separator}playing.", "A man plays.")
    assert plain == count("A man is playing.", f"{separator}A man plays.{separator}")


WORDS = st.lists(
    st.sampled_from(["trial", "adults", "72", "hours", "(p", "<", "0.05)", "naïve", "visit."]),
    min_size=1,
    max_size=400,
)


@pytest.mark.parametrize("name", ["bert", "roberta", "xlm_roberta", "mpnet", "t5"])
@settings(deadline=None)
@given(words=WORDS, most=st.integers(60, 120))
def test_windows_hold_every_word_and_fit(
    name: str, words: list[str], most: int, installed: Callable[..., Path]
) -> None:
    encoder = encoder_of(installed(name), most)
    premise = " ".join(words)
    windows = encoder.windows(premise, "Adults.")
    for sequence in encoder.encode([(premise, "Adults.")])[0]:
        assert len(sequence.ids) <= most
    at = end = 0
    for window in windows:
        begin = premise.index(window, at)
        assert begin <= end, "no character may fall between two windows"
        at, end = begin + 1, begin + len(window)
        assert begin == 0 or premise[begin - 1] == " ", "a window begins with a word"
    assert end == len(premise)


def test_a_prompt_joins_a_pair_in_one_text(tmp_path: Path) -> None:
    """As MiniCheck-RoBERTa is asked: one separator between premise and hypothesis."""
    folder = tmp_path / "asked"
    import_model(FIXTURES / "roberta", folder, name="asked", prompt="{premise}</s>{hypothesis}")
    made = Tokenizer.from_file(str(folder / "tokenizer.json"))
    premise, hypothesis = "A man is playing.", "A man</s> plays."
    (sequence,) = encoder_of(folder).encode([(premise, hypothesis)])[0]
    first, separator, unknown = (made.token_to_id(t) for t in ("<s>", "</s>", "<unk>"))

    def plain(text: str) -> list[int]:
        return made.encode(text, add_special_tokens=False).ids

    smuggled = [*plain("A man"), unknown, *plain(" plays.")]
    assert sequence.ids == [first, *plain(premise), separator, *smuggled, separator]


def test_windows_overlap(installed: Callable[..., Path]) -> None:
    encoder = encoder_of(installed("bert"), 80)
    numbers = [f"{n}" for n in range(100, 300)]
    windows = [set(w.split()) for w in encoder.windows(" ".join(numbers), "Adults.")]
    assert len(windows) > 3
    for before, after in pairwise(windows):
        assert len(before & after) >= 3


@pytest.mark.parametrize("text", ["a" * 900, "東京" * 300, "😀" * 300, "1" * 2000])
def test_text_without_spaces_is_cut_but_not_lost(
    checkpoint, text: str, installed: Callable[..., Path]
) -> None:
    encoder = encoder_of(installed(checkpoint.name), 64)
    windows = encoder.windows(text, "A")
    assert windows[0]
    assert text.startswith(windows[0])
    assert text.endswith(windows[-1])
    covered = 0
    for window in windows:
        begin = text.find(window, max(0, covered - len(window)))
        assert 0 <= begin <= covered
        covered = max(covered, begin + len(window))
    for sequence in encoder.encode([(text, "A")])[0]:
        assert len(sequence.ids) <= 64


def test_a_claim_that_fills_the_model_is_refused(
    checkpoint, installed: Callable[..., Path]
) -> None:
    encoder = encoder_of(installed(checkpoint.name), 64)
    claim = "The trial enrolled adults. " * 30
    with pytest.raises(HypothesisTooLong):
        encoder.encode([("The trial enrolled 412 adults in twelve clinics.", claim)])


def test_a_tokenizer_that_joins_pairs_in_another_way_is_refused(
    copy_of: Callable[[Path], Path],
) -> None:
    folder = copy_of(FIXTURES / "mpnet")
    data = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    data["post_processor"] = {
        "type": "BertProcessing",
        "sep": ["</s>", 2],
        "cls": ["<s>", 0],
    }
    (folder / "tokenizer.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(TokenizerUnusable):
        tokenizer_source.load(folder, "mpnet")


@pytest.mark.parametrize("name", ["xlm_roberta/sentencepiece.bpe.model", "t5/spiece.model"])
def test_a_damaged_sentencepiece_model_is_refused(name: str, tmp_path: Path) -> None:
    whole = (FIXTURES / name).read_bytes()
    file = tmp_path / "cut.model"
    for length in range(0, len(whole) - 1, 37):
        file.write_bytes(whole[:length])
        try:
            pieces = sentencepiece.read(file)
        except TokenizerUnusable:
            continue
        # A cut between two fields leaves a whole message; the hash of the file is what tells.
        assert pieces.vocabulary


def test_a_sentencepiece_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    piece = bytes([0x0A, 5, 0x0A, 3]) + b"abc"
    unknown = bytes([0x0A, 7, 0x0A, 3]) + b"unk" + bytes([0x18, 2])
    byte_pairs = bytes([0x12, 2, 0x18, 2])
    file = tmp_path / "bpe.model"
    file.write_bytes(unknown + piece)
    assert [token for token, _ in sentencepiece.read(file).vocabulary] == ["unk", "abc"]
    file.write_bytes(unknown + piece + byte_pairs)
    with pytest.raises(TokenizerUnusable):
        sentencepiece.read(file)
