"""Dates, times of day, order and distance in time."""

from models.entailment.training.generate.language import MONTHS, C, E, Item, N, Speaker, in_words


def dates(s: Speaker) -> Item:
    """Dates and order: before and after, how long, in which year."""
    t, t2, t3 = s.words("topics", 3)
    event, other = s.rng.sample(
        [
            "was opened",
            "was closed",
            "was audited",
            "was moved",
            "was sold",
            "was renewed",
            "was tested",
            "was taken over",
        ],
        2,
    )
    month, month2 = s.rng.sample(MONTHS, 2)
    day = s.rng.randint(1, 28)
    y = s.rng.randint(1985, 2022)
    gap = s.rng.randint(1, 9)
    d = {
        "t": t,
        "u": t2,
        "v": t3,
        "e": event,
        "f": other,
        "m": month,
        "m2": month2,
        "d": day,
        "y": y,
        "z": y + gap,
        "g": in_words(gap),
        "gw": in_words(s.other(gap, 1)),
        "years": "years" if gap > 1 else "year",
        "wy": y + s.rng.choice([-1, 1, 10, -10]),
        "d2": s.other(day, 1) % 28 + 1,
    }
    kind = s.rng.choice(["order", "date", "gap", "clock"])
    if kind == "order":
        premise = s.say(
            (
                "[{t} {e} before {u} {f}|{u} {f} after {t} {e}|"
                "first {t} {e}, then {u} {f}|{t} {e}; only later {u} {f}]"
            ),
            **d,
        )
        item = Item("order", premise, s, d)
        item.say(
            E,
            "converse",
            "{u} {f} [after|later than the time when] {t} {e}",
            "{t} {e} before {u} {f}",
        )
        item.say(C, "reversed", "{t} {e} after {u} {f}", "{u} {f} before {t} {e}")
        item.say(N, "cause", "{u} {f} because {t} {e}")
        item.say(N, "other", "{v} {f} after {t} {e}")
        item.say(E, "fact", "{t} {e}")
    elif kind == "date":
        premise = s.say(
            (
                "[{t} {e} on {d} {m} {y}|on {m} {d}, {y}, {t} {e}|"
                "{t} {e} on {d} {m} {y}, as planned in {m2}]"
            ),
            **d,
        )
        item = Item("date", premise, s, d)
        item.say(E, "format", "{t} {e} on {m} {d}, {y}", "{t} {e} [in {m} {y}|in {y}]")
        item.add(
            C,
            "day",
            s.say("{t} {e} on {d2} {m} {y}", **d)
            if d["d2"] != day
            else s.say("{t} {e} in {wy}", **d),
        )
        item.say(C, "month", "{t} {e} in {m2} {y}")
        item.say(C, "year", "{t} {e} in {wy}")
        item.say(N, "other", "{u} {e} on {d} {m} {y}", "{t} {f} on {d} {m} {y}")
    elif kind == "gap":
        premise = s.say(
            (
                "[{t} {e} in {y}, and {u} {f} in {z}|in {z}, {u} {f}; {t} {e} in {y}|"
                "{t} {e} in {y}. {U} {f} in {z}]"
            ),
            **(d | {"U": t2[0].upper() + t2[1:]}),
        )
        item = Item("gap", premise, s, d)
        item.say(
            E, "gap", "{u} {f} {g} {years} after {t} {e}", "{t} {e} {g} {years} before {u} {f}"
        )
        item.say(C, "gap", "{u} {f} {gw} years after {t} {e}", "{t} {e} {g} {years} after {u} {f}")
        item.say(C, "swapped", "{t} {e} in {z}", "{u} {f} in {y}")
    else:
        hour, minute = s.rng.randint(6, 19), s.rng.randint(0, 39)
        length = s.rng.randint(5, 20)
        d |= {
            "a": f"{hour:02d}:{minute:02d}",
            "b": f"{hour:02d}:{minute + length:02d}",
            "k": length,
            "kw": s.other(length, 2),
        }
        premise = s.say(
            (
                "[at {a} the alarm for {t} was raised; it was cleared at {b}|"
                "the alarm for {t} was raised at {a} and cleared at {b}|"
                "the alarm for {t} lasted from {a} until {b}]"
            ),
            **d,
        )
        item = Item("clock", premise, s, d)
        item.say(
            E,
            "length",
            "the alarm for {t} was cleared after {k} minutes",
            "it took {k} minutes to clear the alarm for {t}",
        )
        item.say(C, "length", "the alarm for {t} lasted {kw} minutes")
        item.say(
            C,
            "swapped",
            "the alarm for {t} was raised at {b}",
            "the alarm for {t} was cleared at {a}",
        )
        item.say(E, "start", "the alarm for {t} began at {a}")
        item.say(N, "cause", "the alarm for {t} was a false one")
    return item
