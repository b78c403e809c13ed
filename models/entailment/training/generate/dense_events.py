"""Several events with their times, and several parties with their positions, in one passage."""

from models.entailment.training.generate.language import NOT_E, C, E, Item, N, Speaker, in_words


def timeline(s: Speaker) -> Item:
    """Events with dates or times in one passage: order, distance, which came when."""
    events = s.rng.sample(
        [
            ("the leak was noticed", "the leak came to notice"),
            ("the valve was closed", "someone closed the valve"),
            ("the regulator was informed", "the regulator was told"),
            ("the report was published", "publication of the report took place"),
            ("the contract was signed", "the parties signed the contract"),
            ("production was stopped", "production came to a halt"),
            ("the site was cleared", "clearing of the site was done"),
            ("the second patient fell ill", "a second patient became ill"),
            ("the appeal was lodged", "an appeal was brought"),
            ("the server was restored", "the server came back"),
            ("the shipment left the port", "the port was left by the shipment"),
            ("the permit expired", "the permit ran out"),
        ],
        3,
    )
    if s.rng.random() < 0.5:
        days = sorted(s.rng.sample(range(1, 28), 3))
        month = s.rng.choice(["March", "May", "August", "November"])
        when = [f"on {d} {month}" for d in days]
        gaps = [
            f"{in_words(days[j] - days[i])} day{'s' if days[j] - days[i] > 1 else ''}"
            for i, j in ((0, 1), (1, 2), (0, 2))
        ]
    else:
        hour = s.rng.randint(7, 20)
        minutes = sorted(s.rng.sample(range(0, 60), 3))
        when = [f"at {hour:02d}:{m:02d}" for m in minutes]
        gaps = [
            f"{minutes[j] - minutes[i]} minute{'s' if minutes[j] - minutes[i] > 1 else ''}"
            for i, j in ((0, 1), (1, 2), (0, 2))
        ]
    parts = [
        f"{e[0]} {w}" if s.rng.random() < 0.5 else f"{w} {e[0]}"
        for e, w in zip(events, when, strict=True)
    ]
    d = {
        "p": parts[0],
        "q": parts[1],
        "r": parts[2],
        "e0": events[0][0],
        "e1": events[1][0],
        "e2": events[2][0],
        "f0": events[0][1],
        "f1": events[1][1],
        "f2": events[2][1],
        "w0": when[0],
        "w1": when[1],
        "w2": when[2],
        "g01": gaps[0],
        "g12": gaps[1],
        "g02": gaps[2],
        "Q": parts[1][0].upper() + parts[1][1:],
        "R": parts[2][0].upper() + parts[2][1:],
    }
    item = Item(
        "dense_timeline", s.say("[{p}. {Q}, and {r}|{p}, {q} and {r}|{p}. {Q}. {R}]", **d), s, d
    )
    item.say(E, "when", "{f1} {w1}", "{e2} {w2}", "{w0} {f0}")
    item.say(C, "when", "{f1} {w2}", "{e2} {w0}", "{w1} {f0}")
    item.say(
        E,
        "order",
        "{e0} before {e1}",
        "{e2} after {e0}",
        "of the three events, this came last: {e2}",
    )
    item.say(
        C,
        "order",
        "{e1} before {e0}",
        "{e0} only after {e2}",
        "of the three events, this came first: {e2}",
    )
    item.say(
        E,
        "gap",
        "{e1} {g01} after {e0}",
        "{g02} passed between the first and the last of the events",
    )
    if gaps[0] != gaps[1]:
        item.say(C, "gap", "{e1} {g12} after {e0}", "{e2} {g02} after {e1}")
    item.say(N, "cause", "{e1} because {e0}")
    item.say(C, "never", "it never happened that {e1}")
    return item


def views(s: Speaker) -> Item:
    """Two parties with different positions; what was decided."""
    a, b = s.words("actors", 2)
    x, y = s.rng.sample(
        [
            ("open a second entrance", "opening a second entrance"),
            ("move the archive abroad", "moving the archive abroad"),
            ("close the ward", "closing the ward"),
            ("drop the second test", "dropping the second test"),
            ("raise the fee", "raising the fee"),
            ("publish the raw data", "publishing the raw data"),
            ("use an outside supplier", "using an outside supplier"),
            ("switch off the alarm at night", "switching off the alarm at night"),
            ("shorten the trial", "shortening the trial"),
            ("repay the deposit", "repaying the deposit"),
            ("merge the two teams", "merging the two teams"),
            ("install more cameras", "installing more cameras"),
        ],
        2,
    )
    d = {"a": a, "b": b, "x": x[0], "xing": x[1], "y": y[0], "ying": y[1]}
    kind = s.rng.choice(["overruled", "proposed", "rejected"])
    if kind == "overruled":
        item = Item(
            "dense_views",
            s.say(
                (
                    "[the {a} advised against {xing}, but the {b} decided to {x} "
                    "nonetheless|although the {a} had objected to {xing}, the {b} chose "
                    "to {x}|the {b} resolved to {x}, against the advice of the {a}]"
                ),
                **d,
            ),
            s,
            d,
        )
        item.say(
            E,
            "decision",
            "the {b} decided [to {x}|in favour of {xing}]",
            "the advice of the {a} was not followed",
        )
        item.say(E, "advice", "the {a} was against {xing}")
        item.say(
            C,
            "swapped",
            "the {a} [supported|was in favour of] {xing}",
            "the {b} [followed the advice of the {a}|decided not to {x}]",
        )
        item.say(N, "why", "the {b} decided to {x} to save money", "the {a} resigned over {xing}")
    elif kind == "proposed":
        item = Item(
            "dense_views",
            s.say(
                (
                    "[the {a} proposed to {x}; the {b} has not decided yet|"
                    "a proposal by the {a} to {x} is before the {b}, which has still to "
                    "decide|the {b} will decide next month on the {a}'s proposal to {x}]"
                ),
                **d,
            ),
            s,
            d,
        )
        item.say(
            E,
            "proposal",
            "the {a} is in favour of {xing}",
            "it is up to the {b} whether to {x}",
            "no decision has been taken on {xing}",
        )
        item.say(
            N,
            "outcome",
            "the {b} [agreed|decided|refused] to {x}",
            "it was decided [to {x}|not to {x}]",
        )
        item.say(
            C, "swapped", "the {b} has already decided on {xing}", "the {a} is opposed to {xing}"
        )
        item.say(NOT_E, "who", "the {b} proposed to {x}")
    else:
        item = Item(
            "dense_views",
            s.say(
                (
                    "[the first draft provided for {xing}; this was dropped, and it was "
                    "decided to {y} instead|"
                    "the original plan to {x} was given up in favour of {ying}|"
                    "instead of {xing}, as first intended, it was decided to {y}]"
                ),
                **d,
            ),
            s,
            d,
        )
        item.say(E, "now", "it was decided to {y}", "the plan to {x} was abandoned")
        item.say(E, "before", "at first the intention was to {x}")
        item.say(
            C,
            "now",
            "it was decided to {x}",
            "the plan to {y} was given up in favour of {xing}",
            "it was decided both to {x} and to {y}",
        )
        item.say(N, "cost", "{ying} [is cheaper|proved a success]")
    return item
