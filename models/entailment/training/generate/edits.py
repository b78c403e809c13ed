"""Change a real sentence by rule: rewordings that follow from it, and edits that do not.

Every rule changes one thing, so that the label is known without reading the sentence.
"""

import re

from models.entailment.training.generate.language import (
    NOT_E,
    C,
    E,
    N,
    Speaker,
    sentence,
    vocabulary,
)

_PARENTHESIS = re.compile(r"\s*[\(\[][^()\[\]]*[\)\]]")

_LEAD = re.compile(
    r"^(However|Thus|Therefore|Moreover|Furthermore|In addition|Additionally|In contrast|Hence|"
    r"Indeed|Finally|Interestingly|Notably|Importantly|Overall|Here|In summary|Consequently|"
    r"As expected|In this study|Similarly|Taken together|First|Second|Third|Nevertheless|"
    r"In particular|Specifically|For example|In conclusion), "
)

_FOUND = re.compile(
    r"^(We (?:found|show|showed|observed|demonstrate|demonstrated|conclude|report) that|"
    r"Our (?:results|data|findings) (?:show|demonstrate|confirm) that|"
    r"These (?:results|data|findings) (?:show|demonstrate|confirm) that|It was found that) "
)

_SUGGEST = re.compile(
    r"^((?:Our|These|The) (?:results|data|findings|observations) suggest that|"
    r"We (?:hypothesi[sz]e[d]?|speculate|propose|asked whether|tested whether) (?:that )?|"
    r"It (?:has been|is) (?:suggested|hypothesi[sz]ed|possible|likely|thought) that|"
    r"This suggests that) ",
    re.IGNORECASE,
)

_AUXILIARY = re.compile(
    r"\b(was|were|is|are|has been|have been|can|could|did|does|will|had|has|"
    r"have)\b(?! (?:not|no|never)\b)"
)

_NEGATED = re.compile(r"\b(was|were|is|are|can|could|did|does|will|had|has|have|do) not\b")

_NUMBER = re.compile(r"(?<![\w.,\-–/%])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w,\-–/]|\.\d)")

_DIRECTION = {
    "increase",
    "decrease",
    "increased",
    "decreased",
    "increases",
    "decreases",
    "higher",
    "lower",
    "larger",
    "smaller",
    "greater",
    "improved",
    "worsened",
    "above",
    "below",
    "rose",
    "fell",
    "enhanced",
    "reduced",
    "upregulated",
    "downregulated",
    "activated",
    "inhibited",
    "majority",
    "minority",
    "positive",
    "negative",
    "always",
    "never",
}

_POPULATIONS = (
    ("mice", "humans"),
    ("mice", "rats"),
    ("rats", "patients"),
    ("patients", "healthy volunteers"),
    ("men", "women"),
    ("women", "men"),
    ("children", "adults"),
    ("adults", "children"),
    ("males", "females"),
    ("females", "males"),
    ("patients", "controls"),
    ("controls", "patients"),
    ("humans", "animals"),
    ("students", "teachers"),
    ("infants", "adults"),
    ("wild-type", "mutant"),
    ("mutant", "wild-type"),
    ("girls", "boys"),
    ("boys", "girls"),
    ("mothers", "fathers"),
)

_STRENGTH = (
    (r"\b(?:is|was|were|are) (?:significantly |strongly |positively )?associated with\b", "caused"),
    (r"\bcorrelated? with\b", "caused"),
    (r"\bmay\b", "will"),
    (r"\bmight\b", "will"),
    (r"\bcould\b", "will"),
    (r"\bsome\b", "all"),
    (r"\bmost\b", "all"),
    (r"\bmany\b", "all"),
    (r"\bseveral\b", "all"),
    (r"\bcan\b", "must"),
    (r"\boften\b", "always"),
    (r"\busually\b", "always"),
    (r"\bpartly\b", "fully"),
    (r"\bpartially\b", "completely"),
    (r"\bat least\b", "exactly"),
    (r"\bsuggests?\b", "proves"),
)

_REVERSED_BOUNDS = (
    ("at least", "at most"),
    ("at most", "at least"),
    ("more than", "less than"),
    ("less than", "more than"),
    ("up to", "at least"),
    ("fewer than", "more than"),
)


def _swap_word(text: str, old: str, new: str) -> str:
    def replace(match: re.Match[str]) -> str:
        return new[0].upper() + new[1:] if match[0][0].isupper() else new

    return re.sub(rf"\b{re.escape(old)}\b", replace, text, count=1, flags=re.IGNORECASE)


def rewordings(s: Speaker, text: str) -> list[tuple[str, str]]:
    """Return (kind, text) of texts that follow from `text`."""
    result: list[tuple[str, str]] = [("same", text)]
    bare = _PARENTHESIS.sub("", text)
    if bare != text:
        result += [("no_parenthesis", bare)] * 2
    lead = _LEAD.sub("", bare)
    if lead != bare:
        result += [("no_lead", sentence(lead))] * 2
    found = _FOUND.sub("", lead)
    if found != lead:
        result += [("clause", sentence(found))] * 3
    synonyms = [
        p
        for p in vocabulary()["synonyms"]
        if re.search(rf"\b{re.escape(p[0])}\b", lead, re.IGNORECASE)
    ]
    for old, new in s.rng.sample(synonyms, min(2, len(synonyms))):
        result += [("synonym", _swap_word(lead, old, new))] * 3
    if not _NEGATED.search(lead) and not re.search(
        r"\b(no|none|only|if|whether|fewer|less)\b", lead
    ):
        trimmed = re.sub(r", which [^,;]*\.$", ".", lead)
        if trimmed != lead:
            result += [("no_relative", trimmed)] * 2
        numbers = [
            m
            for m in _NUMBER.finditer(lead)
            if "." not in m[1] and 12 <= int(m[1].replace(",", "")) < 1000
        ]
        if (
            numbers
            and not re.search(
                (
                    r"(than|at least|at most|up to|over|between|about|approximately|"
                    r"from|in|since|until|by|to|to the|day|days|week|age|aged|=|<|>|"
                    r"±)\s*$"
                ),
                lead[: numbers[0].start()],
            )
            and re.match(r" [a-z]{4,}", lead[numbers[0].end() :])
        ):
            match = numbers[0]
            value = int(match[1].replace(",", ""))
            result += [
                (
                    "bound",
                    lead[: match.start()]
                    + f"more than {value - s.rng.randint(1, value // 4)}"
                    + lead[match.end() :],
                )
            ] * 2
        weak = re.sub(r"\b(is|are)\b", "may be", lead, count=1) if s.rng.random() < 0.3 else lead
        if weak != lead:
            result.append(("weaker", weak))
    return result


def edits(s: Speaker, text: str) -> list[tuple[str, str, str]]:
    """Return (label, kind, text) of texts that do not follow from `text`."""
    result: list[tuple[str, str, str]] = []
    base = _LEAD.sub("", _PARENTHESIS.sub("", text))
    base = sentence(base)
    pairs = vocabulary()["antonyms"]
    found = [
        (a, b)
        for p in pairs
        for a, b in (p, p[::-1])
        if re.search(rf"\b{re.escape(a)}\b", base, re.IGNORECASE)
    ]
    for a, b in s.rng.sample(found, min(3, len(found))):
        label = C if a in _DIRECTION and b in _DIRECTION else NOT_E
        result += [(label, "antonym", _swap_word(base, a, b))] * 2
    if not _SUGGEST.search(base):
        negated = _NEGATED.search(base)
        if negated:
            result += [
                (
                    C,
                    "negation_dropped",
                    base[: negated.start()] + negated[1] + base[negated.end() :],
                )
            ] * 3
        auxiliary = _AUXILIARY.search(base)
        if (
            auxiliary
            and "," not in base[: auxiliary.start()]
            and " that " not in base[: auxiliary.start()]
        ):
            word = auxiliary[1].replace(" been", " not been")
            word = word if " not " in word else word + " not"
            result.append(
                (C, "negation_added", base[: auxiliary.start()] + word + base[auxiliary.end() :])
            )
    numbers = list(_NUMBER.finditer(base))
    for match in s.rng.sample(numbers, min(2, len(numbers))):
        digits = match[1].replace(",", "")
        if "." in digits:
            places = len(digits.split(".")[1])
            new = (
                f"{float(digits) * s.rng.choice([0.1, 10, 1.3, 0.7, 1.1]) + 10**-places:.{places}f}"
            )
        else:
            value = int(digits)
            if 1900 <= value <= 2030:
                new = str(value + s.rng.choice([-10, -2, -1, 1, 2, 3]))
            else:
                new = f"{s.other(value, 1):,}" if "," in match[1] else str(s.other(value, 1))
        if new != match[1]:
            result += [(C, "number", base[: match.start()] + new + base[match.end() :])] * 2
    if len(numbers) >= 2:
        one, two = sorted(s.rng.sample(numbers, 2), key=lambda m: m.start())
        if one[1] != two[1] and not re.fullmatch(
            r" (?:and|or|to|vs\.?|versus) ", base[one.end() : two.start()]
        ):
            swapped = (
                base[: one.start()]
                + two[1]
                + base[one.end() : two.start()]
                + one[1]
                + base[two.end() :]
            )
            result += [(NOT_E, "numbers_swapped", swapped)] * 2
    for old, new in _POPULATIONS:
        if re.search(rf"\b{old}\b", base) and not re.search(rf"\b{new}\b", base):
            result += [(N, "population", re.sub(rf"\b{old}\b", new, base))] * 2
    for pattern, new in _STRENGTH:
        if re.search(pattern, base) and not _NEGATED.search(base):
            result += [(N, "strength", re.sub(pattern, new, base, count=1))] * 2
    for old, new in _REVERSED_BOUNDS:
        if old in base:
            result += [(NOT_E, "bound", base.replace(old, new, 1))] * 2
    names = list(
        dict.fromkeys(
            re.findall(
                (
                    r"(?<!^)(?<![.:] )\b[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]*\b|"
                    r"(?<=[a-z,] )[A-Z][a-z]{3,}\b"
                ),
                base,
            )
        )
    )
    if len(names) >= 2:
        a, b = s.rng.sample(names, 2)
        swapped = re.sub(
            rf"\b({re.escape(a)}|{re.escape(b)})\b", lambda m: b if m[0] == a else a, base
        )
        if (
            f"{a} and {b}" not in base
            and f"{b} and {a}" not in base
            and f"{a}, {b}" not in base
            and f"{b}, {a}" not in base
            and f"{a} or {b}" not in base
        ):
            result += [(NOT_E, "names_swapped", swapped)] * 2
    than = re.match(
        (
            r"^(The [a-z ]{3,40}|[A-Z][\w-]+) (was|were|is|are) (\w+) than ((?:the |"
            r"that of )?[\w -]{3,40})\.$"
        ),
        base,
    )
    if than:
        result += [
            (
                C,
                "than_swapped",
                sentence(f"{than[4]} {than[2]} {than[3]} than {lower_if_common(than[1])}"),
            )
        ] * 4
    suggested = _SUGGEST.match(base)
    if suggested:
        result += [(N, "hedge_dropped", sentence(base[suggested.end() :]))] * 5
    return result


def lower_if_common(text: str) -> str:
    """Return `text` with a small first letter where its first word is plainly no name."""
    first = text.split(" ", 1)[0]
    return text[0].lower() + text[1:] if first.lower() in vocabulary()["common_words"] else text


def embedded(s: Speaker, text: str) -> tuple[str, list[tuple[str, str, str]]] | None:
    """Return a premise that embeds `text`, with hypotheses about it.

    None where it would not fit.
    """
    base = _FOUND.sub("", _LEAD.sub("", _PARENTHESIS.sub("", text))).rstrip(".")
    if (
        _SUGGEST.match(base)
        or re.match(
            (
                r"^(This|These|They|It|He|She|We|Our|Such|But|And|If|Although|While|To|"
                r"In|As|Both|For|When)\b"
            ),
            base,
        )
        or ";" in base
        or ":" in base
        or "?" in base
    ):
        return None
    clause = lower_if_common(base)
    places = {
        "b": s.word("bodies"),
        "n": s.word("surnames"),
        "k": s.rng.randint(2, 30),
        "month": s.rng.choice(["March", "June", "October"]),
        "year": s.rng.randint(1990, 2020),
        "y": "the plan must be changed",
    }
    kind = s.rng.choice(["open", "open", "kept", "kept", "denied"])
    forms = [f for f in vocabulary()["embeddings"][kind] if "{not}" not in f]
    premise = s.say(s.rng.choice(forms), x=clause, **places)
    whole = sentence(base)
    other = [(c, t) for label, c, t in edits(s, whole) if label in (C, NOT_E)]
    if kind == "open":
        return premise, [(N, "embedded_open", whole)]
    if kind == "denied":
        return premise, [(C, "embedded_denied", whole)]
    hypotheses = [(E, "embedded_kept", whole)] * 2
    if other:
        hypotheses.append((NOT_E, *s.rng.choice(other)))
    return premise, hypotheses
