"""Turns (premise, hypothesis) pairs into sequences that fit the model; cuts nothing off.

A premise that is too long becomes several windows that overlap. Text can never bring in a
separator of its own: what spells one in a document is read as plain or unknown text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from models.entailment.errors import HypothesisTooLong, ModelDamaged

SHORTEST_WINDOW = 32
"""Tokens that a window of the premise must have room for beside the hypothesis."""

OVERLAP = 4
"""A window shares this fraction (1 / OVERLAP) of its length with the one before."""

PREMISE, HYPOTHESIS = "{premise}", "{hypothesis}"


@dataclass(frozen=True, slots=True)
class Encoded:
    """One input of the model: token ids and, of the same length, token types."""

    ids: list[int]
    types: list[int]


class PairEncoder:
    """Encodes pairs with the tokenizer of an installed model.

    `file` is its tokenizer.json, `max_tokens` the longest sequence, `prompt` the text that joins
    premise and hypothesis, or None where they are a pair of sequences, `unknown` the token for
    what the vocabulary cannot spell. Raises `ModelDamaged`.
    """

    def __init__(self, file: Path, *, max_tokens: int, prompt: str | None, unknown: str) -> None:
        try:
            self._tokenizer: Tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # the package raises plain Exception
            raise ModelDamaged(f"{file.name} of the model cannot be read.") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        # A prompt has separators of its own in its text; those of the document are taken out of
        # the encoding instead.
        self._tokenizer.encode_special_tokens = prompt is None
        self._max_tokens = max_tokens
        self._prompt = prompt
        added = self._tokenizer.get_added_tokens_decoder()
        self._special = frozenset(at for at, token in added.items() if token.special)
        found = self._tokenizer.token_to_id(unknown)
        if found is None:
            raise ModelDamaged(f"The model's tokenizer has no {unknown}.")
        self._unknown = found

    @property
    def max_tokens(self) -> int:
        """The longest sequence, in tokens."""
        return self._max_tokens

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[list[Encoded]]:
        """The sequences of each pair: one, or one for each window of its premise.

        Raises `HypothesisTooLong`.
        """
        found: list[list[Encoded]] = []
        for pair, encoding in zip(pairs, self._encodings(pairs), strict=True):
            if len(encoding.ids) <= self._max_tokens:
                found.append([self._sequence(encoding, pair)])
            else:
                found.append(self._windowed(*pair))
        return found

    def windows(self, premise: str, hypothesis: str) -> list[str]:
        """The parts of `premise` that are scored one by one: all of it, in order, overlapping.

        Raises `HypothesisTooLong`.
        """
        around = len(self._encodings([("", hypothesis)])[0].ids)
        room = self._max_tokens - around
        while room >= SHORTEST_WINDOW:
            parts = list(_parts(premise, self._offsets(premise), room))
            lengths = [len(e.ids) for e in self._encodings([(p, hypothesis) for p in parts])]
            over = max(lengths) - self._max_tokens
            if over <= 0:
                return parts
            # At a window's edge a word may be spelled with more tokens than in the middle.
            room -= over
        raise HypothesisTooLong(
            "The claim is so long that no part of the source fits beside it in what the model "
            "takes in, so it was not scored. Split the claim and check its parts."
        )

    def _windowed(self, premise: str, hypothesis: str) -> list[Encoded]:
        pairs = [(part, hypothesis) for part in self.windows(premise, hypothesis)]
        encodings = self._encodings(pairs)
        return [self._sequence(e, pair) for e, pair in zip(encodings, pairs, strict=True)]

    def _offsets(self, premise: str) -> list[tuple[int, int]]:
        return self._tokenizer.encode(premise, add_special_tokens=False).offsets

    def _encodings(self, pairs: Sequence[tuple[str, str]]) -> list[Encoding]:
        if self._prompt is None:
            return self._tokenizer.encode_batch(list(pairs))
        return self._tokenizer.encode_batch([self._prompted(pair)[0] for pair in pairs])

    def _prompted(self, pair: tuple[str, str]) -> tuple[str, list[tuple[int, int]]]:
        """The prompt's text, and the character ranges in it that are the prompt's own."""
        assert self._prompt is not None
        before, _, rest = self._prompt.partition(PREMISE)
        between, _, after = rest.partition(HYPOTHESIS)
        text = ""
        own: list[tuple[int, int]] = []
        for literal, given in ((before, pair[0]), (between, pair[1]), (after, "")):
            own.append((len(text), len(text) + len(literal)))
            text += literal + given
        return text, own

    def _sequence(self, encoding: Encoding, pair: tuple[str, str]) -> Encoded:
        """The encoding, with every separator that text brought in read as unknown."""
        ids = encoding.ids
        if self._special.isdisjoint(ids):
            return Encoded(ids, encoding.type_ids)
        own = self._prompted(pair)[1] if self._prompt is not None else []
        for at, (token, added) in enumerate(zip(ids, encoding.special_tokens_mask, strict=True)):
            if token in self._special and not added and not _within(encoding.offsets[at], own):
                ids[at] = self._unknown
        return Encoded(ids, encoding.type_ids)


def _within(span: tuple[int, int], ranges: Sequence[tuple[int, int]]) -> bool:
    return any(first <= span[0] and span[1] <= end for first, end in ranges)


def _parts(text: str, offsets: Sequence[tuple[int, int]], room: int) -> Iterator[str]:
    """Windows of at most `room` tokens over `text`, cut before words where there are spaces."""
    first = 0
    while True:
        end = min(first + room, len(offsets))
        if end < len(offsets):
            end = _word_start(text, offsets, end, end - room // OVERLAP)
        yield text[offsets[first][0] : offsets[end - 1][1]]
        if end == len(offsets):
            return
        first = _word_start(text, offsets, end - room // OVERLAP, end - room // 2)


def _word_start(text: str, offsets: Sequence[tuple[int, int]], at: int, least: int) -> int:
    """The last token from `at` back to `least` that begins a word, else `at`."""
    for candidate in range(at, least, -1):
        begin = offsets[candidate][0]
        if begin and text[begin - 1].isspace():
            return candidate
    return at
