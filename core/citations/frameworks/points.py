"""Points, paragraphs and letters below a place, and the words that refer to them."""

from core.citations.frameworks.catalogue import words
from core.citations.frameworks.editions import dotted
from core.citations.frameworks.marks import group_at, separator
from core.citations.frameworks.places import Place, expand
from core.citations.frameworks.tokens import Tokens
from core.resource import load_json


def _below() -> frozenset[str]:
    below = load_json("citations/words.json")["below"]
    return frozenset(below["point"] + below["paragraph"])


def says_points(tokens: Tokens, at: int) -> bool:
    """Whether a word such as "point" or "paragraphs" is at the token `at`."""
    return tokens.low(at) in _below()


def points_at(tokens: Tokens, at: int) -> tuple[list[tuple[str, ...]], int] | None:
    """Labels below a place: ", point (a)", ", points (a) to (e)", "para. 4 - 6", "Abs. 1 lit. f".

    None where they belong to what follows: "points (a) and (b) of Article 4".
    """
    start = at
    at = _skip_ordinals(tokens, at + (tokens.text(at) == ","))
    if tokens.text(at) == "," and at > start + 1:
        at += 1
    if tokens.low(at) not in _below() or (tokens.text(at) == "s"):
        return None
    found = labels_after(tokens, at)
    if found is None:
        return None
    labels, after = found
    if tokens.low(after) in ("of", "in") and refers_on(tokens, after + 1):
        return None
    deeper = points_at(tokens, after) if len(labels) == 1 else None
    if deeper is not None:
        return [(*labels[0], *below) for below in deeper[0]], deeper[1]
    return labels, after


def _skip_ordinals(tokens: Tokens, at: int) -> int:
    if tokens.low(at) == "the":
        at += 1
    below = load_json("citations/words.json")["below"]
    skip = [*below["subparagraph"], *below["paragraph"], "indent"]
    if tokens.low(at) in words("ordinals") and tokens.low(at + 1) in skip:
        return at + 2
    two = tokens.low(at) in words("ordinals") and tokens.low(at + 1) in ("and", "or")
    if two and tokens.low(at + 2) in words("ordinals") and tokens.low(at + 3) in skip:
        return at + 4
    return at


def refers_on(tokens: Tokens, at: int) -> bool:
    """Whether an article, paragraph or annex is named at `at`, after "of"."""
    for _ in range(4):
        skipped = _skip_ordinals(tokens, at)
        if skipped == at:
            break
        at = skipped
        if tokens.low(at) in ("of", "in"):
            at += 1
    kinds = words("article") | words("annex") | _below()
    return tokens.low(at) in kinds or tokens.low(at) in ("section", "sections", "chapter")


def labels_after(tokens: Tokens, at: int) -> tuple[list[tuple[str, ...]], int] | None:
    """The labels after "point", "paragraphs" and the like at the token `at`."""
    plain = tokens.low(at) in load_json("citations/words.json")["below"]["paragraph"] or tokens.low(
        at
    ) in ("lit", "nr", "no", "pt", "pts", "point", "points", "letter", "item", "buchstabe")
    at += 1
    at += tokens.text(at) == "."
    first = _label(tokens, at, plain)
    if first is None:
        return None
    labels, at = [first[0]], first[1]
    while len(labels) < 60:
        joint = separator(tokens, at)
        if joint is None:
            break
        after = joint[1]
        if tokens.low(after) in _below() and joint[0] == "range":
            after += 1
        following = _label(tokens, after, plain and not counts(tokens, after))
        if following is None:
            break
        if joint[0] == "range":
            made = expand(Place("", 1, groups=labels[-1]), Place("", 1, groups=following[0]))
            if made is None:
                break
            labels.extend(place.groups for place in made.places[1:])
        else:
            labels.append(following[0])
        at = following[1]
    return labels, at


def _label(tokens: Tokens, at: int, plain: bool) -> tuple[tuple[str, ...], int] | None:
    """One label, with the labels glued below it: (a), 2, 2(b), (1)(a)."""
    first = group_at(tokens, at)
    if first is None and plain:
        first = _plain_label(tokens, at)
    if first is None:
        return None
    labels, at = [first[0]], first[1]
    while (found := group_at(tokens, at)) is not None and tokens.glued(at) and len(labels) < 5:
        labels.append(found[0])
        at = found[1]
    return tuple(labels), at


def _plain_label(tokens: Tokens, at: int) -> tuple[str, int] | None:
    text = tokens.text(at)
    single = tokens.word(at) and len(text) == 1 and text.isascii() and text.islower()
    if not single and not (tokens.number(at) and len(text) <= 2):
        return None
    hanging = tokens.glued(at + 1) and (tokens.word(at + 1) or tokens.number(at + 1))
    if hanging:
        return None
    if tokens.number(at):
        # Points of an annex may be numbered "5.1".
        text, after = dotted(tokens, at)
        return text, after
    return text, at + 1


def counts(tokens: Tokens, at: int) -> bool:
    """Whether the number at `at` counts something: "and 30 days", ", 15 employees"."""
    text = tokens.text(at + 1)
    return tokens.low(at + 1) in words("units") or (text in ("%", "°") and tokens.glued(at + 1))
