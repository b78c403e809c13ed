"""Association against cause, in whom it was shown, hedges, what caused an incident."""

from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker, in_words


def causation(s: Speaker) -> Item:
    """Association against cause, direction of cause, direction of association."""
    f, f2 = s.words("factors", 2)
    c, c2 = s.words("conditions_of", 2)
    d = {"f": f, "g": f2, "c": c, "c2": c2}
    if s.rng.random() < 0.7:
        premise = s.say(
            (
                "[{f} was associated with {c}|"
                "there was [a correlation|an association|a link] between {f} and {c}|"
                "{f} and {c} were correlated|{c} was more common where {f} was present|"
                "{f} predicted {c}|{c} often went together with {f}]"
            ),
            **d,
        )
        item = Item("association", premise, s, d)
        item.say(
            E,
            "same",
            (
                "[an association between {c} and {f} was found|{f} was linked to {c}|"
                "{f} and {c} were related]"
            ),
        )
        item.say(
            N,
            "cause",
            (
                "[{f} causes {c}|{f} caused {c}|{c} is caused by {f}|{f} leads to {c}|"
                "{c} is a consequence of {f}|{c} is due to {f}|"
                "{f} is responsible for {c}|reducing {f} prevents {c}]"
            ),
            "[{f} causes {c}|{f} led to {c}|{f} results in {c}|{f} brings about {c}]",
        )
        item.say(N, "reverse_cause", "[{c} causes {f}|{f} is caused by {c}]")
        item.say(
            C, "none", "[{f} and {c} were unrelated|no association between {f} and {c} was found]"
        )
        item.say(N, "other", "{f} was associated with {c2}", "{g} was associated with {c}")
        return item
    premise = s.say(
        (
            "[{f} causes {c}|{c} is caused by {f}|{f} is a cause of {c}|"
            "it was shown that {f} leads to {c}|{c} results from {f}]"
        ),
        **d,
    )
    item = Item("cause", premise, s, d)
    item.say(
        E,
        "same",
        (
            "[{f} is a cause of {c}|{c} can be caused by {f}|{f} brings about {c}|"
            "{c} is an effect of {f}]"
        ),
    )
    item.say(N, "reverse", "[{c} causes {f}|{c} leads to {f}|{f} is an effect of {c}]")
    item.say(C, "none", "[{f} does not cause {c}|{f} has no effect on {c}]")
    item.say(N, "only", "{f} is the only cause of {c}")
    item.say(N, "other", "{g} causes {c}")
    return item


def population(s: Speaker) -> Item:
    """In whom it was shown; subgroup against whole."""
    f = s.word("arms")
    measure, _ = s.word("measures")
    pop, other, wider = s.word("populations")
    g, h = s.word("groups")
    verb, past, opposite = s.rng.choice(
        [
            ("reduces", "reduced", "increased"),
            ("increases", "increased", "reduced"),
            ("improves", "improved", "worsened"),
            ("lowers", "lowered", "raised"),
        ]
    )
    d = {
        "f": f,
        "m": measure,
        "p": pop,
        "o": other,
        "w": wider,
        "v": verb,
        "past": past,
        "opp": opposite,
        "g": g,
        "h": h,
    }
    if s.rng.random() < 0.55:
        premise = s.say(
            (
                "[in {p}, {f} {past} {m}|{f} {past} {m} in {p}|"
                "experiments [in|with] {p} showed that {f} {past} {m}|"
                "{m} was {past} by {f} in {p}]"
            ),
            **d,
        )
        item = Item("population", premise, s, d)
        item.say(
            E, "same", "{f} {past} {m} in {p}", "an effect of {f} on {m} was [seen|found] in {p}"
        )
        if wider in {"rodents", "insects", "primates"}:
            item.say(E, "wider_some", "{f} {past} {m} in a group of {w}")
        item.say(
            N,
            "other",
            "{f} {v} {m} in {o}",
            "in {o}, {m} was {past} by {f}",
            "{f} {v} {m} in [people in general|everyone|all species]",
        )
        item.say(C, "direction", "{f} {opp} {m} in {p}")
        item.say(C, "none", "{f} had no effect on {m} in {p}")
        return item
    no = s.rng.random() < 0.5
    tail = "; [no such effect was seen in {h}|in {h} it did not]" if no else ""
    premise = s.say(
        (
            "[{f} {past} {m} in the subgroup of {g}|among {g}, {f} {past} {m}|"
            "{f} {past} {m} only in {g}|"
            "the effect of {f}, which {past} {m}, was limited to {g}]"
        )
        + tail,
        **d,
    )
    limited = no or "only" in premise or "limited" in premise
    item = Item("subgroup", premise, s, d)
    item.say(E, "same", "in {g}, {f} {past} {m}", "there was an effect of {f} on {m} in {g}")
    item.say(
        NOT_E,
        "whole",
        "{f} {past} {m} [in all participants|overall|in the whole sample|regardless of group]",
    )
    item.say(C if limited else N, "other", "{f} {past} {m} in {h}")
    item.say(
        C if limited else N, "both", "{f} {past} {m} [in {g} and {h} alike|both in {g} and in {h}]"
    )
    if limited:
        item.add(
            E,
            "limits",
            s.say("{f} did not [affect|change] {m} in {h}", **d)
            if no
            else s.say("not everyone had {m} {past} by {f}", **d),
        )
    item.say(C, "direction", "in {g}, {f} {opp} {m}")
    return item


def hedge(s: Speaker) -> Item:
    """A hedged statement keeps its hedge; a plain one may be weakened."""
    f, f2 = s.words("factors", 2)
    c = s.word("conditions_of")
    d = {"f": f, "f2": f2, "c": c}
    if s.rng.random() < 0.6:
        premise = s.say(
            (
                "[{f} may contribute to {c}|"
                "our results suggest that {f} might contribute to {c}|"
                "it is possible that {f} contributes to {c}|"
                "{f} could play a part in {c}|"
                "the data are consistent with a role of {f} in {c}, but do not prove it|"
                "preliminary results hint at a contribution of {f} to {c}]"
            ),
            **d,
        )
        item = Item("hedged", premise, s, d)
        item.say(
            E,
            "kept",
            (
                "[{f} is a possible factor in {c}|{f} might contribute to {c}|"
                "a role of {f} in {c} is possible|"
                "it cannot be excluded, going by the text, that {f} contributes to {c}]"
            ),
        )
        item.say(
            N,
            "dropped",
            (
                "[{f} contributes to {c}|{f} plays a part in {c}|"
                "it has been proved that {f} contributes to {c}|{f} is a factor in {c}]"
            ),
            "[{f} contributes to {c}|{f} is known to contribute to {c}]",
        )
        item.say(
            C,
            "excluded",
            (
                "[it is impossible that {f} contributes to {c}|"
                "a role of {f} in {c} has been ruled out]"
            ),
        )
        item.say(N, "other", "{f2} may contribute to {c}")
    else:
        premise = s.say(
            (
                "[{f} contributes to {c}|it is certain that {f} contributes to {c}|"
                "{f} clearly plays a part in {c}]"
            ),
            **d,
        )
        item = Item("weakened", premise, s, d)
        item.say(
            E,
            "weaker",
            (
                "[{f} can contribute to {c}|{f} is a possible factor in {c}|"
                "{f} plays some part in {c}|at least one factor contributes to {c}]"
            ),
        )
        item.say(
            N,
            "stronger",
            "[{f} is the main cause of {c}|{f} alone explains {c}|{f} always leads to {c}]",
        )
        item.say(C, "none", "{f} plays no part in {c}")
    return item


def incident(s: Speaker) -> Item:
    """What caused, what did not, what was affected, what was not."""
    t, t2, t3 = s.words("topics", 3)
    body = s.word("bodies")
    causes = [
        "a configuration error",
        "a broken cable",
        "an expired certificate",
        "a power cut",
        "a software update",
        "human error",
        "a stolen badge",
        "a faulty valve",
        "a full disk",
        "a phishing message",
        "a missing filter",
        "a misread label",
    ]
    x, y, z = s.rng.sample(causes, 3)
    d = {
        "t": t,
        "t2": t2,
        "t3": t3,
        "x": x,
        "y": y,
        "z": z,
        "b": body,
        "k": in_words(s.rng.randint(2, 20)),
    }
    premise = s.say(
        (
            "[the failure of {t} was caused by {x}; {y} was ruled out|"
            "{x} caused the failure of {t}. An initial suspicion of {y} was not "
            "confirmed|the root cause of the failure of {t} was {x}, to which {z} "
            "contributed; {y} proved not to be involved]; {t2} was [not affected|"
            "unaffected]"
        ),
        **d,
    )
    item = Item("incident", premise, s, d)
    item.say(
        E,
        "cause",
        "[{t} failed because of {x}|{x} was behind the failure of {t}|{x} made {t} fail]",
    )
    item.say(E, "unaffected", "the incident [did not affect|left no mark on] {t2}")
    item.say(
        C, "affected", "[both {t} and {t2} failed|{t2} failed as well|the incident affected {t2}]"
    )
    item.say(
        NOT_E,
        "cause",
        (
            "[{t} failed because of {y}|{y} was the cause of the failure of {t}|"
            "the root cause was {y}]"
        ),
    )
    item.say(
        C,
        "excluded",
        "[{x} was ruled out as the cause|{x} had nothing to do with the failure of {t}]",
    )
    item.say(N, "other", "{t3} was [affected by the incident|not affected by the incident]")
    item.say(
        N,
        "detail",
        "the failure of {t} lasted {k} hours",
        "the {b} was told about the failure of {t}",
    )
    if z in premise:
        item.say(
            E,
            "contributing",
            "{z} [contributed to|was a contributing factor in] the failure of {t}",
        )
        item.say(NOT_E, "root", "the root cause of the failure of {t} was {z}")
    return item
