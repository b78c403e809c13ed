"""By when and how often; what replaced what; what is no longer, not yet or still so."""

from models.entailment.training.generate.duties import BE_MUST, duty
from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker, in_words

_PERIODS = {
    "hours": [(24, "one day"), (48, "two days"), (72, "three days"), (168, "one week")],
    "days": [
        (7, "one week"),
        (14, "two weeks"),
        (1, "24 hours"),
        (2, "48 hours"),
        (3, "72 hours"),
        (21, "three weeks"),
        (28, "four weeks"),
    ],
    "months": [
        (12, "one year"),
        (24, "two years"),
        (6, "half a year"),
        (18, "one and a half years"),
        (3, "a quarter of a year"),
        (36, "three years"),
    ],
    "weeks": [(1, "seven days"), (2, "14 days"), (4, "28 days"), (52, "one year")],
}


def deadline(s: Speaker) -> Item:
    """A time limit: its length, its unit, its start, its bearer."""
    d = duty(s)
    unit = s.rng.choice(
        ["hours", "days", "months", "weeks", "working days", "business days", "calendar days"]
    )
    equal = None
    if unit in _PERIODS and s.rng.random() < 0.6:
        count, equal = s.rng.choice(_PERIODS[unit])
    else:
        count = s.rng.choice([2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60, 90])
    event, other_event = s.words("events", 2)
    wrong = s.other(count, low=2)
    wrong_unit = s.rng.choice([u for u in ("hours", "days", "months", "weeks") if u not in unit])
    show = in_words if s.rng.random() < 0.4 else str

    def unit_of(n: int) -> str:
        return unit if n != 1 else unit[:-1]

    d |= {
        "n": show(count),
        "m": show(wrong),
        "unit": unit_of(count),
        "m_unit": unit_of(wrong),
        "wrong_unit": wrong_unit,
        "event": event,
        "other_event": other_event,
        "equal": equal,
        "figure": str(count),
    }
    premise = s.say(
        (
            "[The {actor} must {verb} {object} within {n} {unit} of {event}|"
            "{object} shall be {past} by the {actor} no later than {n} {unit} after "
            "{event}|within {n} {unit} of {event}, the {actor} shall {verb} {object}|"
            "the {actor} has {n} {unit} from {event} to {verb} {object}]"
        ),
        **d,
    )
    item = Item("deadline", premise, s, d)
    limit = "[within {t} of|no later than {t} after|at most {t} after|in no more than {t} from]"

    def with_limit(
        t: str, template: str = "the {actor} must {verb} {object} LIMIT {event}", **change: str
    ) -> str:
        return s.say(template.replace("LIMIT", limit), **(d | {"t": t} | change))

    same = f"{d['figure']} {d['unit']}"
    passive = "{object} " + BE_MUST + " {past} LIMIT {event}"
    item.add(E, "reword", with_limit(same), with_limit(same, passive))
    item.say(
        E,
        "bound",
        (
            "the {actor} may not take [more|"
            "longer] than {figure} {unit} from {event} to {verb} {object}"
        ),
    )
    if equal:
        item.add(E, "unit_equal", with_limit(equal), with_limit(equal, passive))
    item.say(E, "drop_limit", "there is a time limit for {doing} {object}")
    item.add(
        C,
        "number",
        with_limit(f"{d['m']} {d['m_unit']}"),
        with_limit(f"{wrong} {d['m_unit']}", passive),
    )
    item.add(C, "unit", with_limit(f"{d['figure']} {wrong_unit}"))
    item.say(
        C,
        "bound",
        "the {actor} must wait at least {figure} {unit} after {event} before {doing} {object}",
    )
    item.say(
        C,
        "no_limit",
        (
            "[there is no time limit for {doing} {object}|"
            "the {actor} may {verb} {object} at any time, however late]"
        ),
    )
    item.add(NOT_E, "event", with_limit(same, event=d["other_event"]))
    item.add(NOT_E, "who", with_limit(same, actor=d["rival"]))
    item.say(NOT_E, "before", "{object} must be {past} at least {figure} {unit} before {event}")
    item.say(N, "done", "the {actor} {past} {object} within {figure} {unit} of {event}")
    return item


def frequency(s: Speaker) -> Item:
    """How often something is done; other words for the same interval, other intervals."""
    d = duty(s)
    right, wrong = s.words("frequencies", 2)
    d |= {"f": right[0], "w": s.rng.choice(wrong[:3])}
    premise = s.say(
        (
            "[the {actor} {does} {object} {f}|{object} are {past} {f} by the {actor}|"
            "{f}, the {actor} {does} {object}]"
        ),
        **d,
    )
    item = Item("frequency", premise, s, d)
    for same in right[1:3]:
        item.add(
            E,
            "unit_equal",
            s.say("[the {actor} {does} {object} {f}|{object} are {past} {f}]", **(d | {"f": same})),
        )
    item.say(E, "drop", "the {actor} {does} {object} [regularly|on a regular basis]")
    item.say(
        C,
        "interval",
        "[the {actor} {does} {object} {w}|{object} are {past} {w}]",
        "{object} are {past} [only when there is reason to|on request only]",
    )
    item.say(NOT_E, "who", "the {rival} {does} {object} {f}")
    item.say(
        N,
        "detail",
        (
            "the {actor} {does} {object} {f} [and reports the outcome to the {rival}|"
            "at its own expense|with outside help]"
        ),
    )
    return item


def superseded(s: Speaker) -> Item:
    """An old rule and the rule that replaced it."""
    d = duty(s)
    noun = s.rng.choice(
        [
            "retention period",
            "notice period",
            "response time",
            "reporting threshold",
            "probation period",
            "storage limit",
            "price cap",
            "maximum fine",
            "minimum stock",
            "speed limit",
        ]
    )
    unit = (
        "euros"
        if noun in {"reporting threshold", "price cap", "maximum fine"}
        else (
            "units"
            if noun in {"minimum stock", "storage limit"}
            else ("km/h" if noun == "speed limit" else s.rng.choice(["days", "weeks", "months"]))
        )
    )
    old = s.rng.choice([10, 12, 14, 20, 24, 30, 36, 50, 60, 80, 90, 120])
    new = s.other(old, low=2, near=False)
    third = s.rng.choice([n for n in (5, 15, 25, 40, 75, 100) if n not in (old, new)])
    year = s.rng.randint(2008, 2025)
    d |= {
        "noun": noun,
        "old": f"{old} {unit}",
        "new": f"{new} {unit}",
        "third": f"{third} {unit}",
        "year": year,
        "month": s.rng.choice(["January", "April", "July", "October"]),
        "topic": s.word("topics"),
    }
    premise = s.say(
        (
            "[The {noun} for {topic} was {old} until {year}; since then it has been "
            "{new}|Originally {old}, the {noun} for {topic} was changed to {new} in "
            "{year}|Since 1 {month} {year} the {noun} for {topic} has been {new}; "
            "before that date it was {old}|"
            "The {noun} for {topic} is {new}. The former {noun} of {old} no longer "
            "applies|In {year} the {noun} for {topic}, previously {old}, was set at "
            "{new}|The clause under which the {noun} for {topic} was {old} is deleted "
            "and replaced: the {noun} is {new}]"
        ),
        **d,
    )
    item = Item("superseded", premise, s, d)
    item.say(E, "current", "the [current |]{noun} for {topic} is [now |]{new}")
    item.say(
        E,
        "former",
        "[formerly|previously|in the past], the {noun} for {topic} was {old}",
        "the {noun} for {topic} used to be {old}",
    )
    item.say(
        E,
        "changed",
        "the {noun} for {topic} [has changed|is no longer {old}|is not what it once was]",
    )
    item.say(C, "current", "the [current |]{noun} for {topic} is [still |now |]{old}")
    item.say(C, "swapped", "the {noun} for {topic} was changed from {new} to {old}")
    item.say(C, "always", "the {noun} for {topic} has [always been {new}|never been changed]")
    item.say(NOT_E, "number", "the {noun} for {topic} is {third}")
    return item


def no_longer(s: Speaker) -> Item:
    """Not yet, no longer, still, already; open and closed findings."""
    d = duty(s)
    kind = s.rng.choice(["no_longer", "not_yet", "still", "plan"])
    if kind == "no_longer":
        premise = s.say(
            (
                "[the {actor} no longer {does} {object}|"
                "{object} are no longer {past} by the {actor}|"
                "the {actor} has stopped {doing} {object}|"
                "the {actor} is no longer required to {verb} {object}]"
            ),
            **d,
        )
        item = Item("no_longer", premise, s, d)
        if "required" in premise:
            item.say(E, "now", "the {actor} [does not have to|need not] {verb} {object} any more")
            item.say(E, "before", "the {actor} used to be required to {verb} {object}")
            item.say(C, "now", "the {actor} [is required to|must] {verb} {object}")
            item.say(N, "forbidden", "the {actor} must not {verb} {object}")
        else:
            item.say(E, "now", "the {actor} does not {verb} {object} [now|any more]")
            item.say(
                E,
                "before",
                "the {actor} [formerly|once] {past} {object}",
                "in the past, {object} were {past} by the {actor}",
            )
            item.say(C, "now", "the {actor} [still |]{does} {object}")
            item.say(C, "never", "the {actor} has never {past} {object}")
    elif kind == "not_yet":
        premise = s.say(
            (
                "[the {actor} has not yet {past} the {object}|"
                "the {object} have not yet been {past} by the {actor}|"
                "the {object} have still to be {past} by the {actor}|"
                "the {object} are yet to be {past} by the {actor}]"
            ),
            **d,
        )
        item = Item("not_yet", premise, s, d)
        item.say(
            E,
            "now",
            (
                "[so far the {object} have not been {past} by the {actor}|"
                "the {actor} has so far not {past} the {object}]"
            ),
        )
        item.say(
            C,
            "now",
            (
                "[the {actor} has {past} the {object}|"
                "the {object} have [already |]been {past} by the {actor}]"
            ),
        )
        item.say(
            N,
            "refused",
            "the {actor} [has refused to|has decided not to|will never] {verb} the {object}",
        )
        item.say(N, "future", "the {actor} will {verb} the {object} [next month|soon|this year]")
    elif kind == "still":
        number = s.rng.randint(2, 12)
        d |= {
            "n": in_words(number),
            "m": in_words(s.other(number, 2)),
            "topic": s.word("topics"),
            "year": s.rng.randint(2016, 2025),
        }
        d["other"] = s.rng.choice([t for t in s.words("topics", 2) if t != d["topic"]])
        premise = s.say(
            (
                "[The {year} finding on {topic} remains open and is overdue by {n} "
                "months; the finding on {other} has been closed|"
                "The recommendation on {topic} has still not been implemented, {n} "
                "months after its due date, whereas the one on {other} has]"
            ),
            **d,
        )
        item = Item("finding", premise, s, d)
        item.say(
            E,
            "open",
            (
                "the [finding|recommendation|point] on {topic} [has not been closed|"
                "is still outstanding|is late|is overdue]"
            ),
        )
        item.say(
            E,
            "number",
            "the [finding|recommendation|point] on {topic} is {n} months [late|overdue]",
        )
        item.say(
            E,
            "closed",
            "the [finding|recommendation|point] on {other} [is no longer open|has been dealt with]",
        )
        item.say(
            C,
            "swapped",
            (
                "the [finding|recommendation|point] on {other} [is still open|"
                "remains outstanding|is overdue]"
            ),
        )
        item.say(
            C,
            "closed",
            (
                "the [finding|recommendation|point] on {topic} [has been closed|"
                "was settled on time|has been implemented]"
            ),
        )
        item.say(
            C,
            "number",
            "the [finding|recommendation|point] on {topic} is {m} months [late|overdue]",
        )
        item.say(
            N,
            "cause",
            "the [finding|recommendation|point] on {topic} is late because of a lack of staff",
        )
    else:
        premise = s.say(
            (
                "[the {actor} plans to {verb} the {object} next year|"
                "the {actor} intends to {verb} the {object}|"
                "it is foreseen that the {actor} will {verb} the {object}|"
                "the {object} are due to be {past} by the {actor}]"
            ),
            **d,
        )
        item = Item("plan", premise, s, d)
        item.say(E, "plan", "there is [a plan|an intention] for the {actor} to {verb} the {object}")
        item.say(
            N,
            "done",
            "the {actor} has [already |]{past} the {object}",
            "the {object} were {past} by the {actor}",
        )
        item.say(N, "must", "the {actor} must {verb} the {object}")
        item.say(C, "none", "nobody plans to have the {actor} {verb} the {object}")
    return item
