"""Passages dense with facts: several subjects, numbers, times and conditions.

A hypothesis is one fact in other words (it follows), or a fact put together from two of them: the
number of one with the subject, the time or the qualifier of another (it does not).
"""

from models.entailment.training.generate.language import (
    NOT_E,
    C,
    E,
    Item,
    N,
    Speaker,
    in_words,
    vocabulary,
)


def _value(s: Speaker, kind: str, used: set[str]) -> str:
    while True:
        n = s.rng.randint(2, 95)
        value = {
            "money": s.rng.choice(
                [f"{n},000 euros", f"{n}.{s.rng.randint(1, 9)} million euros", f"£{n * 10},000"]
            ),
            "time": f"{n} " + s.rng.choice(["days", "months", "weeks", "hours"]),
            "percent": s.rng.choice([f"{n}%", f"{n}.{s.rng.randint(1, 9)}%"]),
            "count": s.rng.choice([str(n), in_words(n), f"{n * 7:,}"]),
            "year": str(s.rng.randint(1990, 2025)),
            "mass": s.rng.choice([f"{n} tonnes", f"{n * 10} kg"]),
        }[kind]
        if value not in used:
            used.add(value)
            return value


def facts(s: Speaker) -> Item:
    """Two or three attributes of two or three subjects."""
    subjects = s.words("subjects", s.rng.choice([2, 2, 3]))
    chosen = s.words("attributes", s.rng.choice([1, 2, 2, 3]))
    used: set[str] = set()
    table = {(x, a[0]): _value(s, a[2], used) for x in subjects for a in chosen}
    sentences = []
    for attribute in chosen:
        parts = [s.rng.choice(attribute[1]).format(s=x, v=table[x, attribute[0]]) for x in subjects]
        s.rng.shuffle(parts)
        if len(parts) == 2:
            sentences.append(
                s.say(
                    "{a}" + s.rng.choice([", while {b}", "; {b}", ", whereas {b}", " and {b}"]),
                    a=parts[0],
                    b=parts[1],
                )
            )
        else:
            sentences.append(s.say("{a}, {b} and {c}", a=parts[0], b=parts[1], c=parts[2]))
    s.rng.shuffle(sentences)
    item = Item("dense_facts", " ".join(sentences), s)
    for attribute in chosen:
        for x in subjects:
            right = table[x, attribute[0]]
            form = s.rng.choice(attribute[1])
            item.add(E, "right", s.say(form, s=x, v=right))
            others = [table[y, attribute[0]] for y in subjects if y != x]
            item.add(
                C, "number_of_other", s.say(s.rng.choice(attribute[1]), s=x, v=s.rng.choice(others))
            )
            for other in chosen:
                if other is not attribute and other[2] == attribute[2]:
                    item.add(C, "number_of_other_attribute", s.say(form, s=x, v=table[x, other[0]]))
            wrong = _value(s, attribute[2], set(used))
            if wrong != right:
                item.add(C, "number", s.say(form, s=x, v=wrong))
    missing = s.rng.choice([a for a in vocabulary()["attributes"] if a not in chosen])
    item.add(N, "absent", s.say(missing[1][0], s=subjects[0], v=_value(s, missing[2], used)))
    if len(chosen) > 1:
        a, b = s.rng.sample(chosen, 2)
        x, y = s.rng.sample(subjects, 2)
        item.add(
            E,
            "two_facts",
            s.say(
                "{p}, and {q}",
                p=a[1][-1].format(s=x, v=table[x, a[0]]),
                q=b[1][0].format(s=x, v=table[x, b[0]]),
            ),
        )
        item.add(
            C,
            "two_facts",
            s.say(
                "{p}, and {q}",
                p=a[1][-1].format(s=x, v=table[x, a[0]]),
                q=b[1][0].format(s=x, v=table[y, b[0]]),
            ),
        )
    return item


def rules(s: Speaker) -> Item:
    """Several rules side by side: one value for one class, another value for another."""
    classes = s.rng.choice(
        [
            ("critical faults", "high faults", "low faults"),
            ("internal systems", "public systems", "test systems"),
            ("employees", "contractors", "visitors"),
            ("paper files", "electronic files", "tape copies"),
            ("urgent requests", "ordinary requests", "bulk requests"),
            ("new suppliers", "existing suppliers", "former suppliers"),
            ("large vessels", "small vessels", "pilot boats"),
            ("infants", "adults", "the elderly"),
            ("residents", "commuters", "tourists"),
            ("red zones", "amber zones", "green zones"),
        ]
    )
    a, b, c = s.rng.sample(classes, 3)
    kind = s.rng.choice(["deadline", "period", "fee", "interval"])
    forms: tuple[str, ...]
    if kind == "interval":
        freqs = s.words("frequencies", 3)
        x, y, z = (f[0] for f in freqs)
        same = [f[1] for f in freqs]
        one = "{c} are checked {v}"
        forms = ("{c} are checked {v}", "a check of {c} takes place {v}", "{c} undergo a check {v}")
    else:
        unit = {
            "deadline": s.rng.choice(["days", "hours"]),
            "period": s.rng.choice(["months", "years"]),
            "fee": "euros",
        }[kind]
        values = s.rng.sample(
            [2, 3, 5, 6, 7, 8, 10, 12, 14, 15, 20, 24, 30, 36, 45, 60, 72, 90, 120], 3
        )
        x, y, z = (f"{v} {unit}" for v in values)
        same = [x, y, z]
        one, forms = {
            "deadline": (
                "{c} must be dealt with within {v}",
                (
                    "for {c} the time limit is {v}",
                    "{c} have to be handled within {v}",
                    "{c} must be dealt with in no more than {v}",
                ),
            ),
            "period": (
                "records on {c} are kept for {v}",
                (
                    "the retention period for records on {c} is {v}",
                    "records on {c} are retained for {v}",
                ),
            ),
            "fee": (
                "{c} are charged {v}",
                ("the charge for {c} is {v}", "{c} have to pay {v}", "a fee of {v} applies to {c}"),
            ),
        }[kind]
    exempt = s.rng.random() < 0.4
    last = "{c} are exempt" if exempt else s.rng.choice(["for {c} it is {v}", one])
    d = {
        "p": one.format(c=a, v=x),
        "q": s.rng.choice([one, one, *forms]).format(c=b, v=y),
        "r": last.format(c=c, v=z),
    }
    if last.startswith("for {c} it is") and kind == "interval":
        d["r"] = one.format(c=c, v=z)
    item = Item(
        "dense_rules",
        s.say(
            "[{p}; {q}; {r}|{p}. {Q}. {R}|{p}, whereas {q}. {R}]",
            **d,
            Q=d["q"][0].upper() + d["q"][1:],
            R=d["r"][0].upper() + d["r"][1:],
        ),
        s,
        d,
    )

    def form() -> str:
        return s.rng.choice(forms)

    item.add(
        E,
        "right",
        s.say(form(), c=a, v=s.rng.choice([x, same[0]])),
        s.say(form(), c=b, v=s.rng.choice([y, same[1]])),
    )
    item.add(C, "swapped", s.say(form(), c=a, v=y), s.say(form(), c=b, v=x))
    item.add(
        C,
        "all",
        s.say(
            (
                "[the same applies to {a} and {b}|"
                "there is no difference between {a} and {b} in this respect]"
            ),
            a=a,
            b=b,
        ),
    )
    if exempt:
        item.add(E, "exempt", s.say("{c} are not subject to this rule", c=c))
        item.add(
            C,
            "exempt",
            s.say(form(), c=c, v=x),
            s.say("[nobody is exempt|{c} are covered as well]", c=c),
        )
        item.add(NOT_E, "exempt_other", s.say("{a} are exempt", a=a))
    else:
        item.add(E, "right", s.say(form(), c=c, v=z))
        item.add(C, "swapped", s.say(form(), c=c, v=s.rng.choice([x, y])), s.say(form(), c=a, v=z))
    return item
