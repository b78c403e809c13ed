"""Places that are codes of letters and numbers: AC-2(1), PR.AA-01, CC6.1, A.5.19, APP.4.4.

A code's shape says which family of places it is of; whether a text means that family is decided
by what stands around it, unless no other thing looks like it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from core.citations.frameworks.places import Place
from core.citations.frameworks.tokens import Tokens
from core.resource import load_json

_DATA = load_json("citations/codes.json")
_FAMILIES_53 = frozenset(_DATA["control53"])
_CSF = {function: frozenset(names) for function, names in _DATA["csf"].items()}
_PRIVACY = frozenset(_DATA["privacy"])
_AI: dict[str, int] = _DATA["airmf"]
_AI_SHORT: dict[str, str] = _DATA["airmf_short"]
_SOC: dict[str, int] = _DATA["soc2"]
_COBIT = frozenset(_DATA["cobit"])
CODE_KINDS = frozenset(
    {
        "control53", "csf", "soc2", "cmmc", "ssdf", "bsi", "airmf", "privacy", "ccm", "cobit",
        "asvs", "foundational", "annex",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Code:
    """A code found: its kind, its place, the token after it."""

    kind: str
    place: Place
    end: int
    plain: bool = True
    """Whether nothing else looks like it, so that it needs no instrument beside it."""


_Reader = Callable[[Tokens, int], Code | None]


def code_at(tokens: Tokens, index: int) -> list[Code]:
    """The codes that may begin at the token `index`, each read as far as it goes."""
    readers = _BY_HEAD.get(tokens.text(index).upper())
    if readers is None:
        return []
    before = tokens.text(index - 1)
    # "BSI-APP-4-4" joins the publisher and the module.
    joined = before == "-" and tokens.text(index - 2) == "BSI"
    if tokens.glued(index) and (before.isalnum() or before in "-.:$#") and not joined:
        return []
    found = [reader(tokens, index) for reader in readers]
    return [code for code in found if code is not None]


def _last_number(tokens: Tokens, at: int, most: int = 2) -> bool:
    """Whether a glued number of at most `most` digits is at `at`, and no letter hangs on to it."""
    return tokens.number(at) and tokens.glued(at) and len(tokens.text(at)) <= most


def _made(prefix: str, number: str, groups: tuple[str, ...] = ()) -> Place:
    return Place(prefix, int(number), len(number) if number.startswith("0") else 1, groups)


def _control53(tokens: Tokens, index: int) -> Code | None:
    family = tokens.text(index)
    if family.upper() not in _FAMILIES_53 or not (family.isupper() or family.islower()):
        return None
    if tokens.text(index + 1) not in ("-", "‑", "–") or not tokens.glued(index + 1):
        return None
    if not _last_number(tokens, index + 2):
        return None
    number, at = tokens.text(index + 2), index + 3
    if int(number) == 0 or int(number) > 60:
        return None
    place, at = statement(tokens, at, Place(f"{family.upper()}-", int(number)))
    if tokens.glued(at) and (
        tokens.word(at) or (tokens.text(at) in ("-", "_") and not _range_after(tokens, at))
    ):
        return None
    return Code("control53", place, at, plain=False)


def _range_after(tokens: Tokens, at: int) -> bool:
    """Whether the mark at `at` is a range's: "AC-2-AC-6", "AC-2-6", or it joins to a word."""
    return (
        tokens.word(at + 1)
        or tokens.text(at + 1) == "("
        or (tokens.number(at + 1) and len(tokens.text(at + 1)) <= 2)
    )


def statement(tokens: Tokens, at: int, place: Place) -> tuple[Place, int]:
    """The enhancement and the part of a control's statement: (1), (05), a, (c), .5, a.1.

    In the groups an enhancement is a number; a part is a letter, and what follows a dot is kept
    with its dot.
    """
    groups = list(place.groups)
    while len(groups) < 5:
        text = tokens.text(at)
        label = tokens.text(at + 1)
        if text == "(" and tokens.text(at + 2) == ")" and tokens.glued(at + 2):
            small = label.isalpha() and len(label) == 1 and label.islower()
            if not (tokens.number(at + 1) and len(label) <= 2) and not small:
                break
            groups.append(str(int(label)) if label.isdigit() else label)
            at += 3
        elif (
            tokens.glued(at)
            and tokens.word(at)
            and len(text) == 1
            and text.islower()
            and not groups
        ):
            groups.append(text)
            at += 1
        elif text == "." and tokens.glued(at) and _last_number(tokens, at + 1) and label != "0":
            if groups and groups[-1].isalpha():
                groups.append(f".{label}")
            elif not groups:
                groups.append(str(int(label)))
            else:
                break
            at += 2
        else:
            break
    return replace(place, groups=tuple(groups)), at


def _csf(tokens: Tokens, index: int) -> Code | None:
    function, category = tokens.text(index), tokens.text(index + 2)
    if function not in _CSF and function not in _PRIVACY:
        return None
    if tokens.text(index + 1) != "." or not tokens.glued(index + 1) or not tokens.glued(index + 2):
        return None
    at, hyphen = index + 3, tokens.text(index + 3) == "-" and tokens.glued(index + 3)
    if hyphen and tokens.text(at + 1) == "P" and function in _PRIVACY and tokens.word(index + 2):
        name = f"{function}.{category}-P"
        if _last_number(tokens, at + 2):
            return Code("privacy", _made(name, tokens.text(at + 2)), at + 3)
        return Code("privacy", Place(name, 0, style="none"), at + 2)
    if category not in _CSF.get(function, ()):
        return None
    name = f"{function}.{category}"
    if hyphen and _last_number(tokens, at + 1):
        if tokens.glued(at + 2) and tokens.word(at + 2):
            return None
        return Code("csf", _made(f"{name}-", tokens.text(at + 1)), at + 2)
    if hyphen and tokens.text(at + 1) in ("*", "x", "X", "xx", "XX"):
        at += 2
    elif tokens.text(at) == "." and tokens.glued(at) and tokens.glued(at + 1):
        return None
    return Code("csf", Place(name, 0, style="none"), at)


def _soc2(tokens: Tokens, index: int) -> Code | None:
    series = tokens.text(index)
    most = _SOC.get(series)
    if most is None or not _last_number(tokens, index + 1, 1):
        return None
    number = tokens.text(index + 1)
    if not 1 <= int(number) <= most or (tokens.glued(index + 2) and tokens.word(index + 2)):
        return None
    at = index + 2
    if tokens.text(at) == "." and tokens.glued(at) and tokens.glued(at + 1):
        after = tokens.text(at + 1)
        if after in ("x", "X"):
            return Code("soc2", Place(series, int(number)), at + 2, plain=series == "CC")
        if not _last_number(tokens, at + 1):
            return None
        if tokens.text(at + 2) == "." and tokens.number(at + 3) and tokens.glued(at + 3):
            return None
        return Code("soc2", Place(f"{series}{number}.", int(after)), at + 2, plain=series == "CC")
    if tokens.glued(at) and tokens.text(at) in ("-", "/"):
        joined = tokens.text(at + 1) in _SOC
        if not joined:
            return None
    return Code("soc2", Place(series, int(number)), at, plain=False)


def _annex(tokens: Tokens, index: int) -> Code | None:
    """A.5.19, A5.19, A 5.19 and, of other annexes, B.8.2.1."""
    letter = tokens.text(index)
    if letter not in ("A", "B") or len(letter) != 1:
        return None
    at = index + 1
    dot = tokens.text(at) == "." and tokens.glued(at)
    at += dot
    if not tokens.number(at) or (dot and not tokens.glued(at)):
        return None
    parts: list[str] = []
    while tokens.number(at) and len(tokens.text(at)) <= 2 and len(parts) < 4:
        if parts and not tokens.glued(at):
            return None
        parts.append(tokens.text(at))
        at += 1
        if not (tokens.text(at) == "." and tokens.glued(at) and tokens.number(at + 1)
                and tokens.glued(at + 1)):  # fmt: skip
            break
        at += 1
    if not parts or (not dot and len(parts) < 2) or (tokens.glued(at) and tokens.word(at)):
        return None
    prefix = ".".join([letter, *parts[:-1]]) + "."
    return Code("annex", _made(prefix, parts[-1]), at, plain=False)


def _cmmc(tokens: Tokens, index: int) -> Code | None:
    domain, level = tokens.text(index), tokens.text(index + 2)
    if len(domain) != 2 or not domain.isupper() or tokens.text(index + 1) != ".":
        return None
    if not tokens.glued(index + 1) or not tokens.glued(index + 2):
        return None
    at = index + 3
    if level == "L" and tokens.text(at) in ("1", "2", "3") and tokens.glued(at):
        level, at = f"L{tokens.text(at)}", at + 1
        if tokens.text(at) != "-" or not tokens.glued(at + 1):
            return None
        at += 1
        mark = "-"
    elif (
        level in ("1", "2", "3", "4", "5")
        and tokens.text(at) == "."
        and len(tokens.text(at + 1)) == 3
    ):
        number = tokens.text(at + 1)
        if not tokens.number(at + 1) or not tokens.glued(at + 1):
            return None
        return Code("cmmc", _made(f"{domain}.{level}.", number), at + 2)
    else:
        return None
    if domain not in _FAMILIES_53:
        return None
    parts: list[str] = []
    while tokens.number(at) and tokens.glued(at) and len(tokens.text(at)) <= 3 and len(parts) < 4:
        parts.append(tokens.text(at))
        at += 1
        if not (tokens.text(at) == "." and tokens.glued(at) and tokens.number(at + 1)):
            break
        at += 1
    if not parts:
        return None
    prefix = f"{domain}.{level}{mark}" + "".join(f"{part}." for part in parts[:-1])
    return Code("cmmc", _made(prefix, parts[-1]), at)


def _dotted_letters(kind: str, most: int) -> _Reader:
    """A reader of HEAD.n.n…: practices of the SSDF, modules of the IT-Grundschutz."""
    heads = frozenset(_DATA[kind])

    def read(tokens: Tokens, index: int) -> Code | None:
        head = tokens.text(index)
        if (
            head not in heads
            or tokens.text(index + 1) not in (".", "-")
            or not tokens.glued(index + 1)
        ):
            return None
        mark, at = tokens.text(index + 1), index + 2
        parts: list[str] = []
        while _last_number(tokens, at) and len(parts) < most:
            parts.append(tokens.text(at))
            at += 1
            further = tokens.text(at) == mark and tokens.glued(at) and _last_number(tokens, at + 1)
            if not further:
                break
            at += 1
        if not parts or (mark == "-" and kind != "bsi") or (tokens.glued(at) and tokens.word(at)):
            return None
        requirement = kind == "bsi" and tokens.text(at) in (".", "-") and tokens.text(at + 1) == "A"
        if requirement and tokens.glued(at + 1) and _last_number(tokens, at + 2):
            prefix = ".".join([head, *parts, "A"])
            return Code(kind, _made(prefix, tokens.text(at + 2)), at + 3, plain=False)
        return Code(kind, _made(".".join([head, *parts[:-1]]) + ".", parts[-1]), at, plain=False)

    return read


def _ai(tokens: Tokens, index: int) -> Code | None:
    """GOVERN 1.1, Measure 2.7, MEASURE 4, MS-2.7."""
    word = tokens.text(index)
    short = _AI_SHORT.get(word)
    name = short or word.upper()
    most = _AI.get(name)
    if most is None or not (word.isupper() or word.istitle()):
        return None
    at = index + 1
    mark = tokens.text(at) in ("-", ":") and tokens.glued(at)
    if short and not mark:
        return None
    at += mark
    number = tokens.text(at)
    if not tokens.number(at) or len(number) > 1 or not 1 <= int(number) <= most:
        function = word.isupper() and not short and not mark
        return (
            Code("airmf", Place(name, 0, style="none"), index + 1, plain=False)
            if function
            else None
        )
    at += 1
    if tokens.text(at) == "." and tokens.glued(at) and _last_number(tokens, at + 1):
        return Code(
            "airmf", Place(f"{name} {number}.", int(tokens.text(at + 1))), at + 2, plain=False
        )
    if word.isupper() and not short and not (tokens.glued(at) and tokens.word(at)):
        return Code("airmf", Place(f"{name} ", int(number)), at, plain=False)
    return None


def _hyphened(kind: str) -> _Reader:
    """A reader of HEAD-nn: the Cloud Controls Matrix."""
    heads = frozenset(_DATA[kind])

    def read(tokens: Tokens, index: int) -> Code | None:
        if tokens.text(index) not in heads or tokens.text(index + 1) != "-":
            return None
        if not tokens.glued(index + 1) or not _last_number(tokens, index + 2):
            return None
        made = _made(f"{tokens.text(index)}-", tokens.text(index + 2))
        return Code(kind, made, index + 3, plain=False)

    return read


def _cobit(tokens: Tokens, index: int) -> Code | None:
    """APO13.01, DSS05."""
    if tokens.text(index) not in _COBIT or not _last_number(tokens, index + 1):
        return None
    head, at = tokens.text(index) + tokens.text(index + 1), index + 2
    if tokens.text(at) == "." and tokens.glued(at) and _last_number(tokens, at + 1):
        return Code("cobit", _made(f"{head}.", tokens.text(at + 1)), at + 2, plain=False)
    return Code("cobit", _made(tokens.text(index), tokens.text(index + 1)), at, plain=False)


def _security_level(tokens: Tokens, index: int) -> Code | None:
    """SR 1.1 and CR 2.3 of IEC 62443."""
    if tokens.text(index) not in ("SR", "CR") or not tokens.number(index + 1):
        return None
    if (
        tokens.text(index + 2) == "."
        and tokens.glued(index + 2)
        and _last_number(tokens, index + 3)
    ):
        prefix = f"{tokens.text(index)} {tokens.text(index + 1)}."
        return Code("foundational", _made(prefix, tokens.text(index + 3)), index + 4, plain=False)
    return None


_READERS: tuple[tuple[_Reader, Iterable[str]], ...] = (
    (_control53, _FAMILIES_53),
    (_csf, {*_CSF, *_PRIVACY}),
    (_soc2, _SOC),
    (_annex, ("A", "B")),
    (_cmmc, _FAMILIES_53),
    (_dotted_letters("ssdf", 2), _DATA["ssdf"]),
    (_dotted_letters("bsi", 4), _DATA["bsi"]),
    (_dotted_letters("asvs", 3), _DATA["asvs"]),
    (_ai, {*_AI, *_AI_SHORT}),
    (_hyphened("ccm"), _DATA["ccm"]),
    (_cobit, _COBIT),
    (_security_level, ("SR", "CR")),
)


def _by_head() -> dict[str, list[_Reader]]:
    found: dict[str, list[_Reader]] = {}
    for reader, heads in _READERS:
        for head in heads:
            found.setdefault(head, []).append(reader)
    return found


_BY_HEAD = _by_head()
"""The readers of the codes that begin with a word, the word in capitals."""
