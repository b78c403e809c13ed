"""Findings inside something that takes their truth away, keeps it, or denies it."""

from models.entailment.training.generate.language import (
    MONTHS,
    NOT_E,
    C,
    E,
    Item,
    N,
    Speaker,
    vocabulary,
)


def finding(s: Speaker) -> tuple[str, str, str]:
    """Draw a short finding as (clause, reworded clause, negated clause)."""
    f = s.word("factors")
    c = s.word("conditions_of")
    m, _ = s.word("measures")
    t = s.word("topics")
    body = s.word("bodies")
    a, b = s.words("comparable", 2)
    high, low = s.word("comparatives")
    return s.rng.choice(
        [
            (
                f"{f} increases the risk of {c}",
                f"the risk of {c} is raised by {f}",
                f"{f} does not increase the risk of {c}",
            ),
            (f"{f} reduces {m}", f"{m} is lowered by {f}", f"{f} does not reduce {m}"),
            (f"{f} is a cause of {c}", f"{c} can be caused by {f}", f"{f} is not a cause of {c}"),
            (f"{t} was compromised", f"there was a compromise of {t}", f"{t} was not compromised"),
            (
                f"the {body} knew about the fault",
                f"the fault was known to the {body}",
                f"the {body} did not know about the fault",
            ),
            (f"{a} is {high} than {b}", f"{b} is {low} than {a}", f"{a} is not {high} than {b}"),
            (
                f"the {body} paid for {t}",
                f"{t} was paid for by the {body}",
                f"the {body} did not pay for {t}",
            ),
            (f"{t} is ready for use", f"{t} can be used", f"{t} is not ready for use"),
            (
                f"the {body} broke the agreement",
                f"the agreement was broken by the {body}",
                f"the {body} did not break the agreement",
            ),
            (
                f"the failure of {t} was caused by human error",
                f"human error made {t} fail",
                f"the failure of {t} was not caused by human error",
            ),
        ]
    )


def embedding(s: Speaker) -> Item:
    """A finding inside something that takes its truth away, keeps it, or denies it."""
    claim, reword, negated = finding(s)
    other, _, _ = finding(s)
    name, name2 = s.words("surnames", 2)
    body, body2 = s.words("bodies", 2)
    d = {
        "x": claim,
        "r": reword,
        "not": negated,
        "y": other,
        "n": name,
        "n2": name2,
        "b": body,
        "b2": body2,
        "year": s.rng.randint(1985, 2024),
        "k": s.rng.randint(2, 60),
        "month": s.rng.choice(MONTHS),
    }
    embeddings = vocabulary()["embeddings"]
    kind = s.rng.choice(["open", "open", "kept", "denied", "prior"])
    if kind == "open":
        premise = s.say(s.rng.choice(embeddings["open"]), **d)
        item = Item("embedded_open", premise, s, d)
        item.say(N, "dropped", "{x}", "{r}", "[this study|the report] [shows|found] that {x}")
        item.say(N, "denied", "{not}")
        item.say(
            E,
            "kept",
            "[it is mentioned as a possibility|the question was raised|the idea comes up] that {x}"
            if s.rng.random() < 0.5
            else "[the text does not say for certain that {x}|the text leaves open whether {x}]",
        )
    elif kind == "kept":
        premise = s.say(s.rng.choice(embeddings["kept"]), **d)
        item = Item("embedded_kept", premise, s, d)
        item.say(E, "same", "{x}", "{r}", "{r}")
        item.say(C, "denied", "{not}", "[it is not the case|it is wrong to say] that {x}", "{not}")
        item.say(N, "more", "{x}, and {y}")
    elif kind == "denied":
        premise = s.say(s.rng.choice(embeddings["denied"]), **d)
        item = Item("embedded_denied", premise, s, d)
        item.say(C, "dropped", "{x}", "{r}")
        item.say(E, "denied", "{not}", "it is [not true|untrue|false] that {x}")
    else:
        premise = s.say(
            (
                "[In {year}, {n} and colleagues reported that {x}|"
                "{n} [{year}] argued that {x}|"
                "An earlier study ({n}, {year}) concluded that {x}|"
                "According to the {b}, {x}|The {b} takes the view that {x}|"
                "{n} maintains that {x}; {n2} disagrees]"
            ).replace("[{year}]", "({year})"),
            **d,
        )
        item = Item("attributed", premise, s, d)
        who = f"the {body}" if f"the {body}" in premise.lower() else name
        rival = f"the {body2}" if who != name else name2
        d |= {"who": who, "rival": rival}
        item.say(
            E,
            "attributed",
            "{who} [holds|stated|has said] that {r}",
            "[in the view of {who}|according to {who}], {x}",
        )
        item.say(NOT_E, "swapped", "{rival} [holds|stated|has said] that {x}")
        item.say(C, "denied", "{who} [denied|disputed|rejected the idea] that {x}")
        item.say(N, "own", "the present study [found|shows|confirms] that {x}", "{x}")
    return item
