"""How many of how many, shares, narrower and wider terms."""

from models.entailment.training.generate.language import (
    C,
    E,
    Item,
    N,
    Speaker,
    in_words,
    vocabulary,
)

_FRACTIONS = [
    (1, 2, "half"),
    (1, 4, "a quarter"),
    (3, 4, "three quarters"),
    (1, 3, "a third"),
    (2, 3, "two thirds"),
    (1, 5, "one in five"),
    (1, 10, "one in ten"),
    (2, 5, "two in five"),
    (3, 5, "three in five"),
    (4, 5, "four in five"),
    (9, 10, "nine in ten"),
    (3, 10, "three in ten"),
]


def counts(s: Speaker) -> Item:
    """How many of how many: all, all but one, most, few, none, bounds."""
    things = s.word("things")
    done, undone = s.word("thing_events")
    total = s.rng.randint(5, 60)
    number = s.rng.choice(
        [total, total - 1, total - 2, s.rng.randint(1, total - 1), s.rng.randint(1, total - 1), 0]
    )
    show = in_words if s.rng.random() < 0.5 else str
    rest = total - number
    d = {
        "x": things,
        "p": done,
        "q": undone,
        "t": show(total),
        "n": show(number),
        "rest": show(rest),
        "more": show(min(total + 3, number + s.rng.randint(1, 3))),
        "less": show(max(0, number - s.rng.randint(1, 3))),
        "wrong_t": show(s.other(total, number + 1)),
    }
    if number == total:
        premise = s.say(
            (
                "[all {t} {x} {p}|every one of the {t} {x} was among those that {p}|"
                "the {x}, {t} in number, all {p}|"
                "each of the {t} {x} met this description: they {p}]"
            ),
            **d,
        )
    elif number == 0:
        premise = s.say("[none of the {t} {x} {p}|not one of the {t} {x} {p}|all {t} {x} {q}]", **d)
    elif rest in (1, 2) and s.rng.random() < 0.7:
        premise = s.say(
            (
                "[all but {rest} of the {t} {x} {p}|"
                "of the {t} {x}, all except {rest} {p}|"
                "{rest} of the {t} {x} {q}; the others {p}]"
            ),
            **d,
        )
    else:
        premise = s.say(
            (
                "[{n} of the {t} {x} {p}|of {t} {x}, {n} {p}|"
                "only {n} of the {t} {x} {p}|{n} of the {t} {x} {p}; the [rest|others|"
                "remainder] {q}]"
            ),
            **d,
        )
    item = Item("counts", premise, s, d)
    if 0 < number < total:
        item.say(E, "number", "{n} [of the|of these] {x} {p}", "the number of {x} that {p} was {n}")
        item.say(E, "rest", "{rest} of the {x} {q}")
        item.say(C, "number", "{more} of the {t} {x} {p}", "exactly {less} of the {x} {p}")
        item.say(C, "all", "[all of the|all {t}|every one of the] {x} {p}")
        item.say(C, "none", "[none|not one] of the {x} {p}")
        item.say(C, "denominator", "{n} of the {wrong_t} {x} {p}")
        if number * 2 > total:
            item.say(E, "most", "[most|more than half|a majority] of the {x} {p}")
            item.say(C, "few", "[fewer than half|a minority] of the {x} {p}", "most of the {x} {q}")
        elif number * 2 < total:
            item.say(
                E,
                "few",
                "[fewer than half|a minority|less than half] of the {x} {p}",
                "most of the {x} {q}",
            )
            item.say(C, "most", "[most|more than half|the majority] of the {x} {p}")
        if rest == 1:
            item.say(E, "all_but", "only one of the {x} {q}", "all of the {x} except one {p}")
        if rest != number:
            item.add(
                C,
                "swapped",
                s.say("{n} of the {x} {q}", **d)
                if "rest" not in premise
                else s.say("{rest} of the {x} {p}", **d),
            )
    elif number == total:
        item.say(
            E,
            "all",
            "[every one|all] of the {x} {p}",
            "there was [no exception among the {x}: all {p}|not one of the {x} that {q}]",
        )
        item.say(E, "number", "{t} {x} {p}")
        item.say(
            C,
            "some_not",
            "[some|one|most|a few] of the {x} {q}",
            "[only some|all but one] of the {x} {p}",
        )
    else:
        item.say(E, "none", "[no {x} {p}|none of the {x} {p}|all of the {x} {q}]")
        item.say(C, "some", "[some|one|most|a few] of the {x} {p}")
    if number > 0:
        item.add(
            E,
            "at_least",
            s.say("at least {n} {x} {p}", **d),
            s.say("some of the {x} {p}", **d)
            if number > 1
            else s.say("at least one of the {x} {p}", **d),
        )
        item.say(C, "at_most", "fewer than {n} {x} {p}")
        item.say(E, "at_most", "no more than {n} {x} {p}")
        item.say(C, "at_least", "more than {n} of the {x} {p}")
    return item


def share(s: Speaker) -> Item:
    """A share given as a percentage, a fraction, a count."""
    things = s.word("things")
    done, undone = s.word("thing_events")
    a, b, words = s.rng.choice(_FRACTIONS)
    total = b * s.rng.choice([4, 6, 8, 10, 12, 20, 30])
    number = total * a // b
    percent = round(100 * a / b)
    exact = abs(100 * a / b - percent) < 1e-9
    wrong = s.rng.choice([w for p, q, w in _FRACTIONS if abs(p / q - a / b) > 0.08])
    near = (percent - 10, percent + 10, percent + 5, percent - 5, percent + 1, 100 - percent)
    wrong_percent = s.rng.choice([n for n in near if 0 < n < 100 and abs(n - 100 * a / b) > 0.5])
    d = {
        "x": things,
        "p": done,
        "q": undone,
        "n": number,
        "t": f"{total:,}",
        "pc": f"{percent}%" if exact else f"about {percent}%",
        "w": words,
        "wrong": wrong,
        "wpc": f"{wrong_percent}%",
        "rest": total - number,
        "rpc": f"{100 - percent}%",
    }
    premise = s.say(
        (
            "[{n} of the {t} {x} ({pc}) {p}|of {t} {x}, {n} ({pc}) {p}|"
            "{n} out of {t} {x} {p}|{pc} of the {x} ({n} of {t}) {p}]"
        ),
        **d,
    )
    item = Item("share", premise, s, d)
    item.say(E, "fraction", "{w} of the {x} {p}")
    item.say(E, "percent", "{pc} of the {x} {p}")
    item.say(E, "total", "there were {t} {x}[ in all|]")
    item.say(
        E,
        "rest",
        "{rest} of the {x} {q}"
        if s.rng.random() < 0.5
        else "{rest} of the {x} were not among those that {p}",
    )
    item.say(C, "fraction", "{wrong} of the {x} {p}")
    item.say(C, "percent", "{wpc} of the {x} {p}")
    item.add(
        C,
        "swapped",
        s.say("{t} of the {n} {x} {p}", **d) if a / b != 1 / 2 else s.say("all {t} {x} {p}", **d),
    )
    item.say(C, "whole", "there were {n} {x} in all")
    if a / b != 1 / 2:
        above = a / b > 1 / 2
        item.say(E if above else C, "half", "[more than half|most|over 50%] of the {x} {p}")
        item.say(
            C if above else E,
            "half",
            "[less than half|fewer than half|under 50%|a minority] of the {x} {p}",
        )
    return item


def plural(noun: str) -> str:
    """Return the plural of one of the narrower or wider terms of the word lists."""
    irregular = {"mouse": "mice", "salmon": "salmon"}
    if noun in irregular:
        return irregular[noun]
    if noun.endswith(("s", "x")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def hypernyms(s: Speaker) -> Item:
    """Narrower and wider terms under some, no and every."""
    narrow, wide, _ = s.word("isa")
    done, undone = s.word("happened")
    where = s.rng.choice(["in {}", "at the {} office", "during the {} inspection"]).format(
        s.word("places")
    )
    sibling = s.rng.choice([n for n, w, _ in vocabulary()["isa"] if n != narrow and w != wide])
    d = {
        "a": plural(narrow),
        "b": plural(wide),
        "c": plural(sibling),
        "p": done,
        "q": undone,
        "w": where,
    }
    kind = s.rng.choice(["some", "no", "every", "some_wide", "no_wide", "every_wide"])
    item = Item("hypernyms", "", s, d)
    if kind == "some":
        item.premise = s.say("[several|two|some|three] {a} were {p} {w}", **d)
        item.say(E, "wider", "[some|several] {b} were {p} {w}")
        item.say(C, "none", "no {b} were {p} {w}")
        item.say(N, "all", "all {b} were {p} {w}", "[some|several] {c} were {p} {w}")
    elif kind == "some_wide":
        item.premise = s.say("[several|some|a few] {b} were {p} {w}", **d)
        item.say(N, "narrower", "[several|some] {a} were {p} {w}", "all {b} were {p} {w}")
        item.say(E, "same", "there were {b} that were {p} {w}")
        item.say(C, "none", "{w}, no {b} were {p}")
    elif kind == "no":
        item.premise = s.say("[no|none of the] {a} were {p} {w}", **d)
        item.say(N, "wider", "no {b} were {p} {w}", "some {b} were {p} {w}")
        item.say(C, "some", "some {a} were {p} {w}")
        item.say(E, "same", "{w}, {a} were not {p}")
    elif kind == "no_wide":
        item.premise = s.say("[no|none of the] {b}[, of whatever kind,|] were {p} {w}", **d)
        item.say(E, "narrower", "no {a} were {p} {w}", "{w}, not one of the {a} was {p}")
        item.say(C, "some", "[some|two] {a} were {p} {w}")
        item.say(N, "other", "no {c} were {p} {w}")
    elif kind == "every":
        item.premise = s.say("[all|all of the] {a} were {p} {w}", **d)
        item.say(N, "wider", "all {b} were {p} {w}")
        item.say(C, "some_not", "some {a} were {q} {w}", "none of the {a} were {p} {w}")
        item.say(E, "same", "{w}, every one of the {a} was {p}")
    else:
        item.premise = s.say("[all|all of the] {b}[, without exception,|] were {p} {w}", **d)
        item.say(E, "narrower", "all {a} were {p} {w}")
        item.say(C, "some_not", "[some {a}|the {a}] were {q} {w}")
        item.say(N, "other", "all {c} were {p} {w}", "only {b} were {p} {w}")
    return item
