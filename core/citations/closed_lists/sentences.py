"""The answers in a person's words."""

from collections.abc import Sequence

from core.citations.closed_lists.answer import Alteration, Entry, ListInfo


def named(info: ListInfo) -> str:
    """A list's framework and edition, "NIST CSF (2.0)", and whether it is the person's own."""
    said = [info.edition] * bool(info.edition) + ["your own list"] * info.own
    return f"{info.framework} ({', '.join(said)})" if said else info.framework


def joined(parts: Sequence[str], word: str = "and") -> str:
    """The parts as a person lists them: a, b and c."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def called(entry: Entry) -> str:
    """A place and its title, if there is one to show."""
    if entry.title:
        return f"{entry.number} ({quoted(entry.title)})"
    if entry.heading:
        return f"{entry.number} (under {quoted(entry.heading)})"
    return entry.number


def quoted(title: str) -> str:
    """A title in quotes, with those inside it made single ones."""
    return "“" + title.replace("“", "‘").replace("”", "’") + "”"


def offer(nearest: Sequence[Entry]) -> str:
    """The true places that are offered instead, as a sentence of its own."""
    if not nearest:
        return ""
    return f" The nearest in the list: {joined([called(entry) for entry in nearest], 'or')}."


def in_list(infos: Sequence[ListInfo], entry: Entry, others: Sequence[ListInfo]) -> str:
    """It is in these lists, and not in the others, where no edition is named."""
    text = f"{called(entry)} is in {joined([named(info) for info in infos])}."
    if others:
        text += (
            f" It is not so in {joined([named(info) for info in others])}: the citation names no "
            "edition, and the edition decides."
        )
    return text


def also(number: str, elsewhere: Sequence[Entry]) -> str:
    """Another edition writes it as the citation does, as a sentence of its own."""
    there = joined([f"{entry.framework} ({entry.edition})" for entry in elsewhere])
    return f" {there} writes {number}, and means {called(elsewhere[0])}." if elsewhere else ""


def in_range(number: str, infos: Sequence[ListInfo]) -> str:
    """Both ends of a range are in these lists."""
    return f"Both ends of {number} are in {joined([named(info) for info in infos])}."


def whole(infos: Sequence[ListInfo]) -> str:
    """The instrument is cited as a whole, and is here."""
    return f"There is a list of {joined([named(info) for info in infos])}."


def altered(
    alteration: Alteration,
    number: str,
    infos: Sequence[ListInfo],
    nearest: Sequence[Entry],
    parent: Entry | None = None,
    replaced_by: Sequence[str] = (),
) -> str:
    """In which way the citation departs from the list.

    `parent` is the place that was withdrawn, or the one that has no such part.
    """
    of = joined([named(info) for info in infos])
    if alteration is Alteration.WITHDRAWN and parent is not None:
        text = f"{called(parent)} has been withdrawn from {of}."
        if replaced_by:
            return f"{text} It went into {joined([called(entry) for entry in nearest])}."
        return f"{text} The list does not say what replaced it."
    if alteration in (Alteration.PADDING, Alteration.FORM):
        instead = joined([called(entry) for entry in nearest], "or")
        return f"{number} is not written so in {of}, but as {instead}."
    if alteration is Alteration.EDITION:
        there = joined([f"{entry.framework} ({entry.edition})" for entry in nearest])
        shown = called(nearest[0]) if nearest else number
        return f"{number} is not in {of}. It is of another edition: {there} has {shown}."
    if parent is None:
        text = f"{number} is not in {of}: something in front of it is left out."
    else:
        text = f"{number} is not in {of}: {parent.number} is, but has no such part."
    return text + offer([entry for entry in nearest if entry != parent])


def missing(number: str, infos: Sequence[ListInfo], nearest: Sequence[Entry]) -> str:
    """It is not in any of these lists."""
    return f"{number} is not in {joined([named(info) for info in infos], 'or')}." + offer(nearest)


def beyond(number: str, infos: Sequence[ListInfo], nearest: Sequence[Entry]) -> str:
    """The lists do not reach so far."""
    of = joined([named(info) for info in infos])
    text = f"The list of {of} does not go as far as {number}, so it was not looked up."
    if nearest:
        text += f" {called(nearest[0])}, above it, is in the list."
    said = dict.fromkeys(info.beyond for info in infos if info.beyond)
    return " ".join([text, *said])


def no_framework(instrument: str) -> str:
    """There is no list of the framework at all."""
    return (
        f"There is no list of {instrument}, so nothing was looked up. You can add one of your own."
    )


def no_edition(framework: str, edition: str, infos: Sequence[str]) -> str:
    """There is no list of this edition."""
    return (
        f"There is no list of this edition of {framework} (“{edition}”), so nothing was looked "
        f"up. There is one of {joined(infos)}."
    )
