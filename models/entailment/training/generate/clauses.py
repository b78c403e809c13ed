"""Clauses that a sentence asserts or does not, and facts combined from two sentences."""

from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker
from models.entailment.training.generate.roles import acts, nouns, tail, verbs


def clauses(s: Speaker) -> Item:
    """Clauses whose truth the sentence does or does not assert."""
    a, b, c = nouns(s, 3)
    v, _ = verbs(s, 2)
    i, j = acts(s, 2)
    x, y = f"the {a} {i}", s.rng.choice([f"the {b} {v} the {c}", f"the {b} {j}"])
    d = {
        "x": x,
        "y": y,
        "a": a,
        "b": b,
        "t": tail(s),
        "know": s.word("factive"),
        "believe": s.word("nonfactive"),
    }
    kind = s.rng.choice(
        ["concede", "if", "factive", "nonfactive", "adverb", "or", "np_s", "disbelief"]
    )
    if kind == "concede":
        item = Item(
            "clause_true",
            s.say("[although|because|since|after|before|while|as|even though] {x}, {y}{t}", **d),
            s,
            d,
        )
        item.say(E, "clause", "{x}", "{y}")
        item.say(C, "denied", "it is not true that {y}", "it is not true that {x}")
        item.say(N, "joined", "the {b} told the {a} about it")
    elif kind == "if":
        item = Item(
            "clause_if",
            s.say(
                s.rng.choice(
                    [
                        (
                            "[if|unless|in case|provided that|whether or not|"
                            "supposing that] {x}, {y}{t}"
                        ),
                        "{y} [if|unless|in the event that|provided that] {x}{t}",
                    ]
                ),
                **d,
            ),
            s,
            d,
        )
        item.say(N, "clause", "{x}", "{x}")
        if "hether or not" not in item.premise:
            item.say(N, "clause", "{y}")
        else:
            item.say(E, "clause", "{y}")
        item.say(N, "denied", "it is not true that {x}")
        if "nless" in item.premise:
            item.say(E, "conditional", "either {x} or {y}")
        elif "hether or not" not in item.premise:
            item.say(E, "conditional", "given that {x}, it holds that {y}")
    elif kind == "factive":
        item = Item("clause_factive", s.say("the {b} {know} that {x}{t}", **d), s, d)
        item.say(E, "clause", "{x}", "{x}")
        item.say(C, "denied", "it is not the case that {x}")
        item.say(N, "subsequence", "the {a} {know} that")
    elif kind == "nonfactive":
        item = Item("clause_nonfactive", s.say("the {b} {believe} that {x}{t}", **d), s, d)
        item.say(N, "clause", "{x}", "{x}", "it is not the case that {x}")
        item.add(
            E,
            "attitude",
            s.say(
                "it was {believe} by the {b} that {x}",
                **(
                    d
                    | {
                        "believe": "thought"
                        if d["believe"] in {"believed", "thought"}
                        else d["believe"]
                    }
                ),
            )
            if d["believe"] not in {"hoped", "pretended"}
            else s.say("the {b} {believe} {x}", **d),
        )
    elif kind == "adverb":
        true = s.rng.random() < 0.5
        word = s.rng.choice(
            [
                "certainly",
                "indeed",
                "of course",
                "undoubtedly",
                "as everybody saw",
                "as the minutes show",
                "without question",
            ]
            if true
            else [
                "probably",
                "possibly",
                "perhaps",
                "supposedly",
                "allegedly",
                "reportedly",
                "in all likelihood",
                "maybe",
                "hopefully",
            ]
        )
        item = Item(
            "clause_adverb",
            s.say(
                "{word}, {x}{t}" if s.rng.random() < 0.6 else "{x}, {word}{t}",
                **(d | {"word": word}),
            ),
            s,
            d,
        )
        item.say(E if true else N, "clause", "{x}", "{x}")
        item.say(C if true else N, "denied", "it is not true that {x}")
        if not true:
            item.say(E, "hedged", "it may be that {x}")
    elif kind == "or":
        item = Item("clause_or", s.say("[either |]{x}, or {y}{t}", **d), s, d)
        item.say(N, "clause", "{x}", "{y}", "{x}, and {y}")
        item.say(E, "or", "{y}, or {x}")
        item.say(C, "neither", "it is neither true that {x} nor that {y}")
    elif kind == "np_s":
        verb = s.rng.choice(
            [
                "heard",
                "said",
                "feared",
                "doubted",
                "expected",
                "read",
                "reported",
                "was told",
                "suggested",
            ]
        )
        item = Item(
            "clause_np",
            s.say("the {b} {k} the {a} {i}{t}", **(d | {"k": verb, "i": i}))
            if verb not in {"was told"}
            else s.say("the {b} was told the {a} {i}{t}", **(d | {"i": i})),
            s,
            d,
        )
        item.add(
            N,
            "subsequence",
            s.say(
                "the {b} {k} the {a}",
                **(
                    d
                    | {
                        "k": verb
                        if verb in {"heard", "feared", "doubted", "expected", "reported"}
                        else "met"
                    }
                ),
            ),
            s.say("{x}", **d),
            s.say("{x}", **d),
        )
    else:
        verb = s.rng.choice(
            [
                "denied",
                "doubted",
                "questioned whether",
                "asked whether",
                "could not say whether",
                "refused to believe",
                "wondered whether",
                "failed to show",
            ]
        )
        that = "" if verb.endswith("whether") else " that"
        item = Item(
            "clause_doubted",
            s.say("the {b} {k}{that} {x}{t}", **(d | {"k": verb, "that": that})),
            s,
            d,
        )
        item.say(N, "clause", "{x}", "{x}", "it is not true that {x}")
        item.say(E, "attitude", "the {b} did not [confirm|assert] that {x}")
    return item


_FEATURES = (
    ("is based in {place}", "has its seat in {place}", "is not based in {place}"),
    ("employs {n} people", "has a staff of {n}", "employs {m} people"),
    ("was founded in {y}", "has existed since {y}", "was founded in {z}"),
    ("won the tender", "was successful in the tender", "lost the tender"),
    ("missed the deadline", "was too late", "met the deadline"),
    ("reported a loss", "made a loss", "reported a profit"),
    ("signed the charter", "put its name to the charter", "refused to sign the charter"),
    ("raised its fees by {k}%", "put its fees up by {k}%", "lowered its fees by {k}%"),
    (
        "has no data protection officer",
        "lacks a data protection officer",
        "has a data protection officer",
    ),
    (
        "stores its records abroad",
        "keeps its records outside the country",
        "stores its records in the country",
    ),
    ("passed the audit", "came through the audit", "failed the audit"),
    ("uses recycled water", "makes use of recycled water", "uses no recycled water"),
    ("closed two of its {q} branches", "shut two branches", "closed all of its {q} branches"),
)


def combine(s: Speaker) -> Item:
    """Two sentences: coreference, a fact from each, facts given to the wrong one."""
    a, b = s.words("bodies", 2)
    name, rival = s.words("surnames", 2)
    form = s.rng.choice(["the {}", "{}"])
    first = (
        f"the {name} {a}"
        if form == "the {}"
        else f"{name} {s.rng.choice(['Ltd', 'BV', 'AG', 'Holding', 'Group'])}"
    )
    second = (
        f"the {rival} {b}"
        if form == "the {}"
        else f"{rival} {s.rng.choice(['Ltd', 'BV', 'AG', 'Partners', 'Systems'])}"
    )
    f1, f2, f3 = s.rng.sample(_FEATURES, 3)
    n = s.rng.randint(12, 900)
    y = s.rng.randint(1950, 2015)
    k = s.rng.randint(2, 12)
    fill = {
        "place": s.word("places"),
        "n": n,
        "m": s.other(n, 5),
        "y": y,
        "z": s.other(y, 1900),
        "k": k,
        "q": s.rng.randint(5, 30),
    }
    (p, pr, pn), (q, qr, qn), (r, rr, _) = ([t.format(**fill) for t in f] for f in (f1, f2, f3))
    short = a if form == "the {}" else s.rng.choice(["company", "firm"])
    d = {
        "a": first,
        "b": second,
        "A": first[0].upper() + first[1:],
        "B": second[0].upper() + second[1:],
        "p": p,
        "pr": pr,
        "pn": pn,
        "q": q,
        "qr": qr,
        "qn": qn,
        "r": r,
        "rr": rr,
        "short": short,
    }
    if s.rng.random() < 0.55:
        premise = s.say("{A} {p}. [It|The {short}] {q}.[ {B} {r}.|]", **d)
        item = Item("coreference", premise, s, d)
        item.say(E, "resolved", "{a} {q}", "{a} {qr}")
        item.say(E, "joined", "{a} {pr} and {qr}", "{a}, which {p}, {q}")
        item.say(C, "denied", "{a} {qn}", "{a} {p} but {qn}")
        if r in premise:
            item.say(N, "wrong_one", "{b} {q}", "{a} {r}", "{b} {p}", "{a} {q} and {r}")
            item.say(E, "other", "{b} {rr}")
        else:
            item.say(N, "absent", "{a} {r}", "{b} {q}")
    else:
        premise = s.say(
            (
                "[{A} {p}, whereas {b} {q}|{A} {p}; {b} {q}|{A} {p}. {B} {q}|"
                "unlike {b}, which {q}, {a} {p}]"
            ),
            **d,
        )
        item = Item("two_subjects", premise, s, d)
        item.say(E, "part", "{a} {pr}", "{b} {qr}")
        item.say(E, "joined", "{b} {qr}, and {a} {pr}")
        item.say(NOT_E, "swapped", "{a} {qr}", "{b} {pr}", "{b} {p}, whereas {a} {q}")
        item.say(NOT_E, "both", "{a} and {b} are in the same position: each {q}")
        item.say(C, "denied", "{b} {qn}")
    return item
