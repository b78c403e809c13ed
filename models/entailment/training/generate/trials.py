"""Study results: arms, changes from a baseline, significance."""

from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker, article


def arms(s: Speaker) -> Item:
    """Rates in two or three arms: which is higher, whose number is whose."""
    a, b, third = s.words("arms", 3)
    outcome, absent = s.words("outcomes", 2)
    p, q, r = s.rng.sample(range(3, 70), 3)
    with_third = s.rng.random() < 0.4
    point = s.rng.random() < 0.4
    show = (lambda n: f"{n}.{s.rng.randint(1, 9)}%") if point else (lambda n: f"{n}%")
    d = {
        "a": a,
        "b": b,
        "c": third,
        "o": outcome,
        "absent": absent,
        "p": show(p),
        "q": show(q),
        "r": show(r),
        "low": a if p < q else b,
        "high": b if p < q else a,
        "lowp": "",
        "wrong": show(s.other(p, 2)),
    }
    tail = "; the [figure|proportion] for {c} was {r}" if with_third else ""
    premise = s.say(
        (
            "[{o} occurred in {p} of [patients|participants|those] given {a} and in {q} "
            "of those given {b}|{o} was reported by {p} in the group on {a} and {q} in "
            "the group on {b}|the rate of {o} was {p} with {a} and {q} with {b}|"
            "{p} of the {a} group had {o}, compared with {q} of the {b} group]"
        )
        + tail,
        **d,
    )
    item = Item("arms", premise, s, d)
    item.say(
        E,
        "higher",
        "{o} was [more frequent|more common|seen more often] with {high} than with {low}",
        "compared with {low}, {high} had a higher rate of {o}",
    )
    item.say(E, "lower", "{o} was [less frequent|less common|rarer] with {low} than with {high}")
    item.say(E, "number", "{p} of those given {a} had {o}", "with {b}, the rate of {o} was {q}")
    item.say(
        C,
        "direction",
        "{o} was [more frequent|more common|seen more often] with {low} than with {high}",
        "{o} was [less frequent|less common|rarer] with {high} than with {low}",
    )
    item.say(
        C,
        "swapped",
        "{q} of those given {a} had {o}",
        "the rate of {o} was {q} with {a} and {p} with {b}",
    )
    item.say(C, "number", "{o} occurred in {wrong} of those given {a}")
    item.say(C, "equal", "the rate of {o} was the same with {a} and with {b}")
    item.say(
        N,
        "other",
        "{p} of those given {a} had {absent}",
        "{absent} was more common with {high} than with {low}",
    )
    item.say(N, "cause", "{high} [is unsafe|should not be used|was withdrawn because of {o}]")
    if with_third:
        middle = sorted([(p, a), (q, b), (r, third)])
        d |= {"least": middle[0][1], "most": middle[2][1], "mid": middle[1][1]}
        item.say(
            E,
            "third",
            "{o} was least [common|frequent] with {least}",
            "of the three, {most} had the highest rate of {o}",
        )
        item.say(
            C,
            "third",
            "{o} was least [common|frequent] with {mid}",
            "the rate of {o} was higher with {mid} than with {most}",
        )
        item.say(C, "third_number", "with {c}, the rate of {o} was {p}")
    else:
        item.say(N, "third", "{o} was more common with {low} than with {c}")
    return item


def change(s: Speaker) -> Item:
    """A measure that rose or fell, by how much, with its baseline."""
    measure, unit = s.word("measures")
    other, _ = s.rng.choice([m for m in s.words("measures", 3) if m[0] != measure])
    g, h = s.word("groups")
    start = s.rng.randint(20, 400)
    delta = s.rng.randint(3, max(4, start // 2))
    up = s.rng.random() < 0.5
    end = start + delta if up else start - delta
    d = {
        "m": measure,
        "other": other,
        "u": unit,
        "g": g,
        "h": h,
        "s": start,
        "e": end,
        "d": delta,
        "rose": s.rng.choice(
            ["rose", "increased", "went up"] if up else ["fell", "decreased", "declined", "dropped"]
        ),
        "same": s.rng.choice(["rise", "increase"] if up else ["fall", "decrease", "reduction"]),
        "opposite": s.rng.choice(["fall", "decrease", "reduction"] if up else ["rise", "increase"]),
        "higher": "higher" if up else "lower",
        "lower": "lower" if up else "higher",
        "fell": s.rng.choice(["fell", "decreased"] if up else ["rose", "increased"]),
        "wrong": s.other(delta, 2),
        "t": s.rng.choice(
            ["week 12", "six months", "one year", "the second visit", "the end of the season"]
        ),
    }
    premise = s.say(
        (
            "[in {g}, mean {m} {rose} from {s} {u} at baseline to {e} {u} at {t}|"
            "among {g}, {m} {rose} from {s} to {e} {u} by {t}|"
            "{m} in {g} was {s} {u} at baseline and {e} {u} at {t}]"
        ),
        **d,
    )
    item = Item("change", premise, s, d)
    item.add(
        E,
        "direction",
        s.say("at {t}, {m} in {g} was {higher} than at baseline", **d),
        s.say("among {g}, {m} showed {same}", **(d | {"same": article(d["same"])})),
    )
    item.say(E, "difference", "the {m} of {g} changed by {d} {u} by {t}")
    item.say(E, "baseline", "at baseline, {g} had a mean {m} of {s} {u}")
    item.say(
        C,
        "direction",
        "{m} in {g} {fell} [over the period|by {t}]",
        "at {t}, {m} in {g} was {lower} than at baseline",
    )
    item.say(
        C,
        "baseline_followup",
        "at baseline, {m} in {g} was {e} {u}",
        "at {t}, {m} in {g} was {s} {u}",
    )
    item.say(C, "number", "{m} in {g} changed by {wrong} {u}")
    item.say(C, "none", "{m} in {g} did not change [at all|] between baseline and {t}")
    item.say(N, "group", "{m} in {h} {rose} from {s} to {e} {u}", "{m} {rose} among {h}")
    item.say(N, "whole", "{m} {rose} in {g} and in {h} alike")
    item.say(N, "other", "{other} {rose} in {g}")
    return item


def significance(s: Speaker) -> Item:
    """Significant, not significant, no difference; what was not measured or not powered."""
    a, b = s.words("arms", 2)
    (m, _), (m2, _) = s.words("measures", 2)
    o = s.word("outcomes")
    p = s.rng.choice(["0.21", "0.47", "0.09", "0.62", "0.12", "0.38", "0.74"])
    ps = s.rng.choice(["0.01", "0.003", "0.02", "< 0.001", "0.004", "0.04"])
    d = {
        "a": a,
        "b": b,
        "m": m,
        "m2": m2,
        "o": o,
        "p": p,
        "ps": "P " + ps if "<" in ps else "P = " + ps,
    }
    kind = s.rng.choice(["none", "none", "some", "mixed", "unmeasured"])
    if kind == "none":
        premise = s.say(
            (
                "[there was no significant difference in {m} between {a} and {b} (P = "
                "{p})|{a} did not differ significantly from {b} in {m} (P = {p})|"
                "{a} did not significantly change {m} compared with {b} (P = {p})|"
                "no significant effect of {a} on {m} was found in comparison with {b} "
                "(P = {p})]"
            ),
            **d,
        )
        item = Item("not_significant", premise, s, d)
        item.say(
            E,
            "none",
            (
                "[a significant difference in {m} between {a} and {b} was not found|"
                "the difference in {m} between {a} and {b} was not statistically "
                "significant|{a} and {b} did not differ significantly in {m}]"
            ),
        )
        item.say(
            C,
            "some",
            (
                "[{a} significantly [improved|increased|reduced|lowered] {m} compared "
                "with {b}|{m} differed significantly between {a} and {b}|"
                "{m} was significantly [higher|lower] with {a} than with {b}]"
            ),
        )
        item.say(
            N,
            "equal",
            "{a} and {b} [are equally effective|have been shown to be equivalent] in every respect",
        )
        item.say(N, "other", "there was no significant difference in {m2} between {a} and {b}")
    elif kind == "some":
        up = s.rng.random() < 0.5
        d |= {"high": "higher" if up else "lower", "low": "lower" if up else "higher"}
        premise = s.say(
            (
                "[{m} was significantly {high} with {a} than with {b} ({ps})|"
                "compared with {b}, {a} was associated with significantly {high} {m} "
                "({ps})|participants given {a} had significantly {high} {m} than those "
                "given {b} ({ps})]"
            ),
            **d,
        )
        item = Item("significant", premise, s, d)
        item.say(
            E,
            "same",
            (
                "[there was a significant difference in {m} between {a} and {b}|"
                "{m} was {high} with {a} than with {b}]"
            ),
        )
        item.say(E, "converse", "{m} was {low} with {b} than with {a}")
        item.say(
            C,
            "direction",
            "{m} was [significantly |]{low} with {a} than with {b}",
            "{m} was {high} with {b} than with {a}",
        )
        item.say(
            C,
            "none",
            (
                "[there was no significant difference in {m} between {a} and {b}|"
                "{a} had no effect on {m} relative to {b}]"
            ),
        )
        item.say(N, "other", "{m2} was significantly {high} with {a} than with {b}")
    elif kind == "mixed":
        premise = s.say(
            (
                "[{a} improved {m} but not {m2} compared with {b}|"
                "compared with {b}, {a} had an effect on {m}, whereas {m2} was "
                "unchanged|{a} affected {m}, but no effect on {m2} was seen, relative "
                "to {b}]"
            ),
            **d,
        )
        item = Item("mixed", premise, s, d)
        item.say(E, "one", "{a} had an effect on {m}")
        item.say(E, "other", "no effect of {a} on {m2} was [seen|found]")
        item.say(
            C, "both", "{a} [improved|changed] both {m} and {m2}", "{a} [improved|changed] {m2}"
        )
        item.say(C, "swapped", "{a} [improved|changed] {m2} but not {m}")
        item.say(NOT_E, "neither", "{a} had no effect on {m}")
    else:
        premise = s.say(
            (
                "[the study was not [designed|powered] to compare {o} between {a} and "
                "{b}|{o} was not assessed in this comparison of {a} and {b}|"
                "no data on {o} were collected for {a} or {b}|"
                "whether {a} and {b} differ in {o} was not examined]"
            ),
            **d,
        )
        item = Item("unmeasured", premise, s, d)
        item.say(
            E,
            "same",
            (
                "[the study cannot say whether {a} and {b} differ in {o}|"
                "the study gives no basis to compare {o} under {a} and {b}]"
            ),
        )
        item.say(
            N,
            "claim",
            (
                "{o} [was less frequent with {a} than with {b}|"
                "did not differ between {a} and {b}|was more common with {a}]"
            ),
            "{a} [reduces|increases] {o}",
        )
        item.say(C, "measured", "the study was designed to compare {o} between {a} and {b}")
    return item
