"""Who must, should, may or must not do what, under which condition, with which exception."""

from typing import Any

from models.entailment.training.generate.language import (
    NOT_E,
    C,
    E,
    Item,
    N,
    Speaker,
    gerund,
    third_person,
    vocabulary,
)


def duty(s: Speaker) -> dict[str, Any]:
    """Draw an action with its forms, its object and somebody to do it."""
    verb, (past, objects) = s.rng.choice(sorted(vocabulary()["duties"].items()))
    actor, rival = s.words("actors", 2)
    return {
        "verb": verb,
        "past": past,
        "doing": gerund(verb),
        "does": third_person(verb),
        "object": s.rng.choice(objects),
        "actor": actor,
        "rival": rival,
    }


MUST = "[must|shall|has to|is required to|is obliged to]"

BE_MUST = "[must be|shall be|have to be|are required to be]"


def obligation(s: Speaker) -> Item:
    """An obligation: who, what, its force; passive and active."""
    d = duty(s)
    premise = s.say(
        s.rng.choice(
            [
                "[The|Each] {actor} [must|shall] {verb} {object}",
                "{object} must be {past} by the {actor}",
                "{object} shall be {past} by the {actor}",
                "it is the responsibility of the {actor} to {verb} {object}",
                "responsibility for {doing} {object} lies with the {actor}",
                "the {actor} is required to {verb} {object}",
            ]
        ),
        **d,
    )
    item = Item("obligation", premise, s, d)
    item.say(E, "reword", "the {actor} " + MUST + " {verb} {object}")
    item.say(E, "passive", "{object} " + BE_MUST + " {past} by the {actor}")
    item.say(E, "nominal", "{doing} {object} is [a duty|an obligation] of the {actor}")
    item.say(E, "drop_agent", "{object} " + BE_MUST + " {past}")
    item.say(
        C, "need_not", "the {actor} [need not|does not have to|is free not to] {verb} {object}"
    )
    item.say(C, "must_not", "the {actor} [must not|may not|is not allowed to] {verb} {object}")
    item.say(NOT_E, "who", "the {rival} " + MUST + " {verb} {object}")
    item.say(NOT_E, "who", "{object} " + BE_MUST + " {past} by the {rival}")
    item.add(
        N,
        "done",
        s.say("the {actor} [{does}|has {past}|{past}] {object}", **(d | {"past": d["past"]})),
    )
    item.say(
        N,
        "detail",
        (
            "the {actor} must {verb} {object} [every month|in person|before noon|"
            "within a week|free of charge]"
        ),
    )
    item.say(N, "only", "the {actor} must {verb} only {object}")
    return item


def recommendation(s: Speaker) -> Item:
    """A recommendation or a permission is not an obligation."""
    d = duty(s)
    if s.rng.random() < 0.5:
        premise = s.say(
            "[the {actor} should {verb} {object}|it is recommended that the {actor} {verb} {object}"
            "|the {actor} is encouraged to {verb} {object}"
            "|{object} should be {past} by the {actor}]",
            **d,
        )
        item = Item("recommendation", premise, s, d)
        item.say(
            E,
            "reword",
            (
                "[it is advisable for the {actor} to {verb} {object}|"
                "the {actor} is advised to {verb} {object}|"
                "the {actor} should {verb} {object}|"
                "{object} should be {past} by the {actor}]"
            ),
        )
        item.say(N, "force", "the {actor} " + MUST + " {verb} {object}")
        item.say(N, "force", "{object} " + BE_MUST + " {past} by the {actor}")
        item.say(C, "opposite", "the {actor} should [not|never] {verb} {object}")
        item.say(N, "done", "the {actor} {does} {object}")
        item.say(NOT_E, "who", "the {rival} should {verb} {object}")
        return item
    premise = s.say(
        "[the {actor} may {verb} {object}|the {actor} is allowed to {verb} {object}"
        "|the {actor} is entitled to {verb} {object}|{object} may be {past} by the {actor}]",
        **d,
    )
    item = Item("permission", premise, s, d)
    item.say(
        E,
        "reword",
        (
            "[the {actor} is permitted to {verb} {object}|"
            "the {actor} can choose to {verb} {object}|"
            "{doing} {object} is permitted for the {actor}|"
            "the {actor} may {verb} {object}]"
        ),
    )
    item.say(NOT_E, "force", "the {actor} " + MUST + " {verb} {object}")
    item.say(
        C,
        "opposite",
        (
            "the {actor} [must not|may not|is not allowed to|"
            "is in no case permitted to] {verb} {object}"
        ),
    )
    item.say(N, "done", "the {actor} [{does}|regularly {does}] {object}")
    item.say(N, "only", "only the {actor} may {verb} {object}")
    item.say(N, "who", "the {rival} may {verb} {object}")
    return item


def prohibition(s: Speaker) -> Item:
    """A prohibition, perhaps with an exception."""
    d = duty(s)
    place = s.word("exceptions")
    other = s.rng.choice([x for x in s.words("exceptions", 3) if x != place])
    d |= {"x": place, "y": other}
    if s.rng.random() < 0.5:
        premise = s.say(
            (
                "[the {actor} must not {verb} {object}|"
                "the {actor} may not {verb} {object}|"
                "{doing} {object} is prohibited for the {actor}|"
                "under no circumstances may the {actor} {verb} {object}|"
                "the {actor} is not permitted to {verb} {object}]"
            ),
            **d,
        )
        item = Item("prohibition", premise, s, d)
        item.say(
            E,
            "reword",
            (
                "the {actor} [is forbidden to|is not allowed to|must not|"
                "is not permitted to] {verb} {object}"
            ),
        )
        item.say(C, "opposite", "the {actor} [may|is allowed to|must|is free to] {verb} {object}")
        item.say(N, "done", "the {actor} [does not|did not] {verb} {object}")
        item.say(N, "who", "the {rival} must not {verb} {object}")
        item.say(N, "scope", "the {actor} must not {verb} anything")
        return item
    premise = s.say(
        (
            "{doing} {object} is [prohibited|forbidden|not allowed], [except for|"
            "with the exception of|save for] {x}"
        ),
        **d,
    )
    item = Item("prohibition_exception", premise, s, d)
    item.say(E, "exception", "{x} [may|are exempt from the ban and may] {verb} {object}")
    item.say(E, "rule", "apart from {x}, nobody may {verb} {object}")
    item.say(
        C,
        "exception_denied",
        "the ban on {doing} {object} [applies to {x} as well|also covers {x}|has no exception]",
    )
    item.say(C, "exception_swapped", "{doing} {object} is prohibited only for {x}")
    item.say(
        NOT_E,
        "exception_other",
        "{y} [may {verb} {object}|are exempt from the ban on {doing} {object}]",
    )
    return item


def condition(s: Speaker) -> Item:
    """An obligation under a condition, or unless something holds."""
    d = duty(s)
    (first, reword), (other, _) = s.words("conditions", 2)
    d |= {"c": first, "r": reword, "o": other}
    kind = s.rng.choice(["if", "if", "unless", "only"])
    if kind == "if":
        premise = s.say(
            (
                "[[where|if|when] {c}, the {actor} must {verb} {object}|"
                "the {actor} shall {verb} {object} [if|where|whenever] {c}|"
                "{object} must be {past} by the {actor} [in case|if] {c}]"
            ),
            **d,
        )
        item = Item("condition", premise, s, d)
        item.say(
            E,
            "reword",
            "the {actor} is required to {verb} {object} [if|when] {r}",
            "once {r}, {object} must be {past} by the {actor}",
        )
        item.say(
            N,
            "dropped",
            "the {actor} must [always |]{verb} {object}",
            (
                "{object} must be {past} by the {actor} [in all cases|in every case|"
                "whatever the circumstances]"
            ),
        )
        item.say(N, "other", "the {actor} must {verb} {object} if {o}")
        item.say(C, "opposite", "even [if|when] {c}, the {actor} need not {verb} {object}")
        item.say(N, "antecedent", "{c}")
        item.say(N, "inverse", "the {actor} must {verb} {object} only if {c}")
        item.say(N, "done", "{object} were {past} by the {actor}")
    elif kind == "unless":
        premise = s.say(
            (
                "[the {actor} must {verb} {object} unless {c}|"
                "unless {c}, the {actor} shall {verb} {object}|"
                "the {actor} must {verb} {object}, except where {c}]"
            ),
            **d,
        )
        item = Item("unless", premise, s, d)
        item.say(
            E,
            "reword",
            "the {actor} must {verb} {object}, but not [if|when|where] {c}",
            "the duty of the {actor} to {verb} {object} falls away where {c}",
        )
        item.say(E, "exception", "the {actor} need not {verb} {object} if {r}")
        item.say(
            C,
            "even",
            "the {actor} must {verb} {object} even if {c}",
            "the {actor} must {verb} {object} without exception",
        )
        item.say(C, "inverse", "the {actor} has to {verb} {object} only if {c}")
        item.say(NOT_E, "other", "the {actor} need not {verb} {object} if {o}")
    else:
        premise = s.say(
            (
                "[the {actor} may {verb} {object} only if {c}|"
                "{object} may be {past} by the {actor} only where {c}|"
                "the {actor} may not {verb} {object} unless {c}]"
            ),
            **d,
        )
        item = Item("only_if", premise, s, d)
        item.say(E, "reword", "it is a condition for {doing} {object} that {c}")
        item.say(E, "only", "the {actor} must not {verb} {object} except when {r}")
        item.say(
            C,
            "always",
            (
                "the {actor} may {verb} {object} [under any circumstances|at any time|"
                "without any condition]"
            ),
        )
        item.say(N, "must", "if {c}, the {actor} must {verb} {object}")
        item.say(N, "fact", "{c}")
    return item


def exception(s: Speaker) -> Item:
    """A general rule with an exception."""
    d = duty(s)
    x, y = s.words("exceptions", 2)
    d |= {"x": x, "y": y}
    premise = s.say(
        (
            "[The duty to {verb} {object} applies to all parts of the organisation "
            "[except|other than|with the exception of] {x}|"
            "All units must {verb} {object}; {x} are exempt|"
            "With the exception of {x}, every unit must {verb} {object}|"
            "The obligation to {verb} {object} does not extend to {x}; it applies "
            "everywhere else|Every unit other than {x} {does} {object}]"
        ),
        **d,
    )
    item = Item("exception", premise, s, d)
    factual = "Every unit other than" in premise
    if not factual:
        item.say(
            E,
            "exempt",
            (
                "{x} [are exempt from the duty to {verb} {object}|"
                "need not {verb} {object}|do not have to {verb} {object}]"
            ),
        )
        item.say(
            C,
            "exempt",
            (
                "{x} [must {verb} {object} too|are also obliged to {verb} {object}|"
                "are covered by the duty to {verb} {object}]"
            ),
        )
        item.say(C, "inverse", "only {x} [must|are obliged to] {verb} {object}")
        item.say(
            C,
            "all",
            (
                "the duty to {verb} {object} [has no exceptions|"
                "applies to every unit without exception]"
            ),
        )
        item.say(
            NOT_E,
            "other",
            "{y} [are exempt from the duty to {verb} {object}|need not {verb} {object}]",
        )
    else:
        item.say(E, "rule", "apart from {x}, all units {verb} {object}")
        item.say(NOT_E, "all", "all units, including {x}, {verb} {object}")
        item.say(N, "must", "every unit other than {x} must {verb} {object}")
    return item
