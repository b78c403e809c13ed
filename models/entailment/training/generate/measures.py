"""Units, bounds, comparisons, rises and falls."""

from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker

_UNITS = (
    ("kg", "g", 1000),
    ("km", "m", 1000),
    ("g", "mg", 1000),
    ("m", "cm", 100),
    ("cm", "mm", 10),
    ("tonnes", "kg", 1000),
    ("litres", "ml", 1000),
    ("GB", "MB", 1000),
    ("hours", "minutes", 60),
    ("minutes", "seconds", 60),
    ("days", "hours", 24),
    ("weeks", "days", 7),
    ("years", "months", 12),
    ("MW", "kW", 1000),
    ("mg", "micrograms", 1000),
    ("kV", "V", 1000),
    ("seconds", "milliseconds", 1000),
    ("TB", "GB", 1000),
    ("hectares", "square metres", 10000),
    ("million euros", "euros", 1_000_000),
    ("million dollars", "dollars", 1_000_000),
    ("thousand pounds", "pounds", 1000),
)


def units(s: Speaker) -> Item:
    """The same quantity in another unit, another quantity in the same or another unit."""
    big, small, factor = s.rng.choice(_UNITS)
    noun = {
        "kg": "weight",
        "km": "distance",
        "g": "dose",
        "m": "length",
        "cm": "thickness",
        "tonnes": "load",
        "litres": "volume",
        "GB": "size",
        "hours": "duration",
        "minutes": "delay",
        "days": "waiting time",
        "weeks": "interval",
        "years": "term",
        "MW": "output",
        "mg": "daily dose",
        "kV": "voltage",
        "seconds": "response time",
        "TB": "storage volume",
        "hectares": "area",
        "million euros": "budget",
        "million dollars": "cost",
        "thousand pounds": "fine",
    }[big]
    t = s.word("topics")
    value = s.rng.choice([1.5, 2, 2.5, 3, 4, 5, 0.5, 6, 8, 10, 12, 1.2, 0.75, 1.8])

    def as_text(v: float) -> str:
        return f"{v:,.10g}" if v < 1e15 else str(v)

    small_value = round(value * factor, 6)
    small_text = f"{small_value:,.0f}" if small_value == int(small_value) else f"{small_value:g}"
    a, b = f"{as_text(value)} {big}", f"{small_text} {small}"
    if s.rng.random() < 0.5:
        a, b = b, a
    wrong = s.rng.choice(
        [
            f"{as_text(value)} {small}",
            f"{as_text(value * 10)} {big}",
            f"{small_text} {big}",
            f"{as_text(round(value + 1, 3))} {big}",
            f"{as_text(round(value * factor / 10, 4))} {small}",
        ]
    )
    v_big, v_small = (
        as_text(round(value + 0.5 + value * s.rng.random(), 1)),
        as_text(round(value * 0.6, 2)),
    )
    d = {
        "n": noun,
        "t": t,
        "a": a,
        "b": b,
        "wrong": wrong,
        "over": f"{v_big} {big}",
        "under": f"{v_small} {big}",
    }
    form = s.rng.choice(["exact", "exact", "most", "least"])
    if form == "exact":
        premise = s.say(
            "[the {n} for {t} is {a}|{t} has a {n} of {a}|a {n} of {a} was [set|recorded] for {t}]",
            **d,
        )
        item = Item("units", premise, s, d)
        item.say(E, "same", "the {n} for {t} is {a}")
        item.say(
            E,
            "unit_equal",
            "[the {n} for {t} is {b}|{b} is the {n} for {t}]",
            "for {t}, the {n} equals {b}",
        )
        item.say(C, "unit", "[the {n} for {t} is {wrong}|{wrong} is the {n} for {t}]")
        item.say(
            E,
            "bound",
            "the {n} for {t} is [less than|below] {over}",
            "the {n} for {t} is [more than|above] {under}",
        )
        item.say(
            C,
            "bound",
            "the {n} for {t} is [more than|above|at least] {over}",
            "the {n} for {t} is [less than|below|at most] {under}",
        )
        other = s.rng.choice([x for x in s.words("topics", 2) if x != t])
        item.add(N, "other", s.say("the {n} for {o} is {a}", **(d | {"o": other})))
        return item
    most = form == "most"
    d |= {
        "bound": s.rng.choice(
            ["at most", "no more than", "not more than", "a maximum of", "up to"]
            if most
            else ["at least", "no less than", "not less than", "a minimum of"]
        ),
        "again": s.rng.choice(
            ["at most", "no more than", "a maximum of"]
            if most
            else ["at least", "no less than", "a minimum of"]
        ),
        "opposite": s.rng.choice(
            ["at least", "no less than", "more than"]
            if most
            else ["at most", "no more than", "less than"]
        ),
        "breach": "exceed" if most else "be below",
    }
    premise = s.say(
        "[the {n} for {t} must be {bound} {a}|for {t}, the {n} shall be {bound} {a}]", **d
    )
    item = Item("bounds", premise, s, d)
    item.say(
        E,
        "same",
        "the {n} for {t} must not {breach} {a}",
        "the {n} for {t} is required to be {again} {a}",
    )
    item.say(E, "unit_equal", "the {n} for {t} has to be {again} {b}")
    item.say(
        C,
        "bound",
        "the {n} for {t} must be {opposite} {a}",
        "the {n} for {t} [may|is allowed to] {breach} {a}",
    )
    item.say(C, "unit", "the {n} for {t} must be {again} {wrong}")
    item.say(N, "exact", "the {n} for {t} [is|was] [exactly |]{a}")
    return item


def comparison(s: Speaker) -> Item:
    """Comparatives and their converse; equality; superlatives."""
    a, b, third = s.words("comparable", 3)
    high, low = s.word("comparatives")
    d = {
        "a": a,
        "b": b,
        "c": third,
        "h": high,
        "l": low,
        "f": s.rng.choice(["clearly ", "slightly ", "much ", "", "", ""]),
    }
    kind = s.rng.choice(["than", "than", "not_as", "chain", "equal"])
    if kind == "chain":
        premise = s.say(
            (
                "[{a} was {h} than {b}, and {b} was {h} than {c}|"
                "{a} was {h} than {b}, which in turn was {h} than {c}]"
            ),
            **d,
        )
        item = Item("comparison_chain", premise, s, d)
        item.say(E, "transitive", "{a} was {h} than {c}", "{c} was {l} than {a}")
        item.say(C, "reversed", "{c} was {h} than {a}", "{b} was {h} than {a}")
        item.say(C, "most", "of the three, {b} was the one that was {h} than both others")
        return item
    if kind == "equal":
        premise = s.say("{a} was neither {h} nor {l} than {b}", **d)
        item = Item("comparison_equal", premise, s, d)
        item.say(
            E,
            "same",
            "{b} was not {h} than {a}",
            "there was no difference of this kind: {a} was not {l} than {b}",
        )
        item.say(
            C, "higher", "{a} was {h} than {b}", "{b} was {h} than {a}", "{a} was {l} than {b}"
        )
        return item
    premise = (
        s.say(
            (
                "[{a} was {f}{h} than {b}|compared with {b}, {a} was {f}{h}|"
                "{a} proved {f}{h} than {b}]"
            ),
            **d,
        )
        if kind == "than"
        else s.say("{b} was {f}{l} than {a}", **d)
    )
    item = Item("comparison", premise, s, d)
    item.say(E, "same", "{a} was {h} than {b}")
    item.say(E, "converse", "{b} was {l} than {a}", "in comparison with {a}, {b} was {l}")
    item.say(
        C,
        "reversed",
        "{b} was {h} than {a}",
        "{a} was {l} than {b}",
        "compared with {a}, {b} was {h}",
    )
    item.add(
        C,
        "equal",
        s.say("{a} was no {h} than {b}", **d)
        if not high.startswith("more")
        else s.say("{a} was not {h} than {b}", **d),
    )
    item.say(N, "other", "{a} was {h} than {c}", "{c} was {l} than {a}")
    return item


def growth(s: Speaker) -> Item:
    """Rises and falls: difference, percentage points against percent, factors."""
    t = s.word("topics")
    noun = s.rng.choice(
        [
            "share of late payments",
            "failure rate",
            "vacancy rate",
            "response rate",
            "occupancy",
            "error rate",
            "coverage",
            "absence rate",
            "share of renewable power",
        ]
    )
    a, b = s.rng.sample([5, 10, 15, 20, 25, 30, 40, 45, 50, 60, 75, 80], 2)
    up = b > a
    points = abs(b - a)
    relative = round(100 * points / a)
    y = s.rng.randint(2005, 2022)
    z = y + s.rng.randint(1, 6)
    d = {
        "n": noun,
        "t": t,
        "a": a,
        "b": b,
        "d": points,
        "r": relative,
        "y": y,
        "z": z,
        "rose": s.rng.choice(
            ["rose", "increased", "grew"] if up else ["fell", "dropped", "declined"]
        ),
        "fell": s.rng.choice(
            ["fell", "dropped", "declined"] if up else ["rose", "increased", "grew"]
        ),
        "higher": "higher" if up else "lower",
        "lower": "lower" if up else "higher",
    }
    premise = s.say(
        (
            "[the {n} of {t} {rose} from {a}% in {y} to {b}% in {z}|"
            "in {y} the {n} of {t} was {a}%; by {z} it was {b}%|"
            "between {y} and {z}, the {n} of {t} {rose} from {a}% to {b}%]"
        ),
        **d,
    )
    item = Item("growth", premise, s, d)
    item.say(E, "points", "the {n} of {t} {rose} by {d} percentage points [between {y} and {z}|]")
    item.say(E, "direction", "the {n} of {t} was {higher} in {z} than in {y}")
    item.say(E, "value", "in {z}, the {n} of {t} was {b}%")
    item.say(
        C,
        "direction",
        "the {n} of {t} {fell} between {y} and {z}",
        "the {n} of {t} was {lower} in {z} than in {y}",
    )
    item.say(C, "swapped", "the {n} of {t} was {b}% in {y}", "in {z}, the {n} of {t} was {a}%")
    if relative != points:
        item.say(NOT_E, "points_as_percent", "the {n} of {t} {rose} by {r} percentage points")
    if b == 2 * a:
        item.say(E, "factor", "the {n} of {t} doubled between {y} and {z}")
    elif a == 2 * b:
        item.say(E, "factor", "the {n} of {t} halved between {y} and {z}")
    elif up and b > 2.5 * a:
        item.say(E, "factor", "the {n} of {t} more than doubled")
    else:
        item.say(C, "factor", "the {n} of {t} [doubled|halved|tripled] between {y} and {z}")
    item.say(
        N,
        "cause",
        "the {n} of {t} {rose} because of new rules",
        "the {n} of {t} will go on to change after {z}",
    )
    return item
