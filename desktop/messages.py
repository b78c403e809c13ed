"""What the window says when something fails: what happened, what was kept, what to do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """An error or a notice for the person.

    `details` is for a bug report: names of errors and places in the program, no document text.
    """

    happened: str
    kept: str = ""
    do: str = ""
    details: str = ""

    @property
    def spoken(self) -> str:
        """The whole message as one run of sentences, for a screen reader."""
        return " ".join(part for part in (self.happened, self.kept, self.do) if part)


NOTHING_CHANGED = "Your workspace and its history are unchanged."


def explain(error: BaseException, doing: str, kept: str = NOTHING_CHANGED) -> Message:
    """The message for `error`, which ended what `doing` names ("The check", "Adding a.pdf").

    Errors that the program raises on purpose carry their own sentence; any other error could hold
    text of a document, so only its kind and place are shown.
    """
    names = {kind.__name__ for kind in type(error).__mro__}
    own = type(error).__module__.partition(".")[0] in {"core", "models", "desktop"}
    if own and str(error).strip():
        return Message(str(error).strip(), kept, details=_details(error))
    if "OSError" in names:
        reason = getattr(error, "strerror", None) or type(error).__name__
        return Message(
            f"{doing} stopped: the system said “{reason}”.",
            kept,
            "Check that the disk has room and that the file may be opened, then try again.",
            _details(error),
        )
    return Message(
        f"{doing} stopped because of a fault in the program ({type(error).__name__}).",
        kept,
        "Try again. If it happens again, send the details below with your report; "
        "they hold no text of your documents.",
        _details(error),
    )


def _details(error: BaseException) -> str:
    lines = [".".join((type(error).__module__, type(error).__qualname__))]
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        module = trace.tb_frame.f_globals.get("__name__", "?")
        lines.append(f"  {module}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return "\n".join(lines)
