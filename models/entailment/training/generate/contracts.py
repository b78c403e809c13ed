"""Contract terms, and definitions, which oblige nobody."""

from models.entailment.training.generate.duties import duty
from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker, in_words


def liability(s: Speaker) -> Item:
    """Contract terms: caps, both and neither party, notice, termination."""
    a, b = s.words("actors", 2)
    n = s.rng.choice([10, 20, 25, 30, 50, 75, 100, 125, 150, 200])
    m = s.other(n, 5, near=False)
    cap = s.rng.choice(
        [
            "of the annual fee",
            "of the contract price",
            "of the charges paid",
            "of the purchase price",
        ]
    )
    loss = s.rng.choice(
        [
            "loss of profit",
            "indirect damage",
            "loss of data",
            "delay",
            "defects caused by misuse",
            "loss of goodwill",
        ]
    )
    other = s.rng.choice(
        [
            "fraud",
            "wilful default",
            "death or injury",
            "breach of confidence",
            "gross negligence",
        ]
    )
    right = s.rng.choice(
        [
            "terminate the agreement",
            "assign its rights",
            "request an audit",
            "extend the term",
            "suspend performance",
            "refer a dispute to arbitration",
        ]
    )
    notice = s.rng.choice([1, 2, 3, 4, 6, 9])
    d = {
        "a": a,
        "b": b,
        "n": n,
        "m": m,
        "cap": cap,
        "loss": loss,
        "other": other,
        "right": right,
        "k": in_words(notice),
        "k2": in_words(s.other(notice, 1)),
    }
    kind = s.rng.choice(["cap", "neither", "either", "both", "nothing"])
    if kind == "cap":
        premise = s.say(
            (
                "[The {a}'s total liability shall not exceed {n}% {cap}|"
                "The liability of the {a} is limited to {n}% {cap}|"
                "The {a} is liable up to a maximum of {n}% {cap}]"
            ),
            **d,
        )
        item = Item("cap", premise, s, d)
        item.say(
            E,
            "at_most",
            (
                "[the {a} is liable for at most {n}% {cap}|"
                "the {a}'s liability is capped at {n}% {cap}|"
                "the {a} will not have to pay more than {n}% {cap}]"
            ),
        )
        item.say(E, "limited", "the liability of the {a} is [not unlimited|subject to a cap]")
        item.say(C, "number", "the {a}'s liability is capped at {m}% {cap}")
        item.say(
            C,
            "at_least",
            (
                "[the {a} is liable for at least {n}% {cap}|"
                "the {a}'s liability is unlimited|"
                "the {a}'s liability may go beyond {n}% {cap}]"
            ),
        )
        item.say(NOT_E, "who", "the {b}'s liability is capped at {n}% {cap}")
        item.say(N, "exact", "the {a} [had to pay|paid|owes] {n}% {cap}")
    elif kind == "neither":
        premise = s.say(
            (
                "neither the {a} nor the {b} is liable for {loss}, [except in cases of|"
                "save in the case of] {other}"
            ),
            **d,
        )
        item = Item("neither", premise, s, d)
        item.say(
            E,
            "one",
            (
                "[save in the case of {other}, the {a} is not liable for {loss}|"
                "the {b} is not liable for {loss} unless there is {other}]"
            ),
        )
        item.say(
            E, "both", "in principle both the {a} and the {b} are free of liability for {loss}"
        )
        item.say(
            C, "liable", "[both parties are|the {a} is always|the {b} is always] liable for {loss}"
        )
        item.say(
            C, "exception", "the exclusion of liability for {loss} applies even in cases of {other}"
        )
        item.say(NOT_E, "one_only", "only the {a} is protected from liability for {loss}")
    elif kind == "either":
        premise = s.say(
            (
                "[either party|both the {a} and the {b}] may {right} by giving {k} "
                "months' notice[ in writing|]"
            ),
            **d,
        )
        item = Item("either", premise, s, d)
        if "ither party" in premise:
            item.say(E, "each", "each party [may|is entitled to] {right} on {k} months' notice")
            item.say(C, "neither", "neither party may {right}")
        else:
            item.say(E, "each", "the [{a}|{b}] [may|is entitled to] {right} on {k} months' notice")
            item.say(C, "one", "[only the {a} may|the {b} may not] {right}")
        item.say(C, "number", "[{k2} months' notice|No notice] is needed to {right}")
        item.say(N, "reason", "a party may {right} only for good reason")
        item.say(N, "done", "the {a} decided to {right}")
    elif kind == "both":
        premise = s.say(
            "the {a} may {right} only with the [prior |]written consent of the {b}", **d
        )
        item = Item("consent", premise, s, d)
        item.say(
            E,
            "consent",
            (
                "[without written consent of the {b}, the {a} may not {right}|"
                "the {a} needs the {b}'s written consent to {right}]"
            ),
        )
        item.say(C, "free", "the {a} may {right} without [consulting|the consent of] the {b}")
        item.say(NOT_E, "swapped", "the {b} may {right} only with the written consent of the {a}")
        item.say(N, "given", "the {b} has given written consent")
        item.say(C, "oral", "oral consent of the {b} is enough for the {a} to {right}")
    else:
        premise = s.say(
            "nothing in this agreement [limits|excludes] the {a}'s liability for {other}", **d
        )
        item = Item("nothing", premise, s, d)
        item.add(
            E,
            "kept",
            s.say(
                "the {a}'s liability for {other} is not {v} by this agreement",
                **(d | {"v": "limited" if "limits" in premise else "excluded"}),
            ),
        )
        item.add(
            C,
            "limited",
            s.say(
                "the agreement {v} the {a}'s liability for {other}",
                **(d | {"v": "limits" if "limits" in premise else "excludes"}),
            ),
        )
        item.say(N, "other", "the agreement limits the {a}'s liability for {loss}")
        item.say(N, "who", "nothing in this agreement limits the {b}'s liability for {other}")
    return item


def definition(s: Speaker) -> Item:
    """What a term means, which obliges nobody and says nothing of what is so."""
    d = duty(s)
    narrow, wide, others = s.word("isa")
    n = s.rng.choice([2, 3, 5, 10, 20, 50])
    d |= {
        "term": narrow,
        "wide": wide,
        "others": others,
        "n": n,
        "m": s.other(n),
        "holder": s.rng.choice(
            ["written", "registered", "approved", "temporary", "shared", "privileged"]
        ),
        "more": s.rng.choice(
            [
                "used by more than {} people",
                "older than {} years",
                "worth over {} euros",
                "kept for at least {} days",
            ]
        ),
    }
    d["bad"] = d["more"].format(d["m"])
    d["more"] = d["more"].format(n)
    premise = s.say(
        (
            '[In this document, "{holder} {term}" means any {term} that is {more}|'
            '"{holder} {term}" is defined as a {term} {more}|'
            "A {holder} {term} is, for the purposes of this document, "
            "a {wide} of the type {term} that is {more}]"
        ),
        **d,
    )
    item = Item("definition", premise, s, d)
    item.say(
        E,
        "same",
        (
            "[the document defines a {holder} {term} as one {more}|"
            'the term "{holder} {term}" covers any {term} that is {more}]'
        ),
    )
    item.say(E, "defined", "the document says what it means by a {holder} {term}")
    item.say(C, "number", "the document defines a {holder} {term} as one {bad}")
    item.say(
        N,
        "duty",
        "every {term} must be {more}",
        "every {holder} {term} must be {past}",
        "the {actor} must {verb} every {holder} {term}",
    )
    item.say(
        N, "fact", "[most|some|all] {others} are {more}", "the organisation has a {holder} {term}"
    )
    return item
