"""Who did what to whom, and nouns near a verb that are not its subject."""

from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker, vocabulary


def nouns(s: Speaker, count: int) -> list[str]:
    """Draw different people and bodies."""
    pool = vocabulary()["people"] + vocabulary()["bodies"]
    return s.rng.sample(pool, count)


def verbs(s: Speaker, count: int) -> list[str]:
    """Draw different transitive verbs in the past tense."""
    return [past for _, past in s.words("transitive", count)]


def acts(s: Speaker, count: int) -> list[str]:
    """Draw different intransitive verbs in the past tense."""
    return [past for _, past in s.words("intransitive", count)]


def tail(s: Speaker) -> str:
    """Draw a place or a time to end a sentence with, mostly none."""
    return s.rng.choice(
        [
            "",
            "",
            "",
            f" in {s.word('places')}",
            " last year",
            " in the spring",
            " at the hearing",
            " during the audit",
            " before the vote",
        ]
    )


def roles(s: Speaker) -> Item:
    """Who did it and to whom: reversal, passive, by-phrases, chains."""
    a, b, c = nouns(s, 3)
    v, w = verbs(s, 2)
    d = {"a": a, "b": b, "c": c, "v": v, "w": w, "t": tail(s)}
    kind = s.rng.choice(["simple", "passive", "chain", "relative", "by", "and"])
    if kind in ("simple", "passive"):
        premise = s.say(
            "the {a} {v} the {b}{t}" if kind == "simple" else "the {b} was {v} by the {a}{t}", **d
        )
        item = Item("roles", premise, s, d)
        item.say(
            E,
            "passive",
            "the {b} was {v} by the {a}",
            "the {a} {v} the {b}",
            "it was the {a} who {v} the {b}",
        )
        item.say(
            NOT_E,
            "reversed",
            "the {b} {v} the {a}",
            "the {a} was {v} by the {b}",
            "it was the {b} who {v} the {a}",
        )
        item.say(C, "denied", "the {a} never {v} the {b}", "the {b} was not {v} by the {a}")
        item.say(N, "other", "the {a} {v} the {c}", "the {c} {v} the {b}")
    elif kind == "chain":
        premise = s.say(
            (
                "[the {a} {v} the {b}, and the {b} {w} the {c}|"
                "the {a} {v} the {b}, who {w} the {c}|"
                "the {a} {v} the {b}, while the {b} {w} the {c}]{t}"
            ),
            **d,
        )
        item = Item("roles_chain", premise, s, d)
        item.say(
            E, "part", "the {b} {w} the {c}", "the {a} {v} the {b}", "the {c} was {w} by the {b}"
        )
        item.say(
            NOT_E,
            "mixed",
            "the {a} {w} the {c}",
            "the {c} {w} the {b}",
            "the {a} {w} the {b}",
            "the {c} was {v} by the {a}",
        )
    elif kind == "relative":
        act = acts(s, 1)[0]
        d |= {"i": act}
        if s.rng.random() < 0.5:
            premise = s.say("the {a} [who|that] {v} the {b} {i}{t}", **d)
            item = Item("roles_relative", premise, s, d)
            item.say(E, "part", "the {a} {i}", "the {a} {v} the {b}", "the {b} was {v} by the {a}")
            item.say(NOT_E, "subsequence", "the {b} {i}", "the {b} {i}", "the {b} {v} the {a}")
        else:
            premise = s.say("the {a} [that|whom] the {b} {v} {i}{t}", **d)
            item = Item("roles_relative", premise, s, d)
            item.say(E, "part", "the {a} {i}", "the {b} {v} the {a}", "the {a} was {v} by the {b}")
            item.say(
                NOT_E, "subsequence", "the {b} {i}", "the {b} {v} and {i}", "the {a} {v} the {b}"
            )
    elif kind == "by":
        premise = s.say(
            "[the {a}, {v} by the {b}, {w} the {c}|the {a} {v} by the {b} {w} the {c}]{t}", **d
        )
        item = Item("roles_participle", premise, s, d)
        item.say(
            E, "part", "the {a} {w} the {c}", "the {b} {v} the {a}", "the {c} was {w} by the {a}"
        )
        item.say(
            NOT_E,
            "subsequence",
            "the {b} {w} the {c}",
            "the {a} {v} the {b}",
            "the {c} {w} the {a}",
        )
    else:
        premise = s.say(
            (
                "[the {a} and the {b} {v} the {c}|"
                "the {c} was {v} by the {a} and the {b}|"
                "both the {a} and the {b} {v} the {c}]{t}"
            ),
            **d,
        )
        item = Item("roles_and", premise, s, d)
        item.say(
            E, "part", "the {a} {v} the {c}", "the {c} was {v} by the {b}", "the {b} {v} the {c}"
        )
        item.say(
            NOT_E, "reversed", "the {a} {v} the {b}", "the {c} {v} the {a}", "the {b} {v} the {a}"
        )
        item.say(C, "one", "only the {a} {v} the {c}", "neither the {a} nor the {b} {v} the {c}")
    return item


def attachment(s: Speaker) -> Item:
    """A noun near the verb that is not its subject; objects joined by and, or."""
    a, b, c = nouns(s, 3)
    v, w = verbs(s, 2)
    i, j = acts(s, 2)
    d = {
        "a": a,
        "b": b,
        "c": c,
        "v": v,
        "w": w,
        "i": i,
        "j": j,
        "t": tail(s),
        "near": s.rng.choice(
            [
                "near",
                "next to",
                "behind",
                "working for",
                "appointed by",
                "in the office of",
                "known to",
                "advised by",
                "opposite",
                "with",
            ]
        ),
    }
    kind = s.rng.choice(["pp", "pp", "objects", "or", "verbs", "possessive"])
    if kind == "pp":
        if s.rng.random() < 0.5:
            item = Item("attachment", s.say("the {a} {near} the {b} {i}{t}", **d), s, d)
            item.say(E, "subject", "the {a} {i}", "the {a} {i}")
            item.say(N, "subsequence", "the {b} {i}", "the {b} {i}")
        else:
            item = Item("attachment", s.say("the {a} {near} the {b} {v} the {c}{t}", **d), s, d)
            item.say(E, "subject", "the {a} {v} the {c}", "the {c} was {v} by the {a}")
            item.say(N, "subsequence", "the {b} {v} the {c}", "the {c} was {v} by the {b}")
    elif kind == "objects":
        item = Item("objects_and", s.say("the {a} {v} the {b} and the {c}{t}", **d), s, d)
        item.say(
            E, "part", "the {a} {v} the {b}", "the {a} {v} the {c}", "the {c} was {v} by the {a}"
        )
        item.say(
            N,
            "subsequence",
            "the {b} and the {c} {i}",
            "the {b} {v} the {c}",
            "the {c} {v} the {b}",
        )
    elif kind == "or":
        item = Item("objects_or", s.say("[either |]the {a} or the {b} {v} the {c}{t}", **d), s, d)
        item.say(
            N,
            "part",
            "the {a} {v} the {c}",
            "the {b} {v} the {c}",
            "both the {a} and the {b} {v} the {c}",
        )
        item.say(E, "some", "the {c} was {v} by the {a} or by the {b}", "someone {v} the {c}")
        item.say(C, "neither", "neither the {a} nor the {b} {v} the {c}", "nobody {v} the {c}")
    elif kind == "verbs":
        item = Item("verbs_and", s.say("the {a} {v} the {b} and {i}{t}", **d), s, d)
        item.say(E, "part", "the {a} {i}", "the {a} {v} the {b}")
        item.say(N, "subsequence", "the {b} {i}", "the {b} {v} the {a}")
        item.say(C, "denied", "the {a} did not do anything to the {b}")
    else:
        item = Item("possessive", s.say("the {b}'s {a} {v} the {c}{t}", **d), s, d)
        item.say(N, "subsequence", "the {b} {v} the {c}", "the {c} was {v} by the {b}")
        item.say(E, "subject", "the {a} of the {b} {v} the {c}", "the {c} was {v} by the {b}'s {a}")
    return item
